"""Who touched which byte last: shadows of device arrays and of pinned and mapped host arrays."""

from __future__ import annotations

import weakref
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

import numpy as np

from simt.cuda_api.host_events import address_of, root_of
from simt.host_order.clocks import Operation

NOBODY = -1
MOST_UNITS = 1 << 24  # that are remembered of one allocation; of a larger one, a sample at equal distances


@dataclass
class Shadow:
    """The last operations on each unit of one allocation.

    start, n_bytes: where it lies in this process; unit: bytes that are told apart, the size of an element;
    space: "device", "pinned", "mapped" or "managed"; name: what the source calls it. writer, updater: numbers of
    operations by unit, of plain stores and of atomics; reader: the same for each actor.
    """

    start: int
    n_bytes: int
    unit: int
    space: str
    name: str = ""
    writer: np.ndarray | None = None
    updater: np.ndarray | None = None
    reader: dict[Hashable, np.ndarray] = field(default_factory=dict)
    nameless_at: set[tuple[int, str]] = field(default_factory=set)  # lines of the program where nothing held it

    @property
    def n_units(self) -> int:
        return -(-self.n_bytes // self.unit)

    @property
    def apart(self) -> int:
        """One unit in so many is remembered."""
        return -(-self.n_units // MOST_UNITS)

    def fresh(self) -> np.ndarray:
        """A number for each unit that is remembered, at first nobody's."""
        return np.full(-(-self.n_units // self.apart), NOBODY, np.int32)

    def remembered(self, units: np.ndarray | slice) -> np.ndarray | slice:
        """Which places of `fresh` some units have: of a large allocation, those of the sample."""
        apart = self.apart
        if isinstance(units, slice):
            first, past = units.start or 0, self.n_units if units.stop is None else units.stop
            return slice(-(-first // apart), -(-past // apart))
        return units if apart == 1 else units[units % apart == 0] // apart


@dataclass(frozen=True)
class Conflict:
    """Two operations that touch the same units, and that nothing orders. n_units: how many."""

    earlier: Operation
    later: Operation
    shadow: Shadow
    earlier_writes: bool
    later_writes: bool
    n_units: int


class HostMemory:
    """All allocations that operations may share, found by address. A freed one is forgotten with its history."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._shadows: dict[int, Shadow] = {}
        self._operations: list[Operation] = []

    def register(self, array: np.ndarray, space: str, name: str = "") -> Shadow:
        """The shadow of the allocation that an array lies in; a new one where it is not known yet."""
        known = self.find(address_of(array))
        if known is not None:
            known.name = known.name or name
            return known
        root = root_of(array)
        start = address_of(root)
        shadow = Shadow(start, max(root.nbytes, 1), max(root.itemsize, 1), space, name)
        self._starts.insert(bisect_right(self._starts, start), start)
        self._shadows[start] = shadow
        weakref.finalize(root, self._forget, start)
        return shadow

    def find(self, address: int) -> Shadow | None:
        """The shadow of the allocation around an address; None where nobody registered one."""
        position = bisect_right(self._starts, address) - 1
        if position < 0:
            return None
        shadow = self._shadows[self._starts[position]]
        return shadow if address < shadow.start + shadow.n_bytes else None

    def _forget(self, start: int) -> None:
        if self._shadows.pop(start, None) is not None:
            self._starts.remove(start)

    def touch(self, operation: Operation, shadow: Shadow, units: np.ndarray | slice, access: str) -> Iterator[Conflict]:
        """Enter what an operation does to some units, and tell with whom it is in conflict.

        access: "read", "write" or "update" (atomics, which do not disturb each other).
        """
        units = shadow.remembered(units)
        number = len(self._operations)
        self._operations.append(operation)
        writes = access != "read"
        for table, earlier_writes in self._tables_against(shadow, operation.actor, access):
            yield from self._conflicts(operation, shadow, table[units], earlier_writes, writes)
        self._table_of(shadow, operation.actor, access)[units] = number

    def _tables_against(self, shadow: Shadow, actor: Hashable, access: str) -> Iterator[tuple[np.ndarray, bool]]:
        """Histories that an access may be in conflict with, and whether these are of writes."""
        if shadow.writer is not None:
            yield shadow.writer, True
        if shadow.updater is not None and access != "update":
            yield shadow.updater, True
        if access != "read":
            yield from ((table, False) for reader, table in shadow.reader.items() if reader != actor)

    def _table_of(self, shadow: Shadow, actor: Hashable, access: str) -> np.ndarray:
        if access == "read":
            if actor not in shadow.reader:
                shadow.reader[actor] = shadow.fresh()
            return shadow.reader[actor]
        kind = "writer" if access == "write" else "updater"
        if getattr(shadow, kind) is None:
            setattr(shadow, kind, shadow.fresh())
        return getattr(shadow, kind)

    def _conflicts(
        self, operation: Operation, shadow: Shadow, numbers: np.ndarray, earlier_writes: bool, writes: bool
    ) -> Iterator[Conflict]:
        if not numbers.size:
            return
        found, counts = numbers.flat[:1], np.array([numbers.size])
        if (numbers != found[0]).any():
            found, counts = np.unique(numbers, return_counts=True)
        for number, count in zip(found, counts, strict=True):
            if number == NOBODY:
                continue
            earlier = self._operations[number]
            if earlier.actor != operation.actor and not operation.is_after(earlier):
                yield Conflict(earlier, operation, shadow, earlier_writes, writes, int(count))


def units_of(shadow: Shadow, array: np.ndarray) -> np.ndarray | slice:
    """Which units of an allocation an array covers."""
    offset = address_of(array) - shadow.start
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return slice(offset // shadow.unit, -(-(offset + array.nbytes) // shadow.unit))
    places: np.ndarray = np.zeros((), np.int64)
    for extent, stride in zip(array.shape, array.strides, strict=True):
        places = places[..., None] + np.arange(extent, dtype=np.int64) * stride
    places = (offset + places).reshape(-1)
    if array.itemsize <= shadow.unit:
        return np.unique(places // shadow.unit)
    return np.unique(places[:, None] // shadow.unit + np.arange(array.itemsize // shadow.unit))
