"""Whether the work was shared out over the threads, and done on the device: what a right result alone does not show.

An answer's accesses to memory are held against those of the exercise's own solution, which are on record
(`recorded_work`), on the same two cases.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from autograder.contract import Exercise
from autograder.diagnosis import work_causes
from autograder.diagnosis.recorded_work import Work, of_solution
from autograder.outcome import Cause
from autograder.running.buffers import make_values
from autograder.running.host_code.transfers import FOLLOWS_DEVICE, FROM_DEVICE, FROM_HOST, INPUTS_UP, STAYS
from simt.events import Finding

SHARE_OF_BUSIEST = 6  # times the solution's: below, other trees and other tiles; above, one thread for its block
ACCESSES_WORTH_SHARING = 16  # of the busiest thread
REPEATED = 6  # times the bytes that the solution asks for
SWAP_AND_LOOK = 2  # accesses of a try
THREADS_LEFT_OUT = 6  # times fewer threads than in the solution, each of which has at least
COARSER = 4  # times the work
WARPS_LEFT_OUT = 64  # times fewer: not one thread of each warp is left, so that less work tells as much
TWICE = 2  # times a busiest thread's accesses: the solution's, or those on the smaller case
SEVERAL_BLOCKS = 2  # of which one does the work
IN_ONE_BLOCK = 1.5  # of the solution's accesses, where the last block of two has less to do than the first
ALONE = 8  # accesses of one thread while its block waits, more than on the smaller case, and twice as many
WAITED_FOR = 0.15  # of the busiest thread's accesses: less of them alone is no time that others wait
GROWS = 3  # times faster than the solution's, from the smaller case to the larger
GROWN = 64  # accesses of the busiest thread
READ_AGAIN = 0.25  # of the numbers that all blocks left, read by each block: half of them are those of blocks before
MOST = 0.5  # of the elements of a result
LEAST_READ = 0.25  # of the bytes that the solution's kernels ask for: they all have to see the input
DOWN, UP = "device_to_host_bytes", "host_to_device_bytes"
WAYS_DOWN = (DOWN, "mapped_bytes", "faulted_bytes", "fetched_bytes")  # for what a kernel made, to the host's memory
LEAST_THAT_FOLLOWS = 0.25  # of the elements of a result: another one when other data come down from the device
LEAST_BESIDE_HOST = 0.1  # where the host makes a part of its own: how large the device's is, budgets say

_launches: dict[tuple[str, str], tuple[int, int]] = {}  # by exercise and case: blocks, threads per block


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
    return work_causes.stored_twice(finding)


def evaluate(exercise: Exercise, counters_by_case: Mapping[str, Mapping[str, float]]) -> tuple[Cause, ...]:
    """What a right answer leaves to one thread, to everybody, or to the host. Empty where nothing was traced."""
    return tuple(_causes(exercise, counters_by_case))[:1]


def made_on_host(exercise: Exercise, counters_by_case: Mapping[str, Mapping[str, float]]) -> tuple[Cause, ...]:
    """What the host made of a result that a kernel should have made. Empty where nothing was traced."""
    if exercise.kind != "host" or not _runs_on_device(exercise) or not counters_by_case:
        return ()
    return tuple(_on_host(exercise, counters_by_case))[:1]


def _causes(exercise: Exercise, counters_by_case: Mapping[str, Mapping[str, float]]) -> Iterator[Cause]:
    yield from made_on_host(exercise, counters_by_case)
    for case, solution in of_solution(exercise).items():
        if counters := counters_by_case.get(case):
            yield from badly_shared(case, Work.of(counters), solution, int(counters.get("swap_bytes", 0)))
            if counters.get("blocks_at_work") == 1:
                yield from _left_to_one_block(exercise, case, Work.of(counters), solution)
    yield from _in_a_row(of_solution(exercise), counters_by_case)
    yield from _by_every_block(exercise, counters_by_case)
    yield from _grows(of_solution(exercise), counters_by_case)


def _by_every_block(exercise: Exercise, counters_by_case: Mapping[str, Mapping[str, float]]) -> Iterator[Cause]:
    """What every block reads again of all that blocks left, unless an array of that length is there in any case."""
    cases = {case.name: case for case in exercise.cases}
    for name in list(of_solution(exercise))[1:]:
        counters = counters_by_case.get(name, {})
        share, cells = counters.get("read_by_blocks", 0.0), int(counters.get("read_cells", 0))
        if share > READ_AGAIN:
            least = make_values(exercise, cases[next(iter(of_solution(exercise)))])
            if cells not in {np.size(value) for value in least.values()}:
                yield work_causes.read_by_every_block(name, cells, share)


def _grows(solution: Mapping[str, Work], counters_by_case: Mapping[str, Mapping[str, float]]) -> Iterator[Cause]:
    """Work of each thread, or of one block while the others have nothing to do, that grows with the input.

    A launch lasts as long as its busiest thread, so its threads times that are the places of the GPU that it takes. One
    whose busiest thread does no more than the solution's at the larger case makes nobody wait: it did less before.
    """
    cases = [case for case in solution if counters_by_case.get(case)]
    if len(cases) < 2:
        return
    few, many = (Work.of(counters_by_case[case]) for case in cases)
    grown = [after.places / max(before.places, 1) for before, after in ((few, many), [solution[one] for one in cases])]
    more = many.busiest_thread_accesses - few.busiest_thread_accesses
    longer = many.busiest_thread_accesses > TWICE * solution[cases[1]].busiest_thread_accesses
    if more >= GROWN and grown[0] > GROWS * grown[1] and longer:
        yield work_causes.grows(cases[0], cases[1], few, many)


def _in_a_row(solution: Mapping[str, Work], counters_by_case: Mapping[str, Mapping[str, float]]) -> Iterator[Cause]:
    """What one thread does while its block waits, where that grows far more than a thread's part in the solution, and
    is no small part of what the busiest thread does: else the others hardly wait."""
    cases = [case for case in solution if "accesses_alone" in counters_by_case.get(case, {})]
    if len(cases) < 2:
        return
    few, many = (int(counters_by_case[case]["accesses_alone"]) for case in cases)
    before, after = (solution[case].busiest_thread_accesses for case in cases)
    busiest = counters_by_case[cases[1]]["busiest_thread_accesses"]
    grown = many >= max(few + ALONE, TWICE * few) and many - few > TWICE * (after - before)
    if grown and many > WAITED_FOR * busiest:
        yield work_causes.alone(cases[1], many)


def badly_shared(case: str, work: Work, solution: Work, swap_bytes: int = 0) -> Iterator[Cause]:
    """What one case shows of an answer's work, held against that of the solution.

    swap_bytes: asked by compare-and-swaps. One that loses is tried again, after another look: that repeats nothing.
    """
    if work.global_bytes - SWAP_AND_LOOK * swap_bytes > REPEATED * solution.global_bytes:
        yield work_causes.repeated(case, work, solution)
    elif _leaves_it_to_one(work, solution):
        yield work_causes.one_thread(case, work)
    elif _leaves_threads_out(work, solution):
        yield work_causes.few_threads(case, work, solution)


def _left_to_one_block(exercise: Exercise, case: str, work: Work, solution: Work) -> Iterator[Cause]:
    """What shows that one block does the work of all that the contract launches: so few that no share tells."""
    blocks, threads = _launched(exercise, case)
    if blocks >= SEVERAL_BLOCKS and solution.threads_at_work > threads:
        if work.busiest_thread_accesses >= IN_ONE_BLOCK * solution.busiest_thread_accesses:
            yield work_causes.one_block(case, blocks)


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
    followed = [counters for counters in counters_by_case.values() if FOLLOWS_DEVICE in counters]
    if not any(counters.get("kernel_launches") for counters in counters_by_case.values()):
        if not _tiny(exercise, counters_by_case):
            yield work_causes.nothing_on_device()
    elif exercise.arrays == "host" and not any(one.get(way) for one in counters_by_case.values() for way in WAYS_DOWN):
        yield work_causes.computed_on_host("nothing comes back from the device")
    elif exercise.arrays == "host" and _smallest(known, FROM_DEVICE) < MOST:
        yield work_causes.computed_on_host("what the function returns is not what came back from the device")
    elif exercise.arrays == "pinned" and any(not any(one.get(way) for way in WAYS_DOWN) for one in known):
        yield work_causes.computed_on_host("nothing comes back from the device")
    elif _smallest(followed, FOLLOWS_DEVICE) < (LEAST_BESIDE_HOST if exercise.host_finishes else LEAST_THAT_FOLLOWS):
        yield work_causes.computed_on_host("its result is the same whatever comes back from the device")
    elif name := _stays(exercise, followed):
        yield work_causes.computed_on_host(f"`{name}` is the same whatever comes back from the device")
    elif _largest(known, FROM_HOST) > MOST:
        yield work_causes.computed_on_host("the result went up to the device ready-made")
    elif exercise.arrays == "device" and not exercise.host_finishes and _hardly_read(exercise, counters_by_case):
        yield work_causes.computed_on_host("what it needs of the input came down, and no kernel read it on the device")
    elif exercise.arrays == "host" and _smallest(known, INPUTS_UP) < 1.0:
        stay = any(budget.counter == UP and not budget.floor for budget in exercise.budgets)
        yield work_causes.inputs_left_out(stay)


def _hardly_read(exercise: Exercise, counters_by_case: Mapping[str, Mapping[str, float]]) -> bool:
    """Whether data come down, and kernels ask for far fewer bytes than the solution's, in every case that tells."""
    pairs = [(known, work) for case, work in of_solution(exercise).items() if (known := counters_by_case.get(case))]
    return bool(pairs) and all(
        known.get(DOWN) and Work.of(known).global_bytes < LEAST_READ * work.global_bytes for known, work in pairs
    )


def _tiny(exercise: Exercise, names: Iterable[str]) -> bool:
    """Whether these are only cases in which some size is 1 or less, and there are others to come: who needs no kernel
    for them may need one there."""
    small = {case.name for case in exercise.cases if case.trace and min(case.sizes.values(), default=2) <= 1}
    traced = {case.name for case in exercise.cases if case.trace}
    return small.issuperset(names) and small != traced


def _stays(exercise: Exercise, known: list[Mapping[str, float]]) -> str:
    """The name of an output that is the same whatever comes from the device; "" where all of them follow."""
    stay = (place for place, _ in enumerate(exercise.outputs) if any(f"{STAYS}{place}" in one for one in known))
    return next((exercise.outputs[place].name for place in stay), "")


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
