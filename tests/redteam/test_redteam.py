"""Every attack is handed in like any notebook; none may gain points it did not earn, or touch anything."""

import hashlib

import nbformat
import pytest

from autograder.answer.program import Piece, Program
from autograder.classroom import course, judging
from autograder.classroom.grade import judge_submission
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.receive import HandedIn
from autograder.classroom.wire import Task
from tests.redteam.attacks import HOST, KERNELS, PLAIN
from tests.redteam.escapes import OUTSIDE, WITHOUT_A_KERNEL
from tools.demo.students import cells_by_id

UNIT = "01_vector_add"
needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
BLOCKS = "def blocks_for(n, threads):\n    return max(1, -(-n // threads))\n"
SECRET = "the words that nobody may read"


def judged(tmp_path, function: str, source: str) -> dict:
    """The entry of one exercise in the verdict on a notebook with this answer."""
    released = nbformat.read(course.notebook_of(UNIT), as_version=4)
    for exercise in course.unit(UNIT).exercises:  # every other answer is gone, so that nothing else is judged
        cells_by_id(released)[exercise.function].source = ""
    cells_by_id(released)[function].source = source
    folder = tmp_path / "mallory" / UNIT
    folder.mkdir(parents=True)
    nbformat.write(released, folder / f"{UNIT}.ipynb")
    verdict = judge_submission(HandedIn(tmp_path, "mallory", UNIT, f"{UNIT}.ipynb"))
    return next(entry for entry in verdict["exercises"] if entry["function"] == function)


def judged_in_the_jail(source: str):
    """The outcome of add_on_device with this cell, on top of a right kernel."""
    setup = (*course.unit(UNIT).setup, Piece(PLAIN, "01:vector_add"), Piece(BLOCKS, "01:blocks_for"))
    return judging.judged(Task("vector_add.add_on_device", Program(source, "add_on_device", "01", 1, setup), host=True))


@pytest.fixture
def places(tmp_path):
    """A file that must not appear, a file that must not be read, and a database that must not change."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "gradebook.db").write_text("grades")
    before = hashlib.sha256((tmp_path / "gradebook.db").read_bytes()).hexdigest()
    yield {"witness": str(tmp_path / "witness"), "secret": str(tmp_path / "secret.txt")}
    assert not (tmp_path / "witness").exists()
    assert before == hashlib.sha256((tmp_path / "gradebook.db").read_bytes()).hexdigest()


@needs_jail
@pytest.mark.parametrize("attack", KERNELS, ids=lambda attack: f"row_{attack.row}_{attack.name}")
def test_a_hostile_kernel_cell_earns_only_what_its_kernel_computes(tmp_path, places, attack):
    entry = judged(tmp_path, "vector_add", attack.source.format(**places))

    assert entry["points"] <= attack.earns
    assert SECRET not in str(entry)
    if attack.earns == 2.0:
        assert "Passed" == entry["status"]


@needs_jail
@pytest.mark.parametrize("attack", HOST, ids=lambda attack: f"row_{attack.row}_{attack.name}")
def test_a_hostile_host_function_earns_nothing_and_leaves_nothing(places, attack, monkeypatch):
    monkeypatch.setattr("autograder.classroom.jail.host_functions.SECONDS", 8.0)

    outcome = judged_in_the_jail(attack.source.format(**places))

    assert 0.0 == outcome.points
    assert SECRET not in str(outcome.to_json())


@needs_jail
@pytest.mark.parametrize("attack", OUTSIDE, ids=lambda attack: attack.name)
def test_what_leads_from_a_plan_to_code_outside_the_jail_runs_nothing_there(places, attack, monkeypatch):
    monkeypatch.setattr("autograder.classroom.jail.host_functions.SECONDS", 8.0)

    outcome = judged_in_the_jail(attack.source.format(**places))

    assert 0.0 == outcome.points
    assert outcome.status in ("Wrong", "Crashed", "TimedOut")


@needs_jail
@pytest.mark.parametrize("attack", WITHOUT_A_KERNEL, ids=lambda attack: attack.name)
def test_a_sum_that_numpy_made_of_what_the_judge_copied_back_earns_nothing(attack):
    outcome = judged_in_the_jail(attack.source)

    assert outcome.points <= attack.earns
    assert not outcome.passed


def test_the_list_covers_what_it_should():
    assert len(KERNELS) + len(HOST) >= 20
    assert len({attack.row for attack in (*KERNELS, *HOST)}) >= 20
