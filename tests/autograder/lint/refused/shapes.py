"""Shapes and indices that numba refuses, and arrays that a thread cannot make."""

import enum

import numpy as np
from numba import cuda, float32

from tests.autograder.lint.refused.entry import HALVES, NUMPY_TPB, SINGLES, TABLE, TPB, refused


@refused(SINGLES, 8, kind="shared_shape", says="`n` of cuda.shared.array is not a constant", remedy="is an argument")
@cuda.jit
def shape_from_argument(dst, n):
    tile = cuda.shared.array(n, float32)
    dst[0] = tile[0]


@refused(SINGLES, kind="shared_shape", says="`cuda.blockDim.x` of", remedy="use it here and in the launch")
@cuda.jit
def shape_from_launch(dst):
    tile = cuda.shared.array(cuda.blockDim.x, float32)
    dst[0] = tile[0]


@refused(
    SINGLES,
    kind="shared_shape",
    says="`(TPB, TPB + 1)`",
    remedy="write TPB_PLUS_1 = TPB + 1, and use (TPB, TPB_PLUS_1)",
)
@cuda.jit
def shape_of_padded_tile(dst):
    tile = cuda.shared.array((TPB, TPB + 1), float32)
    dst[0] = tile[0, 0]


@refused(SINGLES, kind="shared_shape", says="`NUMPY_TPB`", remedy="write NUMPY_TPB = int(NUMPY_TPB)")
@cuda.jit
def shape_from_numpy_integer(dst):
    tile = cuda.shared.array(NUMPY_TPB, float32)
    dst[0] = tile[0]


@refused(
    SINGLES, kind="shared_shape", says="cuda.local.array", remedy="Move `width = TPB + 1` above the kernel", line=2
)
@cuda.jit
def shape_from_local_name(dst):
    width = TPB + 1
    line = cuda.local.array(width, float32)
    dst[0] = line[0]


@refused(SINGLES, kind="array_dtype", says="`float` is not a dtype", remedy="float32 (from numba import float32)")
@cuda.jit
def python_dtype(dst):
    tile = cuda.shared.array(32, float)
    dst[0] = tile[0]


@refused(SINGLES, kind="array_dtype", says="needs a second argument")
@cuda.jit
def no_dtype(dst):
    tile = cuda.shared.array(32)
    dst[0] = tile[0]


@refused(SINGLES, kind="undefined_name", says="`fill` is not defined", remedy="import `fill` above")
@cuda.jit
def undefined(dst):
    dst[0] = fill  # noqa: F821


@refused(SINGLES, kind="undefined_name", says="`TBP` is not defined", remedy="Did you mean `TPB`?")
@cuda.jit
def misspelt(dst):
    dst[0] = TBP  # noqa: F821


@refused(SINGLES, kind="index_type", says="is a float64, and arrays are indexed by integers", remedy="//")
@cuda.jit
def divided_index(dst):
    dst[cuda.grid(1) / 2] = 1


@refused(SINGLES, kind="index_type", says="An index of `dst[cuda.grid(1) > 3]` is a bool", remedy="integer")
@cuda.jit
def index_that_compares(dst):
    dst[cuda.grid(1) > 3] = 1


@refused(SINGLES, kind="index_type", says="An index of `dst[True]` is a bool", remedy="integer")
@cuda.jit
def index_that_is_true(dst):
    dst[True] = 1


class Place(enum.IntEnum):
    FIRST = 0


@refused(
    SINGLES,
    kind="index_type",
    says="An index of `dst[Place.FIRST]` is a member of an enum",
    remedy=".value",
    before_njit=True,
)
@cuda.jit
def index_that_is_a_member(dst):
    dst[Place.FIRST] = 1


@refused(
    SINGLES,
    kind="index_type",
    says="An index of `dst[Place.FIRST]` is a member of an enum",
    remedy=".value",
    before_njit=True,
)
@cuda.jit
def read_at_a_member(dst):
    dst[1] = dst[Place.FIRST]


@refused(SINGLES, kind="numpy_call", says="`np.round` does not exist on the GPU", remedy="round(x, 2)")
@cuda.jit
def rounded_by_numpy(dst):
    dst[0] = np.round(dst[0])


@refused(HALVES, kind="half_for_condition", says="A float16 stands where a condition belongs", remedy="h[i] != 0")
@cuda.jit
def half_as_a_condition(dst):
    if dst[0]:
        dst[1] = 1


@refused(HALVES, kind="half_for_numpy", says="`np.sin(dst[0])` is given a float16", remedy="float32(h[i])")
@cuda.jit
def half_into_numpy(dst):
    dst[0] = np.sin(dst[0])


@refused(SINGLES, kind="index_type", says="is a whole position", remedy="cuda.threadIdx.x", line=2)
@cuda.jit
def whole_position(dst):
    i = cuda.threadIdx
    dst[i] = 1


@refused(TABLE, kind="index_type", says="is a tuple", remedy="x, y = cuda.grid(2)", line=2)
@cuda.jit
def packed_position(dst):
    i = cuda.grid(2)
    dst[i, 0] = 1


@refused(SINGLES, kind="too_many_indices", says="`dst[0, 0]` uses 2 indices, and the array of float32 has 1 dimension")
@cuda.jit
def two_indices(dst):
    dst[0, 0] = 1


@refused(3, kind="number_indexed", says="`dst[0]` indexes `dst`, which is a number")
@cuda.jit
def number_indexed(dst):
    dst[0] = 1


@refused(SINGLES, np.float32(1), kind="number_indexed", says="`weight[i]` indexes `weight`, which is a number", line=2)
@cuda.jit
def weight_indexed(dst, weight):
    i = cuda.grid(1)
    dst[i] = dst[i] + weight[i]


@refused(SINGLES, kind="allocates_array", says="`np.zeros(4)` makes a new array", remedy="cuda.local.array")
@cuda.jit
def allocates(dst):
    scratch = np.zeros(4)
    dst[0] = scratch[0]


@refused(SINGLES, kind="allocates_array", says="`dst + dst` makes a new array")
@cuda.jit
def whole_array_sum(dst):
    doubled = dst + dst
    dst[0] = doubled[0]


@refused(SINGLES, kind="allocates_array", says="`dst[0:4]` copies a slice")
@cuda.jit
def copies_a_slice(dst):
    dst[0:4] = dst[4:8]
