"""What is committed is what the sources give, and solved notebooks say where their outputs come from."""

from __future__ import annotations

import json
import re

import pytest

from tests.course.released import ROOT, UNITS, code_cells, notebook
from tools import record_work
from tools.build_notebooks import differences, was_run

MACHINE_PATH = re.compile(r"/(?:work|tmp|root|home|Users)/[\w.-]+")

every_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)


def test_course_and_solved_notebooks_are_what_their_sources_give():
    assert [] == differences(ROOT), "run `make course`, and commit what it builds"


def test_the_work_on_record_is_that_of_the_solutions():
    assert 0 == record_work.main(["--check"]), "run `python -m tools.record_work`, and commit what it writes"


@every_unit
def test_recorded_outputs_name_their_device_and_date(unit):
    solved = notebook("solutions", unit.id)

    assert was_run(solved) == ("warpbook" in solved.metadata)
    if was_run(solved):
        assert {"device", "date"} == set(solved.metadata["warpbook"])


@every_unit
def test_recorded_outputs_hold_no_error_and_no_path_of_the_machine(unit):
    for cell in code_cells("solutions", unit.id):
        assert "error" not in [output.output_type for output in cell.outputs], cell.id
        assert [] == MACHINE_PATH.findall(json.dumps(cell.outputs)), cell.id
