"""Which stores put into an element what another store of the launch had put there? Whoever wins, the result is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simt.events import Access, ArrayInfo


@dataclass
class _Cells:
    """written: (cells of all copies,) bool, by a store of this launch; varied: whether two stores differed there."""

    written: np.ndarray
    varied: np.ndarray


class EqualStores:
    """Compares each store of a launch with what is in memory: one bit an element and two."""

    def __init__(self) -> None:
        self._cells: dict[tuple, _Cells] = {}
        self._updated: set[tuple] = set()

    def note(self, event: Access) -> np.ndarray:
        """Enter a store that is about to happen. Returns: (n,) bool, where it repeats what a store left there."""
        array, memory, values = event.array, event.memory, event.values
        number = isinstance(values, np.ndarray | np.generic) and values.dtype.kind in "biufc"  # else it is refused yet
        if array.memory or memory is None or not number or memory.dtype.names:
            return np.zeros(len(event.cells), bool)
        keys = event.cells
        if array.space == "shared":
            keys = keys + event.lanes.block * array.n_cells
        cells = self._cells.get(array.key)
        if cells is None:
            cells = self._cells[array.key] = _Cells(np.zeros(len(memory), bool), np.zeros(len(memory), bool))
        old, new = memory[keys], np.broadcast_to(np.asarray(values, memory.dtype), keys.shape)
        same = _are_same(old, new)
        known = cells.written[keys]
        cells.varied[keys[known & ~same]] = True
        cells.written[keys] = True
        self._among_themselves(cells, keys, new)
        return known & same

    def _among_themselves(self, cells: _Cells, keys: np.ndarray, values: np.ndarray) -> None:
        """Lanes of one store that share an element and differ."""
        if (keys[1:] > keys[:-1]).all():
            return  # no two lanes share one
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], values[order]
        clash = (keys[1:] == keys[:-1]) & ~_are_same(values[1:], values[:-1])
        cells.varied[keys[1:][clash]] = True

    def knows(self, array: ArrayInfo) -> bool:
        """Whether the stores to an array were compared with each other, and with nothing that atomics left."""
        return array.key in self._cells and array.key not in self._updated

    def updates(self, array: ArrayInfo) -> None:
        """An atomic changes an array: what a store finds there is no other store's any more."""
        self._updated.add(array.key)

    def all_equal(self, array: ArrayInfo, cells: np.ndarray) -> np.ndarray:
        """(n,) bool: elements of a global array into which every store of the launch put the same."""
        known = self._cells.get(array.key)
        return ~known.varied[cells] if known is not None else np.zeros(len(cells), bool)


def _are_same(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n,) bool, by value and sign: two NaN are one value, 0.0 and -0.0 are two."""
    equal = some == others
    if some.dtype.kind == "f":
        equal &= np.signbit(some) == np.signbit(others)
    return equal | ((some != some) & (others != others))
