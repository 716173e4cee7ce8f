"""Gathers, scatters, sorted rows, running sums, a norm's statistics; indices are drawn from 0 to 4, or given."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from tests.minitrt.plain_operations import I8, I32, I64, B, F, H, constant, op, random, value

rng = np.random.default_rng(23)


def scatter(dtype, shape, indices, updates: tuple, **attrs) -> Op:
    """indices: a shape, or an array of int64 in which some are negative and some name one element twice."""
    where = value("i", I64, indices) if isinstance(indices, tuple) else constant("i", I32, indices)
    inputs = [value("x", dtype, shape), where, value("u", dtype, updates)]
    return op("scatter", inputs, value("y", dtype, shape), **attrs)


def ragged(shape: tuple, low: int, high: int) -> np.ndarray:
    return rng.integers(low, high, shape)


OPS = {
    "gather at positions": op(
        "gather", [value("x", F, (6, 5, 3)), value("i", I64, (4, 7, 2))], value("y", F, (4, 7, 3)), mode="nd"
    ),
    "gather at whole positions of a batch": op(
        "gather",
        [value("x", H, (2, 6, 5)), constant("i", I32, ragged((2, 9, 2), -5, 5))],
        value("y", H, (2, 9)),
        mode="nd",
        batch_dims=1,
    ),
    "gather rows of each image": op(
        "gather",
        [value("x", I8, (2, 6, 3)), value("i", I64, (2, 4))],
        value("y", I8, (2, 4, 3)),
        axis=1,
        batch_dims=1,
    ),
    "gather elements of a corner": op(
        "gather",
        [value("x", I64, (7, 6, 5)), constant("i", I64, ragged((3, 2, 4), -6, 6))],
        value("y", I64, (3, 2, 4)),
        axis=1,
        mode="element",
    ),
    "scatter rows": scatter(F, (9, 5), ragged((4, 1), -9, 9), (4, 5), mode="nd"),
    "scatter the last update of an element": scatter(F, (5, 6), (40, 2), (40,), mode="nd"),
    "scatter booleans along the first axis": scatter(B, (8, 4), (3, 4), (3, 4), axis=0),
    "scatter elements of a corner": scatter(I64, (6, 7, 5), ragged((4, 40, 3), -7, 7), (4, 40, 3), axis=1),
    "scatter, added": scatter(F, (3, 7), (3, 40), (3, 40), axis=1, combine="add"),
    "scatter positions, added in halves": scatter(H, (5, 3), (6, 1), (6, 3), mode="nd", combine="add"),
    "scatter, multiplied": scatter(I32, (5, 2), (9, 2), (9, 2), axis=0, combine="mul"),
    "scatter, the largest": scatter(I64, (5, 6), (40, 2), (40,), mode="nd", combine="max"),
    "scatter, the smallest float": scatter(F, (6,), (40,), (40,), axis=0, combine="min"),
    "two largest of each row": op(
        "topk", [value("x", F, (7, 40))], [value("v", F, (7, 2)), value("p", I64, (7, 2))], axis=1, k=2
    ),
    "smallest of the middle, with equals": op(
        "topk",
        [value("x", I64, (3, 40, 5)), constant("k", I64, [9])],
        [value("v", I64, (3, 9, 5)), value("p", I64, (3, 9, 5))],
        axis=-2,
        k=9,
        largest=False,
    ),
    "sorted halves": op("topk", [value("x", H, (33,))], [value("v", H, (33,)), value("p", I64, (33,))], axis=0, k=33),
    "running sums of rows": op("cumulative", [value("x", F, (3, 70))], value("y", F, (3, 70)), axis=1),
    "running sums backwards, exclusive": op(
        "cumulative", [value("x", I64, (2, 33, 3))], value("y", I64, (2, 33, 3)), axis=-2, exclusive=True, reverse=True
    ),
    "running sums of halves": op("cumulative", [value("x", H, (40, 2))], value("y", H, (40, 2)), axis=0, reverse=True),
    "running sums of a column, exclusive": op(
        "cumulative", [value("x", I32, (65,))], value("y", I32, (65,)), axis=0, exclusive=True
    ),
    "upper triangle": op("triangle", [value("x", F, (2, 5, 7))], value("y", F, (2, 5, 7)), k=-1),
    "lower triangle": op("triangle", [value("x", B, (6, 4))], value("y", B, (6, 4)), upper=False, k=1),
    "one hot in the middle": op(
        "one_hot",
        [constant("i", I64, [[1, -1, 4], [-5, 5, 0]]), value("values", H, (2,))],
        value("y", H, (2, 4, 3)),
        axis=1,
        depth=4,
    ),
    "layer norm, its means and factors": op(
        "norm",
        [value("x", H, (3, 5, 7)), constant("g", F, random(F, (7,)))],
        [value("y", H, (3, 5, 7)), value("m", F, (3, 5, 1)), value("d", F, (3, 5, 1))],
        axes=[2],
        epsilon=1e-5,
    ),
    "rotary, halves of heads": op(
        "rotary",
        [value("x", H, (2, 3, 5, 8)), value("c", F, (9, 4)), value("s", F, (9, 4)), value("p", I64, (2, 5))],
        value("y", H, (2, 3, 5, 8)),
    ),
    "rotary, neighbours of a part of flat heads": op(
        "rotary",
        [value("x", F, (2, 5, 18)), value("c", F, (2, 5, 2)), value("s", F, (2, 5, 2)), None],
        value("y", F, (2, 5, 18)),
        heads=3,
        size=4,
        interleaved=True,
    ),
}
