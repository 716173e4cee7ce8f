"""Does a kernel write to `d.T`? numba makes a copy of a device array there, so the array itself stays as it is."""

from __future__ import annotations

from simt.analyses.findings import FindingBook
from simt.events import Access, Finding, Listener


class WritesToTransposed(Listener):
    """One note for each line. names: of the parameters that were given a transposed device array."""

    def __init__(self, names: set[str]) -> None:
        self.book, self._names = FindingBook(), names

    def access(self, event: Access) -> None:
        name, line = event.array.name, event.site.line
        if event.kind == "load" or name not in self._names or event.array.space != "global":
            return
        says = (
            f"Line {line} writes to {name}, which is the transposed of a device array: numba makes a copy of it, so on "
            "a GPU the array itself stays as it is. Here it is changed."
        )
        remedy = "Pass the array itself and exchange the two indices, or keep what `.T` gives under a name of its own."
        finding = Finding(
            "transposed_copy", says, (line,), array=name, remedy=remedy, count=len(event.lanes), note=True
        )
        self.book.add((event.site.function, line, name), finding)
