"""What is committed is what the sources give, and solved notebooks say where their outputs come from."""

from __future__ import annotations

import json
import re

import pytest

from autograder import exercises
from autograder.diagnosis import recorded_work
from tests.course.released import ROOT, UNITS, code_cells, notebook
from tools import record_work
from tools.build_notebooks import differences, was_run

MACHINE_PATH = re.compile(r"/(?:work|tmp|root|home|Users)/[\w.-]+")

UNITS_WITH_WORK = sorted({one.unit for one in exercises.all_exercises() if recorded_work.measured_cases(one)})

every_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)


def test_course_and_solved_notebooks_are_what_their_sources_give():
    assert [] == differences(ROOT), "run `make course`, and commit what it builds"


@pytest.mark.parametrize("unit", UNITS_WITH_WORK)
def test_the_work_on_record_is_that_of_the_solutions(unit):
    """Of one exercise a unit, and that all are there; `make check-generated` compares all."""
    on_record = json.loads(record_work.path_of(unit).read_text())
    measured = [exercise for exercise in exercises.of_unit(unit) if recorded_work.measured_cases(exercise)]
    one = measured[len(measured) // 2]

    assert list(on_record) == [exercise.id for exercise in measured]
    assert on_record[one.id] == json.loads(json.dumps(record_work.record_of(one))), "run python -m tools.record_work"


@every_unit
def test_recorded_outputs_name_their_device_and_date(unit):
    solved = notebook("solutions", unit.id)

    assert was_run(solved) == ("warpbook" in solved.metadata)
    if was_run(solved):
        assert {"device", "date"} == set(solved.metadata["warpbook"])


@every_unit
def test_every_recorded_output_has_a_stamp_that_says_what_it_is_of(unit):
    shown = [cell for cell in code_cells("solutions", unit.id) if cell.outputs]

    assert [] == [cell.id for cell in shown if not {"cells", "date"} <= set(cell.metadata.get("warpbook", ()))]


@every_unit
def test_recorded_outputs_hold_no_error_and_no_path_of_the_machine(unit):
    for cell in code_cells("solutions", unit.id):
        assert "error" not in [output.output_type for output in cell.outputs], cell.id
        assert [] == MACHINE_PATH.findall(json.dumps(cell.outputs)), cell.id
