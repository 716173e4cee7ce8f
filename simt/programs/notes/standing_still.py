"""Does a sum stand still, because it has grown too large for what is added to it?"""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.analyses.findings import FindingBook, by_thread
from simt.compiling.operands.surprises import WHOLE_UP_TO, stands_still
from simt.events import Access, Lanes, Launch, Listener, Surprise

ENOUGH = {"whole": 2, "part": 64}  # times: of whole numbers each one is lost; of parts, some are rounded up as well
MOST_CELLS = 8  # of one atomic that are looked at
TYPES = {"e": "float16", "f": "float32"}
REMEDY = (
    "Count in an integer, or add up in a float64, and convert at the end; or add up parts first, each in a sum of "
    "its own."
)


class StandingStill(Listener):
    """One note for each line at which it happens again and again, to the same thread or the same element."""

    def __init__(self) -> None:
        self.book = FindingBook()
        self._times: dict[tuple, int] = {}
        self._last: dict[tuple, set] = {}  # threads or elements that it happened to last

    def launch_begins(self, launch: Launch) -> None:
        self._times, self._last = {}, {}

    def surprise(self, event: Surprise) -> None:
        if event.why == "still":
            lanes = event.lanes
            key = event.function, event.line
            same = set(zip(lanes.block.tolist(), lanes.thread.tolist(), strict=True))
            self._again(key, same, 1, lanes, event.left, event.right)

    def access(self, event: Access) -> None:
        """An atomic, whose lanes take their turns at one element."""
        if event.operation not in ("add", "sub") or event.memory is None or event.memory.dtype.char not in TYPES:
            return
        held = event.memory[event.cells]
        operands = np.broadcast_to(np.asarray(event.operands), held.shape)
        held = _in_turn(event, held, operands)
        after = held + operands if event.operation == "add" else held - operands
        still = np.flatnonzero(np.broadcast_to(stands_still(held, operands, after), held.shape))
        if len(still):
            cells, counts = np.unique(event.cells[still], return_counts=True)
            lanes = Lanes(event.lanes.batch, event.lanes.block[still], event.lanes.thread[still])
            key, at = (event.site.function, event.site.line), still[0]
            self._again(key, set(cells.tolist()), int(counts.max()), lanes, held[at], operands[at])

    def _again(self, key: tuple, same: set, times: int, lanes: Lanes, sum_: Any, added: Any) -> None:
        if key in self.book:
            self.book.count(key, len(lanes))
            return
        known = self._last.get(key, set())
        self._times[key] = times + (self._times.get(key, 0) if known & same else 0)
        self._last[key] = same
        is_whole = abs(sum_) >= WHOLE_UP_TO[sum_.dtype.char] and float(added).is_integer()
        if self._times[key] >= ENOUGH["whole" if is_whole else "part"]:
            self._note(key, lanes, sum_, added)

    def _note(self, key: tuple, lanes: Lanes, sum_: Any, added: Any) -> None:
        function, line = key
        says = (
            f"adds {added} to {sum_} at line {line}, again and again, and the sum stays {sum_}: that is a "
            f"{TYPES[sum_.dtype.char]}, and the next one is {np.nextafter(sum_, sum_.dtype.type(np.inf)) - sum_} away."
        )
        parts = {"lines": (line,), "count": len(lanes), "detail": {"function": function}}
        self.book.add(key, by_thread(lanes, 0, says, kind="stands_still", remedy=REMEDY, note=True, **parts))


def _in_turn(event: Access, held: np.ndarray, operands: np.ndarray) -> np.ndarray:
    """(n,) what each lane's element holds when its turn comes, as far as it may stand still."""
    kind = held.dtype
    largest = np.abs(held).max(initial=0) + np.abs(operands).astype(np.float64).sum()
    if largest < WHOLE_UP_TO[kind.char] and kind.char == "f" or len(held) < 2:
        return held
    signs = 1 if event.operation == "add" else -1
    found = held.copy()
    for cell in np.unique(event.cells)[:MOST_CELLS]:
        here = np.flatnonzero(event.cells == cell)
        steps = np.concatenate([held[here[:1]], (signs * operands[here]).astype(kind)])
        found[here] = np.add.accumulate(steps, dtype=kind)[:-1]
    return found
