"""Does a thread read an element that nobody has written yet?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.huge_arrays import MOST_CELLS, HugeArrays, SampledArray
from simt.analyses.wording import element_text, whereabouts
from simt.events import Access, ArrayInfo, Batch, Launch, Listener, Site

PLACE = {
    "shared": "shared memory",
    "local": "local memory",
    "global": "device memory",
    "constant": "constant memory",
}


@dataclass
class Written:
    """What of an array has been written. unit: bytes that are told apart, those of the smallest type that it was seen
    as; done: (units of all copies,) bool; complete: all of them."""

    unit: int
    done: np.ndarray
    complete: bool = False
    writers: dict[tuple, set[tuple[str, int]]] = field(default_factory=dict)  # (function, line) of stores, by array

    def units_of(self, array: ArrayInfo) -> int:
        """Units of a cell of an array over these bytes; where its cells are smaller, they become the unit."""
        size = array.dtype.itemsize
        finer = math.gcd(self.unit, size)
        if finer != self.unit:
            self.done, self.unit = np.repeat(self.done, self.unit // finer), finer
        return size // finer

    def mark(self, keys: np.ndarray, array: ArrayInfo, site: Site) -> None:
        self.writers.setdefault(array.key, set()).add((site.function, site.line))
        self.done[keys] = True
        self.complete = bool(self.done.all())


class Uninitialised(Listener):
    """Keeps one bit per element of arrays that start without values; of device arrays from launch to launch."""

    hears_what_is_written = hears_several = True

    def __init__(self) -> None:
        self.book = FindingBook()
        self._written: dict[tuple, Written] = {}
        self._arrays: dict[tuple, ArrayInfo] = {}  # device arrays among them
        self._n_launches = 0
        self.huge = HugeArrays()

    def launch_begins(self, launch: Launch) -> None:
        """What a launch wrote is known to the next one from `ArrayInfo.contents`."""
        self._written.clear()
        self._arrays.clear()
        self._n_launches += 1

    def launch_ends(self, launch: Launch) -> None:
        """Leave what is known now with the device arrays; those that are not known to the end count as filled."""
        for array in launch.arguments:
            contents = array.contents
            if contents is not None and array.name not in launch.only_read and array.n_cells > MOST_CELLS:
                contents.filled = True
        for key, array in self._arrays.items():
            contents, bytes_of = array.contents, _bytes_of(array)
            assert contents is not None
            if bytes_of is None:
                contents.filled = True
                continue
            state = self._written[key]
            contents.written[bytes_of] |= np.repeat(state.done, state.unit)
            contents.filled |= bool(contents.written.all())
        self._arrays.clear()

    def batch_begins(self, batch: Batch) -> None:
        """Shared and local arrays are new in every batch."""
        self._written = {key: state for key, state in self._written.items() if key[0] == "global"}

    def access(self, event: Access) -> None:
        if event.array.initialised or event.array.space == "constant":
            return
        shown = self.huge.shown(event)
        if shown is None:
            return
        event, array = shown, shown.array
        copies = event.lanes.batch.n_blocks if array.space == "shared" else 1
        state = self._written.get((array.space, array.bytes_of))
        if state is None:
            state = self._written[array.space, array.bytes_of] = self._begun(event, copies)
        if state.complete:
            return
        units = state.units_of(array)
        keys = event.cells + event.lanes.block * array.n_cells if copies > 1 else event.cells
        if units > 1:
            keys = keys[:, None] * units + np.arange(units)
        only_puts = event.operation == "exch" and not event.result_used
        if event.kind == "load" or event.kind == "atomic" and not only_puts:
            missing = ~state.done[keys] if units == 1 else ~state.done[keys].all(axis=1)
            if np.count_nonzero(missing):
                self._report(event, missing, state)
        if event.kind in ("store", "atomic"):
            state.mark(keys, array, event.site)

    def _begun(self, event: Access, copies: int) -> Written:
        """What is written of an array before its first access in this launch."""
        array = event.array
        state = Written(max(array.dtype.itemsize, 1), np.zeros(array.n_cells * copies, bool))
        if array.contents is None or isinstance(array, SampledArray):
            return state
        self._arrays[array.space, array.bytes_of] = array
        memory, bytes_of = event.memory, _bytes_of(array)
        if bytes_of is None or memory is not None and not memory.flags.c_contiguous:
            array.contents.filled = state.complete = True
            self._arrays.pop((array.space, array.bytes_of))
            return state
        written = array.contents.written[bytes_of].reshape(array.n_cells, array.dtype.itemsize)
        state.done = np.logical_and.reduce(written, axis=1)
        state.complete = bool(state.done.all())
        return state

    def tile_read(self, event: Access) -> None:
        """Every element of a tile goes into a sum."""
        self.access(event)

    def copy_begins(self, event: Access) -> None:
        """Whether it is there in time is another question: `copies` asks it."""
        self.access(event)

    def _report(self, event: Access, missing: np.ndarray, state: Written) -> None:
        array, site, lanes = event.array, event.site, event.lanes
        key = (site.function, site.line, array.space, array.name)
        count = int(np.count_nonzero(missing))
        known = self.book.get(key)
        if known is not None:
            self.book.count(key, count)
            known.detail["launches"] = tuple({*known.detail["launches"], self._n_launches - 1})
            return
        first = int(missing.argmax())
        cell = int(event.cells[first])
        what, verb = element_text(array, cell), "updates" if event.kind == "atomic" else "reads"
        why = f"{PLACE[array.space]} starts with whatever was there before"
        does = f"{verb} {what} at line {site.line}, but nothing has written it: {why}."
        self.book.add(
            key,
            by_thread(
                lanes,
                first,
                does,
                kind="uninitialised_read",
                lines=(site.line,),
                array=array.name,
                remedy=_remedy(event, state),
                count=count,
                detail={
                    "index": array.index_of(cell),
                    "space": array.space,
                    "writers": tuple(sorted(state.writers.get(array.key, ()))),
                    "in_part": bool(state.done.any()),  # others of its elements have been written
                    **whereabouts(site, lanes.batch),
                    "launches": (self._n_launches - 1,),
                },
            ),
        )


def _bytes_of(array: ArrayInfo) -> slice | None:
    """Where the cells of a device array lie among the bytes of its allocation; None where they are not all there."""
    contents = array.contents
    assert contents is not None
    first = array.host_address - contents.address
    last = first + array.n_cells * array.dtype.itemsize
    return slice(first, last) if 0 <= first and last <= contents.written.size else None


def _remedy(event: Access, state: Written) -> str:
    array = event.array
    written_at = {line for _, line in state.writers.get(array.key, ())}
    lines = [str(line) for line in sorted(written_at - {event.site.line})]
    if event.kind == "atomic" and array.space == "global":
        value = "0" if event.operation == "add" else "its first value"
        return (
            f"An atomic starts from what is there: set {array.name} to {value} before this launch, from the host or "
            "in a kernel of its own."
        )
    if not lines:
        return f"Write every element of {array.name} that is read, for example a zero to start with."
    where = f"Line {lines[0]} writes" if len(lines) == 1 else f"Lines {', '.join(lines[:-1])} and {lines[-1]} write"
    return (
        f"{where} {array.name}, but not this element: compare the indices that are written with those that are read. "
        "Where nobody has input for it, store what belongs there, as 0 does in a sum."
    )
