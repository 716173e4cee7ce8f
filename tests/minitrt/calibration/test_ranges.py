"""Ranges from histograms: each method does what its name says, and the traps of the well-known ones stay shut."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.calibration import ranges
from minitrt.calibration.histogram import BINS, Histogram


def histogram_of(*batches) -> Histogram:
    made = Histogram()
    for batch in batches:
        made.add(np.asarray(batch, np.float32))
    return made


def slow_divergence(bins: np.ndarray, end: int) -> float:
    """The definition, bin by bin."""
    p = bins[:end].copy()
    p[-1] += bins[end:].sum()
    q = np.zeros(end)
    for group in range(ranges.LEVELS):
        members = [j for j in range(end) if j * ranges.LEVELS // end == group and bins[j] > 0]
        for j in members:
            q[j] = sum(bins[k] for k in members) / len(members)
    mass = q.sum()
    q[(p > 0) & (q == 0)] = ranges.IMPOSSIBLE
    p, q = p / p.sum(), q / mass
    return float(sum(a * np.log(a / b) for a, b in zip(p, q, strict=True) if a > 0))


def test_the_fast_divergence_is_the_definition():
    bins = np.random.default_rng(0).integers(0, 5, 200).astype(float)
    bins[150:155] = 0
    ends = np.arange(ranges.LEVELS, 201, 7)

    np.testing.assert_allclose(ranges.divergences(bins, ends), [slow_divergence(bins, end) for end in ends], atol=1e-9)


def test_the_zeros_of_a_relu_do_not_pull_the_range_down():
    """Taken literally, the published pseudo-code clips this at less than half of the largest value."""
    data = np.maximum(np.random.default_rng(0).standard_normal(1_000_000), 0)

    assert ranges.entropy(histogram_of(data)) > 0.8 * data.max()


ACTIVATIONS = {
    "max(x, -0.4)": lambda x: np.maximum(x, -0.4),
    "max(x, -1)": lambda x: np.maximum(x, -1.0),
    "max(x, -3)": lambda x: np.maximum(x, -3.0),
    "clip(x, -1, 6)": lambda x: np.clip(x, -1.0, 6.0),
    "max(leaky, -0.4)": lambda x: np.maximum(np.where(x > 0, x, 0.1 * x), -0.4),
    "hard-swish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "SiLU": lambda x: x / (1 + np.exp(-x)),
    "GELU": lambda x: 0.5 * x * (1 + np.tanh(0.797885 * (x + 0.044715 * x**3))),
    "ELU": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
}


def decibels(x: np.ndarray, amax: float) -> float:
    """Signal to quantisation noise of a tensor in INT8 with this range."""
    scale = amax / 127
    stored = np.clip(np.rint(x / scale), -127, 127) * scale
    return float(10 * np.log10(np.mean(x**2) / np.mean((stored - x) ** 2)))


@pytest.mark.parametrize("spread", [0.5, 2.0, 10.0, 30.0])
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_floor_of_an_activation_does_not_decide_its_range(name, spread):
    """Half of a tensor's values lie on or near one number that is not 0; the range must be about as good as the
    largest magnitude's, where the floor alone would leave a few decibels."""
    x = ACTIVATIONS[name](np.random.default_rng(1).standard_normal(200_000) * spread)
    made = histogram_of(x)

    assert decibels(x, ranges.entropy(made)) > decibels(x, made.amax) - 4


def test_the_range_above_a_floor_is_as_good_as_onnx_runtimes():
    from onnxruntime.quantization.calibrate import HistogramCollector

    x = np.maximum(np.random.default_rng(2).standard_normal(200_000) * 2, -0.4).astype(np.float32)
    collector = HistogramCollector("entropy", True, 2048, 128, 99.99, "same")
    collector.collect({"x": [x]})
    other = float(max(abs(limit) for limit in collector.compute_collection_result()["x"][:2]))

    assert decibels(x, ranges.entropy(histogram_of(x))) >= decibels(x, other)


def test_few_distinct_values_keep_their_whole_range():
    """Pixels of 17 grey levels: every range that ends at a level fits perfectly what it kept, so the largest must
    win."""
    levels = np.random.default_rng(0).integers(0, 17, 10_000) / 16

    assert ranges.entropy(histogram_of(levels)) == pytest.approx(1.0)


def test_values_that_are_all_large_keep_their_range():
    """A range with everything in its last bin does not diverge from itself: the means of ReLUs lost 60 % of theirs."""
    means = np.random.default_rng(0).uniform(0.3, 0.8, 160)

    assert ranges.entropy(histogram_of(means)) > 0.75


@pytest.mark.parametrize("method", [ranges.entropy, ranges.percentile, ranges.mean_square])
def test_a_rare_outlier_is_clipped_by_every_method_but_the_maximum(method):
    data = np.random.default_rng(0).standard_normal(500_000)
    data[0] = 60.0
    made = histogram_of(data)

    assert ranges.largest(made) == 60.0
    assert 3.0 < method(made) < 20.0


def test_a_percentile_leaves_its_share_inside():
    data = np.random.default_rng(0).random(100_000)
    amax = ranges.percentile(histogram_of(data), 0.99)

    assert np.mean(data <= amax) == pytest.approx(0.99, abs=0.001)


def test_a_later_batch_with_larger_values_appends_bins_of_the_same_width():
    made = histogram_of([1.0, 0.5], [2.0, 0.25])

    assert len(made.counts) == 2 * BINS
    assert made.width == 1.0 / BINS
    assert (made.counts.sum(), made.amax) == (4, 2.0)


def test_nan_and_infinity_are_not_counted():
    assert histogram_of([np.nan, np.inf, -1.0]).amax == 1.0


@pytest.mark.parametrize("method", [ranges.largest, ranges.entropy, ranges.percentile, ranges.mean_square])
def test_a_tensor_that_is_always_zero_has_a_range_of_zero(method):
    assert method(histogram_of(np.zeros(10))) == 0.0


def test_calibrating_leaves_the_histogram_as_it_was():
    made = histogram_of(np.random.default_rng(0).standard_normal(10_000))
    before = made.counts.copy()
    ranges.entropy(made)

    np.testing.assert_array_equal(made.counts, before)


@pytest.mark.parametrize("data", ["normal", "laplace"])
def test_least_divergence_agrees_with_onnx_runtimes_calibrator_within_its_coarser_bins(data):
    from onnxruntime.quantization.calibrate import HistogramCollector

    rng = np.random.default_rng(3)
    x = rng.standard_normal(200_000) if data == "normal" else rng.laplace(size=200_000)
    collector = HistogramCollector("entropy", True, 2048, 128, 99.99, "same")
    collector.collect({"x": [x.astype(np.float32)]})
    low, high = collector.compute_collection_result()["x"][:2]
    other = float(max(abs(low), abs(high)))

    assert ranges.entropy(histogram_of(x)) == pytest.approx(other, rel=0.35)
