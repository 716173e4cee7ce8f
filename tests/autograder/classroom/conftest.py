"""A unit of two exercises, small enough to read, for everything in a classroom that needs no judge."""

from pathlib import Path

import nbformat
import numpy as np
import pytest

from autograder.answer.program import Piece
from autograder.classroom import course, workers
from autograder.classroom.course import Unit
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.wire import Reply, Task
from autograder.contract import Argument, Case, Exercise, Hint
from autograder.outcome import Passed

SETUP = """import math

import numpy as np
from numba import cuda, float32

from autograder import exercise

TILE = 32
"""
STUB = "@cuda.jit\ndef scale(factor, src, dst):\n    # about 3 lines\n    raise NotImplementedError()\n"
RELEASED = "01_vector_add"
RIGHT = """@cuda.jit
def scale(factor, src, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = factor * src[i]
"""


def _exercise(function: str, uses: tuple[str, ...] = ()) -> Exercise:
    return Exercise(
        id=f"tiny.{function}",
        unit="90_tiny",
        title=f"The rung {function}",
        task="Multiply. Then stop.",
        function=function,
        arguments=(
            Argument("factor", "scalar", "float32"),
            Argument("src", "in", "float32", "(n,)"),
            Argument("dst", "out", "float32", "(n,)"),
        ),
        make=lambda sizes, values, rng: {
            "factor": np.float32(3),
            "src": rng.integers(-8, 9, sizes["n"]).astype(np.float32),
            "dst": np.zeros(sizes["n"], np.float32),
        },
        oracle=lambda values: {"dst": values["factor"] * values["src"]},
        cases=tuple(Case({"n": n}) for n in (1, 33, 257)),
        points=4.0,
        hints=(Hint("start", ("Which element is yours?",)),),
        topics=("A2",),
        launch=lambda values: (-(-values["dst"].size // 64), 64),
        uses=uses,
    )


def tiny_unit() -> Unit:
    """The unit itself, where a fixture for one test is too short-lived."""
    exercises = (_exercise("scale"), _exercise("scale_twice", ("tiny.scale",)))
    return Unit("90_tiny", Path("90_tiny.ipynb"), exercises, (Piece(SETUP, "90_tiny.ipynb:setup", trusted=True),))


@pytest.fixture
def unit() -> Unit:
    return tiny_unit()


def code(source: str, grade_id: str = "", *, grade: bool = False, solution: bool = False, points: float = 4):
    """A code cell with nbgrader's metadata, schema 3."""
    cell = nbformat.v4.new_code_cell(source)
    if grade_id:
        known = {"grade_id": grade_id, "grade": grade, "solution": solution, "locked": grade, "task": False}
        cell.metadata["nbgrader"] = {**known, "schema_version": 3, **({"points": points} if grade else {})}
    return cell


def notebook(**answers: str):
    """A submission of the tiny unit: a source per exercise, the stub where none is given."""
    cells = [nbformat.v4.new_markdown_cell("# Tiny"), code(SETUP)]
    for function in ("scale", "scale_twice"):
        cells.append(code(answers.get(function, STUB.replace("scale", function)), function, solution=True))
        cells.append(code(f"q.check({function}).points", f"{function}_check", grade=True))
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture
def hand_in(tmp_path, unit, monkeypatch):
    """A folder of submissions of the tiny unit, and a judge that finds every program right."""
    monkeypatch.setattr(course, "unit", lambda name: unit)
    monkeypatch.setattr(course, "units", lambda: (unit.id,))
    monkeypatch.setattr(jail, "unavailable", lambda: "")
    judged = []

    def answers(tasks, scheduler="", n_workers=None, certificates=""):
        for key, task in tasks.items():
            judged.append(Task.from_bytes(task).program.source)
            yield workers.Answer(key, Reply(Passed("tiny.scale", 4.0, 4.0, "scale: right")).to_bytes())

    monkeypatch.setattr(workers, "answers", answers)

    def put(student: str, **sources: str):
        folder = tmp_path / "in" / student / "90_tiny"
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook(**sources), folder / "90_tiny.ipynb")

    put.root, put.judged, put.out = tmp_path / "in", judged, tmp_path / "out"
    return put


@pytest.fixture(scope="session")
def released(tmp_path_factory):
    """A course of nbgrader's with one unit released, to copy from: releasing takes longer than most tests."""
    from autograder.classroom.demo.nbgrader_course import NbgraderCourse

    nbgrader = NbgraderCourse(tmp_path_factory.mktemp("course"))
    nbgrader.create()
    list(nbgrader.release([RELEASED]))
    return nbgrader
