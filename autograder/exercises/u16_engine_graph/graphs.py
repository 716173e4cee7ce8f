"""Graphs as tables, a row per layer, for the host functions of unit 16: what a row says, and graphs to try."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument

UNIT = "16_engine_graph"
INPUT, CONSTANT, IDENTITY, RELU, ADD, CONCAT, FLATTEN, CONV, POOL = range(9)
UNKNOWN = 42  # a kind that the importer has no rule for
KIND, FIRST, SECOND, CHANNELS, KERNEL, STRIDE, PAD, WEIGHTS = range(8)
NONE = -1  # where a row has no such operand
LAYERS = Argument("layers", "in", "int64", "(n_layers, 8)", "the graph, a row per layer, operands before their readers")
OUTPUT = Argument("output", "scalar", "int64", "", "the layer whose result the network gives")


def row(kind: int, a: int = NONE, b: int = NONE, channels=0, kernel=1, stride=1, pad=0, weights=0) -> list[int]:
    """A layer: its kind, up to two operands by their rows, and what kinds need beside them."""
    return [kind, a, b, channels, kernel, stride, pad, weights]


def table(rows: list[list[int]], n_layers: int) -> np.ndarray:
    """The first n_layers rows, (n_layers, 8) int64."""
    return np.array(rows[:n_layers], np.int64).reshape(-1, 8)


# graphs for infer_shapes: every rule once, and every way in which shapes do not fit

FITTING = [
    row(INPUT),
    row(CONV, 0, channels=8, kernel=3, stride=2, pad=1),
    row(RELU, 1),
    row(POOL, 2, kernel=3, stride=2),
    row(CONSTANT, channels=8),
    row(ADD, 3, 4),
    row(CONV, 3, channels=5),
    row(CONCAT, 5, 6),
    row(FLATTEN, 7),
    row(CONV, 8, channels=10),
    row(ADD, 4, 5),
]
WITH_FAULTS = [
    *FITTING,
    row(ADD, 1, 3),  # of other rows and columns
    row(IDENTITY, 5),
    row(UNKNOWN, 5),
    row(RELU, 13),
    row(CONV, 5, channels=6, kernel=3, pad=1),
    row(CONCAT, 6, 1),
    row(ADD, 12, 14),
    row(ADD, 15, 17),
    row(POOL, 14, kernel=2, stride=2),
    row(FLATTEN, 14),
    row(CONV, 13, channels=4, kernel=3, pad=1),
    row(POOL, 5, kernel=4, stride=3, pad=1),  # padded by less than half of its kernel
]


def grown(rows: list[list[int]], n_layers: int, rng: np.random.Generator) -> np.ndarray:
    """These rows, and more of all kinds on top of them, as many as are asked for."""
    rows = list(rows)
    while len(rows) < n_layers:
        a, b = (int(rng.integers(max(0, len(rows) - 9), len(rows))) for _ in range(2))
        kind = int(rng.choice([IDENTITY, RELU, ADD, ADD, CONCAT, CONV, CONV, POOL]))
        if kind == CONV:
            kernel = int(rng.choice([1, 3, 5]))
            rows.append(row(CONV, a, channels=int(rng.integers(1, 9)), kernel=kernel, pad=kernel // 2))
        elif kind == POOL:
            rows.append(row(POOL, a, kernel=3, pad=1))
        else:
            rows.append(row(kind, a, b if kind in (ADD, CONCAT) else NONE))
    return table(rows, n_layers)


# graphs for clean_graph: what does nothing, what is there twice, what no input changes, what nobody reads

UNTIDY = [
    row(INPUT),
    row(CONSTANT, channels=8, weights=1),
    row(CONSTANT, channels=8, weights=1),  # the same array, written down twice
    row(CONV, 0, channels=8, kernel=3, pad=1, weights=2),
    row(IDENTITY, 3),
    row(ADD, 1, 2),  # of constants
    row(RELU, 5),
    row(ADD, 4, 6),
    row(RELU, 7),
    row(IDENTITY, 8),
    row(RELU, 9),  # of a ReLU
    row(CONV, 0, channels=8, kernel=3, pad=1, weights=2),  # as layer 3
    row(IDENTITY, 11),
    row(CONV, 4, channels=8, weights=3),
    row(CONV, 12, channels=8, weights=3),  # as layer 13, once operands are replaced
    row(ADD, 12, 10),
    row(ADD, 13, 14),
    row(CONV, 15, channels=8, weights=4),
    row(ADD, 16, 17),
    row(RELU, 13),  # nobody reads it
    row(IDENTITY, 18),
]
