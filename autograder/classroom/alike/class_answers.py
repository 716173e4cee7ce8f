"""What likeness is looked for in: the answers of a graded class, with the opcodes that its ledger has, and ours."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from autograder import exercises
from autograder.answer.program import ProgramError
from autograder.answer.reference import solution_program, solution_source
from autograder.classroom.alike import likeness
from autograder.classroom.ledger import book as ledger
from autograder.classroom.ledger.chain import LedgerError
from autograder.classroom.pages import verdict
from autograder.contract import Exercise
from autograder.running.compiled import compile_kernel


def of_folder(out: Path) -> list[likeness.Answer]:
    """Every answer that a folder of grades has a verdict on; without opcodes where its ledger cannot be read."""
    found = verdict.load_all(out / "verdicts")[0]
    try:
        with ledger.read(out) as book:
            return likeness.answers_of(found, lambda entry: _opcodes(book, entry))
    except LedgerError:
        return likeness.answers_of(found)


def _opcodes(book: ledger.Book, entry: dict[str, Any]) -> str:
    """Of an entry's judgement; "" where there is none, or it did not compile."""
    record = entry["judged"]["record"] if entry["judged"] else 0
    try:
        judgement = book.judgement(record) if record else None
    except LedgerError:  # the entry names a record that there is not
        return ""
    return str(judgement.outcome.facts.get("opcodes", "")) if judgement else ""


def solutions(asked: Collection[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The cells of these exercises' own solutions, and the opcodes of those that are kernels."""
    known = [each for each in exercises.all_exercises() if each.id in asked]
    sources = {each.id: solution_source(each) or "" for each in known}
    return sources, {each.id: _compiled(each) for each in known if each.kind == "kernel"}


def _compiled(exercise: Exercise) -> str:
    program = solution_program(exercise)
    try:
        return compile_kernel(exercise, program.load()[1]).opcodes if program else ""
    except ProgramError:
        return ""
