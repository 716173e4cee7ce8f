"""Attention as one kernel: on tensor cores for INT8 and FP16, by plain loops for everything else."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, NUMPY_TYPES, Op, Value
from minitrt.kernels.attention.fragments import ROWS
from minitrt.kernels.attention.kernel import CHUNK, shared_bytes
from minitrt.tactics.arguments import (
    NOTHING,
    THREADS,
    array,
    dtype_name,
    floats,
    integers,
    launch,
    of_value,
    strides_of,
)
from minitrt.tactics.attention_cache import behind_cache, rooms
from minitrt.tactics.attention_form import (
    bounded,
    bounds_of,
    by_triangle,
    computed,
    fill_of,
    heads_of,
    keys_of,
    out_scale,
    past_of,
    queries_of,
    rows_of,
    scale_of,
    scale_of_scores,
    size_of,
    starts_of,
    zeros_of,
)
from minitrt.tactics.contract import Argument, Device, KernelKey, Launch, Packed, Scalar, Tactic, Tensor, Workspace

HAS_MMA, HAS_DEPENDENT_LAUNCH = (8, 0), (9, 0)
WARPS = (1, 2, 4, 8)
LARGEST_HEAD = 128
WARP = 32
MOST_BLOCKS = 65535  # along the second and third axis of a grid


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Tactics for both forms: (batch, tokens, features), in which heads begin where `passes/heads.py` says, and (batch,
    heads, tokens, size)."""
    if op.kind != "attention" or not op.output.size or not computed(op):
        return []
    layouts, results = (LINEAR,) * len(op.inputs), (LINEAR,) * len(op.outputs)
    if device.compute_capability >= HAS_MMA and _in_fragments(op):
        dependent, size = device.compute_capability >= HAS_DEPENDENT_LAUNCH, size_of(op)
        return [
            Tactic(
                f"mma_attention_{dtype_name(op.inputs[0])}_{ROWS * warps}x{size}",
                partial(behind_cache, make=partial(launches, warps=warps, dependent=dependent)),
                layouts,
                results,
                workspace_bytes=sum(rooms(op)),
                shared_bytes=shared_bytes(size, warps),
            )
            for warps in WARPS
            if ROWS * warps < queries_of(op) + ROWS * max(warps // 2, 1)
        ]
    room = sum(rooms(op)) + 4 * rows_of(op) * keys_of(op)
    make = partial(behind_cache, make=plain_launches)
    return [Tactic("plain_attention", make, layouts, results, workspace_bytes=room)]


def strides(value: Value, heads: int, size: int) -> tuple[int, int, int]:
    """Elements from a token, a head and an image to the next."""
    tokens, features = value.shape[-2:]
    if len(value.shape) == 4:
        return features, tokens * features, heads * tokens * features
    return features, size, tokens * features


def mask_strides(op: Op) -> tuple[int, int, int, int]:
    """Elements of the mask from a key, a query, a head and an image to the next; 0 where it is the same for all."""
    mask = op.input(3)
    if mask is None:
        return 0, 0, 0, 0
    shape = (1,) * (4 - len(mask.shape)) + tuple(mask.shape)
    steps = strides_of(shape)
    image, head, query, key = (0 if n == 1 else step for n, step in zip(shape, steps, strict=True))
    return key, query, head, image


def _in_fragments(op: Op) -> bool:
    """Heads of whole steps, rows that begin at multiples of 16 bytes, and types that float16 holds."""
    inputs, y = op.inputs[:3], op.output
    known = DataType.FLOAT not in (inputs[0].dtype, y.dtype) and by_triangle(op)
    grid = max(y.shape[0], heads_of(op)) <= MOST_BLOCKS
    size, *others = {size_of(op, index) for index in range(3)}
    if not known or not grid or others or size % 16 or size > LARGEST_HEAD or scale_of_scores(op) <= 0:
        return False
    item = NUMPY_TYPES[inputs[0].dtype].itemsize
    numbers = [n for value, start in zip(inputs, starts_of(op), strict=True) for n in (value.shape[-1], start)]
    return all(number * item % CHUNK == 0 for number in numbers)


def mask_of(op: Op) -> dict[str, str | bool]:
    """What a kernel's code says of the mask."""
    found: dict[str, str | bool] = {"causal": bool(op.attrs.get("causal")) and bounded(op)}
    if op.input(3) is not None:
        found |= {"mask": dtype_name(op.inputs[3]), "zeros": zeros_of(op)}
    return {key: value for key, value in found.items() if value}


def launches(op: Op, warps: int, dependent: bool) -> list[Launch]:
    """The one launch on tensor cores."""
    y, size, starts = op.output, size_of(op), starts_of(op)
    item = [NUMPY_TYPES[value.dtype].itemsize for value in (*op.inputs[:3], y)]
    q, k, v = (Tensor("input", i, starts[i] * item[i]) for i in range(3))
    factor = scale_of_scores(op) * scale_of(op, 0) * scale_of(op, 1)
    factor *= 1 if op.input(3) else math.log2(math.e)
    _, *steps = mask_strides(op)
    mask = mask_of(op)
    if op.input(3) is not None:  # two keys are read at once where no row begins, or ends, between them
        mask |= {"by_query": bool(steps[0]), "pairs": not any(number % 2 for number in (*steps, keys_of(op)))}
    code = KernelKey.of(
        "attention", size=size, source=dtype_name(op.inputs[0]), target=dtype_name(y), warps=warps,
        dependent=dependent, **mask,
    )  # fmt: skip
    values = [(op.inputs[i], heads_of(op, i)) for i in range(3)] + [(y, heads_of(op))]
    pitches = [n * bytes_of for (v, h), bytes_of in zip(values, item, strict=True) for n in strides(v, h, size)]
    arguments = (
        q, k, v, Tensor("output", 0), _mask_address(op),
        *floats(factor, scale_of(op, 2) / out_scale(y), fill_of(op)),
        *(Scalar(int(n)) for n in (queries_of(op), keys_of(op), heads_of(op) // heads_of(op, 1))),
        *integers(*pitches, *steps),
    )  # fmt: skip
    grid = (-(-queries_of(op) // (ROWS * warps)), heads_of(op), y.shape[0])
    return [Launch(code, grid, (32 * warps, 1, 1), arguments, shared_bytes(size, warps), dependent=dependent)]


def _mask_address(op: Op) -> Argument:
    mask = op.input(3)
    if mask is None:
        return NOTHING
    return Packed("mask", np.ascontiguousarray(mask.data)) if mask.is_constant else Tensor("input", 3)


def plain_launches(op: Op) -> list[Launch]:
    """The one launch of plain loops."""
    y, rows, keys, starts = op.output, rows_of(op), keys_of(op), starts_of(op)
    size, result = size_of(op), size_of(op, 2)
    mask = array(NOTHING, 1, 4) if op.input(3) is None else of_value("input", 3, op.inputs[3])
    lengths = array(NOTHING, 1, 4) if op.input(6) is None else of_value("input", 6, op.inputs[6])
    shown = array(NOTHING, 1, NUMPY_TYPES[op.inputs[0].dtype].itemsize)
    if len(op.outputs) > 3:
        shown = of_value("output", 3, op.outputs[3])
    steps = [n for i in range(3) for n in (starts[i], *strides(op.inputs[i], heads_of(op, i), size_of(op, i)))]
    arguments = (
        *(word for i in range(3) for word in of_value("input", i, op.inputs[i])), *of_value("output", 0, y), *mask,
        *lengths, *shown, *array(Workspace(), rows * keys, 4),
        *floats(*(scale_of(op, i) for i in range(3)), out_scale(y)),
        *floats(scale_of_scores(op), fill_of(op), op.attrs.get("softcap") or 0),
        *integers(rows, queries_of(op), keys, heads_of(op), heads_of(op) // heads_of(op, 1), size, result),
        *integers(*steps, *strides(y, heads_of(op), result), *mask_strides(op), past_of(op), *bounds_of(op)),
    )  # fmt: skip
    return [launch("plain_attention", rows * WARP, arguments, block=(THREADS, 1, 1), **plain_code(op))]


def plain_code(op: Op) -> dict[str, str | bool | int]:
    """What the code of plain loops says; what it does not is left out."""
    some = bounded(op)
    names: dict[str, str | bool | int] = {
        "mask": "" if op.input(3) is None else dtype_name(op.inputs[3]),
        "zeros": zeros_of(op) and (some or op.input(3) is not None),
        "bounded": some,
        "capped": bool(op.attrs.get("softcap")),
        "lengths": "" if op.input(6) is None else dtype_name(op.inputs[6]),
    }
    if len(op.outputs) > 3:
        names["shown"] = 1 + int(op.attrs.get("scores", 0))  # 0 is one of them
    found = {key: value for key, value in names.items() if value}
    return found | {"source": dtype_name(op.inputs[0]), "target": dtype_name(op.output)}
