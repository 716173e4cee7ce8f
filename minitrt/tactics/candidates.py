"""Every tactic that can run an operation: one module a family of kernels, asked in turn."""

from __future__ import annotations

from minitrt.graph.ir import Op
from minitrt.tactics import (
    hopper_conv,
    int8_pixels,
    plain_layout,
    plain_movement,
    plain_pointwise,
    plain_products,
    plain_rows,
)
from minitrt.tactics.contract import Device, Tactic

FAMILIES = (
    hopper_conv.candidates,
    int8_pixels.candidates,
    plain_pointwise.candidates,
    plain_movement.candidates,
    plain_rows.candidates,
    plain_products.candidates,
    plain_layout.candidates,
)


def device_candidates(op: Op, device: Device) -> list[Tactic]:
    """The tactics that run on a device; an empty list where no kernel does."""
    return [tactic for family in FAMILIES for tactic in family(op, device)]
