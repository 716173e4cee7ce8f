"""A unit's source that breaks a rule is refused with the file, the cell and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.tiny_course import FIXTURES, SCALE
from tools.parts.notebook_source import SourceError, read_source

SOURCE = (FIXTURES / "solutions" / "01_scale" / "01_scale.py").read_text()


def refusal(tmp_path: Path, source: str, exercises: tuple = (SCALE,)) -> str:
    """The message with which a source is refused."""
    path = tmp_path / "01_scale.py"
    path.write_text(source)
    with pytest.raises(SourceError) as caught:
        read_source(path, exercises)
    return str(caught.value)


def test_a_role_for_an_unknown_exercise_is_refused_with_the_known_ones(tmp_path):
    said = refusal(tmp_path, SOURCE.replace('check="scale"', 'check="scael"'))

    assert "'scael', which no exercise of the unit is called. Known: scale." in said
    assert "cell 5 (q.check(scale).points)" in said


def test_a_check_cell_that_does_not_end_in_points_is_refused(tmp_path):
    said = refusal(tmp_path, SOURCE.replace("q.check(scale).points", "q.check(scale)"))

    assert "must end with the line: q.check(scale).points" in said


def test_an_answer_outside_a_solution_region_is_refused(tmp_path):
    said = refusal(tmp_path, SOURCE.replace("    ### END SOLUTION\n", ""))

    assert "needs '### BEGIN SOLUTION' and '### END SOLUTION' around the answer" in said


def test_an_exercise_without_a_check_cell_is_refused(tmp_path):
    said = refusal(tmp_path, SOURCE.replace('# %% check="scale"', "# %%"))

    assert "scale.scale has no cell scale_check" in said


def test_a_second_cell_with_the_same_role_is_refused(tmp_path):
    said = refusal(tmp_path, SOURCE + '\n# %% race="scale"\nq.race(scale).points\n')

    assert "scale_race appears twice" in said
