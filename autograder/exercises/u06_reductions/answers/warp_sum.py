"""Answers to reductions.warp_sum."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

THREADS = 256
WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_total(value):
    """The sum over a warp, valid in lane 0."""
    d = 16
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@cuda.jit(device=True)
def warp_total_up(value):
    """The sum over a warp, valid in lane 31: the values move up."""
    d = 1
    while d < WARP:
        value += cuda.shfl_up_sync(FULL_WARP, value, d)
        d *= 2
    return value


@cuda.jit(device=True)
def warp_total_from_eight(value):
    """Half of the tree: lanes 16 to 31 are never asked."""
    d = 8
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@right("butterfly")
@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    d = 1
    while d < WARP:
        acc += cuda.shfl_xor_sync(FULL_WARP, acc, d)
        d *= 2
    if cuda.laneid == 0:
        partial[cuda.grid(1) // WARP] = acc


@right("written_out")
@cuda.jit
def warp_sum(src, partial):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    warp, lane = i // WARP, i % WARP
    acc = float32(0)
    while i < src.size:
        acc += src[i]
        i += cuda.gridDim.x * cuda.blockDim.x
    acc += cuda.shfl_down_sync(-1, acc, 16)
    acc += cuda.shfl_down_sync(-1, acc, 8)
    acc += cuda.shfl_down_sync(-1, acc, 4)
    acc += cuda.shfl_down_sync(-1, acc, 2)
    acc += cuda.shfl_down_sync(-1, acc, 1)
    if lane == 0:
        partial[warp] = acc


@wrong("spare_lanes_leave", misconception="warp_mask", says="mask")
@cuda.jit
def warp_sum(src, partial):
    i = cuda.grid(1)
    warp, lane = i // WARP, i % WARP
    if i >= src.size:
        if lane == 0:
            partial[warp] = float32(0)
        return
    acc = float32(0)
    while i < src.size:
        acc += src[i]
        i += cuda.gridsize(1)
    acc = warp_total(acc)
    if lane == 0:
        partial[warp] = acc


@wrong("shuffle_inside_the_loop", misconception="warp_mask", says="mask")
@cuda.jit
def warp_sum(src, partial):
    total = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        total += warp_total(src[i])
    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = total


@wrong("shuffles_up", misconception="shuffle_direction", says="away from lane 0")
@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total_up(acc)
    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = acc


@wrong("starts_at_eight", misconception="half_a_warp", says="lanes 16 to 31")
@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total_from_eight(acc)
    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = acc


@cuda.jit(device=True)
def warp_total_of_even_lanes(value):
    d = WARP // 2
    while d > 1:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@wrong("stops_at_two", misconception="last_pair", says="odd numbers are missing")
@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total_of_even_lanes(acc)
    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = acc


@cuda.jit(device=True)
def warp_total_replaced(value):
    d = WARP // 2
    while d > 0:
        value = cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@wrong("shuffled_values_replace", misconception="lanes_replaced", says="lane 31's own sum")
@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total_replaced(acc)
    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = acc


@wrong("result_of_the_tree_dropped", misconception="lanes_alone", says="lane 0's own sum")
@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    warp_total(acc)
    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = acc


@wrong("last_warp_without_sync", misconception="warp_sync", says="race")
@cuda.jit
def warp_sum(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    s[t] = acc
    cuda.syncthreads()
    lane = t % WARP
    d = 16
    while d > 0:
        if lane < d:
            s[t] += s[t + d]
        d //= 2
    if lane == 0:
        partial[cuda.grid(1) // WARP] = s[t]


@wrong("shared_memory_with_syncwarp", misconception="shared_traffic", says="no shared memory")
@cuda.jit
def warp_sum(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    s[t] = acc
    lane = t % WARP
    d = 16
    while d > 0:
        cuda.syncwarp()
        if lane < d:
            s[t] += s[t + d]
        d //= 2
    if lane == 0:
        partial[cuda.grid(1) // WARP] = s[t]


@wrong("accumulator_is_a_double", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def warp_sum(src, partial):
    acc = 0.0
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total(acc)
    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = acc


@wrong("every_lane_writes", misconception="lost_update", says="partial")
@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    partial[cuda.grid(1) // WARP] = warp_total(acc)


@cuda.jit(device=True)
def warp_total_xor_butterfly(value):
    for d in (16, 8, 4, 2, 1):
        value += cuda.shfl_xor_sync(0xFFFFFFFF, value, d)
    return value


@style("xor_butterfly")
@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    i = cuda.grid(1)
    while i < src.size:
        acc += src[i]
        i += cuda.gridsize(1)
    total = warp_total_xor_butterfly(acc)
    if cuda.laneid == 0:
        partial[cuda.grid(1) // 32] = total


@style("up_to_lane_31")
@cuda.jit
def warp_sum(src, partial):
    lane = cuda.threadIdx.x % WARP
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    d = 1
    while d < WARP:
        below = cuda.shfl_up_sync(FULL_WARP, acc, d)
        if lane >= d:
            acc += below
        d *= 2
    if lane == WARP - 1:
        partial[cuda.grid(1) // WARP] = acc


@wrong("atomics_of_all_lanes", misconception="atomics_for_a_tree", says="one after the other")
@cuda.jit
def warp_sum(src, partial):
    w, lane = cuda.grid(1) // 32, cuda.grid(1) % 32
    if lane == 0:
        partial[w] = float32(0)
    cuda.syncwarp()
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    cuda.atomic.add(partial, w, acc)
