"""Operations for the tests of tactics and kernels, as the passes would leave them."""

from __future__ import annotations

import copy

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph import quantised
from minitrt.graph.ir import NHWC16, Op, Value
from minitrt.graph.shortcut import joined
from minitrt.graph.tail import chained
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
            if value.is_constant:
                terms = np.prod(value.shape[1:])
                value.data = np.asarray(rng.standard_normal(value.shape) / np.sqrt(terms)).astype(np.float16)
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


def with_shortcut(main: Op, channels: int, stride: int, size: tuple[int, int] | None = None) -> tuple[Op, Op]:
    """(shortcut, main): a 1x1 convolution of `channels` channels that makes the residual of `main`, which has one."""
    images, out_channels, *out = main.output.shape
    size = size or tuple(stride * n for n in out)
    short = conv((images, channels, *size), out_channels, (1, 1), (stride, stride), seed=1)
    short.name, short.outputs = "shortcut", [main.inputs[3]]
    for value in short.present:
        value.name += "2"
    return short, main


def _residual(shape, channels, kernel=(1, 1), before=(0, 0), **more) -> Op:
    return conv(shape, channels, kernel, before=before, residual=True, **{"activation": RELU, **more})


PAIRS = {
    "1x1 and a shortcut of its size": with_shortcut(_residual((3, 48, 9, 7), 80), 112, 1),
    "1x1, clipped, and a shortcut of 64 channels": with_shortcut(
        _residual((12, 64, 28, 28), 256, activation=CLIP), 64, 1
    ),
    "1x1 and a shortcut at stride 2": with_shortcut(_residual((30, 128, 14, 14), 512), 256, 2),
    "1x1, no activation, a shortcut of an odd size": with_shortcut(
        _residual((2, 160, 8, 6), 320, activation=None), 304, 2, (15, 11)
    ),
    "3x3 and a shortcut at stride 2": with_shortcut(_residual((11, 64, 28, 28), 256, (3, 3), (1, 1)), 72, 2),
    "3x3 of few pixels, a shortcut at stride 3": with_shortcut(_residual((1, 80, 5, 6), 72, (3, 3), (1, 1)), 40, 3),
}
JOINT = {name: joined(*pair) for name, pair in PAIRS.items()}


def with_tail(head: Op, channels: int, activation=RELU) -> tuple[Op, Op]:
    """(head, tail): a 1x1 convolution of the result of `head`."""
    y = head.output
    tail = conv(y.shape, channels, (1, 1), activation=activation, seed=2)
    y.name, tail.name, tail.inputs[0], tail.output.name = "y1", "tail", y, "z"
    for value in tail.inputs[1:3]:
        value.name += "3"
    return head, tail


HEADS = {
    "256 channels, residual, then 64": with_tail(_residual((3, 64, 9, 7), 256), 64),
    "256 channels, clipped, then 48, linear": with_tail(conv((2, 48, 11, 5), 256, (1, 1), activation=CLIP), 48, None),
    "384 channels, residual, then 72": with_tail(_residual((1, 80, 14, 14), 384), 72),
    "many pixels, residual, then 64": with_tail(_residual((5, 64, 56, 56), 256), 64),
    "many pixels, residual, then 112": with_tail(_residual((4, 48, 60, 61), 256), 112),
    "many pixels of 512 channels, residual, then 128": with_tail(_residual((17, 128, 28, 28), 512), 128),
    "many pixels of 128 terms, no residual, then 256": with_tail(conv((17, 128, 28, 28), 256, (1, 1)), 256),
    "a shortcut of its size, then 64": with_tail(joined(*with_shortcut(_residual((17, 64, 28, 28), 256), 64, 1)), 64),
    "a shortcut at stride 2, then 128": with_tail(joined(*with_shortcut(_residual((2, 128, 8, 6), 256), 192, 2)), 128),
}
CHAINS = {name: chained(*pair) for name, pair in HEADS.items()}


def with_pool(shape, channels, kernel, pad, after=None, activation=RELU) -> Op:
    """A first convolution of stride 2 and the max pool behind it."""
    op = conv(shape, channels, kernel, (2, 2), pad, after, activation=activation)
    op.attrs["pool"] = {"kernel": [3, 3], "stride": [2, 2], "pads_before": [1, 1], "pads_after": [1, 1]}
    op.output.shape = (*op.output.shape[:2], *(size // 2 for size in op.output.shape[2:]))
    return op


POOLED = {
    "7x7 of 3 channels and its pool": with_pool((2, 3, 64, 48), 64, (7, 7), (3, 3)),
    "5x5 of 4 channels to 48 and its pool": with_pool((3, 4, 20, 224), 48, (5, 5), (2, 2)),
    "3x3 of many images and its pool": with_pool((70, 3, 64, 112), 64, (3, 3), (1, 1)),
    "4x4 of 1 channel, padded unevenly, and its pool": with_pool((5, 1, 36, 240), 16, (4, 4), (1, 1), (1, 1)),
}


def quantising(op: Op, dtype: DataType) -> tuple[Op, Op]:
    """(what quantises images of this type to the input of `op`, both as one operation)."""
    x = op.inputs[0]
    quantize = Op("reformat", "quantize", [Value("image", dtype, x.shape)], [x])
    return quantize, quantised.joined(quantize, op)


QUANTISING = {
    f"{name}, of {dtype.name}": quantising(copy.deepcopy(op), dtype)[1]
    for name, op in POOLED.items()
    for dtype in (DataType.FLOAT, DataType.UINT8)
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
