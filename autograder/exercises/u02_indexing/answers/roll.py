"""Answers to indexing.roll."""

from numba import cuda

from autograder.exercises.catalogue import right, style, wrong


@right("a_thread_for_each_source")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[(i + shift) % src.size] = src[i]


@right("steps_back_into_range")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    n = dst.shape[0]
    if i >= n:
        return
    start = i - shift % n
    if start < 0:
        start += n
    dst[i] = src[start]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    dst[i] = src[(i - shift) % dst.size]


@wrong("guard_lets_one_more_through", misconception="off_by_one", says="lets it through")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i <= dst.size:
        dst[i] = src[(i - shift) % dst.size]


@wrong("other_direction", misconception="wrong_formula", says="the other way")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[(i + shift) % dst.size]


@wrong("trusts_negative_indices", misconception="no_guard", says="outside the array")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i - shift]


@wrong("writes_past_the_end", misconception="negative_index", says="writes dst[-3]")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i + shift] = src[i]


@wrong("wraps_once_only", misconception="negative_index", says="negative")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        start = i - shift
        if start < 0:
            start += dst.size
        if start >= dst.size:
            start -= dst.size
        dst[i] = src[start]


@wrong("mirrors_with_abs", misconception="wrong_formula", says="mirror")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[abs(i - shift) % dst.size]


@wrong("drops_what_falls_off", misconception="missing_tail", says="never written")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < src.size:
        to = i + shift
        if 0 <= to < dst.size:
            dst[to] = src[i]


@wrong("modulo_of_the_shift_only", misconception="negative_index", says="negative")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i - shift % dst.size]


@wrong("modulo_by_the_threads", misconception="no_guard", says="outside")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[(i - shift) % cuda.gridsize(1)]


@wrong("nothing_but_a_copy", misconception="wrong_formula", says="nothing moved")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i % dst.size]


@style("add_then_mod")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    n = src.size
    if i < n:
        s = shift % n
        j = i - s
        if j < 0:
            j += n
        dst[i] = src[j]


@style("scatter")
@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[(i + shift) % src.size] = src[i]
