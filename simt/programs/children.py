"""What the children of a program launch: each writes it to a file of its own, and the parent tells it.

A forked child knows of the session. One that is started anew, as by multiprocessing's spawn, is given the folder.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol


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
    """The folder that children write to, from `open` to `close`. folder: the parent's, in a child started anew."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._read: dict[Path, int] = {}  # how far each file was read

    def open(self, session: Forked) -> None:
        """From now on a forked child begins its own account."""
        if self.folder is None:
            # no name that `autograder.machine.scratch` sweeps: nobody holds a lock on it
            self.folder = Path(tempfile.mkdtemp(prefix="warpbook-children-", dir=tempfile.gettempdir()))
        _waiting.add(session)

    def close(self, session: Forked) -> None:
        """The program has ended."""
        _waiting.discard(session)
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    def send(self, record: Any) -> None:
        """In a child: one thing that the parent is to tell."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError, pickle.PicklingError):  # the child's own work goes on
            text = pickle.dumps(record)
            with open(self.folder / str(os.getpid()), "ab") as file:
                file.write(text)

    def received(self) -> Iterator[Any]:
        """In the parent: what children have sent since the last time."""
        for path in sorted(self.folder.iterdir()) if self.folder is not None and self.folder.exists() else ():
            with open(path, "rb") as file:
                file.seek(self._read.get(path, 0))
                while True:
                    try:
                        record = pickle.load(file)
                    except (EOFError, pickle.UnpicklingError):  # the end, or a child that is writing, or was killed
                        break
                    self._read[path] = file.tell()
                    yield record
