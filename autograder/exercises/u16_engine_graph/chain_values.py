"""Inputs, oracle, launch, cases and cost of unit 16's run_chain: layers that work on single elements, as a program."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Argument, Case, Cost, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u16_engine_graph.values import room
from autograder.running.compare import ulp_bound

THREADS = 256
ADD_ARRAY, TIMES_ARRAY, ADD_NUMBER, TIMES_NUMBER, AT_LEAST, AT_MOST = range(6)
OF_ARRAYS, OF_FLOPS = (ADD_ARRAY, TIMES_ARRAY), (ADD_ARRAY, TIMES_ARRAY, ADD_NUMBER, TIMES_NUMBER)
N_ARRAYS, MOST_PRODUCTS = 4, 3  # so that whole numbers stay exact
CHAIN_ARGUMENTS = (
    Argument("program", "in", "int32", "(n_steps, 2)", "an operation per step, and what it takes"),
    Argument("numbers", "in", "float32", "(8,)", "one number for all elements each"),
    Argument("arrays", "in", "float32", "(4, n)", "row 0 is what comes in, the others are added or multiplied"),
    Argument("dst", "out", "float32", "(n,)", "what the last step leaves"),
)
Operation = Callable[[np.ndarray, np.ndarray | np.floating], np.ndarray]
OPERATIONS: dict[int, Operation] = {
    ADD_ARRAY: np.add,
    TIMES_ARRAY: np.multiply,
    ADD_NUMBER: np.add,
    TIMES_NUMBER: np.multiply,
    AT_LEAST: np.maximum,
    AT_MOST: np.minimum,
}


OF_THE_PICTURE = ((ADD_ARRAY, 1), (AT_LEAST, 7), (AT_MOST, 0))
PLACES = {TIMES_NUMBER: 0, ADD_NUMBER: 2, AT_LEAST: 4, AT_MOST: 6}  # in numbers, two of each


def chain(n: int, n_steps: int) -> dict[str, int]:
    """Sizes of a chain."""
    return {"n": n, "n_steps": n_steps}


CHAIN = chain(1025, 6)
CHAIN_CASES = (
    Case(CHAIN),
    *(Case(chain(*sizes)) for sizes in ((1, 1), (33, 0), (255, 12))),
    Case(chain(300, 9), "general"),
    Case(chain(70_003, 7), trace=False),
)


def make_chain(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A program, what it takes, and room for dst. Every operation comes once before one comes again."""
    n, n_steps = sizes["n"], sizes["n_steps"]
    if (n, n_steps) == (8, 3):
        return {**make_chain(chain(8, 0), kind, rng), "program": np.array(OF_THE_PICTURE, np.int32)}
    operations = [op for _ in range(n_steps // 6 + 1) for op in rng.permutation(6)][:n_steps]
    program = np.array([[op, taken(int(op), rng)] for op in operations], np.int32).reshape(-1, 2)
    for op in (TIMES_ARRAY, TIMES_NUMBER):
        late = np.flatnonzero(program[:, 0] == op)[MOST_PRODUCTS:]
        program[late] = ADD_NUMBER, 2
    numbers = np.array([0.5, -2, 3, -3, -5, -1, 2, 4], np.float32)  # factors, summands, lower and upper ends
    arrays = rng.integers(1, 4, (N_ARRAYS, n)) * rng.choice([-1, 1], (N_ARRAYS, n))
    arrays = arrays if kind == "exact" else arrays * rng.uniform(0.5, 1.5, (N_ARRAYS, n))
    return {"program": program, "numbers": numbers, "arrays": arrays.astype(np.float32), "dst": room(n)}


def taken(op: int, rng: np.random.Generator) -> int:
    """The row of arrays, or the place in numbers, that a step takes."""
    if op in OF_ARRAYS:
        return int(rng.integers(1, N_ARRAYS))
    return PLACES[op] + int(rng.integers(2))


def start(values: Values) -> np.ndarray:
    return values["arrays"][0].astype(np.float64)


def operand(values: Values, op: int, at: int) -> np.ndarray | np.floating:
    """What a step takes: a row of arrays or a number, in float64."""
    rows = values["arrays"] if op in OF_ARRAYS else values["numbers"]
    return rows[at % len(rows)].astype(np.float64)  # the picture of the task asks about other places, too


def chained(values: Values, operations: dict[int, Operation] = OPERATIONS) -> dict:
    """dst: row 0 of arrays after all steps. float64."""
    v = start(values)
    for op, at in values["program"].tolist():
        v = operations.get(op, np.minimum)(v, operand(values, op, at))
    return {"dst": v}


def chain_bound(values: Values, expected) -> dict:
    """A rounding per step of the largest that any step may leave."""
    largest = np.ones(values["arrays"].shape[1])
    for op, at in values["program"].tolist():
        taken = np.abs(operand(values, op, at))
        largest = largest * np.maximum(taken, 1) if op in (TIMES_ARRAY, TIMES_NUMBER) else largest + taken
    return {"dst": (1 + len(values["program"])) * ulp_bound(4 * largest, 1)}


def one_thread_each(values: Values) -> tuple:
    """One thread per element."""
    return max(1, ceil_div(values["dst"].size, THREADS)), THREADS


def chain_cost(values: Values) -> Cost:
    """The element, and for each step its two numbers and what it takes."""
    operations, n = values["program"][:, 0], values["dst"].size
    flops = n * int(np.isin(operations, OF_FLOPS).sum())
    return Cost(read_bytes=4 * n * (1 + 3 * len(operations)), write_bytes=4 * n, flops=flops)
