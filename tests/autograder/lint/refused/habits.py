"""What Python and NumPy allow, and a thread cannot do: arithmetic on whole arrays, wrong brackets."""

import numpy as np
from numba import cuda

from tests.autograder.lint.refused.entry import SINGLES, refused

PLANE = (np.zeros((4, 8), np.float32), np.zeros((4, 8), np.float32))
COUNTS = (np.zeros(4, np.int32),)


@refused(SINGLES, SINGLES, kind="misfit", says="`total` is an array", remedy="Index it")
@cuda.jit
def adds_to_all_of_it(src, total):
    total += src[0]


@refused(*PLANE, kind="misfit", says="`src[i]` is a row of an array", remedy="Index every axis", line=3)
@cuda.jit
def one_index_of_two(src, dst):
    i = cuda.grid(1)
    if i < 4:
        dst[i] = 255 - src[i]


@refused(*PLANE, kind="not_callable", says="`shape` of an array is no function", remedy="x.shape[0]", line=2)
@cuda.jit
def calls_the_shape(src, dst):
    row = cuda.grid(1)
    if row < dst.shape(0):
        dst[row, 0] = 1


@refused(*PLANE, kind="numpy_call", says="`np.pad` does not exist on the GPU", remedy="loop")
@cuda.jit
def pads(src, dst):
    np.pad(src, 2)


@refused(*PLANE, kind="index_type", says="An index of `src[t / 3, t % 3]` is a float64", remedy="//", line=3)
@cuda.jit
def divides_on_the_right(src, dst):
    t = cuda.grid(1)
    if t < 32:
        dst[t // 8][t % 8] = src[t / 3, t % 3]


@refused(*COUNTS, kind="atomic_form", says="takes four arguments", remedy="array, index, old, value")
@cuda.jit
def swaps_with_three(dst):
    dst[1] = cuda.atomic.cas(dst, 0, 1)


@refused(
    *COUNTS, kind="host_call", says="There is no `cuda.atomic_add`", remedy="`cuda.atomic.add(array, index, value)`"
)
@cuda.jit
def joins_with_an_underscore(dst):
    cuda.atomic_add(dst, 0, 1)


@refused(*COUNTS, kind="undefined_name", says="The name `whose_name` is not defined", remedy="run that cell")
@cuda.jit
def whose_names(dst):
    dst[0] = whose_name(1)  # noqa: F821


@refused(*PLANE, kind="matrix_product", says="`src @ dst`", remedy="loop")
@cuda.jit
def multiplies_matrices(src, dst):
    dst[:, :] = src @ dst


@refused(*PLANE, kind="python_object", says="a comprehension", remedy="loop")
@cuda.jit
def sums_a_generator(src, dst):
    dst[0, 0] = sum(src[0, k] for k in range(4))
