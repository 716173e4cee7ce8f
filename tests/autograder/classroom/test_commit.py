"""What a GPU will be given of an answer is in the ledger before its values are drawn, wherever a run is cut off."""

import json

import pytest

from autograder.classroom import commit, grade, workers
from autograder.classroom.cluster import devices
from autograder.classroom.ledger import book as ledger
from autograder.classroom.sealed.compiling import Code
from autograder.classroom.sealed.fixed import NOT_FIXED, Fixed
from autograder.classroom.wire import Task
from tests.autograder.classroom.test_faults import a_class, killed_at  # noqa: F401  # a fixture


@pytest.fixture
def with_a_gpu(a_class, monkeypatch):  # noqa: F811
    """The class of three where a GPU judges: workers say what it will be given of each answer."""
    judging = workers.answers

    def answers(tasks, scheduler="", n_workers=None, certificates=""):
        asked = {key: Task.from_bytes(content) for key, content in tasks.items()}
        for key in (key for key, task in asked.items() if task.fix):
            yield workers.Answer(key, json.dumps({"fixed": f"code of {key}", "digest": f"digest of {key}"}).encode())
        yield from judging({key: tasks[key] for key, task in asked.items() if not task.fix})

    monkeypatch.setattr(workers, "answers", answers)
    monkeypatch.setattr(devices, "uuids", lambda: ("one",))
    return a_class


def records_of(out):
    with ledger.read(out) as book:
        return list(book.chain.records())


def test_killed_at_every_write_each_answer_is_fixed_once_then_its_seed_is_drawn_then_it_is_judged(with_a_gpu, tmp_path):
    step, killed, seen = 1, True, set()
    while killed and (True, True, True) not in seen:  # test_faults goes on from there
        out = tmp_path / f"out{step}"
        killed = killed_at(step, lambda: grade.grade_class(with_a_gpu, out))  # noqa: B023  # it runs here and now
        before = [(one.kind, one.body) for one in records_of(out)] if (out / ledger.FILE).exists() else []
        grade.grade_class(with_a_gpu, out, options=grade.Options(resume=True))

        records = records_of(out)
        judged = {Task.from_json(one.body["task"]).key: one for one in records if one.kind == "judged"}
        fixed = {one.body["task"]: one.n for one in records if one.kind == "fixed"}
        drawn = {one.body["seed"]: one.n for one in records if one.kind == "drawn"}
        assert len(judged) == len(fixed) == sum(one.kind == "fixed" for one in records) == 4
        for key, one in judged.items():
            assert fixed[key] < drawn[one.body["task"]["drawn"]] < one.n
        kinds = [kind for kind, _ in before]
        if "drawn" in kinds:  # what was drawn before the end is what the values came from after it
            assert [body["seed"] for kind, body in before if kind == "drawn"] == list(drawn)
        seen.add(("fixed" in kinds, "drawn" in kinds, "judged" in kinds))
        step += 1

    assert {(False, False, False), (True, False, False), (True, True, False), (True, True, True)} <= seen


def test_an_answer_whose_code_changed_since_it_was_written_down_gets_a_seed_of_its_own(tmp_path):
    with ledger.opened(tmp_path) as book:
        book.fix("a", "x.y", "one")
        book.draw()
        first = book.drawn_for("a")
        book.fix("a", "x.y", "one")
        book.draw()
        assert first == book.drawn_for("a")

        book.fix("a", "x.y", "another")
        with pytest.raises(KeyError):
            book.drawn_for("a")
        book.draw()

        assert first != book.drawn_for("a")
        assert 64 == len(first)


def test_of_what_nothing_was_written_down_no_seed_is_known(with_a_gpu, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "answers", lambda tasks, *_, **__: [workers.Answer(k, OSError()) for k in tasks])
    with ledger.opened(tmp_path) as book:
        found = commit.fixed_first({"a": Task("x.y", None)}, book, grade.Options())

    assert (NOT_FIXED, "") == (found["a"].drawn, found["a"].fixed)


def test_the_record_of_a_judgement_repeats_it_without_carrying_its_machine_code(with_a_gpu, tmp_path):
    grade.grade_class(with_a_gpu, tmp_path / "out")

    tasks = [one.body["task"] for one in records_of(tmp_path / "out") if one.kind == "judged"]
    assert {("", False)} == {(task["fixed"], task["fix"]) for task in tasks}
    assert {64} == {len(task["drawn"]) for task in tasks}


def test_what_was_fixed_travels_as_text_and_comes_back_as_it_was():
    code = Code("k", "entry", ("u64", "f32"), bytes(range(256)), "a", "b")
    for plans in (None, [{"steps": [], "returned": []}]):
        one = Fixed("sm_90", (code,), plans)

        assert one == Fixed.of(one.to_text())
        assert one.digest == Fixed.of(one.to_text()).digest


@pytest.mark.parametrize("text", ["", "no base64", "bm90IHppcHBlZA==", "eJwDAAAAAAE="])
def test_what_is_no_such_text_is_refused(text):
    with pytest.raises((ValueError, KeyError, TypeError)):
        Fixed.of(text)
