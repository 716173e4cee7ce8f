"""How many threads want the same element at once?"""

from __future__ import annotations

import numpy as np

from simt.analyses.costs.patterns import requests_of, run_positions, sort_rows
from simt.analyses.counters import Tally
from simt.events import Access, Batch, Launch, Listener


def contention_per_request(addresses: np.ndarray, active: np.ndarray) -> np.ndarray:
    """(n,) lanes on the hottest address of each request."""
    return run_positions(sort_rows(addresses, active)).max(axis=1)


class Atomics(Listener):
    """Operations, contention within a warp, and the hottest element of each launch, by site."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._hits: dict[tuple, np.ndarray] = {}  # (site, array) -> operations per element so far

    def launch_begins(self, launch: Launch) -> None:
        self._hits.clear()

    def batch_begins(self, batch: Batch) -> None:
        """Shared arrays are new in every batch."""
        self._hits = {key: hits for key, hits in self._hits.items() if key[0] == "global"}

    def access(self, event: Access) -> None:
        if event.kind != "atomic":
            return
        worst = 0
        for requests in requests_of(event, 1):  # shifting a request never changes how many of its lanes agree
            worst = max(worst, int(contention_per_request(requests.addresses, requests.active).max()))
        self.tally.add(
            event.site,
            atomic_operations=len(event.lanes),
            atomic_max_contention=worst,
            atomic_hottest_cell=self._hottest(event),
        )

    def _hottest(self, event: Access) -> int:
        """Most operations on one element by this site, in this launch, up to now."""
        array, lanes = event.array, event.lanes
        n_keys, keys = array.n_cells, event.cells
        if array.space == "shared":
            n_keys, keys = n_keys * lanes.batch.n_blocks, lanes.block * array.n_cells + keys
        hits = np.bincount(keys.astype(np.intp, copy=False), minlength=n_keys)
        key = (array.space, event.site.id, array.key)
        if key in self._hits:
            hits += self._hits[key]
        self._hits[key] = hits
        return int(hits.max(initial=0))
