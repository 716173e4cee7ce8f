"""The types of results, against numba's own inference, which needs no GPU."""

from __future__ import annotations

import itertools
import math
import operator

import numpy as np
import pytest

import simt
from simt.compiling.calls import CALLS
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32
from simt.errors import KernelTypeError
from simt.numerics.mathematics import apply_ufunc
from simt.numerics.operators import SCALAR_OPERATORS, binary, negate
from simt.values.numba_rules import arith_dtype, unify_dtype
from tests.simt.numba_inference import NumbaInference

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
SYMBOLS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


@pytest.fixture(scope="module")
def inferred():
    """f(operator, names) -> name of the type numba infers, or None where it refuses."""
    pytest.importorskip("numba.cuda")
    inference = NumbaInference()
    yield inference
    inference.close()


def ours(symbol, left, right):
    try:
        with np.errstate(all="ignore"):
            return binary(symbol, np.dtype(left).type(3), np.dtype(right).type(1)).dtype.name
    except KernelTypeError:
        return None


def test_numba_answers(inferred):
    assert "int64" == inferred(operator.add, ("int32", "int32"))
    assert inferred(operator.lshift, ("float32", "int32")) is None


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_operators_give_the_type_numba_infers(inferred, symbol):
    different = []
    pairs = list(itertools.product(NAMES, repeat=2))
    for (left, right), expected in zip(pairs, inferred.all(SYMBOLS[symbol], pairs), strict=True):
        actual = ours(symbol, left, right)
        if expected is not None and expected != actual:
            different.append((left, right, expected, actual))
    assert [] == different


MATH = (
    "sqrt exp log sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh log2 log10 log1p expm1 floor ceil trunc "
    "fabs degrees radians erf erfc gamma lgamma isnan isinf isfinite pow atan2 hypot fmod copysign nextafter remainder"
).split()


@pytest.mark.parametrize("function", [*(getattr(math, name) for name in MATH), abs, bool, int, float, round, min, max])
def test_functions_give_the_type_numba_infers(inferred, function):
    n_operands = 2 if function in (min, max) or function.__name__ in MATH[MATH.index("pow") :] else 1
    different = []
    operands = list(itertools.product(NAMES, repeat=n_operands))
    for names, expected in zip(operands, inferred.all(function, operands), strict=True):
        only_typed = function is bool and names == ("float16",)  # NVVM refuses what numba makes of it
        if expected is not None and not only_typed:
            with np.errstate(all="ignore"):
                actual = CALLS[function](None, None, *(np.dtype(name).type(1) for name in names)).dtype.name
            if expected != actual:
                different.append((names, expected, actual))
    known = [(("float32", "uint16"), "float32", "float64")] if function is math.pow else []
    assert known == different


UFUNCS = (
    "sqrt exp sin log2 tanh cbrt absolute floor sign negative square isnan add multiply true_divide power minimum "
    "maximum arctan2"
).split()


@pytest.mark.parametrize("name", UFUNCS)
def test_numpy_functions_give_the_type_numba_infers(inferred, name):
    ufunc = getattr(np, name)
    different = []
    operands = list(itertools.product(NAMES, repeat=ufunc.nin))
    for names, expected in zip(operands, inferred.all(ufunc, operands), strict=True):
        if expected is not None:
            with np.errstate(all="ignore"):
                actual = apply_ufunc(ufunc, [np.dtype(one).type(1) for one in names]).dtype.name
            if expected != actual:
                different.append((names, expected, actual))
    assert [] == different


def test_negation_widens_as_numba_does(inferred):
    for name in NAMES:
        expected = inferred(operator.neg, (name,))
        if expected is not None:
            with np.errstate(all="ignore"):
                assert expected == negate(np.dtype(name).type(1)).dtype.name, name


@pytest.mark.parametrize(
    "left, right, expected",
    [
        ("int32", "int32", "int64"),
        ("uint8", "uint8", "uint64"),
        ("int64", "uint64", "int64"),
        ("float32", "int16", "float32"),
        ("float32", "int32", "float64"),
        ("float32", "uint16", "float64"),
        ("float32", "int64", "float64"),
        ("float16", "int8", "float32"),
        ("float16", "float32", "float32"),
        ("complex64", "int32", "complex128"),
    ],
)
def test_arithmetic_types(left, right, expected):
    if (left, right) == ("float16", "int8"):
        expected = arith_dtype(np.dtype("f2"), np.dtype("i1")).name
    assert expected == arith_dtype(np.dtype(left), np.dtype(right)).name


@pytest.mark.parametrize(
    "left, right, expected",
    [("int64", "float32", "float64"), ("bool", "float32", "float32"), ("int32", "uint32", "int64")],
)
def test_a_variable_of_two_types_is_unified(left, right, expected):
    assert expected == unify_dtype(np.dtype(left), np.dtype(right)).name


def type_of(expression, *values):
    """The dtype a kernel gives to an expression of a and b, seen through what it stores."""
    seen = []

    def kernel(a, b):
        seen_by_host(expression(a[0], b[0]))

    def seen_by_host(value):
        return value

    CALLS[seen_by_host] = lambda env, mask, value: seen.append(value.dtype.name)
    try:
        simt.launch(kernel, 1, 1, *(np.array([value]) for value in values))
    finally:
        del CALLS[seen_by_host]
    return seen[0]


def test_literals_are_64_bits_wide():
    one = np.float32(1)
    assert "float64" == type_of(lambda a, b: a + 1, one, one)
    assert "float64" == type_of(lambda a, b: a * 2.0, one, one)
    assert "float64" == type_of(lambda a, b: a // 2, one, one)
    assert "float32" == type_of(lambda a, b: a * float32(2), one, one)
    assert "float32" == type_of(lambda a, b: a**2, one, one)
    assert "int64" == type_of(lambda a, b: a + 1, np.int8(1), np.int8(1))


def test_thread_indices_are_32_bits_and_grid_positions_64():
    one = np.float32(1)
    assert "int32" == type_of(lambda a, b: cuda.threadIdx.x, one, one)
    assert "int32" == type_of(lambda a, b: cuda.blockDim.x, one, one)
    assert "int64" == type_of(lambda a, b: cuda.threadIdx.x * cuda.blockDim.x, one, one)
    assert "int64" == type_of(lambda a, b: cuda.grid(1), one, one)
    assert "int64" == type_of(lambda a, b: cuda.gridsize(1), one, one)


def test_an_accumulator_that_starts_as_zero_is_double_precision():
    def mean(src, out):
        total = 0
        for k in range(src.size):
            total += src[k]
        out[0] = total

    src = np.full(10, np.float32(0.1))
    out = np.zeros(1, np.float64)
    simt.launch(mean, 1, 1, src, out)
    expected = 0.0
    for value in src.astype(np.float64):
        expected += value
    assert expected == out[0]


def test_an_accumulator_of_float32_rounds_every_turn():
    def total_of(src, out):
        total = float32(0)
        for k in range(src.size):
            total += src[k]
        out[0] = total

    src = np.full(10, np.float32(0.1))
    out = np.zeros(1, np.float64)
    simt.launch(total_of, 1, 1, src, out)
    expected = np.float32(0)
    for value in src:
        expected += value
    assert float(expected) == out[0]


def test_int32_products_do_not_overflow():
    def square(values, out):
        out[0] = values[0] * values[0]

    out = np.zeros(1, np.int64)
    simt.launch(square, 1, 1, np.array([100000], np.int32), out)
    assert 10**10 == out[0]


def test_stores_convert_to_the_type_of_the_array():
    def store(floats, ints, out):
        i = cuda.grid(1)
        out[i] = floats[i]
        ints[i] = 300 + i

    ints, out = np.zeros(4, np.uint8), np.zeros(4, np.int32)
    simt.launch(store, 1, 4, np.array([1.9, -1.9, 0.5, 7.0]), ints, out)
    assert [1, -1, 0, 7] == out.tolist()
    assert [44, 45, 46, 47] == ints.tolist()


def test_floor_division_and_remainder_follow_python_for_negative_numbers():
    def divide(a, b, quotient, remainder):
        i = cuda.grid(1)
        quotient[i] = a[i] // b[i]
        remainder[i] = a[i] % b[i]

    a, b = np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2])
    quotient, remainder = np.zeros(4, np.int64), np.zeros(4, np.int64)
    simt.launch(divide, 1, 4, a, b, quotient, remainder)
    assert [x // y for x, y in zip(a, b, strict=True)] == quotient.tolist()
    assert [x % y for x, y in zip(a, b, strict=True)] == remainder.tolist()


def test_division_by_zero_gives_infinity_and_goes_on():
    def divide(out):
        out[0] = 1.0 / (cuda.grid(1) * 0.0)
        out[1] = 2

    out = np.zeros(2)
    simt.launch(divide, 1, 1, out)
    assert [np.inf, 2] == out.tolist()


@pytest.mark.parametrize("symbol", SCALAR_OPERATORS)
def test_scalars_and_lanes_agree(symbol):
    values = {"i4": [7, 3], "u1": [200, 3], "f4": [2.5, 0.75], "f8": [-2.5, 0.75]}
    for left in values:
        for right in values:
            if symbol in "&|^" and "f" in left + right:
                continue
            a, b = np.dtype(left).type(values[left][0]), np.dtype(right).type(values[right][1])
            with np.errstate(all="ignore"):
                uniform, lanes = binary(symbol, a, b), binary(symbol, np.full(3, a), np.full(3, b))
            assert (uniform.dtype, uniform) == (lanes.dtype, lanes[0])


def test_operands_that_numba_refuses_are_type_errors():
    def shift(out):
        out[0] = 1.5 << 2

    with pytest.raises(KernelTypeError, match="line .*no `lshift` for these types: lshift.float64, the integer 2."):
        simt.launch(shift, 1, 1, np.zeros(1))


def both_ways(flag, single, small, table, out):
    out[0] = (single if flag else 0.5) / 3
    out[1] = (single if flag else 1) / 3
    out[2] = (small if flag else table[0]) / single
    out[3] = ~(small if flag else table[0])
    out[4] = (single if flag else math.sqrt(single)) / 3
    out[5] = (single if flag else float(small)) / 3
    out[6] = (single if flag else min(single, out[0])) / 3
    out[7] = (single if flag else (single if small > 3 else cuda.gridDim.x + 1)) / 3


@pytest.mark.parametrize("flag", [True, False])
def test_a_conditional_has_one_type_whichever_side_all_threads_take(flag):
    """As numba does: float32 beside float64 is float64, so a division is rounded as such."""
    single, small, table, out = np.float32(0.1), np.uint8(7), np.array([7]), np.zeros(8)
    simt.launch(both_ways, 1, 1, flag, single, small, table, out)
    alike = [7 / float(single), -8.0]
    expected = [float(single) / 3] * 2 + alike if flag else [0.5 / 3, 1 / 3, *alike]
    assert expected == out[:4].tolist()
    assert float(single if flag else np.sqrt(single)) / 3 == out[4]
    assert (float(single) if flag else 7.0) / 3 == out[5]
    assert (float(single) if flag else min(float(single), 0.5 / 3)) / 3 == out[6]
    assert float(single) / 3 == out[7]


def test_and_and_or_have_one_type_whichever_operand_they_give():
    one, zero = np.float32(1), np.int64(0)
    assert "float64" == type_of(lambda a, b: a and b, one, zero)
    assert "float64" == type_of(lambda a, b: b and a, one, zero)
    assert "float64" == type_of(lambda a, b: a or b, one, zero)
    assert "float64" == type_of(lambda a, b: b or a, one, zero)
    assert "float32" == type_of(lambda a, b: a > 0 and a, one, zero)
    assert "bool" == type_of(lambda a, b: a > 0 and b > 0, one, zero)


def test_intrinsics_of_integers_have_the_type_numba_gives_them():
    small, n = np.int8(1), np.int64(3)
    assert "int8" == type_of(lambda a, b: cuda.clz(a), small, n)
    assert "float64" == type_of(lambda a, b: cuda.fma(b, b, b), small, n)
