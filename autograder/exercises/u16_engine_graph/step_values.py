"""Inputs, oracle, bound, launch, cases and cost of unit 16's lstm_step."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u16_engine_graph.values import HIGH, WIDE, room
from autograder.running.compare import sum_bound

GATES = 4  # input, output, forget, and the candidate, in ONNX's order
U = 2.0**-24  # the roundoff of float32
STEP_ARGUMENTS = (
    Argument("x", "in", "float32", "(n_rows, n_in)", "this step's input, a row per sequence"),
    Argument("h", "in", "float32", "(n_rows, n_units)", "the state that the step before left"),
    Argument("c", "in", "float32", "(n_rows, n_units)", "the cells that it left"),
    Argument("w", "in", "float32", "(n_in, 4 n_units)", "weights of x: columns of i, then o, f and g"),
    Argument("r", "in", "float32", "(n_units, 4 n_units)", "weights of h, in the same order"),
    Argument("bias", "in", "float32", "(4 n_units,)", "one number per column"),
    Argument("new_h", "out", "float32", "(n_rows, n_units)", "the state after this step"),
    Argument("new_c", "out", "float32", "(n_rows, n_units)", "the cells after it"),
)


def step(n_rows: int, n_in: int, n_units: int) -> dict[str, int]:
    """Sizes of a step."""
    return {"n_rows": n_rows, "n_in": n_in, "n_units": n_units}


def one_unit(values: Values) -> dict[str, tuple]:
    """What a picture shows of two units: the second one, with its column of each of the four gates."""
    columns, unit = (1, 3, 5, 7), ((0,), (1,))
    return {"w": ((0,), columns), "r": (None, columns), "bias": (columns,), "c": unit, "new_h": unit, "new_c": unit}


STEP = step(4, 3, 40)
STEP_CASES = (
    Case(STEP),
    *(Case(step(*sizes)) for sizes in ((1, 1, 1), (9, 2, 12), (2, 9, 5))),
    Case(step(3, 5, 7), "general"),
    Case(step(9, 4, 70), trace=False),
)


def make_step(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A step of some sequences, with room for what it leaves. Gates are neither open nor closed; cells reach 2."""
    n_rows, n_in, n_units = sizes["n_rows"], sizes["n_in"], sizes["n_units"]
    spread = 2.5 / np.sqrt(n_in + n_units)
    draw = (
        rng.uniform if kind != "exact" else lambda low, high, shape: np.round(16 * rng.uniform(low, high, shape)) / 16
    )
    arrays = {
        "x": draw(-1, 1, (n_rows, n_in)),
        "h": draw(-1, 1, (n_rows, n_units)),
        "c": draw(-2, 2, (n_rows, n_units)),
        "w": spread * draw(-1, 1, (n_in, GATES * n_units)),
        "r": spread * draw(-1, 1, (n_units, GATES * n_units)),
        "bias": draw(-1, 1, GATES * n_units),
    }
    results = {name: room(n_rows, n_units) for name in ("new_h", "new_c")}
    return {name: array.astype(np.float32) for name, array in arrays.items()} | results


def sigmoid(v: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-v))


def sums_of(values: Values, x: bool = True, h: bool = True, bias: bool = True) -> np.ndarray:
    """(n_rows, 4 n_units) float64: what the gates are made of, in the order of the columns."""
    wide = {name: values[name].astype(np.float64) for name in ("x", "h", "w", "r", "bias")}
    return x * (wide["x"] @ wide["w"]) + h * (wide["h"] @ wide["r"]) + bias * wide["bias"]


def gates_of(values: Values) -> list[np.ndarray]:
    """The same, a part for each gate: i, o, f, g."""
    return np.split(sums_of(values), GATES, axis=1)


def after(cell: np.ndarray, o: np.ndarray) -> dict:
    """What a step leaves of its cells and its output gate."""
    return {"new_h": sigmoid(o) * np.tanh(cell), "new_c": cell}


def stepped(values: Values) -> dict:
    """new_c = sigmoid(f) c + sigmoid(i) tanh(g), new_h = sigmoid(o) tanh(new_c). float64."""
    i, o, f, g = gates_of(values)
    return after(sigmoid(f) * values["c"] + sigmoid(i) * np.tanh(g), o)


def step_bound(values: Values, expected) -> dict:
    """A sum's error, of which a sigmoid lets a quarter through at most, and some roundings of what it is made into."""
    absolute = {name: np.abs(values[name]) for name in ("x", "h", "w", "r", "bias")}
    n_terms = values["x"].shape[1] + values["h"].shape[1] + 1
    off = np.split(sum_bound(sums_of({**values, **absolute}), n_terms, sums_of(values)), GATES, axis=1)
    c = np.abs(values["c"].astype(np.float64))
    cell = off[0] / 4 + off[2] * c / 4 + off[3] + 16 * U * (1 + c)
    return {"new_c": cell, "new_h": off[1] / 4 + cell + 16 * U}


def a_thread_per_unit(values: Values) -> tuple:
    """Blocks of 32 x 8 threads: x along the units, y down the rows."""
    n_rows, n_units = values["h"].shape
    return (ceil_div(n_units, WIDE), ceil_div(n_rows, HIGH)), (WIDE, HIGH)


def step_cost(values: Values) -> Cost:
    """Of each element of x and h four products; four biases and a cell come on top, 1 + e^-v three times, and two
    products with a sum that make the cell, and one that makes the state."""
    units, depth = values["h"].size, values["x"].shape[1] + values["h"].shape[1]
    return Cost(read_bytes=4 * units * (5 * depth + GATES + 1), write_bytes=8 * units, flops=units * (8 * depth + 7))
