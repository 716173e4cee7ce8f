"""Does a maximum begin with 0 where every value is below it, or a minimum where every value is above?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simt.analyses.findings import FindingBook, by_thread
from simt.analyses.wording import element_text
from simt.events import Access, Finding, Launch, Listener

WORSE = {"max": np.less, "nanmax": np.less, "min": np.greater, "nanmin": np.greater}
ENOUGH = 2  # values: one alone may well be worse


class NeverBetter(Listener):
    """One note for each line, where nothing that it offers in a launch wins against zeros."""

    def __init__(self) -> None:
        self.book = FindingBook()
        self._lost: dict[tuple, Finding] = {}
        self._won: set[tuple] = set()

    def access(self, event: Access) -> None:
        worse = WORSE.get(event.operation)
        if worse is None or event.memory is None or event.array.space != "global":
            return
        key = event.site.function, event.site.line, event.array.name
        held = event.memory[event.cells]
        if key in self._won or held.any() or not np.all(worse(event.operands, held)):
            self._won.add(key)
            self._lost.pop(key, None)
        elif key in self._lost:
            self._lost[key] = replace(self._lost[key], count=self._lost[key].count + len(event.lanes))
        else:
            self._lost[key] = _note(event)

    def launch_ends(self, launch: Launch) -> None:
        for key, finding in self._lost.items():
            if finding.count >= ENOUGH:
                self.book.add(key, finding)


def _note(event: Access) -> Finding:
    site, array, lanes = event.site, event.array, event.lanes
    greatest = event.operation.endswith("max")
    offered, cell = np.ravel(event.operands)[0], element_text(array, int(event.cells[0]))
    says = (
        f"offers {offered} to cuda.atomic.{event.operation} at line {site.line}, and {cell} begins with 0, which is "
        f"{'more' if greatest else 'less'}. So it is with every value that this line offers in this launch: 0 stays."
    )
    end = "-inf, or the least integer of its type" if greatest else "inf, or the largest integer of its type"
    return by_thread(
        lanes,
        0,
        says,
        kind="never_better",
        lines=(site.line,),
        array=array.name,
        count=len(lanes),
        remedy=f"Fill {array.name} with {end}, before the launch, or with one of the values. Where 0 is meant to win, "
        "all is well.",
        detail={"function": site.function},
        note=True,
    )
