"""Every tactic that can run an operation: one module a family of kernels, asked in turn."""

from __future__ import annotations

from minitrt.graph.ir import Op
from minitrt.tactics import (
    attention,
    conversion,
    depthwise,
    hopper_conv,
    normalise,
    pixels,
    tensor_conv,
    view,
)
from minitrt.tactics.contract import Device, Tactic
from minitrt.tactics.hopper import chain, stem
from minitrt.tactics.plain import (
    contraction,
    indexing,
    layout,
    movement,
    ordering,
    pointwise,
    products,
    recurrent,
    regions,
    resize,
    rotary,
    rows,
    sampling,
)

FAMILIES = (
    hopper_conv.candidates,
    attention.candidates,
    depthwise.candidates,
    conversion.candidates,
    normalise.candidates,
    pixels.candidates,
    pointwise.candidates,
    movement.candidates,
    indexing.candidates,
    ordering.candidates,
    rows.candidates,
    layout.candidates,
    resize.candidates,
    regions.candidates,
    sampling.candidates,
    contraction.candidates,
    rotary.candidates,
    recurrent.candidates,
    view.candidates,
)
# Far slower than what comes before, so not worth timing beside it: asked only where nothing else was found.
LAST_RESORTS = (tensor_conv.candidates, products.candidates, contraction.products)


def device_candidates(op: Op, device: Device) -> list[Tactic]:
    """The tactics that run on a device; an empty list where no kernel does."""
    if op.attrs.get("tail"):
        return chain.candidates(op, device)  # all others would leave it out
    if op.attrs.get("shortcut"):
        return hopper_conv.candidates(op, device)
    if op.attrs.get("pool"):
        return stem.candidates(op, device)
    return [tactic for family in FAMILIES for tactic in family(op, device)] or last_resorts(op, device)


def last_resorts(op: Op, device: Device) -> list[Tactic]:
    """What runs where nothing better is found, or where none of it could be compiled."""
    if any(op.attrs.get(name) for name in ("pool", "shortcut", "tail", "quantised")):
        return []
    for family in LAST_RESORTS:
        found = family(op, device)
        if found:
            return found
    return []
