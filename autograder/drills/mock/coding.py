"""Facts about a coding task that the follow-ups ask for: its launch, its bytes, its conflicts. All are measured."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np

import simt
from autograder.drills.deck.model import Card
from autograder.drills.kinds.write import program_of
from autograder.drills.tasks import find_task
from autograder.drills.values.functions import bandwidth

CODING_TASKS = (
    "structure_of_arrays", "transpose", "row_sums", "tree_sum", "one_atomic_a_block", "shuffle_sum", "stencil_sum",
    "shared_histogram", "requantise", "softmax", "layer_norm", "max_pool_2x2", "fused_epilogue", "count_positive",
)  # fmt: skip
A100 = "a100-80"
HAZARDS = (
    "out_of_bounds", "race", "uninitialised_read", "barrier_divergence", "bank_conflicts", "uncoalesced", "float64",
    "rounding", "saturation", "overflow",
)  # fmt: skip


@dataclass(frozen=True)
class Facts:
    """sizes: of the question; threads: of the launch; moved_bytes: what the card's solution asks of global memory."""

    sizes: dict[str, int]
    threads: int
    moved_bytes: int


def facts_of(card: Card, seed: int) -> Facts:
    """The launch and the traffic at ragged sizes, from the card's solution in the interpreter."""
    rng = random.Random(seed)
    exercise = find_task(card.data["task"]).exercise
    ragged = {name: rng.randrange(300, 1500) for name in exercise.cases[0].sizes}
    if len(ragged) > 1:
        ragged = {name: rng.randrange(33, 95) for name in ragged}
    values = exercise.make(ragged, exercise.cases[0].values, np.random.default_rng(seed))
    grid, block = exercise.launch(values)[:2]
    counters = traced(card, card.data["solution"], ragged, seed)
    moved = sum(counters[f"global_{way}_bytes"] for way in ("load", "store"))
    return Facts(ragged, _threads(grid) * _threads(block), moved)


def traced(card: Card, source: str, sizes: dict[str, int], seed: int) -> dict[str, int]:
    """Counters of a kernel on one case. Raises what loading it raises."""
    exercise = find_task(card.data["task"]).exercise
    values = exercise.make(sizes, exercise.cases[0].values, np.random.default_rng(seed))
    launch = exercise.launch(values)
    _, kernel = program_of(card, source).load()
    arguments = [values[argument.name] for argument in exercise.arguments]
    return simt.trace(kernel, launch[0], launch[1], *arguments).counters


def bytes_of(card: Card, elements: int) -> float:
    """Bytes of all arrays of a task with this many elements."""
    exercise = find_task(card.data["task"]).exercise
    names = list(exercise.cases[0].sizes)
    edge = 1024 if len(names) > 1 else 1 << 16
    values = exercise.make(dict.fromkeys(names, edge), "exact", np.random.default_rng(0))
    return sum(_bytes(value) for value in values.values()) * (elements / edge ** len(names))


def bytes_in_half(card: Card, sizes: dict[str, int], seed: int) -> float:
    """Bytes of all arrays, each float32 in two bytes."""
    exercise = find_task(card.data["task"]).exercise
    values = exercise.make(sizes, exercise.cases[0].values, np.random.default_rng(seed))
    arrays = [value for value in values.values() if isinstance(value, np.ndarray)]
    return sum(array.nbytes / (2 if array.dtype == np.float32 else 1) for array in arrays)


def bound_us(card: Card, elements: int) -> float:
    """What the arrays of a task with this many elements take at least on an A100, each crossing once, in us."""
    return bytes_of(card, elements) / bandwidth(A100) * 1e6


def _threads(shape: int | tuple[int, ...]) -> int:
    return math.prod(shape) if isinstance(shape, tuple) else shape


def _bytes(value: Any) -> int:
    return value.nbytes if isinstance(value, np.ndarray) else 0


def hazards_at_hand(card: Card) -> set[str]:
    """Hazards that may occur in a kernel for this task, asked for by its card or not: naming one costs nothing.

    What the task's limits forbid is among them, and what shared memory, atomics, barriers and floats may bring.
    """
    exercise, solution = find_task(card.data["task"]).exercise, card.data["solution"]
    found = {"out_of_bounds", "uncoalesced"} | {budget.misconception for budget in exercise.budgets}
    if "shared.array" in solution:
        found |= {"race", "uninitialised_read", "bank_conflicts"}
    if "atomic" in solution:
        found.add("race")
    if "sync" in solution:
        found.add("barrier_divergence")
    if any(argument.dtype == "float32" for argument in exercise.arguments):
        found.add("float64")
    if "exp" in solution:
        found.add("overflow")
    return found & set(HAZARDS)


def share_of_hazards(named: set[str], card: Card) -> float:
    """How well hazards were named: the share that was found, less a quarter for each that cannot occur here."""
    real = set(card.data.get("hazards", ()))
    found = len(named & real) / len(real) if real else 1.0
    return max(0.0, found - len(named - real - hazards_at_hand(card)) / 4)


def near(given: float, truth: float, tolerance: float) -> float:
    """1 within the tolerance, a half within four times it, else 0."""
    if truth == 0:
        return float(given == 0)
    off = abs(math.log(given / truth)) if given > 0 else math.inf
    return 1.0 if off <= math.log1p(tolerance) else 0.5 if off <= math.log1p(4 * tolerance) else 0.0
