"""Operators that ONNX Runtime writes for transformers and their weights of a few bits, against ONNX Runtime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tests.minitrt.engines import Heard, expected_of, model_of, parsed, results_of

rng = np.random.default_rng(3)
MASK = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 0]], np.int32)
TWO_HEADS = {"num_heads": 2}


def drawn(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def whole(high: int, *shape: int, dtype: str = "int32") -> np.ndarray:
    return rng.integers(0, high, shape).astype(dtype)


X, PROJECTION = {"x": drawn(2, 5, 8)}, {"w": drawn(8, 24), "b": drawn(24)}
THREE = {"q": drawn(2, 5, 8), "k": drawn(2, 7, 8), "v": drawn(2, 7, 8)}
STEP = {"q": drawn(2, 1, 8), "k": drawn(2, 1, 8), "v": drawn(2, 1, 8)}
WORDS = {"w": drawn(9, 8), "p": drawn(16, 8)}
NORM = {"g": drawn(8), "n": drawn(8)}
ROTARY = {"c": drawn(10, 4), "s": drawn(10, 4)}
CASES = {  # operator: (inputs that are given, weights, the order of both, outputs, attributes)
    "EmbedLayerNormalization": ({"i": whole(9, 2, 4)}, WORDS | NORM, "i - w p - g n", "y m", {}),
    "EmbedLayerNormalization, all": (
        {"i": whole(9, 2, 5), "t": whole(2, 2, 5), "m": MASK}, WORDS | {"e": drawn(2, 8)} | NORM, "i t w p e g n m",
        "y k", {"epsilon": 1e-5},
    ),
    "Attention": (X, PROJECTION, "x w b", "y", TWO_HEADS),
    "Attention, sizes": (X, {"w": drawn(8, 28), "b": drawn(28)}, "x w b", "y",
                         TWO_HEADS | {"qkv_hidden_sizes": [8, 8, 12], "scale": 0.3}),
    "Attention, masked keys": (X | {"m": MASK}, PROJECTION, "x w b m", "y", TWO_HEADS),
    "Attention, lengths": (X | {"m": MASK.sum(1, dtype=np.int32)}, PROJECTION, "x w b m", "y", TWO_HEADS),
    "Attention, masked pairs": (X | {"m": whole(2, 2, 5, 5)}, PROJECTION, "x w b m", "y", TWO_HEADS),
    "Attention, cached": (
        {"x": drawn(2, 1, 8), "p": drawn(2, 2, 2, 3, 4), "m": MASK[:, :4]}, PROJECTION, "x w b m p", "y c",
        TWO_HEADS | {"unidirectional": 1},
    ),
    "Attention, causal with scores": (X | {"s": drawn(1, 2, 5, 5)}, PROJECTION, "x w b - - s", "y",
                                      TWO_HEADS | {"unidirectional": 1}),
    "QAttention": (
        {"x": whole(255, 2, 5, 8, dtype="uint8"), "m": MASK},
        {"w": whole(255, 8, 24, dtype="uint8"), "b": drawn(24), "f": np.float32(0.02), "h": np.float32(0.01),
         "z": np.uint8(120), "o": np.uint8(128)}, "x w b f h m z o", "y", TWO_HEADS,
    ),
    "MultiHeadAttention": (THREE | {"m": np.array([5, 7], np.int32)}, {"b": drawn(24)}, "q k v b m", "y", TWO_HEADS),
    "MultiHeadAttention, cached": (
        STEP | {"c": drawn(2, 2, 4, 4), "d": drawn(2, 2, 4, 4)}, {}, "q k v - - - c d", "y e f", TWO_HEADS,
    ),
    "MultiHeadAttention, keys in heads": (
        {"q": drawn(2, 3, 8), "k": drawn(2, 2, 6, 4), "v": drawn(2, 2, 6, 4)}, {}, "q k v", "y", TWO_HEADS,
    ),
    "RotaryEmbedding": ({"x": drawn(2, 4, 16), "p": whole(10, 2, 4, dtype="int64")}, ROTARY, "x p c s", "y", {}),
    "RotaryEmbedding, from one place on": (
        {"x": drawn(2, 2, 4, 8), "p": np.array([3])}, ROTARY, "x p c s", "y", {"interleaved": 1},
    ),
    "GatherBlockQuantized": (
        {"i": np.array([1, 3, 9])}, {"w": whole(256, 10, 32, dtype="uint8"), "f": drawn(10, 4)}, "w i f", "y",
        {"gather_axis": 0, "quantize_axis": 1, "block_size": 16, "bits": 4},
    ),
}  # fmt: skip


def check(kind: str, feeds, weights, order: str, outputs: str, attrs) -> None:
    node = onnx.helper.make_node(kind, [name.strip("-") for name in order.split()], outputs.split(),
                                 domain="com.microsoft", **attrs)  # fmt: skip
    model = model_of(
        [node], {key: (array.dtype, array.shape) for key, array in feeds.items()}, outputs.split(), weights
    )
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    found, expected = results_of(model, feeds), expected_of(model, feeds)

    for key in outputs.split():
        np.testing.assert_allclose(found[key], expected[key], rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("name", CASES)
def test_it_is_the_several_operators_that_it_was_made_of(name):
    check(name.split(",")[0], *CASES[name])


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("terms", [64, 80], ids=["whole blocks", "a last block that is not full"])
@pytest.mark.parametrize("zero", [None, "packed", "float"])
def test_weights_of_a_few_bits_are_floats(zero, terms, bits):
    columns, block = 6, 32
    blocks = -(-terms // block)
    weights = {"w": whole(256, columns, blocks, block * bits // 8, dtype="uint8"), "s": drawn(columns * blocks)}
    if zero:
        packed = whole(256, columns * -(-blocks * bits // 8), dtype="uint8")
        weights["z"] = packed if zero == "packed" else drawn(columns * blocks)
    attrs = {"K": terms, "N": columns, "bits": bits, "block_size": block}
    if not (zero == "float" and bits == 8):  # which ONNX Runtime has not
        check("MatMulNBits", {"x": drawn(2, 3, terms)}, weights, f"x {' '.join(weights)}", "y", attrs)


def test_packed_queries_keys_and_values_are_refused_by_name():
    node = onnx.helper.make_node("MultiHeadAttention", ["q"], ["y"], domain="com.microsoft", num_heads=2)
    model, logger = model_of([node], {"q": (np.float32, (2, 3, 2, 3, 4))}, ["y"]), Heard()
    with pytest.raises(AssertionError):
        parsed(model, logger)

    assert "packed queries, keys and values is not supported: export it with three inputs" in logger.errors[0]
