"""What the forked children of a program launch: each writes it to a file of its own, and the parent tells it.

A child that is started anew, as by multiprocessing's spawn, does not know of the session: that is said.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

STARTED_ANEW = tuple(f"multiprocessing.popen_{way}" for way in ("spawn_posix", "spawn_win32", "forkserver"))
NOT_SEEN = (
    "processes that the program started anew (multiprocessing's spawn or forkserver): they meet numba itself, and not "
    'the interpreter; with multiprocessing.get_context("fork") their launches are looked at, too'
)


class Forked(Protocol):
    """Who wants to know in a child that it is one."""

    def begin_in_child(self) -> None: ...


_waiting: weakref.WeakSet[Any] = weakref.WeakSet()


def _tell_child() -> None:
    for one in list(_waiting):
        one.begin_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_tell_child)


class Children:
    """The folder that children write to, from `open` to `close`."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._read: dict[Path, int] = {}  # how far each file was read
        self._before: set[str] = set()

    def open(self, session: Forked) -> None:
        """From now on a forked child begins its own account."""
        # no name that `autograder.machine.scratch` sweeps: nobody holds a lock on it
        self._folder = Path(tempfile.mkdtemp(prefix="warpbook-children-", dir=tempfile.gettempdir()))
        self._before = {name for name in STARTED_ANEW if name in sys.modules}
        _waiting.add(session)

    def close(self, session: Forked) -> None:
        """The program has ended."""
        _waiting.discard(session)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def send(self, record: Any) -> None:
        """In a child: one thing that the parent is to tell."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError, pickle.PicklingError):  # the child's own work goes on
            text = pickle.dumps(record)
            with open(self._folder / str(os.getpid()), "ab") as file:
                file.write(text)

    def received(self) -> Iterator[Any]:
        """In the parent: what children have sent since the last time."""
        for path in sorted(self._folder.iterdir()) if self._folder is not None and self._folder.exists() else ():
            with open(path, "rb") as file:
                file.seek(self._read.get(path, 0))
                while True:
                    try:
                        record = pickle.load(file)
                    except (EOFError, pickle.UnpicklingError):  # the end, or a child that is writing, or was killed
                        break
                    self._read[path] = file.tell()
                    yield record

    def remarks(self) -> list[str]:
        """What was not looked at."""
        started = any(name in sys.modules and name not in self._before for name in STARTED_ANEW)
        return [NOT_SEEN] if started else []
