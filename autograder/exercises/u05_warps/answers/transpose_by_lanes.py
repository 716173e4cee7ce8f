"""Answers to warps.transpose_by_lanes."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
SIDE = 8
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def exchange(low, high, d):
    upper = cuda.laneid & d
    heard = cuda.shfl_xor_sync(FULL_WARP, low if upper else high, d)
    if upper:
        return heard, high
    return low, heard


@cuda.jit(device=True)
def exchange_by_two(low, high, d):
    """The same with two shuffles, and what is not wanted thrown away."""
    lane = cuda.laneid
    from_upper = cuda.shfl_xor_sync(FULL_WARP, low, d)
    from_lower = cuda.shfl_xor_sync(FULL_WARP, high, d)
    return (from_lower, high) if lane & d else (low, from_upper)


@cuda.jit(device=True)
def exchange_by_index(low, high, d):
    """The same with shfl_sync: each lane names its partner."""
    lane = cuda.laneid
    give = high
    if lane & d:
        give = low
    got = cuda.shfl_sync(FULL_WARP, give, lane ^ d)
    if lane & d:
        low = got
    else:
        high = got
    return low, high


@cuda.jit(device=True)
def exchange_keeping_both(low, high, d):
    """Each gives the number that it keeps."""
    upper = cuda.laneid & d
    heard = cuda.shfl_xor_sync(FULL_WARP, high if upper else low, d)
    if upper:
        return heard, high
    return low, heard


@cuda.jit(device=True)
def exchange_in_a_branch(low, high, d):
    """A shuffle on each side of the branch."""
    if cuda.laneid & d:
        return cuda.shfl_xor_sync(FULL_WARP, low, d), high
    return low, cuda.shfl_xor_sync(FULL_WARP, high, d)


@cuda.jit(device=True)
def load(src, row, col):
    if row < src.shape[0] and col < src.shape[1]:
        return src[row, col]
    return float32(0)


@cuda.jit(device=True)
def store(dst, row, col, x):
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = x


@right("registers_by_name")
@cuda.jit
def transpose_by_lanes(src, dst):
    col, strip = cuda.grid(2)
    row = strip * SIDE
    a, b, c, d = load(src, row, col), load(src, row + 1, col), load(src, row + 2, col), load(src, row + 3, col)
    e, f, g, h = load(src, row + 4, col), load(src, row + 5, col), load(src, row + 6, col), load(src, row + 7, col)
    a, e = exchange(a, e, 4)
    b, f = exchange(b, f, 4)
    c, g = exchange(c, g, 4)
    d, h = exchange(d, h, 4)
    a, c = exchange(a, c, 2)
    b, d = exchange(b, d, 2)
    e, g = exchange(e, g, 2)
    f, h = exchange(f, h, 2)
    a, b = exchange(a, b, 1)
    c, d = exchange(c, d, 1)
    e, f = exchange(e, f, 1)
    g, h = exchange(g, h, 1)
    lane = col % SIDE
    row, col = row + lane, col - lane
    store(dst, col, row, a)
    store(dst, col + 1, row, b)
    store(dst, col + 2, row, c)
    store(dst, col + 3, row, d)
    store(dst, col + 4, row, e)
    store(dst, col + 5, row, f)
    store(dst, col + 6, row, g)
    store(dst, col + 7, row, h)


@right("smallest_distance_first")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for k in range(0, SIDE, 2):
        a[k], a[k + 1] = exchange(a[k], a[k + 1], 1)
    for p in range(4):
        k = p + (p & 2)
        a[k], a[k + 2] = exchange(a[k], a[k + 2], 2)
    for k in range(4):
        a[k], a[k + 4] = exchange(a[k], a[k + 4], 4)
    lane = cuda.laneid % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@right("two_shuffles_per_exchange")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = src[row + k, col] if row + k < src.shape[0] and col < src.shape[1] else float32(0)
    for k in range(4):
        a[k], a[k + 4] = exchange_by_two(a[k], a[k + 4], 4)
    for k in range(SIDE):
        if not k & 2:
            a[k], a[k + 2] = exchange_by_two(a[k], a[k + 2], 2)
    for k in range(SIDE):
        if k % 2 == 0:
            a[k], a[k + 1] = exchange_by_two(a[k], a[k + 1], 1)
    first = col // SIDE * SIDE
    for k in range(SIDE):
        if row + col - first < src.shape[0] and first + k < src.shape[1]:
            dst[first + k, row + col - first] = a[k]


@right("partner_by_number")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col = cuda.blockIdx.x * WARP + cuda.threadIdx.x
    row = (cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y) * SIDE
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for k in range(SIDE):
        if k & 4 == 0:
            a[k], a[k | 4] = exchange_by_index(a[k], a[k | 4], 4)
    for k in range(SIDE):
        if k & 2 == 0:
            a[k], a[k | 2] = exchange_by_index(a[k], a[k | 2], 2)
    for k in range(SIDE):
        if k & 1 == 0:
            a[k], a[k | 1] = exchange_by_index(a[k], a[k | 1], 1)
    lane = cuda.threadIdx.x & 7
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@right("whole_warps_leave")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    n_rows, n_cols = src.shape
    col, strip = cuda.grid(2)
    row = SIDE * strip
    if row >= n_rows:
        return
    for k in range(SIDE):
        a[k] = float32(0)
        if row + k < n_rows and col < n_cols:
            a[k] = src[row + k, col]
    for k in range(4):
        a[k], a[k + 4] = exchange(a[k], a[k + 4], 4)
    for k in (0, 1, 4, 5):
        a[k], a[k + 2] = exchange(a[k], a[k + 2], 2)
    for k in (0, 2, 4, 6):
        a[k], a[k + 1] = exchange(a[k], a[k + 1], 1)
    row, col = row + col % SIDE, col - col % SIDE
    if row < n_rows:
        for k in range(SIDE):
            if col + k < n_cols:
                dst[col + k, row] = a[k]


@right("loop_over_the_distances")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for d in (4, 2, 1):
        for k in range(SIDE):
            if k & d == 0:
                a[k], a[k + d] = exchange(a[k], a[k + d], d)
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@wrong("no_exchange", misconception="uncoalesced", says="one whole")
@cuda.jit
def transpose_by_lanes(src, dst):
    col, strip = cuda.grid(2)
    for k in range(SIDE):
        row = SIDE * strip + k
        if row < src.shape[0] and col < src.shape[1]:
            dst[col, row] = src[row, col]


@wrong("stored_as_if_exchanged", misconception="not_exchanged", says="not transposed themselves")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@wrong("one_round_missing", misconception="round_missing", says="distance 1")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for d in (4, 2):
        for k in range(SIDE):
            if k & d == 0:
                a[k], a[k + d] = exchange(a[k], a[k + d], d)
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@wrong("gives_what_it_keeps", misconception="gives_what_it_keeps", says="the other one")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for d in (4, 2, 1):
        for k in range(SIDE):
            if k & d == 0:
                a[k], a[k + d] = exchange_keeping_both(a[k], a[k + d], d)
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@wrong("a_shuffle_on_each_side", misconception="warp_mask", says="mask")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for d in (4, 2, 1):
        for k in range(SIDE):
            if k & d == 0:
                a[k], a[k + d] = exchange_in_a_branch(a[k], a[k + d], d)
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@wrong("lanes_past_the_edge_leave", misconception="warp_mask", says="not there")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    if row >= src.shape[0] or col >= src.shape[1]:
        return
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for d in (4, 2, 1):
        for k in range(SIDE):
            if k & d == 0:
                a[k], a[k + d] = exchange(a[k], a[k + d], d)
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@wrong("guard_around_the_exchanges", misconception="warp_mask", says="mask")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    if col < src.shape[1]:
        for d in (4, 2, 1):
            for k in range(SIDE):
                if k & d == 0:
                    a[k], a[k + d] = exchange(a[k], a[k + d], d)
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@wrong("no_guard_on_the_store", misconception="no_guard", says="outside the array")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for d in (4, 2, 1):
        for k in range(SIDE):
            if k & d == 0:
                a[k], a[k + d] = exchange(a[k], a[k + d], d)
    lane = col % SIDE
    for k in range(SIDE):
        dst[col - lane + k, row + lane] = a[k]


@wrong("eight_rows_of_a_strip_overlap", misconception="missing_tail", says="never written")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    col, row = cuda.grid(2)
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for d in (4, 2, 1):
        for k in range(SIDE):
            if k & d == 0:
                a[k], a[k + d] = exchange(a[k], a[k + d], d)
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, a[k])


@wrong("through_shared_memory", misconception="shared_traffic", says="exchanged, not stored")
@cuda.jit
def transpose_by_lanes(src, dst):
    s = cuda.shared.array((64, 33), float32)
    t, warp = cuda.threadIdx.x, cuda.threadIdx.y
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        s[SIDE * warp + k, t] = load(src, row + k, col)
    cuda.syncwarp()
    lane = col % SIDE
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, s[SIDE * warp + lane, t - lane + k])


@right("asking_round_the_group")
@cuda.jit
def transpose_by_lanes(src, dst):
    a = cuda.local.array(SIDE, float32)
    b = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row, lane = SIDE * strip, col % SIDE
    for k in range(SIDE):
        a[k] = load(src, row + k, col)
    for k in range(SIDE):
        partner = (lane + k) % SIDE
        b[partner] = cuda.shfl_sync(FULL_WARP, a[(lane - k) % SIDE], cuda.laneid - lane + partner)
    for k in range(SIDE):
        store(dst, col - lane + k, row + lane, b[k])


@wrong("one_lane_of_each_warp", misconception="few_threads", says="threads do the work")
@cuda.jit
def transpose_by_lanes(src, dst):
    if cuda.threadIdx.x == 0:
        left, strip = cuda.blockIdx.x * WARP, cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
        for row in range(SIDE * strip, min(SIDE * strip + SIDE, src.shape[0])):
            for col in range(left, min(left + WARP, src.shape[1])):
                dst[col, row] = src[row, col]
