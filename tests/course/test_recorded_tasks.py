"""What solved notebooks show of a task is what is drawn today: a picture outlives the code that drew it unnoticed."""

from __future__ import annotations

import ast
import re

import pytest

from autograder import exercises
from autograder.classroom.for_nbgrader.recording_note import RECORD
from autograder.notebook import display, task
from autograder.notebook.tasks import calls
from autograder.notebook.tasks import figure as task_figure
from tests.course.released import GRADED, UNITS, notebook
from tools.parts.task_cells import lacks_outputs, task_cells

ASKED = re.compile(r'q = exercise\("([\w.]+)"\)')
MEND = "python -m tools.record_outputs --tasks draws it anew, on any machine"

SHOWN_BY_THE_TEXT = (
    "engine_kernels.time_kernels",  # a device is nothing to draw
)


def said(cell) -> str:
    """All that a cell's outputs say as text."""
    return "\n".join(output.get("data", {}).get("text/plain", "") for output in cell.outputs)


def shown_of(asked) -> str:
    """What q.show() says today of a task, in a picture or in a table."""
    if asked.calls:
        return calls.words(asked)
    known = task.task_of(asked)
    return task_figure.words(known) if known else display.table_forms(*task.table_of(asked))[0]


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_the_recorded_picture_of_a_task_is_the_one_that_is_drawn_today(unit):
    solved = notebook("solutions", unit.id)
    cells = [(cell, source) for cell, source in task_cells(solved) if "q.show()" in source]
    old = [
        asked
        for cell, source in cells
        for asked in ASKED.findall(source)[-1:]
        if shown_of(exercises.find(asked)) not in said(cell)
    ]

    assert RECORD in solved.metadata and cells and [] == old, MEND


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_every_exercise_of_arrays_or_numbers_is_shown_before_its_answer(unit):
    named, shown, missing = "", set(), []
    for cell in notebook("solutions", unit.id).cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.id not in shown:
            missing.append(cell.id)
        for asked in ASKED.findall(cell.source) if cell.cell_type == "code" else ():
            named = asked.partition(".")[2]
        if cell.cell_type == "code" and ".show(" in cell.source:
            shown.add(named)

    assert [] == [name for name in missing if f"{unit.id.partition('_')[2]}.{name}" not in SHOWN_BY_THE_TEXT]


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_a_cell_that_shows_a_task_does_so_after_a_draft_was_checked_or_stepped_through(unit):
    ours, of_a_kernel, busy = {cell.id for cell, _ in task_cells(notebook("solutions", unit.id))}, False, []
    for cell in notebook("solutions", unit.id).cells:
        of_a_kernel = of_a_kernel and not ASKED.search(cell.source)
        busy += [cell.id] * (of_a_kernel and cell.id in ours and "q.show()" in cell.source)
        of_a_kernel = of_a_kernel or re.search(r"q\.(check|step|show)\(\w", cell.source) is not None

    assert [] == busy, "q.show() draws what that kernel does: name the exercise again in front of it"


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_every_prediction_of_a_solved_notebook_is_noted(unit):
    cells = [cell for cell, source in task_cells(notebook("solutions", unit.id)) if "q.predict(" in source]

    assert cells and [] == [cell.id for cell in cells if "Noted: " not in said(cell)], MEND


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_a_cell_that_steps_or_draws_shows_it_wherever_in_the_cell_it_does(unit):
    cells = [cell for cell in notebook("solutions", unit.id).cells if re.search(r"\.(step|show)\(", cell.source)]
    shown = re.compile(r"image/png|jupyter\.widget|has no picture of its task")
    bare = [cell.id for cell in cells if cell.cell_type == "code" and not shown.search(str(cell.outputs))]

    assert cells and [] == bare


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_a_recorded_check_is_of_a_gpu_and_says_why_the_answer_is_right(unit):
    checks = {cell.id: said(cell) for cell in notebook("solutions", unit.id).cells if cell.id.endswith("_check")}
    of_unit = exercises.of_unit(unit.id)
    on_host = {f"{one.function}_check" for one in of_unit if one.on_host}  # launches nothing: a GPU adds nothing

    of_no_gpu = {name for name, text in checks.items() if "right on the GPU" not in text}

    assert checks and set() == of_no_gpu - on_host, "record these checks again, on a GPU"
    assert [] == [name for name, text in checks.items() if "\nWhy: " not in text]


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_every_unit_steps_through_a_kernel_once(unit):
    assert any(".step(" in cell.source for cell in notebook("solutions", unit.id).cells if cell.cell_type == "code")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_no_cell_of_a_recorded_notebook_has_lost_what_it_shows(unit):
    bare = [cell.id for cell in notebook("solutions", unit.id).cells if lacks_outputs(cell)]

    assert [] == bare, "python -m tools.record_outputs --missing fills them in; a GPU records what is timed"


def predicted(source: str) -> list[str]:
    """What a cell predicts, as the table of its check shows it."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    said = [ast.literal_eval(k.value) for c in calls if getattr(c.func, "attr", "") == "predict" for k in c.keywords]
    return [f"{one:,.2f}" if isinstance(one, float) else f"{one:,}" if isinstance(one, int) else one for one in said]


@pytest.mark.parametrize("unit", GRADED, ids=lambda unit: unit.id)
def test_the_recorded_check_of_a_prediction_tells_of_that_prediction(unit):
    cells = {cell.id: cell for cell in notebook("solutions", unit.id).cells}
    other = [
        (name, one)
        for name, cell in cells.items()
        if name.endswith("_predict")
        for one in predicted(cell.source)
        if not re.search(rf"^{re.escape(one)} ", said(cells[name.replace("_predict", "_check")]), re.MULTILINE)
    ]

    assert [] == other, "record these checks again"
