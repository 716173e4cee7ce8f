"""What an attention is made of, and whether kernels compute all that it asks for: whatever they do not is refused."""

from __future__ import annotations

import math

import numpy as np

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op, Value

MASKS = (DataType.FLOAT, DataType.HALF, DataType.BOOL)
TYPES = (DataType.FLOAT, DataType.HALF, DataType.INT8)
NO_FINER = ("FLOAT", "HALF", "BF16")  # than the float32 that a kernel's softmax has
HONOURED = {  # attributes that change the result: an operation with any other goes to the reference
    *("scale", "causal", "q_heads", "kv_heads", "size", "starts", "fill", "zeros", "precision"),
    *("softcap", "left", "right", "scores"),
}


def computed(op: Op) -> bool:
    """Whether kernels compute this attention, of whatever types."""
    return fits_together(op) and plain_form(op) and mask_fits(op) and one_type(op)


def plain_form(op: Op) -> bool:
    """No attribute that kernels do not know; caches, lengths and further results of forms that they do."""
    asked = {name for name, value in op.attrs.items() if value is not None}
    return asked <= HONOURED and precise(op) and cache_fits(op) and lengths_fit(op)


def cache_fits(op: Op) -> bool:
    """Whether keys and values lie behind their caches, if there are any, and come out as what kernels can copy."""
    present, caches, scores = op.outputs[1:3], [op.input(4), op.input(5)], op.outputs[3:4]
    if not present and caches == [None, None] and not scores:
        return True
    types = {value.dtype for value in (*op.inputs[:3], *caches, *present, *scores) if value is not None}
    if len(types) > 1 or not types <= {DataType.FLOAT, DataType.HALF} or op.attrs.get("starts"):
        return False
    if (caches[0] is None) != (caches[1] is None):
        return False
    whole = [(op.inputs[0].shape[0], heads_of(op, i), keys_of(op), size_of(op, i)) for i in (1, 2)]
    whole.append((op.inputs[0].shape[0], heads_of(op), queries_of(op), keys_of(op)))
    expected = [(images, heads, past_of(op), size) for images, heads, _, size in whole[:2]]
    pairs = [*zip(caches, expected, strict=True), *zip((*present, *scores), whole, strict=False)]
    return all(value is None or tuple(value.shape) == shape for value, shape in pairs)


def lengths_fit(op: Op) -> bool:
    """Whether each image's length, if they are given, is a number."""
    lengths = op.input(6)
    known = lengths is None or lengths.dtype in (DataType.INT32, DataType.INT64)
    return known and (lengths is None or tuple(lengths.shape) == (op.output.shape[0],))


def past_of(op: Op) -> int:
    """Keys of the cache; attribute "past" of an operation whose keys lie behind theirs already."""
    return int(op.attrs.get("past", 0)) if op.input(4) is None else op.inputs[4].shape[2]


def gathered(op: Op) -> bool:
    """Whether keys and values are copied to where all of them lie, behind their cache."""
    return op.input(4) is not None or len(op.outputs) > 1


def bounds_of(op: Op) -> tuple[int, int]:
    """How many keys before a query it sees, and how many behind it; all of them, or more, where nothing says less."""
    a, every = op.attrs, keys_of(op) + queries_of(op) + past_of(op)
    left, right = (int(n) if n >= 0 else every for n in (a.get("left", -1), a.get("right", -1)))
    return left, min(right, 0) if a.get("causal") else right


def bounded(op: Op) -> bool:
    """Whether some query may not see some key, whatever the mask says."""
    left, right = bounds_of(op)
    first, last, keys = past_of(op), past_of(op) + queries_of(op) - 1, keys_of(op)
    return op.input(6) is not None or last > left or keys - 1 - first > right


def by_triangle(op: Op) -> bool:
    """Whether kernels on tensor cores compute it: query i sees keys 0 to i, or all of them, and nothing else is
    asked."""
    causal = bool(op.attrs.get("causal")) and not past_of(op) and op.attrs.get("left", -1) < 0
    own = op.input(6) is None and not op.attrs.get("softcap") and len(op.outputs) < 4
    return own and (not bounded(op) or causal and op.attrs.get("right", -1) < 0)


def precise(op: Op) -> bool:
    """Whether float32 is precise enough for the softmax that is asked for."""
    return (op.attrs.get("precision") or "FLOAT") in NO_FINER


def fits_together(op: Op) -> bool:
    """Whether images, heads, lengths and sizes agree, and the result has theirs."""
    (q, k, v), y = op.inputs[:3], op.output
    values = q, k, v, y
    if {len(each.shape) for each in values} not in ({3}, {4}) or len({each.shape[0] for each in values}) > 1:
        return False
    if len(q.shape) == 3 and not (op.attrs.get("q_heads") and op.attrs.get("kv_heads")):
        return False
    heads, shared = heads_of(op), heads_of(op, 1)
    if shared != heads_of(op, 2) or heads % shared or k.shape[-2] != v.shape[-2] or size_of(op) != size_of(op, 1):
        return False
    flat = len(y.shape) == 3
    expected = (queries_of(op), heads * size_of(op, 2)) if flat else (heads, queries_of(op), size_of(op, 2))
    whole = all(end_of(op, index) <= op.inputs[index].shape[-1] for index in range(3)) if flat else True
    return whole and tuple(y.shape[1:]) == expected


def mask_fits(op: Op) -> bool:
    """Whether a mask is of a type that kernels read, has an element a key, and is repeated along whole axes alone."""
    mask, full = op.input(3), (op.output.shape[0], heads_of(op), queries_of(op), keys_of(op))
    if mask is None:
        return True
    known = mask.dtype in MASKS and len(mask.shape) <= 4 and tuple(mask.shape[-1:]) == full[3:]
    return known and all(n in (1, whole) for n, whole in zip(mask.shape[::-1], full[::-1], strict=False))


def one_type(op: Op) -> bool:
    """q, k and v of one type that kernels read, INT8 with one scale each; a result of a type that they write."""
    inputs, y = op.inputs[:3], op.output
    scaled = all(v.dtype != DataType.INT8 or v.scale is not None for v in (*inputs, y)) and np.ndim(y.scale or 0) == 0
    same = len({value.dtype for value in inputs}) == 1 and inputs[0].dtype in TYPES and y.dtype in TYPES
    return same and scaled and all(np.ptp(scales_read(op, index)) == 0 for index in range(3))


def heads_of(op: Op, index: int = 0) -> int:
    """Heads of input `index`."""
    value = op.inputs[index]
    return value.shape[1] if len(value.shape) == 4 else op.attrs["q_heads" if index == 0 else "kv_heads"]


def size_of(op: Op, index: int = 0) -> int:
    """Features of a head of input `index`; a result has those of the values, input 2."""
    shape = op.inputs[index].shape
    return op.attrs.get("size") or (shape[3] if len(shape) == 4 else shape[2] // heads_of(op, index))


def queries_of(op: Op) -> int:
    return op.inputs[0].shape[-2]


def keys_of(op: Op) -> int:
    """All, those of the cache included."""
    return op.inputs[1].shape[-2] + (0 if op.input(4) is None else past_of(op))


def rows_of(op: Op) -> int:
    return op.inputs[0].shape[0] * heads_of(op) * queries_of(op)


def starts_of(op: Op) -> list[int]:
    """The first feature that is read of q, k and v."""
    return op.attrs.get("starts") or [0, 0, 0]


def end_of(op: Op, index: int) -> int:
    """The feature after the last that is read of flat input `index`."""
    return starts_of(op)[index] + heads_of(op, index) * size_of(op, index)


def scale_of_scores(op: Op) -> float:
    given = op.attrs.get("scale")
    return size_of(op) ** -0.5 if given is None else float(given)


def fill_of(op: Op) -> float:
    """The score of a key that booleans shut out."""
    return float(op.attrs.get("fill", -math.inf))


def zeros_of(op: Op) -> bool:
    """Whether a query that may look at nothing gets zeros, not NaN."""
    return bool(op.attrs.get("zeros", not op.attrs.get("starts")))


def scale_of(op: Op, index: int) -> float:
    """The scale of input `index`; of a tensor that holds several, of the part that is read."""
    return float(scales_read(op, index)[0])


def scales_read(op: Op, index: int) -> np.ndarray:
    """The scales of what is read of input `index`: of flat features with one each, of that part alone."""
    value = op.inputs[index]
    scale = np.asarray(1.0 if value.scale is None else value.scale, np.float64).reshape(-1)
    by_feature = len(value.shape) == 3 and value.axis % 3 == 2
    return scale[starts_of(op)[index] : end_of(op, index)] if scale.size > 1 and by_feature else scale


def out_scale(y: Value) -> float:
    return float(y.scale) if y.scale is not None else 1.0
