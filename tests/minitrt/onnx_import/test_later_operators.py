"""Operators that are made of others while importing, and samples between elements: beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper

from tests.minitrt.engines import expected_of, model_of, results_of

rng = np.random.default_rng(4)


def drawn(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def whole(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


GRID, CUBE = {"g": 1.2 * np.tanh(drawn(1, 3, 4, 2))}, {"g": 1.2 * np.tanh(drawn(1, 3, 4, 2, 3))}
SCORES, LABELS = {"x": drawn(3, 5)}, {"l": whole(1, 0, 4)}
MEL = {"b": np.int64(8), "n": np.int64(64), "r": np.int64(8000), "l": np.float32(20), "h": np.float32(3800)}
MASKED = {"o": 0.5 * drawn(1, 16, 4, 4), "b": drawn(4), "m": drawn(1, 8, 4, 4)}
CASES = {  # operator: (opset, inputs, weights, attributes)
    "TensorScatter": (24, {"x": drawn(2, 3, 5, 4), "u": drawn(2, 3, 2, 4), "i": whole(1, 2)}, {}, {}),
    "TensorScatter, at the start": (24, {"x": drawn(2, 5, 4), "u": drawn(2, 3, 4)}, {}, {"axis": 1}),
    "TensorScatter, around the end": (24, {"x": drawn(2, 5, 4), "u": drawn(2, 3, 4), "i": whole(4, 2)}, {},
                                      {"axis": 1, "mode": "circular"}),
    "AffineGrid": (20, {"x": drawn(2, 2, 3)}, {"s": whole(2, 3, 5, 6)}, {}),
    "AffineGrid, volume": (20, {"x": drawn(2, 3, 4)}, {"s": whole(2, 3, 5, 6, 4)}, {"align_corners": 1}),
    "CenterCropPad": (18, {"x": drawn(2, 3, 9, 5)}, {"s": whole(6, 8)}, {"axes": [2, 3]}),
    "SoftmaxCrossEntropyLoss": (13, SCORES, LABELS, {}),
    "NegativeLogLikelihoodLoss": (13, SCORES, LABELS, {"reduction": "sum"}),
    "Col2Im": (18, {"x": drawn(1, 5, 5)}, {"i": whole(5, 5), "b": whole(1, 5)}, {}),
    "Col2Im, steps": (18, {"x": drawn(2, 18, 12)}, {"i": whole(8, 9), "b": whole(2, 3)},
                      {"strides": [2, 3], "pads": [0, 1, 0, 1]}),
    "Col2Im, places that nothing reaches": (18, {"x": drawn(2, 8, 9)}, {"i": whole(6, 7), "b": whole(2, 2)},
                                            {"strides": [2, 2], "pads": [0, 0, 1, 0], "dilations": [2, 2]}),
    "MelWeightMatrix": (17, {}, MEL, {}),
    "DeformConv": (19, {"x": drawn(1, 4, 5, 5)}, {"w": drawn(4, 2, 2, 2)} | MASKED, {"offset_group": 2, "group": 2}),
    **{f"GridSample, {mode}, {padding}, {align}":
       (16, {"x": drawn(1, 2, 5, 6)}, GRID, {"mode": mode, "padding_mode": padding, "align_corners": align})
       for mode in ("bicubic", "bilinear", "nearest") for padding in ("zeros", "border", "reflection")
       for align in (0, 1)},
    **{f"GridSample, volume, {mode}": (20, {"x": drawn(1, 2, 5, 6, 4)}, CUBE, {"mode": mode})
       for mode in ("linear", "nearest")},
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_gives_what_onnx_runtime_gives(name):
    opset, feeds, weights, attrs = CASES[name]
    if name.startswith("DeformConv"):
        weights = {key: weights[key] for key in "wobm"}
    node = helper.make_node(name.split(",")[0], [*feeds, *weights], ["y"], **attrs)
    declared = {key: (array.dtype, array.shape) for key, array in feeds.items()}
    model = model_of([node], declared, ["y"], weights, opset)
    model.ir_version = 11

    np.testing.assert_allclose(results_of(model, feeds)["y"], expected_of(model, feeds)["y"], rtol=2e-5, atol=1e-5)
