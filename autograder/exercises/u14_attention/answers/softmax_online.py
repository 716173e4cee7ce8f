"""Answers to attention.softmax_online."""

import math

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
ROWS = 4
FULL_WARP = 0xFFFFFFFF
LOWEST = float32(np.finfo(np.float32).min)


@cuda.jit(device=True)
def pair(m, d, m2, d2):
    top = max(m, m2)
    return top, d * math.exp(m - top) + d2 * math.exp(m2 - top)


@cuda.jit(device=True)
def warp_max(x):
    for d in (16, 8, 4, 2, 1):
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
    return x


@cuda.jit(device=True)
def warp_sum(x):
    for d in (16, 8, 4, 2, 1):
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
    return x


@right("one_exponential_by_a_branch")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row < src.shape[0]:
        m = LOWEST
        d = float32(0)
        for c in range(lane, src.shape[1], WARP):
            x = src[row, c]
            if x > m:
                d = d * math.exp(m - x) + float32(1)
                m = x
            else:
                d += math.exp(x - m)
        step = 16
        while step > 0:
            m2 = cuda.shfl_xor_sync(FULL_WARP, m, step)
            d2 = cuda.shfl_xor_sync(FULL_WARP, d, step)
            if m2 > m:
                d = d * math.exp(m - m2) + d2
                m = m2
            else:
                d += d2 * math.exp(m2 - m)
            step //= 2
        for c in range(lane, src.shape[1], WARP):
            dst[row, c] = math.exp(src[row, c] - m) / d


@right("largest_of_all_first_then_one_sum")
@cuda.jit
def softmax_online(src, dst):
    row = ROWS * cuda.blockIdx.x + cuda.threadIdx.x // WARP
    lane = cuda.threadIdx.x % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        m, d = pair(m, d, src[row, c], float32(1))
    top = warp_max(m)
    total = warp_sum(d * math.exp(m - top))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - top) / total


@right("infinity_asked_for")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.laneid
    if row >= src.shape[0]:
        return
    m = float32(-math.inf)
    d = float32(0)
    for c in range(lane, src.shape[1], WARP):
        x = src[row, c]
        if x == -math.inf:
            continue
        higher = max(m, x)
        d = d * math.exp(m - higher) + math.exp(x - higher)
        m = higher
    for step in (16, 8, 4, 2, 1):
        other_m = cuda.shfl_xor_sync(FULL_WARP, m, step)
        other_d = cuda.shfl_xor_sync(FULL_WARP, d, step)
        higher = max(m, other_m)
        if higher > -math.inf:
            d = d * math.exp(m - higher) + other_d * math.exp(other_m - higher)
        m = higher
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@right("down_to_lane_0_and_back")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    line = src[row]
    m, d = LOWEST, float32(0)
    c = lane
    while c < line.size:
        m, d = pair(line[c], float32(1), m, d)
        c += WARP
    step = 1
    while step < WARP:
        m, d = pair(m, d, cuda.shfl_down_sync(FULL_WARP, m, step), cuda.shfl_down_sync(FULL_WARP, d, step))
        step *= 2
    m = cuda.shfl_sync(FULL_WARP, m, 0)
    scale = float32(1) / cuda.shfl_sync(FULL_WARP, d, 0)
    c = lane
    while c < line.size:
        dst[row, c] = scale * math.exp(line[c] - m)
        c += WARP


@right("pairs_through_shared_memory")
@cuda.jit
def softmax_online(src, dst):
    tops = cuda.shared.array((ROWS, WARP), float32)
    sums = cuda.shared.array((ROWS, WARP), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row = ROWS * cuda.blockIdx.x + warp
    m, d = LOWEST, float32(0)
    if row < src.shape[0]:
        for c in range(lane, src.shape[1], WARP):
            m, d = pair(m, d, src[row, c], float32(1))
    tops[warp, lane] = m
    sums[warp, lane] = d
    cuda.syncthreads()
    m, d = LOWEST, float32(0)
    for other in range(WARP):
        m, d = pair(m, d, tops[warp, other], sums[warp, other])
    if row < src.shape[0]:
        for c in range(lane, src.shape[1], WARP):
            dst[row, c] = math.exp(src[row, c] - m) / d


@right("a_sum_of_logarithms")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        x = src[row, c]
        if x > m:
            m, d = x, d * math.exp(m - x)
        d += math.exp(x - m)
    top = warp_max(m)
    log_sum = top + math.log(warp_sum(d * math.exp(m - top)))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - log_sum)


@right("four_elements_for_one_rescale")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    n_cols = src.shape[1]
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, n_cols, 4 * WARP):
        a = src[row, c]
        b = src[row, c + 32] if c + 32 < n_cols else LOWEST
        e = src[row, c + 64] if c + 64 < n_cols else LOWEST
        f = src[row, c + 96] if c + 96 < n_cols else LOWEST
        top = max(max(m, max(a, b)), max(e, f))
        d *= math.exp(m - top)
        if top > LOWEST:
            d += (math.exp(a - top) + math.exp(b - top)) + (math.exp(e - top) + math.exp(f - top))
        m = top
    top = warp_max(m)
    d = warp_sum(d * math.exp(m - top))
    for c in range(lane, n_cols, WARP):
        dst[row, c] = math.exp(src[row, c] - top) / d


@wrong("three_passes", misconception="reads_again", says="each loaded twice")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    top = float32(-math.inf)
    for c in range(lane, src.shape[1], WARP):
        top = max(top, src[row, c])
    top = warp_max(top)
    total = float32(0)
    for c in range(lane, src.shape[1], WARP):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("element_loaded_twice_in_the_loop", misconception="reads_again", says="each loaded twice")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        top = max(m, src[row, c])
        d = d * math.exp(m - top) + math.exp(src[row, c] - top)
        m = top
    top = warp_max(m)
    d = warp_sum(d * math.exp(m - top))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - top) / d


@wrong("powers_kept_in_dst", misconception="reads_again", says="each loaded twice")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    top = float32(-math.inf)
    for c in range(lane, src.shape[1], WARP):
        x = src[row, c]
        dst[row, c] = x
        top = max(top, x)
    top = warp_max(top)
    total = float32(0)
    for c in range(lane, src.shape[1], WARP):
        total += math.exp(dst[row, c] - top)
    total = warp_sum(total)
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(dst[row, c] - top) / total


@wrong("sum_not_rescaled", misconception="not_rescaled", says="older maximum")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        x = src[row, c]
        m = max(m, x)
        d += math.exp(x - m)
    top = warp_max(m)
    d = warp_sum(d * math.exp(m - top))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - top) / d


@cuda.jit(device=True, forceinline=True)
def merge_too_late(top, total, other_top, other_total):
    top = max(top, other_top)
    return top, total * math.exp(top - top) + other_total * math.exp(other_top - top)


@wrong("rescaled_in_no_merge", misconception="not_rescaled", says="a merge never rescales")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.threadIdx.x % WARP
    if row >= src.shape[0]:
        return
    top, total = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        top, total = merge_too_late(top, total, src[row, c], float32(1))
    d = 16
    while d > 0:
        other_top = cuda.shfl_xor_sync(FULL_WARP, top, d)
        other_total = cuda.shfl_xor_sync(FULL_WARP, total, d)
        top, total = merge_too_late(top, total, other_top, other_total)
        d //= 2
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - top) / total


@wrong("rescaled_after_the_maximum_is_gone", misconception="not_rescaled", says="older maximum")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        x = src[row, c]
        higher = max(m, x)
        m = higher
        d = d * math.exp(m - higher) + math.exp(x - higher)
    for step in (16, 8, 4, 2, 1):
        m, d = pair(m, d, cuda.shfl_xor_sync(FULL_WARP, m, step), cuda.shfl_xor_sync(FULL_WARP, d, step))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("rescaled_the_wrong_way", misconception="rescaled_wrong_way", says="wrong way round")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        x = src[row, c]
        higher = max(m, x)
        if d > 0:
            d *= math.exp(higher - m)
        d += math.exp(x - higher)
        m = higher
    for step in (16, 8, 4, 2, 1):
        m, d = pair(m, d, cuda.shfl_xor_sync(FULL_WARP, m, step), cuda.shfl_xor_sync(FULL_WARP, d, step))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("sums_of_lanes_added", misconception="lanes_added", says="as they are")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        m, d = pair(m, d, src[row, c], float32(1))
    top = warp_max(m)
    d = warp_sum(d)
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - top) / d


@wrong("pairs_never_merged", misconception="lanes_not_merged", says="never merged")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        m, d = pair(m, d, src[row, c], float32(1))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("begins_at_minus_infinity", misconception="empty_lanes", says="-inf - (-inf) has no value")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = float32(-math.inf), float32(0)
    for c in range(lane, src.shape[1], WARP):
        x = src[row, c]
        if x > m:
            m, d = x, d * math.exp(m - x)
        if x > -math.inf:
            d += math.exp(x - m)
    for step in (16, 8, 4, 2, 1):
        m, d = pair(m, d, cuda.shfl_xor_sync(FULL_WARP, m, step), cuda.shfl_xor_sync(FULL_WARP, d, step))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("infinity_never_asked_for", misconception="empty_lanes", says="-inf - (-inf) has no value")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = float32(-math.inf), float32(0)
    for c in range(lane, src.shape[1], WARP):
        m, d = pair(m, d, src[row, c], float32(1))
    for step in (16, 8, 4, 2, 1):
        m, d = pair(m, d, cuda.shfl_xor_sync(FULL_WARP, m, step), cuda.shfl_xor_sync(FULL_WARP, d, step))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("maximum_begins_at_zero", misconception="maximum_from_zero", says="begins at 0")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = float32(0), float32(0)
    for c in range(lane, src.shape[1], WARP):
        m, d = pair(m, d, src[row, c], float32(1))
    for step in (16, 8, 4, 2, 1):
        m, d = pair(m, d, cuda.shfl_xor_sync(FULL_WARP, m, step), cuda.shfl_xor_sync(FULL_WARP, d, step))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("no_maximum", misconception="no_maximum", says="exp overflows")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    d = float32(0)
    for c in range(lane, src.shape[1], WARP):
        d += math.exp(src[row, c])
    d = warp_sum(d)
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c]) / d


@wrong("only_lane_0_has_the_pair", misconception="lane_0_alone", says="only lane 0")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        m, d = pair(m, d, src[row, c], float32(1))
    for step in (16, 8, 4, 2, 1):
        m, d = pair(m, d, cuda.shfl_down_sync(FULL_WARP, m, step), cuda.shfl_down_sync(FULL_WARP, d, step))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("shuffles_under_a_lane_s_guard", misconception="warp_mask", says="mask")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row < src.shape[0] and lane < src.shape[1]:
        m, d = LOWEST, float32(0)
        for c in range(lane, src.shape[1], WARP):
            m, d = pair(m, d, src[row, c], float32(1))
        for step in (16, 8, 4, 2, 1):
            m, d = pair(m, d, cuda.shfl_xor_sync(FULL_WARP, m, step), cuda.shfl_xor_sync(FULL_WARP, d, step))
        for c in range(lane, src.shape[1], WARP):
            dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("rows_not_guarded", misconception="no_guard", says="outside")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    m, d = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        m, d = pair(m, d, src[row, c], float32(1))
    for step in (16, 8, 4, 2, 1):
        m, d = pair(m, d, cuda.shfl_xor_sync(FULL_WARP, m, step), cuda.shfl_xor_sync(FULL_WARP, d, step))
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - m) / d


@wrong("one_element_per_lane", misconception="missing_tail", says="only the first 32")
@cuda.jit
def softmax_online(src, dst):
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if row >= src.shape[0]:
        return
    x = src[row, lane] if lane < src.shape[1] else LOWEST
    top = warp_max(x)
    p = math.exp(x - top) if lane < src.shape[1] else float32(0)
    total = warp_sum(p)
    if lane < src.shape[1]:
        dst[row, lane] = p / total


@wrong("a_thread_has_a_row", misconception="few_threads", says="all 32 lanes")
@cuda.jit
def softmax_online(src, dst):
    for row in range(cuda.grid(1), src.shape[0], cuda.gridsize(1)):
        m, d = LOWEST, float32(0)
        for c in range(src.shape[1]):
            m, d = pair(m, d, src[row, c], float32(1))
        for c in range(src.shape[1]):
            dst[row, c] = math.exp(src[row, c] - m) / d
