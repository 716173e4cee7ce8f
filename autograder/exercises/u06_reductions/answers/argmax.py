"""Answers to reductions.argmax."""

import math

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def beats(v, i, w, j):
    """Larger, or equal and earlier; NaN is largest."""
    if math.isnan(v) != math.isnan(w):
        return math.isnan(v)
    if v == w or math.isnan(v):
        return i < j
    return v > w


@cuda.jit(device=True)
def larger(v, i, w, j):
    """Larger, and nothing else."""
    return v > w


@cuda.jit(device=True)
def larger_or_earlier(v, i, w, j):
    """Larger, or equal and earlier; NaN never."""
    return v > w or (v == w and i < j)


@cuda.jit(device=True)
def larger_or_later(v, i, w, j):
    """Larger, or equal and later; NaN is largest."""
    if math.isnan(v) != math.isnan(w):
        return math.isnan(v)
    if v == w or math.isnan(v):
        return i > j
    return v > w


@right("butterfly")
@cuda.jit
def argmax(src, value, index):
    n = int32(src.size)
    best, at = float32(-math.inf), n
    i = cuda.grid(1)
    while i < n:
        x = src[i]
        if beats(x, int32(i), best, at):
            best = x
            at = int32(i)
        i += cuda.gridsize(1)
    for turn in range(5):
        other = cuda.shfl_xor_sync(FULL_WARP, best, 1 << turn)
        j = cuda.shfl_xor_sync(FULL_WARP, at, 1 << turn)
        if beats(other, j, best, at):
            best = other
            at = j
    if cuda.laneid == 0:
        w = cuda.grid(1) // WARP
        value[w] = best
        index[w] = at


@right("nan_is_asked_for_first")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if best == best and (x != x or x > best or at == src.size):
            best, at = x, int32(i)
    d = 16
    while d > 0:
        x = cuda.shfl_down_sync(FULL_WARP, best, d)
        j = cuda.shfl_down_sync(FULL_WARP, at, d)
        tie = x == best or (x != x and best != best)
        if (tie and j < at) or (not tie and (x != x or x > best)):
            best, at = x, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP] = best
        index[cuda.grid(1) // WARP] = at


@right("beats_in_the_loop_too")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if beats(x, i, best, at):
            best, at = x, int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if beats(other, j, best, at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("order_of_lanes_breaks_ties", misconception="tie_order", says="lower lane")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if beats(x, i, best, at):
            best, at = x, int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if larger(other, j, best, at) or (math.isnan(other) and not math.isnan(best)):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("last_of_equals", misconception="tie_order", says="highest index")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(-1)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if larger_or_later(x, i, best, at):
            best, at = x, int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if larger_or_later(other, j, best, at):
            best, at = other, j
        d //= 2
    if at < 0:
        at = int32(src.size)
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("nan_never_wins", misconception="nan_ignored", says="NaN was passed over")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if larger_or_earlier(x, i, best, at):
            best, at = x, int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if larger_or_earlier(other, j, best, at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("starts_at_zero", misconception="starts_at_zero", says="started at 0")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(0), int32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if beats(x, i, best, at):
            best, at = x, int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if beats(other, j, best, at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("remembers_the_lane", misconception="local_index", says="places in the block")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if beats(x, cuda.threadIdx.x, best, at):
            best, at = x, int32(cuda.threadIdx.x)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if beats(other, j, best, at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("shuffles_only_where_it_helps", misconception="warp_mask", says="mask")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if beats(x, i, best, at):
            best, at = x, int32(i)
    d = 16
    while d > 0:
        other = cuda.shfl_down_sync(FULL_WARP, best, d)
        if other >= best or math.isnan(other):
            j = cuda.shfl_down_sync(FULL_WARP, at, d)
            if beats(other, j, best, at):
                best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("whoever_equals_the_maximum_writes", misconception="lost_update", says="index")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if beats(x, i, best, at):
            best, at = x, int32(i)
    top = best
    d = 1
    while d < WARP:
        other = cuda.shfl_xor_sync(FULL_WARP, top, d)
        if beats(other, 0, top, 1):
            top = other
        d *= 2
    if best == top or math.isnan(best):
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@right("names_an_element_twice_which_the_compiler_loads_once")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        if beats(src[i], i, best, at):
            best, at = src[i], int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if beats(other, j, best, at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("searches_once_for_the_value_and_once_for_its_place", misconception="too_much_traffic", says="loaded once")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if x > best or math.isnan(x):
            best = x
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if (x == best or (math.isnan(x) and math.isnan(best))) and i < at:
            at = int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if beats(other, j, best, at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("not_less_or_equal_alone", misconception="nan_overtaken", says="found and lost again")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    i = cuda.grid(1)
    if i < src.size:
        best, at = src[i], int32(i)
        i += cuda.gridsize(1)
    while i < src.size:
        x = src[i]
        if not x <= best:
            best, at = x, int32(i)
        i += cuda.gridsize(1)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if beats(other, j, best, at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("only_what_is_larger_than_minus_infinity", misconception="minus_infinity", says="-inf were never found")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        if not (x <= best) and best == best:
            best, at = x, int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if beats(other, j, best, at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at


@wrong("larger_alone", misconception="nan_compared", says="Every comparison with NaN is false")
@cuda.jit
def argmax(src, value, index):
    best, at = float32(-math.inf), int32(src.size)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        if src[i] > best:
            best, at = src[i], int32(i)
    d = 16
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if other > best or (other == best and j < at):
            best, at = other, j
        d //= 2
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP], index[cuda.grid(1) // WARP] = best, at
