"""Answers to irregular.spmv_warps."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(value):
    d = WARP // 2
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


@right("early_return_of_whole_warps")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    warp = (cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x) >> 5
    if warp >= y.shape[0]:
        return
    lane = cuda.laneid
    k, end = starts[warp] + lane, starts[warp + 1]
    part = float32(0)
    while k < end:
        part += values[k] * x[columns[k]]
        k += 32
    total = warp_sum(part)
    if lane == 0:
        y[warp] = total


@right("butterfly_and_the_last_lane_stores")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.blockIdx.x * (cuda.blockDim.x // WARP) + cuda.threadIdx.x // WARP
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        for d in (16, 8, 4, 2, 1):
            acc += cuda.shfl_xor_sync(FULL_WARP, acc, d)
        if lane == 31:
            y[row] = acc


@right("grid_stride_over_rows")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    for row in range(cuda.grid(1) // WARP, y.size, cuda.gridsize(1) // WARP):
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@right("ends_of_the_row_from_lane_zero")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    begin = 0
    end = 0
    if row < y.size and lane == 0:
        begin, end = starts[row], starts[row + 1]
    begin = cuda.shfl_sync(FULL_WARP, begin, 0)
    end = cuda.shfl_sync(FULL_WARP, end, 0)
    acc = float32(0)
    for first in range(begin, end, WARP):
        if first + lane < end:
            acc += values[first + lane] * x[columns[first + lane]]
    acc = warp_sum(acc)
    if lane == 0 and row < y.size:
        y[row] = acc


@right("slices_of_the_row")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane, row = cuda.threadIdx.x & 31, cuda.grid(1) >> 5
    if row < y.size:
        mine = values[starts[row] : starts[row + 1]]
        where = columns[starts[row] : starts[row + 1]]
        acc = float32(0)
        for j in range(lane, mine.size, 32):
            acc += mine[j] * x[where[j]]
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@right("tree_in_shared_memory")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    parts = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    lane = t % WARP
    row = cuda.grid(1) // WARP
    acc = float32(0)
    if row < y.size:
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
    parts[t] = acc
    cuda.syncthreads()
    if lane == 0 and row < y.size:
        acc = float32(0)
        for j in range(4):
            acc += (parts[t + j] + parts[t + 4 + j]) + (parts[t + 8 + j] + parts[t + 12 + j])
            acc += (parts[t + 16 + j] + parts[t + 20 + j]) + (parts[t + 24 + j] + parts[t + 28 + j])
        y[row] = acc


@wrong("a_thread_per_row", misconception="one_thread_works", says="on a GPU they wait for it")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[columns[k]]
        y[row] = acc


@wrong("lane_zero_alone", misconception="one_thread_works", says="on a GPU they wait for it")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size and lane == 0:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[columns[k]]
        y[row] = acc


@wrong("every_lane_the_whole_row", misconception="lane_left_out", says="32 times the product")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@wrong("a_run_for_each_lane", misconception="uncoalesced", says="sectors")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size:
        begin, end = starts[row], starts[row + 1]
        each = (end - begin + WARP - 1) // WARP
        acc = float32(0)
        for k in range(begin + lane * each, min(end, begin + (lane + 1) * each)):
            acc += values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@wrong("one_turn_only", misconception="first_turn_only", says="only the first 32 nonzeros of a row are in its sum")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size:
        acc = float32(0)
        k = starts[row] + lane
        if k < starts[row + 1]:
            acc = values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@wrong("lanes_not_added_up", misconception="lanes_not_added", says="the sums of the other 31 lanes")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        if lane == 0:
            y[row] = acc


@wrong("every_lane_stores", misconception="lost_update", says="both write y[")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        y[row] = warp_sum(acc)


@wrong("lanes_leave_before_the_sum", misconception="warp_mask", says="lanes")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size and starts[row] + lane < starts[row + 1]:
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@wrong("summed_in_the_loop", misconception="warp_mask", says="lanes")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += warp_sum(values[k] * x[columns[k]])
        if lane == 0:
            y[row] = acc


@wrong("block_per_row", misconception="missing_tail", says="y[2] was never written")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.blockIdx.x
    if row < y.size and cuda.threadIdx.x < WARP:
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@wrong("lane_within_the_block", misconception="lane_of_block", says="lanes count from 0 in every warp")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    row = cuda.grid(1) // WARP
    lane = cuda.threadIdx.x
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane % WARP == 0:
            y[row] = acc


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size:
        acc = 0.0
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@wrong("last_lane_stores", misconception="last_lane", says="warp_sum leaves the sum of all lanes in lane 0")
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    lane = cuda.threadIdx.x % WARP
    row = cuda.grid(1) // WARP
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]
        acc = warp_sum(acc)
        if lane == 31:
            y[row] = acc
