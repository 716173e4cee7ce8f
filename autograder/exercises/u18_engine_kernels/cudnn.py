"""The library's convolution, which unit 18's layers are timed beside."""

from __future__ import annotations

from functools import cache
from typing import Any

from autograder.contract import Library, Values
from autograder.exercises.u18_engine_kernels.values import DEEP


@cache
def _halves(torch: Any, n_images: int, n_in: int, n_out: int, rows: int, cols: int) -> tuple:
    """Random pictures and weights of a layer, float16, channels last."""
    last = {"device": "cuda", "dtype": torch.float16}
    x, weights = torch.randn(n_images, n_in, rows, cols, **last), torch.randn(n_out, n_in, 3, 3, **last)
    return x.to(memory_format=torch.channels_last), weights.to(memory_format=torch.channels_last)


def half_convolution(torch: Any, values: Values) -> Any:
    """cuDNN's convolution of a layer of the same sizes, in float16 with channels last."""
    n_blocks, n_cells, _ = values["src"].shape
    pitch, height = int(values["pitch"]), int(values["height"])
    n_images = (n_cells - 1) // (pitch * height)
    x, weights = _halves(torch, n_images, DEEP * n_blocks, values["weights"].shape[2], height - 1, pitch - 1)
    return torch.nn.functional.conv2d(x, weights, padding=1)


CUDNN = Library("torch's conv2d in float16, channels last", half_convolution)
