"""Exercises of one's own, from a folder outside the repository: started, proven, checked, graded; told when broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import nbformat
import pytest

from autograder import exercises
from autograder.answer.program import Program
from autograder.classroom import judging
from autograder.classroom.demo.students import cells_by_id
from autograder.classroom.wire import Reply, Task
from autograder.exercises import own
from autograder.exercises.answer_cells import cell_of
from autograder.exercises.catalogue import answers_for
from autograder.machine.course_home import PACKAGES
from autograder.notebook import question
from autograder.outcome import Passed
from autograder.running.job import Job
from tests.patience import PATIENCE_S
from tools import check_exercises, own_exercises
from tools.matrices import no_work
from tools.matrices.rows import OF_KERNELS

COSTLY = (no_work.everything_by_everybody, no_work.one_thread_a_row, no_work.one_thread)
NAME, UNIT = "scale_rows", "50_scale_rows"
ID = f"{NAME}.{NAME}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with an exercise that nobody has touched yet."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(own.VARIABLE, "")
        patched.setattr(exercises, "__path__", list(exercises.__path__))
        path = tmp_path_factory.mktemp("mine") / "with a space"
        own_exercises.new(path, NAME)
        yield path


def warpbook(*arguments):
    """The command, in a process that knows no folder yet. Returns: exit code, what it printed on both streams."""
    environment = {**os.environ, own.VARIABLE: "", "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "-m", "autograder.cli", *map(str, arguments)]
    done = subprocess.run(command, cwd=PACKAGES, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.release
def test_a_new_exercise_passes_all_of_its_matrices(folder, monkeypatch):
    some = [rewrite for rewrite in OF_KERNELS if rewrite not in COSTLY]
    monkeypatch.setattr("tools.matrices.rows.OF_KERNELS", some)  # `COSTLY` take seconds each

    rows = check_exercises.prove(exercises.find(ID))

    assert [] == [row for row in rows if row.complaint]
    assert set(check_exercises.KINDS) == {row.kind for row in rows}


def test_without_a_record_of_the_solutions_work_the_matrix_says_what_is_missing(folder, monkeypatch):
    monkeypatch.setattr(check_exercises.recorded_work, "of_solution", lambda exercise: {})
    monkeypatch.setattr(check_exercises, "without_the_work", lambda *_: ())

    (row,) = check_exercises.prove(exercises.find(ID), ["work"])

    assert "run tools.record_work" in row.complaint


def test_a_learners_notebook_finds_the_exercise_by_the_folder_above_it(folder, monkeypatch):
    released = folder / "course" / UNIT / f"{UNIT}.ipynb"
    text = "\n".join(cell.source for cell in nbformat.read(released, as_version=4).cells)
    monkeypatch.setenv(own.VARIABLE, "")
    monkeypatch.chdir(released.parent)

    assert f'q = exercise("{ID}", "../..")' in text
    assert "cuda.grid" not in text
    with pytest.raises(exercises.UnknownExerciseError):
        question.exercise(ID)
    assert ID == question.exercise(ID, "../..").exercise.id


def test_a_process_that_waits_for_jobs_learns_of_the_folder_with_the_job(folder, monkeypatch):
    right = next(answer for answer in answers_for(exercises.find(ID)) if answer.outcome == "Passed")
    document = Job(exercises.find(ID), right.program).to_json()
    monkeypatch.setenv(own.VARIABLE, "")

    assert ID == Job.from_json(json.loads(json.dumps(document))).exercise.id


def test_a_worker_elsewhere_learns_of_the_folder_with_the_task_and_its_next_jail_shows_it(folder, monkeypatch):
    stopped = []
    right = next(answer for answer in answers_for(exercises.find(ID)) if answer.outcome == "Passed")
    task = Task(ID, right.program, secret="s").to_bytes()
    monkeypatch.setenv(own.VARIABLE, "")
    monkeypatch.setattr(judging.visit, "stop", lambda: stopped.append(own.folders()))
    monkeypatch.setattr(judging, "judged", lambda task: Passed(exercises.find(task.exercise).id, 1.0, 1.0, "right"))

    replies = [Reply.from_bytes(judging.judge_task(task)) for _ in range(2)]

    assert [ID, ID] == [reply.outcome.exercise for reply in replies]
    assert [(folder,)] == stopped


def test_a_worker_that_does_not_see_the_folder_says_so(monkeypatch, tmp_path):
    program = Program("def scale_rows():\n    pass\n", "scale_rows")
    monkeypatch.setenv(own.VARIABLE, str(tmp_path / "far"))
    task = Task("own.scale_rows", program).to_bytes()
    monkeypatch.setenv(own.VARIABLE, "")

    with pytest.raises(own.OwnFolderError, match=r"worker on .* has no folder .*far: --own needs one"):
        judging.judge_task(task)


@pytest.mark.release
def test_a_class_of_three_is_graded_on_it(folder, tmp_path):
    wrong = next(answer for answer in answers_for(exercises.find(ID)) if answer.name == "no_guard")
    solved = cells_by_id(nbformat.read(folder / "solutions" / UNIT / f"{UNIT}.ipynb", as_version=4))[NAME].source
    for student, source in {"ada": solved, "bo": cell_of(wrong), "cy": None}.items():
        notebook = nbformat.read(folder / "course" / UNIT / f"{UNIT}.ipynb", as_version=4)
        if source:
            cells_by_id(notebook)[NAME].source = source
        (tmp_path / "in" / student / UNIT).mkdir(parents=True)
        nbformat.write(notebook, tmp_path / "in" / student / UNIT / f"{UNIT}.ipynb")
    (tmp_path / "class.toml").write_text(f"own = ['{folder}']\n[units.{UNIT}]\nweight = 2")
    arguments = ["--submissions", tmp_path / "in", "--out", tmp_path / "out", "--class", tmp_path / "class.toml"]

    code, said, trouble = warpbook("grade", *arguments, "--json")

    assert 0 == code, trouble
    points = {one["student"]: one["points"] for one in json.loads(said)["graded"]}
    assert (5.0, 0.0) == (points["ada"], points["cy"])
    assert points["bo"] < 2.5  # by how many of the sizes, some of which are drawn, are whole blocks
    verdicts = [
        json.loads((tmp_path / "out" / "verdicts" / student / UNIT / f"{UNIT}.json").read_text())
        for student in ("ada", "bo", "cy")
    ]
    entries = [verdict["exercises"][0] for verdict in verdicts]
    assert ["Passed", "Wrong", "NotAttempted"] == [entry["status"] for entry in entries]
    assert "no_guard" == entries[1]["misconception"]
    assert UNIT in (tmp_path / "out" / "canvas.csv").read_text()


UNITS = {
    "no folder": (None, "is no folder. `warpbook new-exercise"),
    "an empty folder": ({}, "holds no unit, such as u50_scale_rows"),
    "a syntax error": ({"u61_broken/__init__.py": "EXERCISES = ("}, r"__init__.py:1: SyntaxError: .* Mend it"),
    "an import of nothing": (
        {"u62_broken/__init__.py": "import os\nfrom autograder.exercises.u62_broken import values"},
        r"__init__.py:2: ImportError: cannot import name 'values'",
    ),
    "no exercises": ({"u63_broken/__init__.py": ""}, r"__init__.py must define EXERCISES = with_hints"),
    "something else as exercises": ({"u64_broken/__init__.py": "EXERCISES = (3,)"}, "holds 3, which is no Exercise"),
    "a topic of the course": ({"u65_indexing/__init__.py": ""}, "the course has a unit 'indexing' already"),
    "hints of another form": (
        {
            "u66_broken/__init__.py": "from autograder.exercises.hints import with_hints\n\n"
            "EXERCISES = with_hints(__file__)",
            "u66_broken/hints.md": "# Hints\n\n1. A step of nothing.",
        },
        "HintsError: .*hints.md:3: .* belongs to no ladder",
    ),
    "an exercise of another name": (
        {
            "u67_broken/__init__.py": "from dataclasses import replace\n"
            "from autograder.exercises.u01_vector_add import EXERCISES as others\n\n"
            "EXERCISES = (replace(others[4], unit='67_broken'),)"
        },
        "must have the id broken.blend and the unit '67_broken'",
    ),
}


@pytest.mark.parametrize("what", UNITS)
def test_a_broken_folder_is_told_by_its_file_and_is_not_known_afterwards(tmp_path, monkeypatch, what):
    monkeypatch.setenv(own.VARIABLE, "")
    monkeypatch.setattr(exercises, "__path__", list(exercises.__path__))
    files, said = UNITS[what]
    for name, text in (files or {}).items():
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(text)
    if files is not None:
        (tmp_path / "mine").mkdir(exist_ok=True)

    with pytest.raises(own.OwnFolderError, match=said):
        exercises.add_folder(tmp_path / "mine")
    assert () == own.folders()
    assert "vector_add.blend" == exercises.find("vector_add.blend").id


def test_a_folder_that_only_the_environment_names_is_told_in_a_sentence_too(tmp_path, monkeypatch):
    monkeypatch.setenv(own.VARIABLE, str(tmp_path))

    with pytest.raises(own.OwnFolderError, match="holds no unit"):
        exercises.units()


@pytest.mark.parametrize(
    ("name", "unit", "said"),
    [
        ("Scale", "", "no function's name"),
        ("max", "", "means something else"),
        ("class", "", "means something else"),
        ("vector_add", "", "a unit about 'vector_add' already"),
        ("halve", "halving", "no unit's name"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_before_anything_is_written(tmp_path, capsys, name, unit, said):
    assert 2 == own_exercises.main(["new", str(tmp_path / "mine"), name, "--unit", unit])

    assert said in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()
