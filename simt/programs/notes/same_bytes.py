"""Does a thread read dynamic shared memory through one array, where another one was stored last?

Every `cuda.shared.array(0, dtype)` begins at byte 0 of the same memory, however many there are.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.wording import element_text
from simt.events import Access, ArrayInfo, Batch, Listener, Site

NOBODY = -1


class SameBytes(Listener):
    """One note for each pair of arrays, at the line that reads."""

    def __init__(self) -> None:
        self.book = FindingBook()

    def batch_begins(self, batch: Batch) -> None:
        self._by: np.ndarray | None = None  # (bytes of all blocks,) number of the store that came last
        self._stores: list[tuple[ArrayInfo, Site]] = []
        self._numbers: dict[tuple, int] = {}
        self._arrays: set[tuple] = set()

    def shared_allocated(self, array: ArrayInfo, site: Site) -> None:
        if array.memory:
            self._arrays.add(array.key)

    def access(self, event: Access) -> None:
        array = event.array
        if not array.memory or array.space != "shared" or len(self._arrays) < 2:
            return
        size = array.dtype.itemsize
        if self._by is None:
            self._by = np.full(array.n_cells * size * event.lanes.batch.n_blocks, NOBODY, np.int32)
        first = (event.cells + event.lanes.block * array.n_cells) * size
        if event.kind != "store":
            self._check(event, self._by[first])
        if event.kind != "load":
            by = self._number(array, event.site)
            for byte in range(event.access_bytes):
                self._by[first + byte] = by

    def _number(self, array: ArrayInfo, site: Site) -> int:
        key = array.key, site.id
        if key not in self._numbers:
            self._numbers[key] = len(self._stores)
            self._stores.append((array, site))
        return self._numbers[key]

    def _check(self, event: Access, by: np.ndarray) -> None:
        others = [number for number, (array, _) in enumerate(self._stores) if array.key != event.array.key]
        wrong = np.isin(by, others)
        if wrong.any():
            self._note(event, wrong, self._stores[int(by[int(wrong.argmax())])])

    def _note(self, event: Access, wrong: np.ndarray, stored: tuple[ArrayInfo, Site]) -> None:
        array, site, lanes, first = event.array, event.site, event.lanes, int(wrong.argmax())
        other, where = stored
        key, count = (site.function, site.line, array.name, other.name), int(np.count_nonzero(wrong))
        if key in self.book:
            self.book.count(key, count)
            return
        says = (
            f"reads {element_text(array, int(event.cells[first]))} at line {site.line}, and line {where.line} "
            f"stored to {other.name} in the same bytes: dynamic shared memory is one piece, and every array of it "
            "begins at its first byte."
        )
        self.book.add(
            key,
            by_thread(
                lanes,
                first,
                says,
                kind="same_bytes",
                lines=(site.line, where.line),
                array=array.name,
                count=count,
                remedy=f"Give each a part of its own: {array.name} from where {other.name} ends, as in "
                "cuda.shared.array(0, dtype)[n:], and launch with the bytes of both.",
                note=True,
            ),
        )
