"""Answers to attention.softmax_safe."""

import math

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 128
WARP = 32
WARPS = 4
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_max(x):
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
        d //= 2
    return x


@cuda.jit(device=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@right("trees_in_shared_memory")
@cuda.jit
def softmax_safe(src, dst):
    s = cuda.shared.array(THREADS, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    m = float32(-np.inf)
    for c in range(t, src.shape[1], THREADS):
        m = max(m, src[row, c])
    s[t] = m
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] = max(s[t], s[t + d])
        cuda.syncthreads()
        d //= 2
    m = s[0]
    cuda.syncthreads()
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - m)
    s[t] = total
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    scale = float32(1) / s[0]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - m) * scale


@right("powers_left_in_dst")
@cuda.jit
def softmax_safe(src, dst):
    room = cuda.shared.array((2, WARPS), float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    warp, lane = t // WARP, t % WARP
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if lane == 0:
        room[0, warp] = top
    cuda.syncthreads()
    top = max(max(room[0, 0], room[0, 1]), max(room[0, 2], room[0, 3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        p = math.exp(src[row, c] - top)
        dst[row, c] = p
        total += p
    total = warp_sum(total)
    if lane == 0:
        room[1, warp] = total
    cuda.syncthreads()
    total = room[1, 0] + room[1, 1] + room[1, 2] + room[1, 3]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] /= total


@right("thread_0_combines_the_warps")
@cuda.jit
def softmax_safe(src, dst):
    room = cuda.shared.array(WARPS, float32)
    answer = cuda.shared.array(2, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    n_cols = src.shape[1]
    top = float32(-3.0e38)
    c = t
    while c < n_cols:
        if src[row, c] > top:
            top = src[row, c]
        c += THREADS
    top = warp_max(top)
    if t % WARP == 0:
        room[t // WARP] = top
    cuda.syncthreads()
    if t == 0:
        for w in range(1, WARPS):
            top = max(top, room[w])
        answer[0] = top
    cuda.syncthreads()
    top = answer[0]
    total = float32(0)
    c = t
    while c < n_cols:
        total += math.exp(src[row, c] - top)
        c += THREADS
    total = warp_sum(total)
    if t % WARP == 0:
        room[t // WARP] = total
    cuda.syncthreads()
    if t == 0:
        for w in range(1, WARPS):
            total += room[w]
        answer[1] = total
    cuda.syncthreads()
    c = t
    while c < n_cols:
        dst[row, c] = math.exp(src[row, c] - top) / answer[1]
        c += THREADS


@right("one_room_and_a_third_barrier")
@cuda.jit
def softmax_safe(src, dst):
    room = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    line, result = src[row], dst[row]
    top = float32(-math.inf)
    for c in range(t, line.size, cuda.blockDim.x):
        top = max(top, line[c])
    top = warp_max(top)
    if t % WARP == 0:
        room[t // WARP] = top
    cuda.syncthreads()
    for w in range(WARPS):
        top = max(top, room[w])
    cuda.syncthreads()
    total = float32(0)
    for c in range(t, line.size, cuda.blockDim.x):
        total += math.exp(line[c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        room[t // WARP] = total
    cuda.syncthreads()
    total = float32(0)
    for w in range(WARPS):
        total += room[w]
    for c in range(t, line.size, cuda.blockDim.x):
        result[c] = math.exp(line[c] - top) / total


@right("powers_of_two_by_exp2")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARP, float32)
    sums = cuda.shared.array(WARP, float32)
    log2_e = float32(1.4426950408889634)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    if t < WARP:
        tops[t] = float32(-math.inf)
        sums[t] = float32(0)
    cuda.syncthreads()
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = warp_max(tops[t % WARP])
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += cuda.libdevice.exp2f((src[row, c] - top) * log2_e)
    total = warp_sum(total)
    if t % WARP == 0:
        sums[t // WARP] = total
    cuda.syncthreads()
    total = warp_sum(sums[t % WARP])
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = cuda.libdevice.exp2f((src[row, c] - top) * log2_e) / total


@right("atomics_in_shared_memory")
@cuda.jit
def softmax_safe(src, dst):
    top = cuda.shared.array(1, float32)
    total = cuda.shared.array(1, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    if t == 0:
        top[0] = -np.inf
        total[0] = 0
    cuda.syncthreads()
    mine = float32(-np.inf)
    for c in range(t, src.shape[1], THREADS):
        mine = max(mine, src[row, c])
    cuda.atomic.max(top, 0, mine)
    cuda.syncthreads()
    acc = float32(0)
    for c in range(t, src.shape[1], THREADS):
        acc += math.exp(src[row, c] - top[0])
    cuda.atomic.add(total, 0, acc)
    cuda.syncthreads()
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top[0]) / total[0]


@right("the_logarithm_of_the_sum_comes_off")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()
    log_total = math.log(totals[0] + totals[1] + totals[2] + totals[3])
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top - log_total)


@wrong("no_maximum", misconception="no_maximum", says="exp overflows")
@cuda.jit
def softmax_safe(src, dst):
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c])
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c]) / total


@wrong("maximum_begins_at_zero", misconception="maximum_from_zero", says="begins at 0")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(0)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("one_room_for_both", misconception="missing_barrier", says="room")
@cuda.jit
def softmax_safe(src, dst):
    room = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        room[t // WARP] = top
    cuda.syncthreads()
    top = max(max(room[0], room[1]), max(room[2], room[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        room[t // WARP] = total
    cuda.syncthreads()
    total = room[0] + room[1] + room[2] + room[3]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("no_barrier_before_the_maximum_is_read", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("each_warp_divides_by_its_own_sum", misconception="warps_not_combined", says="its own sum")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("each_thread_divides_by_its_own_sum", misconception="threads_not_combined", says="its own elements")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("never_divided", misconception="not_divided", says="never divided")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top)


@wrong("one_element_per_thread", misconception="missing_tail", says="only the first 128")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    x = src[row, t] if t < src.shape[1] else float32(-math.inf)
    top = warp_max(x)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    p = math.exp(x - top)
    total = warp_sum(p)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()
    if t < src.shape[1]:
        dst[row, t] = p / (totals[0] + totals[1] + totals[2] + totals[3])


@wrong("neighbours_for_a_thread", misconception="uncoalesced", says="sectors")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    per_thread = (src.shape[1] + THREADS - 1) // THREADS
    first = t * per_thread
    end = min(first + per_thread, src.shape[1])
    top = float32(-math.inf)
    for c in range(first, end):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for c in range(first, end):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(first, end):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("every_thread_looks_at_the_whole_row", misconception="work_repeated", says="repeat one another's work")
@cuda.jit
def softmax_safe(src, dst):
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(src.shape[1]):
        top = max(top, src[row, c])
    total = float32(0)
    for c in range(src.shape[1]):
        total += math.exp(src[row, c] - top)
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("every_warp_goes_over_the_whole_row", misconception="too_much_traffic", says="loaded three times")
@cuda.jit
def softmax_safe(src, dst):
    row, lane = cuda.blockIdx.x, cuda.threadIdx.x % WARP
    top = float32(-math.inf)
    for c in range(lane, src.shape[1], WARP):
        top = max(top, src[row, c])
    top = warp_max(top)
    total = float32(0)
    for c in range(lane, src.shape[1], WARP):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("thread_0_does_the_row", misconception="few_threads", says="4 threads do the work of 512")
@cuda.jit
def softmax_safe(src, dst):
    row = cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        top = src[row, 0]
        for c in range(1, src.shape[1]):
            top = max(top, src[row, c])
        total = float32(0)
        for c in range(src.shape[1]):
            total += math.exp(src[row, c] - top)
        for c in range(src.shape[1]):
            dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("one_softmax_for_the_whole_matrix", misconception="whole_matrix", says="the whole matrix")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    top = float32(-math.inf)
    for r in range(src.shape[0]):
        for c in range(t, src.shape[1], THREADS):
            top = max(top, src[r, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for r in range(src.shape[0]):
        for c in range(t, src.shape[1], THREADS):
            total += math.exp(src[r, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(t, src.shape[1], THREADS):
        dst[cuda.blockIdx.x, c] = math.exp(src[cuda.blockIdx.x, c] - top) / total


@wrong("sum_over_the_columns", misconception="swapped_axes", says="columns add up to 1")
@cuda.jit
def softmax_safe(src, dst):
    t = cuda.grid(1)
    for c in range(t, src.shape[1], cuda.gridsize(1)):
        top = float32(-math.inf)
        for r in range(src.shape[0]):
            top = max(top, src[r, c])
        total = float32(0)
        for r in range(src.shape[0]):
            total += math.exp(src[r, c] - top)
        for r in range(src.shape[0]):
            dst[r, c] = math.exp(src[r, c] - top) / total


@wrong("sum_in_double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = 0.0
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("barrier_inside_the_branch", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def softmax_safe(src, dst):
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
        cuda.syncthreads()
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
        cuda.syncthreads()
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("the_mean_subtracted", misconception="mean_subtracted", says="subtract the maximum")
@cuda.jit
def softmax_safe(src, dst):
    sums = cuda.shared.array(4, float32)
    totals = cuda.shared.array(4, float32)
    row, t, n = cuda.blockIdx.x, cuda.threadIdx.x, src.shape[1]
    acc = float32(0)
    for c in range(t, n, 128):
        acc += src[row, c]
    acc = warp_sum(acc)
    if t % 32 == 0:
        sums[t // 32] = acc
    cuda.syncthreads()
    mean = (sums[0] + sums[1] + sums[2] + sums[3]) / float32(n)
    acc = float32(0)
    for c in range(t, n, 128):
        acc += math.exp(src[row, c] - mean)
    acc = warp_sum(acc)
    if t % 32 == 0:
        totals[t // 32] = acc
    cuda.syncthreads()
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(t, n, 128):
        dst[row, c] = math.exp(src[row, c] - mean) / total
