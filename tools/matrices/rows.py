"""The answers of both matrices for one exercise, from its own solution, and what each of them is promised."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from autograder.answer.program import Program
from autograder.contract import Budget, Case, Exercise
from autograder.diagnosis import recorded_work, work
from autograder.running.buffers import make_values
from tools.matrices import no_work, part, styles

MOST_WITHOUT_WORK = 0.6  # of the points, for a right result without the work

Rewrite = Callable[[ast.Module, str], ast.Module | None]
OF_KERNELS: tuple[Rewrite, ...] = (
    no_work.nothing,
    no_work.one_thread,
    no_work.one_block,
    no_work.one_thread_a_block,
    no_work.one_thread_a_row,
    no_work.everything_by_everybody,
)
ON_THE_HOST = """
def {function}({parameters}):
    from autograder.exercises import find
    {collected}
    found = find("{id}").oracle(values)
    {returned}
"""


@dataclass(frozen=True)
class Derived:
    """An answer that nobody wrote."""

    name: str
    program: Program


def in_other_styles(exercise: Exercise, solution: Program) -> Iterator[Derived]:
    """The solution, written otherwise."""
    for rewrite in styles.STYLES:
        yield from _derived(rewrite.__name__, rewrite, solution)


def without_the_work(exercise: Exercise, solution: Program) -> Iterator[Derived]:
    """The solution with its work left to somebody else; nothing where there is none to leave, as in blocks_for."""
    if exercise.kind == "host":
        if not any(argument.shape for argument in exercise.arguments):
            return
        yield from _derived("nothing", no_work.nothing, solution)
        if exercise.on_host:
            return
        yield from _derived("no_launch", no_work.no_launch, solution)
        yield from _derived("launched_as_one_block", no_work.launched_as("1", ""), solution)
        yield from _derived("launched_as_one_thread", no_work.launched_as("1", "1"), solution)
        yield Derived("on_the_host", _on_the_host(exercise, solution))
        return
    for rewrite in OF_KERNELS:
        if rewrite is no_work.one_block and _blocks(exercise) == 1:
            continue
        yield from _derived(rewrite.__name__, rewrite, solution)


def for_a_part(exercise: Exercise, solution: Program) -> Iterator[tuple[Derived, Derived]]:
    """The solution with some of its stores left out, and the same with what is left out told."""
    by_role = {
        role: {one.name for one in exercise.arguments if one.role == role} for role in ("out", "inout", "scratch")
    }
    outputs = by_role["out"] or by_role["inout"]
    meant = (outputs.__contains__, lambda name: exercise.kind == "host" and name not in by_role["scratch"])
    for name, condition in part.CONDITIONS.items():
        if name in part.OF_BLOCKS and _blocks(exercise) == 1 and exercise.kind != "host":
            continue
        for arrays in meant:  # kernels of a host function have names of their own for what it hands them
            silent, told = (
                list(_derived(name, part.only_where(condition, arrays, told), solution)) for told in (False, True)
            )
            yield from zip(silent, told, strict=True)
            if silent:
                break


def by_its_counters(exercise: Exercise) -> dict[str, bool]:
    """By what was left to whom, whether it is told on a case on record, where no answer was run: of the plain loop.

    A plain loop makes as many accesses as the solution asks elements of global memory for, of four bytes each.
    """
    told: dict[str, bool] = {}
    for case, solution in recorded_work.of_solution(exercise).items():
        accesses = solution.global_bytes // 4
        for name, threads in (("one thread", 1), ("one thread per block", _blocks(exercise, case))):
            if threads * work.ACCESSES_WORTH_SHARING < accesses and threads * work.COARSER < solution.threads_at_work:
                left = recorded_work.Work(accesses, -(-accesses // threads), threads, solution.global_bytes)
                told[name] = told.get(name, False) or any(work.badly_shared(case, left, solution))
                told[name] |= any(_asks_for_more(budget, case, threads) for budget in exercise.budgets)
    return told


def _asks_for_more(budget: Budget, case: str, threads: int) -> bool:
    """Whether a budget on this case wants more threads at work: one that works on pairs makes few accesses for each."""
    floor = budget.floor and budget.counter == "threads_at_work"
    return floor and Case(budget.sizes).name == case and budget.at_most > threads


def _derived(name: str, rewrite: Rewrite, solution: Program) -> Iterator[Derived]:
    new = rewrite(ast.parse(solution.source), solution.function)
    if new is not None:
        yield Derived(name, replace(solution, source=ast.unparse(ast.fix_missing_locations(new)) + "\n", context=""))


def _blocks(exercise: Exercise, name: str = "") -> int:
    """Of the launch at a case, by default the largest that is traced; 1 for what launches itself."""
    cases = [case for case in recorded_work.measured_cases(exercise) if name in ("", case.name)]
    if exercise.launch is None or not cases:
        return 1
    largest = max(cases, key=lambda case: np.prod(list(case.sizes.values())))
    return int(np.prod(exercise.launch(make_values(exercise, largest))[0]))


def _on_the_host(exercise: Exercise, solution: Program) -> Program:
    """A host function that works the result out with the oracle, on the host."""
    outs = [argument.name for argument in exercise.outputs]
    given = [a.name for a in exercise.arguments if not (exercise.arrays == "host" and a.role == "out")]
    host = (
        "np.array({0})"
        if exercise.arrays != "device"
        else "({0}.copy_to_host() if hasattr({0}, 'copy_to_host') else {0})"
    )
    collected = "values = {" + ", ".join(f"{name!r}: {host.format(name)}" for name in given) + "}"
    if exercise.arrays == "host":
        casts = [f"np.asarray(found[{a.name!r}], np.{a.dtype})" for a in exercise.outputs]
        returned = f"return {', '.join(casts)}"
    elif exercise.arrays == "device":
        lines = [f"{o}.copy_to_device(np.ascontiguousarray(found[{o!r}], {o}.dtype))" for o in outs]
        returned = "\n    ".join(lines)
    else:
        returned = "\n    ".join(f"{name}[...] = found[{name!r}]" for name in outs)
    source = ON_THE_HOST.format(
        function=exercise.function, parameters=", ".join(given), id=exercise.id, collected=collected, returned=returned
    )
    return replace(solution, source=f"import numpy as np\n{source}", context="")
