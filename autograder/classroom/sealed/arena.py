"""Device memory of one launch: every buffer between red zones, all of it overwritten before each launch.

One allocation holds all of it, rounded up to a page of the device, so that no memory beside it is left in which a
kernel could keep something until it is launched again. Small buffers share one of a fixed size with what is kept for
them: the driver gives memory to one process at a time on a machine, and an answer has some forty launches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

ZONE = 64 << 10  # bytes at least before, between and behind the buffers
ALIGNED = 512
PAGE = 2 << 20  # what the device's memory is mapped in
STEP = 37  # between the bytes of two red zones; no factor of 256, so that all bytes come before one comes again
ROOM = 16 << 20  # bytes of an allocation that serves one launch after the other
PART = 4 << 20  # bytes that are compared at a time
LIMIT = 0.8  # of a device's memory, for the arena and the contents that are kept beside it


class TooLarge(ValueError):
    """The plan asks for more memory than there is."""


@dataclass
class Arena:
    """gpu: what `driver.Gpu` offers; buffers: name -> bytes; n_sets: of contents that are kept beside it; spare:
    address and bytes of memory that is taken where its size is right, and given back where it is not. n_bytes: of the
    buffers with their red zones; room: of the allocation, in which contents are kept up to `used`.

    Raises: TooLarge; DeviceError.
    """

    gpu: Any
    buffers: dict[str, int]
    n_sets: int
    spare: tuple[int, int] = (0, 0)
    places: dict[str, int] = field(default_factory=dict)  # offset of each buffer
    kept: dict[tuple[int, str], int] = field(default_factory=dict)  # (set, buffer) -> address of its contents
    outside: list[int] = field(default_factory=list)  # addresses of contents for which there was no room

    def __post_init__(self) -> None:
        at = ZONE
        for name, n_bytes in self.buffers.items():
            self.places[name] = at
            at += _aligned(n_bytes) + ZONE
        self.n_bytes = -(-at // PAGE) * PAGE
        self.used = self.n_bytes
        most = LIMIT * self.gpu.facts()["memory"]
        with_contents = self.n_bytes + self.n_sets * sum(map(_aligned, self.buffers.values()))
        fits = with_contents <= most
        self.room = ROOM if with_contents <= ROOM else self.n_bytes
        self.start, spare_bytes = self.spare
        if self.start and (spare_bytes != self.room or not fits):
            self.gpu.free(self.start)
            self.start = 0
        if not fits:
            raise TooLarge(f"The arrays take {self.n_bytes:,} bytes; with their contents {most:,.0f} is the limit")
        self.start = self.start or self.gpu.allocate(self.room)

    def address(self, name: str, offset: int = 0, n_bytes: int = 0) -> int:
        """Of a place in a buffer. Raises KeyError, ValueError for a place outside."""
        if not 0 <= offset <= offset + n_bytes <= self.buffers[name]:
            raise ValueError(f"bytes {offset} to {offset + n_bytes} of {name}, which has {self.buffers[name]}")
        return self.start + self.places[name] + offset

    def keep(self, number: int, name: str, contents: np.ndarray) -> None:
        """Contents that a buffer has before each launch of one set. contents: (bytes,) uint8."""
        if contents.nbytes != self.buffers[name] or not 0 <= number < self.n_sets:
            raise ValueError(f"{contents.nbytes} bytes of set {number} for {name}, which has {self.buffers[name]}")
        if (number, name) not in self.kept:
            self.kept[(number, name)] = self._place_for(contents.nbytes)
        self.gpu.put(self.kept[(number, name)], contents)

    def _place_for(self, n_bytes: int) -> int:
        """An address at which so many bytes can be kept."""
        if self.used + n_bytes <= self.room:
            self.used += _aligned(n_bytes)
            return self.start + self.used - _aligned(n_bytes)
        self.outside.append(self.gpu.allocate(max(n_bytes, 1)))
        return self.outside[-1]

    def prepare(self, number: int, zone: int, poison: int) -> None:
        """Overwrite everything: red zones with bytes of `zone`, buffers with their contents, the others and what is
        left of the room with `poison`.

        No two red zones side by side hold the same byte: a kernel without a guard that copies, or blends two arrays,
        would write behind its output what lies behind its inputs, and nothing would show it.
        """
        for place, (at, n_bytes) in enumerate(self._gaps()):
            self.gpu.fill(self.start + at, _byte_of(zone, place), n_bytes)
        for name, n_bytes in self.buffers.items():
            if (number, name) not in self.kept:
                self.gpu.fill(self.address(name), poison, n_bytes)
        self.gpu.fill(self.start + self.used, poison, max(self.room - self.used, 0))
        self.restore(number, self.buffers)

    def restore(self, number: int, names: Iterable[str]) -> None:
        """Give buffers the contents that are kept for them; the others stay as they are."""
        for name in names:
            if (number, name) in self.kept:
                self.gpu.copy(self.address(name), self.kept[(number, name)], self.buffers[name])

    def holds(self, name: str, contents: np.ndarray) -> bool:
        """Whether a buffer holds these bytes, which are as many. A part at a time is copied, and stays in a cache."""
        seen = np.empty(min(PART, contents.nbytes), np.uint8)
        for at in range(0, contents.nbytes, PART):
            part = contents[at : at + PART]
            self.gpu.get(seen[: part.nbytes], self.address(name, at, part.nbytes))
            if not np.array_equal(seen[: part.nbytes], part):
                return False
        return True

    def damaged(self, zone: int) -> list[str]:
        """Buffers next to a red zone that no longer holds what it should, the one before it first."""
        names = list(self.buffers)
        found = []
        for number, (at, n_bytes) in enumerate(self._gaps()):
            seen = np.empty(n_bytes, np.uint8)
            self.gpu.get(seen, self.start + at)
            wrong = np.flatnonzero(seen != _byte_of(zone, number))
            if wrong.size and names:
                before = number > 0 and (number == len(names) or wrong[0] < n_bytes // 2)
                found.append(names[number - 1] if before else names[number])
        return list(dict.fromkeys(found))

    def _gaps(self) -> Iterator[tuple[int, int]]:
        """Offset and bytes of every stretch that belongs to no buffer."""
        at = 0
        for name, n_bytes in self.buffers.items():
            yield at, self.places[name] - at
            at = self.places[name] + n_bytes
        yield at, self.n_bytes - at

    def given_up(self) -> tuple[int, int]:
        """Give back what is kept outside; the address and bytes of the rest, for the next one."""
        while self.outside:
            self.gpu.free(self.outside.pop())
        self.kept.clear()
        return self.start, self.room


def _aligned(n_bytes: int) -> int:
    return -(-n_bytes // ALIGNED) * ALIGNED


def _byte_of(zone: int, number: int) -> int:
    """What the red zone of that number holds: another byte than the hundreds of zones before it."""
    return (zone + STEP * number) % 256
