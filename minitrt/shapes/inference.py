"""Shape and type of an operation's results, from settled attributes and its inputs' shapes.

Kinds that cost something to run have a rule here; all others are run by the reference on zeros of the right shape, so
that their shape rule is their meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import DATA_TYPES, NUMPY_TYPES, Op
from minitrt.graph.tail import WEIGHTS
from minitrt.plugins.exprs import evaluate
from minitrt.reference import run_op
from minitrt.reference.pooling import pooled_size
from minitrt.shapes import moving
from minitrt.shapes.attention import attention
from minitrt.shapes.fit import check
from minitrt.shapes.settling import WRONG, UnknownShape, cannot_take

Shape = tuple[int, ...]
Result = tuple[Shape, DataType]
FLEXIBLE = "non_zero", "nms"  # how many there are is known only when they have run


def infer(op: Op) -> list[Result]:
    """(shape, dtype) of each output of a settled operation whose inputs have concrete shapes.

    dtype is the output value's own where it is fixed already (quantised, cast), else what the operation gives.
    Raises: ValueError where the inputs' shapes do not fit together, naming the operation.
    """
    try:
        check(op)
        rule = RULES.get(op.kind)
        return rule(op) if rule else by_running(op)
    except UnknownShape:
        raise
    except WRONG as error:
        raise cannot_take(op, error) from error


def by_running(op: Op) -> list[Result]:
    arrays = [value if value is None else stand_in(value) for value in op.inputs]
    return [(array.shape, DATA_TYPES[array.dtype]) for array in run_op(op, arrays)]


def range_(op: Op) -> list[Result]:
    for value in op.inputs:
        if value.data is None:
            raise UnknownShape(op.name, value.name)
    return by_running(op)


def stand_in(value) -> np.ndarray:
    """A value's data, or zeros of its shape that take no memory."""
    if value.data is not None:
        return value.data
    return np.broadcast_to(np.zeros((), NUMPY_TYPES[value.dtype]), value.shape)


def conv(op: Op) -> list[Result]:
    x, weights, a = op.inputs[0].shape, op.inputs[1].shape, op.attrs
    space = len(x) - 2
    if x[1] != weights[1] * a.get("groups", 1):
        raise ValueError(f"{x[1]} channels meet weights for {weights[1] * a.get('groups', 1)}")
    per_axis = zip(x[2:], weights[2:], *spatial(a, space), strict=True)
    sizes = [pooled_size(*one, False) for one in per_axis]
    if a.get("pool"):
        per_axis = zip(sizes, a["pool"]["kernel"], *spatial(a["pool"], space), strict=True)
        sizes = [pooled_size(*one, False) for one in per_axis]
    fitting(x, sizes)
    channels = [weights[0], *([op.inputs[WEIGHTS].shape[0]] if a.get("tail") else [])]
    return [((x[0], count, *sizes), value.dtype) for count, value in zip(channels, op.outputs, strict=True)]


def pool(op: Op) -> list[Result]:
    x, a = op.inputs[0].shape, op.attrs
    per_axis = zip(x[2:], a["kernel"], *spatial(a, len(x) - 2), strict=True)
    shape = (*x[:2], *(pooled_size(*one, bool(a.get("ceil_mode"))) for one in per_axis))
    fitting(x, shape[2:])
    return [(shape, op.output.dtype), (shape, DataType.INT64)][: len(op.outputs)]


def fitting(x: tuple[int, ...], sizes: Sequence[int]) -> None:
    """Raises: ValueError where an image of some size leaves a window no place."""
    if all(x[2:]) and min(sizes, default=1) < 1:
        raise ValueError(f"the window is larger than the image and its padding: {tuple(sizes)} would come out")


def spatial(a: dict, space: int) -> list[list[int]]:
    """stride, dilations, pads_before, pads_after, one an axis."""
    one, zero = [1] * space, [0] * space
    defaults = (("stride", one), ("dilations", one), ("pads_before", zero), ("pads_after", zero))
    return [a.get(key) or default for key, default in defaults]


def deconv(op: Op) -> list[Result]:
    x, weights, a = op.inputs[0].shape, op.inputs[1].shape, op.attrs
    space = len(x) - 2
    strides, dilations, before, after = spatial(a, space)
    extra = a.get("output_padding") or [0] * space
    sizes = [
        (n - 1) * s + (r - 1) * d + 1 + e - b - f
        for n, r, s, d, b, f, e in zip(x[2:], weights[2:], strides, dilations, before, after, extra, strict=True)
    ]
    fitting(x, sizes)
    return [((x[0], weights[1] * a.get("groups", 1), *sizes), op.output.dtype)]


def gemm(op: Op) -> list[Result]:
    a, b = list(op.inputs[0].shape), list(op.inputs[1].shape)
    if op.attrs.get("transpose_a"):
        a[-2:] = a[:-3:-1]
    if op.attrs.get("transpose_b"):
        b[-2:] = b[:-3:-1]
    inner = b[-2] if len(b) > 1 else b[-1]
    if a[-1] != inner:
        raise ValueError(f"{a[-1]} columns meet {inner} rows")
    batch = np.broadcast_shapes(tuple(a[:-2]), tuple(b[:-2]))
    return [((*batch, *a[-2:-1], *(b[-1:] if len(b) > 1 else ())), op.output.dtype)]


def pointwise(op: Op) -> list[Result]:
    dtype = DataType[op.attrs["program"][-1][2]]
    quantised = op.output.dtype == DataType.INT8 and op.output.scale is not None
    return [(np.broadcast_shapes(*(value.shape for value in op.inputs)), DataType.INT8 if quantised else dtype)]


def reduce(op: Op) -> list[Result]:
    x, axes, keep = op.inputs[0].shape, op.attrs["axes"], op.attrs.get("keep_dims")
    return [(tuple(1 if i in axes else n for i, n in enumerate(x) if keep or i not in axes), op.output.dtype)]


def same(op: Op) -> list[Result]:
    return [(op.inputs[0].shape, op.output.dtype)] * len(op.outputs)


def resize(op: Op) -> list[Result]:
    return [(tuple(op.attrs["sizes"]), op.output.dtype)]


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


RULES: dict[str, Callable[[Op], list[Result]]] = {
    "attention": attention,
    "conv": conv,
    "deconv": deconv,
    "gemm": gemm,
    "pool": pool,
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
}
