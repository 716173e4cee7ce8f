"""Which atomics may take a lock, and who of a warp finds it open."""

from __future__ import annotations

import numpy as np

from simt.events import Access

TAKING = frozenset({"cas", "exch"})
TAKING_BY_ONE_VALUE = frozenset({"max", "or"})  # as max(lock, 0, 1): all bring the same, so the first one finds it open
LOOKING_WITH_ZERO = ("or", "add")
TAKING_FROM_ZERO = "add"  # as add(lock, 0, 1): who finds 0 has it; the others take back what they added


def takes(event: Access) -> bool:
    """Whether an atomic may have taken a lock, by what its thread found there. One that brings 0 only looks."""
    if event.operation in LOOKING_WITH_ZERO and event.values is not None and not np.any(event.values):
        return False
    if event.operation in TAKING_BY_ONE_VALUE or event.operation == TAKING_FROM_ZERO:
        return event.result_used and event.values is not None
    return event.result_used and event.operation in TAKING


def finds_open(event: Access) -> np.ndarray:
    """(n,) whether a lane finds a cell that does not yet hold what it puts, as who takes a lock does.

    Of a sum: whether it finds 0.
    """
    if event.values is None or event.memory is None or event.array.space != "global":
        return np.ones(len(event.cells), bool)
    held = event.memory[event.cells]
    opened = held != event.values
    if event.operation in TAKING_BY_ONE_VALUE:
        opened = held < event.values if event.operation == "max" else held & event.values != event.values
    if event.operation == TAKING_FROM_ZERO:
        opened = (held == 0) & (event.values != 0)
    order = np.arange(len(opened)) if event.turns is None else event.turns
    first = np.zeros(len(opened), bool)
    first[order[np.unique(event.cells[order], return_index=True)[1]]] = True
    return opened & first
