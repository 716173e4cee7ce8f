"""What an interviewer asks about code that was just written: its own counters, and what a change would do to it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from autograder.drills.deck.model import Card
from autograder.drills.mock import coding
from autograder.drills.tasks import find_task
from autograder.drills.values.functions import flops

OWN = {  # a counter of the learner's own kernel -> the unit of the answer
    "barriers": "barriers", "global_load_requests": "requests", "global_store_requests": "requests",
    "atomic_operations": "atomics", "shared_load_requests": "requests", "shared_bytes": "bytes",
    "divergent_branches": "", "global_load_sectors": "sectors", "shared_load_bank_conflicts": "extra passes",
}  # fmt: skip
BIG = 1 << 28
NEXT_GPUS = ((2, 1), (1, 2))  # bandwidth and FLOPs, times those of today's
COUNT, ESTIMATE = 0.02, 0.1  # how far off counts in full


@dataclass(frozen=True)
class FollowUp:
    """name: of its sentence in words.yaml; truth: a number in `unit`, or yes or no."""

    name: str
    unit: str
    truth: float | bool
    tolerance: float = 0.0
    values: Mapping[str, str] | None = None


def of_own_code(card: Card, counters: Mapping[str, int], seed: int, count: int) -> list[FollowUp]:
    """About counters of the kernel that was handed in; not those that its check has just held to a limit."""
    held = {budget.counter for budget in find_task(card.data["task"]).exercise.budgets}
    held |= {name.removesuffix("_per_request") for name in held}
    telling = [name for name in OWN if counters.get(name) and name not in held]
    others = [name for name in OWN if name not in telling and name not in held]
    picked = (random.Random(seed).sample(telling, min(count, len(telling))) + others)[:count]
    return [FollowUp(f"own_{name}", OWN[name], float(counters.get(name, 0)), COUNT) for name in picked]


def of_changes(card: Card, facts: coding.Facts, counters: Mapping[str, int], seed: int, count: int) -> list[FollowUp]:
    """What would change: far more elements, half precision, the next GPU, another run, no shared memory."""
    rng = random.Random(seed + 1)
    makers: list[Callable[[], FollowUp]] = [
        lambda: FollowUp("change_big", "GiB", coding.bytes_of(card, BIG) / 2**30, ESTIMATE),
        lambda: FollowUp("change_half", "bytes", coding.bytes_in_half(card, facts.sizes, seed), ESTIMATE),
        lambda: next_gpu(facts, counters, rng.choice(NEXT_GPUS)),
        lambda: FollowUp("change_repeat", "", is_repeatable(card, counters)),
    ]
    if counters.get("shared_load_requests"):
        makers.append(lambda: without_shared_memory(counters))
    return [make() for make in rng.sample(makers, count)]


def without_shared_memory(counters: Mapping[str, int]) -> FollowUp:
    """Load requests of global memory, if what lay in shared memory lay there."""
    requests = counters["global_load_requests"] + counters["shared_load_requests"]
    return FollowUp("change_no_shared", "requests", float(requests), COUNT)


def next_gpu(facts: coding.Facts, counters: Mapping[str, int], gains: tuple[int, int]) -> FollowUp:
    """By what factor the roofline's bound falls where bandwidth and FLOPs grow by these factors."""
    memory_s = facts.moved_bytes / coding.bandwidth(coding.A100)
    arithmetic_s = counters.get("float32_flops", 0) / flops(coding.A100)
    after = max(memory_s / gains[0], arithmetic_s / gains[1])
    values = {"bandwidth": str(gains[0]), "flops": str(gains[1])}
    return FollowUp("change_gpu", "times", max(memory_s, arithmetic_s) / after, 0.05, values)


def is_repeatable(card: Card, counters: Mapping[str, int]) -> bool:
    """The same bits in every run? Not where floats are added by atomics, in the order in which they come."""
    written = [a for a in find_task(card.data["task"]).exercise.arguments if a.role in ("out", "inout")]
    floats = any(argument.dtype.startswith("float") for argument in written)
    return not (floats and counters.get("atomic_operations", 0))
