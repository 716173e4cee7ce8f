"""Answers to shared_memory.stencil_1d."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

THREADS, RADIUS = 256, 3
SPAN = THREADS + 2 * RADIUS


@right("own_element_then_the_two_halos")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    last = src.size - 1
    tile[t + RADIUS] = src[min(i, last)]
    if t < RADIUS:
        tile[t] = src[min(max(i - RADIUS, 0), last)]
        tile[t + RADIUS + THREADS] = src[min(i + THREADS, last)]
    cuda.syncthreads()
    if i < dst.size:
        acc = float32(0)
        for k in range(-RADIUS, RADIUS + 1):
            acc += tile[t + RADIUS + k]
        dst[i] = acc


@right("seven_terms_on_one_line")
@cuda.jit
def stencil_1d(src, dst):
    s = cuda.shared.array(262, float32)
    t = cuda.threadIdx.x
    k = t
    while k < 262:
        i = cuda.blockIdx.x * 256 + k - 3
        if i < 0:
            i = 0
        if i > src.shape[0] - 1:
            i = src.shape[0] - 1
        s[k] = src[i]
        k += 256
    cuda.syncthreads()
    i = cuda.blockIdx.x * 256 + t
    if i < dst.shape[0]:
        dst[i] = s[t] + s[t + 1] + s[t + 2] + s[t + 3] + s[t + 4] + s[t + 5] + s[t + 6]


@wrong("halo_not_loaded", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    tile[t + RADIUS] = src[min(i, src.size - 1)]
    cuda.syncthreads()
    if i < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[i] = acc


@wrong("spare_threads_load_nothing", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i < src.size:
        tile[t + RADIUS] = src[i]
        if t < RADIUS:
            tile[t] = src[max(i - RADIUS, 0)]
            tile[t + RADIUS + THREADS] = src[min(i + THREADS, src.size - 1)]
    cuda.syncthreads()
    if i < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[i] = acc


@wrong("left_end_wraps", misconception="negative_index", says="counts from the end")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):
        tile[k] = src[min(first - RADIUS + k, src.size - 1)]
    cuda.syncthreads()
    if first + t < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[first + t] = acc


@wrong("right_end_not_clamped", misconception="no_guard", says="outside")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):
        tile[k] = src[max(first - RADIUS + k, 0)]
    cuda.syncthreads()
    if first + t < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[first + t] = acc


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads() after line")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):
        tile[k] = src[min(max(first - RADIUS + k, 0), src.size - 1)]
    if first + t < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[first + t] = acc


@wrong("barrier_inside_the_guard", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):
        tile[k] = src[min(max(first - RADIUS + k, 0), src.size - 1)]
    if first + t < dst.size:
        cuda.syncthreads()
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[first + t] = acc


@wrong("tile_without_room_for_the_halo", misconception="off_by_one", says="outside")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    tile[t] = src[min(i, src.size - 1)]
    cuda.syncthreads()
    if i < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[i] = acc


@wrong("neighbours_stop_at_the_block", misconception="missing_halo", says="edges of a block")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    last = min(THREADS, src.size - cuda.blockIdx.x * THREADS) - 1
    if i < src.size:
        tile[t] = src[i]
    cuda.syncthreads()
    if i < dst.size:
        acc = float32(0)
        for k in range(-RADIUS, RADIUS + 1):
            acc += tile[min(max(t + k, 0), last)]
        dst[i] = acc


@wrong("zeros_beyond_the_ends", misconception="border", says="0 was added")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):
        i = first - RADIUS + k
        tile[k] = src[i] if 0 <= i < src.size else float32(0)
    cuda.syncthreads()
    if first + t < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[first + t] = acc


@wrong("range_ends_before_three", misconception="off_by_one", says="+3 is missing")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):
        tile[k] = src[min(max(first - RADIUS + k, 0), src.size - 1)]
    cuda.syncthreads()
    if first + t < dst.size:
        acc = float32(0)
        for k in range(-RADIUS, RADIUS):
            acc += tile[t + RADIUS + k]
        dst[first + t] = acc


@wrong("no_tile", misconception="too_much_traffic", says="seven times")
@cuda.jit
def stencil_1d(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        acc = float32(0)
        for k in range(-RADIUS, RADIUS + 1):
            acc += src[min(max(i + k, 0), src.size - 1)]
        dst[i] = acc


@wrong("sum_starts_with_an_integer", misconception="float64_arithmetic", says="float64")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):
        tile[k] = src[min(max(first - RADIUS + k, 0), src.size - 1)]
    cuda.syncthreads()
    if first + t < dst.size:
        acc = 0
        for k in range(2 * RADIUS + 1):
            acc += tile[t + k]
        dst[first + t] = acc


@wrong("sum_inside_the_shape", misconception="shared_shape", says="constant")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(THREADS + 2 * RADIUS, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):
        tile[k] = src[min(max(first - RADIUS + k, 0), src.size - 1)]
    cuda.syncthreads()
    if first + t < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]
        dst[first + t] = acc


@right("three_sides_in_a_strided_loop")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t, start = cuda.threadIdx.x, cuda.blockIdx.x * THREADS - RADIUS
    for k in range(t, SPAN, THREADS):
        g = start + k
        if 0 <= g < src.size:
            tile[k] = src[g]
        elif g < 0:
            tile[k] = src[0]
        else:
            tile[k] = src[src.size - 1]
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < dst.size:
        acc = float32(0)
        for k in range(7):
            acc += tile[t + k]
        dst[i] = acc


@wrong("zeros_on_the_other_side", misconception="border", says="0 was added; the end's own element should count again")
@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t, start = cuda.threadIdx.x, cuda.blockIdx.x * THREADS - RADIUS
    for k in range(t, SPAN, THREADS):
        g = start + k
        if 0 <= g < src.size:
            tile[k] = src[g]
        else:
            tile[k] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < dst.size:
        acc = float32(0)
        for k in range(7):
            acc += tile[t + k]
        dst[i] = acc


@style("three_branches")
@cuda.jit
def stencil_1d(src, dst):
    s = cuda.shared.array(262, float32)
    t, i, n = cuda.threadIdx.x, cuda.grid(1), src.size
    j = min(i, n - 1)
    s[t + 3] = src[j]
    if t < 3:
        left = i - 3
        s[t] = src[left] if left > 0 else src[0]
    elif t >= 253:
        right = i + 3
        if right < n:
            s[t + 6] = src[right]
        else:
            s[t + 6] = src[n - 1]
    cuda.syncthreads()
    if i < n:
        dst[i] = s[t] + s[t + 1] + s[t + 2] + s[t + 3] + s[t + 4] + s[t + 5] + s[t + 6]


HALO_IF_ELIF_ELSE_FILL = 3
N_IF_ELIF_ELSE_FILL = THREADS + 6


@style("if_elif_else_fill")
@cuda.jit
def stencil_1d(src, dst):
    s = cuda.shared.array(N_IF_ELIF_ELSE_FILL, float32)
    t = cuda.threadIdx.x
    base = cuda.blockIdx.x * THREADS - HALO_IF_ELIF_ELSE_FILL
    k = t
    while k < N_IF_ELIF_ELSE_FILL:
        if base + k < 0:
            s[k] = src[0]
        elif base + k >= src.size:
            s[k] = src[src.size - 1]
        else:
            s[k] = src[base + k]
        k += THREADS
    cuda.syncthreads()
    i = cuda.grid(1)
    if i >= dst.size:
        return
    total = float32(0)
    for k in range(7):
        total += s[t + k]
    dst[i] = total


@style("only_what_exists")
@cuda.jit
def stencil_1d(src, dst):
    s = cuda.shared.array(262, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * 256
    for k in range(t, 262, 256):
        i = first - 3 + k
        if 0 <= i < src.size:
            s[k] = src[i]
    cuda.syncthreads()
    i = first + t
    if i < dst.size:
        acc = float32(0)
        for d in range(-3, 4):
            j = max(0, min(src.size - 1, i + d))
            acc += s[j - first + 3]
        dst[i] = acc
