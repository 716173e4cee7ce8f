"""A launcher that waits serves one answer, and nobody is given one that has ended."""

import pytest

from autograder.classroom.sealed import launching
from tests.autograder.classroom.sealed import at_hand


@pytest.fixture(autouse=True)
def on_the_stand_in(monkeypatch):
    monkeypatch.setattr(launching, "Launcher", lambda *_: at_hand.launcher())
    yield
    launching.stop_waiting()


def test_the_one_that_waits_is_given_once():
    launching.start_ahead()
    launching.start_ahead()
    (waiting,) = launching._waiting

    with launching.fresh() as first, launching.fresh() as second:
        assert waiting is first
        assert first.hello() and second.hello()
        assert first.process.pid != second.process.pid
    assert [] == launching._waiting


def test_one_that_ended_while_it_waited_is_not_given():
    launching.start_ahead()
    (waiting,) = launching._waiting
    waiting.process.kill()
    waiting.process.wait()

    with launching.fresh() as given:
        assert given is not waiting and given.hello()


def test_who_wants_another_kind_is_not_given_the_one_that_waits():
    launching.start_ahead()

    with launching.fresh("stand-in", at_hand.command) as given:
        assert [given] != launching._waiting and 1 == len(launching._waiting)
