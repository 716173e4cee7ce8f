"""How many bytes does each array move, compared with the fewest that could do?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simt.events import Access, Launch, Listener
from simt.hardware import SECTOR_BYTES

MOST_BYTES = 1 << 32  # of an array whose sectors are remembered; of a larger one the least is told as 0
READ, WRITTEN = 1, 2  # what a launch did to a sector: read it before writing it; wrote it


@dataclass
class ArrayTraffic:
    """Bytes that threads asked for, of one global array. array_bytes: its size, the least a full read takes.

    least_read_bytes: whole sectors that a launch reads before it wrote them, each once: they must come from memory,
    unless a cache holds them from before. least_write_bytes: whole sectors it writes, each once: they must get there in
    the end. Of several launches, the sums.
    """

    array_bytes: int
    load_bytes: int = 0
    store_bytes: int = 0
    atomic_bytes: int = 0
    least_read_bytes: int = 0
    least_write_bytes: int = 0

    @property
    def moved_bytes(self) -> int:
        """Loads, stores and atomics; these cross once each way."""
        return self.load_bytes + self.store_bytes + 2 * self.atomic_bytes

    @property
    def least_bytes(self) -> int:
        """The fewest that could move: each sector in at most once, and out at most once."""
        return self.least_read_bytes + self.least_write_bytes


def _sectors_of(event: Access) -> Iterator[np.ndarray]:
    """The sectors that an access touches, mostly without repeating one; arrays begin with a sector."""
    size = event.access_bytes
    if SECTOR_BYTES % size == 0 and event.wide == 1:
        sectors = event.cells >> int(SECTOR_BYTES // size).bit_length() - 1
        new = np.ones(len(sectors), bool)
        np.not_equal(sectors[1:], sectors[:-1], out=new[1:])
        yield sectors[new].astype(np.intp, copy=False)
        return
    begin = event.cells * event.array.dtype.itemsize
    first, last = begin // SECTOR_BYTES, (begin + size - 1) // SECTOR_BYTES
    for step in range(int((last - first).max(initial=0)) + 1):
        yield np.minimum(first + step, last).astype(np.intp, copy=False)


class Traffic(Listener):
    """Bytes by array name. Arrays that are passed but never touched are listed too."""

    hears_wide = True

    def __init__(self) -> None:
        self.arrays: dict[str, ArrayTraffic] = {}
        self._sectors: dict[int, tuple[str, np.ndarray]] = {}  # by address: name, what was done to each sector

    def launch_begins(self, launch: Launch) -> None:
        for array in launch.arguments:
            self._of(array)

    def access(self, event: Access) -> None:
        if event.array.space != "global":
            return
        traffic = self._of(event.array)
        moved = len(event.lanes) * event.access_bytes
        if event.kind == "load":
            traffic.load_bytes += moved
        elif event.kind == "store":
            traffic.store_bytes += moved
        else:
            traffic.atomic_bytes += moved
        self._mark(event)

    def launch_ends(self, launch: Launch) -> None:
        for name, done in self._sectors.values():
            self.arrays[name].least_read_bytes += SECTOR_BYTES * int(np.count_nonzero(done & READ))
            self.arrays[name].least_write_bytes += SECTOR_BYTES * int(np.count_nonzero(done & WRITTEN))
        self._sectors.clear()

    def _mark(self, event: Access) -> None:
        """Note which sectors are read before they are written, and which are written."""
        array = event.array
        if array.n_cells * array.dtype.itemsize > MOST_BYTES:
            return
        if array.base_address not in self._sectors:
            size = array.n_cells * array.dtype.itemsize
            self._sectors[array.base_address] = array.name, np.zeros(size // SECTOR_BYTES + 2, np.uint8)
        done = self._sectors[array.base_address][1]
        for sectors in _sectors_of(event):
            before = done[sectors]
            if event.kind != "store":
                before |= (before < WRITTEN).view(np.uint8)  # READ, where nothing was written yet
            if event.kind != "load":
                before |= WRITTEN
            done[sectors] = before

    def _of(self, array) -> ArrayTraffic:
        size = array.n_cells * array.dtype.itemsize
        traffic = self.arrays.setdefault(array.name, ArrayTraffic(size))
        traffic.array_bytes = max(traffic.array_bytes, size)
        return traffic
