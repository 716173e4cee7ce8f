"""Training of a three-layer CNN in NumPy: enough for digits, and nothing to install.

Quantisation-aware training rounds what the engine will round on the way forward, and pretends on the way back that it
did not (the straight-through estimator).
Source: B. Jacob et al., "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference".
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from minitrt.reference.convolution import windows

SAME = {"pads_before": [1, 1], "pads_after": [1, 1]}


STEPS = 127  # of a symmetric range, on either side of 0
CHANNEL = {"w1": 0, "w2": 0, "w3": 1}  # the axis of each weight's output channels
Scales = dict[str, np.ndarray]


@dataclass
class Network:
    """weights: w1 (8,1,3,3), b1, w2 (16,8,3,3), b2, w3 (256,10), b3. scales: of what was trained to be rounded."""

    weights: dict[str, np.ndarray]
    scales: Scales = field(default_factory=dict)


def rounded(x: np.ndarray, scale: np.ndarray | None) -> np.ndarray:
    """What Q and DQ leave of x; x itself without a scale."""
    if scale is None:
        return x
    return (np.clip(np.rint(x / scale), -STEPS - 1, STEPS) * scale).astype(np.float32)


def scale_of(w: np.ndarray, axis: int) -> np.ndarray:
    """One scale a channel, shaped to be divided by."""
    others = tuple(a for a in range(w.ndim) if a != axis)
    return (np.abs(w).max(axis=others, keepdims=True) / STEPS).astype(np.float32)


def initial(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = {"w1": (8, 1, 3, 3), "w2": (16, 8, 3, 3), "w3": (256, 10)}
    weights = {}
    for name, shape in shapes.items():
        fan_in = shape[0] if name == "w3" else int(np.prod(shape[1:]))
        weights[name] = (rng.standard_normal(shape) * (2 / fan_in) ** 0.5).astype(np.float32)
        weights[name.replace("w", "b")] = np.zeros(shape[1] if name == "w3" else shape[0], np.float32)
    return weights


def conv(x: np.ndarray, w: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The convolution, and its patches (N, H, W, C*9) for the way back."""
    patches, _ = windows(x, (3, 3), SAME, 0)
    rows = patches.transpose(0, 2, 3, 1, 4, 5).reshape(x.shape[0], *x.shape[2:], -1)
    return (rows @ w.reshape(len(w), -1).T + b).transpose(0, 3, 1, 2), rows


def conv_back(grad: np.ndarray, rows: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients of input, weights and bias."""
    flat = grad.transpose(0, 2, 3, 1)
    dw = np.tensordot(flat, rows, ([0, 1, 2], [0, 1, 2])).reshape(w.shape)
    turned = w.transpose(1, 0, 2, 3)[:, :, ::-1, ::-1]
    dx, _ = conv(grad, np.ascontiguousarray(turned), np.zeros(w.shape[1], np.float32))
    return dx, dw, flat.sum(axis=(0, 1, 2))


def gradients(
    exact: dict[str, np.ndarray], x: np.ndarray, labels: np.ndarray, scales: Scales | None = None
) -> dict[str, np.ndarray]:
    """Of the mean cross entropy. scales: of the tensors x, r1 and flat, whose rounding and that of the weights is to
    be learnt; without them nothing is rounded."""
    known = scales or {}
    weights = {k: rounded(w, scale_of(w, CHANNEL[k]) if scales and k in CHANNEL else None) for k, w in exact.items()}
    c1, rows1 = conv(rounded(x, known.get("x")), weights["w1"], weights["b1"])
    r1 = rounded(np.maximum(c1, 0), known.get("r1"))
    c2, rows2 = conv(r1, weights["w2"], weights["b2"])
    r2 = np.maximum(c2, 0)
    n, k, h, w = r2.shape
    blocks = r2.reshape(n, k, h // 2, 2, w // 2, 2)
    pooled = blocks.max(axis=(3, 5))
    flat = rounded(pooled.reshape(n, -1), known.get("flat"))
    logits = flat @ weights["w3"] + weights["b3"]
    p = np.exp(logits - logits.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    p[np.arange(n), labels] -= 1
    p /= n
    d_pooled = (p @ weights["w3"].T).reshape(pooled.shape)
    chosen = blocks == pooled[:, :, :, None, :, None]
    d_r2 = (chosen * d_pooled[:, :, :, None, :, None]).reshape(r2.shape).astype(np.float32)
    d_r1, dw2, db2 = conv_back(d_r2 * (c2 > 0), rows2, weights["w2"])
    _, dw1, db1 = conv_back(d_r1 * (c1 > 0), rows1, weights["w1"])
    return {"w1": dw1, "b1": db1, "w2": dw2, "b2": db2, "w3": flat.T @ p, "b3": p.sum(0)}


def activations(weights: dict[str, np.ndarray], x: np.ndarray) -> dict[str, np.ndarray]:
    """The tensors that quantisation rounds, by the names that `gradients` has for them."""
    r1 = np.maximum(conv(x, weights["w1"], weights["b1"])[0], 0)
    r2 = np.maximum(conv(r1, weights["w2"], weights["b2"])[0], 0)
    n, k, h, w = r2.shape
    return {"x": x, "r1": r1, "flat": r2.reshape(n, k, h // 2, 2, w // 2, 2).max(axis=(3, 5)).reshape(n, -1)}


def train_quantised(net: Network, x: np.ndarray, labels: np.ndarray, seed: int, epochs: int) -> Network:
    """The network trained on with its rounding: ranges are those of the training images, and stay."""
    scales = {name: np.float32(np.abs(a).max() / STEPS) for name, a in activations(net.weights, x).items()}
    return train(x, labels, seed, epochs, rate=3e-4, start=net.weights, scales=scales)


def train(
    x: np.ndarray, labels: np.ndarray, seed: int, epochs: int, batch: int = 32, rate: float = 3e-3,
    start: dict[str, np.ndarray] | None = None, scales: Scales | None = None,
) -> Network:  # fmt: skip
    """Adam for some epochs over x (N,1,8,8) in [0, 1]; the same seed gives the same network."""
    weights, rng = dict(start or initial(seed)), np.random.default_rng(seed + 1)
    first = {name: np.zeros_like(w) for name, w in weights.items()}
    second = {name: np.zeros_like(w) for name, w in weights.items()}
    step = 0
    for _ in range(epochs):
        order = rng.permutation(len(x))
        for first_of in range(0, len(x) - batch + 1, batch):
            chosen, step = order[first_of : first_of + batch], step + 1
            for name, gradient in gradients(weights, x[chosen], labels[chosen], scales).items():
                first[name] += 0.1 * (gradient - first[name])
                second[name] += 0.001 * (np.square(gradient) - second[name])
                scaled = first[name] / (1 - 0.9**step) / (np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
                weights[name] = (weights[name] - rate * scaled).astype(np.float32)
    return Network(weights, scales or {})
