"""Inputs, oracle and cases of unit 16's infer_shapes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Case, Sizes, Values
from autograder.exercises.u16_engine_graph.graphs import (
    ADD,
    CONCAT,
    CONSTANT,
    CONV,
    FITTING,
    FLATTEN,
    IDENTITY,
    INPUT,
    NONE,
    POOL,
    RELU,
    WITH_FAULTS,
    grown,
    table,
)

Rule = Callable[[np.ndarray, np.ndarray, np.ndarray], list | None]  # (row, shape of first, of second) -> shape
UNFIT = np.full(3, NONE)


def make_shapes(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A graph, its input's shape, and room for the shapes. Graphs of up to eleven layers fit together."""
    n_layers = sizes["n_layers"]
    layers = table(FITTING, n_layers) if n_layers <= len(FITTING) else grown(WITH_FAULTS, n_layers, rng)
    given = np.array([3, 30, 41]) + rng.integers(0, 9, 3)
    given[2] += given[1] == given[2]  # no square
    return {"layers": layers, "given": given.astype(np.int64), "shapes": np.full((n_layers, 3), NONE, np.int64)}


def window(row: np.ndarray, x: np.ndarray) -> list[int]:
    """Rows and columns of what windows leave: of x padded on both sides, one window every stride."""
    _, _, _, _, kernel, stride, pad, _ = row
    return [(n + 2 * pad - kernel) // stride + 1 for n in x[1:]]


def add(row: np.ndarray, x: np.ndarray, y: np.ndarray) -> list | None:
    fits = np.all((x == y) | (x == 1) | (y == 1))
    return list(np.maximum(x, y)) if fits else None


def concat(row: np.ndarray, x: np.ndarray, y: np.ndarray) -> list | None:
    return [x[0] + y[0], *x[1:]] if np.array_equal(x[1:], y[1:]) else None


def same(row: np.ndarray, x: np.ndarray, y: np.ndarray) -> list:
    return list(x)


RULES: dict[int, Rule] = {
    IDENTITY: same,
    RELU: same,
    ADD: add,
    CONCAT: concat,
    FLATTEN: lambda row, x, y: [x.prod(), 1, 1],
    CONV: lambda row, x, y: [row[3], *window(row, x)],
    POOL: lambda row, x, y: [x[0], *window(row, x)],
}


def inferred(values: Values, rules: dict[int, Rule] = RULES) -> np.ndarray:
    """(n_layers, 3) int64: channels, rows, columns of each layer's result; -1 each where there is no shape."""
    shapes = np.full((len(values["layers"]), 3), NONE, np.int64)
    for i, layer in enumerate(values["layers"]):
        kind, a, b = (int(number) for number in layer[:3])
        x, y = (shapes[at] if 0 <= at < i else UNFIT for at in (a, b))
        if kind == INPUT:
            shapes[i] = values["given"]
        elif kind == CONSTANT:
            shapes[i] = layer[3], 1, 1
        elif kind in rules and x[0] >= 0 and (b < 0 or y[0] >= 0):
            found = rules[kind](layer, x, y)
            shapes[i] = UNFIT if found is None else found
    return shapes


SHAPE_CASES = tuple(Case({"n_layers": n_layers}, trace=False) for n_layers in (8, 11, 23, 1, 4, 32))
