"""A sample class graded on a real GPU, without nbgrader: what is right earns everything, speed points included."""

import csv

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed: this class hands in notebooks")

from autograder.classroom import course
from autograder.classroom.demo import hostile, students
from autograder.classroom.grade import Options, grade_class
from autograder.classroom.jail import namespaces as jail
from autograder.machine.course_home import PACKAGES

pytestmark = pytest.mark.gpu
UNITS = ("01_vector_add", "06_reductions")
RIGHT, UNTOUCHED = "amara.okafor", "emil.lindqvist"
HARM = "harm"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder that holds the gradebook of six students in two units, and the summary of grading them."""
    root = tmp_path_factory.mktemp("class")
    (root / HARM).mkdir()
    for unit in map(course.unit, UNITS):
        solution = course.notebook_of(unit.id)
        released = nbformat.read(PACKAGES / "course" / unit.id / f"{unit.id}.ipynb", as_version=4)
        solved = nbformat.read(solution, as_version=4)
        for student in students.CLASS:
            folder = root / "in" / student.id / unit.id
            folder.mkdir(parents=True)
            handed_in = students.submission(student, unit, released, solved)
            nbformat.write(handed_in, folder / f"{unit.id}.ipynb")
        attack = hostile.submission(unit, released, solution, root / HARM)
        hostile.hand_in(root / "in" / hostile.ID / unit.id, unit, attack, solution)
    summary, text = grade_class(root / "in", root / "out", options=Options(n_workers=4))
    print(text)
    return root, summary


@pytest.fixture(scope="module")
def rows(graded):
    """The rows of the gradebook's CSV."""
    with open(graded[0] / "out" / "gradebook.csv", newline="") as file:
        return list(csv.DictReader(file))


def of(rows, student):
    found = [row for row in rows if row["student"].lstrip("'") == student]
    assert found
    return found


def judged_here(rows):
    """Without host functions where this machine offers no jail: nothing else judges them."""
    host = {e.id for unit in UNITS for e in course.unit(unit).exercises if e.kind == "host"}
    return [row for row in rows if not (jail.unavailable() and row["exercise"] in host)]


def test_right_answers_earn_all_points(rows):
    found = judged_here(of(rows, RIGHT))

    assert {"right"} == {row["status"] for row in found}
    assert [float(row["max_points"]) for row in found] == [float(row["points"]) for row in found]


def test_right_answers_earn_all_speed_points(rows):
    found = [row for row in judged_here(of(rows, RIGHT)) if float(row["max_speed_points"])]

    assert {"graded"} == {row["speed"] for row in found}
    assert [float(row["max_points_here"]) for row in found] == [float(row["points_here"]) for row in found]


@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
@pytest.mark.parametrize("exercise", ["reductions.device_sum", "reductions.axis_sums"])
def test_a_host_function_earns_speed_points_by_its_recorded_launches(rows, exercise):
    (found,) = [row for row in of(rows, RIGHT) if row["exercise"] == exercise]

    assert float(found["max_speed_points"]) == float(found["speed_points"])


@pytest.mark.parametrize("student", [hostile.ID, UNTOUCHED])
def test_hostile_and_untouched_notebooks_earn_nothing(rows, student):
    assert {0.0} == {float(row["points_here"]) for row in of(rows, student)}


def test_what_is_wrong_or_slow_earns_less_than_what_is_right(rows):
    totals = {
        student.id: sum(float(row["points_here"]) for row in judged_here(of(rows, student.id)))
        for student in students.CLASS
    }

    assert all(total < totals[RIGHT] for name, total in totals.items() if name != RIGHT)


def test_nothing_of_the_hostile_code_ran(graded):
    assert [] == list((graded[0] / HARM).iterdir())


@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
def test_every_answer_was_judged(graded):
    assert {} == graded[1]["failed"]
