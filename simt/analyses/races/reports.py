"""What becomes of accesses that clash: one entry in the book for each earlier access, with what is known of the two."""

from __future__ import annotations

import numpy as np

from simt.analyses.races.book import RaceBook
from simt.analyses.races.codes import sequence_of, warp_of
from simt.analyses.races.equal_stores import EqualStores
from simt.analyses.races.fences import FenceLog
from simt.analyses.races.shadow import ShadowedAccess
from simt.events import Access, ArrayInfo


class Reports:
    """Tells clashes apart by line, by locks and fences that order them, and by values that are the same anyway."""

    def __init__(self, book: RaceBook, fences: FenceLog, equal: EqualStores) -> None:
        self._book, self._fences, self._equal = book, fences, equal
        self.met_any = False  # whether any two accesses of the launch met, harmless or not
        self._guessing: set[tuple[str, int]] = set()  # lines that read what a compare-and-swap checks

    def same_instruction(
        self, event: Access, step: ShadowedAccess, won: np.ndarray, lost: np.ndarray, n_keys: int
    ) -> None:
        """Lanes of one store that share an element, of n_keys: a race when their values differ."""
        values = event.values
        differ = lost
        if values is not None and np.ndim(values):
            kept = np.empty(n_keys, values.dtype)
            kept[step.keys] = values
            stays = kept[step.keys]
            differ = lost & (stays != values) & ((stays == stays) | (values == values))
        same = not differ.any() or values is None or np.ndim(values) == 0
        equal = np.full(len(lost), same)
        self.within_block(event, step, "WAW", lost if same else differ, won, equal, same_instruction=True)

    def within_block(
        self,
        event: Access,
        step: ShadowedAccess,
        hazard: str,
        clash: np.ndarray,
        earlier: np.ndarray,
        equal: np.ndarray | None = None,
        same_instruction: bool = False,
    ) -> None:
        """Record a clash of lanes of this access with earlier codes, apart for each earlier access.

        equal: (lanes,) whether each stores what is there already; None where that says nothing.
        """
        self.met_any = True
        lanes = np.flatnonzero(clash)
        before, now = earlier[lanes], step.codes[lanes]
        locked = self._fences.lock_orders(before, now, later_ended=False, near=True)
        same = np.zeros(len(lanes), bool) if equal is None else equal[lanes]
        narrow = warp_of(before) == warp_of(now)
        for group in _groups(sequence_of(before) << 2 | locked << 1 | same):
            wide = group[~narrow[group]]
            one = int((wide if len(wide) else group)[0])
            codes = int(before[one]), int(now[one])
            scope = "block" if len(wide) else "warp"
            example = event.array, int(event.cells[lanes[one]]), hazard, scope, codes
            in_lock = self._fences.lock_held(codes, near=True)
            readers = (before if hazard == "WAR" else now)[group]
            guess = hazard != "WAW" and self._is_guess(event.array, readers)
            same_value, fenced = bool(same[one]), bool(locked[one])
            self._book.record(*example, len(group), same_value, same_instruction, fenced, in_lock, guess)

    def between_blocks(
        self,
        array: ArrayInfo,
        hazard: str,
        cells: np.ndarray,
        writers: np.ndarray,
        others: np.ndarray,
        fenced: np.ndarray,
    ) -> None:
        """Record clashes between blocks, apart for each pair of accesses."""
        equal = self._equal.all_equal(array, cells) & (hazard == "WAW")
        pairs = sequence_of(writers) << 33 | sequence_of(others) << 2 | fenced << 1 | equal
        for mine in _groups(pairs):
            first = int(mine[0])
            codes = int(writers[first]), int(others[first])
            locked = self._missing(hazard, codes)
            lock_at = self._fences.taken_at(codes[1]) if locked.endswith("first fence") else 0
            example = array, int(cells[first]), hazard, "grid", codes
            same, ordered = bool(equal[first]), bool(fenced[first])
            guess = hazard != "WAW" and self._is_guess(array, others[mine])
            self._book.record(
                *example,
                len(mine),
                same_value=same,
                fenced=ordered,
                locked=locked,
                guess=guess,
                lock_at=lock_at,
                compared=self._equal.knows(array),
            )

    def _missing(self, hazard: str, codes: tuple[int, int]) -> str:
        """What a lock or a counter lacks that would order a write and what another block does. See `Race.locked`."""
        writer, other = np.array(codes[:1], np.int64), np.array(codes[1:], np.int64)
        if hazard == "RAW" and self._fences.reads_early(writer, other)[0]:
            if self._fences.lock_orders(writer, other, later_ended=True, near=False)[0]:
                return "lent first fence" if self._fences.is_lent(codes[1]) else "first fence"
        locked = self._fences.lock_held(codes, near=False)
        return locked or (self._fences.counted(codes) if hazard == "RAW" else "")

    def _is_guess(self, array: ArrayInfo, readers: np.ndarray) -> bool:
        """Whether a compare-and-swap checks what a line reads: of these threads, or of others that came by before."""
        sites = {self._book.site_of(int(code)) for code in readers[:1]}
        if self._fences.guesses(array.key, readers):
            self._guessing |= sites
        return self._fences.swapped.get(array.key) is not None and bool(sites & self._guessing)


def _groups(keys: np.ndarray) -> list[np.ndarray]:
    """The places of each key, in order, from the smallest key on."""
    order = np.argsort(keys, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(keys[order])) + 1) if len(keys) else []
