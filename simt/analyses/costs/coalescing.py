"""How many 32-byte sectors does each access to global memory touch?

Checked against Nsight Compute on an H200 (`l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st,red,atom}`): loads and
stores of 310 random access patterns agree exactly, atomics in 60 of 62. Whole kernels are compared in tests/zoo.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.analyses.costs.codegen import is_packed, pieces, reduced_first
from simt.analyses.costs.held_loads import HeldLoads
from simt.analyses.costs.patterns import Requests, count_distinct, counted_once, requests_of, run_positions, sort_rows
from simt.analyses.counters import Tally
from simt.events import Access, Launch
from simt.hardware import SECTOR_BYTES


@counted_once
def sectors_per_request(addresses: np.ndarray, active: np.ndarray, access_bytes: int) -> np.ndarray:
    """Count the 32-byte sectors that each warp-wide access touches.

    Args:    addresses: (n, 32) int64, byte address of each lane; active: (n, 32) bool; access_bytes: size an element.
    Returns: (n,) int, sectors.
    Source:  CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory".
    """
    first, last = addresses // SECTOR_BYTES, (addresses + (access_bytes - 1)) // SECTOR_BYTES
    if (first == last)[active].all():
        return count_distinct(sort_rows(first, active))
    span = int((last - first)[active].max()) + 1
    sectors = np.concatenate([first + k for k in range(span)], axis=1)
    touched = np.concatenate([active & (first + k <= last) for k in range(span)], axis=1)
    return count_distinct(sort_rows(sectors, touched))


@counted_once
def ideal_sectors(addresses: np.ndarray, active: np.ndarray, access_bytes: int) -> np.ndarray:
    """(n,) sectors that the distinct elements of each request would fill if they lay side by side, aligned."""
    elements = count_distinct(sort_rows(addresses, active))
    return -(-elements * access_bytes // SECTOR_BYTES)


@counted_once
def atomic_sectors_per_request(addresses: np.ndarray, active: np.ndarray) -> np.ndarray:
    """Count the sectors that warp-wide atomics send: each sector as often as its hottest address occurs.

    Args and Returns as in `sectors_per_request`. Fitted to 62 patterns on an H200, 60 of them exact.
    """
    ordered = sort_rows(addresses, active)
    repeats = run_positions(ordered)
    sector = ordered // SECTOR_BYTES
    starts = np.ones(sector.shape, bool)
    starts[:, 1:] = sector[:, 1:] != sector[:, :-1]
    begins = np.flatnonzero(starts.ravel())
    hottest = np.maximum.reduceat(repeats.ravel(), begins)
    row = begins // sector.shape[1]
    return np.bincount(row, weights=hottest, minlength=len(addresses)).astype(np.int64)


class Coalescing(HeldLoads):
    """Requests, sectors and bytes of global memory, by site."""

    def __init__(self) -> None:
        super().__init__()
        self.tally = Tally()
        self._packed: set[tuple] = set()  # keys of the arguments whose records are packed

    def launch_begins(self, launch: Launch) -> None:
        self._packed = {array.key for array in launch.arguments if is_packed(array.dtype)}

    def access(self, event: Access) -> None:
        if event.array.space != "global":
            return
        name = f"global_{event.kind}"
        asked = {f"{name}_bytes": len(event.lanes) * event.access_bytes}
        if self.is_held(event):
            self.tally.add(event.site, **asked)
            return
        parts = pieces(event, event.array.key[:-1] in self._packed)  # a field's key is its record's and one part more
        counts = {f"{name}_requests": event.lanes.n_warps * len(parts), **asked}
        for requests in requests_of(event, SECTOR_BYTES):
            for counter, value in self._sectors(event, requests, parts).items():
                counts[counter] = counts.get(counter, 0) + value
        self.tally.add(event.site, **counts)

    def _sectors(self, event: Access, requests: Requests, parts: list[tuple[int, int]]) -> dict[str, int]:
        addresses, active = requests.addresses, requests.active
        if event.kind == "atomic":
            sent = active.any(axis=1) if reduced_first(event) else atomic_sectors_per_request(addresses, active)
            return {"global_atomic_sectors": requests.total(sent)}
        touched: Any = sum(sectors_per_request(addresses + offset, active, size) for offset, size in parts)
        ideal = ideal_sectors(addresses, active, event.access_bytes)
        return {
            f"global_{event.kind}_sectors": requests.total(touched),
            f"global_{event.kind}_sectors_ideal": requests.total(ideal),
        }
