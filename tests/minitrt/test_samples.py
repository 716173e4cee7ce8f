"""The trained network that ships with the engine: what it reaches, and that the engine runs it as NumPy does."""

from __future__ import annotations

import json

import numpy as np
import pytest

import minitrt as trt
from benchmarks.models import resnet_training
from benchmarks.record import RESULTS
from minitrt.runtime.session import Session
from minitrt.samples import digits
from minitrt.samples.define import define

BATCH = 16


def logits_of_engine(images: np.ndarray, scales=None) -> np.ndarray:
    """(N, 10): of an engine for the reference backend."""
    builder = trt.Builder(logger := trt.Logger(trt.Logger.ERROR))
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    config = builder.create_builder_config()
    define(network, digits.folded(digits.network()), len(images), scales)
    config.target = None
    plan = builder.build_serialized_network(network, config)
    return Session(trt.Runtime(logger).deserialize_cuda_engine(plan)).run({"image": images})["logits"]


def test_the_network_takes_as_few_digits_for_others_as_is_on_record():
    record = json.loads((RESULTS / "trained_digits.json").read_text())
    plain = digits.folded(digits.network())

    found = {name: digits.wrong(digits.logits(plain, x), y) for name, (x, y) in pictures().items()}

    assert record["wrong_of_1000"] == found
    assert found["held out"] <= 20
    assert record["parameters"] == sum(array.size for array in digits.network().values())


def pictures() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    return {"held out": digits.held_out(), "of training": digits.for_tuning()}


def test_no_digit_is_held_out_and_trained_on():
    (held_out, labels), (tuning, others) = digits.held_out(), digits.for_tuning()
    digests = {image.tobytes() for image in held_out}

    assert (1000, 1, 32, 32) == held_out.shape == tuning.shape
    assert [100] * 10 == np.bincount(labels).tolist() == np.bincount(others).tolist()
    assert not digests & {image.tobytes() for image in tuning}


def test_the_file_is_small():
    assert digits.FILE.stat().st_size < 1_000_000


def test_a_folded_network_gives_what_its_batch_norms_give():
    net, x = digits.network(), digits.held_out()[0][:2]
    gamma, beta, mean, variance = net["stem.norm"][:, :, None, None]
    without = digits.convolved({"stem.weights": net["stem.weights"], "stem.bias": np.zeros(32, np.float32)}, "stem", x)

    folded = digits.convolved(digits.folded(net), "stem", x)

    np.testing.assert_allclose(folded, gamma * (without - mean) / np.sqrt(variance + 1e-5) + beta, atol=1e-5)


def test_the_engine_gives_the_logits_of_numpy():
    images = digits.held_out()[0][:BATCH]

    expected = digits.logits(digits.folded(digits.network()), images)

    np.testing.assert_allclose(logits_of_engine(images), expected, atol=1e-3)


@pytest.mark.parametrize("left_out", [(), digits.AT_THE_ENDS])
def test_the_engine_in_int8_rounds_what_numpy_rounds(left_out):
    images, plain = digits.held_out()[0][:BATCH], digits.folded(digits.network())
    scales = digits.scales(plain, digits.for_tuning()[0][:200])
    scales = {name: scale for name, scale in scales.items() if name not in left_out}
    weights = {f"{name}.weights": plain[f"{name}.weights"] for name, tensor in digits.READS.items() if tensor in scales}
    weights = {name: digits.rounded(w, digits.weight_steps(w)) for name, w in weights.items()}

    expected = digits.logits(
        plain | weights, images, lambda name, x: digits.rounded(x, scales[name]) if name in scales else x
    )
    given = logits_of_engine(images, scales)
    exact = digits.logits(plain, images)

    assert np.abs(given - expected).max() < 0.2 * np.abs(expected - exact).max()


@pytest.mark.parametrize("name", ["stem", "block1.second", "block2.first", "block2.shortcut", "block3.first"])
def test_gradients_of_training_are_slopes_of_the_loss(name):
    training, rng = resnet_training.Training(3), np.random.default_rng(4)
    for layer in training.layers.values():  # float64: differences of losses are small
        layer.weights, layer.norm = layer.weights.astype(np.float64), layer.norm.astype(np.float64)
    x, labels = rng.random((6, 12, 12, 1)), np.arange(6)
    weights, at = training.layers[name].weights, (1, 2)
    training.gradients(x, labels)
    slope = training.layers[name].gradients["weights"][at]

    losses = []
    for by in (1e-5, -2e-5):
        weights[at] += by
        losses.append(training.gradients(x, labels))

    assert slope == pytest.approx((losses[0] - losses[1]) / 2e-5, rel=1e-2, abs=1e-6)
