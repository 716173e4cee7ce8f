"""Quantised networks: from Quantize and Dequantize layers around everything to operations that work on INT8.

TensorRT's rules, in its order:

1. Weights are quantised when the engine is built; only INT8 is left of them.
2. Q moves towards the inputs and DQ towards the outputs over operations that commute with them.
3. DQ at both inputs of a convolution or product fuses into it; its result stays floating.
4. After the floating epilogue (`vertical.py`), a Q behind it fuses, and DQ on the residual.
5. Operations without weights fuse when all their inputs come from DQ and their only reader is a Q (a normalisation
   takes part with either end alone).
6. DQ then Q of one scale vanish, of two scales are one requantisation; what is left is a reformat.
"""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import NUMPY_TYPES, Graph, Op, Value
from minitrt.graph.kinds import EPILOGUE_KINDS
from minitrt.passes.editing import Editor, Log, constant, is_step
from minitrt.reference import run_op

MOVING = ("shuffle", "slice", "expand", "gather", "tile", "concat")  # move elements, compute nothing
UNWEIGHTED = ("pool", "pointwise", "concat", "resize", "reduce", "norm", "attention")


def scale_of(op: Op) -> float | np.ndarray:
    """The scale of a Q or DQ: a number, or float32 one a channel."""
    data = op.inputs[1].data.astype(np.float32)
    return float(data.reshape(-1)[0]) if data.size == 1 else data.reshape(-1)


def is_symmetric(op: Op) -> bool:
    """A Q or DQ of INT8 with a constant scale: what fuses."""
    stored = op.output if op.kind == "quantize" else op.inputs[0]
    return stored.dtype == DataType.INT8 and op.inputs[1].is_constant and op.input(2) is None


def mark_scales(graph: Graph, log: Log) -> None:
    """Write the scales of Q and DQ on the INT8 values themselves; run Q on constant weights."""
    for op in graph:
        if op.kind not in ("quantize", "dequantize") or not is_symmetric(op):
            continue
        stored = op.output if op.kind == "quantize" else op.inputs[0]
        scale, axis = scale_of(op), op.attrs.get("axis") or 0
        if op.kind == "dequantize" and stored.scale is not None and not np.array_equal(stored.scale, scale):
            read_apart(graph, op, scale, axis, log)
            continue
        stored.scale, stored.axis = scale, axis
        if op.kind == "quantize" and op.inputs[0].is_constant:
            stored.data = run_op(op, [value.data for value in op.inputs])[0]
            stored.weights = op.inputs[0].weights
            stored.name = f"{op.inputs[0].name} + {op.name}"
            log(f"quantise {op.inputs[0].name} now")
            graph.remove([op])


def read_apart(graph: Graph, op: Op, scale: float | np.ndarray, axis: int, log: Log) -> None:
    """A DQ whose input has another scale already: a constant is copied (equal steps of two constants are one value),
    and of anything else the result is multiplied by what the scales differ in."""
    stored, result = op.inputs[0], op.output
    log(f"{op.name} reads {stored.name} with a scale of its own")
    if stored.is_constant:
        op.inputs[0] = stored.like(graph.fresh(stored.name), scale=scale, axis=axis)
        op.inputs[0].data, op.inputs[0].weights = stored.data, stored.weights
        return
    ratio = np.ones(len(result.shape) * (1,), np.float32)
    for numbers, along, power in ((scale, axis, 1), (stored.scale, stored.axis, -1)):
        shape = [-1 if place == along and np.ndim(numbers) else 1 for place in range(len(result.shape))]
        ratio = ratio * np.asarray(numbers, np.float32).reshape(shape) ** power
    real = result.like(graph.fresh(f"{result.name}/own"))
    op.outputs, op.attrs = [real], {**op.attrs, "axis": stored.axis if np.ndim(stored.scale) else None}
    op.inputs[1] = constant(graph.fresh(f"{op.name}/scale"), np.asarray(stored.scale, np.float32))
    factor = constant(graph.fresh(f"{op.name}/factor"), ratio.astype(NUMPY_TYPES[result.dtype]))
    program = [["mul", ["x0", "x1"], result.dtype.name]]
    scaled = Op(
        "pointwise", graph.fresh(f"{op.name}/scaled"), [real, factor], [result], {"program": program}, op.origin
    )
    graph.insert(scaled, after=op)


def propagate(graph: Graph, log: Log) -> None:
    """Move Q up and DQ down over operations that commute with them."""
    editor = Editor(graph, log)
    editor.until_stable(lambda op: q_upwards(editor, op) or dq_downwards(editor, op))


def commutes(op: Op) -> bool:
    """Q(op(x)) == op(Q(x)) for a scale of the whole tensor and zero point 0."""
    if op.kind in MOVING:
        return op.attrs.get("mode", "default") in ("default", "element", "nd") and len(op.outputs) == 1
    if op.kind == "pool":
        return op.attrs["mode"] == "max" and len(op.outputs) == 1
    if op.kind == "resize":
        return op.attrs["mode"] == "nearest"
    return is_step(op, "relu")


def data_inputs(op: Op) -> list[int]:
    """Which inputs are the data that is moved."""
    return list(range(len(op.inputs))) if op.kind == "concat" else [0]


def whole(op: Op) -> bool:
    return np.ndim(scale_of(op)) == 0


def q_upwards(editor: Editor, q: Op) -> bool:
    """op -> Q becomes Q -> op, where the Q is all that reads op's result."""
    if q.kind != "quantize" or not is_symmetric(q) or not whole(q):
        return False
    op = editor.producer(q.inputs[0])
    if op is None or not commutes(op) or editor.only_user(op.output) is not q:
        return False
    if is_step(op, "relu") and not follows_quantised_product(editor, op):
        return False
    if all(editor.producer(op.inputs[index], "dequantize") for index in data_inputs(op)) and op.kind != "concat":
        return False  # the DQ moves down instead
    editor.log(f"swap {op.name} and {q.name}")
    op.output.scale, op.output.dtype = q.output.scale, DataType.INT8
    for number, index in enumerate(data_inputs(op)):
        x = op.inputs[index]
        stored = x.like(editor.fresh(f"{x.name}/quantised"), dtype=DataType.INT8, scale=q.output.scale)
        name = q.name if number == 0 else f"{q.name}_{number}"
        editor.insert(Op("quantize", name, [x, q.inputs[1]], [stored], dict(q.attrs), q.origin), before=op)
        op.inputs[index] = stored
    retype(op)
    old = op.output
    op.outputs = [q.output]
    q.output.name, old.name = q.output.name, old.name
    editor.remove(q)
    return True


def follows_quantised_product(editor: Editor, relu: Op) -> bool:
    """Whether a ReLU's input is made by a product of INT8: then Q and ReLU both fuse into it, in either order."""
    product = editor.producer(relu.inputs[0])
    if product is None or product.kind not in EPILOGUE_KINDS or editor.only_user(product.output) is not relu:
        return False
    return all(editor.producer(value, "dequantize") for value in product.inputs[:2])


def retype(op: Op) -> None:
    """Steps of a pointwise operation on INT8 stored values keep the order, so relu stays relu."""
    if op.kind == "pointwise":
        op.attrs = {"program": [[step[0], step[1], "FLOAT"] for step in op.attrs["program"]]}


def dq_downwards(editor: Editor, op: Op) -> bool:
    """DQ -> op becomes op -> DQ; all data inputs must have one scale."""
    if not commutes(op) or not op.inputs or op.output.dtype not in (DataType.FLOAT, DataType.HALF):
        return False
    dqs = [editor.producer(op.inputs[index], "dequantize") for index in data_inputs(op)]
    if not all(dq is not None and is_symmetric(dq) and whole(dq) for dq in dqs):
        return False
    if len({scale_of(dq) for dq in dqs}) > 1 or op.output in editor.watched and not op.outputs:
        return False
    readers = editor.readers(op.output)
    if is_step(op, "relu") and not all(user.kind == "quantize" for user in readers):
        return False  # a ReLU alone is better fused into what made its input
    result = op.output
    stored = result.like(editor.fresh(f"{result.name}/stored"), dtype=DataType.INT8, scale=scale_of(dqs[0]))
    editor.log(f"swap {dqs[0].name} and {op.name}")
    for index, dq in zip(data_inputs(op), dqs, strict=True):
        op.inputs[index] = dq.inputs[0]
    op.outputs = [stored]
    retype(op)
    name = f"{dqs[0].name}_after_{op.name}"
    editor.insert(Op("dequantize", name, [stored, dqs[0].inputs[1]], [result], dict(dqs[0].attrs), op.origin), after=op)
    return True


def fuse_weighted(graph: Graph, log: Log) -> None:
    """[DQ(x), DQ(constant)] -> conv or gemm becomes a product of INT8; the name says where its weights come from."""
    editor = Editor(graph, log)

    def rewrite(op: Op) -> bool:
        if op.kind not in EPILOGUE_KINDS:
            return False
        dqs = [editor.producer(value, "dequantize") for value in op.inputs[:2]]
        if not all(dq is not None and is_symmetric(dq) for dq in dqs) or not whole(dqs[0]):
            return False
        weights = dqs[1].inputs[0]
        if not scales_fit(op, weights, weights.is_constant):
            return False
        log(f"fuse {dqs[0].name} and {dqs[1].name} into {op.name}")
        op.inputs[:2] = [dqs[0].inputs[0], weights]
        op.name = f"{weights.name} + {op.name}" if weights.is_constant else op.name
        return True

    editor.until_stable(rewrite)


def scales_fit(op: Op, weights: Value, is_constant: bool) -> bool:
    """One scale, or one an output channel: K of a convolution, the columns of a product."""
    if np.ndim(weights.scale) == 0:
        return True
    rank = len(weights.shape)
    along = {"conv": 0, "deconv": 1, "gemm": rank - 2 if op.attrs.get("transpose_b") else rank - 1}[op.kind]
    return is_constant and weights.axis % rank == along and op.attrs.get("groups", 1) * (op.kind == "deconv") <= 1


def fuse_residuals(graph: Graph, log: Log) -> None:
    """DQ -> residual: the epilogue adds the stored values times their scale."""
    editor = Editor(graph, log)
    for op in graph:
        dq = editor.producer(op.input(3), "dequantize") if op.kind in EPILOGUE_KINDS else None
        if dq is not None and is_symmetric(dq) and whole(dq) and op.inputs[0].dtype == DataType.INT8:
            log(f"fuse {dq.name} into {op.name}")
            op.inputs[3] = dq.inputs[0]


def fuse_quantize(graph: Graph, log: Log) -> None:
    """product -> Q: the epilogue quantises. The Q must be all that reads the result."""
    editor = Editor(graph, log)

    def rewrite(op: Op) -> bool:
        if op.kind not in EPILOGUE_KINDS or op.inputs[0].dtype != DataType.INT8:
            return False
        q = editor.only_user(op.output, "quantize")
        relu = editor.only_user(q.output) if q is not None else None
        if q is None or not is_symmetric(q) or not whole(q):
            return False
        editor.absorb(op, q, rename=False)
        if is_step(relu, "relu") and not op.attrs.get("activation"):
            op.attrs["activation"] = {"type": "relu", "alpha": 0.0, "beta": 0.0}
            editor.absorb(op, relu, rename=False)
        return True

    editor.until_stable(rewrite)


def fuse_unweighted(graph: Graph, log: Log) -> None:
    """DQ -> op -> Q becomes an operation on INT8."""
    editor = Editor(graph, log)

    def rewrite(op: Op) -> bool:
        if op.kind not in UNWEIGHTED or len(op.outputs) != 1:
            return False
        q = editor.only_user(op.output, "quantize")
        data = op.inputs[:3] if op.kind == "attention" else op.inputs  # a mask stays as it is
        dqs = [editor.producer(value, "dequantize") for value in data if value is not None and not value.is_constant]
        q = q if q is not None and is_symmetric(q) and whole(q) else None
        known = [dq for dq in dqs if dq is not None and is_symmetric(dq) and whole(dq)]
        complete = len(known) == len(dqs) > 0
        if not (complete and q is not None or op.kind == "norm" and (complete or q is not None)):
            return False
        dqs = known if complete else []
        for dq in dqs:
            op.inputs = [dq.inputs[0] if value is dq.output else value for value in op.inputs]
        if q is not None:
            editor.absorb(op, q, rename=False)
        return True

    editor.until_stable(rewrite)


def erase_pairs(graph: Graph, log: Log) -> None:
    """DQ -> Q: nothing for equal scales, one requantisation for different ones. Then every Q and DQ is a reformat."""
    editor = Editor(graph, log)

    def rewrite(q: Op) -> bool:
        dq = editor.producer(q.inputs[0], "dequantize") if q.kind == "quantize" else None
        if dq is None or not (is_symmetric(q) and is_symmetric(dq) and whole(q) and whole(dq)):
            return False
        if scale_of(q) == scale_of(dq) and q.output not in editor.watched:
            log(f"remove {dq.name} and {q.name}: they cancel")
            editor.bypass(q, dq.inputs[0])
            return True
        log(f"{dq.name} and {q.name} are one requantisation")
        q.kind, q.inputs, q.attrs = "reformat", [dq.inputs[0]], {}
        return True

    editor.until_stable(rewrite)
    for op in graph:
        if op.kind in ("quantize", "dequantize") and is_symmetric(op) and whole(op):
            op.kind, op.inputs, op.attrs = "reformat", op.inputs[:1], {}
