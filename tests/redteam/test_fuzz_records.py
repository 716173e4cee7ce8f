"""Malformed records of every kind: rows of the ledger, class.toml, what a picture is drawn from; and a class of
malformed notebooks in one run. Each is told in words or left out, nothing is half written, and the run goes on.

As in test_fuzz.py: WARPBOOK_FUZZ says how many of each, and `make test-fuzz` tries 2,000 in all.
"""

import contextlib
import copy
import json
import sqlite3

import nbformat
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from autograder import exercises
from autograder.classroom import class_file, course, grade, workers
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.ledger import book as ledger
from autograder.classroom.ledger.chain import Chain, LedgerError
from autograder.classroom.messages import pictured
from autograder.classroom.pages import gradebook, lms, verdict
from autograder.classroom.reading import child as reading_child
from autograder.classroom.reading import reader
from autograder.classroom.receive import Received
from autograder.classroom.wire import Reply, Task
from autograder.exercises.catalogue import answers_for
from autograder.notebook import picture
from autograder.outcome import Passed
from simt import figures
from tests.autograder.classroom.conftest import RIGHT, notebook
from tests.autograder.classroom.test_pages import judged
from tests.redteam.test_fuzz import FEW, JSON, TINY, damaged

CLASSES = settings(
    FEW,
    max_examples=max(2, FEW.max_examples // 40),
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # to make a whole class smaller takes minutes, and each notebook has a test of its own
)
EIGHT = 8  # notebooks of a class


def recorded() -> list[tuple[str, dict]]:
    """What a run writes down, one record of each kind."""
    scale = TINY.exercises[0]
    task = Task(scale.id, answers_for(exercises.find("vector_add.blend"))[0].program, secret="seed")
    reply = Reply(Passed(scale.id, 4.0, 4.0, "scale: right"), {"judge": "x"})
    judgement = ledger._document(scale, task, reply, 0)
    named = {"student": "ada", "unit": TINY.id, "notebook": TINY.id, "sha256": "00"}
    return [
        ("run", {"seeds": {TINY.id: "seed"}, "resumes": False, "by": {}}),
        ("received", {**named, "at": "2030-01-31T18:00:00+00:00"}),
        ("judged", judgement),
        ("rejudged", judgement),
        ("verdict", {**named, "digest": "11"}),
    ]


RECORDS = recorded()


def used_as_a_run_uses_it(folder) -> None:
    """Ask a ledger everything that grading, regrading and replaying ask, and write into it."""
    with ledger.opened(folder) as book:
        task = Task.from_json(RECORDS[2][1]["task"])
        taken = Received("ada", TINY.id, TINY.id, None, sha256="00", received="2030-02-01T00:00:00+00:00")
        assert isinstance(book.receipt(taken), str)
        for found in (book.judged(task.key), book.held(task.key, TINY.exercises[0])):
            assert found is None or isinstance(found.outcome.points, float)
        for record in list(book.chain.records()):
            if (found := book.judgement(record.n)) is not None:
                json.dumps(found.told(), allow_nan=False)
        assert isinstance(book.published({"student": "ada", "unit": TINY.id, "notebook": TINY.id}), str)
        assert all(isinstance(seed, str) for seed in book.seeds.values())
        book.begin({TINY.id: "another"}, resumes=True)
    with ledger.read(folder) as book:
        assert "another" == book.seeds[TINY.id]


@FEW
@given(data=st.data())
def test_a_ledger_with_a_malformed_record_says_nothing_there_and_goes_on(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("out")
    place = data.draw(st.integers(0, len(RECORDS) - 1))
    with Chain(folder / ledger.FILE) as chain:
        for n, (kind, body) in enumerate(RECORDS):
            with contextlib.suppress(ValueError, RecursionError):  # what is no JSON is not written in the first place
                chain.append(kind, data.draw(damaged(body) | JSON) if n == place else body)

    used_as_a_run_uses_it(folder)


@pytest.fixture(scope="module")
def whole_ledger(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    with Chain(folder / ledger.FILE) as chain:
        for kind, body in RECORDS:
            chain.append(kind, body)
    return (folder / ledger.FILE).read_bytes()


@FEW
@given(st.data())
def test_a_ledger_with_wrong_bytes_is_refused_in_words_or_is_whole(whole_ledger, tmp_path_factory, data):
    folder, content = tmp_path_factory.mktemp("out"), bytearray(whole_ledger)
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    (folder / ledger.FILE).write_bytes(content[: data.draw(st.integers(1, len(content)))])

    with contextlib.suppress(LedgerError):
        used_as_a_run_uses_it(folder)


@FEW
@given(
    row=st.tuples(st.integers(), st.text(max_size=8), st.text(max_size=30), st.text(max_size=8), st.text(max_size=8))
)
def test_a_row_that_nobody_appended_is_refused_in_words(whole_ledger, tmp_path_factory, row):
    path = tmp_path_factory.mktemp("out") / ledger.FILE
    path.write_bytes(whole_ledger)
    file = sqlite3.connect(path)
    with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeEncodeError):  # no row that SQLite takes
        file.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", row)
        file.commit()
        with pytest.raises(LedgerError, match="does not follow|cannot be"):
            Chain(path)
    file.close()


RULES = {
    "own": ["."],
    "units": {
        TINY.id: {
            "weight": 2.0, "late_per_day": 0.5, "grace_hours": 1, "exercises": ["tiny.scale"],
            "due": "2030-01-31T18:00:00Z",
        },
    },
    "students": {"ada": {"name": "A", "id": "1", "email": "a@b", "section": "x", "extra_days": {TINY.id: 3}}},
}  # fmt: skip


def as_toml(value) -> str:
    """A value as TOML would have it, as far as it has one."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {as_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if value == "2030-01-31T18:00:00Z" or value is None:
        return str(value)
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf")


@FEW
@given(data=st.data())
def test_a_malformed_class_file_is_refused_in_words_or_makes_grades(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("class")
    whole = data.draw(damaged(RULES))
    text = "\n".join(f"{json.dumps(key)} = {as_toml(part)}" for key, part in whole.items())
    content = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(data.draw(st.integers(0, 2))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = folder / class_file.NAME
    path.write_bytes(content)

    try:
        class_file.own_folders(path)
        rules = class_file.read(path, {TINY.id: ["tiny.scale", "tiny.scale_twice"]})
    except class_file.ClassFileError as error:
        assert str(path) in str(error)
        return
    lms.write(folder, [{**judged(TINY), "handed_in": "2030-02-02T00:00:00+00:00"}], rules)
    assert (folder / "canvas.csv").read_text()


@pytest.fixture(scope="module")
def drawn_from():
    exercise = exercises.find("vector_add.vector_add")
    wrong = next(answer.program for answer in answers_for(exercise) if answer.name == "no_guard")
    return pictured.packed(*figures.chosen(picture.trace(exercise, wrong)))


@FEW
@given(data=st.data())
def test_a_malformed_picture_is_none_or_is_drawn(drawn_from, data):
    whole = copy.deepcopy(drawn_from)
    whole["what"] = data.draw(st.sampled_from([*pictured.KINDS, "steps", 3, None]))
    try:
        found = pictured.unpacked(data.draw(damaged(whole)))
    except (TypeError, ValueError, OverflowError):
        return
    if found is not None and data.draw(st.integers(0, 9)) == 0:  # a drawing takes a third of a second
        with contextlib.suppress(Exception):  # which costs the picture and nothing else
            assert len(figures.drawn(*found)._repr_svg_()) < 1_000_000


@CLASSES
@given(st.lists(damaged(json.loads(nbformat.writes(notebook(scale=RIGHT)))), min_size=EIGHT, max_size=EIGHT))
def test_a_run_over_malformed_notebooks_gives_each_a_verdict_and_leaves_nothing_half_done(tmp_path_factory, students):
    root, out = tmp_path_factory.mktemp("in"), tmp_path_factory.mktemp("out")
    for n, whole in enumerate([*students, json.loads(nbformat.writes(notebook(scale=RIGHT)))]):
        folder = root / f"s{n}" / TINY.id
        folder.mkdir(parents=True)
        (folder / f"{TINY.id}.ipynb").write_text(json.dumps(whole))

    def answers(tasks, *_, **__):
        for key in tasks:
            yield workers.Answer(key, Reply(Passed("tiny.scale", 4.0, 4.0, "scale: right")).to_bytes())

    def read_here(handed_in, *_):
        for one in handed_in:
            asked = {"root": str(root), "student": one.student, "unit": one.unit, "filename": one.filename}
            reply = reading_child.answer({**asked, "misnamed": False, "asks": reader._as_asked(TINY)})
            yield reader._reading(TINY, one, json.loads(json.dumps(reply)))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(grade, "read_all", read_here)
        patched.setattr(course, "unit", lambda name: TINY)
        patched.setattr(course, "units", lambda: (TINY.id,))
        patched.setattr(jail, "unavailable", lambda: "")
        patched.setattr(workers, "answers", answers)
        summary, _ = grade.grade_class(root, out)

    assert EIGHT + 1 == len(summary["graded"])
    assert 8.0 == summary["graded"][-1]["points"]  # the stub of the second exercise is judged right here, too
    assert {} == summary["failed"]
    assert [] == [path for path in out.rglob("*") if path.suffix == ".part"]
    with ledger.read(out) as book:
        found, odd = verdict.load_all(out / "verdicts", book.published)
    assert (EIGHT + 1, {}) == (len(found), odd)
    gradebook.gradebook_page(found)
