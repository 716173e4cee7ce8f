"""How many lanes of each warp do useful work, line by line, and where do warps split?"""

from __future__ import annotations

import numpy as np

from simt.analyses.counters import SourcePlace, Tally, add_counters
from simt.events import Branch, Listener, Statement


class Divergence(Listener):
    """Warp and thread instructions by line; branches and divergent branches by site.

    Source lines stand for instructions: a line that compiles to ten counts once. How near that comes to Nsight
    Compute's threads per warp instruction is in docs/interpreter-fidelity.md.
    """

    def __init__(self) -> None:
        self.tally = Tally()

    def statement(self, event: Statement) -> None:
        row = self.tally.rows.setdefault(SourcePlace(event.function, event.line), {})
        add_counters(row, {"warp_instructions": event.lanes.n_warps, "thread_instructions": len(event.lanes)})

    def branch(self, event: Branch) -> None:
        lanes = event.lanes
        if not len(lanes):
            return
        divergent = 0
        taken = np.asarray(event.taken)
        if taken.ndim and 0 < np.count_nonzero(taken) < len(taken):
            row = lanes.row.astype(np.intp, copy=False)
            in_warp = np.bincount(row)
            took = np.bincount(row[taken], minlength=len(in_warp))
            divergent = int(np.count_nonzero((took > 0) & (took < in_warp)))
        self.tally.add(event.site, branches=lanes.n_warps, divergent_branches=divergent)
