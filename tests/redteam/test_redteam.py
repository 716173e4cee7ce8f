"""Every attack is handed in like any notebook; none may gain points it did not earn, or touch anything."""

import json
from operator import attrgetter
from pathlib import Path

import nbformat
import pytest

from autograder import exercises
from autograder.answer.program import Piece, Program
from autograder.classroom import course, judging
from autograder.classroom.demo.students import cells_by_id
from autograder.classroom.grade import fresh_seed
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.reading.inbox import HandedIn
from autograder.classroom.reading.reader import read_all
from autograder.classroom.under_way import UnderWay
from autograder.classroom.wire import Task
from autograder.exercises.catalogue import answers_for
from tests.part import a_part
from tests.redteam import tricks
from tests.redteam.attacks import HOST, KERNELS, PLAIN
from tests.redteam.claims import CLAIMS
from tests.redteam.escapes import OUTSIDE, WITHOUT_A_KERNEL
from tests.redteam.on_gpu import ON_GPU
from tests.redteam.rows import CATALOGUED, N_ROWS, NOT_HERE, TESTED
from tests.redteam.test_sealed import FORGED

TESTS = Path(__file__).parents[1]
UNIT = "01_vector_add"
needs_jail = pytest.mark.skipif(bool(jail.unavailable()), reason=f"no jail here: {jail.unavailable()}")
BLOCKS = "def blocks_for(n, threads):\n    return max(1, -(-n // threads))\n"
SECRET = "the words that nobody may read"


def for_a_release(attack):
    """The same, tried by a release only."""
    return pytest.param(attack, marks=pytest.mark.release)


def named(attack) -> str:
    return f"row_{attack.row}_{attack.name}"


def hand_in(folder, student: str, function: str, source: str) -> HandedIn:
    """A student's notebook with this answer and no other."""
    released = nbformat.read(course.notebook_of(UNIT), as_version=4)
    for exercise in course.unit(UNIT).exercises:
        cells_by_id(released)[exercise.function].source = ""
    cells_by_id(released)[function].source = source
    (folder / student / UNIT).mkdir(parents=True)
    nbformat.write(released, folder / student / UNIT / f"{UNIT}.ipynb")
    return HandedIn(folder, student, UNIT, f"{UNIT}.ipynb")


def make_places(folder) -> dict[str, str]:
    """A file that must not appear, and one that must not be read, beside a database that must not change."""
    (folder / "secret.txt").write_text(SECRET)
    (folder / "gradebook.db").write_text("grades")
    return {"witness": str(folder / "witness"), "secret": str(folder / "secret.txt")}


def nothing_happened(folder) -> bool:
    return not (folder / "witness").exists() and "grades" == (folder / "gradebook.db").read_text()


@pytest.fixture(scope="module")
def attackers(tmp_path_factory, pytestconfig):
    """The hostile kernel cells that are tried, read in one go as a class is: each attack's folder of places, and its
    reading."""
    attacks = [*KERNELS, *tricks.KERNELS] if pytestconfig.getoption("--release") else KERNELS
    folders = {attack: tmp_path_factory.mktemp(attack.name) for attack in attacks}
    classroom = tmp_path_factory.mktemp("class")
    handed_in = [
        hand_in(classroom, attack.name, "vector_add", attack.source.format(**make_places(folder)))
        for attack, folder in folders.items()
    ]
    readings = {reading.submission.student: reading for reading in read_all(handed_in, course.unit, 1)}
    return {attack: (folder, readings[attack.name]) for attack, folder in folders.items()}


def judged(reading) -> dict:
    """The entry of vector_add in the verdict on a submission."""
    one = UnderWay.of(reading, fresh_seed())
    one.outcomes |= {exercise_id: judging.judged(task) for exercise_id, task in one.tasks().items()}
    return next(entry for entry in one.document()["exercises"] if entry["function"] == "vector_add")


def judged_in_the_jail(source: str):
    """The outcome of add_on_device with this cell, on top of a right kernel."""
    setup = (*course.unit(UNIT).setup, Piece(PLAIN, "01:vector_add"), Piece(BLOCKS, "01:blocks_for"))
    return judging.judged(Task("vector_add.add_on_device", Program(source, "add_on_device", "01", 1, setup), host=True))


@pytest.fixture
def places(tmp_path):
    """Of one attack: nothing of it is touched."""
    yield make_places(tmp_path)
    assert nothing_happened(tmp_path)


@needs_jail
@pytest.mark.parametrize("attack", [*KERNELS, *map(for_a_release, tricks.KERNELS)], ids=named)
def test_a_hostile_kernel_cell_earns_only_what_its_kernel_computes(attackers, attack):
    folder, reading = attackers[attack]
    entry = judged(reading)

    assert nothing_happened(folder)
    assert entry["points"] <= attack.earns
    assert SECRET not in str(entry)
    if attack.earns == 2.0:
        assert "Passed" == entry["status"]


@needs_jail
@pytest.mark.parametrize("attack", a_part(HOST, 3, named))
def test_a_hostile_host_function_earns_nothing_and_leaves_nothing(places, attack, monkeypatch):
    monkeypatch.setattr("autograder.classroom.jail.host_functions.SECONDS", 8.0)

    outcome = judged_in_the_jail(attack.source.format(**places))

    assert 0.0 == outcome.points
    assert SECRET not in str(outcome.to_json())


@needs_jail
@pytest.mark.parametrize("attack", a_part(OUTSIDE, 1, attrgetter("name"), ["a_helper_that_never_ends"]))
def test_what_leads_from_a_plan_to_code_outside_the_jail_runs_nothing_there(places, attack, monkeypatch):
    monkeypatch.setattr("autograder.classroom.jail.host_functions.SECONDS", 8.0)

    outcome = judged_in_the_jail(attack.source.format(**places))

    assert 0.0 == outcome.points
    assert outcome.status in ("Wrong", "Crashed", "TimedOut")


@needs_jail
@pytest.mark.parametrize("attack", a_part(WITHOUT_A_KERNEL, 6, attrgetter("name")))
def test_a_sum_that_numpy_made_of_what_the_judge_copied_back_earns_nothing(attack):
    outcome = judged_in_the_jail(attack.source)

    assert outcome.points <= attack.earns
    assert not outcome.passed


@needs_jail
@pytest.mark.parametrize("attack", [*map(for_a_release, (*CLAIMS, *tricks.HOST)), *tricks.GROUP], ids=named)
def test_a_function_that_owns_its_jail_has_itself_to_blame_and_says_nothing_that_harms(attack, monkeypatch):
    monkeypatch.setattr("autograder.classroom.jail.host_functions.SECONDS", 20.0)

    outcome = judged_in_the_jail(attack.source)

    assert 0.0 == outcome.points
    assert outcome.status in ("Wrong", "Crashed", "TimedOut", "NotAttempted"), outcome
    assert len(json.dumps(outcome.to_json(), ensure_ascii=False).encode()) < 64 << 10


def test_every_line_of_the_catalogue_of_cheats_is_tried_or_has_its_reason_not_to_be():
    handed_in = {attack.row for attack in (*KERNELS, *HOST, *OUTSIDE, *WITHOUT_A_KERNEL, *CLAIMS, *ON_GPU, *FORGED)}

    missing = set(range(1, N_ROWS + 1)) - handed_in - TESTED.keys() - CATALOGUED.keys() - NOT_HERE.keys()
    assert not missing


@pytest.mark.parametrize("row", TESTED)
def test_a_line_that_is_no_submission_has_a_test_where_it_says(row):
    file, name = TESTED[row]

    assert f"def {name}" in (TESTS / file).read_text()


@pytest.mark.parametrize("row", CATALOGUED)
def test_a_line_that_is_a_catalogued_mistake_is_in_the_catalogue_and_wrong_there(row):
    exercise, name = CATALOGUED[row]

    (answer,) = [answer for answer in answers_for(exercises.find(exercise)) if answer.name == name]
    assert "Wrong" == answer.outcome
