"""Every attack is handed in like any notebook; none may gain points it did not earn, or touch anything."""

import hashlib

import nbformat
import pytest

from autograder.classroom import course, jail
from autograder.classroom.grade import judge_submission
from autograder.classroom.receive import receive
from autograder.classroom.sample.students import cells_by_id
from tests.redteam.attacks import HOST, KERNELS, PLAIN

UNIT = "01_vector_add"
SECRET = "the words that nobody may read"


def judged(tmp_path, function: str, source: str) -> dict:
    """The entry of one exercise in the verdict on a notebook with this answer."""
    released = nbformat.read(course.notebook_of(UNIT), as_version=4)
    for exercise in course.unit(UNIT).exercises:  # every other answer is gone, so that nothing else is judged
        cells_by_id(released)[exercise.function].source = ""
    if function == "add_on_device":
        cells_by_id(released)["vector_add"].source = PLAIN
        cells_by_id(released)[
            "blocks_for"
        ].source = "def blocks_for(n, threads):\n    return max(1, -(-n // threads))\n"
    cells_by_id(released)[function].source = source
    folder = tmp_path / "mallory" / UNIT
    folder.mkdir(parents=True)
    nbformat.write(released, folder / f"{UNIT}.ipynb")
    verdict = judge_submission(receive(tmp_path, "mallory", UNIT, f"{UNIT}.ipynb"))
    return next(entry for entry in verdict["exercises"] if entry["function"] == function)


@pytest.fixture
def places(tmp_path):
    """A file that must not appear, a file that must not be read, and a database that must not change."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "gradebook.db").write_text("grades")
    before = hashlib.sha256((tmp_path / "gradebook.db").read_bytes()).hexdigest()
    yield {"witness": str(tmp_path / "witness"), "secret": str(tmp_path / "secret.txt")}
    assert not (tmp_path / "witness").exists()
    assert before == hashlib.sha256((tmp_path / "gradebook.db").read_bytes()).hexdigest()


@pytest.mark.parametrize("attack", KERNELS, ids=lambda attack: f"row_{attack.row}_{attack.name}")
def test_a_hostile_kernel_cell_earns_only_what_its_kernel_computes(tmp_path, places, attack):
    entry = judged(tmp_path, "vector_add", attack.source.format(**places))

    assert entry["points"] <= attack.earns
    assert SECRET not in str(entry)
    if attack.earns == 2.0:
        assert "Passed" == entry["status"]


@pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
@pytest.mark.parametrize("attack", HOST, ids=lambda attack: f"row_{attack.row}_{attack.name}")
def test_a_hostile_host_function_earns_nothing_and_leaves_nothing(tmp_path, places, attack, monkeypatch):
    monkeypatch.setattr("autograder.classroom.jailed.SECONDS", 8.0)

    entry = judged(tmp_path, "add_on_device", attack.source.format(**places))

    assert 0.0 == entry["points"]
    assert SECRET not in str(entry)


def test_the_list_covers_what_it_should():
    assert len(KERNELS) + len(HOST) >= 20
    assert len({attack.row for attack in (*KERNELS, *HOST)}) >= 20
