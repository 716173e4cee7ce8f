"""The network that unit 20 compresses: its passes through the course's kernels are NumPy's, and so are its masks."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.backend import prepare
from benchmarks.compressed import ways
from benchmarks.compressed.in_numpy import InNumpy
from benchmarks.compressed.network import Rounding, Trained, train_on
from benchmarks.compressed.on_kernels import OnKernels
from minitrt.samples import digits

RATE = 0.02


@pytest.fixture(scope="module")
def plain():
    prepare()
    return digits.folded(digits.network())


@pytest.fixture(scope="module")
def few():
    """Two digits, their middle alone, and what they show."""
    images, labels = digits.for_tuning()
    return images[:2, :, 12:20, 12:20], labels[:2]


def test_logits_are_those_of_the_sample_rounded_or_not(plain, few):
    steps = digits.scales(plain, few[0])
    weights = {f"{n}.weights": digits.rounded(w, digits.weight_steps(w)) for n, w in ways.weights_of(plain).items()}

    whole = Trained(InNumpy(), plain).logits(few[0])
    rounded = Trained(InNumpy(), plain, Rounding(steps)).logits(few[0])

    np.testing.assert_allclose(whole, digits.logits(plain, few[0]), atol=1e-4)
    expected = digits.logits(plain | weights, few[0], lambda name, x: digits.rounded(x, steps[name]))
    np.testing.assert_allclose(rounded, expected, atol=1e-4)


def test_a_step_of_training_through_the_courses_kernels_is_that_of_numpy(plain, few):
    rounding = Rounding(digits.scales(plain, few[0]))
    masks = {"block1.first": (np.abs(plain["block1.first.weights"]) > 0.03).astype(np.float32)}
    nets = [Trained(by, plain, rounding, masks) for by in (InNumpy(), OnKernels())]

    losses = [net.train(*few, RATE) for net in nets]

    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    for name in nets[0].arrays():
        moved, by_kernels = (net.arrays()[name] - plain[name] for net in nets)
        assert np.abs(moved).max() > 0, name
        np.testing.assert_allclose(by_kernels, moved, atol=2e-2 * np.abs(moved).max(), err_msg=name)


@pytest.mark.parametrize("name", ["stem.weights", "block2.shortcut.weights", "block3.first.bias", "classifier.weights"])
def test_a_step_goes_down_the_slope_of_the_loss(plain, few, name):
    exact = {key: array.astype(np.float64) for key, array in plain.items()}
    at = np.unravel_index(np.abs(exact[name]).argmax(), exact[name].shape)
    net = Trained(InNumpy(), exact)
    net.train(*few, 1e-3)
    moved = net.arrays()[name][at] - plain[name][at]

    losses = []
    for by in (1e-2, -1e-2):
        exact[name] = plain[name].astype(np.float64)
        exact[name][at] += by
        losses.append(Trained(InNumpy(), exact).train(*few, 0))

    assert moved == pytest.approx(-1e-3 * (losses[0] - losses[1]) / 2e-2, rel=0.1, abs=1e-7)


def test_a_layer_whose_tensor_has_no_step_is_not_rounded(plain, few):
    steps = {name: step for name, step in digits.scales(plain, few[0]).items() if name not in digits.AT_THE_ENDS}
    inside = {f"{name}.weights" for name, tensor in digits.READS.items() if tensor in steps}
    weights = {name: digits.rounded(plain[name], digits.weight_steps(plain[name])) for name in inside}

    found = Trained(InNumpy(), plain, Rounding(steps)).logits(few[0])

    expected = digits.logits(
        plain | weights, few[0], lambda name, x: digits.rounded(x, steps[name]) if name in steps else x
    )
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_training_on_leaves_at_0_what_a_mask_took(plain):
    images, labels = digits.for_tuning()
    masks = {name: (np.abs(w) > np.median(np.abs(w))).astype(np.float32) for name, w in ways.weights_of(plain).items()}
    net = Trained(InNumpy(), plain, None, masks)

    train_on(net, images[:100, :, 8:24, 8:24], labels[:100], 1, RATE)

    for name, w in ways.weights_of(net.arrays()).items():
        assert not w[masks[name] == 0].any()
        assert np.count_nonzero(w) == np.count_nonzero(masks[name])


def test_masks_are_the_largest_half_and_two_of_every_four(plain):
    weights = plain["block1.first.weights"]
    half, fours = ways.largest(weights, 0.5), ways.two_of_four(weights)

    assert weights.size // 2 == half.sum()
    assert np.abs(weights[half == 1]).min() > np.abs(weights[half == 0]).max()
    groups = fours.transpose(0, 2, 3, 1).reshape(-1, 4)
    assert {2.0} == set(groups.sum(axis=1))
    assert ways.two_of_four(plain["stem.weights"]).all()


def test_a_network_of_fewer_channels_still_runs_and_takes_about_half(plain, few):
    fewer = ways.fewer_channels(digits.network(), 0.5)

    assert (16, 32, 3, 3) == fewer["block1.first.weights"].shape
    assert (64, 32, 3, 3) == fewer["block3.second.weights"].shape
    assert (2, 10) == Trained(InNumpy(), fewer).logits(few[0]).shape
    assert 0.5 < ways.n_bytes(fewer) / ways.n_bytes(plain) < 0.6


def test_bytes_are_counted_by_the_way_they_are_kept(plain):
    masks = {name: np.ones(w.shape) for name, w in ways.weights_of(plain).items()}
    masks["classifier"] = np.tile([1.0, 0.0], (10, 32))

    assert 2 * sum(w.size for w in ways.weights_of(plain).values()) == ways.n_bytes(plain)
    assert ways.n_bytes(plain) - 640 + 80 == ways.n_bytes(plain, masks, "bitmap")
    of_layers = sum(ways.of_layer(w, None, "int8") for w in ways.weights_of(plain).values())
    ends = sum(plain[f"{name}.weights"].size - 4 * len(plain[f"{name}.weights"]) for name in ("stem", "classifier"))
    assert of_layers + ends == ways.n_bytes(plain, None, "int8")
