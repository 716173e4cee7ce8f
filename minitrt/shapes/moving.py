"""Shapes of operations that move, choose or order elements: run on stand-ins they would take memory for every one."""

from __future__ import annotations

from minitrt.api.enums import DataType
from minitrt.graph.ir import Op
from minitrt.shapes.dims import (
    Shape,
    all_fit,
    axis_of,
    better_known,
    broadcast,
    fit,
    is_open,
    product,
    surely_below,
    whole,
)
from minitrt.shapes.misfits import TooSmall

Result = tuple[Shape, DataType]


def type_of(op: Op) -> DataType:
    """The type of what is moved: a quantised result has its own."""
    return op.output.dtype if op.output.scale is not None else op.inputs[0].dtype


def moved(op: Op) -> list[Result]:
    """As large as the input."""
    return [(tuple(op.inputs[0].shape), type_of(op))]


def unchanged(op: Op) -> list[Result]:
    """As large as the input, and of its type."""
    return [(tuple(op.inputs[0].shape), op.inputs[0].dtype)]


def concat(op: Op) -> list[Result]:
    shapes, axis = [list(value.shape) for value in op.inputs], op.attrs["axis"]
    axis = range(len(shapes[0]))[axis]
    sizes = [shape.pop(axis) for shape in shapes]
    rest = shapes[0]
    for shape in shapes:
        if not all_fit(rest, shape):
            raise ValueError(f"they must agree but for axis {axis}")
        rest = list(map(better_known, rest, shape))
    return [((*rest[:axis], sum(sizes), *rest[axis:]), type_of(op))]


def arg(op: Op) -> list[Result]:
    x, axis = op.inputs[0].shape, op.attrs.get("axis", 0)
    axis = range(len(x))[axis]
    kept = (1,) if op.attrs.get("keep_dims", True) else ()
    return [((*x[:axis], *kept, *x[axis + 1 :]), DataType.INT64)]


def topk(op: Op) -> list[Result]:
    x, k = list(op.inputs[0].shape), whole(op.attrs["k"])
    axis = range(len(x))[op.attrs.get("axis", -1)]
    if surely_below(k, 0) or surely_below(x[axis], k):
        raise TooSmall(f"the {k} largest of {x[axis]}")
    x[axis] = k
    return [(tuple(x), op.output.dtype), (tuple(x), DataType.INT64)]


def expand(op: Op) -> list[Result]:
    return [(broadcast(op.inputs[0].shape, tuple(map(whole, op.attrs["shape"]))), type_of(op))]


def tile(op: Op) -> list[Result]:
    x, repeats = op.inputs[0].shape, [whole(n) for n in op.attrs["repeats"]]
    rank = max(len(x), len(repeats))
    x, repeats = (1,) * (rank - len(x)) + tuple(x), [1] * (rank - len(repeats)) + repeats
    return [(tuple(n * r for n, r in zip(x, repeats, strict=True)), type_of(op))]


def slice_(op: Op) -> list[Result]:
    x, a = op.inputs[0].shape, op.attrs
    starts, sizes, strides = ([whole(n) for n in a[key]] for key in ("starts", "sizes", "strides"))
    for n, start, size, stride in zip(x, starts, sizes, strides, strict=True):
        last = start + stride * (size - 1)
        inside = all(not surely_below(place, -n) and not surely_below(n - 1, place) for place in (start, last))
        if surely_below(size, 0) or a.get("mode", "default") == "default" and size != 0 and not inside:
            raise ValueError(f"elements {start} to {last} of {n}")
    return [(tuple(sizes), type_of(op))]


def shuffle(op: Op) -> list[Result]:
    x, a = op.inputs[0].shape, op.attrs
    shape = permuted(x, a.get("first"))
    if a.get("shape") is not None:
        wanted = tuple(map(whole, a["shape"]))
        if not fit(product(shape), product(wanted)):
            raise ValueError(f"cannot reshape {product(shape)} elements into shape {wanted}")
        shape = wanted
    return [(permuted(shape, a.get("second")), type_of(op))]


def permuted(shape: Shape, order: list[int] | None) -> Shape:
    if order is None:
        return tuple(shape)
    if sorted(order) != list(range(len(shape))):
        raise ValueError(f"axes {order} do not match {len(shape)} dimensions")
    return tuple(shape[axis] for axis in order)


def pad(op: Op) -> list[Result]:
    before, after = op.attrs["before"], op.attrs["after"]
    shape = tuple(n + b + e for n, b, e in zip(op.inputs[0].shape, before, after, strict=True))
    if any(surely_below(n, 0) for n in shape):
        raise ValueError(f"pads {before} and {after} take more than there is")
    return [(shape, type_of(op))]


def gather(op: Op) -> list[Result]:
    x, indices, batch = op.inputs[0].shape, op.inputs[1].shape, op.attrs.get("batch_dims", 0)
    mode, axis = op.attrs.get("mode", "default"), op.attrs.get("axis", 0)
    if not all_fit(x[:batch], indices[:batch]):
        raise ValueError(f"the first {batch} axes must agree")
    if mode == "element":
        return [(tuple(indices), type_of(op))]
    if mode == "nd":
        if is_open(indices[-1]):
            raise ValueError(f"how many axes {indices[-1]} numbers choose from is not known")
        return [((*indices[:-1], *x[batch + indices[-1] :]), type_of(op))]
    axis = range(len(x))[axis]
    return [((*x[:axis], *indices[batch:], *x[axis + 1 :]), type_of(op))]


def one_hot(op: Op) -> list[Result]:
    shape, depth = list(op.inputs[0].shape), whole(op.attrs["depth"])
    shape.insert(axis_of(op.attrs.get("axis", -1), len(shape) + 1), depth)
    return [(tuple(shape), op.inputs[1].dtype)]
