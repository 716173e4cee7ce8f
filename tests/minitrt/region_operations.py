"""RoiAlign of five regions of two images."""

from __future__ import annotations

from minitrt.graph.ir import Op
from tests.minitrt.plain_operations import I64, F, H, constant, op, value


def regions(dtype, **attrs) -> Op:
    inputs = [value("x", dtype, (2, 3, 9, 11)), value("r", F, (5, 4)), constant("i", I64, [0, 1, 1, 0, 1])]
    return op("roi_align", inputs, value("y", dtype, (5, 3, 2, 3)), size=[2, 3], **attrs)


OPS = {
    "regions, averaged": regions(F, mode="avg", half_pixel=True, ratio=2, scale=1.0),
    "regions, the largest, in float16": regions(H, mode="max", half_pixel=False, ratio=0, scale=4.0),
}
