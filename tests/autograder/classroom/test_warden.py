"""How a visit to the jail ended, and whose doing that was: a machine without room for it is no answer's mistake."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.classroom.jail import visit
from autograder.classroom.jail.inside import confine, warden
from autograder.classroom.messages import conversation
from tests.patience import PATIENCE_S


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


ALONE = """
import ctypes, os, sys, threading
sys.path.insert(0, sys.argv[1])
import confine
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(confine.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
confine.give_up(processes=False)
ways = {
    "fork": os.fork,
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "system": lambda: os.system("true") == 0 or os.fork(),
    "call": lambda: 0 <= libc.syscall(confine.NUMBERS[os.uname().machine][1].get("fork", -1)) or os.fork(),
}
for name, way in ways.items():
    try:
        way()
    except PermissionError:
        print(name, "is refused")
thread = threading.Thread(target=print, args=("a thread runs",))
thread.start()
thread.join()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a filter of Linux")
def test_an_answer_starts_no_process_on_any_kernel_and_has_its_threads():
    """The limit on processes is not heeded by all kernels, as in some sandboxes: there one answer took the machine."""
    folder = Path(confine.__file__).parent
    said = subprocess.run(
        [sys.executable, "-c", ALONE, str(folder)], capture_output=True, text=True, timeout=PATIENCE_S
    )

    refused = [f"{name} is refused" for name in ("fork", "spawn", "system", "call")]
    assert [*refused, "a thread runs"] == said.stdout.splitlines(), said.stderr


def test_a_jail_with_threads_without_end_is_ended(monkeypatch):
    monkeypatch.setattr(conversation, "MAX_TASKS", 0)

    with pytest.raises(conversation.JailError, match="threads at a time; 0 is the limit") as told:
        conversation.need_little(os.getpid())
    assert "too_much" == told.value.kind
