"""Wrong outputs of unit 16's lstm_step that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u16_engine_graph.step_values import GATES, after, gates_of, sigmoid, sums_of

Step = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray], dict]  # (i, o, f, g, c) -> outputs


def by_rule(rule: Step) -> Callable[[Values], dict]:
    """Another step of the right gates."""

    def produces(values: Values) -> dict:
        i, o, f, g = gates_of(values)
        return rule(i, o, f, g, values["c"].astype(np.float64))

    return produces


def right(i: np.ndarray, o: np.ndarray, f: np.ndarray, g: np.ndarray, c: np.ndarray) -> dict:
    return after(sigmoid(f) * c + sigmoid(i) * np.tanh(g), o)


def other_way_round(i: np.ndarray, o: np.ndarray, f: np.ndarray, g: np.ndarray, c: np.ndarray) -> dict:
    """tanh of the gate, sigmoid of the cell."""
    cell = right(i, o, f, g, c)["new_c"]
    return {"new_h": np.tanh(o) * sigmoid(cell), "new_c": cell}


def of_parts(parts: list[np.ndarray], values: Values) -> dict:
    """A right step. parts: the sums of i, o, f and g."""
    i, o, f, g = parts
    return right(i, o, f, g, values["c"].astype(np.float64))


def in_order(*order: int) -> Callable[[Values], dict]:
    """The gates from other columns: the part for i, o, f and g."""

    def produces(values: Values) -> dict:
        parts = gates_of(values)
        return of_parts([parts[at] for at in order], values)

    return produces


def of_sums(**left_out: bool) -> Callable[[Values], dict]:
    """Gates without some of what they are made of."""

    def produces(values: Values) -> dict:
        return of_parts(np.split(sums_of(values, **left_out), GATES, axis=1), values)

    return produces


def interleaved(values: Values) -> dict:
    """Column 4 u + gate."""
    sums = sums_of(values)
    return of_parts([sums[:, gate::GATES] for gate in range(GATES)], values)


ORDER = "columns are those of i, then o, f and g, as ONNX has them"
STEP = (
    Slip("other_order", f"gates are taken in PyTorch's order, i, f, g, o: {ORDER}", in_order(0, 3, 1, 2)),
    Slip("other_order", f"the forget and the output gate are exchanged: {ORDER}", in_order(0, 2, 1, 3)),
    Slip("other_order", f"the input and the forget gate are exchanged: {ORDER}", in_order(2, 1, 0, 3)),
    Slip("other_order", f"the input and the output gate are exchanged: {ORDER}", in_order(1, 0, 2, 3)),
    Slip(
        "gates_interleaved",
        f"the four gates of a unit are taken from neighbouring columns: all {ORDER}",
        interleaved,
    ),
    Slip(
        "sigmoid_for_candidate",
        "the candidate g goes through a sigmoid: tanh lets it be negative, so that cells can fall",
        by_rule(lambda i, o, f, g, c: after(sigmoid(f) * c + sigmoid(i) * sigmoid(g), o)),
    ),
    Slip(
        "candidate_not_bounded",
        "the candidate g is taken as it is: tanh brings it between -1 and 1 first",
        by_rule(lambda i, o, f, g, c: after(sigmoid(f) * c + sigmoid(i) * g, o)),
    ),
    Slip(
        "nothing_forgotten",
        "cells keep all they had: the forget gate says which share of it stays",
        by_rule(lambda i, o, f, g, c: after(c + sigmoid(i) * np.tanh(g), o)),
    ),
    Slip(
        "all_let_in",
        "cells take in the whole candidate: the input gate says which share of it comes in",
        by_rule(lambda i, o, f, g, c: after(sigmoid(f) * c + np.tanh(g), o)),
    ),
    Slip(
        "state_of_old_cell",
        "the new state is made of the old cell: new_c comes first, and the state is a share of its tanh",
        by_rule(lambda i, o, f, g, c: {**right(i, o, f, g, c), "new_h": sigmoid(o) * np.tanh(c)}),
    ),
    Slip(
        "cell_not_bounded",
        "the new state is a share of the cell itself: its tanh is meant",
        by_rule(lambda i, o, f, g, c: {**right(i, o, f, g, c), "new_h": sigmoid(o) * right(i, o, f, g, c)["new_c"]}),
    ),
    Slip(
        "all_let_out",
        "the new state is the whole tanh of the cell: the output gate says which share of it",
        by_rule(lambda i, o, f, g, c: {**right(i, o, f, g, c), "new_h": np.tanh(right(i, o, f, g, c)["new_c"])}),
    ),
    Slip(
        "activations_exchanged",
        "sigmoid and tanh are exchanged in the new state: the gate is a share, by sigmoid, and the cell gets tanh",
        by_rule(other_way_round),
    ),
    Slip("bias_left_out", "the bias is missing", of_sums(bias=False)),
    Slip("state_left_out", "h is missing: a gate depends on the input and on the state before", of_sums(h=False)),
    Slip("input_left_out", "x is missing: a gate depends on the input and on the state before", of_sums(x=False)),
)
