"""Streams and events. Everything is finished when a call returns; nothing is timed."""

from __future__ import annotations

import contextlib
import math

NOT_MEASURED = "Time is not measured here: there is no GPU, kernels run in the interpreter."
_said = False


class Stream:
    """A queue whose work is always done already."""

    handle = 0

    def synchronize(self) -> None:
        """Nothing is pending."""

    def async_done(self):
        """An awaitable that is done: resolves when the stream's work has finished."""
        import asyncio

        future = asyncio.get_running_loop().create_future()
        future.set_result(self)
        return future

    def add_callback(self, callback, arg=None) -> None:
        """Call at once: ``callback(stream, status, arg)``."""
        callback(self, 0, arg)

    @contextlib.contextmanager
    def auto_synchronize(self):
        """``with stream.auto_synchronize():`` waits at the end; here there is nothing to wait for."""
        yield self

    def __int__(self) -> int:
        return self.handle


class Event:
    """A mark in a stream, without a time."""

    def __init__(self, timing: bool = True):
        self.timing = timing

    def record(self, stream=0) -> None:
        """Everything before is done already."""

    def synchronize(self) -> None:
        """Nothing is pending."""

    def wait(self, stream=0) -> None:
        """Nothing is pending."""

    def query(self) -> bool:
        return True

    def elapsed_time(self, evtend: Event) -> float:
        """NaN, and a line that says why, once."""
        return event_elapsed_time(self, evtend)


def event_elapsed_time(evtstart: Event, evtend: Event) -> float:
    """Milliseconds between two events: NaN here. Prints once that time is not measured."""
    global _said
    if not _said:
        print(NOT_MEASURED)
        _said = True
    return math.nan


_DEFAULT = Stream()


def stream() -> Stream:
    """A new stream."""
    return Stream()


def default_stream() -> Stream:
    """The default stream."""
    return _DEFAULT


def external_stream(ptr: int) -> Stream:
    """A stream made elsewhere."""
    return Stream()


def event(timing: bool = True) -> Event:
    """A new event."""
    return Event(timing)


def synchronize() -> None:
    """Nothing is pending."""


@contextlib.contextmanager
def pinned(*arrays):
    """``with cuda.pinned(a, b):``; pinning has no effect here."""
    yield


@contextlib.contextmanager
def mapped(*arrays, **options):
    """``with cuda.mapped(a) as d:`` gives arrays that kernels can use."""
    yield arrays[0] if len(arrays) == 1 else arrays


@contextlib.contextmanager
def defer_cleanup():
    """Memory is freed by Python."""
    yield


@contextlib.contextmanager
def profiling():
    """``with cuda.profiling():``; there is no profiler to steer."""
    yield
