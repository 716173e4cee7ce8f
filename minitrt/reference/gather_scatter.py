"""Reading and writing elements at indices."""

from __future__ import annotations

import math

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.movement import kept
from minitrt.reference.registry import evaluates

COMBINE = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


@evaluates("gather", stored=True)
def gather(op: Op, x: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """mode default: whole slices along axis; element: one for each index; nd: the last axis of indices is a position.

    batch_dims leading axes are shared by both. Negative indices count from the end.
    """
    mode, axis, batch = op.attrs.get("mode", "default"), op.attrs.get("axis", 0), op.attrs.get("batch_dims", 0)
    if mode == "nd":
        result = gather_nd(x, indices, batch)
    elif mode == "element":
        result = x[element_places(indices, axis, x)]
    elif batch:
        rows = [np.take(a, i, axis=axis - batch) for a, i in zip(folded(x, batch), folded(indices, batch), strict=True)]
        shape = (*x.shape[:axis], *indices.shape[batch:], *x.shape[axis + 1 :])
        result = np.stack(rows).reshape(shape) if rows else np.zeros(shape, x.dtype)
    else:
        result = np.take(x, indices.astype(np.int64), axis=axis)
    return kept(result, op.inputs[0], op.output)


def element_places(indices: np.ndarray, axis: int, x: np.ndarray) -> tuple[np.ndarray, ...]:
    """Where in x each index points: along `axis`, at its own place along every other; indices may be smaller there."""
    at = list(np.indices(indices.shape, sparse=True))
    at[axis % x.ndim] = np.where(indices < 0, indices + x.shape[axis], indices)
    return tuple(np.broadcast_arrays(*at)) if x.ndim > 1 else tuple(at)


def folded(x: np.ndarray, batch: int) -> np.ndarray:
    """x with its first `batch` axes made one."""
    return x.reshape(math.prod(x.shape[:batch]), *x.shape[batch:])


def gather_nd(x: np.ndarray, indices: np.ndarray, batch: int) -> np.ndarray:
    lead = x.shape[:batch]
    rows = [a[tuple(np.moveaxis(i, -1, 0))] for a, i in zip(folded(x, batch), folded(indices, batch), strict=True)]
    each = (*indices.shape[batch:-1], *x.shape[batch + indices.shape[-1] :])
    return np.stack(rows).reshape(*lead, *each) if rows else np.zeros((*lead, *each), x.dtype)


@evaluates("scatter", stored=True)
def scatter(op: Op, x: np.ndarray, indices: np.ndarray, updates: np.ndarray) -> np.ndarray:
    """A copy of x with updates at indices. mode element (along axis) or nd; combine: none, add, mul, max, min."""
    result, how = x.copy(), op.attrs.get("combine", "none")
    if op.attrs.get("mode", "element") == "nd":
        at = tuple(np.moveaxis(indices, -1, 0))
    else:
        at = element_places(indices, op.attrs.get("axis", 0), x)
    if how == "none":
        result[at] = updates
    else:
        COMBINE[how].at(result, at, updates)
    return result


@evaluates("one_hot", stored=True)
def one_hot(op: Op, indices: np.ndarray, values: np.ndarray, *_) -> np.ndarray:
    """values = (off, on); attrs["depth"]: how many; a new axis attrs["axis"]; an index outside [-depth, depth) is all
    off."""
    depth = int(op.attrs["depth"])
    axis = op.attrs.get("axis", -1) % (indices.ndim + 1)
    number = np.where(indices < 0, indices + depth, indices).astype(np.int64)
    hot = np.expand_dims(number, axis) == np.arange(depth).reshape(-1, *[1] * (indices.ndim - axis))
    return np.where(hot, values[1], values[0]).astype(values.dtype)


@evaluates("non_zero", stored=True)
def non_zero(op: Op, x: np.ndarray) -> np.ndarray:
    """Positions of the elements that are not zero: int64 (rank, count)."""
    return np.stack(np.nonzero(x)).astype(np.int64) if x.ndim else np.zeros((0, int(bool(x))), np.int64)


@evaluates("unique", stored=True)
def unique(op: Op, x: np.ndarray) -> tuple[np.ndarray, ...]:
    """The elements that differ, or the slices along attrs["axis"]; where each is first, int64; which one each of x is,
    int64; how many there are of each, int64. attrs["sorted"]: in their order, else in that of the places they are first
    at."""
    axis = op.attrs.get("axis")
    values, first, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    order = np.arange(first.size) if op.attrs["sorted"] else np.argsort(first)
    found = (
        values.take(order, 0 if axis is None else axis),
        first[order],
        np.argsort(order)[inverse.ravel()],
        counts[order],
    )
    return found[: len(op.outputs)]
