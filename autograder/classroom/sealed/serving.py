"""Whom a launcher serves: one answer, which it carries out and then times; or the course's own code, beside many.

A context with the driver takes long to make, and the GPUs of a machine wait for each other there. But a kernel can
reach all memory of its context, so no two answers meet in one.
"""

from __future__ import annotations

import atexit
import contextlib
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.classroom.sealed import gpu_jail, launching
from autograder.classroom.sealed.launching import BACK_S, START_S, Command, Launcher, LauncherError

MOST_SERVED = 200  # answers beside which one launcher of our own code serves; then another takes its place

_waiting: list[Launcher] = []  # at most one that was started before it is needed: it has served nobody yet


@atexit.register
def stop_waiting() -> None:
    """End the one that waits, and the one that launches our own code."""
    while _waiting:
        _waiting.pop().close()
    while _ours:
        _ours.popitem()[1].close()


def start_ahead() -> None:
    """Have a launcher waiting: Python and the driver take a second, in which the jail is at work on the answer.

    Where none can be started, whoever needs one is told.
    """
    if not _waiting:
        with contextlib.suppress(LauncherError, OSError):
            _waiting.append(launching.Launcher())


def fresh(mode: str | None = None, command: Command = gpu_jail.command) -> Launcher:
    """A launcher that has served nobody: the one that waits, where it is of this kind and still runs, or a new one."""
    if _waiting and mode in (None, _waiting[-1].mode) and command is gpu_jail.command:
        one = _waiting.pop()
        if one.process.poll() is None:
            return one
        one.close()
    return launching.Launcher(mode, command)


class Seat:
    """Where one answer's launcher stays while the answer is judged: from when this is entered as a context until that
    is left. Outside of it every block has a launcher of its own.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[str | None, Command, Launcher]] = []
        self._keeps = False

    def __enter__(self) -> Seat:
        self._keeps = True
        return self

    def __exit__(self, *_error: object) -> None:
        self._keeps = False
        while self._kept:
            self._kept.pop()[2].close()

    @contextmanager
    def lent(
        self, mode: str | None = None, command: Command = gpu_jail.command, keep: bool = True
    ) -> Iterator[Launcher]:
        """The launcher that served this answer before, or else one that has served nobody.

        keep: it goes on serving this answer where the block ends in good order. Otherwise it is gone.
        """
        launcher = self._taken(mode, command) or fresh(mode, command)
        with _ended_by_an_error(launcher):
            yield launcher
        if keep and self._keeps and launcher.process.poll() is None:
            self._kept.append((mode, command, launcher))
        else:
            launcher.close()

    def _taken(self, mode: str | None, command: Command) -> Launcher | None:
        while self._kept:
            of_mode, of_command, launcher = self._kept.pop()
            if (of_mode, of_command) == (mode, command) and launcher.process.poll() is None:
                return launcher
            launcher.close()
        return None


_ours: dict[tuple[str, Command], Launcher] = {}  # at most one


@contextmanager
def our_own(mode: str | None = None, command: Command = gpu_jail.command) -> Iterator[Launcher]:
    """A launcher that is given the course's own code and nothing of an answer's, so it serves beside many answers.

    It is gone after an error, after MOST_SERVED answers, or where it does not carry out a launch first.
    """
    key = mode or launching.usable_mode(), command
    launcher = _that_lives(key) or launching.Launcher(*key)
    with _ended_by_an_error(launcher):
        yield launcher
    launcher.served += 1
    with contextlib.suppress(LauncherError):
        if launcher.served < MOST_SERVED and launcher.process.poll() is None:
            launcher.ask({"do": "memory", "buffers": [], "sets": 0}, START_S)  # the GPU's goes back meanwhile
            _ours[key] = launcher
            return
    launcher.close()


def _that_lives(key: tuple[str, Command]) -> Launcher | None:
    """The one of our own that is of this kind and carries out a launch; any other is gone."""
    for of_key in list(_ours):
        launcher = _ours.pop(of_key)
        with contextlib.suppress(LauncherError):
            if of_key == key and launcher.ask({"do": "canary"}, BACK_S)["done"]:
                return launcher
        launcher.close()
    return None


@contextmanager
def _ended_by_an_error(launcher: Launcher) -> Iterator[None]:
    try:
        yield
    except BaseException:
        launcher.close()
        raise
