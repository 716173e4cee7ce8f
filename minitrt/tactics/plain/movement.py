"""Slices, transposes, repeats, padding, concatenation and gathering by the one kernel that moves elements."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from minitrt.graph.ir import LINEAR, NHWC16, NUMPY_TYPES, Op, Value
from minitrt.tactics.arguments import array, dtype_name, integers, launch, of_value, strides_of
from minitrt.tactics.contract import Device, Launch, Scalar, Tactic, Workspace

AXES = 6
WIDEST = 8  # bytes that one thread moves
PAD_MODES = {"constant": "fill", "edge": "clamp", "reflect": "reflect", "wrap": "wrap"}
SLICE_MODES = {"default": "inside", "fill": "fill", "wrap": "wrap", "clamp": "clamp", "reflect": "reflect"}


@dataclass(frozen=True)
class Axis:
    """Along one output axis: its size, y's stride, and where in x: index start + c * step of `extent`, x's stride."""

    size: int
    y_stride: int
    start: int
    step: int
    extent: int
    x_stride: int

    @property
    def whole(self) -> bool:
        """True where the axis is read from its first element to its last, each once."""
        return self.start == 0 and self.step == 1 and self.size == self.extent


@dataclass(frozen=True)
class Move:
    """One launch: axes outermost first, what fills the outside, and y's first element."""

    axes: tuple[Axis, ...]
    mode: str = "inside"
    fill: int = 0
    offset: int = 0

    def joined(self) -> Move:
        """Neighbouring axes that lie behind each other in both tensors as one, and none of size 1 read whole."""
        axes: list[Axis] = []
        for axis in self.axes:
            if axis.size == 1 and axis.whole:
                continue
            last = axes[-1] if axes else None
            together = last and last.whole and axis.whole
            if together and last.y_stride == axis.y_stride * axis.size and last.x_stride == axis.x_stride * axis.size:
                size = last.size * axis.size
                axes[-1] = Axis(size, axis.y_stride, 0, 1, size, axis.x_stride)
            else:
                axes.append(axis)
        return Move(tuple(axes), self.mode, self.fill, self.offset)


def widened(move: Move, item_bytes: int) -> tuple[Move, int]:
    """The same move with 8-byte elements, where runs of neighbouring elements allow it; (move, bytes of an element)."""
    last, factor = (move.axes or (None,))[-1], WIDEST // item_bytes
    if last is None or not (last.whole and last.y_stride == last.x_stride == 1):
        return move, item_bytes
    numbers = [last.size, move.offset, *(n for axis in move.axes[:-1] for n in (axis.y_stride, axis.x_stride))]
    if move.mode != "inside" or any(number % factor for number in numbers):
        return move, item_bytes
    size = last.size // factor
    axes = [replace(a, y_stride=a.y_stride // factor, x_stride=a.x_stride // factor) for a in move.axes[:-1]]
    return Move((*axes, Axis(size, 1, 0, 1, size, 1)), "inside", 0, move.offset // factor), WIDEST


def as_wide(array_words: tuple, item_bytes: int, wide_bytes: int) -> tuple:
    """Array arguments with elements of another size over the same bytes."""
    count = array_words[2].value * item_bytes // wide_bytes
    return array(array_words[4], count, wide_bytes)


def move_launch(move: Move, x: tuple, y: tuple, item_bytes: int) -> Launch:
    """x, y: array arguments of the two tensors."""
    move, wide_bytes = widened(move, item_bytes)
    x, y, item_bytes = as_wide(x, item_bytes, wide_bytes), as_wide(y, item_bytes, wide_bytes), wide_bytes
    axes = (*[Axis(1, 0, 0, 1, 1, 0)] * (AXES - len(move.axes)), *move.axes)
    count = math.prod(axis.size for axis in axes)
    numbers = [n for a in axes for n in (a.size, a.y_stride, a.start, a.step, a.extent, a.x_stride)]
    arguments = (*x, *y, Scalar(move.fill, f"uint{8 * item_bytes}"), *integers(count, move.offset, *numbers))
    return launch("plain_move", count, arguments, mode=move.mode, item_bytes=item_bytes)


def kept(source: Value, target: Value) -> bool:
    """True where stored elements may pass as they are."""
    return source.dtype == target.dtype and np.array_equal(source.scale, target.scale)


def candidates(op: Op, device: Device) -> list[Tactic]:
    """A tactic for each kind that only moves elements, where scales agree and six axes are enough."""
    y = op.outputs[0]
    if op.kind == "gather":
        return _gather(op)
    if op.kind not in MOVES or len(op.outputs) > 1 or not y.size:
        return []
    if op.kind == "concat":
        return _concat(op)
    if not kept(op.inputs[0], y):
        return []
    moves = MOVES[op.kind](op)
    if moves is None or any(len(move.joined().axes) > AXES for move in moves):
        return []
    room = y.size * _item(y) if len(moves) == 2 else 0
    layouts = (LINEAR,) * len(op.inputs)
    return [Tactic(f"plain_{op.kind}", _launches, layouts, (LINEAR,), workspace_bytes=room)]


def _item(value: Value) -> int:
    return NUMPY_TYPES[value.dtype].itemsize


def _launches(op: Op) -> list[Launch]:
    """One move, or two with the tensor between them in the workspace."""
    moves = [move.joined() for move in MOVES[op.kind](op)]
    x, y, item = of_value("input", 0, op.inputs[0]), of_value("output", 0, op.output), _item(op.output)
    between = array(Workspace(), op.output.size, item)
    ends = [(x, y)] if len(moves) == 1 else [(x, between), (between, y)]
    return [move_launch(move, *end, item) for move, end in zip(moves, ends, strict=True)]


def permuted(shape: tuple[int, ...], order) -> Move:
    """The move that puts axis order[i] in place i."""
    x_strides, y_shape = strides_of(shape), [shape[axis] for axis in order]
    y_strides = strides_of(tuple(y_shape))
    return Move(tuple(Axis(n, t, 0, 1, n, x_strides[a]) for n, t, a in zip(y_shape, y_strides, order, strict=True)))


def _shuffle(op: Op) -> list[Move] | None:
    """Transpose, reshape, transpose: a reshape moves nothing, so it is one move, or two where both orders are real."""
    shape, y = tuple(op.inputs[0].shape), tuple(op.output.shape)
    first, second = (op.attrs.get(name) for name in ("first", "second"))
    moves = [permuted(shape, first)] if first is not None and list(first) != sorted(first) else []
    if second is not None and list(second) != sorted(second):
        middle = [0] * len(y)
        for place, axis in enumerate(second):
            middle[axis] = y[place]
        moves.append(permuted(tuple(middle), second))
    return moves or [permuted(y, range(len(y)))]


def _slice(op: Op) -> list[Move] | None:
    x, y, attrs = op.inputs[0], op.output, op.attrs
    if any(attrs.get(name) is None for name in ("starts", "sizes", "strides")) or len(op.present) > 1:
        return None
    mode = SLICE_MODES.get(attrs.get("mode", "default"))
    rows = zip(
        attrs["sizes"],
        strides_of(y.shape),
        attrs["starts"],
        attrs["strides"],
        x.shape,
        strides_of(x.shape),
        strict=True,
    )
    fill = np.asarray(attrs.get("fill", 0)).astype(NUMPY_TYPES[y.dtype])
    return [Move(tuple(Axis(*map(int, row)) for row in rows), mode, _bits(fill))] if mode else None


def _pad(op: Op) -> list[Move] | None:
    x, y, attrs = op.inputs[0], op.output, op.attrs
    mode = PAD_MODES.get(attrs.get("mode", "constant"))
    if mode is None or attrs.get("before") is None or len(op.present) > 1:
        return None
    rows = zip(y.shape, strides_of(y.shape), attrs["before"], x.shape, strides_of(x.shape), strict=True)
    crops = any(before < 0 for before in (*attrs["before"], *attrs["after"]))
    if crops and mode != "fill":
        return None  # what is reflected is the cropped tensor
    fill = np.asarray(attrs.get("value", 0)).astype(NUMPY_TYPES[y.dtype])
    return [Move(tuple(Axis(n, t, -int(b), 1, m, u) for n, t, b, m, u in rows), mode, _bits(fill))]


def _bits(number: np.ndarray) -> int:
    """A number's bits as an unsigned integer."""
    return int(number.reshape(1).view(f"uint{8 * number.itemsize}")[0])


def _expand(op: Op) -> list[Move]:
    x, y = op.inputs[0], op.output
    shape = (1,) * (len(y.shape) - len(x.shape)) + tuple(x.shape)
    rows = zip(y.shape, strides_of(y.shape), shape, strides_of(shape), strict=True)
    return [Move(tuple(Axis(n, t, 0, 1, n, 0 if m == 1 else u) for n, t, m, u in rows))]


def _tile(op: Op) -> list[Move] | None:
    x, y = op.inputs[0], op.output
    if len(x.shape) != len(y.shape):
        return None
    rows = zip(y.shape, strides_of(y.shape), x.shape, strides_of(x.shape), strict=True)
    return [Move(tuple(Axis(n, t, 0, 1, m, u) for n, t, m, u in rows), "wrap")]


MOVES = {"shuffle": _shuffle, "slice": _slice, "pad": _pad, "expand": _expand, "tile": _tile, "concat": None}


def _concat(op: Op) -> list[Tactic]:
    y = op.output
    if not all(kept(x, y) for x in op.inputs):
        return []
    made = [
        Tactic("plain_concat_linear", partial(_concat_launches, layout=LINEAR), (LINEAR,) * len(op.inputs), (LINEAR,))
    ]
    axis = op.attrs["axis"] % len(y.shape)
    if len(y.shape) >= 3 and axis == 1 and all(x.shape[1] % 16 == 0 and not x.is_constant for x in op.inputs):
        layouts = (NHWC16,) * len(op.inputs)
        made.append(Tactic("plain_concat_nhwc16", partial(_concat_launches, layout=NHWC16), layouts, (NHWC16,)))
    return made


def _concat_launches(op: Op, layout: str) -> list[Launch]:
    """A move for each input that is not there yet to its place along the axis."""
    y, axis, at, launches = op.output, op.attrs["axis"] % len(op.output.shape), 0, []
    stored = y.like("y", layout=layout).stored_shape
    axis = len(stored) - 1 if layout == NHWC16 else axis
    for index, x in enumerate(op.inputs):
        shape = x.like("x", layout=layout).stored_shape
        if math.prod(shape) and index not in op.attrs.get("inside", ()):  # who makes it wrote it there
            rows = zip(shape, strides_of(stored), strides_of(shape), strict=True)
            move = Move(
                tuple(Axis(n, t, 0, 1, n, u) for n, t, u in rows), offset=at * strides_of(stored)[axis]
            ).joined()
            ends = of_value("input", index, x, layout), of_value("output", 0, y, layout)
            launches.append(move_launch(move, *ends, _item(y)))
        at += shape[axis]
    return launches


def _gather(op: Op) -> list[Tactic]:
    x, indices, y = op.inputs[0], op.inputs[1], op.output
    mode = op.attrs.get("mode", "default")
    plain = mode in ("default", "element") and not op.attrs.get("batch_dims", 0) and kept(x, y)
    if not plain or dtype_name(indices) not in ("int32", "int64") or not y.size:
        return []
    axis = op.attrs.get("axis", 0) % max(len(x.shape), 1)
    if mode == "element" and any(
        a != b for i, (a, b) in enumerate(zip(x.shape, indices.shape, strict=True)) if i != axis
    ):
        return []
    return [Tactic("plain_gather", _gather_launches, (LINEAR, LINEAR), (LINEAR,))]


def _gather_launches(op: Op) -> list[Launch]:
    x, indices, y = op.inputs[0], op.inputs[1], op.output
    axis, mode = op.attrs.get("axis", 0) % len(x.shape), op.attrs.get("mode", "default")
    inner = math.prod(x.shape[axis + 1 :])
    count = indices.shape[axis] if mode == "element" else indices.size
    arguments = (
        *of_value("input", 0, x), *of_value("input", 1, indices), *of_value("output", 0, y),
        *integers(y.size, x.shape[axis], count, inner),
    )  # fmt: skip
    return [launch("plain_gather", y.size, arguments, mode=mode, item_bytes=_item(x), index=dtype_name(indices))]
