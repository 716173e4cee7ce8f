"""Scaled dot-product attention that exporters spell with products, a softmax and shuffles becomes one operation.

    context = softmax(scale * q k^T) v, with q, k and v cut out of (batch, tokens, features) head by head

Which shuffles and slices do the cutting does not matter: indices are sent through them, and what comes out is compared.
Q and DQ between them move to their source, so that INT8 reaches the one operation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.passes.editing import Editor, is_step, scalar
from minitrt.reference import run_op
from minitrt.shapes import settle

MOVES = ("shuffle", "slice")


@dataclass
class Trace:
    """Where an operand comes from. moves: from the source on; pair: Q and DQ on the way; scale: factors on the way."""

    source: Value
    moves: list[Op] = field(default_factory=list)
    pair: tuple[Op, Op] | None = None
    scale: float = 1.0


def attention(editor: Editor, op: Op) -> bool:
    """op: the product of a softmax with the values."""
    softmax = editor.producer(op.inputs[0], "softmax") if plain_product(op) else None
    if softmax is None or editor.only_user(softmax.output) is not op or op.attrs.get("transpose_b"):
        return False
    rank = len(softmax.output.shape)
    if rank != 4 or [axis % rank for axis in softmax.attrs["axes"]] != [3] or softmax.attrs.get("log"):
        return False
    scores, scale = scaled(editor, softmax.inputs[0], softmax)
    product = editor.producer(scores, "gemm")
    if product is None or not plain_product(product) or editor.only_user(scores) is None:
        return False
    flipped = not product.attrs.get("transpose_b")
    operands = [trace(editor, value) for value in (*product.inputs[:2], op.inputs[1])]
    end = flattened(editor, op)
    starts = [start_of(each, flipped and place == 1) for place, each in enumerate(operands)]
    if end is None or None in starts or len({each.pair is None for each in operands}) > 1:
        return False
    factor = scale * float(product.attrs.get("alpha", 1.0)) * math.prod(each.scale for each in operands[:2])
    replace(editor, op, end, operands, starts, factor)
    return True


def plain_product(op: Op) -> bool:
    """Two tensors of four axes, multiplied and nothing else."""
    bare = not op.attrs.get("activation") and not op.attrs.get("transpose_a") and not any(op.inputs[2:])
    return op.kind == "gemm" and bare and all(len(v.shape) == 4 and not v.is_constant for v in op.inputs[:2])


def factor_of(op: Op | None, value: Value) -> float | None:
    """What a pointwise operation multiplies `value` by, if that is all it does."""
    if is_step(op, "div") and op.inputs[0] is value and scalar(op.inputs[1]):
        return 1 / scalar(op.inputs[1])
    others = [scalar(each) for each in op.inputs if each is not value] if is_step(op, "mul") else []
    return others[0] if len(others) == 1 else None


def scaled(editor: Editor, value: Value, user: Op) -> tuple[Value, float]:
    """The value that `value` is a multiple of, and the factor."""
    maker, factor = editor.producer(value, "pointwise"), 1.0
    while maker is not None and editor.only_user(maker.output) is user:
        source = next((each for each in maker.inputs if not each.is_constant), None)
        step = factor_of(maker, source)
        if step is None:
            break
        value, factor, user = source, factor * step, maker
        maker = editor.producer(value, "pointwise")
    return value, factor


def trace(editor: Editor, value: Value) -> Trace:
    """Walk up over moves, a pair of Q and DQ, and factors below it."""
    found = Trace(value)
    while (maker := editor.producer(found.source)) is not None:
        if maker.kind in MOVES and "dynamic" not in maker.attrs:
            found.moves.insert(0, maker)
            found.source = maker.inputs[0]
        elif maker.kind == "dequantize" and found.pair is None and moved(editor, maker) is not None:
            found.pair = editor.producer(maker.inputs[0]), maker
            found.source = moved(editor, maker)
        elif found.pair is None and (factor := factor_of(maker, only_variable(maker))) is not None:
            found.source, found.scale = only_variable(maker), found.scale * factor
        else:
            break
    return found


def only_variable(op: Op) -> Value | None:
    variables = [value for value in op.present if not value.is_constant]
    return variables[0] if len(variables) == 1 else None


def moved(editor: Editor, dq: Op) -> Value | None:
    """What a Q before this DQ quantises, if a move made it: then the pair belongs before that move."""
    q = editor.producer(dq.inputs[0], "quantize")
    maker = editor.producer(q.inputs[0]) if q is not None and dq.inputs[1].size == 1 else None
    return q.inputs[0] if maker is not None and maker.kind in MOVES else None


def start_of(traced: Trace, flipped: bool) -> int | None:
    """The first feature that is cut out, if the moves cut (batch, tokens, features) into (batch, heads, tokens, size).

    flipped: the last two axes change places.
    """
    x, ops = traced.source, traced.moves
    if len(x.shape) != 3 or not ops or -1 in x.shape or x.dtype not in (DataType.FLOAT, DataType.HALF):
        return None
    indices = np.arange(x.shape[1] * x.shape[2], dtype=np.int32).reshape(1, *x.shape[1:])
    y = sent(indices, ops, x.shape[0])
    if y is None or y.ndim != 4:
        return None
    y = y.swapaxes(2, 3) if flipped else y
    heads, size, start = y.shape[1], y.shape[3], int(y[0, 0, 0, 0])
    cut = indices[..., start : start + heads * size]
    if cut.shape != (1, y.shape[2], heads * size):
        return None
    return start if np.array_equal(cut.reshape(1, y.shape[2], heads, size).swapaxes(1, 2), y) else None


def sent(indices: np.ndarray, ops: list[Op], batch: int) -> np.ndarray | None:
    """Indices of one image through moves that leave the batch alone, else None."""
    for op in ops:
        one = with_batch_of_one(op, batch)
        if one is None:
            return None
        (indices,) = run_op(one, [indices])
    return indices


def with_batch_of_one(op: Op, batch: int) -> Op | None:
    attrs, shape = dict(settle(op).attrs), op.output.shape
    if op.output.shape[0] != batch or any(attrs.get(key) for key in ("squeeze", "unsqueeze")) or -1 in shape:
        return None
    if op.kind == "shuffle":
        orders = [attrs.get(key) for key in ("first", "second") if attrs.get(key) is not None]
        if any(order[0] != 0 for order in orders):
            return None
        if attrs.get("shape") is not None:
            second = attrs.get("second") or list(range(len(shape)))
            middle = [0] * len(shape)
            for place, axis in enumerate(second):
                middle[axis] = shape[place]
            attrs["shape"] = [1, *middle[1:]]
    elif attrs.get("mode", "default") != "default" or attrs["starts"][0] != 0:
        return None
    else:
        attrs["sizes"] = [1, *attrs["sizes"][1:]]
    y = op.output
    return Op(op.kind, op.name, [Value("x", DataType.INT32, (1, *op.inputs[0].shape[1:]))],
              [Value("y", DataType.INT32, (1, *y.shape[1:]))], attrs)  # fmt: skip


def flattened(editor: Editor, op: Op) -> list[Op] | None:
    """The moves after the product that bring heads back together as (batch, tokens, heads * size), else None."""
    batch, heads, tokens, size = op.output.shape
    if -1 in op.output.shape:
        return None
    moves: list[Op] = []
    value, indices = op.output, np.arange(heads * tokens * size, dtype=np.int32).reshape(1, heads, tokens, size)
    wanted = indices.swapaxes(1, 2).reshape(1, tokens, heads * size)
    while (move := editor.only_user(value, "shuffle")) is not None:
        moves.append(move)
        found = sent(indices, moves, batch)
        if found is None:
            return None
        if np.array_equal(found, wanted):
            return moves
        value = move.output
    return None


def replace(editor: Editor, op: Op, end: list[Op], operands: list[Trace], starts: list[int], factor: float) -> None:
    """The one operation in place of the last move; what nobody reads any more is removed as dead."""
    _, heads, _, size = op.output.shape
    inputs, made = [], {}
    for each in operands:
        if each.pair is not None and (each.source, each.pair[0].inputs[1]) not in made:
            made[each.source, each.pair[0].inputs[1]] = paired(editor, each, end[-1])
        inputs.append(made[each.source, each.pair[0].inputs[1]] if each.pair else each.source)
    origin = [name for one in (op, *end) for name in one.origin]
    editor.log(f"{op.name} and what makes its factors are one attention of {heads} heads")
    attrs = {"scale": factor, "q_heads": heads, "kv_heads": heads, "size": size, "starts": starts, "precision": "FLOAT"}
    name = op.name if op.name not in {each.name for each in editor.graph.ops} - {op.name} else f"{op.name}.attention"
    result = end[-1].output
    editor.insert(Op("attention", name, inputs, [result], attrs, origin), before=end[-1])
    editor.remove(op, *end)


def paired(editor: Editor, each: Trace, before: Op) -> Value:
    """The source through a Q and a DQ of the trace's scale."""
    q, dq = each.pair
    fresh, x = editor.graph.fresh, each.source
    stored = q.output.like(fresh(f"{x.name}/quantised"), shape=x.shape)
    result = x.like(fresh(f"{x.name}/dequantised"))
    editor.insert(Op("quantize", f"{q.name}.early", [x, *q.inputs[1:]], [stored], dict(q.attrs), q.origin), before)
    editor.insert(Op("dequantize", f"{dq.name}.early", [stored, *dq.inputs[1:]], [result], dict(dq.attrs)), before)
    return result
