"""Is a value stored in an element of 8 or 16 bits that cannot hold it?"""

from __future__ import annotations

from simt.analyses.findings import FindingBook, by_thread
from simt.events import Listener, Narrowed


class TooNarrow(Listener):
    """One note for each line and array."""

    def __init__(self) -> None:
        self.book = FindingBook()

    def narrowed(self, event: Narrowed) -> None:
        site, array, lanes = event.site, event.array, event.lanes
        key = site.function, site.line, array.name
        if key in self.book:
            self.book.count(key, len(lanes))
            return
        says = (
            f"stores {event.value} at line {site.line} in an element of {array.name}, whose type is "
            f"{array.dtype}: it does not fit, and {event.stored} is what stays."
        )
        self.book.add(
            key,
            by_thread(
                lanes,
                0,
                says,
                kind="narrowed",
                lines=(site.line,),
                array=array.name,
                count=len(lanes),
                remedy=f"Add up in a variable, which is wider, and store the result once; or give {array.name} a wider "
                "type. Where it is to wrap round, all is well.",
                note=True,
            ),
        )
