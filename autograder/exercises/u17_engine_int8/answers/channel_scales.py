"""Answers to engine_int8.channel_scales."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def warp_max(x):
    for offset in (16, 8, 4, 2, 1):
        x = max(x, cuda.shfl_down_sync(0xFFFFFFFF, x, offset))
    return x


@right("shuffles_then_the_first_warp")
@cuda.jit
def channel_scales(weights, scales):
    shared = cuda.shared.array(4, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    best = float32(0)
    for k in range(t, weights.shape[1], cuda.blockDim.x):
        best = max(best, abs(weights[row, k]))
    best = warp_max(best)
    if t % 32 == 0:
        shared[t // 32] = best
    cuda.syncthreads()
    if t == 0:
        for w in range(1, 4):
            best = max(best, shared[w])
        scales[row] = best / float32(127) if best > 0 else float32(1)


@right("tree_from_the_other_end")
@cuda.jit
def channel_scales(weights, scales):
    s = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    n = weights.shape[1]
    x = float32(0)
    k = t
    while k < n:
        w = math.fabs(weights[row, k])
        if w > x:
            x = w
        k += 128
    s[t] = x
    cuda.syncthreads()
    d = 1
    while d < 128:
        if t % (2 * d) == 0:
            s[t] = max(s[t], s[t + d])
        cuda.syncthreads()
        d *= 2
    if t == 0:
        scale = s[0] / float32(127)
        if scale == 0:
            scale = float32(1)
        scales[row] = scale


@right("a_view_of_the_row")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    row = weights[cuda.blockIdx.x]
    largest = float32(0)
    for i in range(t, row.size, 128):
        if row[i] > largest:
            largest = row[i]
        elif -row[i] > largest:
            largest = -row[i]
    cells[t] = largest
    cuda.syncthreads()
    for half in (64, 32, 16, 8, 4, 2, 1):
        if t < half and cells[t + half] > cells[t]:
            cells[t] = cells[t + half]
        cuda.syncthreads()
    if t == 0:
        scales[cuda.blockIdx.x] = cells[0] / float32(127) if cells[0] != 0 else float32(1)


@right("atomic_max_in_shared_memory")
@cuda.jit
def channel_scales(weights, scales):
    best = cuda.shared.array(1, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 0:
        best[0] = 0
    cuda.syncthreads()
    mine = float32(0)
    for k in range(t, weights.shape[1], cuda.blockDim.x):
        mine = max(mine, abs(weights[row, k]))
    cuda.atomic.max(best, 0, mine)
    cuda.syncthreads()
    if t == 0:
        scales[row] = best[0] / float32(127) if best[0] > float32(0) else float32(1)


@right("largest_and_smallest_kept_apart")
@cuda.jit
def channel_scales(weights, scales):
    high = cuda.shared.array(128, float32)
    low = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    top, bottom = float32(0), float32(0)
    for k in range(t, weights.shape[1], 128):
        w = weights[row, k]
        top, bottom = max(top, w), min(bottom, w)
    high[t], low[t] = top, bottom
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            high[t] = max(high[t], high[t + d])
            low[t] = min(low[t], low[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        amax = max(high[0], -low[0])
        scales[row] = amax / float32(127) if amax > 0 else float32(1)


@right("one_thread_reads_what_all_found")
@cuda.jit
def channel_scales(weights, scales):
    found = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    found[t] = 0
    for k in range(t, weights.shape[1], 128):
        found[t] = max(found[t], abs(weights[row, k]))
    cuda.syncthreads()
    if t > 0:
        return
    amax = float32(0)
    for other in range(128):
        amax = max(amax, found[other])
    if amax == 0:
        amax = float32(127)
    scales[row] = amax / float32(127)


@wrong("no_magnitude", misconception="sign_left_out", says="take the magnitude")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(-math.inf)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, weights[row, k])
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("zero_row_gets_zero", misconception="dead_channel", says="it should be 1")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127)


@wrong("over_128", misconception="levels", says="int8 ends at 127")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(128) if cells[0] > 0 else float32(1)


@wrong("over_255", misconception="levels", says="127 on either side")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(255) if cells[0] > 0 else float32(1)


@wrong("largest_is_stored", misconception="not_divided", says="one 127th of it")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] if cells[0] > 0 else float32(1)


@wrong("steps_per_unit", misconception="upside_down", says="upside down")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = float32(127) / cells[0] if cells[0] > 0 else float32(1)


@wrong("one_load_per_thread", misconception="first_turn_only", says="only the first 128 weights")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    cells[t] = abs(weights[row, t]) if t < weights.shape[1] else float32(0)
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("first_warp_alone", misconception="own_warp_only", says="block's first warp")
@cuda.jit
def channel_scales(weights, scales):
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    largest = warp_max(largest)
    if t == 0:
        scales[row] = largest / float32(127) if largest > 0 else float32(1)


@wrong("row_of_block_0", misconception="first_row_only", says="the scale of the first")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[0, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[cuda.blockIdx.x] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("no_barrier_in_the_tree", misconception="missing_barrier", says="Race")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("adds_magnitudes", misconception="summed", says="added up")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    total = float32(0)
    for k in range(t, weights.shape[1], 128):
        total += abs(weights[row, k])
    cells[t] = total
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] += cells[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("a_piece_of_neighbours_per_thread", misconception="uncoalesced", says="4 sectors")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    share = (weights.shape[1] + 127) // 128
    largest = float32(0)
    for k in range(t * share, min(t * share + share, weights.shape[1])):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("one_scale_for_the_array", misconception="one_scale_for_all", says="the scale of the whole array")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    n_out, n_in = weights.shape
    largest = float32(0)
    for k in range(t, n_out * n_in, 128):
        largest = max(largest, abs(weights[k // n_in, k % n_in]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[cuda.blockIdx.x] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("columns_in_place_of_rows", misconception="swapped_axes", says="belongs to row k")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[0], 128):
        largest = max(largest, abs(weights[k, row]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("maximum_in_cells_that_nobody_filled", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    for k in range(t, weights.shape[1], 128):
        cells[t] = max(cells[t], abs(weights[row, k]))
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127) if cells[0] > 0 else float32(1)


@wrong("times_one_127th", misconception="reciprocal", says="last digit")
@cuda.jit
def channel_scales(weights, scales):
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()
        d //= 2
    if t == 0:
        scales[row] = cells[0] * float32(1 / 127) if cells[0] > 0 else float32(1)
