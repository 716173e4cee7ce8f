"""A max pool behind an INT8 convolution computed with it ("conv1 + maxpool"), where some kernel can.

Whether one can, and faster, depends on shapes and device, so the builder asks for each pair; the reference backend can
always.
"""

from __future__ import annotations

from collections.abc import Callable

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, joint_name
from minitrt.passes.editing import Editor, Log

WINDOW = ("kernel", "stride", "pads_before", "pads_after")


def fuse_pools(graph: Graph, log: Log, faster: Callable[[Op, Op], bool]) -> None:
    """faster(convolution, pool): whether the pair is to become one operation."""
    editor = Editor(graph, log)
    for conv, pool in pairs(editor):
        if faster(conv, pool):
            conv.attrs["pool"] = {key: pool.attrs[key] for key in WINDOW}
            editor.absorb(conv, pool)


def pairs(editor: Editor) -> list[tuple[Op, Op]]:
    """Every INT8 convolution without a residual, and the pool that alone reads its result."""
    found = []
    for op in editor.graph.ops:
        pool = editor.only_user(op.output, "pool") if op.kind == "conv" else None
        if pool is None or not is_plain_max(pool) or "pool" in op.attrs or op.input(3) is not None:
            continue
        if op.output.dtype == DataType.INT8 and op.output.scale == pool.output.scale:
            found.append((op, pool))
    return found


def is_plain_max(pool: Op) -> bool:
    """A maximum without indices, dilation, or windows that hang over."""
    a = pool.attrs
    dilated = any(d != 1 for d in a.get("dilations") or [])
    known = all(a.get(key) is not None for key in WINDOW) and not a.get("auto_pad")
    return a["mode"] == "max" and len(pool.outputs) == 1 and known and not dilated and not a.get("ceil_mode")


def joined(conv: Op, pool: Op) -> Op:
    """The operation that both would become, to ask tactics about."""
    attrs = {**conv.attrs, "pool": {key: pool.attrs[key] for key in WINDOW}}
    return Op("conv", joint_name(conv, pool), conv.inputs, pool.outputs, attrs)
