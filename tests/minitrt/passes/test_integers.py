"""INT8 that Q gives, or DQ takes, is integers to everything else: what ONNX Runtime makes of it comes out."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest

from tests.minitrt.engines import engine_of, expected_of, layers_of, results_of

HEAD = '<ir_version: 10, opset_import: ["" : 21]> g '
SCALE = "s = Constant<value = float {0.0371}>() z = Constant<value = int8 {0}>() "
Q = SCALE + "q = QuantizeLinear(x, s, z) "
FLAT = "shape = Constant<value = int64[2] {2, 6}>() r = Reshape(q, shape) "
FEW = "w = Constant<value = int8[4,1] {3, -50, 7, 100}>() "
HOLDS = "t = Constant<value = float {0.1}>() c = Greater(x, t) "
OTHER = "o = Constant<value = float {0.5}>() "
TEXTS = {
    "a Cast": f"(float[3,4] x) => (float[3,4] y) {{ {Q} y = Cast<to = 1>(q) }}",
    "a Cast to integers, and an output": f"(float[3,4] x) => (int32[3,4] y, int8[3,4] q) {{ {Q} y = Cast<to = 6>(q) }}",
    "a product of integers": f"(float[3,4] x) => (int32[3,1] y) {{ {Q}{FEW} y = MatMulInteger(q, w) }}",
    "moved, then a Cast": f"(float[3,4] x) => (float[2,6] y) {{ {Q}{FLAT} y = Cast<to = 1>(r) }}",
    "moved, then an output": f"(float[3,4] x) => (int8[2,6] r) {{ {Q}{FLAT} }}",
    "moved, then DQ": f"(float[3,4] x) => (float[2,6] y) {{ {Q}{FLAT} y = DequantizeLinear(r, s, z) }}",
    "moved, then DQ of another scale": (
        f"(float[3,4] x) => (float[2,6] y) {{ {Q}{FLAT}{OTHER} y = DequantizeLinear(r, o, z) }}"),
    "pooled, then DQ": (
        f"(float[3,4] x) => (float[1,3,3] y) {{ {Q} a = Constant<value = int64[1] {{0}}>() u = Unsqueeze(q, a)"
        " r = MaxPool<kernel_shape = [2]>(u) y = DequantizeLinear(r, s, z) }"),
    "joined with integers": (
        f"(float[3,4] x) => (float[4,4] y) {{ {Q} k = Constant<value = int8[1,4] {{1, 2, 3, 4}}>()"
        " j = Concat<axis = 0>(q, k) y = DequantizeLinear(j, s, z) }"),
    "chosen, then DQ": (
        f"(float[3,4] x) => (float[3,4] y) {{ {Q}{HOLDS} r = Where(c, q, z) y = DequantizeLinear(r, s, z) }}"),
    "the larger one": f"(float[3,4] x) => (float[3,4] y) {{ {Q} r = Max(q, z) y = DequantizeLinear(r, s, z) }}",
    "made by a Cast, then DQ": (
        f"(float[3,4] x) => (float[3,4] y) {{ {SCALE} n = Constant<value = float {{20.0}}>() f = Mul(x, n)"
        " q = Cast<to = 3>(f) y = DequantizeLinear(q, s, z) }"),
    "an input, DQ and a Cast": (
        f"(int8[3,4] x) => (float[3,4] y) {{ {SCALE} a = DequantizeLinear(x, s, z)"
        " b = Cast<to = 1>(x) y = Add(a, b) }"),
    "an input, moved, then DQ": (
        f"(int8[3,4] x) => (float[4,3] y) {{ {SCALE} r = Transpose(x) y = DequantizeLinear(r, s, z) }}"),
    "a scale a channel, moved, then DQ": (
        "(float[3,4] x) => (float[4,3] y) { s = Constant<value = float[4] {0.03, 0.05, 0.02, 0.1}>()"
        " z = Constant<value = int8[4] {0, 0, 0, 0}>() q = QuantizeLinear<axis = 1>(x, s, z) r = Transpose(q)"
        " y = DequantizeLinear<axis = 0>(r, s, z) }"),
    "weights, DQ and a product of integers": (
        f"(float[3,4] x) => (float[3,1] y, int32[3,1] p) {{ {Q}{FEW} v = DequantizeLinear(w, s, z) y = MatMul(x, v)"
        " p = MatMulInteger(q, w) }"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_integers_stay_integers(name):
    model, rng = onnx.parser.parse_model(HEAD + TEXTS[name]), np.random.default_rng(0)
    whole = TEXTS[name].startswith("(int8")
    feeds = {"x": rng.integers(-100, 100, (3, 4)).astype(np.int8) if whole else rng.normal(size=(3, 4))}
    feeds = {key: each if whole else each.astype(np.float32) for key, each in feeds.items()}
    found = results_of(model, feeds)

    for output, expected in expected_of(model, feeds).items():
        assert found[output].dtype == expected.dtype
        np.testing.assert_allclose(found[output], expected, rtol=1e-6, atol=1e-6)


def test_what_only_moves_between_q_and_dq_stays_int8():
    model = onnx.parser.parse_model(HEAD + TEXTS["moved, then DQ"])

    assert sum("Int8" in layer["Outputs"][0]["Format/Datatype"] for layer in layers_of(engine_of(model))) == 2
