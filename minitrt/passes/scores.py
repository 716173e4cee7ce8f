"""What lies between two products that attention is made of: a factor, a mask, a softmax, as exporters spell them."""

from __future__ import annotations

from dataclasses import dataclass

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value
from minitrt.passes.editing import Editor, is_step, scalar


@dataclass
class Mask:
    """What stands between scores and softmax. user: the first operation on scores; value: floats to add, or booleans
    that let a score pass (invert: that do not), and otherwise `fill`."""

    scores: Value
    user: Op
    value: Value | None = None
    fill: float | None = None
    invert: bool = False


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


def product_of(editor: Editor, mask: Mask) -> tuple[Op | None, float]:
    """The product of queries and keys that scores come from, and the factor between."""
    scores, scale = scaled(editor, mask.scores, mask.user)
    product = editor.producer(scores, "gemm")
    plain = product is not None and plain_product(product) and editor.only_user(scores) is not None
    return (product if plain else None), scale


def weights_of(editor: Editor, op: Op) -> tuple[Op | None, bool]:
    """The softmax before a product with values, and whether zeros are put where it gives NaN."""
    softmax = editor.producer(op.inputs[0], "softmax")
    if softmax is not None:
        return (softmax if editor.only_user(softmax.output) is op else None), False
    choice = editor.producer(op.inputs[0])
    if not is_step(choice, "where") or scalar(choice.inputs[1]) != 0 or editor.only_user(choice.output) is not op:
        return None, False
    softmax, test = editor.producer(choice.inputs[2], "softmax"), editor.producer(choice.inputs[0])
    if softmax is None or not is_step(test, "isnan") or test.inputs[0] is not softmax.output:
        return None, False
    alone = set(editor.users(softmax.output)) == {choice, test} and editor.only_user(test.output) is choice
    return (softmax if alone and softmax.output not in editor.watched else None), True


def masked(editor: Editor, softmax: Op) -> list[Mask]:
    """The ways to read what makes a softmax's input as scores with a mask."""
    maker = editor.producer(softmax.inputs[0])
    if maker is None or editor.only_user(maker.output) is not softmax or len(set(maker.inputs)) != len(maker.inputs):
        return []
    if is_step(maker, "add"):
        floating = (DataType.FLOAT, DataType.HALF)
        pairs = [
            (x, m)
            for x, m in (maker.inputs, maker.inputs[::-1])
            if m.dtype in floating and any(n != 1 for n in m.shape)
        ]
        return [Mask(x, maker, broadcast_from(editor, m)) for x, m in pairs]
    if is_step(maker, "where"):
        condition, yes, no = maker.inputs
        found = [(x, other, x is no) for x, other in ((yes, no), (no, yes)) if scalar(other) is not None]
        return [Mask(x, maker, broadcast_from(editor, condition), scalar(o), invert) for x, o, invert in found]
    return []


def broadcast_from(editor: Editor, value: Value) -> Value:
    """What an expansion repeats, if its last axis is repeated already."""
    maker = editor.producer(value, "expand")
    while maker is not None and len(maker.inputs[0].shape) and maker.inputs[0].shape[-1] not in (1,):
        value = maker.inputs[0]
        maker = editor.producer(value, "expand")
    return value


def passing(editor: Editor, mask: Mask, before: Op) -> Value:
    """The mask as the operation reads it: booleans that let a score pass."""
    if not mask.invert:
        return mask.value
    name = editor.fresh(f"{mask.value.name}/inverted")
    result = mask.value.like(name)
    program = [["not", ["x0"], "BOOL"]]
    editor.insert(Op("pointwise", name, [mask.value], [result], {"program": program}, []), before=before)
    return result
