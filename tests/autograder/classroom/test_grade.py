"""Grading a folder: parallel, resumable, closed when something fails. The judge is replaced where it can be."""

import json

import pytest

from autograder import exercises, judge
from autograder.answer.program import Program
from autograder.classroom import grade, judging, workers
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.pages import summary as summaries
from autograder.classroom.pages import verdict
from autograder.classroom.reading.inbox import look_into
from autograder.classroom.wire import Reply, Task
from autograder.outcome import CaseResult, Cause, NotCheckable, Speed, Wrong
from autograder.running import buffers
from tests.autograder.classroom.conftest import RIGHT


def test_every_submission_gets_a_verdict_a_feedback_page_and_a_row(hand_in):
    hand_in("ada", scale=RIGHT)
    hand_in("bo", scale=RIGHT.replace("factor * src", "src * factor"))

    summary, text = grade.grade_class(hand_in.root, hand_in.out)

    assert ["ada", "bo"] == [found["student"] for found in summary["graded"]]
    assert (hand_in.out / "feedback" / "bo" / "90_tiny.html").is_file()
    assert "ada" in (hand_in.out / "gradebook.csv").read_text()
    assert "gradebook.html" in text


def test_the_same_program_is_judged_once_for_a_whole_class(hand_in):
    for student in ("ada", "bo", "cy"):
        hand_in(student, scale=RIGHT)

    grade.grade_class(hand_in.root, hand_in.out)

    assert 1 == hand_in.judged.count(RIGHT)


def test_resuming_keeps_verdicts_on_the_same_bytes_and_judges_what_changed(hand_in):
    hand_in("ada", scale=RIGHT)
    hand_in("bo", scale=RIGHT)
    grade.grade_class(hand_in.root, hand_in.out)
    hand_in("bo", scale=RIGHT + "# again\n")
    hand_in.judged.clear()

    summary, _ = grade.grade_class(hand_in.root, hand_in.out, options=grade.Options(resume=True))

    assert 1 == summary["kept"]
    assert len(hand_in.judged) in (1, 2)  # bo's changed answer, and the stub beside it


def test_resuming_judges_again_what_could_not_be_judged_the_first_time(hand_in, monkeypatch):
    hand_in("ada", scale=RIGHT)
    with monkeypatch.context() as patched:
        lost = Reply(NotCheckable("tiny.scale", 0.0, 4.0, "scale: no jail here")).to_bytes()
        patched.setattr(workers, "answers", lambda tasks, *_, **__: (workers.Answer(key, lost) for key in tasks))
        grade.grade_class(hand_in.root, hand_in.out)

    summary, _ = grade.grade_class(hand_in.root, hand_in.out, options=grade.Options(resume=True))

    assert 0 == summary["kept"]
    assert 8.0 == summary["graded"][0]["points"]


def test_a_failure_of_the_judge_is_marked_for_review_everywhere_and_retried(hand_in, monkeypatch):
    hand_in("ada", scale=RIGHT)

    def broken(tasks, scheduler="", n_workers=None, certificates=""):
        for key in tasks:
            yield workers.Answer(key, RuntimeError("the disk is full"))

    with monkeypatch.context() as patched:
        patched.setattr(workers, "answers", broken)
        summary, text = grade.grade_class(hand_in.root, hand_in.out)

    assert ["tiny.scale", "tiny.scale_twice"] == summary["graded"][0]["review"]
    assert "NEEDS REVIEW" in text
    assert "the disk is full" in text
    assert "2 not judged and in need of review" in (hand_in.out / "gradebook.html").read_text()
    assert "needs review" in (hand_in.out / "gradebook.csv").read_text()

    again, _ = grade.grade_class(hand_in.root, hand_in.out, options=grade.Options(resume=True))

    assert [] == again["graded"][0]["review"]
    assert {} == again["failed"]


def test_an_exception_of_ours_while_judging_is_not_the_students_mistake(monkeypatch):
    exercise = exercises.find("vector_add.vector_add")
    monkeypatch.setattr(judge, "check", lambda *_, **__: {}["ours"])

    found = judging.judged(Task(exercise.id, Program(RIGHT.replace("scale", "vector_add"), "vector_add")))

    assert "NotCheckable" == found.status
    assert "a mistake of ours" in str(found)


def test_each_run_draws_its_values_from_a_seed_of_its_own_that_the_verdict_keeps(hand_in):
    hand_in("ada", scale=RIGHT)
    first, again, chosen = (
        grade.grade_class(hand_in.root, hand_in.out / name, options=grade.Options(seed=seed))
        and _only_verdict(hand_in.out / name)["seed"]
        for name, seed in (("a", ""), ("b", ""), ("c", "ab"))
    )

    assert first != again
    assert "ab" == chosen


def test_a_seed_changes_the_values_of_a_case_and_the_same_seed_gives_them_again(unit):
    exercise, case = unit.exercises[0], unit.exercises[0].cases[-1]
    usual, drawn, repeated = (buffers.make_values(exercise, case, seed)["src"] for seed in ("", "ab", "ab"))

    assert usual.tobytes() != drawn.tobytes()
    assert drawn.tobytes() == repeated.tobytes()


def _only_verdict(folder):
    (path,) = (folder / "verdicts").rglob("*.json")
    return json.loads(path.read_text())


def test_a_refused_file_is_graded_as_not_taken_in_and_stops_nobody_else(hand_in):
    hand_in("ada", scale=RIGHT)
    folder = hand_in.root / "bo" / "90_tiny"
    folder.mkdir(parents=True)
    (folder / "90_tiny.ipynb").write_text("{")

    summary, text = grade.grade_class(hand_in.root, hand_in.out)

    assert [True, False] == [not found["refused"] for found in summary["graded"]]
    assert "file not taken in" in text


def test_where_no_jail_can_be_made_a_class_is_refused_with_the_way_out_and_nothing_is_judged(hand_in, monkeypatch):
    hand_in("ada", scale=RIGHT)
    monkeypatch.setattr(jail, "unavailable", lambda: "This is another system.")

    with pytest.raises(grade.GradeError, match="only in a jail.*another system.*--trust-submissions"):
        grade.grade_class(hand_in.root, hand_in.out)
    assert [] == hand_in.judged

    summary, _ = grade.grade_class(hand_in.root, hand_in.out, options=grade.Options(trusted=True))

    assert 8.0 == summary["graded"][0]["points"]


def test_a_kernel_that_reaches_a_machine_without_a_jail_is_for_review_and_never_run(monkeypatch):
    exercise = exercises.find("vector_add.vector_add")
    monkeypatch.setattr(jail, "unavailable", lambda: "This is another system.")
    monkeypatch.setattr(judge, "check", lambda *_, **__: pytest.fail("it was run"))

    found = judging.judged(Task(exercise.id, Program(RIGHT.replace("scale", "vector_add"), "vector_add")))

    assert "NotCheckable" == found.status


def test_one_reason_for_a_whole_submission_is_one_line_and_names_of_any_width_stand_in_a_column(hand_in, monkeypatch):
    hand_in("李小明", scale=RIGHT, scale_twice=RIGHT)
    hand_in("bo", scale=RIGHT)
    (hand_in.root / "cy" / "90_tiny").mkdir(parents=True)
    (hand_in.root / "cy" / "90_tiny" / "90_tiny.ipynb").write_text("no JSON")
    lost = grade.Graded(failed={"bo/90_tiny/90_tiny: a": "why.", "bo/90_tiny/90_tiny: b": "why.", "cy/90_tiny": "x"})

    _, text = grade.grade_class(hand_in.root, hand_in.out)

    assert [8, 8, 5] == [row.index("90_tiny") for row in text.splitlines()[:3]]  # three signs of two columns each
    assert "NOT TAKEN IN cy/90_tiny: This file is not a notebook" in text
    assert "NEEDS REVIEW bo/90_tiny/90_tiny: 2 exercises: why." in summaries.as_text(lost, hand_in.out, hand_in.out)


def test_a_scheduler_without_dask_names_the_command(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(workers.SchedulerError, match="pip install distributed"):
        list(workers.on_dask({"key": b"{}"}, "tcp://127.0.0.1:1"))


def test_an_outcome_survives_the_way_through_a_worker():
    cause = Cause("race", "missing_barrier", "Two threads.", "Wait.", (3, 4), ((0, 0, 0), (1, 0, 0)), "s")
    cases = (CaseResult("n = 1", "simt", "wrong", "1 of 1"),)
    speed = Speed(True, "fast", time_us=1.5, points=1.0, max_points=2.0)
    outcome = Wrong(
        "a.b", 1.5, 4.0, "b: not right yet", "n = 1", (cause,), cases, speed=speed, source="x\n", first_line=3
    )

    reply = Reply(outcome, {"python": "3"})

    assert reply == Reply.from_bytes(reply.to_bytes())


def test_a_task_survives_the_way_to_a_worker():
    task = Task("a.b", Program("x = 1\n", "b"), host=True)

    assert task == Task.from_bytes(task.to_bytes())
    assert task.key != Task("a.b", Program("x = 2\n", "b"), host=True).key


def test_a_verdict_is_written_in_one_step(hand_in):
    hand_in("ada", scale=RIGHT)
    grade.grade_class(hand_in.root, hand_in.out)

    (path,) = (hand_in.out / "verdicts").rglob("*.json")

    assert verdict.SCHEMA == json.loads(path.read_text())["schema"]
    assert not list(hand_in.out.rglob("*.warpbook-part"))


def test_submissions_are_found_by_the_unit_that_is_asked_for(hand_in):
    hand_in("ada", scale=RIGHT)

    inbox = look_into(hand_in.root, ("90_tiny", "91_other"), "91_other")

    assert () == inbox.handed_in


@pytest.mark.parametrize("place", ["verdicts/ada/90_tiny/90_tiny.json", "feedback/ada/90_tiny.html"])
def test_a_folder_in_the_place_of_a_verdict_or_a_page_stops_nobody_else(hand_in, place):
    hand_in("ada", scale=RIGHT)
    hand_in("bo", scale=RIGHT)
    (hand_in.out / place).mkdir(parents=True)

    summary, text = grade.grade_class(hand_in.root, hand_in.out)

    assert "bo" in {found["student"] for found in summary["graded"]}
    assert ["ada/90_tiny/90_tiny"] == list(summary["failed"])
    assert f"{place.rpartition('/')[2]} cannot be written (" in text
    assert (hand_in.out / "gradebook.html").is_file()
