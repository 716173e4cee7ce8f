"""Wrong answers from outside whose verdicts once gave advice for another mistake, described as in `unseen_answers`."""

MISLED = {
    "a barrier of a given helper, in a branch": (
        "atomics.last_block_sum",
        """@cuda.jit
def last_block_sum(src, partial, finished, total):
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_sum(acc)
    is_last = False
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        is_last = cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x - 1
    cuda.syncthreads()
    if is_last:
        acc = float32(0)
        for b in range(t, partial.size, THREADS):
            acc += partial[b]
        acc = block_sum(acc)
        if t == 0:
            total[0] = acc
            finished[0] = 0
""",
        18,
        "in `block_sum`, which line 18 calls, because of `is_last` at line 14",
    ),
    "a copy up after the launch that reads it": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.device_array_like(b)
    d_out = cuda.device_array_like(a)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    d_b.copy_to_device(b)
    return d_out.copy_to_host()
""",
        5,
        "Before line 5, copy the values up",
    ),
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
    "a place that is taken apart the wrong way": (
        "indexing.pad",
        """@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    i = row * cuda.gridsize(2)[0] + col
    n = dst.shape[1]
    if i < dst.size:
        r = i // n
        c = i // n
        dst[r, c] = 0
""",
        9,
        "line 8 takes it apart the wrong way: `c = i // n`",
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
    "dynamic shared memory of no bytes": (
        "atomics.histogram_shared",
        """@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(0, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])
""",
        5,
        "this launch gives it 0 bytes",
    ),
    "a search that never ends": (
        "atomics.count_keys",
        """@cuda.jit
def put_in(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        while True:
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
            if seen == EMPTY or seen == keys[i]:
                break
            place = (place + 1) & (table.size - 1)
        cuda.atomic.add(counts, place, 1)


@cuda.jit
def look_up(asked, table, counts, found):
    i = cuda.grid(1)
    if i < asked.size:
        place = place_of(asked[i], table.size)
        while table[place] != asked[i]:
            place = (place + 1) & (table.size - 1)
        found[i] = counts[place]


def count_keys(keys, asked, table, counts, found):
    put_in[max(1, -(-keys.size // THREADS)), THREADS](keys, table, counts)
    look_up[max(1, -(-asked.size // THREADS)), THREADS](asked, table, counts, found)
""",
        19,
        "after 64 turns all variables and all memory",
    ),
    "a stream first": (
        "streams.one_stream",
        """def one_stream(x, out):
    stream = cuda.stream()
    d_x = cuda.to_device(x, stream)
    d_out = cuda.device_array_like(d_x)
    scale[stream, blocks_for(x.size), THREADS](d_x, d_out)
    d_out.copy_to_host(out, stream)
    stream.synchronize()
""",
        0,
        "The order is kernel[blocks, threads, stream]",
    ),
    "an output that is rebound": (
        "streams.one_stream",
        """def one_stream(x, out):
    stream = cuda.stream()
    d_x = cuda.to_device(x, stream=stream)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    out = d_out.copy_to_host(stream=stream)
    stream.synchronize()
""",
        0,
        "only gives the name to another array",
    ),
    "an input that is never read": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + a[i]
""",
        0,
        "b is never read",
    ),
    "a view of an input that is sorted": (
        "memory_kinds.median_of_nine",
        """@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        s = x[i:i + 9]
        for end in range(8, 3, -1):
            for k in range(end):
                if s[k] > s[k + 1]:
                    s[k], s[k + 1] = s[k + 1], s[k]
        out[i] = s[4]
""",
        9,
        "An input was changed, line 9",
    ),
    "a guard about another array": (
        "indexing.fade",
        """@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[y]
""",
        5,
        "It asks about out: where another index is meant for weight",
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
    "row and column exchanged below a condition that has them right": (
        "indexing.invert",
        """@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[col, row] = 255 - src[row, col]
""",
        5,
        "so `row` is the row: write dst[row, col]",
    ),
    "row and column exchanged after a return": (
        "indexing.invert",
        """@cuda.jit
def invert(src, dst):
    x, y = cuda.grid(2)
    if x >= dst.shape[1] or y >= dst.shape[0]:
        return
    dst[x, y] = 255 - src[y, x]
""",
        6,
        "so `y` is the row: write dst[y, x]",
    ),
    "map in a kernel": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    out[:] = map(lambda x, y: x + y, a, b)
""",
        3,
        "A thread works on one element",
    ),
}
