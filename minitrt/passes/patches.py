"""A convolution whose windows do not overlap is a product of patches: what a vision transformer begins with.

Images are cut into patches by a shuffle, and every patch is one row of the product. Where channels are few this saves
the zeros that pad them, and where the result is turned into (batch, patches, channels) anyway, it comes out as such.
"""

from __future__ import annotations

import math

import numpy as np

from minitrt.graph.ir import Graph, Op, Value
from minitrt.passes.editing import Editor, Log
from minitrt.passes.heads import sent
from minitrt.shapes import settle

FEW_CHANNELS = 16  # which convolutions pad to


def cut_patches(graph: Graph, log: Log) -> None:
    editor = Editor(graph, log)
    editor.until_stable(lambda op: op.kind == "conv" and as_product(editor, op))


def as_product(editor: Editor, op: Op) -> bool:
    """Rewrite the convolution and the moves behind it, if they make tokens."""
    x, weights = op.inputs[0], op.inputs[1]
    if not covers(op) or op.input(3) is not None or op.attrs.get("pool") or not weights.is_constant:
        return False
    moves = tokens(editor, op)
    if moves is None:
        return False
    images, channels, *_ = x.shape
    (height, width), (rows, columns) = op.output.shape[2:], op.attrs["kernel"]
    terms, name = channels * rows * columns, op.name
    cut = x.like(editor.fresh(f"{x.name}/patches"), shape=(images, height, width, channels, rows, columns))
    flat = x.like(editor.fresh(f"{x.name}/rows"), shape=(images, height * width, terms))
    around = {"shape": [images, channels, height, rows, width, columns], "second": [0, 2, 4, 1, 3, 5]}
    editor.insert(Op("shuffle", f"{name}.patches", [x], [cut], around, list(op.origin)), before=op)
    reshape = {"shape": list(flat.shape), "zero_is_placeholder": False}
    editor.insert(Op("shuffle", f"{name}.rows", [cut], [flat], reshape, list(op.origin)), before=op)
    data = np.ascontiguousarray(weights.data.reshape(len(weights.data), terms))
    table = Value(weights.name, weights.dtype, data.shape, weights.scale, 0, data)
    table.weights = weights.weights
    result = moves[-1].output
    result.scale, result.dtype = op.output.scale, op.output.dtype
    attrs = {"transpose_b": True, "activation": op.attrs.get("activation")}
    made = Op("gemm", name, [flat, table, op.input(2), None], [result], attrs, list(op.origin))
    editor.log(f"{name}: its windows do not overlap, so patches are multiplied as rows")
    editor.insert(made, before=moves[-1])
    editor.remove(op, *moves)
    return True


def covers(op: Op) -> bool:
    """True where each pixel of a two-dimensional image of few channels is in one window."""
    x, a = op.inputs[0], op.attrs
    if len(x.shape) != 4 or -1 in x.shape or x.shape[1] >= FEW_CHANNELS or int(a.get("groups", 1)) != 1:
        return False
    unpadded = not any((*(a.get("pads_before") or ()), *(a.get("pads_after") or ()))) and not a.get("auto_pad")
    undilated = all(step == 1 for step in a.get("dilations") or ())
    kernel, size = a.get("kernel") or [], x.shape[2:]
    whole = len(kernel) == 2 and not any(n % k for n, k in zip(size, kernel, strict=True))
    return unpadded and undilated and whole and math.prod(kernel) > 1 and list(a.get("stride") or ()) == list(kernel)


def tokens(editor: Editor, op: Op) -> list[Op] | None:
    """The moves behind a convolution that turn (batch, channels, rows, columns) into (batch, patches, channels)."""
    images, channels, height, width = op.output.shape
    indices = np.arange(channels * height * width, dtype=np.int32).reshape(1, channels, height, width)
    wanted, moves, value = indices.reshape(1, channels, -1).swapaxes(1, 2), [], op.output
    while (move := editor.only_user(value, "shuffle")) is not None:
        moves.append(move)
        found = sent(indices, [settle(each) for each in moves], images)
        if found is None or np.array_equal(found, wanted):
            return moves if found is not None else None
        value = move.output
    return None
