"""Right answers from outside that were once refused, each of a class: exercise and source."""

RIGHT = {
    "a swap that looks at its cell in its own way": (
        "atomics.max_by_cas",
        """@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        old = best_bits[0]
        while x > cuda.libdevice.int_as_float(old):
            assumed = old
            old = cuda.atomic.cas(best_bits, 0, assumed, cuda.libdevice.float_as_int(x))
            if old == assumed:
                break
""",
    ),
    "a lock that is taken by a maximum": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x = src[i] if i < src.size else float32(-np.inf)
    best, where = block_best(x, i)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.max(lock, 0, 1) == 0:
                cuda.threadfence()
                if best > value[0] or (best == value[0] and where < index[0]):
                    value[0] = best
                    index[0] = where
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True
""",
    ),
    "a lock of one bit": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x = src[i] if i < src.size else float32(-np.inf)
    best, where = block_best(x, i)
    if cuda.threadIdx.x == 0:
        while cuda.atomic.or_(lock, 0, 1) != 0:
            pass
        cuda.threadfence()
        if best > value[0] or (best == value[0] and where < index[0]):
            value[0] = best
            index[0] = where
        cuda.threadfence()
        cuda.atomic.and_(lock, 0, 0)
""",
    ),
    "a lock that is taken by a sum, and a sum taken back": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        while cuda.atomic.add(lock, 0, 1) != 0:
            cuda.atomic.add(lock, 0, -1)
        cuda.threadfence()
        if x > value[0] or (x == value[0] and at < index[0]):
            value[0] = x
            index[0] = at
        cuda.threadfence()
        cuda.atomic.add(lock, 0, -1)
""",
    ),
    "a lock that is taken by a sum, and set to 0": (
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
        cuda.atomic.exch(lock, 0, 0)
""",
    ),
    "a lock that a thread takes for its block": (
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
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)
""",
    ),
    "a lock for a block whose threads each fence": (
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
    cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.exch(lock, 0, 0)
""",
    ),
    "a rounding that keeps the sign of 0": (
        "engine_int8.fake_quantise",
        """@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    i = cuda.grid(1)
    if i >= real.size:
        return
    q = cuda.libdevice.rintf(real[i] / scale)
    inside = q >= LOW and q <= HIGH
    gradient[i] = upstream[i] if inside else float32(0)
    fake[i] = min(max(q, LOW), HIGH) * scale
""",
    ),
    "a histogram of a warp's votes in a while loop": (
        "atomics.histogram_adaptive",
        """CODES = 4096


@cuda.jit
def histogram_adaptive(codes, hist):
    s = cuda.shared.array(CODES, int32)
    k = cuda.threadIdx.x
    while k < CODES:
        s[k] = 0
        k += THREADS
    cuda.syncthreads()
    lane, first = cuda.threadIdx.x % WARP, cuda.blockIdx.x * THREADS
    while first < codes.size:
        i = first + cuda.threadIdx.x
        code = int32(codes[i]) if i < codes.size else int32(-1)
        leader = cuda.shfl_sync(FULL_WARP, code, 0)
        n = cuda.popc(cuda.ballot_sync(FULL_WARP, code == leader))
        if lane == 0 and code >= 0:
            cuda.atomic.add(s, code, n)
        if lane != 0 and code >= 0 and code != leader:
            cuda.atomic.add(s, code, 1)
        first += cuda.gridDim.x * THREADS
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, CODES, THREADS):
        cuda.atomic.add(hist, k, s[k])
""",
    ),
}
