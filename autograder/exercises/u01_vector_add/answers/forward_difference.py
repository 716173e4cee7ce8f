"""Answers to vector_add.forward_difference."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong


@right("nested_ifs")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        if i == dst.size - 1:
            dst[i] = float32(0)
        else:
            dst[i] = src[i + 1] - src[i]


@right("starts_from_zero")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i >= src.size:
        return
    step = float32(0)
    if i + 1 < src.size:
        step = src[i + 1] - src[i]
    dst[i] = step


@wrong("the_draft", misconception="off_by_one", says="outside")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i + 1] - src[i]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i + 1] - src[i]


@wrong("reads_before_it_asks", misconception="off_by_one", says="outside")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        step = src[i + 1] - src[i]
        if i == dst.size - 1:
            step = float32(0)
        dst[i] = step


@wrong("last_one_left_out", misconception="missing_tail", says="never written")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i + 1 < src.size:
        dst[i] = src[i + 1] - src[i]


@wrong("left_neighbour", misconception="negative_index", says="counts from the end")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i] - src[i - 1]


@wrong("round_the_end", misconception="wrong_formula", says="took the first one")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[(i + 1) % src.size] - src[i]


@wrong("sign_turned_round", misconception="wrong_formula", says="sign is turned round")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i + 1 < src.size:
        dst[i] = src[i] - src[i + 1]
    elif i < dst.size:
        dst[i] = float32(0)


@style("clamp")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        right = min(i + 1, src.size - 1)
        if right > i:
            dst[i] = src[right] - src[i]
        else:
            dst[i] = 0


@style("last_by_one_thread")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    n = src.size
    if i < n - 1:
        dst[i] = src[i + 1] - src[i]
    if i == n - 1:
        dst[i] = 0.0


@style("conditional")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i >= dst.size:
        return
    here = src[i]
    there = src[i + 1] if i + 1 < src.size else here
    dst[i] = float32(0) if i + 1 == src.size else there - here


@wrong("neighbour_of_the_last_is_itself", misconception="nan_by_arithmetic", says="inf - inf are NaN")
@cuda.jit
def forward_difference(src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[min(i + 1, src.size - 1)] - src[i]
