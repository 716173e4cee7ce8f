"""Prove every exercise: its stub reads "not attempted", its solution passes, its wrong answers fail as they should.

    python -m tools.check_exercises
    python -m tools.check_exercises --unit 06_reductions
    python -m tools.check_exercises --exercise reductions.block_sum --matrix styles
    python -m tools.check_exercises --seconds 600

Prints four matrices, one row an answer: *kill*, what people write; *styles*, the solution written otherwise, which
must pass whole; *work*, the solution with its work left to one thread, one block, everybody or the host, which must
not pass; *part*, the solution without some of its stores, which must not either. The last three are derived from the
solution, so a new exercise has them. Ends with a failure when any row is not as promised, or when an exercise has too
few answers or hints to prove anything. Each row is kept once it was judged, and judged again when something changed
that it follows from: a run that was ended goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache, partial
from pathlib import Path

from autograder import exercises
from autograder.answer import cells
from autograder.answer.program import Program, ProgramError
from autograder.contract import Exercise
from autograder.diagnosis import recorded_work
from autograder.diagnosis.misconceptions import is_of_order
from autograder.exercises import own
from autograder.exercises.catalogue import Answer, answers_for
from autograder.judge import check
from autograder.outcome import Outcome
from autograder.running.conclusion import SEARCH_FAILED
from tools.matrices.rows import (
    MOST_WITHOUT_WORK,
    Derived,
    by_its_counters,
    for_a_part,
    in_other_styles,
    without_the_work,
)
from tools.matrices.shortcomings import shortcomings
from tools.parts.notebook_source import read_source
from tools.parts.pieces import WHOLE, Kept, Run
from tools.parts.units import ROOT

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


Proof = Callable[[], "Row | list[Row]"]


def prove(exercise: Exercise, matrices: Sequence[str] = MATRICES) -> list[Row]:
    """Every row of one exercise in these matrices."""
    return [row for matrix in matrices for proof in proofs(exercise, matrix) for row in _rows(proof)]


def proofs(exercise: Exercise, matrix: str) -> Iterator[Proof]:
    """What gives the rows of one exercise in one matrix, an answer each."""
    return {"kill": _kills, "styles": _styles, "work": _work, "part": _parts}[matrix](exercise)


def _kills(exercise: Exercise) -> Iterator[Proof]:
    answers = answers_for(exercise)
    yield lambda: [_contract_row(exercise, complaint) for complaint in shortcomings(exercise, answers)]
    yield partial(prove_solution, exercise)
    if exercise.naive:
        yield partial(prove_naive, exercise)
    yield from (partial(prove_answer, exercise, answer) for answer in answers if not answer.is_style)


def _styles(exercise: Exercise) -> Iterator[Proof]:
    yield from (partial(prove_answer, exercise, answer) for answer in answers_for(exercise) if answer.is_style)
    yield from (partial(prove_style, exercise, one) for one in in_other_styles(exercise, solution_of(exercise)))


def _work(exercise: Exercise) -> Iterator[Proof]:
    yield from (partial(prove_no_work, exercise, one) for one in without_the_work(exercise, solution_of(exercise)))
    yield partial(prove_counters, exercise)
    yield lambda: [_contract_row(exercise, NOT_ON_RECORD)] if not_on_record(exercise) else []


def _parts(exercise: Exercise) -> Iterator[Proof]:
    yield from (partial(prove_part, exercise, *pair) for pair in for_a_part(exercise, solution_of(exercise)))


def _rows(proof: Proof) -> list[Row]:
    rows = proof()
    return rows if isinstance(rows, list) else [rows]


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


def _judge(exercise: Exercise, program: Program, isolate: bool = False) -> Outcome:
    deadline_s = HANG_DEADLINE_S if isolate else DEADLINE_S
    return check(exercise, program, device="simt", isolate=isolate, deadline_s=deadline_s)


def _row(
    exercise: Exercise, kind: str, name: str, outcome: Outcome, promised: str, misconception: str = "", says: str = ""
) -> Row:
    """A row, with a complaint where the outcome is not the one promised."""
    text, complaint = str(outcome), ""
    if outcome.status != promised:
        complaint = f"is {outcome.status}, promised {promised}"
    elif outcome.misconception != misconception:
        complaint = f"is {outcome.misconception or 'no misconception'}, promised {misconception}"
    elif _plain(says) not in _plain(text):
        complaint = f"does not say {says!r}"
    elif SEARCH_FAILED.partition(" (")[0] in text:
        complaint = "a search for the line to change failed"
    elif outcome.passed != (outcome.points == outcome.max_points):
        complaint = f"earns {outcome.points:g} of {outcome.max_points:g} points"
    elif outcome.points and any(is_of_order(cause.kind) for cause in outcome.causes):
        complaint = f"earns {outcome.points:g} points, though an order is missing"
    if complaint:
        complaint += "\n" + "\n".join(f"    | {line}" for line in text.splitlines())
    return Row(exercise.id, kind, name, outcome.status, outcome.misconception, complaint)


def _plain(text: str) -> str:
    """Text without case and line breaks."""
    return " ".join(text.lower().split())


def _contract_row(exercise: Exercise, complaint: str) -> Row:
    return Row(exercise.id, "contract", "", complaint=complaint)


@lru_cache(8)
def _proofs_by_id(identifier: str, matrix: str) -> list[Proof]:
    return list(proofs(exercises.find(identifier), matrix))


def how_many(identifier: str, matrix: str) -> int:
    """How many answers a matrix has of an exercise. For the processes: ids travel, exercises do not."""
    return len(_proofs_by_id(identifier, matrix))


def rows_of(identifier: str, matrix: str, number: int) -> list[dict[str, str]]:
    """The rows of one of them, JSON-ready."""
    return [asdict(row) for row in _rows(_proofs_by_id(identifier, matrix)[number])]


def main(arguments: list[str] | None = None) -> int:
    """Print the matrix and the counts. Returns 0 when every row is as promised, 1 when one is not, 2 for no rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unit", action="append", help="only this unit, as in 06_reductions, or these in this order")
    parser.add_argument("--exercise", action="append", help="only this exercise, as in reductions.block_sum")
    parser.add_argument("--matrix", action="append", choices=MATRICES, help="only this matrix; default: all four")
    run, wanted = Run.asked_for(parser, arguments)
    try:
        chosen = [exercise.id for exercise in exercises_named(wanted.unit, wanted.exercise)]
    except exercises.UnknownExerciseError as error:
        print(error, file=sys.stderr)
        return 2
    return 2 if (sound := prove_all(chosen, wanted.matrix or MATRICES, run)) is None else int(not sound)


def prove_all(chosen: Sequence[str], matrices: Sequence[str], run: Run = WHOLE) -> bool | None:
    """Print the rows of these exercises, by id, as they come. Returns: all as promised? None where there are none."""
    if not chosen:
        print("There are no exercises, so nothing would be proven.", file=sys.stderr)
        return None
    groups = [(name, matrix) for matrix in matrices for name in chosen]
    answers = Run(run.jobs).over(how_many, groups, Kept("answers"))
    pieces = [(*group, number) for group, known in answers for number in range(known)]
    found = [_shown([Row(**one) for one in rows]) for _, rows in run.over(rows_of, pieces, Kept("rows"))]
    rows = [row for made in found for row in made]
    broken = [row for row in rows if row.complaint]
    counts = {kind: sum(row.kind == kind for row in rows) for kind in KINDS}
    print(
        f"\n{len(chosen)} exercise{'' if len(chosen) == 1 else 's'}: "
        + ", ".join(f"{n} {kind}" for kind, n in counts.items())
    )
    print(f"Not as promised: {len(broken)} of {len(rows)} rows." if broken else "Every row is as promised.")
    if left := len(pieces) - len(found):
        print(f"{left:,} of {len(pieces):,} answers are left. The same command goes on with them.")
    return not broken and not left


def exercises_named(units: Sequence[str] | None, identifiers: Sequence[str] | None) -> list[Exercise]:
    """These exercises, those of these units, or all. Raises: UnknownExerciseError."""
    chosen = [exercises.find(name) for name in identifiers or ()]
    chosen += [one for unit in units or () for one in exercises.of_unit(unit)]
    return chosen if units or identifiers else list(exercises.all_exercises())


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
