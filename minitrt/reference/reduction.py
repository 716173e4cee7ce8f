"""Reductions, cumulative sums, and the positions of extremes."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates

REDUCTIONS = {
    "sum": np.sum,
    "prod": np.prod,
    "max": np.max,
    "min": np.min,
    "avg": np.mean,
    "l1": lambda x, **how: np.sum(np.abs(x), **how),
    "l2": lambda x, **how: np.sqrt(np.sum(np.square(x), **how)),
    "sumsquare": lambda x, **how: np.sum(np.square(x), **how),
    "logsum": lambda x, **how: np.log(np.sum(x, **how)),
    "logsumexp": lambda x, **how: log_sum_exp(x, **how),
}


@evaluates("reduce")
def reduce(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """x reduced over attrs["axes"] with attrs["op"]; the type of x is kept."""
    how = dict(
        axis=tuple(axis % max(x.ndim, 1) for axis in op.attrs["axes"]), keepdims=op.attrs.get("keep_dims", False)
    )
    name = op.attrs["op"]
    if name in ("max", "min") and any(x.shape[axis] == 0 for axis in how["axis"]):
        low, high = (-np.inf, np.inf) if np.issubdtype(x.dtype, np.floating) else extremes(x.dtype)
        how["initial"] = low if name == "max" else high
    return np.asarray(REDUCTIONS[name](x, **how)).astype(x.dtype)


def extremes(dtype: np.dtype) -> tuple[int, int]:
    return (0, 1) if dtype == np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)


def log_sum_exp(x: np.ndarray, axis, keepdims: bool) -> np.ndarray:
    most = np.max(x, axis=axis, keepdims=True) if x.size else np.zeros(())
    most = np.where(np.isfinite(most), most, 0)
    total = np.log(np.sum(np.exp(x - most), axis=axis, keepdims=True)) + most
    return total if keepdims else np.squeeze(total, axis=axis)


@evaluates("arg")
def arg(op: Op, x: np.ndarray) -> np.ndarray:
    """int64 positions of the largest (or attrs["largest"] False: smallest) along attrs["axis"]; last: of equals."""
    axis = op.attrs.get("axis", 0)
    find = np.argmax if op.attrs.get("largest", True) else np.argmin
    if op.attrs.get("last"):
        found = x.shape[axis] - 1 - find(np.flip(x, axis), axis=axis)
    else:
        found = find(x, axis=axis)
    return np.expand_dims(found, axis) if op.attrs.get("keep_dims", True) else np.asarray(found)


@evaluates("cumulative")
def cumulative(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """Running sums (attrs["op"] "sum") along attrs["axis"]; exclusive: without the element itself; reverse."""
    axis = op.attrs["axis"]
    x = np.flip(x, axis) if op.attrs.get("reverse") else x
    sums = np.cumsum(x, axis=axis, dtype=x.dtype)
    if op.attrs.get("exclusive"):
        sums = np.roll(sums, 1, axis)
        sums[(slice(None),) * (axis % x.ndim) + (slice(0, 1),)] = 0
    return np.flip(sums, axis) if op.attrs.get("reverse") else sums


@evaluates("topk")
def topk(op: Op, x: np.ndarray, *_) -> tuple[np.ndarray, np.ndarray]:
    """The attrs["k"] largest (largest [True]) along attrs["axis"], sorted, and their int64 positions; ties: lowest."""
    axis, k = op.attrs.get("axis", -1), int(op.attrs["k"])
    key = x if not op.attrs.get("largest", True) else descending(x)
    order = np.argsort(key, axis=axis, kind="stable")
    order = np.take(order, np.arange(k), axis=axis)
    return np.take_along_axis(x, order, axis), order.astype(np.int64)


def descending(x: np.ndarray) -> np.ndarray:
    """A key whose ascending stable order is x's descending one."""
    return -x if np.issubdtype(x.dtype, np.floating) else ~x.astype(np.int64)  # the lowest integer has no negative
