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


def memory_question(counters: dict[str, int]) -> tuple[str, float]:
    """Which counter of the learner's own kernel to ask for, and its value.

    Bank conflicts where it uses shared memory; else the sectors of a request, rounded to a tenth.
    """
    if counters["shared_load_requests"]:
        return "conflicts", counters["shared_load_bank_conflicts"] + counters["shared_store_bank_conflicts"]
    requests = max(1, counters["global_load_requests"])
    return "sectors", round(counters["global_load_sectors"] / requests, 1)


def bound_us(card: Card, elements: int) -> float:
    """What the arrays of a task with this many elements take at least on an A100, each crossing once, in us."""
    exercise = find_task(card.data["task"]).exercise
    names = list(exercise.cases[0].sizes)
    edge = 1024 if len(names) > 1 else 1 << 16
    values = exercise.make(dict.fromkeys(names, edge), "exact", np.random.default_rng(0))
    small = sum(_bytes(value) for value in values.values())
    return small * (elements / edge ** len(names)) / bandwidth(A100) * 1e6


def _threads(shape: int | tuple[int, ...]) -> int:
    return math.prod(shape) if isinstance(shape, tuple) else shape


def _bytes(value: Any) -> int:
    return value.nbytes if isinstance(value, np.ndarray) else 0


def share_of_hazards(named: set[str], card: Card) -> float:
    """How well hazards were named: the overlap over the union, so that naming all of them is no answer."""
    real = set(card.data.get("hazards", ()))
    return len(named & real) / len(named | real) if named | real else 1.0


def near(given: float, truth: float, tolerance: float) -> float:
    """1 within the tolerance, a half within four times it, else 0."""
    if truth == 0:
        return float(given == 0)
    off = abs(math.log(given / truth)) if given > 0 else math.inf
    return 1.0 if off <= math.log1p(tolerance) else 0.5 if off <= math.log1p(4 * tolerance) else 0.0
