"""Wrong locks and draws from outside whose verdicts once gave advice for another mistake, as in `advice`."""

MISLOCKED = {
    "a swap that is tried once after a plain look": (
        "atomics.max_by_cas",
        """@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        seen = best_bits[0]
        if src[i] > cuda.libdevice.int_as_float(seen):
            cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(src[i]))
""",
        7,
        "The swap of line 7 may lose",
    ),
    "a lock that is asked for once": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        if cuda.atomic.cas(lock, 0, 0, 1) == 0:
            cuda.threadfence()
            if x > value[0] or (x == value[0] and at < index[0]):
                value[0] = x
                index[0] = at
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)
""",
        6,
        "Line 6 asks for lock once",
    ),
    "a lock that is looked at and taken apart": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        while lock[0] != 0:
            pass
        lock[0] = 1
        if x > value[0] or (x == value[0] and at < index[0]):
            value[0] = x
            index[0] = at
        lock[0] = 0
""",
        6,
        "Look and take in one atomic",
    ),
    "a lock that is never opened": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                if x > value[0] or (x == value[0] and at < index[0]):
                    value[0] = x
                    index[0] = at
                cuda.threadfence()
                done = True
""",
        7,
        "whoever has the lock must open it",
    ),
    "a lock that a whole warp waits for, and nobody opens": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    if i < src.size:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        if src[i] > value[0]:
            value[0] = src[i]
            index[0] = i
        cuda.threadfence()
""",
        5,
        "Whoever took the lock never gives it back",
    ),
    "a comparison outside the lock": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        if x > value[0] or (x == value[0] and at < index[0]):
            done = False
            while not done:
                if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                    cuda.threadfence()
                    value[0] = x
                    index[0] = at
                    cuda.threadfence()
                    cuda.atomic.exch(lock, 0, 0)
                    done = True
""",
        6,
        "Look again inside, after line 9",
    ),
    "the old value of an atomic stored": (
        "atomics.histogram_global",
        """@cuda.jit
def histogram_global(src, hist):
    i = cuda.grid(1)
    if i < src.size:
        hist[src[i]] = cuda.atomic.add(hist, src[i], 1)
""",
        5,
        "returns what was there before",
    ),
    "a row drawn with an atomic, and read where it was counted": (
        "atomics.work_queue",
        """@cuda.jit(device=True)
def warp_total(value):
    d = WARP // 2
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    row = 0
    while row < sums.size:
        if lane == 0:
            cuda.atomic.add(next_row, 0, 1)
            row = next_row[0] - 1
        row = cuda.shfl_sync(FULL_WARP, row, 0)
        if row < sums.size:
            acc = float32(0)
            for i in range(offsets[row] + lane, offsets[row + 1], WARP):
                acc += src[i]
            acc = warp_total(acc)
            if lane == 0:
                sums[row] = acc
""",
        16,
        "Keep that, as in `old = cuda.atomic.add(next_row, 0, 1)`",
    ),
    "a lock with no fence behind its taking": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                if x > value[0] or (x == value[0] and at < index[0]):
                    value[0] = x
                    index[0] = at
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True
""",
        9,
        "with no fence between the two",
    ),
    "a lock that each try adds to": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        while cuda.atomic.add(lock, 0, 1) != 0:
            pass
        cuda.threadfence()
        if x > value[0] or (x == value[0] and at < index[0]):
            value[0] = x
            index[0] = at
        cuda.threadfence()
        cuda.atomic.add(lock, 0, -1)
""",
        6,
        "so it never holds 0 again",
    ),
    "a lock of each block": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    own = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        own[0] = 0
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(own, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        if x > value[0] or (x == value[0] and at < index[0]):
            value[0] = x
            index[0] = at
        cuda.threadfence()
        cuda.atomic.exch(own, 0, 0)
""",
        13,
        "A lock in shared memory is another one in every block",
    ),
    "a lock that is taken after the look": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        v = value[0]
        k = index[0]
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        if x > v or (x == v and at < k):
            value[0] = x
            index[0] = at
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)
""",
        6,
        "Line 6 comes before the lock is taken",
    ),
    "a lock that is given back before the last store": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        better = x > value[0] or (x == value[0] and at < index[0])
        if better:
            value[0] = x
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)
        if better:
            index[0] = at
""",
        15,
        "Line 15 comes after the lock is given back",
    ),
    "a lock for a block that opens while the block works": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 1 and (x > value[0] or (x == value[0] and at < index[0])):
        value[0] = x
        index[0] = at
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)
""",
        0,
        "the block has it from the next cuda.syncthreads() on",
    ),
    "a lock for a block that opens with no fence": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 1 and (x > value[0] or (x == value[0] and at < index[0])):
        value[0] = x
        index[0] = at
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.exch(lock, 0, 0)
""",
        0,
        "If a lock is held here, call cuda.threadfence()",
    ),
}
