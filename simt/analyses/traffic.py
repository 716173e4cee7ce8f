"""How many bytes does each array move, compared with touching each of its elements once?"""

from __future__ import annotations

from dataclasses import dataclass

from simt.events import Access, Launch, Listener


@dataclass
class ArrayTraffic:
    """Bytes that threads asked for, of one global array. array_bytes: its size, the least a full read takes."""

    array_bytes: int
    load_bytes: int = 0
    store_bytes: int = 0
    atomic_bytes: int = 0

    @property
    def loads_per_element(self) -> float:
        """How often each element is loaded on average; 1.0 is the least for an array that is read in full."""
        return self.load_bytes / self.array_bytes if self.array_bytes else 0.0


class Traffic(Listener):
    """Bytes by array name. Arrays that are passed but never touched are listed too."""

    def __init__(self) -> None:
        self.arrays: dict[str, ArrayTraffic] = {}

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

    def _of(self, array) -> ArrayTraffic:
        size = array.n_cells * array.dtype.itemsize
        traffic = self.arrays.setdefault(array.name, ArrayTraffic(size))
        traffic.array_bytes = max(traffic.array_bytes, size)
        return traffic
