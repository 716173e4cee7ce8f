"""STFT, DFT and windows against ONNX Runtime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tests.minitrt.engines import expected_of, model_of, results_of

rng = np.random.default_rng(0)
NODE = onnx.helper.make_node
SIGNAL = rng.standard_normal((2, 96, 1)).astype(np.float32)


def compare(model, feeds):
    found, expected = results_of(model, feeds), expected_of(model, feeds)
    for name, array in expected.items():
        assert array.shape == found[name].shape
        np.testing.assert_allclose(found[name], array, atol=1e-5 * max(1, np.abs(array).max()), err_msg=name)


@pytest.mark.parametrize("windowed", [True, False])
@pytest.mark.parametrize("one_sided", [0, 1])
def test_a_short_time_transform_is_a_convolution(windowed, one_sided):
    weights = {"step": np.int64(8), "window": np.hanning(16).astype(np.float32), "size": np.int64(16)}
    node = NODE("STFT", ["x", "step", "window" if windowed else "", "size"], ["y"], onesided=one_sided)

    compare(model_of([node], {"x": (np.float32, SIGNAL.shape)}, ["y"], weights), {"x": SIGNAL})


def test_a_short_time_transform_of_an_open_length():
    weights = {"step": np.int64(4), "window": np.hanning(8).astype(np.float32)}
    node = NODE("STFT", ["x", "step", "window"], ["y"])

    compare(model_of([node], {"x": (np.float32, ["n", "t", 1])}, ["y"], weights), {"x": SIGNAL})


@pytest.mark.parametrize("kind", ["HannWindow", "HammingWindow", "BlackmanWindow"])
@pytest.mark.parametrize("periodic", [0, 1])
def test_a_window_is_weights(kind, periodic):
    nodes = [NODE(kind, ["n"], ["w"], periodic=periodic), NODE("Mul", ["x", "w"], ["y"])]

    compare(model_of(nodes, {"x": (np.float32, [10])}, ["y"], {"n": np.int64(10)}), {"x": np.ones(10, np.float32)})


@pytest.mark.parametrize("axis", [1, 2])
@pytest.mark.parametrize(("parts", "attrs"), [(1, dict(onesided=1)), (1, {}), (2, {}), (2, dict(inverse=1))])
@pytest.mark.parametrize("length", [None, 5, 7])
def test_a_transform_is_a_product(axis, parts, attrs, length):
    x = rng.standard_normal((2, 7, 7, parts)).astype(np.float32)
    node = NODE("DFT", ["x", "n"] if length else ["x"], ["y"], axis=axis, **attrs)
    weights = {"n": np.int64(length)} if length else {}

    compare(model_of([node], {"x": (np.float32, x.shape)}, ["y"], weights), {"x": x})
