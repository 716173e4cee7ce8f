"""Requests as matrices: the addresses of a warp's lanes as one row of 32, and what can be counted along a row.

Most accesses repeat one pattern in every warp, shifted by a constant. `distinct_patterns` finds that in two passes
over the lanes, so that the costly counting runs on a handful of rows instead of thousands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from math import gcd

import numpy as np

from simt.events import Access
from simt.hardware import WARP_SIZE

NOBODY = np.iinfo(np.int64).max  # stands for an inactive lane; sorts after every address
FEW_ROWS = 8  # up to here, looking a pattern up costs less than counting along its rows
MOST_KNOWN = 1024  # counts kept by one function; a key has 2.3 KiB at most


@dataclass(frozen=True)
class Requests:
    """Warp-wide requests. addresses: (n, 32) int64 bytes; active: (n, 32) bool; weight: (n,) how often each occurs."""

    addresses: np.ndarray
    active: np.ndarray
    weight: np.ndarray

    def total(self, per_request: np.ndarray | np.generic) -> int:
        """Sum of a per-row count over all the requests that the rows stand for."""
        return int(np.asarray(per_request) @ self.weight)


def requests_of(event: Access, period: int) -> list[Requests]:
    """The requests of an access, each distinct pattern once.

    Args:    period: bytes after which shifting a whole request changes nothing: 32 for sectors, 128 for banks.
    Returns: one `Requests` for warps with all lanes active and one for the others, as far as there are any.
    """
    lanes = event.lanes
    if not len(lanes):
        return []
    size, base = event.array.dtype.itemsize, event.array.base_address
    period_cells = period // gcd(period, size)
    if event.array.space == "shared" and event.block_cells is not None and len(event.block_cells) % WARP_SIZE == 0:
        rows = event.block_cells.reshape(-1, WARP_SIZE)
        once = distinct_patterns(rows, np.ones(rows.shape, bool), period_cells, size, base)
        return [replace(once, weight=once.weight * lanes.batch.n_blocks)]
    rows, active = lanes.pack(event.cells), lanes.active
    if len(lanes) == lanes.n_warps * WARP_SIZE:
        groups = [(rows, active)]
    else:
        full = active.all(axis=1)
        groups = [(rows[chosen], active[chosen]) for chosen in (full, ~full) if chosen.any()]
    return [distinct_patterns(cells, mask, period_cells, size, base) for cells, mask in groups]


def distinct_patterns(cells, active, period_cells: int, size: int, base: int) -> Requests:
    """Rows that differ in more than a shift by whole periods; all rows where the warps do not share one pattern."""
    mask = active[0]
    if len(cells) > 1 and (mask.all() or (active == mask).all()):
        start = cells[:, int(mask.argmax())]
        shifted = cells - start[:, None]
        alike = shifted == shifted[0]
        if alike.all() if mask.all() else alike[:, mask].all():
            phases, weight = start % period_cells, np.array([len(start)])
            if (phases == phases[0]).all():
                phases = phases[:1]
            else:
                phases, weight = np.unique(phases, return_counts=True)
            rows = phases[:, None] + shifted[0]
            rows = rows - rows[:, mask].min() // period_cells * period_cells  # no address below zero
            return Requests(base + rows * size, np.broadcast_to(mask, rows.shape), weight)
    return Requests(base + cells * size, active, np.ones(len(cells), np.int64))


def counted_once(count: Callable) -> Callable:
    """Remember what a function counted for a few rows: a loop's accesses repeat their patterns turn after turn.

    Args:    count: a pure function of addresses (n, 32), active (n, 32) and hashable values; gives an array or a tuple.
    Returns: the same function; what it returns for at most `FEW_ROWS` rows is shared and must not be written to.
    """
    known: dict[tuple, object] = {}

    @wraps(count)
    def remembered(addresses: np.ndarray, active: np.ndarray, *values):
        if len(addresses) > FEW_ROWS:
            return count(addresses, active, *values)
        key = (addresses.shape, addresses.tobytes(), active.tobytes(), *values)
        if key not in known:
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[key] = count(addresses, active, *values)
        return known[key]

    return remembered


def sort_rows(values: np.ndarray, active: np.ndarray) -> np.ndarray:
    """Each row sorted, inactive lanes last as NOBODY. Rows that already rise are not sorted again."""
    if active.all():
        rising = (values[:, 1:] >= values[:, :-1]).all()
        return values if rising else np.sort(values, axis=1)
    return np.sort(np.where(active, values, NOBODY), axis=1)


def count_distinct(ordered: np.ndarray) -> np.ndarray:
    """(n,) distinct values of each sorted row, NOBODY not counted."""
    steps = (ordered[:, 1:] != ordered[:, :-1]) & (ordered[:, 1:] != NOBODY)
    return (ordered[:, 0] != NOBODY) + np.count_nonzero(steps, axis=1)


def run_positions(ordered: np.ndarray) -> np.ndarray:
    """(n, width) how many equal values precede each entry of a sorted row, itself included; 0 for NOBODY."""
    column = np.arange(ordered.shape[1])
    starts = np.ones(ordered.shape, bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    begin = np.maximum.accumulate(np.where(starts, column, 0), axis=1)
    return np.where(ordered == NOBODY, 0, column - begin + 1)
