"""A first convolution that quantises the network's input itself ("quantize + conv1 + maxpool"), where some kernel can.

The quantised images are then never written to memory and read back. Whether that is faster depends on shapes and
device, so the builder asks for each pair.
"""

from __future__ import annotations

from collections.abc import Callable

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op
from minitrt.graph.quantised import joined
from minitrt.graph.shortcut import RESIDUAL
from minitrt.passes.editing import Editor, Log
from minitrt.passes.shortcuts import has_constants


def fuse_quantisers(graph: Graph, log: Log, faster: Callable[[Op, Op], bool]) -> None:
    """faster(reformat, convolution): whether the pair is to become one operation."""
    editor = Editor(graph, log)
    for quantize, conv in pairs(editor):
        if faster(quantize, conv):
            editor.fuse(conv, quantize, joined(quantize, conv))
    graph.sort()


def pairs(editor: Editor) -> list[tuple[Op, Op]]:
    """Every convolution with its pool, and what quantises its input for it alone: no kernel does it without a pool."""
    found = []
    for conv in editor.graph.ops:
        quantize = editor.producer(conv.inputs[0], "reformat") if conv.kind == "conv" else None
        if quantize is None or not conv.attrs.get("pool") or editor.only_user(quantize.output) is not conv:
            continue
        if is_plain(quantize) and has_constants(conv) and conv.input(RESIDUAL) is None:
            found.append((quantize, conv))
    return found


def is_plain(quantize: Op) -> bool:
    """From real numbers to INT8, by one scale."""
    x, y = quantize.inputs[0], quantize.output
    return x.scale is None and x.dtype != DataType.INT8 == y.dtype and isinstance(y.scale, float)
