"""Answers to vector_add.forward_difference."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


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
