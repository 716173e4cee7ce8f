"""One grading run at a time writes into a folder. The lock ends with its process, however that ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILE = ".grading"


class InUse(RuntimeError):
    """Another run writes into this folder; the message says which."""


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder, which is made where it is missing. Raises: InUse; OSError where it cannot be written."""
    import fcntl  # missing on Windows, where no class is graded

    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 100).decode("ascii", "replace").strip() or "unknown"
            raise InUse(
                f"Another run (process {holder}) is grading into {folder}. Wait until it ends, or pass another --out."
            ) from None
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)
