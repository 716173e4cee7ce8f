"""Wrong shapes of unit 16 that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u16_engine_graph.graphs import (
    ADD,
    CHANNELS,
    CONCAT,
    CONSTANT,
    CONV,
    FLATTEN,
    INPUT,
    KERNEL,
    NONE,
    PAD,
    POOL,
    STRIDE,
    UNKNOWN,
)
from autograder.exercises.u16_engine_graph.shape_values import RULES, UNFIT, Rule, inferred, same

Axis = Callable[[int, int, int, int], int]  # (elements, kernel, stride, pad) -> windows


def by_rules(**rules: Rule) -> Callable[[Values], dict]:
    """The shapes by other rules of some kinds."""
    kinds = {"add": ADD, "concat": CONCAT, "flatten": FLATTEN, "conv": CONV, "pool": POOL, "unknown": UNKNOWN}
    other = {kinds[name]: rule for name, rule in rules.items()}
    return lambda values: {"shapes": inferred(values, {**RULES, **other})}


def by_windows(axis: Axis) -> Callable[[Values], dict]:
    """Another number of windows along an axis, of convolutions and of pooling."""

    def space(row: np.ndarray, x: np.ndarray) -> list[int]:
        return [axis(int(n), *(int(row[column]) for column in (KERNEL, STRIDE, PAD))) for n in x[1:]]

    return by_rules(
        conv=lambda row, x, y: [row[CHANNELS], *space(row, x)],
        pool=lambda row, x, y: [x[0], *space(row, x)],
    )


def rows_and_columns_exchanged(values: Values) -> dict:
    return {"shapes": inferred(values)[:, [0, 2, 1]]}


def gone_on_behind_faults(values: Values) -> dict:
    """Rules were applied to operands that have no shape."""
    shapes = np.full((len(values["layers"]), 3), NONE, np.int64)
    for i, layer in enumerate(values["layers"]):
        kind, a, b = (int(number) for number in layer[:3])
        x, y = (shapes[at] if at >= 0 else UNFIT for at in (a, b))
        if kind == INPUT:
            shapes[i] = values["given"]
        elif kind == CONSTANT:
            shapes[i] = layer[CHANNELS], 1, 1
        elif kind in RULES:
            found = RULES[kind](layer, x, y)
            shapes[i] = UNFIT if found is None else found
    return {"shapes": shapes}


def stopped_at_the_first(values: Values) -> dict:
    """No shape for anything after the first layer without one."""
    shapes = inferred(values)
    faults = np.flatnonzero(shapes[:, 0] < 0)
    if len(faults):
        shapes[faults[0] :] = NONE
    return {"shapes": shapes}


UNCHECKED = "operands that do not fit got a shape: sizes of an axis must be equal, or one of them 1; else it is -1"
WHAT_A_WINDOW_IS = "an axis of n has (n + 2 pad - kernel) // stride + 1 windows"
SHAPES = (
    Slip(
        "rounded_up",
        "a last window that reaches beyond the padding was counted: round down, since only whole windows count",
        by_windows(lambda n, k, s, p: -(-(n + 2 * p - k) // s) + 1),
    ),
    Slip(
        "padded_once",
        "the padding was added once: it lies at both ends of an axis",
        by_windows(lambda n, k, s, p: (n + p - k) // s + 1),
    ),
    Slip(
        "padding_left_out",
        f"the padding is missing: {WHAT_A_WINDOW_IS}",
        by_windows(lambda n, k, s, p: (n - k) // s + 1),
    ),
    Slip(
        "padding_guessed",
        "every window is padded by half its kernel: the row says how much padding there is, and it may be none",
        by_windows(lambda n, k, s, p: (n + 2 * (k // 2) - k) // s + 1),
    ),
    Slip(
        "first_window_missing",
        f"each axis is one too short: the first window needs no step. {WHAT_A_WINDOW_IS}",
        by_windows(lambda n, k, s, p: (n + 2 * p - k) // s),
    ),
    Slip(
        "kernel_left_out",
        f"the kernel is missing: {WHAT_A_WINDOW_IS}",
        by_windows(lambda n, k, s, p: n // s),
    ),
    Slip(
        "kernel_left_out",
        f"the kernel is missing: {WHAT_A_WINDOW_IS}",
        by_windows(lambda n, k, s, p: -(-n // s)),
    ),
    Slip(
        "kernel_left_out",
        f"the kernel is missing: {WHAT_A_WINDOW_IS}",
        by_windows(lambda n, k, s, p: (n + 2 * p) // s),
    ),
    Slip(
        "stride_left_out",
        f"the stride is missing: {WHAT_A_WINDOW_IS}",
        by_windows(lambda n, k, s, p: n + 2 * p - k + 1),
    ),
    Slip(
        "exchanged",
        "rows and columns are exchanged: a shape is (channels, rows, columns)",
        rows_and_columns_exchanged,
    ),
    Slip(
        "channels_kept",
        "a convolution's result has the channels of its input: it has as many as the layer makes",
        by_rules(conv=lambda row, x, y: [x[0], *RULES[CONV](row, x, y)[1:]]),
    ),
    Slip(
        "pool_makes_channels",
        "pooling takes its channels from the row: it works on each channel alone, and keeps them all",
        by_rules(pool=lambda row, x, y: [row[CHANNELS], *RULES[POOL](row, x, y)[1:]]),
    ),
    Slip("unchecked", UNCHECKED, by_rules(add=lambda row, x, y: list(np.maximum(x, y)))),
    Slip(
        "first_shape_taken",
        "a sum has the shape of its first operand: where that is 1 along an axis, the other one decides",
        by_rules(add=lambda row, x, y: list(x) if RULES[ADD](row, x, y) else None),
    ),
    Slip(
        "first_shape_taken", "a sum has the shape of its first operand, whatever the other one is", by_rules(add=same)
    ),
    Slip(
        "no_broadcast",
        "a sum with a constant per channel has no shape: along an axis where one operand is 1, the other one decides",
        by_rules(add=lambda row, x, y: list(x) if np.array_equal(x, y) else None),
    ),
    Slip(
        "no_broadcast",
        "a sum whose first operand is 1 along an axis has no shape: either of the two may be 1 there",
        by_rules(add=lambda row, x, y: list(x) if np.all((x == y) | (y == 1)) else None),
    ),
    Slip(
        "unchecked",
        "a concatenation of other rows or columns got a shape: only its channels may differ; else it is -1",
        by_rules(concat=lambda row, x, y: [x[0] + y[0], *x[1:]]),
    ),
    Slip(
        "concatenated_everywhere",
        "a concatenation added up every axis: channels are put together, and rows and columns stay",
        by_rules(concat=lambda row, x, y: list(x + y) if RULES[CONCAT](row, x, y) else None),
    ),
    Slip(
        "channels_not_added",
        "a concatenation has the channels of its first operand: it has those of both",
        by_rules(concat=lambda row, x, y: list(x) if RULES[CONCAT](row, x, y) else None),
    ),
    Slip(
        "flatten_keeps_axes",
        "flatten left the shape as it was: all elements become channels, of 1 x 1",
        by_rules(flatten=same),
    ),
    Slip(
        "flatten_keeps_axes",
        "flatten made one axis of rows and columns: all elements become channels, of 1 x 1",
        by_rules(flatten=lambda row, x, y: [x[0], x[1] * x[2], 1]),
    ),
    Slip(
        "flatten_keeps_axes",
        "flatten dropped rows and columns: all elements become channels, of 1 x 1",
        by_rules(flatten=lambda row, x, y: [x[0], 1, 1]),
    ),
    Slip(
        "unknown_passed_on",
        "a layer of an unknown kind passed its operand's shape on: nobody knows what it does, so it has none, -1",
        by_rules(unknown=same),
    ),
    Slip(
        "gone_on_behind_faults",
        "a shape was worked out from one that does not exist: where an operand has -1, so has the result",
        gone_on_behind_faults,
    ),
    Slip(
        "stopped_at_the_first",
        "everything after the first fault has no shape: layers that do not read it do, and the next fault is news, too",
        stopped_at_the_first,
    ),
)
