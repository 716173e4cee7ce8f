"""Transformers, node by node as PyTorch exports them: the encoder of BERT-base, and a small vision transformer.

Weights are drawn from a seed. In INT8 every product's input, the queries, keys and values, and every sum go through Q
and DQ; what softmax, normalisation and GELU compute stays as it is.
"""

from __future__ import annotations

import math

import numpy as np
import onnx

from benchmarks.models.writer import Tensor, Writer

PATCH = 16


def bert_base(
    int8: bool = False,
    batch: int = 1,
    size: int = 128,
    seed: int = 0,
    hidden: int = 768,
    heads: int = 12,
    depth: int = 12,
    sample: int = 32,
) -> onnx.ModelProto:
    """BERT-base's encoder: embeddings (batch, size, hidden) in, hidden states out; no mask, so every token is real.

    size: tokens of a sequence; sample: of the sequence behind the scales.
    """
    w = Writer("bert_base", seed, int8)
    x = w.input("input", (batch, size, hidden), (1, sample, hidden))
    for layer in range(depth):
        name = f"layer.{layer}"
        attended = attention(w, x, heads, batch, size, f"{name}.attention", separate=True)
        x = layer_norm(w, summed(w, attended, x, f"{name}.attention.add"), f"{name}.attention.norm")
        x = layer_norm(w, summed(w, feed_forward(w, x, name), x, f"{name}.add"), f"{name}.norm")
    return w.finish(x, (batch, size, hidden))


def vit_small(
    int8: bool = False,
    batch: int = 1,
    size: int = 224,
    seed: int = 0,
    hidden: int = 384,
    heads: int = 6,
    depth: int = 12,
    classes: int = 1000,
    sample: int = 48,
) -> onnx.ModelProto:
    """ViT-S/16 with its tokens averaged before the classifier: normalisation first, queries, keys and values in one.

    sample: size of the images behind the scales.
    """
    w = Writer("vit_small", seed, int8)
    tokens, seen = (size // PATCH) ** 2, (sample // PATCH) ** 2
    x = patches(w, w.input("input", (batch, 3, size, size), (1, 3, sample, sample)), hidden, batch, tokens)
    places = w.rng.normal(0, 0.5, (1, tokens, hidden)).astype(np.float32)
    x = quantised(w, x, "patches.tokens")
    x = w.add("Add", [x.name, w.weight("places", places)], "embedded", x.sample + places[:, :seen])
    x = quantised(w, x, "embedded")
    for layer in range(depth):
        name = f"blocks.{layer}"
        y = layer_norm(w, x, f"{name}.norm1")
        x = summed(w, attention(w, y, heads, batch, tokens, f"{name}.attention", separate=False), x, f"{name}.add1")
        y = feed_forward(w, layer_norm(w, x, f"{name}.norm2"), name)
        x = summed(w, y, x, f"{name}.add2")
    x = quantised(w, layer_norm(w, x, "norm"), "norm")
    mean = w.add("ReduceMean", [x.name], "mean", x.sample.mean(axis=1), axes=[1], keepdims=0)
    return w.finish(linear(w, mean, classes, "head"), (batch, classes))


def quantised(w: Writer, x: Tensor, name: str) -> Tensor:
    """Through Q and DQ in an INT8 model, else as it is."""
    return w.fake_quantised(x, f"{name}.stored") if w.quantised else x


def summed(w: Writer, x: Tensor, skip: Tensor, name: str) -> Tensor:
    """x + skip, which a normalisation and the next skip read."""
    return quantised(w, w.residual(x, skip, name), name)


def linear(w: Writer, x: Tensor, features: int, name: str) -> Tensor:
    """MatMul and Add, the weights (K, N)."""
    terms = x.sample.shape[-1]
    weights = w.rng.standard_normal((terms, features)).astype(np.float32) * np.float32(terms**-0.5)
    bias = w.rng.normal(0, 0.1, features).astype(np.float32)
    if w.quantised:
        x, source = w.fake_quantised(x, f"{name}.input"), w.quantised_weights(weights, f"{name}.weight", 1)
    else:
        source = w.weight(f"{name}.weight", weights)
    product = w.add("MatMul", [x.name, source], f"{name}.matmul", x.sample @ weights)
    return w.add("Add", [product.name, w.weight(f"{name}.bias", bias)], name, product.sample + bias)


def layer_norm(w: Writer, x: Tensor, name: str) -> Tensor:
    scale = np.asarray(w.rng.uniform(0.5, 1.5, x.sample.shape[-1]), np.float32)
    shift = np.asarray(w.rng.normal(0, 0.1, x.sample.shape[-1]), np.float32)
    centred = x.sample - x.sample.mean(axis=-1, keepdims=True)
    sample = centred / np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + 1e-5) * scale + shift
    inputs = [x.name, w.weight(f"{name}.weight", scale), w.weight(f"{name}.bias", shift)]
    return w.add("LayerNormalization", inputs, name, sample.astype(np.float32), axis=-1, epsilon=1e-5)


def gelu(w: Writer, x: Tensor, name: str) -> Tensor:
    """x * (1 + erf(x / sqrt(2))) * 0.5, as exporters spell it."""
    erf = np.vectorize(math.erf, otypes=[np.float32])(x.sample / np.float32(math.sqrt(2)))
    scaled = w.add("Div", [x.name, w.weight(f"{name}.root", np.float32(math.sqrt(2)))], f"{name}.scaled", x.sample)
    curve = w.add("Erf", [scaled.name], f"{name}.erf", erf)
    total = w.add("Add", [curve.name, w.weight(f"{name}.one", np.float32(1))], f"{name}.total", erf)
    both = w.add("Mul", [x.name, total.name], f"{name}.both", x.sample)
    sample = (x.sample * (1 + erf) * np.float32(0.5)).astype(np.float32)
    return w.add("Mul", [both.name, w.weight(f"{name}.half", np.float32(0.5))], name, sample)


def feed_forward(w: Writer, x: Tensor, name: str) -> Tensor:
    hidden = x.sample.shape[-1]
    inner = gelu(w, linear(w, x, 4 * hidden, f"{name}.intermediate"), f"{name}.gelu")
    return linear(w, inner, hidden, f"{name}.output")


def reshaped(w: Writer, x: Tensor, shape: tuple[int, ...], sample: np.ndarray, name: str) -> Tensor:
    """A Reshape whose target is that of the model, not of the sample."""
    return w.add("Reshape", [x.name, w.weight(f"{name}.shape", np.array(shape, np.int64))], name, sample)


def attention(w: Writer, x: Tensor, heads: int, batch: int, tokens: int, name: str, separate: bool) -> Tensor:
    """Scaled dot products of all heads. separate: three linear layers, else one whose result is split."""
    hidden, seen = x.sample.shape[-1], x.sample.shape[1]
    if separate:
        parts = [linear(w, x, hidden, f"{name}.{part}") for part in ("query", "key", "value")]
    else:
        parts = split(w, quantised(w, linear(w, x, 3 * hidden, f"{name}.qkv"), f"{name}.qkv"), hidden, name)
    if separate:
        parts = [quantised(w, part, part.name) for part in parts]
    size = hidden // heads
    q, k, v = (
        by_heads(w, part, (batch, tokens, heads, size), order, f"{name}.{letter}")
        for part, order, letter in zip(parts, ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3)), "qkv", strict=True)
    )
    scores = w.add("MatMul", [q.name, k.name], f"{name}.scores", q.sample @ k.sample)
    root = np.float32(math.sqrt(size))
    scores = w.add("Div", [scores.name, w.weight(f"{name}.root", root)], f"{name}.scaled", scores.sample / root)
    exponentials = np.exp(scores.sample - scores.sample.max(axis=-1, keepdims=True))
    sample = exponentials / exponentials.sum(axis=-1, keepdims=True)
    weights = w.add("Softmax", [scores.name], f"{name}.softmax", sample, axis=-1)
    y = w.add("MatMul", [weights.name, v.name], f"{name}.context", sample @ v.sample)
    moved = y.sample.transpose(0, 2, 1, 3)
    y = w.add("Transpose", [y.name], f"{name}.together", moved, perm=[0, 2, 1, 3])
    y = reshaped(w, y, (batch, tokens, hidden), moved.reshape(1, seen, hidden), f"{name}.flat")
    return linear(w, y, hidden, f"{name}.projection")


def by_heads(w: Writer, x: Tensor, shape: tuple[int, ...], order: tuple[int, ...], name: str) -> Tensor:
    """(batch, tokens, hidden) -> the axes of `shape` in this order."""
    sample = x.sample.reshape(*x.sample.shape[:2], *shape[2:])
    x = reshaped(w, x, shape, sample, f"{name}.reshape")
    return w.add("Transpose", [x.name], f"{name}.transpose", sample.transpose(order), perm=list(order))


def split(w: Writer, x: Tensor, hidden: int, name: str) -> list[Tensor]:
    """The thirds of the last axis."""
    found = []
    for part, letter in enumerate("qkv"):
        bounds = [
            w.weight(f"{name}.{letter}.{key}", np.array([value], np.int64))
            for key, value in (("from", part * hidden), ("to", (part + 1) * hidden), ("axis", 2))
        ]
        sample = x.sample[..., part * hidden : (part + 1) * hidden]
        found.append(w.add("Slice", [x.name, *bounds], f"{name}.{letter}.slice", sample))
    return found


def patches(w: Writer, x: Tensor, hidden: int, batch: int, tokens: int) -> Tensor:
    """Images as tokens: a convolution whose windows do not overlap, then channels last."""
    fan_in = 3 * PATCH * PATCH
    weights = w.rng.standard_normal((hidden, 3, PATCH, PATCH)).astype(np.float32) * np.float32(fan_in**-0.5)
    bias = w.rng.normal(0, 0.1, hidden).astype(np.float32)
    side = x.sample.shape[2] // PATCH
    cut = x.sample.reshape(1, 3, side, PATCH, side, PATCH).transpose(0, 2, 4, 1, 3, 5).reshape(1, side * side, fan_in)
    sample = cut @ weights.reshape(hidden, -1).T + bias
    if w.quantised:
        x, source = w.fake_quantised(x, "patches.input"), w.quantised_weights(weights, "patches.weight", 0)
    else:
        source = w.weight("patches.weight", weights)
    inputs = [x.name, source, w.weight("patches.bias", bias)]
    attributes = dict(kernel_shape=[PATCH] * 2, strides=[PATCH] * 2, pads=[0] * 4)
    y = w.add("Conv", inputs, "patches", sample, **attributes)
    y = reshaped(w, y, (batch, hidden, tokens), sample, "patches.flat")
    return w.add("Transpose", [y.name], "patches.tokens", sample, perm=[0, 2, 1])
