"""A submission as answers: for each exercise of its unit, the program it amounts to. Read, never run."""

from __future__ import annotations

import ast
import traceback
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.answer.attempted import read_attempt
from autograder.answer.earlier import IN_ITS_PLACE
from autograder.answer.magics import python_of
from autograder.answer.program import Piece, Program
from autograder.answer.syntax import tree_of
from autograder.classroom.course import Unit, check_cell, race_cell
from autograder.classroom.reading.assemble import assemble
from autograder.classroom.reading.extract import NotRun, commands_in
from autograder.classroom.reading.scope import SHORTER, NotAllowed, Scope, bound_names
from autograder.contract import Exercise

NOT_TAKEN = "It calls {names}, whose cell cannot be read in class: see there first."
MOST_ELSEWHERE = 200_000  # characters of a notebook's cells that are searched for a name that an answer lacks


@dataclass(frozen=True)
class Answer:
    """What a submission says to one exercise.

    program: what the judge runs, rebuilt from the cell by parsing; None when `refused` says why not (then `line` is the
    line of the cell, 0 when unknown; `remedy`, what to do where no one cell could be read; `mend`, what to do where it
    is not to take out what does not belong there). text: the cell as it was typed, for quoting. host: the program is
    the cell itself, host code included, and may run in a jail only. review: why reading it failed, where that is our
    doing. notes: what its author has to know, whatever the verdict.
    """

    exercise: Exercise
    program: Program | None = None
    text: str = ""
    not_run: tuple[NotRun, ...] = ()
    refused: str = ""
    remedy: str = ""
    mend: str = ""
    line: int = 0
    host: bool = False
    has_check: bool = True
    has_race: bool = False
    review: str = ""
    notes: tuple[str, ...] = ()


class NoOneCell(NotAllowed):
    """It is not one cell that answers an exercise. The message is a whole sentence; remedy: what to do."""

    def __init__(self, says: str, remedy: str):
        super().__init__(says)
        self.remedy = remedy


def read_answers(notebook: dict[str, Any], unit: Unit) -> list[Answer]:
    """The answers in a parsed notebook, in course order. Cells are found by the unit's own grade ids.

    An answer whose cell cannot be taken costs its own points: to those that call it the course's own is given.
    """
    by_id, elsewhere = _cells_by_grade_id(notebook), _Elsewhere(notebook)
    answers: list[Answer] = []
    for exercise in unit.exercises:
        answer = _answer(exercise, by_id, unit, elsewhere)
        answers.append(answer)
        solution = unit.solutions.get(exercise.function)
        if solution and (answer.refused or tree_of(python_of(answer.text).source) is None):
            by_id[exercise.function] = [_Stands(solution)]
    return answers


def failure_in_words(error: BaseException) -> str:
    """What of ours failed and where, as in "KeyError: 'n', gate.py:120"."""
    deepest = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error}, {Path(deepest.filename).name}:{deepest.lineno}"[:300]


def _cells_by_grade_id(notebook: dict[str, Any]) -> dict[str, list[str]]:
    """Sources of code cells by the grade_id they claim. The claim chooses a cell; it earns nothing by itself."""
    found: dict[str, list[str]] = {}
    for cell in notebook["cells"]:
        claimed = cell.get("metadata", {}).get("nbgrader", {})
        name = claimed.get("grade_id") if isinstance(claimed, dict) else None
        if cell["cell_type"] == "code" and isinstance(name, str):
            found.setdefault(name, []).append(cell["source"])
    return found


def _answer(exercise: Exercise, by_id: dict[str, list[str]], unit: Unit, elsewhere: _Elsewhere) -> Answer:
    known = {"exercise": exercise, "has_check": check_cell(exercise) in by_id, "has_race": race_cell(exercise) in by_id}
    given = [name for name in _names_used(exercise) if any(isinstance(text, _Stands) for text in by_id.get(name, ()))]
    if given:
        names = " and ".join(f"`{name}`" for name in given)
        known["notes"] = (f"{NOT_TAKEN.format(names=names)} {IN_ITS_PLACE}",)
    text = ""
    try:
        text = _only(by_id, exercise.function)
        known["text"] = text
        if exercise.kind == "host":
            program = _host_program(exercise, text, by_id, unit)
            return Answer(**known, program=program, host=True, not_run=commands_in(text))
        return _kernel_answer(known, by_id, unit, elsewhere)
    except NoOneCell as refusal:
        return Answer(**known, refused=str(refusal), remedy=refusal.remedy)
    except NotAllowed as refusal:
        return Answer(**known, refused=str(refusal), line=refusal.line, mend=refusal.mend)
    except (RecursionError, MemoryError):
        return Answer(**known, refused="text that is nested too deeply, or too large, to be read", mend=SHORTER)
    except Exception as error:  # one cell that trips us up is one answer to look at, and no more
        return Answer(**known, review=failure_in_words(error))


def _kernel_answer(known: dict[str, Any], by_id: dict[str, list[str]], unit: Unit, elsewhere: _Elsewhere) -> Answer:
    """The program of a kernel: trusted setup, what it takes from the cells it builds on, and its own cell rebuilt."""
    exercise, text = known["exercise"], known["text"]
    name = f"{unit.id}.ipynb:{exercise.function}"
    used = _used_cells(exercise, by_id, unit)
    wanted = frozenset({exercise.function})
    scope = Scope.of_trusted(piece.source for piece in unit.setup)
    pieces, _, extracts = assemble([*used, Piece(text, name)], wanted, scope)
    elsewhere.refuse(extracts[-1].missing, text)
    attempt = read_attempt(python_of(text).source, exercise.function)
    if attempt.state == "missing":
        raise NotAllowed(f"no function `{exercise.function}`. {attempt.says}")
    program = Program(pieces[-1].source, exercise.function, name, 1, (*unit.setup, *pieces[:-1]))
    return Answer(**known, program=program, not_run=extracts[-1].not_run)


def _used_cells(exercise: Exercise, by_id: dict[str, list[str]], unit: Unit) -> list[Piece]:
    """The student's own cells of the exercises that this one builds on, as Python reads them."""
    names = _names_used(exercise)
    return [Piece(python_of(_only(by_id, name)).source, f"{unit.id}.ipynb:{name}") for name in names]


def _names_used(exercise: Exercise) -> list[str]:
    """The functions of earlier exercises that one builds on."""
    return [used.rsplit(".", 1)[-1] for used in exercise.uses]


class _Stands(str):
    """The text of the course's own answer, in place of a cell that cannot be taken."""


def _host_program(exercise: Exercise, text: str, by_id: dict[str, list[str]], unit: Unit) -> Program:
    """The cells of a host function as Python reads them; such a program may run in a jail only."""
    name = f"{unit.id}.ipynb:{exercise.function}"
    return Program(
        python_of(text).source, exercise.function, name, 1, (*unit.setup, *_used_cells(exercise, by_id, unit))
    )


def _only(by_id: dict[str, list[str]], grade_id: str) -> str:
    """The text of the one cell that answers. Copies that say the same, or that still hold the stub, do not count."""
    sources = list(dict.fromkeys(by_id.get(grade_id, ())))
    if len(sources) > 1:
        sources = [source for source in sources if is_touched(source, grade_id)]
    if not sources:
        raise NoOneCell(
            f"No cell of this notebook is marked as the answer `{grade_id}`: it was deleted, or lost its mark.",
            f"Copy the cell `{grade_id}` back from the released notebook, put your answer into it and hand in again.",
        )
    if len(sources) > 1:
        raise NoOneCell(
            f"{len(sources)} different cells are marked as the answer `{grade_id}`; which one counts is not guessed.",
            "Keep the one that you mean and hand in again.",
        )
    return sources[0]


def is_touched(source: str, function: str) -> bool:
    """Whether a cell holds more than the stub."""
    return read_attempt(python_of(source).source, function).state != "untouched"


class _Elsewhere:
    """The names that a notebook's cells define, read once for all answers and only where one of them lacks a name."""

    def __init__(self, notebook: dict[str, Any]):
        self._sources = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]

    def refuse(self, missing: frozenset[str], own: str) -> None:
        """Refuse, with a way out, when a name the kernel uses is defined in another cell, which is not read."""
        if not missing:
            return
        for name in sorted(missing & frozenset().union(*(names for text, names in self._cells if text != own))):
            raise NotAllowed(
                f"`{name}`, which another cell defines. The judge reads this cell only: move `{name}` into it"
            )

    @cached_property
    def _cells(self) -> list[tuple[str, frozenset[str]]]:
        """Cells with the names that they define, as far as they are Python, up to a length in all."""
        found, characters = [], 0
        for text in self._sources:
            characters += len(text)
            if characters > MOST_ELSEWHERE:
                break
            try:
                statements = ast.parse(python_of(text).source).body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            found.append((text, frozenset(name for statement in statements for name in bound_names(statement))))
        return found
