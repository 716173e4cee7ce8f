"""Prove every exercise: its stub reads "not attempted", its solution passes, its wrong answers fail as they should.

    python -m tools.check_exercises
    python -m tools.check_exercises --unit 06_reductions
    python -m tools.check_exercises --exercise reductions.block_sum --matrix styles

Prints four matrices, one row an answer: *kill*, what people write; *styles*, the solution written otherwise, which
must pass whole; *work*, the solution with its work left to one thread, one block, everybody or the host, which must
not pass; *part*, the solution without some of its stores, which must not either. The last three are derived from the
solution, so a new exercise has them. Ends with a failure when any row is not as promised, or when an exercise has too
few answers or hints to prove anything.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from autograder import exercises
from autograder.answer import cells
from autograder.answer.program import Program, ProgramError
from autograder.contract import Exercise
from autograder.diagnosis import budget, recorded_work
from autograder.exercises import own
from autograder.exercises.catalogue import Answer, answers_for
from autograder.judge import check
from autograder.notebook.predicted.why import unexplained
from autograder.outcome import Outcome
from tools.matrices.rows import (
    MOST_WITHOUT_WORK,
    Derived,
    by_its_counters,
    for_a_part,
    in_other_styles,
    without_the_work,
)
from tools.parts.notebook_source import read_source
from tools.parts.units import ROOT

FEWEST_WRONG, FEWEST_RIGHT, FEWEST_HINTS = 6, 2, 3
PROCESSES = max(2, os.cpu_count() or 1)
DEADLINE_S = 120.0  # a guard against a hang: answers are cut off by their work, alike on a busy machine
HANG_DEADLINE_S = 3.0  # for answers that must time out
NOT_ON_RECORD = "work.json says nothing of its solution's work, so nobody can tell who did it: run tools.record_work"
MATRICES = ("kill", "styles", "work", "part")
KINDS = ("stub", "solution", "naive", "right", "wrong", "style", "work", "part")


@dataclass(frozen=True)
class Row:
    """One line of a matrix. complaint: "" when it is as promised."""

    exercise: str
    kind: str  # one of KINDS, or "contract"
    name: str
    outcome: str = ""
    misconception: str = ""
    complaint: str = ""


def prove(exercise: Exercise, matrices: Sequence[str] = MATRICES) -> list[Row]:
    """Every row of one exercise in these matrices."""
    answers = answers_for(exercise)
    rows = []
    if "kill" in matrices:
        rows += [_contract_row(exercise, complaint) for complaint in shortcomings(exercise, answers)]
        rows += prove_solution(exercise)
        rows += [prove_naive(exercise)] if exercise.naive else []
        rows += [prove_answer(exercise, answer) for answer in answers if not answer.is_style]
    if "styles" in matrices:
        rows += [prove_answer(exercise, answer) for answer in answers if answer.is_style]
        rows += [prove_style(exercise, derived) for derived in in_other_styles(exercise, solution_of(exercise))]
    if "work" in matrices:
        rows += [prove_no_work(exercise, derived) for derived in without_the_work(exercise, solution_of(exercise))]
        rows += prove_counters(exercise)
        rows += [_contract_row(exercise, NOT_ON_RECORD)] if not_on_record(exercise) else []
    if "part" in matrices:
        rows += [prove_part(exercise, *derived) for derived in for_a_part(exercise, solution_of(exercise))]
    return rows


def not_on_record(exercise: Exercise) -> bool:
    """Whether nothing says how the solution shares its work, so that answers without the work cannot be told."""
    return bool(recorded_work.measured_cases(exercise)) and not recorded_work.of_solution(exercise)


def prove_style(exercise: Exercise, derived: Derived) -> Row:
    """The row of the solution in another style: it passes whole."""
    return _row(exercise, "style", derived.name, _judge(exercise, derived.program), "Passed")


def prove_no_work(exercise: Exercise, derived: Derived) -> Row:
    """The row of an answer that leaves the work to somebody: it is not right, and earns the budgets' share at most."""
    outcome = _judge(exercise, derived.program)
    complaint = ""
    if outcome.passed or outcome.points > round(MOST_WITHOUT_WORK * exercise.points, 2):
        lines = "\n".join(
            f"    | {line}" for line in [*str(outcome).splitlines(), *derived.program.source.splitlines()]
        )
        complaint = f"earns {outcome.points:g} of {outcome.max_points:g} points without the work\n{lines}"
    return Row(exercise.id, "work", derived.name, outcome.status, outcome.misconception, complaint)


def prove_part(exercise: Exercise, silent: Derived, told: Derived) -> Row:
    """The row of an answer that leaves out some of its stores: it is not right, unless no case has any to leave out."""
    row = prove_no_work(exercise, silent)
    same = bool(row.complaint) and _judge(exercise, told.program).passed
    return replace(row, kind="part", complaint="" if same else row.complaint.replace("without the work", "for a part"))


def prove_counters(exercise: Exercise) -> list[Row]:
    """Rows of work that nobody ran: the plain loop by one thread, as its counters would be."""
    return [
        Row(exercise.id, "work", f"{name}, counted", complaint="" if told else "is not told from the solution's work")
        for name, told in by_its_counters(exercise).items()
    ]


def prove_solution(exercise: Exercise) -> list[Row]:
    """The rows of the released stub and of the solution; a complaint where the solution is not to be found."""
    try:
        solution = solution_of(exercise)
    except ProgramError as error:
        return [_contract_row(exercise, str(error))]
    return [prove_stub(exercise), _row(exercise, "solution", "solution", _judge(exercise, solution), "Passed")]


def prove_stub(exercise: Exercise) -> Row:
    """The row of what a learner is given to start from."""
    solution = solution_of(exercise)
    stub = Program(cells.released_source(solution.source), solution.function, setup=solution.setup)
    return _row(exercise, "stub", "released stub", _judge(exercise, stub), "NotAttempted")


def prove_naive(exercise: Exercise) -> Row:
    """The row of the kernel that a race is measured against: it is right, and at most costly."""
    launched = replace(exercise, launch=exercise.naive_launch or exercise.launch, launches=())
    outcome = _judge(launched, exercises.naive_of(exercise))
    others = sorted({cause.kind for cause in outcome.causes} - {"over_budget"})
    return Row(exercise.id, "naive", "naive", outcome.status, complaint=f"has {', '.join(others)}" if others else "")


def prove_answer(exercise: Exercise, answer: Answer) -> Row:
    """The row of one catalogued answer."""
    dangerous = answer.outcome in ("TimedOut", "Crashed")
    outcome = _judge(exercise, answer.program, isolate=dangerous)
    kind = "wrong" if answer.outcome != "Passed" else "style" if answer.is_style else "right"
    return _row(exercise, kind, answer.name, outcome, answer.outcome, answer.misconception, answer.says)


def solution_of(exercise: Exercise) -> Program:
    """The exercise's own solution, from the source that the solved notebook is built from."""
    path = (own.home_of(exercise.unit) or ROOT) / "solutions" / exercise.unit / f"{exercise.unit}.py"
    if not path.is_file():
        raise ProgramError(f"{exercise.id} has no source at {path}.")
    return cells.program_in(_cells_of_source(path, exercise.unit), path.name, exercise)


@cache
def _cells_of_source(path: Path, unit: str) -> list[cells.Cell]:
    """The code cells of the notebook that a unit's source gives."""
    return cells.cells_of(read_source(path, exercises.of_unit(unit)))


def shortcomings(exercise: Exercise, answers: Iterable[Answer]) -> list[str]:
    """What makes a proof vacuous: too few answers or hints, or budgets and predictions that nothing measures."""
    answers = list(answers)
    n_right = sum(answer.outcome == "Passed" for answer in answers)
    n_wrong = len(answers) - n_right
    traced = [dict(case.sizes) for case in exercise.cases if case.trace]
    found = []
    if n_wrong < FEWEST_WRONG:
        found.append(f"{n_wrong} wrong answers, needs {FEWEST_WRONG}")
    if n_right < FEWEST_RIGHT:
        found.append(f"{n_right} right answers, needs {FEWEST_RIGHT}")
    if sum(len(hint.ladder) for hint in exercise.hints) < FEWEST_HINTS:
        found.append(f"fewer than {FEWEST_HINTS} hints")
    for item in exercise.budgets:
        if dict(item.sizes) not in traced:
            found.append(f"the budget on {item.counter} names {dict(item.sizes)}, which no traced case has")
    if exercise.predictions and not budget.predict_case_name(exercise):
        found.append(f"predictions need a traced case, and predict_case {exercise.predict_case} is none")
    for name in unexplained(exercise):
        found.append(f"the prediction of {name} is without a reason: say in `reasons` what the number is made of")
    known = {hint.misconception for hint in exercise.hints}
    for answer in answers:
        if answer.misconception and answer.misconception not in known | {"start"} and "start" not in known:
            found.append(f"no hint answers {answer.misconception}, and there is no ladder named start")
    return found


def _judge(exercise: Exercise, program: Program, isolate: bool = False) -> Outcome:
    return check(
        exercise, program, device="simt", isolate=isolate, deadline_s=HANG_DEADLINE_S if isolate else DEADLINE_S
    )


def _row(
    exercise: Exercise, kind: str, name: str, outcome: Outcome, promised: str, misconception: str = "", says: str = ""
) -> Row:
    """A row, with a complaint where the outcome is not the one promised."""
    text = str(outcome)
    complaint = ""
    if outcome.status != promised:
        complaint = f"is {outcome.status}, promised {promised}"
    elif outcome.misconception != misconception:
        complaint = f"is {outcome.misconception or 'no misconception'}, promised {misconception}"
    elif _plain(says) not in _plain(text):
        complaint = f"does not say {says!r}"
    elif outcome.passed != (outcome.points == outcome.max_points):
        complaint = f"earns {outcome.points:g} of {outcome.max_points:g} points"
    if complaint:
        complaint += "\n" + "\n".join(f"    | {line}" for line in text.splitlines())
    return Row(exercise.id, kind, name, outcome.status, outcome.misconception, complaint)


def _plain(text: str) -> str:
    """Text without case and line breaks."""
    return " ".join(text.lower().split())


def _contract_row(exercise: Exercise, complaint: str) -> Row:
    return Row(exercise.id, "contract", "", complaint=complaint)


def _prove_by_id(identifier: str, matrices: Sequence[str]) -> list[Row]:
    """For the pool: ids travel, exercises do not."""
    return prove(exercises.find(identifier), matrices)


def _without_gpu() -> None:
    """The matrix is the interpreter's: its processes see no GPU."""
    os.environ["CUDA_VISIBLE_DEVICES"] = ""


def main(arguments: list[str] | None = None) -> int:
    """Print the matrix and the counts. Returns 0 when every row is as promised, 1 when one is not, 2 for no rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unit", help="only this unit, as in 06_reductions")
    parser.add_argument("--exercise", help="only this exercise, as in reductions.block_sum")
    parser.add_argument("--matrix", action="append", choices=MATRICES, help="only this matrix; default: all four")
    wanted = parser.parse_args(arguments)
    try:
        chosen = [exercise.id for exercise in _chosen(wanted.unit, wanted.exercise)]
    except exercises.UnknownExerciseError as error:
        print(error, file=sys.stderr)
        return 2
    return 2 if (sound := prove_all(chosen, wanted.matrix or MATRICES)) is None else int(not sound)


def prove_all(chosen: Sequence[str], matrices: Sequence[str]) -> bool | None:
    """Print the rows of these exercises, by id, as they come. Returns: all as promised? None where there are none."""
    if not chosen:
        print("There are no exercises, so nothing would be proven.", file=sys.stderr)
        return None
    _without_gpu()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
        groups = [pool.submit(_prove_by_id, name, [matrix]) for name in chosen for matrix in matrices]
        try:
            rows = [row for group in as_completed(groups) for row in _shown(group.result())]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)  # interrupted, it would begin what is queued
    broken = [row for row in rows if row.complaint]
    counts = {kind: sum(row.kind == kind for row in rows) for kind in KINDS}
    print(
        f"\n{len(chosen)} exercise{'' if len(chosen) == 1 else 's'}: "
        + ", ".join(f"{n} {kind}" for kind, n in counts.items())
    )
    print(f"Not as promised: {len(broken)} of {len(rows)} rows." if broken else "Every row is as promised.")
    return not broken


def _chosen(unit: str | None, identifier: str | None) -> tuple[Exercise, ...]:
    """One exercise, one unit's, or all."""
    if identifier is not None:
        return (exercises.find(identifier),)
    return exercises.of_unit(unit) if unit is not None else exercises.all_exercises()


def _shown(rows: list[Row]) -> list[Row]:
    """Print the rows of one exercise in one matrix, and hand them on."""
    for row in rows:
        mark = "  no " if row.complaint else "  yes"
        verdict = f"{row.outcome} {row.misconception}".strip()
        print(f"{mark}  {row.exercise:<40} {row.kind:<9} {row.name:<32} {verdict}", flush=True)
        if row.complaint:
            print(f"       {row.complaint}", flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main())
