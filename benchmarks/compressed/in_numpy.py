"""What a layer's forward and backward passes are made of, in NumPy: the same methods as `OnKernels` has, to compare."""

from __future__ import annotations

import numpy as np

from benchmarks.models.resnet_training import patches_back, patches_of
from minitrt.samples.digits import rounded


def _rounded(v: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Whole steps of v; v itself where step is 0."""
    safe = np.where(step == 0, np.float32(1), step).astype(np.float32)
    return np.where(step == 0, v, rounded(v, safe)).astype(np.float32)


class InNumpy:
    """Arrays are NumPy's; pictures are (N, height, width, channels), factors of products (rows, inner)."""

    def put(self, array: np.ndarray) -> np.ndarray:
        return np.array(array)

    def get(self, array: np.ndarray) -> np.ndarray:
        return array

    def product(self, x, x_step: np.float32, weights, steps) -> np.ndarray:
        """x times weights transposed, both rounded: `rounded_layer`."""
        return _rounded(x, np.asarray(x_step)) @ _rounded(weights, steps[:, None]).T

    def step(self, weights, mask, x, upstream, rate: np.float32) -> None:
        """A step of training, in place: `masked_step`."""
        weights[:] = np.where(mask != 0, weights - rate * (upstream.T @ x), 0)

    def fake(self, x, step: np.float32) -> np.ndarray:
        """x as whole steps: `fake_quantise` of unit 17, forward."""
        return rounded(x, step)

    def through(self, x, step: np.float32, upstream) -> np.ndarray:
        """The gradient through that rounding: `fake_quantise`, backward."""
        whole = np.rint(x / step)
        return np.where((whole >= -128) & (whole <= 127), upstream, 0).astype(np.float32)

    def patches(self, x, kernel: int, stride: int) -> np.ndarray:
        """(N * rows * columns, kernel * kernel * channels)."""
        return patches_of(x, kernel, stride)

    def patches_back(self, grad, shape: tuple[int, ...], kernel: int, stride: int) -> np.ndarray:
        """The gradient of pictures of this shape from that of their patches."""
        return patches_back(grad, shape, kernel, stride)

    def added(self, raw, bias, around, relu: bool) -> np.ndarray:
        """raw + bias, + around where there is one, below 0 cut off where `relu`; rows of channels."""
        total = raw + bias if around is None else raw + bias + around.reshape(raw.shape)
        return np.maximum(total, 0) if relu else total

    def passed(self, grad, result) -> np.ndarray:
        """The gradient through a ReLU that gave `result`."""
        return grad.reshape(result.shape) * (result > 0)
