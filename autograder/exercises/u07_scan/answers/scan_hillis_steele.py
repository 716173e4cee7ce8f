"""Answers to scan.scan_hillis_steele."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 256
WARP = 32
WARPS = 8
FULL_WARP = 0xFFFFFFFF


@right("two_copies")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[0, t] = src[i] if i < src.size else float32(0)
    now = 0
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        if t >= d:
            s[1 - now, t] = s[now, t] + s[now, t - d]
        else:
            s[1 - now, t] = s[now, t]
        now = 1 - now
        d *= 2
    if i < dst.size:
        dst[i] = s[now, t]


@right("own_sum_in_a_register")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    acc = float32(0)
    if i < src.size:
        acc = src[i]
    for turn in range(8):
        s[t] = acc
        cuda.syncthreads()
        if t >= (1 << turn):
            acc += s[t - (1 << turn)]
        cuda.syncthreads()
    if i < dst.size:
        dst[i] = acc


@right("lanes_then_warps")
@cuda.jit
def scan_hillis_steele(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    lane, warp = t % WARP, t // WARP
    acc = src[i] if i < src.size else float32(0)
    d = 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, acc, d)
        if lane >= d:
            acc += y
        d *= 2
    if lane == WARP - 1:
        sums[warp] = acc
    cuda.syncthreads()
    before = float32(0)
    for w in range(warp):
        before += sums[w]
    if i < dst.size:
        dst[i] = before + acc


@right("reads_to_the_right")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    if i < src.size:
        s[t] = src[i]
    else:
        s[t] = float32(0)
    for d in (1, 2, 4, 8, 16, 32, 64, 128):
        cuda.syncthreads()
        mine = s[t]
        cuda.syncthreads()
        if t + d < THREADS:
            cuda.atomic.add(s, t + d, mine)
    cuda.syncthreads()
    if i < src.size:
        dst[i] = s[t]


@cuda.jit(device=True)
def before(s, t, d):
    """What lies d cells before cell t; 0 where nothing does."""
    if t < d:
        return float32(0)
    return s[t - d]


@right("a_helper_looks_back")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = 1
    while d <= THREADS // 2:
        x = before(s, t, d)
        cuda.syncthreads()
        s[t] = s[t] + x
        cuda.syncthreads()
        d = d << 1
    if i < dst.size:
        dst[i] = s[t]


@right("there_and_back")
@cuda.jit
def scan_hillis_steele(src, dst):
    first, second = cuda.shared.array(THREADS, float32), cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    first[t] = src[i] if i < src.size else float32(0)
    for turn in range(4):
        near, far = 1 << (2 * turn), 2 << (2 * turn)
        cuda.syncthreads()
        second[t] = first[t] + first[t - near] if t >= near else first[t]
        cuda.syncthreads()
        first[t] = second[t] + second[t - far] if t >= far else second[t]
    if i < dst.size:
        dst[i] = first[t]


@wrong("one_barrier_per_turn", misconception="missing_barrier", says="s[t]")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        if t >= d:
            s[t] += s[t - d]
        d *= 2
    if i < dst.size:
        dst[i] = s[t]


@wrong("no_barrier_between_turns", misconception="missing_barrier", says="s[t")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        x = s[t - d] if t >= d else float32(0)
        cuda.syncthreads()
        s[t] += x
        d *= 2
    if i < dst.size:
        dst[i] = s[t]


@wrong("leaves_itself_out", misconception="inclusive_or_exclusive", says="left out")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        x = s[t - d] if t >= d else float32(0)
        cuda.syncthreads()
        s[t] += x
        d *= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t - 1] if t > 0 else float32(0)


@wrong("stops_at_a_warp", misconception="warps_alone", says="32 elements")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < WARP:
        cuda.syncthreads()
        x = s[t - d] if t % WARP >= d else float32(0)
        cuda.syncthreads()
        s[t] += x
        d *= 2
    if i < dst.size:
        dst[i] = s[t]


@wrong("a_loop_over_all_before", misconception="adds_one_by_one", says="eight iterations")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    acc = float32(0)
    for k in range(t + 1):
        acc += s[k]
    if i < dst.size:
        dst[i] = acc


@wrong("everybody_reads_the_memory", misconception="too_much_traffic", says="read once")
@cuda.jit
def scan_hillis_steele(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        acc = float32(0)
        for k in range(i - cuda.threadIdx.x, i + 1):
            acc += src[k]
        dst[i] = acc


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i]
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        x = s[t - d] if t >= d else float32(0)
        cuda.syncthreads()
        s[t] += x
        d *= 2
    dst[i] = s[t]


@wrong("barrier_in_the_if", misconception="barrier_in_branch", says="barrier")
@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        if t >= d:
            x = s[t - d]
            cuda.syncthreads()
            s[t] += x
        cuda.syncthreads()
        d *= 2
    if i < dst.size:
        dst[i] = s[t]
