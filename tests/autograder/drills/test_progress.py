"""Progress, what the course noticed, the history: read back as they were written."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime, timedelta

import pytest
from rich.cells import cell_len

from autograder import exercise
from autograder.cli import main
from autograder.drills import kinds, progress_figure, session
from autograder.drills.faces.progress_text import render
from autograder.drills.learning import notices, sitting
from autograder.drills.learning.place import file_of
from autograder.drills.learning.progress import progress_of
from autograder.drills.learning.store import Notice, Review, Store
from autograder.exercises import find
from autograder.exercises.catalogue import answers_for

TODAY = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A data folder of its own."""
    monkeypatch.setenv("WARPBOOK_DATA", str(tmp_path))
    monkeypatch.delenv("WARPBOOK_LEARNER", raising=False)
    return tmp_path


@pytest.fixture
def practised(home):
    """A learner with ten days behind."""
    with Store(file_of()) as store:
        for day in range(10):
            at = TODAY - timedelta(days=day)
            for score in (1.0, 0.0) if day % 2 else (1.0, 1.0, 1.0):
                store.add_review(Review(at, "b7.stride", "B7", "count", score, 3, 20.0, 1, "4"))
        store.add_notice(Notice(TODAY, "reductions.warp_sum", "06_reductions", ("B15",), "failed"))
        yield store


def test_the_page_fits_80_columns_and_names_days_strength_and_what_was_raised(practised):
    progress = progress_of(practised, TODAY)
    for language in ("en", "zh", "both"):
        page = render(progress, language)

        assert max(cell_len(line) for line in page.split("\n") if "█" in line or "·" in line) <= 100
        assert "B15 !" in page
    assert 10 == progress.streak
    assert 25 == progress.answers
    assert "B15" == progress.weakest(1)[0].topic


def test_progress_is_json_and_a_figure(practised, capsys):
    assert 0 == main(["drill", "progress", "--json"])
    document = json.loads(capsys.readouterr().out)
    figure = progress_figure()

    assert 25 == document["answers"]
    assert 72 == len(document["topics"])
    assert "weakest" in figure.get_label()


@pytest.mark.filterwarnings("error")
def test_who_has_not_begun_has_a_page_and_a_figure_too(home):
    figure = progress_figure()
    figure.canvas.draw()
    with Store(file_of()) as store:
        page = render(progress_of(store, TODAY), "en")

    assert "none yet" in figure.get_label()
    assert "72 topics not met yet" in page


def test_the_history_is_exported_as_it_was_given(practised, home, capsys):
    assert 0 == main(["drill", "export", "--history", str(home / "history.csv"), "--json"])
    with (home / "history.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert 25 == len(rows) == json.loads(capsys.readouterr().out)["history"]["answers"]
    assert {"B7"} == {row["topic"] for row in rows}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["export"], "name what to export"),
        (["export", "--history", "/nowhere/at/all/x.csv"], "Make it first"),
        (["progress", "--topics", "Z9"], "there is no topic 'Z9'"),
        (["--mock", "-1"], "keyboard"),
        (["export", "--anki", "cards.zip"], "end in .apkg"),
        (["progress", "--figure", "days.xyz"], "ends in .svg"),
    ],
)
def test_bad_usage_says_what_to_do(home, capsys, options, said):
    assert 2 == main(["drill", *options])
    assert said in capsys.readouterr().err


def test_a_failed_check_a_hint_and_a_pass_in_the_course_are_noticed(home):
    question = exercise("vector_add.vector_add")
    notices.note_outcome(question.exercise, "Wrong")
    question.hint()
    notices.note_outcome(question.exercise, "NotAttempted")
    notices.note_outcome(question.exercise, "Passed")
    with Store(file_of()) as store:
        seen = store.notices()

    assert ["failed", "hint", "passed"] == [notice.what for notice in seen]
    assert {"01_vector_add"} == {notice.unit for notice in seen}
    assert find("vector_add.vector_add").topics == seen[0].topics


def test_a_data_folder_that_cannot_be_written_never_disturbs_a_notebook(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("WARPBOOK_DATA", str(tmp_path / "file" / "below"))

    notices.note(find("vector_add.vector_add"), "failed")


def test_a_file_that_cannot_be_used_is_told_in_one_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("WARPBOOK_DATA", str(tmp_path / "file" / "below"))
    assert 2 == main(["drill", "progress"])
    assert "WARPBOOK_DATA names another" in capsys.readouterr().err

    monkeypatch.setenv("WARPBOOK_DATA", str(tmp_path))
    with Store(file_of()) as store:
        for number in range(200):
            store.add_review(Review(TODAY, "b7.stride", "B7", "count", 1.0, 3, 20.0, number, "4" * 99))
    whole = file_of().read_bytes()
    file_of().write_bytes(whole[: len(whole) // 2])
    assert 2 == main(["drill", "progress"])
    assert "drills-me.sqlite3" in capsys.readouterr().err


def test_a_language_that_there_is_not_is_told(home):
    with pytest.raises(ValueError, match="en, zh, both"):
        session("de")


def test_each_learner_has_a_file_of_their_own(home, monkeypatch):
    mine = file_of()
    monkeypatch.setenv("WARPBOOK_LEARNER", "Ada / Byron")

    assert "drills-me.sqlite3" == mine.name
    assert "drills-Ada___Byron.sqlite3" == file_of().name


def test_the_widget_goes_from_question_to_mark_and_on(home):
    import ipywidgets

    box = session("en", "B7", seed=11)
    with Store(file_of()) as store:
        asked = []
        for _ in range(40):
            buttons = {each.description: each for each in inside(box) if isinstance(each, ipywidgets.Button)}
            if not buttons:
                break
            if "Show the points" in buttons:
                buttons["Show the points"].click()
                next(each for each in inside(box) if isinstance(each, ipywidgets.Checkbox)).value = True
                next(each for each in inside(box) if isinstance(each, ipywidgets.Button)).click()
            elif "Next" in buttons:
                buttons["Next"].click()
            else:
                fields = [each for each in inside(box) if isinstance(each, ipywidgets.Text)]
                if fields:
                    said = texts(box)
                    shown = "none" if "none if" in said else "abc" if "Letters" in said else "4"
                    fields[0].value = "a" if "The letter of the one" in said or "pick one" in said else shown
                    buttons["Answer"].click()
                    asked.append(fields[0].value)
                else:
                    buttons["Skip"].click()
        recorded = store.reviews()

    assert recorded
    assert "answered" in texts(box)


def inside(widget):
    """A widget and everything in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from inside(child)


def texts(widget) -> str:
    return " ".join(str(getattr(each, "value", "")) for each in inside(widget))


def test_a_sitting_of_the_widget_is_taken_up_by_the_terminal(home):
    session("en")
    with Store(file_of()) as store:
        again = sitting.begin(store)

        assert again.resumed
        assert kinds.solve(again.current())


def test_what_happens_in_a_notebook_is_what_the_next_sitting_asks(home, capsys):
    """A wrong answer, a hint and a missed prediction, by the calls that a learner types."""
    question = exercise("indexing.saxpy")
    answers = {answer.outcome: answer for answer in reversed(answers_for(question.exercise))}  # the last takes seconds
    question.predict(global_load_sectors_per_request=32)
    question.check(answers["Wrong"].function)
    question.hint()
    question.check(answers["Passed"].function)
    with Store(file_of()) as store:
        seen = [notice.what for notice in store.notices()]
        raised = [each.topic for each in progress_of(store, TODAY).topics if each.strength.raised]
        asked = [name.split(".")[0].upper() for name, _ in sitting.begin(store, seed=1).queue]
        candidates = {card.topic for card in sitting.candidates(store, ())}

    assert ["failed", "hint", "passed", "missed"] == seen
    assert list(question.exercise.topics) == raised
    assert set(raised) <= set(asked)
    assert "E8" not in candidates, "units not reached stay out"
