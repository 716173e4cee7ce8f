"""Folders in the temporary directory that go with the process that made them, however that ends.

Such a folder is locked as long as its process lives. One that nobody holds was left by a process that was killed, and
the next process that makes one removes it: only folders named like these, of the same user.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import tempfile
import threading
import weakref
from collections.abc import Iterator
from functools import cache
from types import FrameType

try:
    import fcntl
except ImportError:  # Windows: nothing is locked, so nothing is swept
    fcntl = None  # type: ignore[assignment]

NAME = re.compile(r"warpbook\.[a-z]+\.[a-z0-9_]{8}")  # of a folder that keeps to this protocol
TERMINATED = 128 + signal.SIGTERM  # what a shell says of a process that SIGTERM ended


class Terminated(SystemExit):
    """SIGTERM came."""


class ScratchFolder:
    """An empty folder, and its path as `name`. As a context it yields the path, and is gone afterwards.

    kind: what it is for, as one word of small letters: "jail".
    """

    def __init__(self, kind: str):
        sweep_once()
        self.name, lock = _made(kind)
        self._removal = weakref.finalize(self, _remove, self.name, lock, os.getpid())

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *_error: object) -> None:
        self.cleanup()

    def cleanup(self) -> None:
        """Remove it and all that is in it, if it is still there."""
        self._removal()

    def keep(self) -> None:
        """Leave it for somebody to look at; it is swept once this process is gone."""
        self._removal.detach()


@contextlib.contextmanager
def temporary_files_in(folder: str) -> Iterator[None]:
    """While the block runs, what this process makes in the temporary folder it makes in this one: for libraries that
    leave files there."""
    before, tempfile.tempdir = tempfile.tempdir, folder
    try:
        yield
    finally:
        tempfile.tempdir = before


@cache
def sweep_once() -> None:
    """Remove what killed processes left, at most once per process."""
    sweep(tempfile.gettempdir())


def sweep(place: str) -> list[str]:
    """Remove folders of this user in `place` whose process is gone. Returns: their names, sorted."""
    if fcntl is None:
        return []
    with os.scandir(place) as entries:
        named = [entry.path for entry in entries if NAME.fullmatch(entry.name)]
    return sorted(os.path.basename(path) for path in named if _is_left(path))


def leave_in_order() -> None:
    """Let SIGTERM end this process as an exit does, so that whatever is open is closed. Called by main programs."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _exit)


def _exit(_number: int, _frame: FrameType | None) -> None:
    raise Terminated(TERMINATED)


def _made(kind: str) -> tuple[str, int]:
    """A new folder and the descriptor that holds its lock, -1 where there are no locks."""
    while True:
        path = tempfile.mkdtemp(prefix=f"warpbook.{kind}.")
        if fcntl is None:
            return path, -1
        with contextlib.suppress(FileNotFoundError):  # somebody swept it before it was locked
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.path.isdir(path):
                return path, lock
            os.close(lock)


def _is_left(path: str) -> bool:
    """Remove a folder that belongs to this user and to no process; whether it was one."""
    try:
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:  # another user's, no folder, or gone meanwhile
        return False
    try:
        if os.fstat(lock).st_uid != os.getuid():
            return False
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
    except OSError:  # its process is alive
        return False
    finally:
        os.close(lock)
    return True


def _remove(path: str, lock: int, owner: int) -> None:
    """What ends a folder. owner: the process that made it; one that was forked from it leaves it alone."""
    if os.getpid() == owner:
        shutil.rmtree(path, ignore_errors=True)
    if lock >= 0:
        os.close(lock)
