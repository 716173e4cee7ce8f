"""How many addresses of constant memory does each warp ask for at once?

Constant memory answers one address in a pass, for all lanes that want it; lanes that want another one wait for theirs.
Source: CUDA C++ Programming Guide, "Constant Memory": a request is split into as many as it has different addresses.
"""

from __future__ import annotations

import numpy as np

from simt.analyses.counters import Tally
from simt.events import Access, Listener


class Constants(Listener):
    """Requests and passes, by site."""

    def __init__(self) -> None:
        self.tally = Tally()

    def constant_load(self, event: Access) -> None:
        lanes = event.lanes
        pairs = np.unique(lanes.row * np.int64(1 << 32) + event.cells)
        passes, extra = len(pairs), len(pairs) - lanes.n_warps
        requests = {"constant_load_requests": lanes.n_warps}
        self.tally.add(event.site, **requests, constant_load_passes=passes, constant_load_extra_passes=extra)
