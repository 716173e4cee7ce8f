"""A launcher serves one answer, the one of our own code many; and nobody is given one that has ended."""

import signal

import pytest

from autograder.classroom.sealed import carried, launching, serving
from autograder.classroom.sealed.launching import LauncherError
from autograder.classroom.sealed.serving import Seat
from tests.autograder.classroom.sealed import at_hand


@pytest.fixture(autouse=True)
def on_the_stand_in(monkeypatch):
    monkeypatch.setattr(launching, "Launcher", lambda *_: at_hand.launcher())
    monkeypatch.setattr(launching, "usable_mode", lambda: "stand-in")
    yield
    serving.stop_waiting()


def test_the_one_that_waits_is_given_once():
    serving.start_ahead()
    serving.start_ahead()
    (waiting,) = serving._waiting

    with serving.fresh() as first, serving.fresh() as second:
        assert waiting is first
        assert first.hello() and second.hello()
        assert first.process.pid != second.process.pid
    assert [] == serving._waiting


def test_one_that_ended_while_it_waited_is_not_given():
    serving.start_ahead()
    (waiting,) = serving._waiting
    waiting.process.kill()
    waiting.process.wait()

    with serving.fresh() as given:
        assert given is not waiting and given.hello()


def test_who_wants_another_kind_is_not_given_the_one_that_waits():
    serving.start_ahead()

    with serving.fresh("stand-in", at_hand.command) as given:
        assert [given] != serving._waiting and 1 == len(serving._waiting)


def test_what_judged_an_answer_right_times_it_too_and_serves_nobody_else():
    with Seat() as seat:
        with seat.lent() as judging:
            assert judging.hello()
        with seat.lent(keep=False) as timing:
            assert timing is judging
        assert judging.process.poll() is not None
    with Seat() as of_another, of_another.lent() as given:
        assert given is not judging


def test_an_answers_launcher_is_gone_when_the_answer_is_judged_or_something_failed():
    with Seat() as seat:
        with pytest.raises(LauncherError), seat.lent() as failed:
            raise LauncherError("died", "as it likes")
        with seat.lent() as judging:
            assert judging is not failed and judging.hello()
    assert failed.process.poll() is not None and judging.process.poll() is not None
    with seat.lent() as outside:
        assert outside.hello()
    assert outside.process.poll() is not None


def test_the_launcher_of_our_own_code_stays_without_anything_of_the_plans_before():
    with serving.our_own() as first:
        bench = carried.Bench(first, {"reference": at_hand.adding()})
        bench.put(0, at_hand.values())
        assert bench.once("reference").damaged == ()
    with serving.our_own() as second:
        assert second is first
        with pytest.raises(LauncherError) as caught:
            bench.once("reference")
        assert "refused" == caught.value.kind and "reference" in str(caught.value)


@pytest.mark.parametrize("ends", ["killed", "stopped", "served enough", "failed"])
def test_another_takes_the_place_of_one_of_our_own_that_is_not_as_it_was(ends, monkeypatch):
    monkeypatch.setattr(serving, "MOST_SERVED", 1 if ends == "served enough" else 9)
    monkeypatch.setattr(serving, "BACK_S", 0.3)
    try:
        with serving.our_own() as first:
            assert first.hello()
            if ends == "failed":
                raise LauncherError("machine", "whatever the driver says")
    except LauncherError:
        pass
    if ends in ("killed", "stopped"):
        first.process.send_signal({"killed": signal.SIGKILL, "stopped": signal.SIGSTOP}[ends])

    with serving.our_own() as second:
        assert second is not first and second.hello()
    assert first.process.poll() is not None
