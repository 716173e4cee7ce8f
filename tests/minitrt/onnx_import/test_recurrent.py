"""Recurrent layers with what ONNX lets them have, beside ONNX Runtime."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from onnx import helper

from tests.minitrt.engines import expected_of, model_of, results_of

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
TIME, BATCH, SIZE, HIDDEN = 5, 2, 3, 4
OPTIONAL = ("b", "lengths", "h", "c", "p")
ACTIVATIONS = {"LSTM": ["HardSigmoid", "Softsign", "Elu"], "GRU": ["HardSigmoid", "Softsign"], "RNN": ["Relu"]}
WAYS = {"forward": 1, "reverse": 1, "bidirectional": 2}


def check(kind: str, direction: str, seed: int, with_: str = "b", **attrs) -> None:
    rng, ways = np.random.default_rng(seed), WAYS[direction]
    rows = GATES[kind] * HIDDEN
    shapes = {"x": (TIME, BATCH, SIZE), "w": (ways, rows, SIZE), "r": (ways, rows, HIDDEN), "b": (ways, 2 * rows)}
    shapes |= dict.fromkeys("hc", (ways, BATCH, HIDDEN)) | {"p": (ways, 3 * HIDDEN)}
    arrays = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    arrays["lengths"] = np.array([TIME - 2, TIME], np.int32)
    optional = [name if name in with_.split() else "" for name in OPTIONAL[: 5 if kind == "LSTM" else 3]]
    weights = {name: arrays[name] for name in ("w", "r", *optional) if name}
    outputs = ["y", "last"] + (["memory"] if kind == "LSTM" else [])
    node = helper.make_node(kind, ["x", "w", "r", *optional], outputs, direction=direction, hidden_size=HIDDEN, **attrs)
    model = model_of([node], {"x": (np.float32, shapes["x"])}, outputs, weights)
    found, expected = results_of(model, {"x": arrays["x"]}), expected_of(model, {"x": arrays["x"]})
    for name in outputs:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-5, atol=2e-6, err_msg=name)


@pytest.mark.parametrize(("kind", "direction"), list(itertools.product(GATES, WAYS)))
def test_bounds_hold_for_the_sums_of_gates_alone(kind, direction):
    for seed in range(3):
        check(kind, direction, seed, "b lengths h c p", clip=0.5)


@pytest.mark.parametrize("kind", GATES)
def test_other_activations_and_couplings(kind):
    more = {"GRU": {"linear_before_reset": 1}, "LSTM": {"input_forget": 1}, "RNN": {}}[kind]
    check(kind, "forward", 0, activations=ACTIVATIONS[kind])
    check(kind, "bidirectional", 1, "b h", activations=ACTIVATIONS[kind] * 2)
    check(kind, "reverse", 2, "lengths c p", **more)
