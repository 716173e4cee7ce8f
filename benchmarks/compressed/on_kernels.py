"""The same on the GPU, or in the interpreter: products, steps and rounding by the course's solutions.

Units 20 and 17 have the kernels that learn and round; what lies between the layers (patches, biases, ReLUs) is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda, float32

from autograder import exercises
from autograder.answer import reference

THREADS = 256


def solution(name: str) -> Any:
    """The kernel, or function, that solves an exercise. Raises: FileNotFoundError before `make course`."""
    return reference.solved(exercises.find(name)).load()[1]


@cuda.jit
def gather_patches(x, kernel, stride, n_cols, out):
    """Patches of pictures x, zeros around them, as rows. x: (N, height, width, channels); out: (N * rows * columns,
    kernel * kernel * channels)."""
    channels, width = x.shape[3], out.shape[1]
    for at in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        place, inner = at // width, at % width
        tap, channel = inner // channels, inner % channels
        n_rows = out.shape[0] // (x.shape[0] * n_cols)
        image, row, col = place // (n_rows * n_cols), place // n_cols % n_rows, place % n_cols
        row = row * stride + tap // kernel - kernel // 2
        col = col * stride + tap % kernel - kernel // 2
        inside = 0 <= row < x.shape[1] and 0 <= col < x.shape[2]
        out[place, inner] = x[image, row, col, channel] if inside else float32(0)


@cuda.jit
def gather_gradients(grad, kernel, stride, n_rows, n_cols, out):
    """Each element of out, (N, height, width, channels), adds up what the patches that hold it got."""
    _, height, width, channels = out.shape
    for at in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        channel, col, row, image = at % channels, at // channels % width, at // channels // width % height, 0
        image = at // channels // width // height
        total = float32(0)
        for tap in range(kernel * kernel):
            down, right = row + kernel // 2 - tap // kernel, col + kernel // 2 - tap % kernel
            if down % stride == 0 and right % stride == 0:
                r, c = down // stride, right // stride
                if 0 <= r < n_rows and 0 <= c < n_cols:
                    total += grad[(image * n_rows + r) * n_cols + c, tap * channels + channel]
        out[image, row, col, channel] = total


@cuda.jit
def add_rows(raw, bias, around, has_around, relu, out):
    """raw + bias [+ around], of rows of channels; below 0 cut off where relu is 1."""
    channels = raw.shape[1]
    for at in range(cuda.grid(1), raw.size, cuda.gridsize(1)):
        row, channel = at // channels, at % channels
        total = raw[row, channel] + bias[channel]
        if has_around:
            total += around[row, channel]
        out[row, channel] = max(total, float32(0)) if relu else total


@cuda.jit
def pass_relu(grad, result, out):
    """grad where result is above 0, else 0. Three times (n,)."""
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = grad[i] if result[i] > float32(0) else float32(0)


class OnKernels:
    """Arrays are on the device; pictures are (N, height, width, channels), factors of products (rows, inner)."""

    def __init__(self) -> None:
        self.multiplies, self.moves = solution("compression.rounded_layer"), solution("compression.masked_step")
        self.rounds = solution("engine_int8.fake_quantise")

    def put(self, array: np.ndarray) -> Any:
        return cuda.to_device(np.ascontiguousarray(array))

    def get(self, array: Any) -> np.ndarray:
        return array.copy_to_host()

    def product(self, x, x_step: np.float32, weights, steps) -> Any:
        """x times weights transposed, both rounded: `rounded_layer`."""
        out = _room(x.shape[0], weights.shape[0])
        grid = -(-weights.shape[0] // 32), -(-x.shape[0] // 8)
        self.multiplies[grid, (32, 8)](x, np.float32(x_step), weights, steps, out)
        return out

    def step(self, weights, mask, x, upstream, rate: np.float32) -> None:
        """A step of training, in place: `masked_step`."""
        grid = -(-weights.shape[1] // 32), -(-weights.shape[0] // 8)
        self.moves[grid, (32, 8)](weights, mask, x, upstream, np.float32(rate))

    def fake(self, x, step: np.float32) -> Any:
        """x as whole steps: `fake_quantise` of unit 17, forward."""
        return self._rounding(x, step, x)[0]

    def through(self, x, step: np.float32, upstream) -> Any:
        """The gradient through that rounding: `fake_quantise`, backward."""
        return self._rounding(x, step, upstream)[1]

    def _rounding(self, x, step, upstream) -> tuple[Any, Any]:
        fake, gradient = _room(*x.shape), _room(*x.shape)
        flat = [each.reshape(x.size) for each in (x, upstream, fake, gradient)]
        self.rounds[-(-x.size // THREADS), THREADS](flat[0], np.float32(step), *flat[1:])
        return fake, gradient

    def patches(self, x, kernel: int, stride: int) -> Any:
        """(N * rows * columns, kernel * kernel * channels)."""
        rows, cols = -(-x.shape[1] // stride), -(-x.shape[2] // stride)
        out = _room(x.shape[0] * rows * cols, kernel * kernel * x.shape[3])
        gather_patches[_blocks(out), THREADS](x, kernel, stride, cols, out)
        return out

    def patches_back(self, grad, shape: tuple[int, ...], kernel: int, stride: int) -> Any:
        """The gradient of pictures of this shape from that of their patches."""
        out = _room(*shape)
        rows, cols = -(-shape[1] // stride), -(-shape[2] // stride)
        gather_gradients[_blocks(out), THREADS](grad, kernel, stride, rows, cols, out)
        return out

    def added(self, raw, bias, around, relu: bool) -> Any:
        """raw + bias, + around where there is one, below 0 cut off where `relu`; rows of channels."""
        out = _room(*raw.shape)
        other = raw if around is None else around.reshape(raw.shape)
        add_rows[_blocks(out), THREADS](raw, bias, other, around is not None, relu, out)
        return out

    def passed(self, grad, result) -> Any:
        """The gradient through a ReLU that gave `result`."""
        out = _room(*result.shape)
        pass_relu[_blocks(out), THREADS](grad.reshape(out.size), result.reshape(out.size), out.reshape(out.size))
        return out


def _room(*shape: int) -> Any:
    return cuda.device_array(shape, np.float32)


def _blocks(array: Any) -> int:
    return min(-(-array.size // THREADS), 2_048)
