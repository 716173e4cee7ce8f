"""Shape and type of an operation's results, from settled attributes and its inputs' shapes.

No rule runs its operation or makes an array: dimensions may be sizes that are known only at run time, and large.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op
from minitrt.plugins.exprs import evaluate
from minitrt.shapes import bodies, moving, windows
from minitrt.shapes.attention import attention
from minitrt.shapes.choices import chosen, truth
from minitrt.shapes.dims import Shape, better_known, broadcast, fit, joint, whole
from minitrt.shapes.elements import plain, steps_between
from minitrt.shapes.fit import check
from minitrt.shapes.misfits import WRONG, UnknownShape, cannot_take
from minitrt.shapes.size import Size, Undecided, within

Result = tuple[Shape, DataType]
FLEXIBLE = "non_zero", "nms", "unique"  # how many there are is known only when they have run


class NoRule(NotImplementedError):
    """An operation whose shape nothing tells. Attribute: kind."""

    def __init__(self, op: Op):
        super().__init__(f"{op.name}: operations {op.kind!r} have no rule for their shapes")
        self.kind = op.kind


def infer(op: Op) -> list[Result]:
    """(shape, dtype) of each output of a settled operation whose inputs have known ranks.

    dtype is the output value's own where it is fixed already (quantised, cast), else what the operation gives.
    Raises: ValueError where the inputs' shapes cannot fit together, naming the operation; Undecided, UnknownShape where
    not even a size's name can be told; NoRule.
    """
    if op.kind not in RULES:
        raise NoRule(op)
    try:
        check(op)
        return [(tuple(map(dimension, shape)), dtype) for shape, dtype in RULES[op.kind](op)]
    except (UnknownShape, Undecided):
        raise
    except WRONG as error:
        raise cannot_take(op, error) from error


def dimension(n: int | Size) -> int | Size:
    return within(n, 0, inf) if isinstance(n, Size) else int(n)


def range_(op: Op) -> list[Result]:
    for value in op.inputs:
        if value.data is None:
            raise UnknownShape(op.name, value.name)
    return [((steps_between(*(plain(value.data.reshape(-1)[0]) for value in op.inputs)),), op.output.dtype)]


def gemm(op: Op) -> list[Result]:
    a, b = list(op.inputs[0].shape), list(op.inputs[1].shape)
    if op.attrs.get("transpose_a"):
        a[-2:] = a[:-3:-1]
    if op.attrs.get("transpose_b"):
        b[-2:] = b[:-3:-1]
    inner = b[-2] if len(b) > 1 else b[-1]
    if not fit(a[-1], inner):
        raise ValueError(f"{a[-1]} columns meet {inner} rows")
    batch = broadcast(tuple(a[:-2]), tuple(b[:-2]))
    return [((*batch, *a[-2:-1], *(b[-1:] if len(b) > 1 else ())), op.output.dtype)]


def pointwise(op: Op) -> list[Result]:
    dtype = DataType[op.attrs["program"][-1][2]]
    quantised = op.output.dtype == DataType.INT8 and op.output.scale is not None
    return [(broadcast(*(value.shape for value in op.inputs)), DataType.INT8 if quantised else dtype)]


def reduce(op: Op) -> list[Result]:
    x, axes, keep = op.inputs[0].shape, op.attrs["axes"], op.attrs.get("keep_dims")
    return [(tuple(1 if i in axes else n for i, n in enumerate(x) if keep or i not in axes), op.output.dtype)]


def same(op: Op) -> list[Result]:
    return [(op.inputs[0].shape, op.output.dtype)] * len(op.outputs)


def resize(op: Op) -> list[Result]:
    return [(tuple(map(whole, op.attrs["sizes"])), op.output.dtype)]


def batch_norm(op: Op) -> list[Result]:
    vector = (op.inputs[0].shape[1],)
    shapes = (op.inputs[0].shape, vector, vector)
    return [(shape, value.dtype) for shape, value in zip(shapes, op.outputs, strict=False)]


def norm(op: Op) -> list[Result]:
    x, axes, groups = op.inputs[0].shape, op.attrs["axes"], op.attrs.get("groups", 1)
    kept = tuple(1 if i in axes else n for i, n in enumerate(x))
    kept = (x[0], groups, *[1] * (len(x) - 1)) if groups > 1 else kept
    return [(x, op.output.dtype), (kept, DataType.FLOAT), (kept, DataType.FLOAT)][: len(op.outputs)]


def recurrent(op: Op) -> list[Result]:
    (a, b, _), w, hidden = op.inputs[0].shape, op.inputs[1].shape, op.attrs["hidden"]
    time, batch = (b, a) if op.attrs.get("layout") else (a, b)
    every, last = (time, w[0], batch, hidden), (w[0], batch, hidden)
    if op.attrs.get("layout"):
        every, last = (batch, time, w[0], hidden), (batch, w[0], hidden)
    return [(shape, op.output.dtype) for shape in (every, last, last)][: len(op.outputs)]


def plugin(op: Op) -> list[Result]:
    """What the plugin's expressions of its inputs' sizes give."""
    trees = op.attrs["shapes"]
    return [(tuple(evaluate(t, op.inputs) for t in shape), v.dtype) for shape, v in zip(trees, op.outputs, strict=True)]


def einsum(op: Op) -> list[Result]:
    """Letters are dimensions; "..." stands for those that are broadcast."""
    left, _, right = op.attrs["equation"].replace(" ", "").partition("->")
    sizes, rest, names = {}, [()], left.split(",")
    for value, term in zip(op.inputs, names, strict=True):
        before, dots, after = term.partition("...")
        if len(before) + len(after) > len(value.shape) or not dots and len(before) != len(value.shape):
            raise ValueError(f"{term} names {len(before) + len(after)} axes, not {len(value.shape)}")
        end = len(value.shape) - len(after)
        rest.append(value.shape[len(before) : end])
        for letter, n in zip(before + after, (*value.shape[: len(before)], *value.shape[end:]), strict=True):
            sizes[letter] = joint(sizes.get(letter, 1), n)
    if "->" not in op.attrs["equation"]:
        once = sorted(letter for letter in sizes if left.count(letter) == 1)
        right = "..." * ("..." in left) + "".join(once)
    before, dots, after = right.partition("...")
    many = broadcast(*rest) if dots else ()
    return [((*(sizes[c] for c in before), *many, *(sizes[c] for c in after)), op.output.dtype)]


def fill(op: Op) -> list[Result]:
    return [(tuple(map(whole, op.attrs["shape"])), op.output.dtype)]


def as_large(op: Op) -> list[Result]:
    return [(op.inputs[0].shape, op.output.dtype)]


def grid_sample(op: Op) -> list[Result]:
    return [((*op.inputs[0].shape[:2], *op.inputs[1].shape[1:-1]), op.output.dtype)]


def deformable(op: Op) -> list[Result]:
    return [((op.inputs[0].shape[0], op.inputs[1].shape[0], *op.inputs[2].shape[2:]), op.output.dtype)]


def roi_align(op: Op) -> list[Result]:
    (_, channels, *_), rois = op.inputs[0].shape, op.inputs[1].shape
    return [((better_known(rois[0], op.inputs[2].shape[0]), channels, *op.attrs["size"]), op.output.dtype)]


def max_roi_pool(op: Op) -> list[Result]:
    return [((op.inputs[1].shape[0], op.inputs[0].shape[1], *op.attrs["size"]), op.output.dtype)]


def square(op: Op) -> list[Result]:
    """Of square matrices along the last two axes: as many of them, or a number for each."""
    *batch, rows, columns = op.inputs[0].shape
    if not fit(rows, columns):
        raise ValueError(f"matrices of {rows} rows and {columns} columns are not square")
    return [((*batch, rows, columns) if op.kind == "inverse" else tuple(batch), op.output.dtype)]


def choice(op: Op) -> list[Result]:
    """Of two branches that are alike but for sizes, or of one that must be taken."""
    yes, no = op.inputs[1], op.input(2)
    if yes is None or no is None:
        return [((yes or no).shape, (yes or no).dtype)]
    if len(yes.shape) != len(no.shape):
        raise ValueError(f"which of {yes.shape} and {no.shape} comes out is known only when sizes are given")
    condition = truth(op.attrs["condition"])
    return [(tuple(chosen(condition, a, b) for a, b in zip(yes.shape, no.shape, strict=True)), yes.dtype)]


def shape_of(op: Op) -> list[Result]:
    rank = len(op.inputs[0].shape[op.attrs.get("start", 0) : op.attrs.get("end")])
    return [((rank,) if op.kind == "shape_of" else (), DataType.INT64)]


def detections(op: Op) -> list[Result]:
    """As many places as attrs["keep"] in every image."""
    batch, keep = op.inputs[1].shape[0], op.attrs["keep"]
    shapes: list[Shape] = [(batch, 1), (batch, keep, 4), (batch, keep), (batch, keep)]
    return [(shape, value.dtype) for shape, value in zip(shapes, op.outputs, strict=True)]


RULES: dict[str, Callable[[Op], list[Result]]] = {
    "attention": attention,
    "conv": windows.conv,
    "deconv": windows.deconv,
    "gemm": gemm,
    "pool": windows.pool,
    "pointwise": pointwise,
    "reduce": reduce,
    "softmax": same,
    "quantize": same,
    "dequantize": same,
    "reformat": same,
    "resize": resize,
    "norm": norm,
    "batch_norm": batch_norm,
    "lrn": same,
    "cumulative": same,
    "concat": moving.concat,
    "arg": moving.arg,
    "topk": moving.topk,
    "triangle": moving.moved,
    "expand": moving.expand,
    "tile": moving.tile,
    "lstm": recurrent,
    "gru": recurrent,
    "rnn": recurrent,
    "range": range_,
    "plugin": plugin,
    "detections": detections,
    "einsum": einsum,
    "fill": fill,
    "eye": as_large,
    "random_mask": as_large,
    "rotary": as_large,
    "assertion": moving.unchanged,
    "reverse_sequence": moving.unchanged,
    "scatter": moving.unchanged,
    "slice": moving.slice_,
    "shuffle": moving.shuffle,
    "pad": moving.pad,
    "gather": moving.gather,
    "one_hot": moving.one_hot,
    "grid_sample": grid_sample,
    "deformable": deformable,
    "roi_align": roi_align,
    "max_roi_pool": max_roi_pool,
    "inverse": square,
    "determinant": square,
    "choice": choice,
    "loop": bodies.sizes,
    "branch": bodies.sizes,
    "shape_of": shape_of,
    "size_of": shape_of,
}
