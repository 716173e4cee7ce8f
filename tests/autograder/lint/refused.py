"""Kernels that numba refuses, each with the words a learner must read. `REFUSED` lists them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import cuda, float32

TPB = 32
WEIGHTS = [1, 2, 3]
NUMPY_TPB = np.int64(32)
SINGLES = np.zeros(64, np.float32)
TABLE = np.zeros((8, 8), np.float32)


@dataclass(frozen=True)
class Refused:
    """What is expected of one kernel. line: of the mistake, counted from the line with `def` in function `where`."""

    kernel: Callable
    arguments: tuple
    kind: str
    says: str
    remedy: str
    line: int
    where: Callable


REFUSED: list[Refused] = []


def refused(*arguments, kind: str, says: str, remedy: str = "", line: int = 1, where: Callable | None = None):
    """List the kernel below with what must be said about it."""

    def enter(kernel):
        REFUSED.append(Refused(kernel, arguments, kind, says, remedy, line, where or kernel))
        return kernel

    return enter


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


@refused(SINGLES, kind="python_object", says="a list, `[]`", line=2)
@cuda.jit
def grows_a_list(dst):
    values = []
    values.append(1)
    dst[0] = values[0]


@refused(SINGLES, kind="python_object", says="a comprehension")
@cuda.jit
def comprehends(dst):
    values = [i for i in range(4)]
    dst[0] = values[0]


@refused(SINGLES, kind="python_object", says="a set")
@cuda.jit
def builds_a_set(dst):
    odd = {1, 3}
    dst[0] = 1 if 1 in odd else 0


@refused(SINGLES, kind="python_object", says="there are no strings on the GPU", line=2)
@cuda.jit
def indexes_text(dst):
    text = "abc"
    dst[0] = text[0]


def plain(value):
    return value + 1


@refused(
    SINGLES,
    kind="missing_device",
    says="`plain` is a plain Python function",
    remedy="@cuda.jit(device=True) above `def plain`",
)
@cuda.jit
def calls_plain_function(dst):
    dst[0] = plain(dst[0])


@cuda.jit(device=True)
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@refused(SINGLES, kind="recursion", says="`factorial` calls itself", remedy="loop", where=factorial)
@cuda.jit
def recurses(dst):
    dst[0] = factorial(5)


@refused(SINGLES, kind="generator", says="cannot yield")
@cuda.jit
def yields(dst):
    yield dst[0]


@refused(SINGLES, kind="statement", says="cannot use `with`")
@cuda.jit
def opens_a_file(dst):
    with open("x") as file:
        dst[0] = len(file)


@refused(SINGLES, kind="statement", says="cannot assign a global", line=2)
@cuda.jit
def assigns_a_global(dst):
    global TPB
    TPB = 3


@refused(SINGLES, kind="statement", says="cannot import modules")
@cuda.jit
def imports(dst):
    import random

    dst[0] = random.random()


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
