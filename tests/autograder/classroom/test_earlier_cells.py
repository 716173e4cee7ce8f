"""A cell that cannot be taken costs its own points: whoever calls it is given the course's own, and told so."""

import nbformat
import pytest

from autograder.classroom import course
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.judging import judged
from autograder.classroom.reading.answers import read_answers
from autograder.classroom.wire import Task
from autograder.machine.course_home import PACKAGES
from autograder.outcome import Passed

UNIT = "01_vector_add"
SOLVED = PACKAGES / "solutions" / UNIT / f"{UNIT}.ipynb"
pytestmark = pytest.mark.skipif(not SOLVED.exists(), reason="course not built")

AWKWARD = {
    "a space that is none": lambda text: text.replace("    i =", "\u00a0\u00a0\u00a0\u00a0i ="),
    "another cell's magic": lambda text: "%%html\n<p>mine</p>",
    "a lambda": lambda text: "vector_add = cuda.jit(lambda a, b, out: None)\n",
    "deleted again": lambda text: text + "\ndel vector_add\n",
    "too long": lambda text: text + "#" * 300_000,
    "an endless sum": lambda text: text.replace("a[i] + b[i]", "a[i] + b[i]" + " + 0 * a[i]" * 3000),
    "no cell at all": None,
}


def answers(change):
    """The answers of a class's solved notebook with its first kernel's cell changed, by function."""
    notebook = nbformat.read(SOLVED, as_version=4)
    cells = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "vector_add"]
    for cell in cells:
        if change is None:
            notebook.cells.remove(cell)
        else:
            cell.source = change(cell.source)
    return {one.exercise.function: one for one in read_answers(notebook, course.unit(UNIT))}


@pytest.mark.parametrize("change", AWKWARD.values(), ids=AWKWARD)
def test_who_calls_it_has_the_courses_own_in_its_place_and_is_told(change):
    found = answers(change)
    own = course.unit(UNIT).solutions["vector_add"]

    assert found["vector_add"].refused and found["vector_add"].program is None
    assert own in [piece.source for piece in found["add_on_device"].program.setup]
    assert "`vector_add`, whose cell cannot be read in class" in found["add_on_device"].notes[0]
    assert () == found["blocks_for"].notes


def test_two_different_cells_of_one_answer_cost_that_answer_alone():
    notebook = nbformat.read(SOLVED, as_version=4)
    cell = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "vector_add")
    notebook.cells.append(nbformat.v4.new_code_cell(cell.source + "\nX = 1", metadata=cell.metadata))

    refused = [one.exercise.function for one in read_answers(notebook, course.unit(UNIT)) if one.refused]

    assert ["vector_add"] == refused


def test_a_cell_that_only_holds_its_stub_is_no_such_cell():
    found = answers(lambda text: "@cuda.jit\ndef vector_add(a, b, out):\n    raise NotImplementedError()\n")

    assert () == found["add_on_device"].notes


@pytest.mark.slow
@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
def test_and_earns_all_its_points():
    asked = answers(AWKWARD["a lambda"])["add_on_device"]

    assert Passed is type(judged(Task(asked.exercise.id, asked.program, asked.host, secret="x")))
