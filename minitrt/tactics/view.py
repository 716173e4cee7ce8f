"""Shuffles that move nothing: the result is the input under another shape, and no kernel runs.

The builder offers it where input and output both lie in the arena (`builder/build.py`), marks the operation, and memory
planning gives both one place (`plan/memory.py`).
"""

from __future__ import annotations

from minitrt.graph.ir import LINEAR, NHWC16, Op
from minitrt.tactics.contract import VIEW, Device, Launch, Tactic
from minitrt.tactics.plain_movement import kept


def candidates(op: Op, device: Device) -> list[Tactic]:
    """A tactic a layout in which the elements stay where they are."""
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
