"""Shuffles and concatenations that move nothing, and for which no kernel runs.

A shuffle's result is the input under another shape. A concatenation's inputs lie side by side in its result from the
start, where each of them is one run of bytes there: who makes them writes into the result.

The builder offers it where input and output both lie in the arena (`builder/build.py`), marks the operation, and memory
planning gives both one place (`plan/memory.py`).
"""

from __future__ import annotations

from minitrt.graph.ir import LINEAR, NHWC16, Op
from minitrt.tactics.contract import VIEW, Device, Launch, Tactic
from minitrt.tactics.plain.movement import kept

RUN_BYTES = 16


def candidates(op: Op, device: Device) -> list[Tactic]:
    """A tactic a layout in which the elements stay where they are."""
    if op.kind == "concat":
        found = [layout for layout in (LINEAR, NHWC16) if joins(op, layout)]
        return [Tactic(f"{VIEW}_{layout}", _nothing, (layout,) * len(op.inputs), (layout,)) for layout in found]
    if op.kind != "shuffle" or len(op.outputs) > 1 or not kept(op.inputs[0], op.output) or op.output.host:
        return []
    found = [LINEAR] if _stays(op) else []
    if _stays(op) and _pixels(op):
        found.append(NHWC16)
    return [Tactic(f"{VIEW}_{layout}", _nothing, (layout,) * len(op.inputs), (layout,)) for layout in found]


def _nothing(op: Op) -> list[Launch]:
    return []


def _stays(op: Op) -> bool:
    """True for a reshape without transposes, whatever the sizes."""
    orders = [op.attrs.get(name) for name in ("first", "second") if op.attrs.get(name) is not None]
    return all(list(order) == sorted(order) for order in orders)


def _pixels(op: Op) -> bool:
    """True for images of one pixel that become rows, or the reverse: NHWC16 stores both alike."""
    x, y = op.inputs[0].shape, op.output.shape
    return min(len(x), len(y)) >= 2 and x[:2] == y[:2] and not any(size != 1 for size in (*x[2:], *y[2:]))


def joins(op: Op, layout: str) -> bool:
    """True where each input is one run of bytes of the result, at an address that vector loads can take."""
    y = op.output
    axis = int(op.attrs["axis"]) % max(len(y.shape), 1)
    movable = all(value is not None and not value.is_constant and kept(value, y) for value in op.inputs)
    if len(op.outputs) > 1 or not movable or y.host or not y.size:
        return False
    stored = [value.like(value.name, layout=layout) for value in op.inputs]
    if layout == NHWC16:
        if len(y.shape) < 3 or axis == 1 and any(value.shape[1] % 16 for value in stored):
            return False
        order = [0, *range(2, len(y.shape)), 1]
    else:
        order = list(range(len(y.shape)))
    before = order[: order.index(axis)]
    return all(y.shape[a] == 1 for a in before) and all(value.nbytes % RUN_BYTES == 0 for value in stored)
