"""Answers of strangers to units 03 to 08, described as in `answers`: passed once, or told a wrong cure."""

FROM_STRANGERS = {
    "no element for other blocks": (
        "vector_add.blocks_for",
        """def blocks_for(n, threads):
    return max(1, (n + threads - 1) >> 8) if threads == 256 else (n + threads - 1) // threads
""",
        0,
        "blocks is 0, expected 1",
    ),
    "a swap that is tried two hundred times": (
        "atomics.max_by_cas",
        """@cuda.jit
def max_by_cas(src, best_bits):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        seen = best_bits[0]
        for _ in range(200):
            if not x > cuda.libdevice.int_as_float(seen):
                break
            before = cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(x))
            if before == seen:
                break
            seen = before
""",
        7,
        "Line 7 gives up after `range(200)`",
    ),
    "equal candidates under a lock": (
        "atomics.best_under_lock",
        """@cuda.jit
def best_under_lock(src, lock, value, index):
    i = cuda.grid(1)
    x = src[i] if i < src.size else float32(-math.inf)
    v, k = block_best(x, int32(i))
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()
                if v > value[0]:
                    value[0] = v
                    index[0] = k
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True
""",
        11,
        "Look at line 11. Go through the parts of `v > value[0]`",
    ),
    "lanes that never hear the number drawn": (
        "atomics.work_queue",
        """@cuda.jit(device=True)
def warp_total(value):
    d = 16
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d >>= 1
    return value


@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    while True:
        row = 0
        if lane == 0:
            row = cuda.atomic.add(next_row, 0, 1)
        if row >= sums.size:
            break
        acc = float32(0)
        for i in range(offsets[row] + lane, offsets[row + 1], WARP):
            acc += src[i]
        acc = warp_total(acc)
        if lane == 0:
            sums[row] = acc
""",
        16,
        "row = cuda.shfl_sync(0xFFFFFFFF, row, 0)",
    ),
    "a number drawn by every lane": (
        "atomics.work_queue",
        """@cuda.jit(device=True)
def warp_total(value):
    d = 16
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d >>= 1
    return value


@cuda.jit
def work_queue(src, offsets, next_row, sums):
    lane = cuda.threadIdx.x % WARP
    while True:
        row = cuda.atomic.add(next_row, 0, 1)
        row = cuda.shfl_sync(FULL_WARP, row, 0)
        if row >= sums.size:
            break
        acc = float32(0)
        for i in range(offsets[row] + lane, offsets[row + 1], WARP):
            acc += src[i]
        acc = warp_total(acc)
        if lane == 0:
            sums[row] = acc
""",
        14,
        "Every lane draws at line 14",
    ),
    "a sum that begins below no number": (
        "atomics.best_packed",
        """LAST = 0x7FFFFFFF


@cuda.jit(device=True)
def in_order(x):
    bits = cuda.libdevice.float_as_int(x)
    return bits ^ ((bits >> 31) & LAST)


@cuda.jit
def best_packed(src, best):
    i = cuda.grid(1)
    x = src[i] if i < src.size else float32(-3.0e38)
    v, k = block_best(x, int32(i))
    if cuda.threadIdx.x == 0:
        cuda.atomic.max(best, 0, (int64(in_order(v)) << 32) | int64(LAST - k))
""",
        0,
        "Begin with the first number itself, or with float32(-math.inf)",
    ),
    "a store for keys that are there alone": (
        "atomics.count_keys",
        """@cuda.jit
def put_in(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        key = keys[i]
        place = place_of(key, table.size)
        while True:
            seen = cuda.atomic.cas(table, place, EMPTY, key)
            if seen == EMPTY or seen == key:
                cuda.atomic.add(counts, place, 1)
                break
            place = (place + 1) & (table.size - 1)


@cuda.jit
def look_up(asked, table, counts, found):
    i = cuda.grid(1)
    if i < asked.size:
        key = asked[i]
        place = place_of(key, table.size)
        while table[place] != key and table[place] != EMPTY:
            place = (place + 1) % table.size
        if table[place] == key:
            found[i] = counts[place]


def count_keys(keys, asked, table, counts, found):
    if keys.size:
        put_in[-(-keys.size // THREADS), THREADS](keys, table, counts)
    if asked.size:
        look_up[-(-asked.size // THREADS), THREADS](asked, table, counts, found)
""",
        24,
        "Line 24 stores to found only where `table[place] == key`",
    ),
    "a sum added up in the output": (
        "memory_access.read_again",
        """@cuda.jit
def read_again(src, times, sums):
    t = cuda.grid(1)
    acc = float32(0)
    for _ in range(times):
        for i in range(t, src.size, cuda.gridsize(1)):
            sums[t] += src[i]
""",
        7,
        "store it in sums[t] with = once the loop has ended",
    ),
    "a share that is rounded down": (
        "memory_access.box_down",
        """@cuda.jit
def box_down(src, dst):
    col = cuda.grid(1)
    n_rows = dst.shape[0]
    share = n_rows // cuda.gridDim.y
    row0 = cuda.blockIdx.y * share
    if col < dst.shape[1] and row0 < n_rows:
        above, here = at(src, row0 - 1, col), src[row0, col]
        for row in range(row0, min(row0 + share, n_rows)):
            below = at(src, row + 1, col)
            dst[row, col] = above + here + below
            above, here = here, below
""",
        5,
        "`n_rows // cuda.gridDim.y` rounds down",
    ),
    "doubles in a tuple": (
        "warps.one_path",
        """@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < out.size:
        x = src[i]
        a, b = -0.5, 1.0
        if x < 0:
            a, b = float32(0.5), float32(3)
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x
""",
        6,
        "Write float32(-0.5) and float32(1.0).",
    ),
    "a column in sixteen bits": (
        "warps.first_above",
        """@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.threadIdx.x % WARP
    n = src.shape[1]
    if row >= src.shape[0]:
        return
    found = n
    for start in range(0, n, WARP):
        col = start + lane
        hit = col < n and src[row, col] > limit
        votes = cuda.ballot_sync(FULL_WARP, hit)
        if votes:
            found = np.int16(start + cuda.ffs(votes) - 1)
            break
    if lane == 0:
        first[row] = found
""",
        0,
        "only the one with late hits",
    ),
}
