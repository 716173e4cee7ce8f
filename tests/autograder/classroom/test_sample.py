"""The sample class, and what real answers look like to the judge: read, or refused where the catalogue says so."""

import copy

import nbformat
import pytest

from autograder import exercises
from autograder.classroom import course
from autograder.classroom.demo import hostile, students
from autograder.classroom.demo.students import cells_by_id
from autograder.classroom.reading.answers import read_answers
from autograder.exercises.answer_cells import cell_of
from autograder.exercises.catalogue import answers_for
from autograder.machine.course_home import PACKAGES

UNITS = [name for name in exercises.units() if (PACKAGES / "solutions" / name / f"{name}.ipynb").is_file()]


def the(unit: str):
    """A unit, its solved notebook and its release."""
    solved = nbformat.read(course.notebook_of(unit), as_version=4)
    released = nbformat.read(PACKAGES / "course" / unit / f"{unit}.ipynb", as_version=4)
    return course.unit(unit), solved, released


@pytest.mark.parametrize("unit", UNITS)
def test_every_solution_is_read_and_none_is_refused(unit):
    contract, solved, _ = the(unit)

    answers = read_answers(solved, contract)

    assert [] == [(answer.exercise.id, answer.refused) for answer in answers if answer.refused]
    assert [] == [answer.exercise.id for answer in answers if not answer.has_check]


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.release)])
@pytest.mark.parametrize("unit", UNITS)
def test_every_answer_that_people_write_is_read_unless_the_catalogue_says_what_a_class_refuses(unit, step):
    contract, solved, _ = the(unit)
    setup = [piece.source for piece in contract.setup]
    surprises = []
    for place, exercise in enumerate(contract.exercises):
        for answer in answers_for(exercise)[place % step :: step]:
            handed_in = copy.deepcopy(solved)
            cells_by_id(handed_in)[exercise.function].source = cell_of(answer, setup)
            found = read_answers(handed_in, contract)[place]
            as_said = answer.class_refuses in found.refused if answer.class_refuses else not found.refused
            if not as_said or found.review:
                surprises.append((exercise.id, answer.name, found.refused or found.review or "taken"))

    assert [] == surprises


@pytest.mark.parametrize("unit", UNITS)
def test_each_student_hands_in_what_they_stand_for(unit):
    contract, solved, released = the(unit)
    stubs = [cells_by_id(released)[exercise.function].source for exercise in contract.exercises]

    sources = {}
    for student in students.CLASS:
        handed_in = students.submission(student, contract, released, solved)
        sources[student.about] = [cells_by_id(handed_in)[e.function].source for e in contract.exercises]

    assert stubs == sources["untouched"]
    assert stubs[len(stubs) // 2 :] == sources["half done"][len(stubs) // 2 :]
    assert not set(stubs) & set(sources["all right"])
    if any(answers_for(exercise) for exercise in contract.exercises):
        assert sources["right but slow"] != sources["all right"]
        assert sources["wrong in three ways"] != sources["all right"]


@pytest.mark.parametrize("unit", UNITS[:1])
def test_the_hostile_notebook_is_a_notebook_with_an_attack_on_every_exercise(unit, tmp_path):
    contract, _, released = the(unit)

    attack = hostile.submission(contract, released, course.notebook_of(unit), tmp_path)

    nbformat.validate(attack)
    cells = cells_by_id(attack)
    assert "" not in [cells[exercise.function].source for exercise in contract.exercises]
    assert {"1000.0"} == {cells[course.check_cell(exercise)].source for exercise in contract.exercises}


def test_names_are_invented_and_all_different():
    names = [student.id for student in students.CLASS] + [hostile.ID]

    assert 6 == len(set(names))
