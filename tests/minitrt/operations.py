"""Operations for the tests of tactics and kernels, as the passes would leave them."""

from __future__ import annotations

import copy

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import NHWC16, Op, Value
from minitrt.tactics.contract import Device

H200 = Device("NVIDIA H200", (9, 0), 132, 232448, 60 << 20, 150 << 30)
RELU, CLIP = {"type": "relu"}, {"type": "clip", "alpha": 0.0, "beta": 6.0}


def conv(
    shape, channels, kernel, stride=(1, 1), before=(0, 0), after=None, dilation=(1, 1), activation=None, residual=False,
    output=DataType.INT8, seed=0,
) -> Op:  # fmt: skip
    """A quantised convolution of x (N, C, H, W) to `channels`, with scales that are no powers of two."""
    rng, after = np.random.default_rng(seed), before if after is None else after
    size = [
        (shape[2 + i] + before[i] + after[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in range(2)
    ]
    out_shape, taps = (shape[0], channels, *size), shape[1] * kernel[0] * kernel[1]
    weights = rng.integers(-128, 128, (channels, shape[1], *kernel), np.int16).astype(np.int8)
    scales = ((rng.random(channels) + 0.1) * 0.01 / np.sqrt(taps)).astype(np.float32)
    return Op(
        "conv",
        "conv",
        [
            Value("x", DataType.INT8, tuple(shape), scale=0.05, layout=NHWC16),
            Value("w", DataType.INT8, weights.shape, scale=scales, data=weights),
            Value("b", DataType.FLOAT, (channels,), data=rng.standard_normal(channels).astype(np.float32)),
            Value("r", DataType.INT8, out_shape, scale=0.07, layout=NHWC16) if residual else None,
        ],
        [Value("y", output, out_shape, scale=0.1 if output == DataType.INT8 else None, layout=NHWC16)],
        {
            "kernel": list(kernel), "stride": list(stride), "dilations": list(dilation), "groups": 1,
            "pads_before": list(before), "pads_after": list(after), "activation": activation,
        },
    )  # fmt: skip


def in_float16(operation: Op) -> Op:
    """The same convolution of halves; a result in float32 stays one."""
    half, rng = copy.deepcopy(operation), np.random.default_rng(0)
    for value in [*half.inputs, *half.outputs]:
        if value is not None and value.dtype == DataType.INT8:
            value.dtype, value.scale = DataType.HALF, None
    weights = half.inputs[1]
    weights.data = (rng.standard_normal(weights.shape) / np.sqrt(np.prod(weights.shape[1:]))).astype(np.float16)
    return half


def resnet50(batch: int) -> dict[str, Op]:
    """The convolutions of ResNet-50 v1.5 and its classifier, each shape once, by stage and place."""
    one, three = dict(kernel=(1, 1)), dict(kernel=(3, 3), before=(1, 1), activation=RELU)
    ops = {
        "stem": conv((batch, 3, 224, 224), 64, (7, 7), (2, 2), (3, 3), activation=RELU),
        "1a0": conv((batch, 64, 56, 56), 64, **one, activation=RELU),
        "1a": conv((batch, 256, 56, 56), 64, **one, activation=RELU),
        "1b": conv((batch, 64, 56, 56), 64, **three),
        "1c": conv((batch, 64, 56, 56), 256, **one, activation=RELU, residual=True),
        "1d": conv((batch, 64, 56, 56), 256, **one),
    }
    for stage, size, width in ((2, 56, 128), (3, 28, 256), (4, 14, 512)):
        half = size // 2
        ops[f"{stage}a0"] = conv((batch, 2 * width, size, size), width, **one, activation=RELU)
        ops[f"{stage}b0"] = conv((batch, width, size, size), width, stride=(2, 2), **three)
        ops[f"{stage}d"] = conv((batch, 2 * width, size, size), 4 * width, stride=(2, 2), **one)
        ops[f"{stage}c"] = conv((batch, width, half, half), 4 * width, **one, activation=RELU, residual=True)
        ops[f"{stage}a"] = conv((batch, 4 * width, half, half), width, **one, activation=RELU)
        ops[f"{stage}b"] = conv((batch, width, half, half), width, **three)
    ops["fc"] = conv((batch, 2048, 1, 1), 1000, **one, output=DataType.FLOAT)
    return ops


RAGGED = {
    "1x1, 48 to 80 channels": conv((3, 48, 9, 7), 80, (1, 1), activation=RELU),
    "1x1, residual, clipped at 6": conv((2, 64, 9, 9), 256, (1, 1), activation=CLIP, residual=True),
    "3x3, 80 to 48 channels, no activation": conv((3, 80, 20, 13), 48, (3, 3), before=(1, 1)),
    "3x3 of 128 channels": conv((2, 128, 28, 28), 128, (3, 3), before=(1, 1), activation=RELU),
    "3x3 of 64 channels, 19 rows": conv((2, 64, 19, 56), 64, (3, 3), before=(1, 1), activation=RELU),
    "3x3 of 40 channels": conv((2, 40, 11, 17), 72, (3, 3), before=(1, 1), activation=RELU),
    "3x3, stride 2": conv((2, 160, 15, 16), 112, (3, 3), (2, 2), (1, 1), activation=RELU),
    "5x3, strides 2 and 1, uneven padding": conv((2, 32, 15, 21), 64, (5, 3), (2, 1), (2, 0), (1, 2), activation=RELU),
    "3x3, dilation 2, residual": conv((2, 64, 20, 20), 64, (3, 3), (1, 1), (2, 2), None, (2, 2), RELU, True),
    "1x1, stride 2": conv((4, 256, 14, 14), 512, (1, 1), (2, 2)),
    "4608 terms, residual": conv((1, 512, 7, 7), 128, (3, 3), before=(1, 1), activation=RELU, residual=True),
    "3x3 of 3 channels, stride 2": conv((2, 3, 16, 24), 32, (3, 3), (2, 2), (1, 1), activation=CLIP),
    "7x7 of 3 channels, stride 2": conv((2, 3, 64, 48), 64, (7, 7), (2, 2), (3, 3), activation=RELU),
    "5x5 of 4 channels, stride 2": conv((1, 4, 32, 224), 96, (5, 5), (2, 2), (2, 2), activation=RELU),
    "1000 logits": conv((5, 2048, 1, 1), 1000, (1, 1), output=DataType.FLOAT),
    "37 logits of 130 images": conv((130, 512, 1, 1), 37, (1, 1), activation=RELU, output=DataType.FLOAT),
    "1x1 of many pixels, residual": conv((12, 128, 28, 28), 512, (1, 1), activation=RELU, residual=True),
    "3x3 of many pixels": conv((20, 96, 28, 28), 200, (3, 3), before=(1, 1), activation=RELU),
}


def nhwc16(array: np.ndarray) -> np.ndarray:
    """(N, C, H, W) as NHWC16 stores it."""
    images, channels, *size = array.shape
    stored = np.zeros((images, *size, -(-channels // 16) * 16), array.dtype)
    stored[..., :channels] = np.moveaxis(array, 1, -1)
    return stored


def blocks16(array: np.ndarray) -> np.ndarray:
    """(N, C, H, W) as BLOCKS16 stores it."""
    images, channels, height, width = array.shape
    stored = np.zeros((images, height // 2 + 3, width // 2 + 3, 16), array.dtype)
    blocks = array.reshape(images, channels, height // 2, 2, width // 2, 2).transpose(0, 2, 4, 1, 3, 5)
    stored[:, 2:-1, 2:-1, : 4 * channels] = blocks.reshape(*blocks.shape[:3], -1)
    return stored
