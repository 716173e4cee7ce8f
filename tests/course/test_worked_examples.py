"""The examples with numbers in the text of a unit are what the exercise asks of those numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from autograder.exercises import of_unit
from autograder.notebook.task import task_of
from tests.course.released import GRADED, notebook

ROW = re.compile(r"^\| `(\w+)` \|((?: *-?[\d.]+ *\|)+)$", flags=re.MULTILINE)


def rows_before_each_answer(unit) -> dict[str, list[tuple[str, list[float]]]]:
    """The table rows that begin with an array's name, by the function whose answer comes next."""
    rows, pending = {}, []
    for cell in notebook("solutions", unit.id).cells:
        if cell.cell_type == "markdown":
            pending += [
                (name, [float(n) for n in numbers.split("|")[:-1]]) for name, numbers in ROW.findall(cell.source)
            ]
        elif cell.metadata.get("nbgrader", {}).get("solution"):
            rows[cell.metadata.nbgrader.grade_id], pending = pending, []
    return rows


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_arrays_in_an_example_hold_what_the_picture_of_the_task_shows(unit):
    rows = rows_before_each_answer(unit)
    for exercise in of_unit(unit.id):
        task = task_of(exercise)
        for name, numbers in rows[exercise.function]:
            known = [task.outputs[name], task.inputs.get(name)] if name in task.outputs else [task.inputs.get(name)]
            shown = [np.ravel(array)[: len(numbers)].tolist() for array in known if array is not None]
            if shown:
                assert numbers in shown, f"{exercise.id}: {name}"
