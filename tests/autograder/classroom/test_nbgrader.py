"""nbgrader itself, run on the project's configuration: release, autograde, feedback, export. Nothing is executed."""

import csv
import json
import os
import re
import shutil

import nbformat
import pytest
from nbgrader.preprocessors import Execute
from traitlets.config.loader import PyFileConfigLoader

from autograder import exercises
from autograder.classroom import course
from autograder.classroom.demo.nbgrader_course import NbgraderCourse, NbgraderError
from autograder.classroom.for_nbgrader.preprocessors import JudgeExecute
from autograder.classroom.ledger import book as ledger
from autograder.classroom.pages import verdict
from autograder.classroom.receive import receive
from autograder.machine.course_home import PACKAGES
from autograder.outcome import Passed
from tests.autograder.classroom.conftest import RELEASED as UNIT
from tests.autograder.classroom.test_harmless import _Look

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PACKAGES / "solutions" / UNIT / f"{UNIT}.ipynb").exists(), reason="course not built"),
]
HARM = '<img src="x" onerror="bad()">'

LOADS = r"""<(?:script|link|img|iframe|embed|object)[^>]*(?:src|href|data)=["']?\s*((?:https?:)?//[^"'\s>]+)"""


@pytest.fixture
def nbgrader(released, tmp_path):
    shutil.copytree(released.root, tmp_path / "course")
    mine = NbgraderCourse(tmp_path / "course")
    mine.create()
    return mine


def hand_in(nbgrader, student: str, change=lambda notebook: None, points: float | None = None):
    """Submit the released notebook, changed, with a verdict that gives `points` for every exercise (none for None)."""
    notebook = nbformat.read(nbgrader.root / "release" / UNIT / f"{UNIT}.ipynb", as_version=4)
    change(notebook)
    folder = nbgrader.root / "inbox" / student / UNIT
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{UNIT}.ipynb")
    submission = receive(nbgrader.root / "inbox", student, UNIT, f"{UNIT}.ipynb")
    nbgrader.submit([submission])
    if points is not None:
        document = _document(submission, points)
        verdict.save(nbgrader.root / "verdicts", document)
        with ledger.opened(nbgrader.root) as book:
            book.publish(document, verdict.digest(document))


def _document(submission, points: float) -> dict:
    """A verdict with the same points for every exercise."""
    from autograder.classroom.reading.answers import read_answers

    answers = read_answers(submission.notebook_json, course.unit(UNIT))
    outcomes = [Passed(a.exercise.id, points, a.exercise.points, "as told", observed=HARM) for a in answers]
    return verdict.document(submission, course.unit(UNIT), zip(answers, outcomes, strict=True))


def the_check(notebook, function="vector_add"):
    return next(
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == f"{function}_check"
    )


def lie(notebook):
    """Claim points by all means that a notebook has."""
    cell = the_check(notebook)
    cell.source, cell.metadata.nbgrader.points = "1000.0", 1000
    cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "1000.0"}, execution_count=1)]
    notebook.cells.append(nbformat.v4.new_code_cell("import os; os._exit(1)"))


def deface(notebook):
    """Text that a browser would run."""
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell(HARM))
    notebook.cells.insert(1, nbformat.v4.new_raw_cell(HARM, metadata={"raw_mimetype": "text/html"}))


@pytest.fixture(scope="module")
def graded(released, tmp_path_factory):
    """A class of six, graded as one: the course, and what the grading said."""
    root = tmp_path_factory.mktemp("graded") / "course"
    shutil.copytree(released.root, root)
    nbgrader = NbgraderCourse(root)
    nbgrader.create()
    hand_in(nbgrader, "ada", lie, points=0.5)
    hand_in(nbgrader, "bea", lambda notebook: notebook.cells.remove(the_check(notebook)), points=0.5)
    hand_in(nbgrader, "cem", deface, points=0.5)
    hand_in(nbgrader, "emil")
    hand_in(nbgrader, "fay", points=0.5)
    path = root / "submitted" / "fay" / UNIT / f"{UNIT}.ipynb"
    path.write_text(path.read_text().replace('"nbformat": 4', '"nbformat":  4'))
    hand_in(nbgrader, "=1+1", points=0.5)
    said = nbgrader.run("autograde", UNIT)
    list(nbgrader.run_each([("generate_feedback", UNIT), ("export", "--to", "grades.csv")]))
    return nbgrader, said


def test_a_verdict_becomes_the_score_whatever_the_notebook_itself_claims(graded):
    assert 0.5 * len(exercises.units()[UNIT]) == graded[0].scores()[("ada", UNIT)]


def test_a_deleted_check_cell_scores_nothing_and_the_others_keep_their_points(graded):
    assert 0.5 * (len(exercises.units()[UNIT]) - 1) == graded[0].scores()[("bea", UNIT)]


def test_without_a_verdict_the_notebook_is_judged_on_the_spot(graded):
    nbgrader, said = graded

    assert 0.0 == nbgrader.scores()[("emil", UNIT)]
    assert "Judging it now" in said
    assert (nbgrader.root / "verdicts" / "emil" / UNIT / f"{UNIT}.json").is_file()


def test_a_verdict_on_other_bytes_is_not_used(graded):
    nbgrader, said = graded

    assert "judges other bytes" in said
    assert 0.0 == nbgrader.scores()[("fay", UNIT)]


def test_a_verdict_changed_by_hand_or_in_no_ledger_is_refused_and_the_others_go_on(nbgrader):
    for student in ("ada", "bo", "cy"):
        hand_in(nbgrader, student, points=0.5)
    typed, planted = (nbgrader.root / "verdicts" / name / UNIT / f"{UNIT}.json" for name in ("ada", "dora"))
    typed.write_text(typed.read_text().replace('"headline": "as told"', '"headline": "as I tell"', 1))
    hand_in(nbgrader, "dora")
    sha256 = receive(nbgrader.root / "submitted", "dora", UNIT, f"{UNIT}.ipynb").sha256
    document = json.loads((nbgrader.root / "verdicts" / "bo" / UNIT / f"{UNIT}.json").read_text())
    verdict.save(nbgrader.root / "verdicts", {**document, "student": "dora", "sha256": sha256})

    with pytest.raises(NbgraderError) as refused:
        nbgrader.run("autograde", UNIT)

    said = " ".join(str(refused.value).split())
    assert "is not what the ledger has" in said or "is in no ledger" in said
    full = 0.5 * len(exercises.units()[UNIT])
    scores = nbgrader.scores()
    assert {("bo", UNIT): full, ("cy", UNIT): full} == {key: score for key, score in scores.items() if score}
    assert planted.is_file()


def test_a_gradebook_of_another_course_is_refused_where_it_would_lose_points(released):
    place = {"db_url": f"sqlite:///{released.root / 'gradebook.db'}", "assignment": UNIT, "notebook": UNIT}
    ours, unknown = {"vector_add_check": {"points": 0.5}}, {"essay": {"points": 0.0}}

    JudgeExecute()._need_known_cells(place, ours | unknown)
    unknown["essay"]["points"] = 0.5
    with pytest.raises(verdict.VerdictError, match="without the cell essay, so its points would be lost"):
        JudgeExecute()._need_known_cells(place, ours | unknown)


def test_a_link_in_place_of_a_notebook_is_refused_and_nothing_of_it_is_kept(nbgrader):
    folder = nbgrader.root / "submitted" / "eve" / UNIT
    folder.mkdir(parents=True)
    os.symlink(PACKAGES / "solutions" / UNIT / f"{UNIT}.ipynb", folder / f"{UNIT}.ipynb")

    with pytest.raises(NbgraderError, match="not taken in"):
        nbgrader.run("autograde", UNIT)

    assert not (nbgrader.root / "autograded" / "eve" / UNIT / f"{UNIT}.ipynb").exists()


def test_feedback_shows_the_report_and_nothing_a_browser_would_run(graded):
    html = (graded[0].root / "nbgrader_feedback" / "cem" / UNIT / f"{UNIT}.html").read_text()

    assert "warpbook-verdict" in html
    assert [] == [bad for bad in _Look(html).bad if "bad()" in bad]
    assert [] == re.findall(LOADS, html), "the page loads something from a server"


def test_export_writes_a_table_that_no_spreadsheet_computes(graded):
    rows = {row["student_id"]: row for row in csv.DictReader((graded[0].root / "grades.csv").open())}

    assert 6 == len(rows)
    assert 0.5 * len(exercises.units()[UNIT]) == float(rows["'=1+1"]["score"])


def test_nothing_executes_a_notebook_in_this_configuration():
    config = PyFileConfigLoader("nbgrader_config.py", str(PACKAGES)).load_config()

    steps = config.Autograde.autograde_preprocessors

    assert JudgeExecute == steps[0]
    assert Execute not in steps
