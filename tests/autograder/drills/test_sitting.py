"""A sitting: what it asks, what an answer does, and that an interruption loses nothing."""

from __future__ import annotations

import random
import sqlite3
import threading
from datetime import UTC, datetime, timedelta

import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import AnswerError
from autograder.drills.learning import memory, sitting
from autograder.drills.learning.choose import choose, reached_topics
from autograder.drills.learning.sitting import AnsweredElsewhereError
from autograder.drills.learning.store import Notice, Store, StoreError

MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


class Clock:
    """A clock that a test turns."""

    def __init__(self, at: datetime = MONDAY):
        self.at = at

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "drills-test.sqlite3") as opened:
        yield opened


def test_a_right_answer_comes_back_days_later_and_a_wrong_one_the_day_after(store):
    clock = Clock()
    asked_now = sitting.begin(store, topics=("B7",), seed=1, clock=clock)
    asked = []
    while (question := asked_now.current()) is not None:
        right = len(asked) % 2 == 0
        numeric = question.entry in ("number", "numbers")
        typed = (
            kinds.solve(question) if right else ("0" if question.entry == "ticks" else "1234567" if numeric else "x")
        )
        try:
            mark = asked_now.answer(typed, 30)
        except AnswerError:
            asked_now.skip()
            continue
        asked.append((question.card.id, mark.right))
    known = sitting.known_of(store, clock.at)

    right = [name for name, was in asked if was]
    wrong = [name for name, was in asked if not was]
    assert right and wrong
    assert not any(memory.is_due(known.memories[name], clock.at + timedelta(days=1)) for name in right)
    assert all(memory.is_due(known.memories[name], clock.at + timedelta(days=1)) for name in wrong)


def test_an_interrupted_sitting_goes_on_where_it_was_with_the_same_values(store, tmp_path):
    clock = Clock()
    first = sitting.begin(store, clock=clock)
    question = first.current()
    first.answer(kinds.solve(question), 20)
    waiting = first.current()
    with Store(tmp_path / "drills-test.sqlite3") as again:  # the first is still open, as after a crash
        second = sitting.begin(again, clock=clock)

        assert second.resumed
        assert waiting.card.id == second.current().card.id
        assert waiting.values == second.current().values
        assert 1 == len(again.reviews())


def test_what_could_not_be_written_whole_is_not_written_at_all(store, monkeypatch):
    asked_now = sitting.begin(store, topics=("B7",), seed=3)
    question = asked_now.current()

    def fails(*_args, **_kwargs):
        raise sqlite3.OperationalError("disk full")

    monkeypatch.setattr(store, "save_session", fails)
    with pytest.raises(sqlite3.OperationalError):
        asked_now.answer(kinds.solve(question), 20)

    assert ([], {}) == (store.reviews(), store.memories())


def test_an_answer_may_come_from_another_thread_than_the_one_that_began(store):
    asked_now = sitting.begin(store, topics=("B7",), seed=3)
    typed = kinds.solve(asked_now.current())
    answering = threading.Thread(target=asked_now.answer, args=(typed, 20))
    answering.start()
    answering.join()

    assert 1 == len(store.reviews())


def test_an_answer_that_cannot_be_read_is_not_marked(store):
    asked_now = sitting.begin(store, topics=("B7",), seed=4)
    while asked_now.current().entry != "number":
        asked_now.skip()
    with pytest.raises(AnswerError):
        asked_now.answer("many", 5)

    assert [] == store.reviews()


def test_a_sitting_of_yesterday_is_not_taken_up(store):
    clock = Clock()
    sitting.begin(store, clock=clock)
    clock.at += timedelta(days=1)

    assert not sitting.begin(store, clock=clock).resumed


def test_units_not_reached_stay_out_unless_they_are_asked_for(store):
    store.add_notice(Notice(MONDAY, "indexing.saxpy", "02_indexing", ("A2",), "failed"))
    cards = sitting.candidates(store, ())
    topics = {card.topic for card in cards}

    assert "B7" in topics  # unit 02
    assert "B15" not in reached_topics(store.notices())
    assert {"B15"} == {card.topic for card in sitting.candidates(store, ("B15",))} or "B15" not in topics


def test_failed_checks_hints_and_missed_predictions_raise_their_topics(store):
    before = sitting.known_of(store, MONDAY).strengths.get("B7")
    for what in ("failed", "hint", "missed"):
        store.add_notice(Notice(MONDAY, "indexing.split_channels", "02_indexing", ("B7",), what))
    raised = sitting.known_of(store, MONDAY).strengths["B7"]

    assert before is None
    assert raised.weight > 3
    assert raised.target > 0.9


def test_a_raised_topic_is_asked_before_the_others(store):
    store.add_notice(Notice(MONDAY, "x", "", ("B7",), "failed"))
    known = sitting.known_of(store, MONDAY)
    chosen = choose(list(all_cards().values()), known, random.Random(0), seconds=120)

    assert "B7" in {card.topic for card in chosen}


def test_the_same_seed_asks_the_same_cards_with_the_same_values(tmp_path):
    asked = []
    for name in ("one", "two"):
        with Store(tmp_path / name) as store:
            asked.append(sitting.begin(store, topics=("B7",), seed=5).queue)

    assert asked[0] == asked[1]


def test_a_file_that_is_no_database_is_told_by_name(tmp_path):
    path = tmp_path / "drills-me.sqlite3"
    path.write_text("not a database, but a text that is long enough to look like a header of one" * 20)

    with pytest.raises(StoreError, match="is not a file of drills"):
        Store(path)


def test_a_file_of_a_newer_format_is_left_alone(tmp_path):
    path = tmp_path / "drills-me.sqlite3"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")

    with pytest.raises(StoreError, match="newer Warpbook"):
        Store(path)


@pytest.fixture
def windows(store, tmp_path):
    """The same sitting in two windows."""
    first = sitting.begin(store, topics=("B7",), seed=3)
    with Store(tmp_path / "drills-test.sqlite3") as other:
        yield first, sitting.begin(other)


def test_two_windows_on_one_sitting_ask_every_card_once(windows):
    one, other = windows
    shown = other.current()
    one.answer(kinds.solve(one.current()), 20)
    with pytest.raises(AnsweredElsewhereError):
        other.answer(kinds.solve(shown), 20)
    other.answer(kinds.solve(other.current()), 20)
    one.skip()  # of what the other window has answered meanwhile

    assert one.current().card.id == other.current().card.id
    asked = [review.card for review in one.store.reviews()]
    assert 2 == len(asked) == len(set(asked))


def test_a_sitting_that_ended_in_another_window_is_over_here_too(windows):
    one, other = windows
    other.current()
    while one.current() is not None:
        one.skip()

    assert other.current() is None
    assert one.store.unfinished(sitting.KIND) is None


def test_code_that_was_being_typed_is_there_after_an_interruption(store, tmp_path):
    first = sitting.begin(store, topics=("B15",), seed=1)
    while first.current().entry != "code":
        first.skip()
    first.keep_draft("v += 1\nw = 2")
    with Store(tmp_path / "drills-test.sqlite3") as again:
        second = sitting.begin(again)

        assert "v += 1\nw = 2" == second.draft
        second.skip()
        assert "" == second.draft


def test_a_new_sitting_ends_the_one_that_was_left(store):
    sitting.begin(store)
    new = sitting.begin(store, topics=("B7",), seed=3)
    while new.current() is not None:
        new.skip()

    assert store.unfinished(sitting.KIND) is None


def test_a_card_of_a_unit_not_reached_that_was_asked_for_once_comes_back_when_it_is_due(store):
    clock = Clock()
    store.add_notice(Notice(MONDAY, "indexing.saxpy", "02_indexing", ("A2",), "failed"))
    asked_for = sitting.begin(store, topics=("B15",), seed=1, clock=clock)
    card = asked_for.current().card
    asked_for.answer("0" if asked_for.current().entry == "ticks" else kinds.solve(asked_for.current()), 500)
    clock.at += timedelta(days=40)

    assert card in sitting.candidates(store, ())
    assert card.id in [name for name, _ in sitting.begin(store, clock=clock).queue]


def test_a_card_that_needs_a_later_unit_too_waits_for_it(store):
    store.add_notice(Notice(MONDAY, "indexing.saxpy", "02_indexing", ("A2",), "failed"))
    reached = set(reached_topics(store.notices()))

    assert all(set(card.topics) <= reached for card in sitting.candidates(store, ()))
