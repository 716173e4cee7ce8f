"""What a host function times with events: how often, and what lies between the two marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from simt.cuda_api.host_events import HostListener, names_no_stream
from simt.cuda_api.host_memory import HostAndDeviceArray

COUNTERS = {
    "timings": "times asked for between two events",
    "timed_launches": "most kernels between the two events of one timing",
    "fewest_timed_launches": "fewest kernels between the two events of one timing",
    "timed_copies": "copies between host and device that lie within timings",
    "timed_compilations": "timings that hold the first launch of a kernel, which compiles it",
    "timed_host_waits": "times that the host waits, or asks for new memory, within timings",
    "fewest_timed_elements": "elements that the timed launches have threads and arrays for, in the timing of fewest",
}
KEPT = "timings_kept"  # timings whose milliseconds stand in an array of the caller when the function returns
TOLD_MS, APART_MS = 0.8203125, 0.0078125  # that a program is told of its first timing, and more of each later one
COPY, HOST = "copy", "host"


@dataclass(frozen=True)
class _Call:
    """What lies between events: a copy, a wait or new memory of the host, or a launch.

    elements: that a launch has a thread and a place in every array for; first: whether it compiles its kernel.
    """

    what: str = "launch"
    stream: Any = 0
    first: bool = False
    elements: int = 0


class Timings(HostListener):
    """Follows events in the order of the host's calls."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._marks: dict[int, tuple[Any, int, Any]] = {}  # by id of an event: it, calls that came before, its stream
        self._launched: list[Any] = []
        self._spans: list[list[_Call]] = []
        self._told: list[float] = []

    @property
    def counts(self) -> dict[str, int]:
        """By the names of COUNTERS."""
        launched = [[call for call in span if call.what == "launch"] for span in self._spans]
        launches = [len(calls) for calls in launched]
        elements = [max((call.elements for call in calls), default=0) for calls in launched]
        return {
            "timings": len(self._spans),
            "timed_launches": max(launches, default=0),
            "fewest_timed_launches": min(launches, default=0),
            "timed_copies": sum(call.what == COPY for span in self._spans for call in span),
            "timed_compilations": sum(any(call.first for call in calls) for calls in launched),
            "timed_host_waits": sum(call.what == HOST for span in self._spans for call in span),
            "fewest_timed_elements": min(elements, default=0),
        }

    def kept_in(self, arrays: Iterable[np.ndarray]) -> dict[str, int]:
        """How many of the times that the program was told stand in one of these arrays, as they were told."""
        kept = (np.isin(np.array(self._told, one.dtype), one).sum() for one in arrays if one.dtype.kind == "f")
        return {KEPT: int(max(kept, default=0))}

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        self._calls.append(_Call(COPY, stream))

    def allocates(self, array: np.ndarray) -> None:
        self._calls.append(_Call(HOST))

    def synchronizes(self, stream: Any) -> None:
        self._calls.append(_Call(HOST))

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        self._calls += [_Call(COPY, stream) for _ in _handed_over(args)]  # which numba copies up, and down again
        is_new = not any(known is kernel for known in self._launched)
        self._launched += [kernel] if is_new else []
        sizes = [one.size for one in args if getattr(one, "ndim", 0)]  # np.ndim would touch managed memory
        elements = min([int(np.prod(grid)) * int(np.prod(block)), *sizes])
        self._calls.append(_Call(stream=stream, first=is_new, elements=elements))

    def event(self, action: str, event: Any, stream: Any = None) -> None:
        if action == "record":
            self._marks[id(event)] = event, len(self._calls), stream
        elif action == "synchronize":
            self._calls.append(_Call(HOST))

    def elapsed(self, start: Any, end: Any) -> float:
        """No two timings are told the same, so that what becomes of each can be seen."""
        marks = [self._marks.get(id(event)) for event in (start, end)]
        if all(mark is not None for mark in marks):
            begins, ends = (mark[1] for mark in marks if mark is not None)
            streams = [mark[2] for mark in marks if mark is not None]
            calls = self._calls[begins:ends]
            self._spans.append([call for call in calls if all(_in_order(call.stream, one) for one in streams)])
        self._told.append(TOLD_MS + APART_MS * len(self._told))
        return self._told[-1]


def _in_order(stream: Any, other: Any) -> bool:
    """Whether two streams are one, or one of them is the default stream, which waits for all."""
    streams = (stream, other)
    either = any(names_no_stream(one) or getattr(one, "is_default", False) for one in streams)
    return either or stream is other or getattr(stream, "handle", stream) == getattr(other, "handle", other)


def _handed_over(args: tuple) -> Iterator[np.ndarray]:
    """NumPy arrays among the arguments of a launch."""
    return (one for one in args if isinstance(one, np.ndarray) and not isinstance(one, HostAndDeviceArray))
