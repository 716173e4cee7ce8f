"""What a host function asks of the device: bytes that cross, arrays, launches; and where its result was computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from autograder.contract import Case
from autograder.diagnosis.room import DeviceRoom
from autograder.running.host_code.host_lines import line_in
from autograder.running.runs import Run
from simt.cuda_api.host_events import HostListener
from simt.cuda_api.host_memory import HostAndDeviceArray
from simt.host_order.host_arrays import plain

COUNTERS = {
    "transferred_bytes": "bytes copied between host and device, both ways",
    "host_to_device_bytes": "bytes copied to the device",
    "device_to_host_bytes": "bytes copied back",
    "device_allocations": "arrays that the call allocated on the device",
    "page_locked_bytes": "bytes that the call allocated in pinned, mapped or managed memory",
    "kernel_launches": "kernels that the call launched",
    "device_waits": "times that the host waited for all that the device has to do, in every stream",
    "launch_calls": "calls that start kernels: a launch, the replay of a graph, and each launch of a second capture",
}
DOUBLES = "transferred_float64_bytes"  # of transferred_bytes
FROM_DEVICE, FROM_HOST = "share_from_device", "share_from_host"  # of the elements of a result, 0 to 1
FOLLOWS_DEVICE = "share_that_follows_the_device"  # of the elements of a result: other data down, another result
STAYS = "output_that_stays"  # + its place among the outputs: it is the same whatever comes from the device
INPUTS_UP = "share_of_inputs_up"  # bytes that kernels could read over those of the inputs, at most 1
TELLING = 16  # elements of a result; the values of fewer may agree by chance


class Ledger(HostListener):
    """Counts what host code asks of the device.

    keeps: also what was copied, to see where a result comes from; filename: of the learner's code, to name lines.
    """

    def __init__(self, keeps: bool = False, filename: str = "") -> None:
        self.counts = Counter(dict.fromkeys(COUNTERS, 0))
        self._keeps = keeps
        self._replaying = False
        self._shared: dict[bytes, int] = {}  # bytes that kernels were handed where they lie, by what they hold
        self._captures = 0
        self._filename = filename
        self._largest = 0, 0  # bytes of an allocation, and the line that made it
        self._went_up: list[np.ndarray] = []
        self._came_down: list[np.ndarray] = []

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        if direction == "across":
            return
        self._cross(direction, host if direction == "up" and host is not None else device)

    def allocates(self, array: np.ndarray) -> None:
        self.counts["device_allocations"] += 1
        self.counts["page_locked_bytes"] += array.nbytes if isinstance(array, HostAndDeviceArray) else 0
        if array.nbytes > self._largest[0]:
            self._largest = array.nbytes, line_in(self._filename)

    def made(self, array: np.ndarray, space: str) -> np.ndarray:
        self.counts["page_locked_bytes"] += array.nbytes if space == "pinned" else 0
        if self._keeps and isinstance(array, HostAndDeviceArray):
            self._came_down.append(plain(array))  # not a copy: kernels write it, and the host reads what they wrote
        return array

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        self.counts["kernel_launches"] += 1
        self.counts["launch_calls"] += not self._replaying
        self._handed = [one for one in args if isinstance(one, np.ndarray) and not isinstance(one, HostAndDeviceArray)]
        if self._keeps:
            shared = [plain(one) for one in args if isinstance(one, HostAndDeviceArray)]
            self._shared.update({sha256(one.tobytes()).digest(): one.nbytes for one in shared})
        for array in self._handed:  # numba copies every NumPy array up before a launch and down after it
            self._cross("up", array)

    def synchronizes(self, stream: Any) -> None:
        self.counts["device_waits"] += stream is None

    def replays(self, begins: bool) -> None:
        self._replaying = begins
        self.counts["launch_calls"] += begins

    def captured(self, launches: int) -> None:
        """A graph was captured: another one costs a call for each of its launches again."""
        self.counts["launch_calls"] += launches if self._captures else 0
        self._captures += 1

    def launched(self) -> None:
        for array in self._handed:
            self._cross("down", array)

    def _cross(self, direction: str, array: np.ndarray) -> None:
        name = "host_to_device_bytes" if direction == "up" else "device_to_host_bytes"
        self.counts[name] += array.nbytes
        self.counts["transferred_bytes"] += array.nbytes
        self.counts[DOUBLES] += array.nbytes if array.dtype == np.float64 else 0
        if self._keeps and direction == "down":
            self._came_down.append(np.array(array))
        elif self._keeps:
            made_by_kernels = _occur(np.ravel(array), self._came_down)  # going back up makes them nobody else's
            self._went_up.append(np.ravel(array)[~made_by_kernels])

    def room(self, values: Mapping[str, Any]) -> DeviceRoom | None:
        """The largest array that was allocated, beside the largest argument; None where there was none."""
        needed = max((value.nbytes for value in values.values() if isinstance(value, np.ndarray)), default=0)
        return DeviceRoom(self._largest[0], needed, self._largest[1]) if self._largest[0] else None

    def shares(self, results: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, float]:
        """Where the elements of results come from, by value: the share that was copied down, and the one that went up
        without being an input's.

        results: arrays that the call made; the smallest share of them from the device, the largest from the host.
        inputs: what went up because it had to, or was mapped.
        """
        arrays = [np.asarray(one) for one in results.values() if np.size(one) >= TELLING]
        if not arrays:
            return {}
        given = [np.asarray(one) for one in inputs.values()]
        needed = sum(one.nbytes for one in given)
        reached = self.counts["host_to_device_bytes"] + sum(self._shared.values())
        return {
            INPUTS_UP: min(1.0, reached / needed) if needed else 1.0,
            FROM_DEVICE: min(_share_found(array, self._came_down) for array in arrays),
            FROM_HOST: max(_share_found(array, self._went_up, given) for array in arrays),
        }


class Alters(HostListener):
    """Puts other numbers in place of all that is about to be copied down, and of all that a kernel has written into
    memory that the host shares: what is made of them cannot be the same."""

    def __init__(self) -> None:
        self.altered = 0
        self._shared: list[np.ndarray] = []
        self._before: list[np.ndarray] = []

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        if direction == "down" and host is not None:
            self._alter(device)

    def made(self, array: np.ndarray, space: str) -> np.ndarray:
        if space == "managed":
            self._shared.append(plain(array))
        return array

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        self._before = [array.copy() for array in self._shared]

    def launched(self) -> None:
        for array, before in zip(self._shared, self._before, strict=True):
            if array.tobytes() != before.tobytes():
                self._alter(array)

    def _alter(self, array: np.ndarray) -> None:
        if array.dtype.kind in "iuf":
            self.altered += array.size
            array[...] = 1 - 2 * array if array.dtype.kind == "f" else array ^ 1


def that_tells(cases: Sequence[Case]) -> Case:
    """The case that shows whether a result follows what comes from the device: the first traced one with general
    values, or the first traced one at all."""
    traced = [case for case in cases if case.trace]
    return next((case for case in traced if case.values == "general"), traced[0])


def share_that_follows(after: Run, before: Run, names: Iterable[str]) -> dict[str, float]:
    """How much of a result changes when other numbers come from the device than kernels wrote, and which of several
    outputs do not change at all.

    after: the same call, altered; names: of the outputs. Empty where nothing came down, or the call stopped.
    """
    if not after.altered or after.error is not None:
        return {}
    same, total, stay = 0, 0, {}
    for place, name in enumerate(names):
        a, b = np.asarray(before.outputs[name]), np.asarray(after.outputs[name])
        alike = int(np.sum((a == b) | ((a != a) & (b != b)))) if a.shape == b.shape else 0
        same, total = same + alike, total + a.size
        if alike == a.size > 0 and a.dtype.kind == "f":  # a whole number, such as a place, may be the same by chance
            stay[f"{STAYS}{place}"] = 1.0
    return {FOLLOWS_DEVICE: 1 - same / max(1, total), **stay}


def _share_found(array: np.ndarray, among: Sequence[np.ndarray], but: Sequence[np.ndarray] = ()) -> float:
    """The share of an array's elements whose values occur in some arrays, and in none of some others."""
    values = np.ravel(array[~np.isnan(array)] if array.dtype.kind in "fc" else array)
    if not values.size:
        return 1.0
    return float((_occur(values, among) & ~_occur(values, but)).mean())


def _occur(values: np.ndarray, among: Sequence[np.ndarray]) -> np.ndarray:
    """For each value, whether one of the arrays has it."""
    known = [np.ravel(one) for one in among if one.size]
    return np.isin(values, np.concatenate(known)) if known else np.zeros(len(values), bool)
