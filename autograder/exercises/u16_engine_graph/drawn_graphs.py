"""Graphs of unit 16 that nobody wrote down: legal ones, in which everything meets everything."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u16_engine_graph.graphs import (
    ADD,
    CHANNELS,
    CONCAT,
    CONSTANT,
    CONV,
    FIRST,
    FITTING,
    FLATTEN,
    IDENTITY,
    INPUT,
    KERNEL,
    KIND,
    NONE,
    PAD,
    POOL,
    RELU,
    SECOND,
    STRIDE,
    UNKNOWN,
    WEIGHTS,
    row,
    table,
)
from autograder.exercises.u16_engine_graph.shape_values import inferred
from autograder.exercises.u16_engine_graph.tidy_values import RIGHT, RUNS, cleaned, replaced

OF_TWO = (ADD, CONCAT)
LATE = 20  # layers at the end, one of which is returned
COLUMNS = {  # that mean something, by kind
    CONSTANT: (CHANNELS, WEIGHTS),
    CONV: (FIRST, CHANNELS, KERNEL, STRIDE, PAD, WEIGHTS),
    POOL: (FIRST, KERNEL, STRIDE, PAD),
    **dict.fromkeys((IDENTITY, RELU, FLATTEN), (FIRST,)),
    **dict.fromkeys(OF_TWO, (FIRST, SECOND)),
}
USUAL = {CHANNELS: (1, 3, 8), KERNEL: (1, 2, 3, 5, 11), STRIDE: (1, 2, 3, 7), PAD: (0, 1, 2, 5), WEIGHTS: (1, 2, 3)}


def drawn_row(kind: int, n: int, rng: np.random.Generator, back: int) -> list[int]:
    """A layer of a kind on top of n others, its operands among the last `back` of them."""
    new = row(kind)
    for column in COLUMNS[kind]:
        new[column] = (
            int(rng.integers(max(0, n - back), n)) if column in (FIRST, SECOND) else int(rng.choice(USUAL[column]))
        )
    return new


def almost_like(old: list[int], n: int, rng: np.random.Generator) -> list[int]:
    """The same layer once more, or one that differs in a single column."""
    new = list(old)
    if old[KIND] == CONCAT and rng.random() < 0.4:
        new[FIRST], new[SECOND] = old[SECOND], old[FIRST]
    elif rng.random() < 0.8:
        column = int(rng.choice(COLUMNS[old[KIND]]))
        new[column] = drawn_row(old[KIND], n, rng, n)[column]
    return new


def drawn_shapes(sizes: Sizes, rng: np.random.Generator) -> Values:
    """A graph of small pictures, in which shapes meet that differ in one axis alone; some layers have no shape."""
    given = np.array([3, *rng.permutation([5, 6])], np.int64)
    rows = [row(INPUT), row(CONSTANT, channels=1)]
    while len(rows) < sizes["n_layers"]:
        if len(rows) % 6 == 2:
            known = inferred({"layers": np.array(rows), "given": given})
            shapes = np.unique(known, axis=0)
        new = drawn_row(int(rng.choice([*COLUMNS, *4 * [ADD, CONCAT], *8 * [CONV, POOL]])), len(known), rng, len(known))
        x = rng.choice(shapes)
        if new[FIRST] != NONE:
            new[FIRST] = int(rng.choice(np.flatnonzero((known == x).all(axis=1))))
        if new[KIND] in (CONV, POOL):
            new[PAD] = min(new[PAD], new[KERNEL] // 2)
            if x[1:].min() < new[KERNEL] - 2 * new[PAD]:
                new[KERNEL], new[PAD] = 1, 0
        if new[KIND] in OF_TWO:
            new[SECOND] = like_but_for_one_axis(x, known, int(new[KIND] == CONCAT), rng)
        if new[KIND] in OF_TWO and rng.random() < 0.2:  # which fits whatever has a shape
            new[FIRST], new[SECOND] = 1, int(rng.choice(np.flatnonzero(known[:, 0] < 1).tolist() or [0]))
        rows.append(row(UNKNOWN, 0) if x.max() > 60 else new)
    return {"layers": np.array(rows, np.int64), "given": given, "shapes": np.full((len(rows), 3), NONE, np.int64)}


def like_but_for_one_axis(x: np.ndarray, known: np.ndarray, first: int, rng: np.random.Generator) -> int:
    """A layer whose shape differs from x along one axis, from axis `first` on; any other where there is none."""
    found = np.flatnonzero((known != x)[:, first:].sum(axis=1) == 1)
    return int(rng.choice(found if found.size else len(known)))


def large_pictures(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Pictures of which a layer's elements are more than fit into 16 bits."""
    n = sizes["n_layers"]
    given = np.array([3, 1080, 1920], np.int64)
    return {"layers": table(FITTING, n), "given": given, "shapes": np.full((n, 3), NONE, np.int64)}


def drawn_untidy(sizes: Sizes, rng: np.random.Generator) -> Values:
    """A graph full of layers that are almost alike. Of a sum's operands, the one whose result was there first stands
    first, as in the contract's own. What is returned is what most of the graph's later half runs for.

    The last layer is like the second one, and nobody reads either.
    """
    unread = row(CONV, 0, channels=2, kernel=9, stride=1, pad=4, weights=1)
    rows = [row(INPUT), unread]
    while len(rows) < sizes["n_layers"] - 1:
        n = len(rows)
        again = n > 4 and rng.random() < 0.5
        old = rows[int(rng.integers(max(2, n - 12), n))] if again else drawn_row(int(rng.choice([*COLUMNS])), n, rng, 9)
        new = almost_like(old, n, rng) if again else old
        new[FIRST : SECOND + 1] = [0 if at == 1 else at for at in new[FIRST : SECOND + 1]]
        if new[KIND] == ADD:
            stands_for, _ = replaced(rows, RIGHT)
            new[FIRST], new[SECOND] = sorted((new[FIRST], new[SECOND]), key=lambda at: stands_for[at])
        rows.append(new)
    rows.append(unread)
    room = {name: np.full(len(rows), NONE, np.int64) for name in ("stands_for", "fate")}
    graphs = [{"layers": np.array(rows, np.int64), "output": np.int64(n - 1 - at), **room} for at in range(1, LATE)]
    return max(graphs, key=lambda graph: int((cleaned(graph)["fate"][n // 2 :] == RUNS).sum()))


def drawn_groups(sizes: Sizes, rng: np.random.Generator) -> Values:
    """A graph of long chains, with layers that have one reader, none or several, and outputs here and there."""
    rows = [row(INPUT), row(CONSTANT, channels=8), row(INPUT)]
    while len(rows) < sizes["n_layers"]:
        n = len(rows)
        kind = int(rng.choice([RELU, RELU, RELU, ADD, ADD, CONV, POOL, CONSTANT, INPUT, CONCAT, FLATTEN]))
        new = drawn_row(kind, n, rng, 6) if kind != INPUT else row(INPUT)
        new[FIRST] = n - 1 if new[FIRST] != NONE and rng.random() < 0.5 else new[FIRST]
        if new[FIRST] == new[SECOND] != NONE:  # the text does not say how many readers x + x is
            new[SECOND] = (new[FIRST] + 1) % n
        rows.append(new)
    n = len(rows)
    return of_groups(rows, sorted(int(at) for at in rng.permutation(n)[: n // 12 + 1]))


def long_chain(sizes: Sizes, rng: np.random.Generator) -> Values:
    """A convolution and nothing but ReLUs behind it: one kernel, however long."""
    n = sizes["n_layers"]
    return of_groups([row(INPUT), row(CONV, 0, channels=8), *(row(RELU, at) for at in range(1, n - 1))], [n - 1])


def of_groups(rows: list[list[int]], outputs: list[int]) -> Values:
    """The arguments of fuse_groups for these layers."""
    n = len(rows)
    return {
        "layers": table(rows, n),
        "outputs": np.array(outputs, np.int64),
        "kernel": np.full(n, NONE, np.int64),
    }
