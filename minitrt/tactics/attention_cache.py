"""Attention behind a cache: keys and values are copied to where all of them lie, and a kernel reads those.

That place is the second and third output where the network wants them, else scratch memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.tactics.arguments import array, of_value, strides_of
from minitrt.tactics.attention_form import gathered, heads_of, keys_of, past_of, size_of
from minitrt.tactics.contract import Argument, Launch, Tensor, Workspace
from minitrt.tactics.plain.movement import Axis, Move, move_launch

ALIGNED = 256


def shape_of_all(op: Op, index: int) -> tuple[int, int, int, int]:
    """Images, heads, keys and size of the whole of input `index`, which is 1 for keys or 2 for values."""
    return op.inputs[index].shape[0], heads_of(op, index), keys_of(op), size_of(op, index)


def rooms(op: Op) -> list[int]:
    """Bytes of scratch memory that all keys take, and all values."""
    if not gathered(op):
        return [0, 0]
    item = NUMPY_TYPES[op.inputs[0].dtype].itemsize
    missing = [math.prod(shape_of_all(op, i)) * item if i >= len(op.outputs) else 0 for i in (1, 2)]
    return [-(-room // ALIGNED) * ALIGNED for room in missing]


def behind_cache(op: Op, make: Callable[[Op], list[Launch]]) -> list[Launch]:
    """What `make` launches, behind what copies keys and values where they have to be together."""
    if not gathered(op):
        return make(op)
    for_keys, for_values = rooms(op)
    scratch = {1: Workspace(0), 2: Workspace(for_keys)}
    places = {i: Tensor("output", i) if i < len(op.outputs) else scratch[i] for i in (1, 2)}
    values = [op.inputs[i].like(op.inputs[i].name, shape=shape_of_all(op, i)) for i in (1, 2)]
    past = {"past": past_of(op)}
    inner = Op(op.kind, op.name, [op.inputs[0], *values, op.input(3), None, None, op.input(6)], op.outputs,
               {**op.attrs, **past})  # fmt: skip

    def placed(argument: Argument) -> Argument:
        if isinstance(argument, Tensor) and argument.role == "input" and argument.index in places:
            return places[argument.index]
        if isinstance(argument, Workspace):
            return replace(argument, offset_bytes=argument.offset_bytes + for_keys + for_values)
        return argument

    copies = [launch for i in (1, 2) for launch in _copies(op, i, places[i])]
    return copies + [replace(launch, args=tuple(map(placed, launch.args))) for launch in make(inner)]


def _copies(op: Op, index: int, place: Tensor | Workspace) -> list[Launch]:
    """The cache of keys or values, then what is new, to their place."""
    shape, new, past = shape_of_all(op, index), op.inputs[index], op.input(3 + index)
    item = NUMPY_TYPES[new.dtype].itemsize
    to, steps = array(place, math.prod(shape), item), strides_of(shape)
    launches = []
    if past is not None and past.size:
        axes = zip(past.shape, steps, strides_of(past.shape), strict=True)
        move = Move(tuple(Axis(n, t, 0, 1, n, u) for n, t, u in axes)).joined()
        launches.append(move_launch(move, of_value("input", 3 + index, past), to, item))
    images, heads, _, size = shape
    tokens = new.shape[-2]
    own = strides_of(new.shape)
    by_heads = own if len(new.shape) == 4 else [own[0], size, own[1], 1]
    axes = zip((images, heads, tokens, size), steps, by_heads, strict=True)
    move = Move(tuple(Axis(n, t, 0, 1, n, u) for n, t, u in axes), offset=past_of(op) * size).joined()
    return [*launches, move_launch(move, of_value("input", index, new), to, item)] if new.size else launches
