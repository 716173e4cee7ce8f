"""How work is spread over threads, and how the exercise's own solution spreads it on two traced cases.

`work.json` has the latter on record: `make generated` writes it, and the tests compare.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from autograder.contract import Case, Exercise
from autograder.exercises import own

FILE = "work.json"
ENOUGH, ENOUGH_ELEMENTS = 2_000, 500  # accesses of the solution, and elements, of a case that tells


@dataclass(frozen=True)
class Work:
    """How accesses to global and shared memory are spread over the threads of a call; see `LoadBalance` of a trace.

    global_bytes: that threads ask of global memory, loads, stores and atomics.
    """

    memory_accesses: int
    busiest_thread_accesses: int
    threads_at_work: int
    global_bytes: int

    @property
    def share_of_busiest(self) -> float:
        """The part of all accesses that one thread makes."""
        return self.busiest_thread_accesses / self.memory_accesses if self.memory_accesses else 0.0

    @property
    def places(self) -> int:
        """Accesses that there would have been room for, had each thread made as many as the busiest one."""
        return self.busiest_thread_accesses * self.threads_at_work

    @property
    def mean(self) -> float:
        """Accesses of a thread that makes any, on average."""
        return self.memory_accesses / self.threads_at_work if self.threads_at_work else 0.0

    @classmethod
    def of(cls, counters: Mapping[str, float]) -> Work:
        """From the counters of a traced case."""
        asked = sum(counters[f"global_{kind}_bytes"] for kind in ("load", "store", "atomic"))
        balance = ("memory_accesses", "busiest_thread_accesses", "threads_at_work")
        return cls(**{name: int(counters[name]) for name in balance}, global_bytes=int(asked))


def record(cases: Mapping[str, Mapping[str, float]], sizes: Mapping[str, int]) -> dict[str, Any]:
    """What `work.json` holds for an exercise: the solution's work on two cases.

    cases: by name, the counters of the solution on each traced case; sizes: by name, the product of the case's sizes.
    The first is the smallest with enough accesses to tell how they are spread, since an answer that leaves everything
    to one thread takes long on a large one; the other is the largest, which tells how many threads there is room for.
    """
    by_size = sorted(cases, key=lambda name: (sizes[name], cases[name]["memory_accesses"]))
    enough = (name for name in by_size if cases[name]["memory_accesses"] >= ENOUGH and sizes[name] >= ENOUGH_ELEMENTS)
    return {name: asdict(Work.of(cases[name])) for name in dict.fromkeys((next(enough, by_size[-1]), by_size[-1]))}


def measured_cases(exercise: Exercise) -> list[Case]:
    """The cases that work can be measured on."""
    return [case for case in exercise.cases if case.trace and case.values == "exact" and all(case.sizes.values())]


@cache
def _recorded(unit: str) -> dict[str, Any]:
    """The records of a unit, by exercise id; none for exercises from elsewhere."""
    file = own.package_of(unit) / FILE
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def of_solution(exercise: Exercise) -> dict[str, Work]:
    """The solution's work by the name of the case; empty where it was not recorded."""
    return {case: Work(**numbers) for case, numbers in _recorded(exercise.unit).get(exercise.id, {}).items()}
