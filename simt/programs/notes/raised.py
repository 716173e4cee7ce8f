"""Which threads does an exception end, in a kernel where nobody hears of it?"""

from __future__ import annotations

from simt.analyses.findings import FindingBook, by_thread
from simt.events import Listener, Raised

DOES = {
    "AssertionError": "fails the assertion of line {line}",
    "IndexError": "is past the end of a tuple at line {line}",
}
REMEDY = (
    "Compile with @cuda.jit(debug=True, opt=False) to have the launch raise, or check before the launch, or write a "
    "flag into an array that the host reads."
)


class RaisedInSilence(Listener):
    """One note for each line that raises."""

    def __init__(self) -> None:
        self.book = FindingBook()

    def raised(self, event: Raised) -> None:
        lanes, key = event.lanes, (event.function, event.line, event.kind)
        if key in self.book:
            self.book.count(key, len(lanes))
            return
        does = DOES.get(event.kind, f"raises {event.kind} at line {{line}}").format(line=event.line)
        says = f"{does}: it ends there, without what it would have done next, and the host hears nothing of it."
        self.book.add(
            key,
            by_thread(
                lanes,
                0,
                says,
                kind="silent_exception",
                lines=(event.line,),
                count=len(lanes),
                remedy=REMEDY,
                detail={"function": event.function},
                note=True,
            ),
        )
