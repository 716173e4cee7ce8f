"""The compiler in a thread of its own, beside the interpreter. Who does not need its answer need not wait for it."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Made = TypeVar("Made")


class _Readers:
    """How many threads read source beside the main one; while any does, no garbage is collected.

    Until 3.12, `ast.parse` counts its depth in one place for all threads. A collection in the midst of it runs Python
    code, which may let the other thread parse: then both raise SystemError. Memory is freed meanwhile by its counts.
    """

    def __init__(self) -> None:
        self._count, self._collected_before, self._lock = 0, True, threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            if not self._count:
                self._collected_before = gc.isenabled()
                gc.disable()
            self._count += 1

    def __exit__(self, *_error: object) -> None:
        with self._lock:
            self._count -= 1
            if not self._count and self._collected_before:
                gc.enable()


_readers = _Readers()


def beside(task: Callable[[], Made]) -> Future[Made]:
    """Begin a task that reads source, and go on at once. It ends in its own time, even when nobody asks for it."""
    _readers.__enter__()

    def run() -> Made:
        try:
            return task()
        finally:
            _readers.__exit__()  # before anybody hears of the result

    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(run)
    except RuntimeError:  # no thread can be started: as this process ends, or in a browser
        _readers.__exit__()
        raise
    finally:
        pool.shutdown(wait=False)
