"""Values from nothing but shapes: shape of, ranges, fills, random numbers."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import NUMPY_TYPES, Op
from minitrt.reference.registry import evaluates


@evaluates("shape_of", stored=True)
def shape_of(op: Op, x: np.ndarray) -> np.ndarray:
    """int64 dimensions of x, from attrs["start"] [0] to attrs["end"] [all]."""
    return np.array(x.shape[op.attrs.get("start", 0) : op.attrs.get("end")], np.int64)


@evaluates("size_of", stored=True)
def size_of(op: Op, x: np.ndarray) -> np.ndarray:
    """int64 number of elements of x."""
    return np.array(x.size, np.int64)


@evaluates("fill", stored=True)
def fill(op: Op, *_) -> np.ndarray:
    """attrs["shape"] filled: op "constant" with value; "linspace" alpha + beta * index along the last axis (beta may
    be one a axis); "random_uniform" in [alpha, beta); "random_normal" with mean alpha and deviation beta, both from
    attrs["seed"] [0].
    """
    shape, dtype, how = tuple(int(n) for n in op.attrs["shape"]), NUMPY_TYPES[op.output.dtype], op.attrs["op"]
    alpha, beta = op.attrs.get("alpha", 0), op.attrs.get("beta", 1)
    if how == "constant":
        return np.full(shape, op.attrs.get("value", 0), dtype)
    if how == "linspace":
        steps = np.ravel(beta)
        places = np.indices(shape, sparse=True) if shape else ()
        return np.asarray(alpha + sum(i * step for i, step in zip(places, steps, strict=False)), dtype).reshape(shape)
    generator = np.random.default_rng(op.attrs.get("seed", 0))
    if how == "random_uniform":
        return generator.uniform(alpha, beta, shape).astype(dtype)
    return generator.normal(alpha, beta, shape).astype(dtype)


@evaluates("range", stored=True)
def range_(op: Op, start: np.ndarray, limit: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """start, start + delta, ... before limit; each computed as start + i * delta."""
    dtype = NUMPY_TYPES[op.output.dtype]
    start, limit, delta = (np.asarray(v).reshape(()) for v in (start, limit, delta))
    count = max(int(np.ceil((np.float64(limit) - np.float64(start)) / np.float64(delta))), 0)
    return (start + np.arange(count) * delta).astype(dtype)


@evaluates("eye", stored=True)
def eye(op: Op, x: np.ndarray) -> np.ndarray:
    """Ones on diagonal attrs["k"] [0], of the shape of x."""
    return np.eye(*x.shape, k=op.attrs.get("k", 0), dtype=NUMPY_TYPES[op.output.dtype])


@evaluates("random_mask", stored=True)
def random_mask(op: Op, x: np.ndarray, *_) -> np.ndarray:
    """True with probability 1 - attrs["ratio"], from attrs["seed"], of the shape of x: training's dropout."""
    generator = np.random.RandomState(op.attrs.get("seed"))  # the generator that ONNX's tests draw from
    return generator.uniform(0, 1.0, x.shape) >= op.attrs.get("ratio", 0.5)
