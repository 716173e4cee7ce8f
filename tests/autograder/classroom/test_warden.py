"""How a visit to the jail ended, and whose doing that was: a machine without room for it is no answer's mistake."""

import os
import socket

import pytest

from autograder.classroom.jail import visit
from autograder.classroom.jail.inside import confine, warden


@pytest.fixture
def open_jail(monkeypatch):
    """A warden that can make no jail here and needs none: what an answer does is what a test says."""
    for name in ("leave_the_others", "lose_all_power", "give_up"):
        monkeypatch.setattr(confine, name, lambda **_options: None)
    monkeypatch.setattr(confine, "own_folder", lambda path: None)

    def ends(serve, **patches) -> int:
        monkeypatch.setattr(warden, "_serve", serve)
        for name, value in patches.items():
            monkeypatch.setattr(confine, name, value)
        control, other = socket.socketpair()
        with control, other:
            return warden._apart(control, os.dup(other.fileno()))

    return ends


def no_room(*_arguments, **_options) -> None:
    raise OSError(11, "Resource temporarily unavailable")


@pytest.mark.parametrize("step", ["leave_the_others", "own_folder", "lose_all_power", "give_up"])
def test_a_jail_that_the_machine_has_no_room_for_is_nobodys_mistake(open_jail, step):
    assert warden.NOT_MADE == open_jail(lambda descriptor: None, **{step: no_room}) == visit.NOT_MADE


def test_no_answer_can_say_that_there_was_no_room_for_it_or_that_somebody_killed_it(open_jail):
    assert 1 == open_jail(lambda descriptor: os._exit(warden.NOT_MADE))
    assert 1 == open_jail(lambda descriptor: os._exit(visit.KILLED))
    assert visit.KILLED == open_jail(lambda descriptor: os.kill(os.getpid(), 9))
    assert 7 == open_jail(lambda descriptor: os._exit(7))
    assert 0 == open_jail(lambda descriptor: None)
