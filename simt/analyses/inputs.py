"""Does a kernel write to an argument that the caller said it only reads?"""

from __future__ import annotations

from collections.abc import Iterable

from simt.analyses.findings import FindingBook
from simt.analyses.wording import block_text, element_text, sentence, thread_text, unravel
from simt.events import Access, Finding, Listener


class Inputs(Listener):
    """Findings for stores and atomics on the named arguments."""

    def __init__(self, read_only: Iterable[str] = ()) -> None:
        self.book = FindingBook()
        self.read_only = frozenset(read_only)

    def access(self, event: Access) -> None:
        array, site, lanes = event.array, event.site, event.lanes
        if event.kind == "load" or array.space != "global" or array.name not in self.read_only or not len(lanes):
            return
        launch, thread = lanes.batch.launch, int(lanes.thread[0])
        block_id = int(lanes.batch.block_ids[lanes.block[0]])
        who = f"{thread_text(launch, thread)} of {block_text(launch, block_id)}"
        cell = int(event.cells[0])
        verb = "updates" if event.kind == "atomic" else "writes"
        self.book.add(
            (site.function, site.line, array.name),
            Finding(
                kind="write_to_input",
                message=sentence(
                    f"{who} {verb} {element_text(array, cell)} at line {site.line}, but {array.name} is an input: "
                    "whoever reads it later finds another value."
                ),
                lines=(site.line,),
                threads=(unravel(thread, launch.block),),
                blocks=(unravel(block_id, launch.grid),),
                array=array.name,
                remedy="Write the result to an output array and leave the input as it is.",
                count=len(lanes),
                detail={"index": array.index_of(cell), "access": event.kind},
            ),
        )
