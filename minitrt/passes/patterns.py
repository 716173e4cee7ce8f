"""Larger patterns that exporters spell with small operators: pooling, GELU, SiLU, layer normalisation, attention."""

from __future__ import annotations

import math
from functools import partial

from minitrt.api.enums import DataType
from minitrt.graph.ir import Graph, Op, Value
from minitrt.passes.editing import Editor, Log, is_step, scalar
from minitrt.passes.heads import attention
from minitrt.passes.probes import Probes


def recognise(graph: Graph, log: Log) -> None:
    editor = Editor(graph, log)
    rules = (global_pooling, silu, gelu, layer_norm, partial(attention, probes=Probes(graph)))
    editor.until_stable(lambda op: any(rule(editor, op) for rule in rules))


def global_pooling(editor: Editor, op: Op) -> bool:
    """The mean over both axes of an image that keeps them is an average pool over all of it."""
    x = op.input(0)
    if op.kind != "reduce" or op.attrs["op"] not in ("avg", "max") or x is None or len(x.shape) != 4:
        return False
    if op.attrs.get("dynamic") or sorted(axis % 4 for axis in op.attrs["axes"]) != [2, 3] or -1 in x.shape[2:]:
        return False
    if not op.attrs.get("keep_dims") or x.dtype not in (DataType.FLOAT, DataType.HALF, DataType.INT8):
        return False
    mode = "average" if op.attrs["op"] == "avg" else "max"
    zero, one = [0, 0], [1, 1]
    op.kind = "pool"
    op.attrs = dict(mode=mode, kernel=list(x.shape[2:]), stride=one, pads_before=zero, pads_after=zero)
    editor.log(f"{op.name} is a global {mode} pool")
    return True


def replaced(editor: Editor, last: Op, source: Value, operation: str, ops: list[Op]) -> bool:
    """Put one step in place of the operations that spelt it; `last` made the result."""
    inner = [op for op in ops if op is not last]
    if any(value in editor.watched for op in inner for value in op.outputs):
        return False
    if any(user not in ops for op in inner for value in op.outputs for user in editor.readers(value)):
        return False
    editor.log(f"{' + '.join(op.name for op in ops)} is {operation}")
    last.origin = [name for op in ops for name in op.origin]
    last.name = f"PWN({', '.join(op.name for op in ops)})"
    last.inputs, last.attrs = [source], {"program": [[operation, ["x0"], last.output.dtype.name]]}
    editor.remove(*inner)
    return True


def silu(editor: Editor, op: Op) -> bool:
    """x * sigmoid(x)."""
    if not is_step(op, "mul") or len(op.inputs) != 2:
        return False
    for gate, x in (op.inputs, op.inputs[::-1]):
        maker = editor.producer(gate)
        if is_step(maker, "sigmoid") and maker.inputs[0] is x:
            return replaced(editor, op, x, "silu", [maker, op])
    return False


def gelu(editor: Editor, op: Op) -> bool:
    """x * 0.5 * (1 + erf(x / sqrt(2))), the factors in any order."""
    factors, muls = product(editor, op)
    constants = [scalar(value) for value in factors if scalar(value) is not None]
    others = [value for value in factors if scalar(value) is None]
    if len(others) != 2 or not math.isclose(math.prod(constants), 0.5, rel_tol=1e-3) or not constants:
        return False
    for total, x in (others, others[::-1]):
        add = editor.producer(total)
        if not is_step(add, "add") or 1.0 not in [scalar(value) for value in add.inputs]:
            continue
        erf = editor.producer(next(value for value in add.inputs if scalar(value) != 1.0))
        scaled = editor.producer(erf.inputs[0]) if is_step(erf, "erf") else None
        if scaled is not None and divides_by_root_two(scaled, x):
            return replaced(editor, op, x, "gelu_erf", [scaled, erf, add, *muls])
    return False


def product(editor: Editor, op: Op) -> tuple[list[Value], list[Op]]:
    """The factors of a tree of multiplications that ends in `op`, and its operations, last one last."""
    if not is_step(op, "mul"):
        return [], []
    factors, muls = [], [op]
    for value in op.inputs:
        maker = editor.producer(value)
        if is_step(maker, "mul") and editor.only_user(value) is op and len(muls) < 3:
            factors += maker.inputs
            muls.insert(0, maker)
        else:
            factors.append(value)
    return factors, muls


def divides_by_root_two(op: Op, x: Value) -> bool:
    if is_step(op, "div"):
        return op.inputs[0] is x and math.isclose(scalar(op.inputs[1]) or 0, math.sqrt(2), rel_tol=1e-3)
    if is_step(op, "mul") and x in op.inputs:
        other = op.inputs[1] if op.inputs[0] is x else op.inputs[0]
        return math.isclose(scalar(other) or 0, math.sqrt(0.5), rel_tol=1e-3)
    return False


def layer_norm(editor: Editor, op: Op) -> bool:
    """(x - mean) / sqrt(mean((x - mean)^2) + epsilon)."""
    if not is_step(op, "div") or any(value.is_constant for value in op.inputs):
        return False
    centred, root = (editor.producer(value) for value in op.inputs)
    add = editor.producer(root.inputs[0]) if is_step(root, "sqrt") else None
    if not is_step(centred, "sub") or not is_step(add, "add") or len(add.inputs) != 2:
        return False
    epsilon = next((scalar(value) for value in add.inputs if scalar(value) is not None), None)
    variance = next((editor.producer(value, "reduce") for value in add.inputs if not value.is_constant), None)
    x, average = centred.inputs[0], editor.producer(centred.inputs[1], "reduce")
    if epsilon is None or variance is None or average is None or average.inputs[0] is not x:
        return False
    square = editor.producer(variance.inputs[0])
    if not squares(square, centred.output) or not same_means(average, variance):
        return False
    ops = [average, centred, square, variance, add, root, op]
    if any(user not in ops for one in ops[:-1] for user in editor.readers(one.output)):
        return False
    editor.log(f"{' + '.join(one.name for one in ops)} is a layer normalisation")
    op.kind, op.name = "norm", " + ".join(one.name for one in ops)
    op.origin = [name for one in ops for name in one.origin]
    op.inputs, op.attrs = [x], {"axes": average.attrs["axes"], "epsilon": epsilon}
    editor.remove(*ops[:-1])
    return True


def squares(op: Op | None, value: Value) -> bool:
    if is_step(op, "pow"):
        return op.inputs[0] is value and scalar(op.inputs[1]) == 2
    steps = op.attrs["program"] if op is not None and op.kind == "pointwise" else []
    return is_step(op, "mul") and op.inputs == [value, value] and len(steps) == 1


def same_means(a: Op, b: Op) -> bool:
    keys = ("op", "axes", "keep_dims")
    return all(a.attrs.get(key) == b.attrs.get(key) for key in keys) and a.attrs["op"] == "avg" and a.attrs["keep_dims"]
