"""Launches of which a sample of the blocks ran, and what later launches can be told for after that.

A block that did not run leaves its part of an array as it was. A later launch that reads there may leave an array or
meet itself for that reason alone, so what is found in it is a note and no accusation.
"""

from __future__ import annotations

from dataclasses import replace

from simt.events import Access, ArrayInfo, Finding, Launch, Listener
from simt.launching.geometry import volume

UNSURE = "it may come of blocks that were not run: this launch reads what launch {} left half written"


class PartlyWritten:
    """Memory that blocks which did not run might have written. spans: (first byte, byte past it, number of launch)."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int, int]] = []

    def number_of(self, array: ArrayInfo) -> int:
        """The launch that left a part of an array unwritten; 0 where none did."""
        first = array.host_address
        past = first + array.n_cells * array.dtype.itemsize
        return next((number for low, high, number in self.spans if low < past and first < high), 0)

    def add(self, launch: Launch, number: int) -> None:
        """Everything that a launch may have written."""
        for array in launch.arguments:
            if array.name not in launch.only_read and array.host_address and not self.number_of(array):
                first = array.host_address
                self.spans.append((first, first + array.n_cells * array.dtype.itemsize, number))


class SampledLaunch(Listener):
    """Listens to one launch. n_blocks: of the grid; run: of them; read: the launch whose leavings it read, or 0."""

    def __init__(self, partly: PartlyWritten, number: int) -> None:
        self.n_blocks = self.run = self.read = 0
        self._partly, self._number = partly, number
        self._launch: Launch | None = None
        self._doubtful: dict[tuple, int] = {}

    def launch_begins(self, launch: Launch) -> None:
        self._launch, self.n_blocks = launch, volume(launch.grid)
        numbers = {array.key: self._partly.number_of(array) for array in launch.arguments}
        self._doubtful = {key: number for key, number in numbers.items() if number}

    def batch_begins(self, batch) -> None:
        self.run += batch.n_blocks

    def access(self, event: Access) -> None:
        if event.kind != "store" and event.array.key in self._doubtful:
            self.read = self.read or self._doubtful[event.array.key]

    def launch_ends(self, launch: Launch) -> None:
        if self.run < self.n_blocks or self.read:
            self._partly.add(launch, self.read or self._number)

    def judged(self, finding: Finding) -> Finding:
        """A finding as it can be told: a note where it may come of what was not run."""
        if not self.read or finding.note:
            return finding
        return replace(finding, note=True, detail={**finding.detail, "unsure": UNSURE.format(self.read)})
