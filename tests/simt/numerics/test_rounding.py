"""Operations on floats whose last bit, sign or NaN depends on how the hardware does them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, float64
from simt.numerics.fma import fused_multiply_add

INF, NAN = np.inf, np.nan


def greatest_and_least(left, right, out):
    i = cuda.grid(1)
    out[i, 0] = max(left[i], right[i])
    out[i, 1] = min(left[i], right[i])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_min_and_max_of_floats_prefer_numbers_to_nan_and_order_the_zeros(kind):
    left = np.array([NAN, 1.0, 0.0, -0.0, NAN, -INF], kind)
    right = np.array([1.0, NAN, -0.0, 0.0, NAN, 5.0], kind)
    expected = np.array([[1, 1], [1, 1], [0.0, -0.0], [0.0, -0.0], [NAN, NAN], [5, -INF]], kind)
    actual = np.zeros((6, 2), kind)
    simt.launch(greatest_and_least, 1, 6, left, right, actual)
    np.testing.assert_array_equal(expected, actual)
    np.testing.assert_array_equal(np.signbit(expected[:4]), np.signbit(actual[:4]))


def fuse(a, b, c, out):
    i = cuda.grid(1)
    out[i] = cuda.fma(a[i], b[i], c[i])


def rounded_once(a, b, c, kind):
    """The float next to the exact value, the even one of two: the twice rounded one or a neighbour of it."""
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    near = kind(float(exact))
    candidates = (np.nextafter(near, kind(-INF)), near, np.nextafter(near, kind(INF)))
    bits = f"u{near.dtype.itemsize}"
    return min(candidates, key=lambda value: (abs(Fraction(float(value)) - exact), int(value.view(bits)) & 1))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_fused_multiply_add_rounds_once(kind):
    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal(2000).astype(kind) for _ in range(2))
    c = (-(a * b) * (1 + rng.integers(-2, 3, 2000) * np.finfo(kind).eps)).astype(kind)
    c[::2] = rng.standard_normal(1000).astype(kind)
    expected = np.array([rounded_once(*values, kind) for values in zip(a, b, c, strict=True)], kind)
    actual = np.zeros_like(a)
    simt.launch(fuse, 1, 2000 // 2, a[:1000], b[:1000], c[:1000], actual[:1000])
    simt.launch(fuse, 1, 2000 // 2, a[1000:], b[1000:], c[1000:], actual[1000:])
    np.testing.assert_array_equal(expected, actual)
    assert (a * b + c != actual).any(), "these numbers do not tell one rounding from two"


@pytest.mark.parametrize(
    "a, b, c, expected",
    [
        (1e200, 1e200, -INF, -INF),
        (1e300, 1e10, 1.0, INF),
        (2.0**-600, 2.0**-600, 2.0**-1074, 2.0**-1074),
        (1e-170, 1e-170, 5e-324, 5e-324),
        (-0.0, 1.0, -0.0, -0.0),
        (3.0, 2.0, -6.0, 0.0),
        (INF, 0.0, 1.0, NAN),
    ],
)
def test_a_fused_multiply_add_keeps_extremes(a, b, c, expected):
    actual = fused_multiply_add(*(np.float64(value) for value in (a, b, c)))
    np.testing.assert_equal(expected, actual)
    assert np.signbit(expected) == np.signbit(actual) or np.isnan(expected)


def test_types_of_the_operands_decide_in_which_precision_it_is_fused():
    def kernel(out):
        out[0] = cuda.fma(float32(0.1), float32(3), float32(-0.3))
        out[1] = cuda.fma(float64(0.1), float64(3), float64(-0.3))

    out = np.zeros(2)
    simt.launch(kernel, 1, 1, out)
    assert float(out[0]) == float(rounded_once(np.float32(0.1), np.float32(3), np.float32(-0.3), np.float32))
    assert float(out[1]) == float(rounded_once(0.1, 3.0, -0.3, np.float64))


def test_a_power_of_integers_keeps_every_bit():
    def kernel(base, out):
        i = cuda.grid(1)
        out[i, 0] = base[i] ** 3
        out[i, 1] = base[i] ** (i % 2 + 2)

    base = np.array([3, 1_000_003, -1_000_003, 0])
    out = np.zeros((4, 2), np.int64)
    simt.launch(kernel, 1, 4, base, out)
    assert [int(value) ** 3 for value in base] == out[:, 0].tolist()
    assert [9, 1_000_003**3, 1_000_003**2, 0] == out[:, 1].tolist()
