"""Functions of numba.cuda.bf16 round once, whatever the exponents, and the other ways where their names say so."""

import random
from fractions import Fraction

import numpy as np
import pytest

from simt.cuda_api import cuda
from simt.numerics.bfloat16_functions import INTEGERS, INTRINSICS

ml_dtypes = pytest.importorskip("ml_dtypes", reason="needs ml_dtypes, which has the type")
BF16 = np.dtype(ml_dtypes.bfloat16)


def call(name: str, *operands):
    return INTRINSICS[f"bf16.{name}"](None, None, None, *operands)


def numbers(seed: int, count: int = 300):
    """bfloat16 of all exponents, many of them next to each other in size."""
    draw = random.Random(seed)
    exponents = [draw.choice([draw.randint(-60, 60), draw.randint(-9, 9), 0]) for _ in range(count)]
    values = [draw.choice([-1, 1]) * (128 + draw.randint(0, 127)) * 2.0 ** (e - 7) for e in exponents]
    return np.array(values, np.float32).astype(BF16)


def rounded(exact: Fraction, mode: str) -> float:
    """What a bfloat16 of normal size is, by the definition of each rounding."""
    if exact == 0:
        return 0.0
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    steps = exact / Fraction(2) ** (exponent - 7)
    low = steps.numerator // steps.denominator
    up = {
        "rd": False,
        "ru": steps != low,
        "rz": steps != low and exact < 0,
        "rn": steps - low > Fraction(1, 2) or (steps - low == Fraction(1, 2) and low % 2 == 1),
    }[mode]
    return float((low + up) * Fraction(2) ** (exponent - 7))


def exact(value) -> Fraction:
    return Fraction(float(value))


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("hadd", lambda a, b, c: a + b),
        ("hsub_rn", lambda a, b, c: a - b),
        ("hmul", lambda a, b, c: a * b),
        ("hdiv", lambda a, b, c: a / b),
        ("hfma", lambda a, b, c: a * b + c),
    ],
)
def test_an_operation_is_rounded_once(name, of):
    operands = [numbers(seed) for seed in (1, 2, 3)]
    operands[2][:3], operands[0][:3], operands[1][:3] = 2.0**-60, 1.0, 1 + 2.0**-7
    got = call(name, *operands[: 3 if name == "hfma" else 2])
    wanted = [rounded(of(*map(exact, row)), "rn") for row in zip(*operands, strict=True)]
    assert wanted == [float(one) for one in got]


@pytest.mark.parametrize("mode", ["rn", "rz", "rd", "ru"])
def test_a_conversion_is_rounded_as_its_name_says(mode):
    draw = random.Random(5)
    floats = np.array([draw.uniform(-1, 1) * 2.0 ** draw.randint(-40, 40) for _ in range(300)], np.float32)
    got = call(f"float2bfloat16_{mode}", floats)
    assert [rounded(exact(one), mode) for one in floats] == [float(one) for one in got]
    for name, dtype in INTEGERS.items():
        ends = np.iinfo(dtype)
        values = [draw.randint(ends.min, ends.max) >> draw.randint(0, ends.bits - 4) for _ in range(200)]
        values = np.array([*values, ends.min, ends.max], dtype)
        got = call(f"{name}2bfloat16_{mode}", values)
        assert [rounded(Fraction(int(one)), mode) for one in values] == [float(one) for one in got], name


def test_corners_follow_the_math_api():
    nan, infinity, zero = (np.array([value], BF16) for value in (np.nan, np.inf, 0.0))
    one = np.array([1.5], BF16)
    assert [1.5] == call("hmax", nan, one) and np.isnan(call("hmax_nan", nan, one).astype(float))
    assert not np.signbit(call("hmax", -zero, zero).astype(float)) and np.signbit(
        call("hmin", zero, -zero).astype(float)
    )
    assert not call("hne", nan, one) and call("hneu", nan, one) and call("hltu", one, nan)
    assert (
        [-1] == call("hisinf", -infinity) and [1.0] == call("hadd_sat", one, one) and [0] == call("hmul_sat", nan, one)
    )
    assert [0] == call("hfma_relu", -one, one, zero) and [2] == call("bfloat162int_ru", one)
    assert [0x3FC0] == call("bfloat16_as_ushort", one) and [1.5] == call("short_as_bfloat16", np.array([0x3FC0], "i2"))


def test_a_kernel_calls_them():
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        half = cuda.bf16.float2bfloat16_rn(x[i])
        out[i] = cuda.bf16.bfloat162float(cuda.bf16.hfma(half, half, half))

    x, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    kernel[1, 8](x, out)
    assert (x * x + x).tolist() == out.tolist()
