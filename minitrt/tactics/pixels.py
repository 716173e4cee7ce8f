"""INT8 images without matrix products: pooling, and the way from a network's input to the first convolution."""

from __future__ import annotations

from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import BLOCKS16, LINEAR, NHWC16, NUMPY_TYPES, Op
from minitrt.tactics.contract import Device, KernelKey, Launch, Scalar, Tactic, Tensor
from minitrt.tactics.geometry import padded

THREADS = 256


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Tactics for `pool`, for means over tokens, and for `quantize` or `reformat` into BLOCKS16."""
    if op.kind == "pool" and len(op.inputs[0].shape) == 4 and device.compute_capability >= HOPPER_LAUNCH:
        return [*_max_pool(op), *_global_average(op)]
    if op.kind == "reduce" and device.compute_capability >= HOPPER_LAUNCH:
        return _token_average(op)
    if op.kind in ("quantize", "reformat") and device.compute_capability >= HOPPER_LAUNCH:
        return _into_blocks(op)
    return []


HOPPER_LAUNCH = (9, 0)  # the kernels wait for their predecessor themselves (programmatic dependent launch)


def _launch(factory: str, threads: int, arguments: list, **constants) -> Launch:
    return Launch(
        kernel=KernelKey.of(factory, **constants),
        grid=(-(-threads // THREADS), 1, 1),
        block=(THREADS, 1, 1),
        args=tuple(arguments),
        dependent=True,
    )


def _space(op: Op, name: str, usual: int) -> tuple[int, int]:
    return tuple(op.attrs.get(name) or (usual, usual))


def _is_int8_image(op: Op) -> bool:
    x, y = op.inputs[0], op.output
    return x.dtype == y.dtype == DataType.INT8 and len(x.shape) == 4 and len(op.outputs) == 1 and x.scale is not None


def _max_pool(op: Op) -> list[Tactic]:
    kernel, before = _space(op, "kernel", 1), _space(op, "pads_before", 0)
    clamped = all(0 <= pad < size for pad, size in zip(before, kernel, strict=True)) and len(kernel) == 2
    x, y = op.inputs[0], op.output
    half = x.dtype == y.dtype == DataType.HALF and len(x.shape) == 4 and len(op.outputs) == 1
    plain = op.attrs["mode"] == "max" and (half or _is_int8_image(op) and x.scale == y.scale)
    if not plain or not clamped or _space(op, "dilations", 1) != (1, 1) or kernel[0] * kernel[1] > 49:
        return []
    return [Tactic("max_pool_16_bytes", _max_pool_launches, (NHWC16,), (NHWC16,))]


def _max_pool_launches(op: Op) -> list[Launch]:
    (images, channels, height, width), (out_height, out_width) = op.inputs[0].shape, op.output.shape[2:]
    stored, kernel = padded(channels), _space(op, "kernel", 1)
    numbers = (
        images,
        height,
        width,
        stored,
        out_height,
        out_width,
        *_space(op, "stride", 1),
        *_space(op, "pads_before", 0),
    )
    arguments = [Tensor("input", 0), Tensor("output", 0), *(Scalar(int(n)) for n in numbers)]
    element = NUMPY_TYPES[op.output.dtype]
    threads = images * out_height * out_width * stored * element.itemsize // 16
    names = {"kernel_h": kernel[0], "kernel_w": kernel[1], "element": element.name}
    return [_launch("max_pool_16_bytes", threads, arguments, **names)]


def _averaged(op: Op) -> bool:
    """True for INT8 with scales in and out, and for FP16."""
    x, y = op.inputs[0], op.output
    scaled = all(v.scale is not None and not np.ndim(v.scale) for v in (x, y))
    return x.dtype == y.dtype and (x.dtype == DataType.HALF or x.dtype == DataType.INT8 and scaled)


def _global_average(op: Op) -> list[Tactic]:
    whole = op.attrs["mode"] == "average" and tuple(op.attrs["kernel"]) == tuple(op.inputs[0].shape[2:])
    image = len(op.inputs[0].shape) == 4 and len(op.outputs) == 1 and _averaged(op)
    if not whole or not image or any((*_space(op, "pads_before", 0), *_space(op, "pads_after", 0))):
        return []
    layouts = (NHWC16, LINEAR) if op.output.shape[1] % 16 == 0 else (NHWC16,)  # one pixel lies alike in both
    name = f"{_element(op)}_global_average"
    return [Tactic(f"{name}_{layout}", _average_launches, (NHWC16,), (layout,)) for layout in layouts]


def _token_average(op: Op) -> list[Tactic]:
    """The mean over the tokens of (batch, tokens, features), which lie as pixels and channels do."""
    x = op.inputs[0]
    tokens = op.attrs["op"] == "avg" and len(x.shape) == 3 and [axis % 3 for axis in op.attrs["axes"]] == [1]
    if not tokens or len(op.outputs) != 1 or not x.size or not _averaged(op) or x.shape[2] % 16:
        return []
    return [Tactic(f"{_element(op)}_token_average", _average_launches, (LINEAR,), (LINEAR,))]


def _element(op: Op) -> str:
    return NUMPY_TYPES[op.inputs[0].dtype].name


def _average_launches(op: Op) -> list[Launch]:
    shape = op.inputs[0].shape
    tokens = op.kind == "reduce"
    images, pixels, stored = shape if tokens else (shape[0], shape[2] * shape[3], padded(shape[1]))
    scales = [1.0 if value.scale is None else float(value.scale) for value in (op.inputs[0], op.output)]
    multiplier = np.float32(np.float64(scales[0]) / scales[1] / pixels)
    numbers = [Scalar(float(multiplier), "float32"), Scalar(int(images)), Scalar(int(pixels)), Scalar(int(stored))]
    arguments = [Tensor("input", 0), Tensor("output", 0), *numbers]
    warps = 8 if op.output.dtype == DataType.INT8 else 1  # which share the pixels of four channels
    threads = warps * (images * stored * NUMPY_TYPES[op.output.dtype].itemsize // 4)
    return [_launch("global_average", threads, arguments, element=_element(op))]


def _into_blocks(op: Op) -> list[Tactic]:
    x, y = op.inputs[0], op.output
    even = len(x.shape) == 4 and x.shape[2] % 2 == x.shape[3] % 2 == 0 and x.shape[1] <= 4
    halved = y.dtype == DataType.HALF and x.dtype in (DataType.FLOAT, DataType.HALF)
    whole = y.dtype == DataType.INT8 and y.scale is not None and not np.ndim(y.scale)
    quantised = whole and x.dtype in (DataType.FLOAT, DataType.UINT8) and op.attrs.get("axis") is None
    if not even or not (halved or quantised):
        return []
    return [Tactic("to_blocks", partial(_into_blocks_launches), (LINEAR, LINEAR)[: len(op.inputs)], (BLOCKS16,))]


def _into_blocks_launches(op: Op) -> list[Launch]:
    x, y = op.inputs[0], op.output
    images, channels, height, width = x.shape
    scale = 1.0 if y.scale is None else float(y.scale)
    numbers = [Scalar(scale, "float32"), Scalar(0.0, "float32"), Scalar(images), Scalar(height), Scalar(width)]
    threads = images * (height // 2 + 3) * (width // 2 + 3)
    arguments = [Tensor("input", 0), Tensor("output", 0), *numbers]
    names = {"dtype": NUMPY_TYPES[x.dtype].name, "target": NUMPY_TYPES[y.dtype].name}
    return [_launch("to_blocks", threads, arguments, channels=channels, **names)]
