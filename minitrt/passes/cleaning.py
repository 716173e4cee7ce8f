"""Constant folding, dead layers, layers that do nothing, and layers that are there twice."""

from __future__ import annotations

import json

import numpy as np

from minitrt.graph.ir import DATA_TYPES, Graph, Op, Value
from minitrt.graph.recipe import Recipe, worth_a_recipe
from minitrt.passes.editing import Editor, Log, is_step
from minitrt.reference import run_op
from minitrt.shapes import settle
from minitrt.shapes.inference import infer

KEPT = ("quantize", "dequantize", "random_mask", "plugin", "assertion")  # never folded: see qdq.py; have effects


def fold_constants(graph: Graph, log: Log, everything: bool = False) -> None:
    """Compute every operation whose inputs are constants. everything: dequantised weights, too."""
    for op in graph:
        known = all(value.is_constant for value in op.outputs)
        foldable = everything or op.kind not in KEPT
        if not known and foldable and op.kind not in KEPT[2:] and all(value.is_constant for value in op.present):
            fold(settle(op))
            known = True
        if known and not any(value in graph.outputs for value in op.outputs):
            log(f"fold {op.name} into a constant")
            graph.remove([op])
    settle_constants(graph)


def fold(op: Op) -> None:
    """Give the outputs of an operation on constants their elements, or what makes them where that is smaller."""
    size = op.output.nbytes if -1 not in op.output.shape else 0
    if worth_a_recipe(op, size):
        ((op.output.shape, op.output.dtype),) = infer(op)
        op.output.data = Recipe(op, run_op)
        return
    results = run_op(op, [value if value is None else value.data for value in op.inputs])
    for value, array in zip(op.outputs, results, strict=False):
        value.data, value.shape, value.dtype = array, array.shape, DATA_TYPES[array.dtype]


def settle_constants(graph: Graph) -> None:
    """Shape-like inputs that became constants become attributes."""
    for op in graph:
        dynamic = op.attrs.get("dynamic", {})
        for name, index in list(dynamic.items()):
            value = op.inputs[index]
            if value is not None and value.is_constant:
                op.attrs[name] = value.data.tolist()
                op.inputs[index] = None
                del dynamic[name]
        if "dynamic" in op.attrs and not dynamic:
            del op.attrs["dynamic"]
        while len(op.inputs) > 1 and op.inputs[-1] is None and op.kind not in ("conv", "gemm", "deconv"):
            op.inputs.pop()
        if "dynamic" not in op.attrs and not any(-1 in value.shape for value in op.present):
            op.attrs = settle(op).attrs


def remove_dead(graph: Graph, log: Log) -> None:
    """Drop operations that no output needs; assertions stay."""
    needed = {*graph.outputs, *graph.kept}
    alive = []
    for op in reversed(graph.ops):
        if op.kind == "assertion" or any(value in needed for value in op.outputs):
            needed.update(op.present)
            alive.append(op)
        else:
            log(f"remove {op.name}: no output needs it")
    graph.ops = alive[::-1]


def remove_no_ops(graph: Graph, log: Log) -> None:
    """Drop identities, casts to the same type, shuffles that move nothing, repeated ReLUs; join shuffles."""
    editor = Editor(graph, log)

    def rewrite(op: Op) -> bool:
        source = op.input(0)
        if source is None or len(op.outputs) != 1:
            return False
        maker = editor.producer(source)
        twice = is_step(op, "relu") and is_step(maker, "relu")
        if (does_nothing(op) or twice) and removable(editor, op):
            log(f"remove {op.name}: it does nothing")
            editor.bypass(op, source)
            return True
        return joined_shuffles(editor, op, maker)

    editor.until_stable(rewrite)


def removable(editor: Editor, op: Op) -> bool:
    """An output of the graph must be made by an operation that makes it alone."""
    if op.output not in editor.watched:
        return True
    source = op.inputs[0]
    maker = editor.producer(source)
    if maker is None or source in editor.watched or len(maker.outputs) != 1:
        return False
    # The result takes the output's name, so that nobody misses it.
    source.name, op.output.name = op.output.name, source.name
    return True


def does_nothing(op: Op) -> bool:
    x, y = op.inputs[0], op.output
    same = x.dtype == y.dtype and x.shape == y.shape
    if is_step(op, "identity", "cast"):
        return same
    if op.kind == "shuffle":
        still = all(op.attrs.get(key) in (None, list(range(len(x.shape)))) for key in ("first", "second"))
        return same and still and x.shape.count(-1) <= 1 and "dynamic" not in op.attrs
    if op.kind == "slice" and same and -1 not in x.shape:
        return all(s == 1 for s in op.attrs.get("strides") or op.attrs.get("steps") or [1])
    return op.kind in ("concat", "expand", "pad") and same and len(op.present) == 1 and -1 not in x.shape


def joined_shuffles(editor: Editor, op: Op, maker: Op | None) -> bool:
    """transpose after transpose is one transpose; reshape after reshape is the last one."""
    if op.kind != "shuffle" or maker is None or maker.kind != "shuffle" or editor.only_user(op.inputs[0]) is not op:
        return False
    if "dynamic" in op.attrs or "dynamic" in maker.attrs or len(maker.inputs) > 1:
        return False

    def plain(one: Op, *keys: str) -> bool:
        return all(
            one.attrs.get(key) is None
            for key in ("first", "shape", "second", "squeeze", "unsqueeze", "parts")
            if key not in keys
        )

    if plain(op, "first") and plain(maker, "first") and op.attrs.get("first") and maker.attrs.get("first"):
        op.attrs["first"] = [maker.attrs["first"][axis] for axis in op.attrs["first"]]
    elif plain(op, "shape") and plain(maker, "shape") and -1 not in op.output.shape:
        op.attrs = {"shape": list(op.output.shape), "zero_is_placeholder": False}
    else:
        return False
    editor.log(f"join {maker.name} and {op.name}")
    op.name, op.inputs[0] = f"{maker.name} + {op.name}", maker.inputs[0]
    op.origin = [*maker.origin, *op.origin]
    editor.remove(maker)
    return True


def merge_twins(graph: Graph, log: Log) -> None:
    """Operations of equal kind, inputs and attributes are computed once."""
    seen: dict[tuple, Op] = {}
    twins: list[Op] = []
    instead: dict[Value, Value] = {}
    for op in graph:
        let_read(op, instead)
        if op.kind in ("plugin", "random_mask", "assertion") or any(value in graph.outputs for value in op.outputs):
            continue
        results = tuple((value.dtype, steps(value), value.layout) for value in op.outputs)  # a reformat's meaning
        key = (op.kind, json.dumps(op.attrs, sort_keys=True), tuple(identity(value) for value in op.inputs), results)
        first = seen.setdefault(key, op)
        if first is not op:
            log(f"remove {op.name}: it computes what {first.name} does")
            instead.update(zip(op.outputs, first.outputs, strict=True))
            twins.append(op)
    if twins:
        graph.remove(twins)
        graph.kept = [instead.get(value, value) for value in graph.kept]
        for op in graph:
            let_read(op, instead)


def let_read(op: Op, instead: dict[Value, Value]) -> None:
    """Let an operation read other values in the place of some."""
    if not instead.keys().isdisjoint(op.present):
        op.inputs = [instead.get(value, value) for value in op.inputs]


def identity(value) -> object:
    """What makes two inputs the same: being one value, or small constants of equal elements and scales."""
    if value is None or not value.is_constant or value.size > 4096:
        return id(value)
    return value.dtype, value.shape, value.data.tobytes(), steps(value)


def steps(value) -> object:
    """A value's scale, to be compared."""
    return None if value.scale is None else (np.asarray(value.scale, np.float32).tobytes(), value.axis)
