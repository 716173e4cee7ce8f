"""Does a kernel write to an argument that the caller said it only reads?"""

from __future__ import annotations

from collections.abc import Iterable

from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.wording import element_text
from simt.events import Access, Listener


class Inputs(Listener):
    """Findings for stores and atomics on the named arguments."""

    def __init__(self, read_only: Iterable[str] = ()) -> None:
        self.book = FindingBook()
        self.read_only = frozenset(read_only)

    def access(self, event: Access) -> None:
        array, site, lanes = event.array, event.site, event.lanes
        if event.kind == "load" or array.space != "global" or array.name not in self.read_only or not len(lanes):
            return
        cell = int(event.cells[0])
        verb = "updates" if event.kind == "atomic" else "writes"
        self.book.add(
            (site.function, site.line, array.name),
            by_thread(
                lanes,
                0,
                f"{verb} {element_text(array, cell)} at line {site.line}, but {array.name} is an input: "
                "whoever reads it later finds another value.",
                kind="write_to_input",
                lines=(site.line,),
                array=array.name,
                remedy="Write the result to an output array and leave the input as it is.",
                count=len(lanes),
                detail={"index": array.index_of(cell), "access": event.kind},
            ),
        )
