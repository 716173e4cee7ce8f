"""How many lanes of each warp do useful work, line by line, and where do warps split?"""

from __future__ import annotations

import numpy as np

from simt.analyses.counters import SourcePlace, Tally
from simt.events import Branch, Listener, Statement


class Divergence(Listener):
    """Warp and thread instructions by line; branches and divergent branches by site.

    Source lines stand for instructions: a line that compiles to ten counts once. How near that comes to Nsight
    Compute's threads per warp instruction is in docs/interpreter-fidelity.md.
    """

    def __init__(self) -> None:
        self.tally = Tally()
        self._lines: dict[tuple[str, int], dict[str, int]] = {}  # rows of the tally, found sooner

    def statement(self, event: Statement) -> None:
        line, lanes = (event.function, event.line), event.lanes
        row = self._lines.get(line)
        if row is None:
            row = self._lines[line] = self.tally.rows.setdefault(SourcePlace(*line), {})
        row["warp_instructions"] = row.get("warp_instructions", 0) + lanes.n_warps
        row["thread_instructions"] = row.get("thread_instructions", 0) + len(lanes)

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
