"""A convolution and the 1x1 convolution that makes its residual as one operation ("downsample + conv3 + add + relu").

A residual network widens its skip connection by such a convolution once a stage: computed where it is added, its result
never goes through memory. Whether that is faster depends on shapes and device, so the builder asks for each pair.
"""

from __future__ import annotations

from collections.abc import Callable

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op
from minitrt.graph.shortcut import RESIDUAL, joined
from minitrt.passes.editing import Editor, Log


def fuse_shortcuts(graph: Graph, log: Log, faster: Callable[[Op, Op], bool]) -> None:
    """faster(shortcut, convolution): whether the pair is to become one operation."""
    editor = Editor(graph, log)
    for short, main in pairs(editor):
        if faster(short, main):
            editor.fuse(main, short, joined(short, main))
    graph.sort()


def pairs(editor: Editor) -> list[tuple[Op, Op]]:
    """Every convolution with a residual that a 1x1 convolution makes for it alone. A pair shares no operation with
    another: a shortcut has no residual."""
    found = []
    for main in editor.graph.ops:
        short = editor.producer(main.input(RESIDUAL), "conv") if main.kind == "conv" else None
        if short is not None and editor.only_user(short.output) is main and is_shortcut(short) and is_plain(main):
            found.append((short, main))
    return found


def is_plain(op: Op) -> bool:
    """A convolution with constant weights that took over nothing yet."""
    return has_constants(op) and not any(op.attrs.get(name) for name in ("pool", "shortcut", "tail", "dynamic"))


def has_constants(op: Op) -> bool:
    """Weights and bias are known."""
    return op.inputs[1].is_constant and (op.input(2) is None or op.input(2).is_constant)


def is_shortcut(op: Op) -> bool:
    """A 1x1 convolution that only multiplies and adds a bias, in INT8."""
    bare, y = op.input(RESIDUAL) is None and not op.attrs.get("activation"), op.output
    typed = op.inputs[0].dtype == y.dtype == DataType.INT8 and isinstance(y.scale, float)
    return is_plain(op) and is_pointwise(op) and bare and typed


def is_pointwise(op: Op) -> bool:
    """True where each output pixel is made of one input pixel, at any stride."""
    a = op.attrs
    one = all(size == 1 for size in [*op.inputs[1].shape[2:], *(a.get("dilations") or []), a.get("groups") or 1])
    return one and not a.get("auto_pad") and not any([*(a.get("pads_before") or []), *(a.get("pads_after") or [])])
