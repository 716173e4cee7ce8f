"""Calls and types that do not fit, and names that do not exist."""

import math

import numpy as np
from numba import cuda, float32

from tests.autograder.lint.refused.entry import SINGLES, WEIGHTS, refused


@refused(SINGLES, kind="host_object", says="Python's `input` belongs to the host")
@cuda.jit
def asks(dst):
    dst[0] = float(input())


@refused(SINGLES, kind="host_call", says="`cuda.synchronize` belongs to the host")
@cuda.jit
def waits_like_a_host(dst):
    cuda.synchronize()


@refused(SINGLES, kind="host_call", says="There is no `cuda.threadidx`", remedy="Did you mean `cuda.threadIdx`?")
@cuda.jit
def misspells_cuda(dst):
    i = cuda.threadidx.x
    dst[i] = 1


@refused(SINGLES, kind="host_call", says="`numpy.random.rand` does not exist on the GPU")
@cuda.jit
def draws(dst):
    dst[0] = np.random.rand()


@refused(SINGLES, kind="unknown_attribute", says="no `w`", remedy=".x, .y or .z")
@cuda.jit
def fourth_axis(dst):
    i = cuda.threadIdx.w
    dst[i] = 1


@refused(SINGLES, kind="unknown_attribute", says="Arrays have no `length`", remedy=".size")
@cuda.jit
def asks_for_length(dst):
    i = dst.length
    dst[i] = 1


@refused(SINGLES, kind="wrong_call", says="`cuda.grid()` has the wrong arguments", remedy="cuda.grid(1)")
@cuda.jit
def forgets_dimensions(dst):
    i = cuda.grid()
    dst[i] = 1


@refused(SINGLES, kind="wrong_call", says="shfl_down_sync", remedy="The mask comes first")
@cuda.jit
def forgets_mask(dst):
    dst[0] = cuda.shfl_down_sync(dst[0], 1)


@refused(
    SINGLES, kind="atomic_form", says="`cuda.atomic.add` takes the array", remedy="cuda.atomic.add(array, index, value)"
)
@cuda.jit
def atomic_without_index(dst):
    cuda.atomic.add(dst, 1)


@refused(SINGLES, kind="array_for_number", says="`math.sqrt(dst)` is given a whole array")
@cuda.jit
def root_of_an_array(dst):
    dst[0] = math.sqrt(dst)


@refused(SINGLES, kind="array_for_number", says="`dst[1::2]` is a part of an array")
@cuda.jit
def slice_for_a_number(dst):
    dst[0] = dst[1::2]


@refused(SINGLES, kind="array_in_element", says="whole array in an element of type float32", remedy="as in x[i]")
@cuda.jit
def array_for_an_element(dst):
    dst[0] = dst


@refused(SINGLES, kind="not_callable", says="`dst(0)` calls something", remedy="square brackets")
@cuda.jit
def round_brackets(dst):
    dst[0] = dst(0)


@refused(SINGLES, kind="returns_value", says="The kernel returns a value (float32)")
@cuda.jit
def returns(dst):
    return dst[0]


@refused(SINGLES, kind="host_object", says="`WEIGHTS` is a Python list", remedy="WEIGHTS = np.array(WEIGHTS)")
@cuda.jit
def reads_a_list(dst):
    dst[0] = WEIGHTS[0]


@refused(SINGLES, kind="host_call", says="There is no `cuda.shared.arry`", remedy="Did you mean `cuda.shared.array`?")
@cuda.jit
def misspells_array(dst):
    tile = cuda.shared.arry(32, float32)
    dst[0] = tile[0]


@refused(SINGLES, kind="host_call", says="There is no `cuda.atomic.addd`", remedy="Did you mean `cuda.atomic.add`?")
@cuda.jit
def misspells_atomic(dst):
    cuda.atomic.addd(dst, 0, 1)


@refused(
    SINGLES,
    kind="atomic_form",
    says="`cuda.atomic.and_` does not work on these types",
    remedy="need an array of integers",
)
@cuda.jit
def atomic_on_floats(dst):
    cuda.atomic.and_(dst, 0, 1)


@refused(SINGLES, kind="unpacking", says="`cuda.grid(2)` gives as many numbers as it has dimensions")
@cuda.jit
def three_names(dst):
    x, y, z = cuda.grid(2)
    dst[x] = y + z


@refused(SINGLES, kind="unpacking", says="`cuda.grid(1)` gives as many numbers")
@cuda.jit
def two_names(dst):
    x, y = cuda.grid(1)
    dst[x] = y


@refused(SINGLES, kind="no_such_operator", says="`^` is the exclusive or", remedy="x ** 2")
@cuda.jit
def squares_with_a_caret(dst):
    dst[0] = dst[0] ^ 2


@refused(SINGLES, kind="no_such_operator", says="one of its sides is a float here", remedy="constants as uint64")
@cuda.jit
def exclusive_or_of_a_float(dst):
    dst[0] = cuda.grid(1) ^ dst[0]


@refused(SINGLES, kind="nested_launch", says="A kernel cannot launch another kernel")
@cuda.jit
def launches(dst):
    two_names[1, 1](dst)


@refused(SINGLES, kind="python_object", says="The kernel works with text", remedy="print takes plain values")
@cuda.jit
def prints_formatted(dst):
    print("%d" % dst[0])  # noqa: UP031


@refused(SINGLES, kind="undefined_name", says="`total` is not defined", line=2)
@cuda.jit
def add(dst):
    cuda.atomic.add(dst, 0, dst[1])
    dst[0] = total  # noqa: F821


@refused(SINGLES, kind="wrong_types", says="no `lshift` for these types: lshift(float32, the integer 1)")
@cuda.jit
def shifts_a_float(dst):
    dst[0] = dst[0] << 1


@refused(SINGLES, kind="wrong_types", says="`dst[0] > 0` is a bool", remedy="Write int32(dst[0] > 0) there")
@cuda.jit
def counts_bools(dst):
    dst[0] = cuda.syncthreads_count(dst[0] > 0)


@refused(
    SINGLES, kind="wrong_types", says="`cuda.any_sync` takes a bool or an integer", remedy="Write dst[0] != 0 there"
)
@cuda.jit
def votes_on_floats(dst):
    dst[0] = cuda.any_sync(0xFFFFFFFF, dst[0])


@refused(SINGLES, kind="statement", says="an assignment inside an expression", remedy="a line of its own")
@cuda.jit
def assigns_inside(dst):
    if (i := cuda.grid(1)) < dst.size:
        dst[i] = 0
