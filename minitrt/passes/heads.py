"""Scaled dot-product attention that exporters spell with products, a softmax and shuffles becomes one operation.

    context = softmax(scale * q k^T, masked) v, with q, k and v cut out of (batch, tokens, features) head by head

Which shuffles and slices do the cutting does not matter: indices are sent through them, and what comes out is compared.
Q and DQ between them move to their source, so that INT8 reaches the one operation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.passes.editing import Editor
from minitrt.passes.probes import Fixed, Probe, Probes, dimension, steady
from minitrt.passes.scores import Mask, factor_of, masked, passing, plain_product, product_of, weights_of
from minitrt.reference import run_op

MOVES = ("shuffle", "slice")


@dataclass
class Trace:
    """Where an operand comes from. moves: from the source on; pair: Q and DQ on the way; scale: factors on the way."""

    source: Value
    moves: list[Op] = field(default_factory=list)
    pair: tuple[Op, Op] | None = None
    scale: float = 1.0

    @property
    def sources(self) -> list[Value]:
        """The source, then what each move but the last makes; with a pair, which stays at the source, that alone."""
        return [self.source, *(move.output for move in self.moves[:-1])] if self.pair is None else [self.source]


def attention(editor: Editor, op: Op, probes: Probes) -> bool:
    """op: the product of a softmax with the values."""
    if not plain_product(op) or op.attrs.get("transpose_b"):
        return False
    softmax, zeros = weights_of(editor, op)
    if softmax is None or softmax.attrs.get("log") or [axis % 4 for axis in softmax.attrs["axes"]] != [3]:
        return False
    scored = [
        (mask, *product_of(editor, mask)) for mask in (Mask(softmax.inputs[0], softmax), *masked(editor, softmax))
    ]
    mask, product, scale = next((one for one in scored if one[1] is not None), (None, None, 1.0))
    if product is None:
        return False
    flipped = not product.attrs.get("transpose_b")
    operands = [trace(editor, value) for value in (*product.inputs[:2], op.inputs[1])]
    cuts = [Cut.of(editor, probe, op, operands, mask, flipped) for probe in probes.all]
    if not cuts or None in cuts or len({cut.key for cut in cuts}) > 1 or len({e.pair is None for e in operands}) > 1:
        return False
    factor = scale * float(product.attrs.get("alpha", 1.0)) * math.prod(each.scale for each in operands[:2])
    replace(editor, op, cuts[0], operands, factor, mask, zeros)
    return True


@dataclass
class Cut:
    """How the operands are cut into heads, at one probe's sizes. end: moves after the product; ups: how many moves of
    each operand come before the cut."""

    heads: int
    size: int
    starts: list[int]
    ups: list[int]
    end: list[Op]

    @property
    def key(self) -> tuple:
        return self.heads, self.size, *self.starts, *self.ups, len(self.end)

    @classmethod
    def of(cls, editor: Editor, probe: Probe | Fixed, op: Op, operands: list[Trace], mask: Mask, flipped: bool):
        """None where they are not cut that way."""
        end = flattened(editor, probe, op)
        _, heads, _, size = probe.shape(op.output)
        starts = [start_of(probe, x, heads, size, flipped and place == 1) for place, x in enumerate(operands)]
        if end is None or None in starts or not fits(probe, mask, operands[1], starts[1][0]):
            return None
        return cls(heads, size, [start for _, start in starts], [up for up, _ in starts], end)


def fits(probe: Probe | Fixed, mask: Mask, keys: Trace, up: int) -> bool:
    """Whether a mask has an element a key."""
    if mask.value is None:
        return True
    shape, source = probe.shape(mask.value), keys.sources[up]
    fits = len(shape) <= 4 and -1 not in shape and shape[-1:] == probe.shape(source)[1:2]
    return fits and dimension(mask.value, -1) == dimension(source, 1)


def trace(editor: Editor, value: Value) -> Trace:
    """Walk up over moves, a pair of Q and DQ, and factors below it."""
    found = Trace(value)
    while (maker := editor.producer(found.source)) is not None:
        if maker.kind in MOVES:
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


def start_of(
    probe: Probe | Fixed, traced: Trace, heads: int, size: int, flipped: bool
) -> tuple[int, int] | None:  # fmt: skip
    """(how many moves come first, the first feature that is cut out), if the moves after those cut (batch, tokens,
    features) into (batch, heads, tokens, size): as many heads, and of one size, as the result has. flipped: the last
    two axes change places.
    """
    for up, x in enumerate(traced.sources if traced.moves else []):
        shape = probe.shape(x)
        if not all(map(steady, traced.moves[up:])):
            continue
        if len(shape) != 3 or -1 in shape or x.dtype not in (DataType.FLOAT, DataType.HALF):
            continue
        indices = np.arange(shape[1] * shape[2], dtype=np.int32).reshape(1, *shape[1:])
        y = sent(indices, [probe.op(move) for move in traced.moves[up:]], shape[0])
        if y is None or y.ndim != 4:
            continue
        y = y.swapaxes(2, 3) if flipped else y
        if (y.shape[1], y.shape[3]) != (heads, size):  # products broadcast heads, and values may be of another size
            continue
        start = int(y[0, 0, 0, 0])
        cut = indices[..., start : start + heads * size]
        if cut.shape != (1, y.shape[2], heads * size):
            continue
        if np.array_equal(cut.reshape(1, y.shape[2], heads, size).swapaxes(1, 2), y):
            return up, start
    return None


def sent(indices: np.ndarray, ops: list[Op], batch: int) -> np.ndarray | None:
    """Indices of one image through settled moves that leave the batch alone, else None."""
    for op in ops:
        one = with_batch_of_one(op, batch)
        if one is None:
            return None
        (indices,) = run_op(one, [indices])
    return indices


def with_batch_of_one(op: Op, batch: int) -> Op | None:
    attrs, shape = dict(op.attrs), op.output.shape
    if (
        "dynamic" in attrs
        or shape[0] != batch
        or any(attrs.get(key) for key in ("squeeze", "unsqueeze"))
        or -1 in shape
    ):
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


def flattened(editor: Editor, probe: Probe | Fixed, op: Op) -> list[Op] | None:
    """The moves after the product that bring heads back together as (batch, tokens, heads * size), else None."""
    batch, heads, tokens, size = shape = probe.shape(op.output)
    if -1 in shape:
        return None
    moves: list[Op] = []
    value, indices = op.output, np.arange(heads * tokens * size, dtype=np.int32).reshape(1, heads, tokens, size)
    wanted = indices.swapaxes(1, 2).reshape(1, tokens, heads * size)
    while (move := moved_by(editor, value)) is not None and steady(move):
        moves.append(move)
        found = sent(indices, [probe.op(each) for each in moves], batch)
        if found is None:
            return None
        if np.array_equal(found, wanted):
            inside = [op.output, *(each.output for each in moves[:-1])]
            return moves if all(only_sizes(editor, value, moves) for value in inside) else None
        value = move.output
    return None


def moved_by(editor: Editor, value: Value) -> Op | None:
    """The one shuffle that reads the elements of `value`; others may ask for its shape."""
    readers = [user for user in editor.users(value) if user.kind != "shape_of"]
    alone = len(readers) == 1 and value not in editor.watched and readers[0].inputs.count(value) == 1
    return readers[0] if alone and readers[0].kind == "shuffle" else None


def only_sizes(editor: Editor, value: Value, moves: list[Op]) -> bool:
    """Whether the shape of `value` serves these moves alone, so that it goes when they do."""
    ways = [user for user in editor.users(value) if user.kind == "shape_of"]
    while ways:
        reader = ways.pop()
        if reader in moves:
            continue
        if any(made in editor.watched for made in reader.outputs):
            return False
        followers = [user for made in reader.outputs for user in editor.users(made)]
        if not followers:
            return False
        ways += followers
    return True


def replace(
    editor: Editor, op: Op, cut: Cut, operands: list[Trace], factor: float, mask: Mask, zeros: bool
) -> None:  # fmt: skip
    """The one operation in place of the last move; what nobody reads any more is removed as dead."""
    inputs, made, end = [], {}, cut.end
    for each, up in zip(operands, cut.ups, strict=True):
        if each.pair is not None and (each.source, each.pair[0].inputs[1]) not in made:
            made[each.source, each.pair[0].inputs[1]] = paired(editor, each, end[-1])
        inputs.append(made[each.source, each.pair[0].inputs[1]] if each.pair else each.sources[up])
    attrs = {"scale": factor, "q_heads": cut.heads, "kv_heads": cut.heads, "size": cut.size, "starts": cut.starts}
    attrs["precision"] = "FLOAT"
    if mask.value is not None:
        inputs.append(passing(editor, mask, end[-1]))
        attrs |= {"zeros": True} if zeros else {}
        attrs |= {"fill": mask.fill} if mask.fill is not None else {}
    origin = [name for one in (op, *end) for name in one.origin]
    behind = f" behind a mask, {mask.value.name}" if mask.value is not None else ""
    editor.log(f"{op.name} and what makes its factors are one attention of {cut.heads} heads{behind}")
    name = op.name if op.name not in {each.name for each in editor.graph.ops} - {op.name} else f"{op.name}.attention"
    result = end[-1].output
    editor.insert(Op("attention", name, inputs, [result], attrs, origin), before=end[-1])
    editor.remove(op, *end)


def paired(editor: Editor, each: Trace, before: Op) -> Value:
    """The source through a Q and a DQ of the trace's scale."""
    q, dq = each.pair
    fresh, x = editor.fresh, each.source
    stored = q.output.like(fresh(f"{x.name}/quantised"), shape=x.shape)
    result = x.like(fresh(f"{x.name}/dequantised"))
    editor.insert(Op("quantize", f"{q.name}.early", [x, *q.inputs[1:]], [stored], dict(q.attrs), q.origin), before)
    editor.insert(Op("dequantize", f"{dq.name}.early", [stored, *dq.inputs[1:]], [result], dict(dq.attrs)), before)
    return result
