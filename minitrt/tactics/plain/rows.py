"""Reductions, softmax, normalisation and pooling by plain kernels."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, NHWC16, NUMPY_TYPES, Op, Value
from minitrt.kernels.plain import whole_rows
from minitrt.kernels.plain.rows import REDUCTIONS
from minitrt.tactics.arguments import (
    NOTHING,
    array,
    dtype_name,
    floats,
    integers,
    launch,
    of_value,
    packed,
    real_scale,
    space_strides,
    strides_of,
    three,
    whole_scale,
)  # fmt: skip
from minitrt.tactics.contract import Device, Launch, Scalar, Tactic, Workspace
from minitrt.tactics.plain.movement import AXES, Move, move_launch, permuted

WARP = 32
INTEGERS = (DataType.INT32, DataType.INT64)
RESULTS = {"norm": 3}  # at most; 1 of others
POOLED = {"max": "max", "average": "average", "lp": "lp"}


def candidates(op: Op, device: Device) -> list[Tactic]:
    """Tactics for reduce, softmax, norm and pool of floats (and of int8 with one scale), reduce and arg of integers."""
    make = {"reduce": _reduce, "softmax": _softmax, "norm": _norm, "pool": _pool, "arg": _arg}.get(op.kind)
    if op.kind == "pool" and len(op.outputs) == 2:
        return _pool_with_places(op)
    if make is None or len(op.outputs) > RESULTS.get(op.kind, 1) or not op.output.size or not op.inputs[0].size:
        return []
    values = op.inputs[:1] if op.kind == "arg" else (op.inputs[0], op.output)
    if op.kind in ("reduce", "arg") and all(value.dtype in INTEGERS for value in values):
        return make(op)
    return make(op) if all(real_elements(value) for value in values) else []


def real_elements(value: Value) -> bool:
    """Whether plain kernels compute with a value's elements: floats, and int8 with one scale."""
    quantised = value.dtype == DataType.INT8 and value.scale is not None and whole_scale(value)
    return value.dtype in (DataType.FLOAT, DataType.HALF) or quantised


def row_of(shape: tuple[int, ...], axes) -> tuple[int, int, int] | None:
    """(rows, length, stride) where the axes lie side by side, else None."""
    axes = sorted(int(axis) % len(shape) for axis in axes)
    if not axes or axes != list(range(axes[0], axes[-1] + 1)):
        return None
    length, stride = math.prod(shape[axes[0] : axes[-1] + 1]), math.prod(shape[axes[-1] + 1 :])
    return math.prod(shape) // max(length, 1), length, stride


def _layouts(op: Op) -> tuple[str, ...]:
    return (LINEAR,) * len(op.inputs)


def _reduce(op: Op) -> list[Tactic]:
    axes = op.attrs.get("axes")
    whole = op.inputs[0].dtype in INTEGERS
    known = whole_rows.REDUCTIONS if whole else REDUCTIONS
    if not axes or op.attrs["op"] not in known:
        return []
    reduced = _whole_launches if whole else partial(_row_launches, factory="plain_reduce", name=op.attrs["op"])
    name = "plain_whole_reduce" if whole else "plain_reduce"
    if row_of(op.inputs[0].shape, axes) is not None:
        return [Tactic(name, reduced, _layouts(op), (LINEAR,))]
    if len(gathered(op).axes) > AXES:
        return []
    bytes_between = op.inputs[0].size * NUMPY_TYPES[op.inputs[0].dtype].itemsize
    return [Tactic(f"{name}_apart", partial(_apart, reduced), _layouts(op), (LINEAR,), workspace_bytes=bytes_between)]


def gathered(op: Op) -> Move:
    """The move that brings axes which lie apart to the end."""
    rank = len(op.inputs[0].shape)
    axes = sorted(int(axis) % rank for axis in op.attrs["axes"])
    return permuted(op.inputs[0].shape, [axis for axis in range(rank) if axis not in axes] + axes).joined()


def _apart(reduced: Callable[..., list[Launch]], op: Op) -> list[Launch]:
    """Two launches: the axes to the end of a copy in the workspace, then rows of that."""
    x = op.inputs[0]
    item = NUMPY_TYPES[x.dtype].itemsize
    copy = array(Workspace(), x.size, item)
    moved = move_launch(gathered(op), of_value("input", 0, x), copy, item)
    length = math.prod(x.shape[int(axis)] for axis in op.attrs["axes"])
    return [moved, *reduced(op, source=copy, row=(x.size // length, length, 1))]


def _whole_launches(op: Op, source: tuple = (), row: tuple = ()) -> list[Launch]:
    x, row = op.inputs[0], row or row_of(op.inputs[0].shape, op.attrs["axes"])
    arguments = (*(source or of_value("input", 0, x)), *of_value("output", 0, op.output), *integers(*row))
    return [launch("plain_whole_reduce", row[0] * WARP, arguments, name=op.attrs["op"], dtype=dtype_name(x))]


def _arg(op: Op) -> list[Tactic]:
    axis = int(op.attrs.get("axis", 0))
    return [Tactic("plain_arg", partial(_arg_launches, axes=(axis,)), _layouts(op), (LINEAR,))]


def _arg_launches(op: Op, axes: tuple[int, ...]) -> list[Launch]:
    x, row = op.inputs[0], row_of(op.inputs[0].shape, axes)
    arguments = (*of_value("input", 0, x), *of_value("output", 0, op.output), *integers(*row))
    names = {"largest": bool(op.attrs.get("largest", True)), "last": bool(op.attrs.get("last"))}
    return [launch("plain_arg", row[0] * WARP, arguments, source=dtype_name(x), **names)]


def _softmax(op: Op) -> list[Tactic]:
    if row_of(op.inputs[0].shape, op.attrs["axes"]) is None:
        return []
    log = bool(op.attrs.get("log"))
    return [Tactic("plain_softmax", partial(_row_launches, factory="plain_softmax", log=log), _layouts(op), (LINEAR,))]


def _row_launches(op: Op, factory: str, source: tuple = (), row: tuple = (), **constants) -> list[Launch]:
    """source, row: where the elements lie, and in which rows, if not as in the input."""
    x, y, row = op.inputs[0], op.output, row or row_of(op.inputs[0].shape, op.attrs["axes"])
    arguments = (
        *(source or of_value("input", 0, x)), *of_value("output", 0, y),
        *floats(real_scale(x), real_scale(y)), *integers(*row),
    )  # fmt: skip
    return [launch(factory, row[0] * WARP, arguments, source=dtype_name(x), target=dtype_name(y), **constants)]


def _norm(op: Op) -> list[Tactic]:
    x, scale, bias = (op.input(index) for index in range(3))
    groups = int(op.attrs.get("groups", 1))
    rows = groups > 1 or row_of(x.shape, op.attrs["axes"]) is not None
    parameters = [value for value in (scale, bias) if value is not None]
    plain = all(value.is_constant or value.dtype == DataType.FLOAT for value in parameters)
    single = groups > 1 or not op.attrs.get("mean", True)
    known = all(value.dtype == DataType.FLOAT and not single for value in op.outputs[1:])
    if not rows or not plain or not known or not _go_along(op, parameters):
        return []
    return [Tactic("plain_norm", _norm_launches, _layouts(op), (LINEAR,) * len(op.outputs))]


def _along(op: Op, parameter: Value) -> tuple[int, int] | None:
    """(inner, count): element i of x takes number i // inner % count of a scale or bias; None for other shapes."""
    shape = op.inputs[0].shape
    if op.attrs.get("per_channel") and len(parameter.shape) == 1:
        return math.prod(shape[2:]), parameter.size
    own = (1,) * (len(shape) - len(parameter.shape)) + tuple(parameter.shape)
    wide = [axis for axis, size in enumerate(own) if size > 1] or [len(own) - 1]
    block = slice(wide[0], wide[-1] + 1)
    fits = parameter.size == 1 or own[block] == tuple(shape[block])
    return (math.prod(shape[wide[-1] + 1 :]), parameter.size) if fits else None


def _go_along(op: Op, parameters: list[Value]) -> bool:
    """Whether scale and bias go along the same axes; one number goes along any, where it is a constant."""
    found = [_along(op, value) for value in parameters if value.size > 1 or not value.is_constant]
    return None not in found and len(set(found)) <= 1


def _norm_launches(op: Op) -> list[Launch]:
    x, y = op.inputs[0], op.output
    scale, bias = op.input(1), op.input(2)
    groups = int(op.attrs.get("groups", 1))
    whole = x.shape[0] * groups
    row = (whole, x.size // whole, 1) if groups > 1 else row_of(x.shape, op.attrs["axes"])
    along = [_along(op, value) for value in (scale, bias) if value is not None]
    inner, count = max(along, key=lambda pair: pair[1], default=(1, 1))
    arguments = (
        *of_value("input", 0, x), *of_value("output", 0, y), *_parameter(1, scale, count), *_parameter(2, bias, count),
        *(word for i in (1, 2) for word in _statistics(op, i)),
        *floats(real_scale(x), real_scale(y), op.attrs["epsilon"]), *integers(*row, inner, count),
    )  # fmt: skip
    constants = {
        "centred": bool(op.attrs.get("mean", True)),
        "scaled": scale is not None,
        "shifted": bias is not None,
        "means": len(op.outputs) > 1,
        "inverses": len(op.outputs) > 2,
    }
    return [launch("plain_norm", row[0] * WARP, arguments, source=dtype_name(x), target=dtype_name(y), **constants)]


def _statistics(op: Op, index: int) -> tuple:
    """Output `index`, or nothing where it is not wanted."""
    return of_value("output", index, op.outputs[index]) if index < len(op.outputs) else array(NOTHING, 1, 4)


def _parameter(index: int, value: Value | None, count: int) -> tuple:
    """`count` numbers, of a constant as many as are needed."""
    if value is None:
        return array(NOTHING, 1, 4)
    if value.is_constant:
        return packed(f"parameter{index}", np.resize(value.real.astype(np.float32), count))
    return of_value("input", index, value)


def _pool(op: Op) -> list[Tactic]:
    x, y, mode = op.inputs[0], op.output, POOLED.get(op.attrs["mode"])
    keeps = mode != "max" or np.array_equal(x.scale, y.scale)
    if mode is None or not keeps or x.dtype != y.dtype or not 3 <= len(x.shape) <= 5:
        return []
    return [
        *_global_average(op),
        *_pool_tactics(op),
    ]


def _global_average(op: Op) -> list[Tactic]:
    """The mean of floats over a whole image: a warp an image and channel, where `plain_pool` has one thread."""
    x, attrs = op.inputs[0], op.attrs
    whole = attrs["mode"] == "average" and tuple(attrs["kernel"]) == tuple(x.shape[2:]) and x.dtype != DataType.INT8
    padded = any(attrs.get("pads_before") or ()) or any(attrs.get("pads_after") or ())
    return (
        [Tactic("plain_global_average", _global_average_launches, (LINEAR,), (LINEAR,))] if whole and not padded else []
    )


def _global_average_launches(op: Op) -> list[Launch]:
    x, y = op.inputs[0], op.output
    arguments = (
        *of_value("input", 0, x), *of_value("output", 0, y), *floats(1.0, 1.0),
        *integers(y.size, math.prod(x.shape[2:]), 1),
    )  # fmt: skip
    names = {"name": "avg", "source": dtype_name(x), "target": dtype_name(y)}
    return [launch("plain_reduce", y.size * WARP, arguments, **names)]


def _pool_with_places(op: Op) -> list[Tactic]:
    """The largest of every window, and where it lies among all elements."""
    x, y = op.inputs[0], op.output
    same = x.dtype == y.dtype and real_elements(x) and np.array_equal(x.scale, y.scale)
    if op.attrs["mode"] != "max" or not same or not 3 <= len(x.shape) <= 5 or not y.size or not x.size:
        return []
    return [Tactic("plain_pool_places", _places_launches, (LINEAR,), (LINEAR,) * 2)]


def _places_launches(op: Op) -> list[Launch]:
    x, y, attrs, axes = op.inputs[0], op.output, op.attrs, len(op.inputs[0].shape) - 2
    size = lambda shape: [1] * (3 - axes) + list(shape[2:])  # noqa: E731
    steps = strides_of(size(x.shape))
    if attrs.get("storage_order"):  # the first axis of the space is the fastest
        own = [1] * (3 - axes) + list(x.shape[2:])
        steps = [0] * (3 - axes) + [math.prod(own[3 - axes : 3 - axes + axis]) for axis in range(axes)]
    numbers = (
        y.size, *size(y.shape), *size(x.shape), *three(attrs["kernel"], 1, axes), *three(attrs.get("stride"), 1, axes),
        *three(attrs.get("pads_before"), 0, axes), *three(attrs.get("dilations"), 1, axes), *steps,
    )  # fmt: skip
    arguments = (
        *of_value("input", 0, x), *of_value("output", 0, y), *of_value("output", 1, op.outputs[1]),
        *integers(*numbers),
    )  # fmt: skip
    return [launch("plain_pool_places", y.size, arguments, source=dtype_name(x))]


def _pool_tactics(op: Op) -> list[Tactic]:
    x = op.inputs[0]
    return [
        Tactic(f"plain_pool_{layout}", partial(_pool_launches, layout=layout), (layout,), (layout,))
        for layout in (LINEAR, NHWC16)
        if layout == LINEAR or x.shape[1] % 16 == 0
    ]


def _pool_launches(op: Op, layout: str) -> list[Launch]:
    x, y, attrs, axes = op.inputs[0], op.output, op.attrs, len(op.inputs[0].shape) - 2
    p = float(attrs.get("p", 2))
    multiplier = real_scale(x) / real_scale(y)
    size = lambda shape: [1] * (3 - axes) + list(shape[2:])  # noqa: E731
    numbers = (
        int(bool(attrs.get("count_include_pad"))), y.size, y.shape[1], *size(y.shape), *size(x.shape),
        *three(attrs["kernel"], 1, axes), *three(attrs.get("stride"), 1, axes),
        *three(attrs.get("pads_before"), 0, axes), *three(attrs.get("pads_after"), 0, axes),
        *three(attrs.get("dilations"), 1, axes),
        *space_strides(x, layout), *space_strides(y, layout),
    )  # fmt: skip
    arguments = (
        *of_value("input", 0, x, layout),
        *of_value("output", 0, y, layout),
        Scalar(multiplier, "float64"),
        *floats(p),
        *integers(*numbers),
    )
    return [launch("plain_pool", y.size, arguments, mode=attrs["mode"], source=dtype_name(x), target=dtype_name(y))]
