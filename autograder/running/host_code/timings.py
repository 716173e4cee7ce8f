"""What a host function times with events: how often, and what lies between the two marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from simt.cuda_api.host_events import HostListener
from simt.cuda_api.host_memory import HostAndDeviceArray

COUNTERS = {
    "timings": "times asked for between two events",
    "timed_launches": "most kernels between the two events of one timing",
    "fewest_timed_launches": "fewest kernels between the two events of one timing",
    "timed_copies": "copies between host and device that lie within timings",
    "timed_compilations": "timings that hold the first launch of a kernel, which compiles it",
}
KEPT = "timings_kept"  # timings whose milliseconds stand in an array of the caller when the function returns
TOLD_MS, APART_MS = 0.8203125, 0.0078125  # that a program is told of its first timing, and more of each later one
COPY, FIRST, AGAIN = "copy", "first launch", "launch"


class Timings(HostListener):
    """Follows events in the order of the host's calls."""

    def __init__(self) -> None:
        self._calls: list[str] = []
        self._marks: dict[int, tuple[Any, int]] = {}  # by id of an event: the event, and how many calls came before it
        self._launched: list[Any] = []
        self._spans: list[list[str]] = []
        self._told: list[float] = []

    @property
    def counts(self) -> dict[str, int]:
        """By the names of COUNTERS."""
        launches = [sum(call != COPY for call in span) for span in self._spans]
        return {
            "timings": len(self._spans),
            "timed_launches": max(launches, default=0),
            "fewest_timed_launches": min(launches, default=0),
            "timed_copies": sum(span.count(COPY) for span in self._spans),
            "timed_compilations": sum(FIRST in span for span in self._spans),
        }

    def kept_in(self, arrays: Iterable[np.ndarray]) -> dict[str, int]:
        """How many of the times that the program was told stand in one of these arrays, as they were told."""
        kept = (np.isin(np.array(self._told, one.dtype), one).sum() for one in arrays if one.dtype.kind == "f")
        return {KEPT: int(max(kept, default=0))}

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        self._calls.append(COPY)

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        self._calls += [COPY for _ in _handed_over(args)]  # which numba copies up, and down again
        is_new = not any(known is kernel for known in self._launched)
        self._launched += [kernel] if is_new else []
        self._calls.append(FIRST if is_new else AGAIN)

    def event(self, action: str, event: Any, stream: Any = None) -> None:
        if action == "record":
            self._marks[id(event)] = event, len(self._calls)

    def elapsed(self, start: Any, end: Any) -> float:
        """No two timings are told the same, so that what becomes of each can be seen."""
        marks = [self._marks.get(id(event)) for event in (start, end)]
        if all(mark is not None for mark in marks):
            begins, ends = (mark[1] for mark in marks if mark is not None)
            self._spans.append(self._calls[begins:ends])
        self._told.append(TOLD_MS + APART_MS * len(self._told))
        return self._told[-1]


def _handed_over(args: tuple) -> Iterator[np.ndarray]:
    """NumPy arrays among the arguments of a launch."""
    return (one for one in args if isinstance(one, np.ndarray) and not isinstance(one, HostAndDeviceArray))
