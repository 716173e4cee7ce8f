"""Seven ways in which INT8 goes wrong, each against sums of Python's integers and fractions: the oracle must be right
itself."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from minitrt.api.enums import DataType
from minitrt.graph.ir import DATA_TYPES, Op, Value
from minitrt.reference import run_op

RNG = np.random.default_rng(0)


def value(name: str, array: np.ndarray, scale=None) -> Value:
    return Value(name, DATA_TYPES[array.dtype], array.shape, scale=scale)


def product(a, b, scales, bias=None, residual=None, activation=None) -> np.ndarray:
    """rows @ columns of int8 with scales (a, b, out[, residual])."""
    constant = Value("bias", DataType.FLOAT, bias.shape, data=bias) if bias is not None else None
    inputs = [value("a", a, scales[0]), value("b", b, scales[1]), constant]
    inputs.append(value("r", residual, scales[3]) if residual is not None else None)
    attrs = {"activation": activation} if activation else {}
    out = Value("y", DataType.INT8, (), scale=scales[2])
    return run_op(Op("gemm", "gemm", inputs, [out], attrs), [a, b, bias, residual])[0]


def ints(*shape: int) -> np.ndarray:
    return RNG.integers(-128, 128, shape).astype(np.int8)


def half_even(x: Fraction) -> int:
    return max(-128, min(127, round(x)))  # Python rounds fractions half to even


def test_1_ties_go_to_the_even_neighbour():
    steps = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], np.float32)
    x = Value("x", DataType.FLOAT, (6,))
    out = Value("y", DataType.INT8, (6,), scale=1.0)

    assert run_op(Op("reformat", "q", [x], [out]), [steps])[0].tolist() == [-2, -2, 0, 0, 2, 2]


def test_1_an_average_of_four_rounds_its_ties_to_even():
    x = ints(1, 1, 40, 40)
    attrs = dict(mode="average", kernel=[2, 2], stride=[2, 2], pads_before=[0, 0], pads_after=[0, 0])
    out = Value("y", DataType.INT8, (), scale=0.5)
    found = run_op(Op("pool", "pool", [value("x", x, 0.5)], [out], attrs), [x])[0]
    blocks = x.reshape(20, 2, 20, 2).astype(int).sum(axis=(1, 3))

    assert np.mean(blocks % 4 == 2) > 0.2  # ties are frequent here
    assert found[0, 0].tolist() == [[half_even(Fraction(int(s), 4)) for s in row] for row in blocks]


def test_2_padding_is_the_zero_of_the_scale():
    x, w = np.full((1, 1, 3, 3), 100, np.int8), np.ones((1, 1, 3, 3), np.int8)
    attrs = dict(kernel=[3, 3], stride=[1, 1], pads_before=[1, 1], pads_after=[1, 1])
    out = Value("y", DataType.INT8, (), scale=10.0)
    op = Op("conv", "conv", [value("x", x, 1.0), value("w", w, 1.0), None, None], [out], attrs)

    assert run_op(op, [x, w, None, None])[0][0, 0].tolist() == [[40, 60, 40], [60, 90, 60], [40, 60, 40]]


@pytest.mark.parametrize("far", [10.0, np.inf, 1e30])
def test_3_values_beyond_the_range_saturate_and_nan_is_zero(far):
    x = np.array([-far * 127, far * 127, np.nan, 127, -127, -128, 127.4], np.float32)
    op = Op("reformat", "q", [Value("x", DataType.FLOAT, (7,))], [Value("y", DataType.INT8, (7,), scale=1.0)])

    assert run_op(op, [x])[0].tolist() == [-128, 127, 0, 127, -127, -128, 127]


@pytest.mark.parametrize("terms", [4608, 100_000])
def test_4_long_sums_of_the_largest_products_are_exact(terms):
    a, b = np.full((1, terms), -128, np.int8), np.full((terms, 2), -128, np.int8)
    b[0, 1] = 127  # one product less than the other column's
    scale = float(128 * 128 * terms)
    sums = [Fraction(128 * 128 * terms), Fraction(128 * 128 * (terms - 1) - 128 * 127)]
    found = [product(a, b, (1.0, 1.0, scale / steps)) for steps in (1, 127)]

    assert found[0].tolist() == [[1, 1]]
    assert found[1].tolist() == [[half_even(s / Fraction(scale / 127)) for s in sums]]


def test_4_sums_beyond_what_float32_holds_do_not_lose_their_last_bit():
    """2^24 + 1 and 2^24 are one number in float32; as steps of the output they differ by the bias that cancels the
    rest."""
    from minitrt.reference.convolution import operands

    a, b = np.full((1, 1025), -128, np.int8), np.full((1025, 1), -128, np.int8)
    a[0, -1], b[-1, 0] = 1, 1
    op = Op("gemm", "gemm", [value("a", a, 1.0), value("b", b, 1.0)], [Value("y", DataType.INT8, (), scale=1.0)])
    left, right, _ = operands(op, a, b, 1025)

    assert int((left @ right).item()) == 1024 * 128 * 128 + 1


def test_5_every_channel_has_its_own_scale_however_far_they_lie_apart():
    a, b = ints(4, 16), ints(16, 3)
    scales = np.array([2.0**-12, 1.0, 2.0**-6], np.float32)
    found = product(a, b, (2.0**-7, scales, 2.0**-4))
    sums = a.astype(int) @ b.astype(int)
    step = [Fraction(float(s)) * Fraction(1, 128) / Fraction(1, 16) for s in scales]

    assert found.tolist() == [[half_even(int(s) * k) for s, k in zip(row, step, strict=True)] for row in sums]


@pytest.mark.parametrize("ratio", [0.125, 1.0, 8.0])
def test_6_the_residual_is_added_with_its_own_scale_and_rounded_once(ratio):
    a, b, residual = ints(8, 16), ints(16, 8), ints(8, 8)
    found = product(a, b, (2.0**-6, 2.0**-5, 2.0**-2, ratio / 4), residual=residual)
    sums = a.astype(int) @ b.astype(int)
    exact = [
        [half_even((Fraction(int(s), 2**11) + Fraction(ratio / 4) * int(r)) * 4) for s, r in zip(*rows, strict=True)]
        for rows in zip(sums, residual, strict=True)
    ]
    twice = np.clip(np.rint(np.clip(np.rint(sums / 2**9), -128, 127) + ratio * residual), -128, 127)

    assert found.tolist() == exact
    assert ratio >= 1.0 or (found != twice).any()  # rounding the product first gives something else


def test_6_the_activation_comes_after_bias_and_residual():
    a, b = np.array([[-4]], np.int8), np.array([[1]], np.int8)
    clip = {"type": "clip", "alpha": 0.0, "beta": 6.0}
    parts = dict(bias=np.array([1.0], np.float32), residual=np.array([[5]], np.int8))

    assert product(a, b, (1.0, 1.0, 1.0, 1.0), activation={"type": "relu"}, **parts).item() == 2
    assert product(a, b, (1.0, 1.0, 0.5, 2.0), activation=clip, **parts).item() == 12  # 6 in steps of a half


def test_7_a_max_pools_padding_never_wins():
    x = np.full((1, 1, 2, 2), -128, np.int8)
    attrs = dict(mode="max", kernel=[3, 3], stride=[1, 1], pads_before=[1, 1], pads_after=[1, 1])
    out = Value("y", DataType.INT8, (), scale=1.0)

    assert (run_op(Op("pool", "pool", [value("x", x, 1.0)], [out], attrs), [x])[0] == -128).all()


@pytest.mark.parametrize(("include", "corner"), [(True, half_even(Fraction(200, 9))), (False, 50)])
def test_7_an_averages_border_counts_padding_only_when_told(include, corner):
    x = np.full((1, 1, 4, 4), 50, np.int8)
    attrs = dict(mode="average", kernel=[3, 3], stride=[1, 1], pads_before=[1, 1], pads_after=[1, 1])
    op = Op("pool", "pool", [value("x", x, 1.0)], [Value("y", DataType.INT8, (), scale=1.0)], attrs)
    op.attrs["count_include_pad"] = include

    assert run_op(op, [x])[0][0, 0, 0, 0] == corner


def test_7_concatenated_inputs_of_other_scales_are_requantised():
    a, b = np.array([10, 100], np.int8), np.array([1, 2], np.int8)
    out = Value("y", DataType.INT8, (4,), scale=0.5)
    op = Op("concat", "concat", [value("a", a, 0.01), value("b", b, 1.0)], [out], {"axis": 0})

    assert run_op(op, [a, b])[0].tolist() == [0, 2, 2, 4]
