"""Profiles that a unit asks about: the table of its text, and what the interpreter counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import simt
from autograder.contract import Case, Exercise
from autograder.running.buffers import make_values
from tests.course.released import notebook
from tools.check_exercises import solution_of


def rows_of(unit_id: str) -> list[tuple]:
    """(kernel's letter, number, ...) of each row of the table under "Read the profile"."""
    texts = (cell.source for cell in notebook("course", unit_id).cells if cell.cell_type == "markdown")
    (text,) = (text for text in texts if text.startswith("**Read the profile.**"))
    rows = re.findall(r"^\| ([A-Z]) \| (.+) \|$", text, flags=re.MULTILINE)
    assert rows
    return [(name, *(int(number.replace(",", "")) for number in numbers.split(" | "))) for name, numbers in rows]


def counted(exercise: Exercise, kernel: Callable | None, sizes: dict[str, int], counters: Sequence[str]) -> list[int]:
    """Counters of a kernel, by default the exercise's solution, launched as the exercise is."""
    values = make_values(exercise, Case(sizes))
    function = solution_of(exercise).load()[1] if kernel is None else kernel
    seen = simt.trace(function, *exercise.launch(values), *values.values()).counters
    return [int(seen[counter]) for counter in counters]
