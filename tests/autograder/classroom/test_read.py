from dataclasses import replace

import pytest

from autograder.classroom.pages import verdict
from autograder.classroom.reading.answers import read_answers
from tests.autograder.classroom.conftest import RIGHT, code, notebook


def test_each_exercise_gets_the_cell_that_the_unit_names(unit):
    answers = read_answers(notebook(scale=RIGHT), unit)

    assert ["tiny.scale", "tiny.scale_twice"] == [answer.exercise.id for answer in answers]
    assert RIGHT == answers[0].program.source
    assert ["90_tiny.ipynb:setup"] == [piece.filename for piece in answers[0].program.setup]


def test_the_setup_of_a_program_is_the_units_own_not_the_submissions(unit):
    handed_in = notebook(scale=RIGHT)
    handed_in.cells[1].source = "import os; os.abort()"

    assert unit.setup == read_answers(handed_in, unit)[0].program.setup


def test_an_answer_may_call_what_an_earlier_exercise_defines(unit):
    helper = "GAIN = 2\n\n@cuda.jit(device=True)\ndef twice(x):\n    return GAIN * x\n\n" + RIGHT
    use = RIGHT.replace("scale", "scale_twice").replace("factor * src[i]", "twice(factor * src[i])")

    answer = read_answers(notebook(scale=helper, scale_twice=use), unit)[1]

    assert "" == answer.refused
    assert "def twice(x):" in answer.program.setup[-1].source
    assert "def scale(" not in answer.program.setup[-1].source


def test_a_helper_in_another_cell_is_named_with_the_way_out(unit):
    handed_in = notebook(scale=RIGHT.replace("factor *", "helper(factor) *"))
    handed_in.cells.append(code("@cuda.jit(device=True)\ndef helper(x):\n    return x\n"))

    answer = read_answers(handed_in, unit)[0]

    assert "move `helper` into it" in answer.refused
    assert answer.program is None


def test_a_deleted_answer_and_a_deleted_check_are_both_noticed(unit):
    handed_in = notebook(scale=RIGHT)
    del handed_in.cells[2:4]

    answer = read_answers(handed_in, unit)[0]

    assert "was deleted" in answer.refused
    assert answer.has_check is False


@pytest.mark.parametrize("copies", [0, 2])
def test_where_no_one_cell_answers_the_student_is_told_what_to_do_about_that_and_not_what_a_cell_may_hold(unit, copies):
    handed_in = notebook(scale=RIGHT)
    if copies:
        handed_in.cells.append(code(RIGHT + "\n# again", "scale", solution=True))
    else:
        handed_in.cells[2].metadata["nbgrader"]["grade_id"] = 7

    said = verdict.refused_outcome(read_answers(handed_in, unit)[0])

    assert "hand in again" in said.causes[0].remedy and "imports" not in str(said)
    assert said.misconception == ""


def test_two_different_answers_to_one_exercise_are_ambiguous(unit):
    handed_in = notebook(scale=RIGHT)
    handed_in.cells.append(code(RIGHT + "\n# again", "scale", solution=True))

    assert "2 different cells" in read_answers(handed_in, unit)[0].refused


def test_a_copy_of_an_answer_or_a_stub_left_beside_it_is_not_ambiguous(unit):
    handed_in = notebook(scale=RIGHT)
    handed_in.cells.append(code(RIGHT, "scale", solution=True))
    handed_in.cells.append(code("@cuda.jit\ndef scale(factor, src, dst):\n    raise NotImplementedError()\n", "scale"))

    assert "" == read_answers(handed_in, unit)[0].refused


def test_grade_ids_that_are_no_text_are_ignored(unit):
    handed_in = notebook(scale=RIGHT)
    handed_in.cells.append(code("x = 1"))
    handed_in.cells[-1].metadata["nbgrader"] = ["scale"]
    handed_in.cells.append(code("x = 1"))
    handed_in.cells[-1].metadata["nbgrader"] = {"grade_id": {"a": 1}}

    assert "" == read_answers(handed_in, unit)[0].refused


def test_commands_in_the_cell_of_a_host_function_are_left_out_and_listed(unit):
    host = replace(unit, exercises=(replace(unit.exercises[0], kind="host"), unit.exercises[1]))

    answer = read_answers(notebook(scale="%%time\n" + RIGHT), host)[0]

    assert "\n" + RIGHT == answer.program.source
    assert ["%%time"] == [left.text for left in answer.not_run]


def test_what_is_too_long_is_told_to_be_written_shorter_and_not_to_leave_out_what_is_allowed(unit):
    long = "".join(f"    dst[i + {n}] = factor * src[i] + {n} * (src[i] - {n})\n" for n in range(1500))
    text = "@cuda.jit\ndef scale(factor, src, dst):\n    i = cuda.grid(1)\n" + long

    answer = read_answers(notebook(scale=text), unit)[0]

    assert "more than 20,000 names, numbers and signs" in answer.refused
    assert "shorter" in verdict.refused_outcome(answer).causes[0].remedy
