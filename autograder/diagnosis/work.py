"""Whether the work was shared out over the threads, and done on the device: what a right result alone does not show.

An answer's accesses to memory are held against those of the exercise's own solution on two traced cases, which
`work.json` has on record: `make generated` writes it, and the tests compare.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from autograder.contract import Case, Exercise
from autograder.exercises import own
from autograder.outcome import Cause
from autograder.running.buffers import make_values
from autograder.running.transfers import FOLLOWS_DEVICE, FROM_DEVICE, FROM_HOST, INPUTS_UP
from autograder.words import count_text
from simt.events import Finding

FILE = "work.json"
SHARE_OF_BUSIEST = 6  # times the solution's: below, other trees and other tiles; above, one thread for its block
ACCESSES_WORTH_SHARING = 16  # of the busiest thread
REPEATED = 6  # times the bytes that the solution asks for
THREADS_LEFT_OUT = 6  # times fewer threads than in the solution, each of which has at least
COARSER = 4  # times the work
WARPS_LEFT_OUT = 64  # times fewer: not one thread of each warp is left, so that less work tells as much
TWICE = 2  # times a busiest thread's accesses: the solution's, or those on the smaller case
SEVERAL_BLOCKS = 2  # of which one does the work
IN_ONE_BLOCK = 1.5  # of the solution's accesses, where the last block of two has less to do than the first
ALONE = 8  # accesses of one thread while its block waits, more than on the smaller case, and twice as many
ENOUGH, ENOUGH_ELEMENTS = 2_000, 500  # accesses of the solution, and elements, of a case that tells
MOST = 0.5  # of the elements of a result
LEAST_THAT_FOLLOWS = 0.25  # of the elements of a result: another one when other data come down from the device

_launches: dict[tuple[str, str], tuple[int, int]] = {}  # by exercise and case: blocks, threads per block


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


def stored_twice(finding: Finding) -> Cause | None:
    """The cause of stores that do no harm, since they are equal, and are made by several blocks for half of an array.

    finding: a note of the interpreter. None for any other note, and for stores that a lock orders: each looked first.
    """
    detail = finding.detail
    between_blocks = finding.kind == "race" and detail.get("hazard") == "WAW" and detail.get("scope") == "grid"
    if (
        not between_blocks
        or detail.get("fenced")
        or detail.get("space") != "global"
        or finding.count < MOST * math.prod(detail["shape"])
    ):
        return None
    says = (
        f"Threads of several blocks store the same elements of {finding.array}, each the same values, so the result "
        "is right: they repeat one another's work."
    )
    remedy = "Let a thread's place in the whole grid decide which elements are its own, as cuda.grid gives it."
    return Cause("over_budget", "work_repeated", says, remedy, finding.lines[:1], array=finding.array)


def measured_cases(exercise: Exercise) -> list[Case]:
    """The cases that work can be measured on."""
    return [case for case in exercise.cases if case.trace and case.values == "exact" and all(case.sizes.values())]


@cache
def _recorded(unit: str) -> dict[str, Any]:
    """The records of a unit, by exercise id; none for exercises from elsewhere."""
    file = own.package_of(unit) / FILE
    return json.loads(file.read_text()) if file.is_file() else {}


def of_solution(exercise: Exercise) -> dict[str, Work]:
    """The solution's work by the name of the case; empty where it was not recorded."""
    return {case: Work(**numbers) for case, numbers in _recorded(exercise.unit).get(exercise.id, {}).items()}


def evaluate(exercise: Exercise, counters_by_case: Mapping[str, Mapping[str, float]]) -> tuple[Cause, ...]:
    """What a right answer leaves to one thread, to everybody, or to the host. Empty where nothing was traced."""
    return tuple(_causes(exercise, counters_by_case))[:1]


def _causes(exercise: Exercise, counters_by_case: Mapping[str, Mapping[str, float]]) -> Iterator[Cause]:
    if exercise.kind == "host" and _runs_on_device(exercise) and counters_by_case:
        yield from _on_host(exercise, counters_by_case)
    for case, solution in of_solution(exercise).items():
        if counters := counters_by_case.get(case):
            yield from badly_shared(case, Work.of(counters), solution)
            if counters.get("blocks_at_work") == 1:
                yield from _left_to_one_block(exercise, case, Work.of(counters), solution)
    yield from _in_a_row(of_solution(exercise), counters_by_case)


def _in_a_row(solution: Mapping[str, Work], counters_by_case: Mapping[str, Mapping[str, float]]) -> Iterator[Cause]:
    """What one thread does while its block waits, where that grows far more than a thread's part in the solution."""
    cases = [case for case in solution if "accesses_alone" in counters_by_case.get(case, {})]
    if len(cases) < 2:
        return
    few, many = (int(counters_by_case[case]["accesses_alone"]) for case in cases)
    before, after = (solution[case].busiest_thread_accesses for case in cases)
    if many >= max(few + ALONE, TWICE * few) and many - few > TWICE * (after - before):
        yield _alone(cases[1], many)


def badly_shared(case: str, work: Work, solution: Work) -> Iterator[Cause]:
    """What one case shows of an answer's work, held against that of the solution."""
    if work.global_bytes > REPEATED * solution.global_bytes:
        yield _repeated(case, work, solution)
    elif _leaves_it_to_one(work, solution):
        yield _one_thread(case, work)
    elif _leaves_threads_out(work, solution):
        yield _few_threads(case, work, solution)


def _left_to_one_block(exercise: Exercise, case: str, work: Work, solution: Work) -> Iterator[Cause]:
    """What shows that one block does the work of all that the contract launches: so few that no share tells."""
    blocks, threads = _launched(exercise, case)
    if blocks >= SEVERAL_BLOCKS and solution.threads_at_work > threads:
        if work.busiest_thread_accesses >= IN_ONE_BLOCK * solution.busiest_thread_accesses:
            yield _one_block(case, blocks)


def _launched(exercise: Exercise, name: str) -> tuple[int, int]:
    """Blocks and threads per block of the contract's launch at a case; (1, 0) where the answer launches."""
    key = exercise.id, name
    if exercise.launch is None:
        return 1, 0
    if key not in _launches:
        case = next(case for case in exercise.cases if case.name == name)
        grid, block = exercise.launch(make_values(exercise, case))[:2]
        _launches[key] = int(np.prod(grid)), int(np.prod(block))
    return _launches[key]


def _on_host(exercise: Exercise, counters_by_case: Mapping[str, Mapping[str, float]]) -> Iterator[Cause]:
    """What the host did that the device should have done, by where the values of the result come from."""
    general = {case.name for case in exercise.cases if case.values == "general"}  # values that agree by no chance
    known = [counters for name, counters in counters_by_case.items() if name in general and FROM_DEVICE in counters]
    if not any(counters.get("kernel_launches") for counters in counters_by_case.values()):
        yield _nothing_on_device()
    elif exercise.arrays == "host" and not exercise.host_finishes and _smallest(known, FROM_DEVICE) < MOST:
        yield _computed_on_host("what the function returns is not what came back from the device")
    elif not exercise.host_finishes and _smallest(known, FOLLOWS_DEVICE) < LEAST_THAT_FOLLOWS:
        yield _computed_on_host("its result is the same whatever comes back from the device")
    elif _largest(known, FROM_HOST) > MOST:
        yield _computed_on_host("the result went up to the device ready-made")
    elif exercise.arrays == "host" and _smallest(known, INPUTS_UP) < 1.0:
        yield _computed_on_host("not all of the inputs went up to the device")


def _smallest(known: list[Mapping[str, float]], share: str) -> float:
    """The smallest value of a share over cases; 1.0 where none is known."""
    return min((counters[share] for counters in known if share in counters), default=1.0)


def _largest(known: list[Mapping[str, float]], share: str) -> float:
    """The largest value of a share over cases; 0.0 where none is known."""
    return max((counters[share] for counters in known), default=0.0)


def _runs_on_device(exercise: Exercise) -> bool:
    """Whether an exercise is about arrays, which belong on the device; `blocks_for` is not."""
    return any(argument.shape for argument in exercise.arguments)


def _leaves_it_to_one(work: Work, solution: Work) -> bool:
    stands_out = work.threads_at_work == 1 or work.busiest_thread_accesses > COARSER * work.mean
    return stands_out and (
        work.busiest_thread_accesses > ACCESSES_WORTH_SHARING
        and work.share_of_busiest > SHARE_OF_BUSIEST * solution.share_of_busiest
    )


def _leaves_threads_out(work: Work, solution: Work) -> bool:
    left_out = solution.threads_at_work / max(work.threads_at_work, 1)
    coarser = work.busiest_thread_accesses / max(solution.busiest_thread_accesses, 1)
    return left_out > THREADS_LEFT_OUT and coarser > COARSER or left_out > WARPS_LEFT_OUT and coarser > TWICE


def _nothing_on_device() -> Cause:
    return Cause(
        "no_work",
        "nothing_on_device",
        "Nothing ran on the device: the function launched no kernel.",
        "Copy the inputs to the device, launch a kernel there, and return what it wrote.",
    )


def _computed_on_host(how: str) -> Cause:
    return Cause(
        "no_work",
        "nothing_on_device",
        f"The host did the work: {how}.",
        "Send the inputs up as they are, compute in a kernel, and copy its result down.",
    )


def _repeated(case: str, work: Work, solution: Work) -> Cause:
    times = work.global_bytes / max(solution.global_bytes, 1)
    return Cause(
        "over_budget",
        "work_repeated",
        f"At {case}, the threads ask global memory for {work.global_bytes:,} bytes, {times:,.0f} times what the task "
        "needs: they repeat one another's work.",
        "Let each thread handle its own elements only.",
    )


def _one_thread(case: str, work: Work) -> Cause:
    return Cause(
        "over_budget",
        "one_thread_works",
        f"At {case}, {_load_of(work)}.",
        "Give every thread a part of that work.",
    )


def _alone(case: str, accesses: int) -> Cause:
    return Cause(
        "over_budget",
        "one_thread_works",
        f"At {case}, one thread makes {accesses:,} memory accesses for which the others of its block wait, and the "
        "longer the input, the more it makes.",
        "Share out that work, too: give every thread of the block a part of it.",
    )


def _load_of(work: Work) -> str:
    """How unevenly the accesses are spread, in words."""
    most = count_text(work.busiest_thread_accesses, "memory access", "memory accesses")
    if work.threads_at_work == 1:
        return f"one thread makes all {most}, and on a GPU the others wait for it"
    others = (work.memory_accesses - work.busiest_thread_accesses) / (work.threads_at_work - 1)
    return f"one thread makes {most}, and the others {others:,.1f} each on average: on a GPU they wait for it"


def _one_block(case: str, blocks: int) -> Cause:
    return Cause(
        "over_budget",
        "few_threads",
        f"At {case}, one block does the work of {blocks:,}: most of the GPU has nothing to do.",
        "Let the place of a block decide which elements are its own.",
    )


def _few_threads(case: str, work: Work, solution: Work) -> Cause:
    return Cause(
        "over_budget",
        "few_threads",
        f"{work.threads_at_work:,} threads do the work of {solution.threads_at_work:,} at {case}: "
        "most of the GPU has nothing to do.",
        "Give every thread of the launch a share, and launch as many blocks as the elements need.",
    )
