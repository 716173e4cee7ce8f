"""RoiAlign by one plain kernel."""

from __future__ import annotations

from minitrt.api.enums import DataType
from minitrt.graph.ir import LINEAR, Op
from minitrt.tactics.arguments import dtype_name, floats, integers, launch, of_value, real_scale, whole_scale
from minitrt.tactics.contract import Device, Launch, Scalar, Tactic

FLOATING, INDICES = (DataType.FLOAT, DataType.HALF), (DataType.INT32, DataType.INT64)


def candidates(op: Op, device: Device) -> list[Tactic]:
    """One tactic, for floats and for int8 with one scale."""
    if op.kind != "roi_align" or not op.output.size or not op.inputs[0].size:
        return []
    x, regions, images = op.inputs[:3]
    elements = all(v.dtype in FLOATING or v.scale is not None and whole_scale(v) for v in (x, op.output))
    if not elements or regions.dtype not in FLOATING or images.dtype not in INDICES:
        return []
    return [Tactic("plain_roi_align", launches, (LINEAR,) * 3, (LINEAR,))]


def launches(op: Op) -> list[Launch]:
    (x, regions, images), y, attrs = op.inputs[:3], op.output, op.attrs
    arguments = (
        *(word for i in range(3) for word in of_value("input", i, op.inputs[i])), *of_value("output", 0, y),
        *floats(real_scale(x), real_scale(y)), Scalar(float(attrs["scale"]), "float64"),
        *integers(y.size, *x.shape, *attrs["size"], attrs["ratio"]),
    )  # fmt: skip
    names = {"source": dtype_name(x), "target": dtype_name(y), "regions": dtype_name(regions)}
    how = {"mode": attrs["mode"], "half_pixel": bool(attrs["half_pixel"])}
    return [launch("plain_roi_align", y.size, arguments, index=dtype_name(images), **names, **how)]
