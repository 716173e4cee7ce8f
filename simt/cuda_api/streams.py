"""Streams and events. Everything is finished when a call returns; nothing is timed."""

from __future__ import annotations

import contextlib
import itertools
from weakref import WeakValueDictionary

import numpy as np

from simt.cuda_api import host_events
from simt.cuda_api.host_memory import HostAndDeviceArray
from simt.cuda_api.in_words import class_in_words, shown_value
from simt.values.unasked import is_a

NOT_MEASURED = "Time is not measured here: this kernel runs in the interpreter."
NO_TIME = "An event made with timing=False keeps no time, so the driver refuses to tell one. Write cuda.event()."
_said = False


LEGACY, PER_THREAD = 1, 2  # what the driver calls the two default streams
_handles = itertools.count(0x10000)


@class_in_words("stream")
class Stream:
    """A queue whose work is always done already. Who listens is told what a GPU would have had to wait for.

    is_default: whether it is the default stream by another name, which waits for all others, and they for it.
    """

    is_default = False

    def __init__(self, handle: int | None = None):
        self.handle = next(_handles) if handle is None else handle

    def synchronize(self) -> None:
        """Nothing is pending."""
        host_events.tell("synchronizes", self)

    def async_done(self):
        """An awaitable that is done: resolves when the stream's work has finished."""
        import asyncio

        host_events.tell("synchronizes", self)  # which is right at `await`; nobody waits for it anywhere else
        future = asyncio.get_running_loop().create_future()
        future.set_result(self)
        return future

    def add_callback(self, callback, arg=None) -> None:
        """Call at once: ``callback(stream, status, arg)``."""
        host_events.tell("callback_begins", self)
        try:
            callback(self, 0, arg)
        finally:
            host_events.tell("callback_ends", self)

    @contextlib.contextmanager
    def auto_synchronize(self):
        """``with stream.auto_synchronize():`` waits at the end; here there is nothing to wait for."""
        yield self
        self.synchronize()

    def __int__(self) -> int:
        return self.handle

    def __repr__(self) -> str:
        return f"<CUDA stream {self.handle}>"


@class_in_words("event")
class Event:
    """A mark in a stream, without a time."""

    def __init__(self, timing: bool = True):
        self.timing = timing

    def record(self, stream=0) -> None:
        """Everything before is done already."""
        host_events.tell("event", "record", self, stream)

    def synchronize(self) -> None:
        """Nothing is pending."""
        host_events.tell("event", "synchronize", self)

    def wait(self, stream=0) -> None:
        """Nothing is pending."""
        host_events.tell("event", "wait", self, stream)

    def query(self) -> bool:
        """True: everything is done. False where who watches says that a GPU may not have come so far yet."""
        host_events.tell("event", "query", self)
        return host_events.is_done(self)

    def elapsed_time(self, evtend: Event) -> float:
        """NaN, and a line that says why, once."""
        return event_elapsed_time(self, evtend)


def event_elapsed_time(evtstart: Event, evtend: Event) -> float:
    """Milliseconds between two events: NaN here, unless somebody watches who tells another number. Prints once that
    time is not measured, unless somebody watches."""
    global _said
    if not (evtstart.timing and evtend.timing):
        raise ValueError(NO_TIME)
    told = host_events.milliseconds(evtstart, evtend)
    if not _said and not host_events.somebody_listens():
        print(NOT_MEASURED)
        _said = True
    return told


_DEFAULT, _PER_THREAD = Stream(0), Stream(PER_THREAD)
_DEFAULT.is_default = True
_known: WeakValueDictionary[int, Stream] = WeakValueDictionary({0: _DEFAULT, LEGACY: _DEFAULT, PER_THREAD: _PER_THREAD})


def stream() -> Stream:
    """A new stream."""
    made = Stream()
    _known[made.handle] = made
    return made


def default_stream() -> Stream:
    """The default stream."""
    return _DEFAULT


def external_stream(ptr: int) -> Stream:
    """The stream with this handle, made here or elsewhere."""
    handle = int(ptr)
    return _known.setdefault(handle, Stream(handle))


def event(timing: bool = True) -> Event:
    """A new event."""
    return Event(timing)


def synchronize() -> None:
    """Nothing is pending."""
    host_events.tell("synchronizes", None)


@contextlib.contextmanager
def pinned(*arrays):
    """``with cuda.pinned(a, b):``; pinning has no effect here, but on what counts as a copy that is waited for."""
    _check_arrays(arrays, "pinned")
    host_events.tell("pins", arrays)
    with _until_left(arrays):
        yield


@contextlib.contextmanager
def mapped(*arrays, **options):
    """``with cuda.mapped(a) as d:`` gives arrays over the same memory, which kernels read and write across the bus."""
    _check_arrays(arrays, "mapped")
    views = [host_events.made(np.asarray(array).view(HostAndDeviceArray), "mapped") for array in arrays]
    with _until_left(arrays):
        yield views[0] if len(views) == 1 else views


def _check_arrays(arrays: tuple, name: str) -> None:
    """Raises: TypeError for what is no array."""
    for one in arrays:
        if not is_a(one, np.ndarray):
            raise TypeError(f"cuda.{name} takes arrays of NumPy's, and {shown_value(one)} is none. Make it one before.")


@contextlib.contextmanager
def _until_left(arrays):
    """Unpinned at the end. An exception is what is wrong then: it kept the program from waiting for its copies."""
    try:
        yield
    except BaseException:
        host_events.tell("synchronizes", None)
        raise
    finally:
        host_events.tell("unpins", arrays)


@contextlib.contextmanager
def defer_cleanup():
    """Memory is freed by Python."""
    yield


@contextlib.contextmanager
def profiling():
    """``with cuda.profiling():``; there is no profiler to steer."""
    yield


def legacy_default_stream() -> Stream:
    """The default stream."""
    return _DEFAULT


def per_thread_default_stream() -> Stream:
    """The stream of this thread, which is ordered with the default stream as any other is."""
    return _PER_THREAD


def profile_start() -> None:
    """There is no profiler to steer."""


def profile_stop() -> None:
    """There is no profiler to steer."""
