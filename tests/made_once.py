"""What several workers of pytest-xdist need and one of them makes."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeVar

try:
    import fcntl
except ImportError:  # Windows: each worker makes its own
    fcntl = None  # type: ignore[assignment]

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


def made_once(name: str, makers: dict[Key, Callable[[], Thing]]) -> dict[Key, Thing]:
    """What each maker makes, by its key. Workers share it through files of this run's own temporary folder.

    name: of these makers, the same in every worker, as their keys and the order of these are. What a maker makes can be
    pickled. While one worker makes a thing, another makes the next, and waits at the end for those that are not there.
    """
    if fcntl is None or "PYTEST_XDIST_WORKER" not in os.environ:
        return {key: make() for key, make in makers.items()}
    folder = Path(tempfile.gettempdir(), "made_once", name)
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for wait in (False, True):
        for number, (key, make) in enumerate(makers.items()):
            if key not in found and (kept := _kept(folder / str(number), make, wait)):
                (found[key],) = kept
    return {key: found[key] for key in makers}


def _kept(path: Path, make: Callable[[], Thing], wait: bool) -> list[Thing]:
    """What lies in this file, made now if nothing does yet; nothing where another worker makes it, and none waits."""
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return []
        file.seek(0)
        if kept := file.read():
            return [pickle.loads(kept)]
        thing = make()
        file.write(pickle.dumps(thing))
        return [thing]
