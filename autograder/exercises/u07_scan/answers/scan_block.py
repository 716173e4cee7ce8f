"""Answers to scan.scan_block."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import load16, store16

THREADS = 256
WARP = 32
WARPS = 8
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True, forceinline=True)
def load_four(src, i):
    """The course's own."""
    if i + 4 <= src.size:
        return load16(src, i)
    zero = float32(0)
    return (src[i] if i < src.size else zero, src[i + 1] if i + 1 < src.size else zero,
            src[i + 2] if i + 2 < src.size else zero, zero)  # fmt: skip


@cuda.jit(device=True, forceinline=True)
def store_four(dst, i, x):
    """The course's own."""
    if i + 4 <= dst.size:
        store16(dst, i, x)
    else:
        if i < dst.size:
            dst[i] = x[0]
        if i + 1 < dst.size:
            dst[i + 1] = x[1]
        if i + 2 < dst.size:
            dst[i + 2] = x[2]


@cuda.jit(device=True)
def warp_scan(x):
    """The course's own."""
    lane = cuda.threadIdx.x % WARP
    d = 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, x, d)
        if lane >= d:
            x += y
        d *= 2
    return x


@cuda.jit(device=True)
def shift_up(x):
    """What the lane before has; 0 for lane 0."""
    y = cuda.shfl_up_sync(FULL_WARP, x, 1)
    return y if cuda.threadIdx.x % WARP > 0 else float32(0)


@right("first_warp_scans_the_totals")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    lane, warp = t % WARP, t // WARP
    x = load_four(src, 4 * cuda.grid(1))
    b = x[0] + x[1]
    c = b + x[2]
    d = c + x[3]
    upto = warp_scan(d)
    if lane == WARP - 1:
        sums[warp] = upto
    cuda.syncthreads()
    if warp == 0:
        total = warp_scan(sums[lane] if lane < WARPS else float32(0))
        if lane < WARPS:
            sums[lane] = total
    cuda.syncthreads()
    before = shift_up(upto)
    if warp > 0:
        before += sums[warp - 1]
    store_four(dst, 4 * cuda.grid(1), (before + x[0], before + b, before + c, before + d))


@right("explicit_turns")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    lane = cuda.laneid
    warp = cuda.threadIdx.x >> 5
    i = (cuda.blockIdx.x * THREADS + cuda.threadIdx.x) * 4
    a, b, c, d = load_four(src, i)
    upto = a + b + c + d
    for k in range(5):
        y = cuda.shfl_up_sync(FULL_WARP, upto, 1 << k)
        upto = upto + y if lane >= 1 << k else upto
    if lane == 31:
        sums[warp] = upto
    acc = shift_up(upto)
    cuda.syncthreads()
    for w in range(WARPS):
        if w < warp:
            acc += sums[w]
    p = acc + a
    q = p + b
    r = q + c
    store_four(dst, i, (p, q, r, r + d))


@right("two_pairs")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    first = (cuda.blockIdx.x * cuda.blockDim.x + t) * 4
    x = load_four(src, first)
    left = x[0] + x[1]
    right_end = left + (x[2] + x[3])
    upto = warp_scan(right_end)
    if t & 31 == 31:
        sums[t >> 5] = upto
    cuda.syncthreads()
    before = shift_up(upto)
    w = t // WARP - 1
    while w >= 0:
        before += sums[w]
        w -= 1
    store_four(dst, first, (before + x[0], before + left, before + (left + x[2]), before + right_end))


@right("one_warp_hands_out_starts")
@cuda.jit
def scan_block(src, dst):
    starts = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b, c = a + b, a + b + c
    d = c + d
    upto = warp_scan(d)
    if lane == WARP - 1:
        starts[warp] = upto
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        acc = float32(0)
        for w in range(WARPS):
            total = starts[w]
            starts[w] = acc
            acc += total
    cuda.syncthreads()
    before = starts[warp] + shift_up(upto)
    store_four(dst, first, (before + a, before + b, before + c, before + d))


@right("totals_by_shuffle_in_every_warp")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    upto = warp_scan(d)
    if lane == WARP - 1:
        sums[warp] = upto
    cuda.syncthreads()
    earlier = warp_scan(sums[lane] if lane < warp else float32(0))
    before = cuda.shfl_sync(FULL_WARP, earlier, WARP - 1) + shift_up(upto)
    store_four(dst, first, (before + a, before + b, before + c, before + d))


@right("early_totals_by_the_last_lane")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    x = load_four(src, 4 * (cuda.blockIdx.x * THREADS + t))
    own = (x[0], x[0] + x[1], x[0] + x[1] + x[2], x[0] + x[1] + x[2] + x[3])
    upto = warp_scan(own[3])
    if (t + 1) % WARP == 0:
        sums[t // WARP] = upto
    cuda.syncthreads()
    start = shift_up(upto)
    w = 0
    while w < t // WARP:
        start += sums[w]
        w += 1
    store_four(dst, 4 * cuda.grid(1), (start + own[0], start + own[1], start + own[2], start + own[3]))


@wrong("warps_forgotten", misconception="warps_alone", says="128 elements")
@cuda.jit
def scan_block(src, dst):
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    before = shift_up(warp_scan(d))
    store_four(dst, first, (before + a, before + b, before + c, before + d))


@wrong("lanes_forgotten", misconception="threads_alone", says="4 elements")
@cuda.jit
def scan_block(src, dst):
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    store_four(dst, first, (a, b, c, d))


@wrong("subtracts_its_own", misconception="nan_by_arithmetic", says="taken away")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    upto = warp_scan(d)
    if lane == WARP - 1:
        sums[warp] = upto
    cuda.syncthreads()
    before = upto - d
    for w in range(warp):
        before += sums[w]
    store_four(dst, first, (before + a, before + b, before + c, before + d))


@wrong("no_barrier", misconception="missing_barrier", says="sums")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    upto = warp_scan(d)
    if lane == WARP - 1:
        sums[warp] = upto
    before = shift_up(upto)
    for w in range(warp):
        before += sums[w]
    store_four(dst, first, (before + a, before + b, before + c, before + d))


@wrong("one_load_each", misconception="one_load_each", says="16 bytes")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = 4 * cuda.grid(1)
    a = src[first] if first < src.size else float32(0)
    b = src[first + 1] if first + 1 < src.size else float32(0)
    c = src[first + 2] if first + 2 < src.size else float32(0)
    d = src[first + 3] if first + 3 < src.size else float32(0)
    b += a
    c += b
    d += c
    upto = warp_scan(d)
    if lane == WARP - 1:
        sums[warp] = upto
    cuda.syncthreads()
    before = shift_up(upto)
    for w in range(warp):
        before += sums[w]
    store_four(dst, first, (before + a, before + b, before + c, before + d))


@wrong("every_lane_adds_what_it_gets", misconception="wrong_formula", says="expected")
@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    upto = d
    k = 1
    while k < WARP:
        upto += cuda.shfl_up_sync(FULL_WARP, upto, k)
        k *= 2
    if lane == WARP - 1:
        sums[warp] = upto
    cuda.syncthreads()
    before = shift_up(upto)
    for w in range(warp):
        before += sums[w]
    store_four(dst, first, (before + a, before + b, before + c, before + d))


@wrong("tree_in_shared_memory", misconception="too_many_barriers", says="shuffles need no barrier")
@cuda.jit
def scan_block(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    s[t] = d
    k = 1
    while k < THREADS:
        cuda.syncthreads()
        x = s[t - k] if t >= k else float32(0)
        cuda.syncthreads()
        if t >= k:
            s[t] += x
        k *= 2
    cuda.syncthreads()
    before = s[t - 1] if t > 0 else float32(0)
    store_four(dst, first, (before + a, before + b, before + c, before + d))


@wrong("lane_0_hears_itself", misconception="lane_0_hears_itself", says="nobody is before lane 0")
@cuda.jit
def scan_block(src, dst):
    totals = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    lane, warp = t % WARP, t // WARP
    i = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, i)
    b += a
    c += b
    d += c
    upto = warp_scan(d)
    before = cuda.shfl_up_sync(FULL_WARP, upto, 1)
    if lane == WARP - 1:
        totals[warp] = upto
    cuda.syncthreads()
    base = float32(0)
    for w in range(warp):
        base += totals[w]
    before += base
    store_four(dst, i, (before + a, before + b, before + c, before + d))
