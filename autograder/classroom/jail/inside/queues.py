"""What host code says about streams, events and graphs, as steps of a plan; and whether it did what no plan can hold.

A plan says what the device is asked for. What host code reads from memory that the device may write at the same time,
or writes into memory that it may read, is none of that, and whether it comes in time is what such an exercise asks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.classroom.jail.plan import CALLED_BACK, SHARES
from simt.cuda_api import cuda
from simt.cuda_api.host_events import HostListener
from simt.host_order.host_arrays import plain, telling


class Queues(HostListener):
    """Follows the host's calls, in their order. beyond: the first thing it did that the plan does not have."""

    def __init__(self, recorder: Any) -> None:
        self.recorder, self.beyond = recorder, ""
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no other object gets the identity of one that is numbered
        self._given: list[tuple[np.ndarray, dict[str, Any]]] = []  # host memory of the arguments, and how to name it
        self.stream_of_launch = 0

    def number(self, thing: Any) -> int:
        """Of a stream or an event, from 1 on; 0 for the default stream."""
        if thing is None or thing is cuda.default_stream() or isinstance(thing, int) and thing == 0:
            return 0
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._kept) + 1
            self._kept.append(thing)
        return self._numbers[id(thing)]

    def given(self, array: np.ndarray, name: str) -> np.ndarray:
        """An argument in pinned memory, which tells when host code touches it."""
        self._given.append((array, {"input": name}))
        return telling(array, "pinned", self._touched)

    def place_of(self, array: np.ndarray) -> dict[str, Any] | None:
        """Where in the arguments' memory an array lies; None for memory of another kind."""
        there = plain(array)
        for whole, reference in self._given:
            if there.size and np.may_share_memory(whole, there) and there.dtype == whole.dtype:
                if there.shape == whole.shape:
                    return reference
                offset = there.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
                return {"part": [reference, offset, list(there.shape), list(there.strides)]}
        return None

    def _touched(self, _array: np.ndarray, _writes: bool) -> None:
        self.beyond = self.beyond or SHARES

    def made(self, array: np.ndarray, space: str) -> np.ndarray:
        return telling(array, space, self._touched)

    def pins(self, arrays: tuple) -> None:
        self.beyond = self.beyond or SHARES

    def callback_begins(self, stream: Any) -> None:
        self.beyond = self.beyond or CALLED_BACK

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        self.stream_of_launch = self.number(stream)

    def synchronizes(self, stream: Any) -> None:
        self.recorder.add(do="synchronize", stream=-1 if stream is None else self.number(stream))

    def event(self, action: str, event: Any, stream: Any = None) -> None:
        self.recorder.add(do="event", action=action, event=self.number(event), stream=self.number(stream))

    def replays(self, begins: bool) -> None:
        self.recorder.add(do="replays", begins=begins)

    def captured(self, launches: int) -> None:
        self.recorder.add(do="captured", launches=launches)
