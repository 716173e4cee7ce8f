"""Visits to the jail: a socket to a fresh copy of its warden, and what comes back on it, within limits.

One warm jail a process stays ready. Visits do not share anything there, so one that an answer ended, or that said what
is no reply, leaves it as it was. One that is still there, or was killed, ends the jail, and the next makes another.
"""

from __future__ import annotations

import atexit
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from autograder.classroom.jail import namespaces as jail
from autograder.classroom.messages import conversation, frames
from autograder.classroom.messages.conversation import JailError

WARDEN = Path(__file__).with_name("inside") / "warden.py"
READY = b"ready"  # what it says, without the line's end
NOT_MADE = 100  # how it ends that the machine had no room for: the warden's own word, see there
KILLED = 128 + 9  # how a process ends that SIGKILL ended
T = TypeVar("T")
START_S = 90.0  # a cold disk may take this long to import numba
END_S, SOON_S = 10.0, 1.0  # what a visit may take to end, when it was done and when it said what is no reply
ASLEEP_S = 5.0  # that a visit may wait in all while we wait for it; the course's own answers do not
LONGEST_LOOK_S = 1.0  # between two looks at its processes
HELD_UP = 10  # times what it may compute: by then the machine has stopped it, since sleep ends sooner
ENDED_BY_AN_ANSWER = ("died", "forged")  # a JailError's kind
MOST_SAID, MOST_REASON = 64 << 10, 300  # bytes of why a jail did not start, and characters of them that are told


class _Jail:
    """A jail with everything imported, ready to serve answers."""

    def __init__(self):
        self.stack = ExitStack()
        self.control, theirs = socket.socketpair()
        arguments = [str(WARDEN), str(jail.PROJECT)]
        with theirs:
            self.process = self.stack.enter_context(jail.running(arguments, [], theirs.fileno(), warden=True))
        self.ready = False

    def open(self) -> socket.socket:
        """A channel to a fresh copy of the process. Raises JailError."""
        try:
            if not self.ready:
                self.ready = self._line(START_S) == READY
            ours, theirs = socket.socketpair()
            with theirs:
                socket.send_fds(self.control, [b"a"], [theirs.fileno()])
        except OSError:
            raise JailError("killed", "The jail is gone.") from None
        except JailError as error:  # nobody's answer was there yet
            reason = error.said.strip().rpartition("\n")[2][:MOST_REASON]
            kind = "not_started" if reason else "killed"
            raise JailError(kind, f"The jail did not start. {reason or error}", error.said) from None
        return ours

    def ending(self, seconds: float) -> int:
        """How the copy that served an answer ended, in time: its code; -1 where it still runs.

        KILLED where it was killed, or the whole jail was. Nothing inside can do that: it is the first process of its
        namespace, and to such a one the kernel delivers no SIGKILL from within.
        """
        try:
            return int(self._line(seconds))
        except JailError as error:
            return KILLED if error.kind == "died" else -1
        except ValueError:
            return -1

    def _line(self, seconds: float) -> bytes:
        deadline, said = time.monotonic() + seconds, b""
        while not said.endswith(b"\n"):
            self.control.settimeout(max(deadline - time.monotonic(), 0.01))
            try:
                got = self.control.recv(100)
            except TimeoutError:
                raise JailError("timed_out", f"The jail did not answer within {seconds:g} s.") from None
            if not got:
                raise JailError("died", "The jail ended.", self._last_words())
            said += got
        return said[:-1]

    def _last_words(self) -> str:
        self.process.wait(5)
        return self.process.stderr.read(MOST_SAID).decode("utf-8", "replace")

    def close(self) -> None:
        self.control.close()
        self.stack.close()


def tried_again(attempt: Callable[[], T]) -> T:
    """What an attempt gives, made again where the jail died soon, once, or was killed, twice: perhaps it was this
    machine's doing. Raises the last JailError.
    """
    left = {"died": 1, "killed": 2}
    while True:
        try:
            return attempt()
        except JailError as error:
            if not left.get(error.kind) or error.kind == "died" and error.worked_s > SOON_S:
                raise
            left[error.kind] -= 1


_ready: list[_Jail] = []  # at most one, warm


@atexit.register
def stop() -> None:
    """End the warm jail; the next answer makes another."""
    while _ready:
        _ready.pop().close()


class _Watched:
    """What the processes of a visit do while an answer is waited for: how long they computed, and how long they slept.

    Both are the answer's own on a machine however busy, since who waits for a processor is not asleep.
    """

    def __init__(self, pid: int):
        self.pid, self.worked_s, self.asleep_s = pid, 0.0, 0.0
        self._computed_s, _ = conversation.tree_at_work(pid)

    def begin(self, most_s: float) -> Callable[[], None]:
        """What to call a few times a second from now on. most_s: that may be computed. It raises JailError."""
        end_s, self._looked = self.worked_s + most_s, time.monotonic()

        def look() -> None:
            conversation.need_little(self.pid)
            self._look()
            if self.worked_s > end_s:
                raise JailError("timed_out", f"It computed for {most_s:g} s without an answer.")
            if self.asleep_s > ASLEEP_S:
                raise JailError("asleep", f"It waited for {ASLEEP_S:g} s in all and computed nothing.")

        return look

    def _look(self) -> None:
        now, (computed_s, busy) = time.monotonic(), conversation.tree_at_work(self.pid)
        worked_s = max(computed_s - self._computed_s, 0.0)
        passed_s = min(now - self._looked, LONGEST_LOOK_S)  # more is a pause of this process, not of theirs
        self.worked_s += worked_s
        self.asleep_s += 0.0 if busy else max(passed_s - worked_s, 0.0)
        self._computed_s, self._looked = computed_s, now


class Visit:
    """One visit. Use as a context; raises JailError where no jail can be made."""

    def __init__(self):
        self.jail = _ready.pop() if _ready else _Jail()
        self._ending: int | None = None
        self._watched: _Watched | None = None

    def __enter__(self) -> Visit:
        try:
            self.channel = self.jail.open()
        except BaseException:
            self.jail.close()
            raise
        return self

    def __exit__(self, kind, error, _trace) -> None:
        """Keep the jail where the visit has ended by itself; else it goes, with all that is in it."""
        self.channel.close()
        seconds = END_S if not isinstance(error, JailError) else SOON_S if error.kind in ENDED_BY_AN_ANSWER else 0
        if seconds and self._ended(seconds) in range(KILLED) and not _ready:
            _ready.append(self.jail)
        else:
            self.jail.close()

    @property
    def worked_s(self) -> float:
        """For how long it computed, as far as that was counted."""
        return self._watched.worked_s if self._watched else 0.0

    def _ended(self, seconds: float) -> int:
        """How it ended, as the jail says once."""
        if self._ending is None:
            self._ending = self.jail.ending(seconds)
        return self._ending

    def ask(
        self,
        document: dict[str, Any],
        arrays: dict[str, np.ndarray] | None = None,
        seconds: float = 60.0,
        most_bytes: int = 0,
    ) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """The reply to a message. seconds: that may be computed for it, however busy the machine; most_bytes: of the
        arrays in the reply. Raises JailError.
        """
        self._watched = self._watched or _Watched(self.jail.process.pid)
        watch, held_up_s = self._watched.begin(seconds), START_S + HELD_UP * seconds
        try:
            frames.send(self.channel, document, arrays, held_up_s, watch)
            return frames.receive(self.channel, held_up_s, watch, most_bytes, from_a_jail=True)
        except frames.TooLate:
            raise JailError("killed", f"The machine held it up for {held_up_s:g} s.") from None
        except frames.Closed:
            kind = "killed" if self._ended(END_S) in (KILLED, NOT_MADE) else "died"
            worked_s = self._watched.worked_s + self._watched.asleep_s
            raise JailError(kind, "It ended before it was done.", worked_s=worked_s) from None
        except frames.FrameError as problem:
            raise JailError("forged", f"It did not answer as it should: {problem}.") from None
