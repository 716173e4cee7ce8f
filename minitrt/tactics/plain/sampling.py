"""Grid sampling and local responses by plain kernels."""

from __future__ import annotations

import math

from minitrt.graph.ir import LINEAR, Op
from minitrt.tactics.arguments import dtype_name, floats, integers, launch, of_value, real_scale
from minitrt.tactics.contract import Device, Launch, Tactic
from minitrt.tactics.plain.rows import real_elements


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, for floats and for int8 with one scale; cubic samples, and those of volumes, are the reference's."""
    if op.kind == "grid_sample" and (op.attrs.get("mode") == "cubic" or len(op.inputs[0].shape) != 4):
        return []
    make = {"grid_sample": _grid_launches, "lrn": _response_launches}.get(op.kind)
    if make is None or not op.output.size or not all(real_elements(value) for value in (*op.inputs, op.output)):
        return []
    return [Tactic(f"plain_{op.kind}", make, (LINEAR,) * len(op.inputs), (LINEAR,))]


def _grid_launches(op: Op) -> list[Launch]:
    (x, grid), y, attrs = op.inputs, op.output, op.attrs
    arguments = (
        *of_value("input", 0, x), *of_value("input", 1, grid), *of_value("output", 0, y),
        *floats(real_scale(x), real_scale(y)), *integers(y.size, *x.shape[1:], *y.shape[2:]),
    )  # fmt: skip
    names = {"source": dtype_name(x), "target": dtype_name(y), "places": dtype_name(grid)}
    how = {"mode": attrs.get("mode", "linear"), "padding": attrs.get("padding", "fill")}
    return [launch("plain_grid_sample", y.size, arguments, **names, **how, align=bool(attrs.get("align_corners")))]


def _response_launches(op: Op) -> list[Launch]:
    x, y, attrs, size = op.inputs[0], op.output, op.attrs, int(op.attrs["size"])
    arguments = (
        *of_value("input", 0, x), *of_value("output", 0, y), *floats(real_scale(x), real_scale(y)),
        *floats(attrs["alpha"] / size, attrs["beta"], attrs.get("k", 1.0)),
        *integers(y.size, x.shape[1], math.prod(x.shape[2:]), (size - 1) // 2, size // 2),
    )  # fmt: skip
    return [launch("plain_local_response", y.size, arguments, source=dtype_name(x), target=dtype_name(y))]
