"""Softmax and normalisation: layer, instance, group, RMS, batch and local response."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates


@evaluates("softmax")
def softmax(op: Op, x: np.ndarray) -> np.ndarray:
    """exp(x - max) / sum over attrs["axes"] together; log: its logarithm."""
    axes = tuple(op.attrs["axes"])
    shifted = x - np.max(x, axis=axes, keepdims=True) if x.size else x
    if op.attrs.get("log"):
        return shifted - np.log(np.sum(np.exp(shifted), axis=axes, keepdims=True))
    exponentials = np.exp(shifted)
    return exponentials / np.sum(exponentials, axis=axes, keepdims=True)


@evaluates("norm")
def norm(op: Op, x: np.ndarray, scale=None, bias=None) -> np.ndarray | tuple[np.ndarray, ...]:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias over attrs["axes"]; further outputs: mean, 1 / deviation.

    groups: the channels (axis 1) are split first, so that (N,C,...) normalises over (C/groups,...).
    """
    axes, epsilon = tuple(axis % x.ndim for axis in op.attrs["axes"]), np.float32(op.attrs["epsilon"])
    groups, shape = op.attrs.get("groups", 1), x.shape
    if groups > 1:
        x = x.reshape(shape[0], groups, shape[1] // groups, *shape[2:])
        axes = tuple(range(2, x.ndim))
    mean = np.mean(x, axis=axes, keepdims=True) if op.attrs.get("mean", True) else np.zeros((), x.dtype)
    centred = x - mean
    inverse = 1 / np.sqrt(np.mean(np.square(centred), axis=axes, keepdims=True) + epsilon)
    result = (centred * inverse).reshape(shape)
    if scale is not None:
        result = result * channelwise(scale, op, result.ndim)
    if bias is not None:
        result = result + channelwise(bias, op, result.ndim)
    return result.astype(np.float32), np.asarray(mean, np.float32), inverse.astype(np.float32)


def channelwise(parameter: np.ndarray, op: Op, rank: int) -> np.ndarray:
    """A scale or bias that broadcasts: along axis 1 with per_channel, else as numpy does."""
    if op.attrs.get("per_channel") and parameter.ndim == 1:
        return parameter.reshape(-1, *[1] * (rank - 2))
    return parameter


@evaluates("batch_norm")
def batch_norm(op: Op, x, scale, bias, mean, variance) -> tuple[np.ndarray, ...]:
    """Inference: with given mean and variance. attrs["training"]: with the batch's own, and running ones as outputs."""
    epsilon, axes = np.float32(op.attrs.get("epsilon", 1e-5)), (0, *range(2, x.ndim))
    running_mean, running_variance = mean, variance
    if op.attrs.get("training"):
        momentum = np.float32(op.attrs.get("momentum", 0.9))
        mean_now, variance_now = x.mean(axis=axes), x.var(axis=axes)
        running_mean = mean * momentum + mean_now * (1 - momentum)
        running_variance = variance * momentum + variance_now * (1 - momentum)
        mean, variance = mean_now, variance_now
    scale, bias, mean, variance = (v.reshape(-1, *[1] * (x.ndim - 2)) for v in (scale, bias, mean, variance))
    return scale * (x - mean) / np.sqrt(variance + epsilon) + bias, running_mean, running_variance


@evaluates("lrn")
def lrn(op: Op, x: np.ndarray) -> np.ndarray:
    """Local response: x / (k + alpha / size * sum of squares over `size` neighbouring channels) ** beta."""
    size, channels = op.attrs["size"], x.shape[1]
    squares, sums = np.square(x), np.zeros_like(x)
    for c in range(channels):
        low, high = max(0, c - (size - 1) // 2), min(channels, c + size // 2 + 1)
        sums[:, c] = squares[:, low:high].sum(axis=1)
    return x / (op.attrs.get("k", 1.0) + op.attrs["alpha"] / size * sums) ** op.attrs["beta"]
