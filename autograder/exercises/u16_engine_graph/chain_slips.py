"""Wrong outputs of unit 16's run_chain that betray their cause."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u16_engine_graph.chain_values import (
    ADD_ARRAY,
    AT_LEAST,
    AT_MOST,
    OF_ARRAYS,
    OPERATIONS,
    TIMES_ARRAY,
    Operation,
    chained,
    operand,
    start,
)


def with_operations(**other: Operation) -> Callable[[Values], dict]:
    """Some operations do something else."""
    names = {"at_least": AT_LEAST, "at_most": AT_MOST, "add_array": ADD_ARRAY, "times_array": TIMES_ARRAY}
    changed = {**OPERATIONS, **{names[name]: rule for name, rule in other.items()}}
    return lambda values: chained(values, changed)


def with_program(rule: Callable[[np.ndarray], np.ndarray]) -> Callable[[Values], dict]:
    """Another program."""
    return lambda values: chained({**values, "program": rule(values["program"])})


def each_from_the_start(values: Values) -> dict:
    """Every step begins with row 0 again."""
    v = start(values)
    for op, at in values["program"].tolist():
        v = OPERATIONS[op](start(values), operand(values, op, at))
    return {"dst": v}


def from_zero(values: Values) -> dict:
    arrays = values["arrays"].copy()
    arrays[0] = 0
    return chained({**values, "arrays": arrays})


def places_for_numbers(values: Values) -> dict:
    """A step takes the place itself for the number."""
    return chained({**values, "numbers": np.arange(len(values["numbers"]), dtype=np.float32)})


def first_number(values: Values) -> dict:
    return chained({**values, "numbers": np.full_like(values["numbers"], values["numbers"][0])})


def row_one(program: np.ndarray) -> np.ndarray:
    """Steps that take an array take row 1."""
    taken = np.where(np.isin(program[:, 0], OF_ARRAYS), 1, program[:, 1])
    return np.column_stack([program[:, 0], taken])


CHAIN = (
    Slip(
        "starts_anew",
        "every step begins with what came in: it goes on from what the step before left",
        each_from_the_start,
    ),
    Slip("starts_with_zero", "the chain begins with 0: row 0 of arrays is what comes in", from_zero),
    Slip(
        "place_for_number",
        "a step takes the place for the number: numbers[place] is meant",
        places_for_numbers,
    ),
    Slip("always_the_first_number", "every step takes the first number: its place is in the program", first_number),
    Slip("always_row_one", "every step takes row 1 of arrays: the row is in the program", with_program(row_one)),
    Slip(
        "ends_exchanged",
        "at least and at most are exchanged: at least 0 is max(v, 0)",
        with_operations(at_least=np.minimum, at_most=np.maximum),
    ),
    Slip(
        "cut_at_zero",
        "at least is taken for a ReLU: the lower end is the number that the step names, and not always 0",
        with_operations(at_least=lambda v, number: np.maximum(v, 0)),
    ),
    Slip("step_skipped", "a step of kind 5, at most, does nothing", with_operations(at_most=lambda v, number: v)),
    Slip("steps_backwards", "the steps run from the last to the first", with_program(lambda program: program[::-1])),
    Slip("last_step_missing", "the last step is missing", with_program(lambda program: program[:-1])),
    Slip("first_step_missing", "the first step is missing", with_program(lambda program: program[1:])),
    Slip("first_step_only", "only the first step is done: store after the loop", with_program(lambda p: p[:1])),
)
