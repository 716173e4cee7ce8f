"""Shadow memory of a block: who wrote and who read each element last, so that two unordered accesses are noticed.

`BlockShadow` compares each access with the last store, two readers and two atomic updates since the last barrier. Loads
are only noted down; they are looked at when a store to the same array follows before the barrier.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from simt.analyses.races.codes import BLOCK_SHIFT, NEVER, SEQUENCE_SHIFT, block_of, sequence_of, thread_of, warp_of
from simt.events import Lanes

PENDING_LANES = 1 << 22  # loads remembered per array before they are entered into the shadow
KEPT_FLOORS = 32  # of lanes that may come again before the next barrier
FEW = 4  # of so many elements, at most one touched: then they are emptied one by one


@dataclass
class Order:
    """What orders accesses of one batch: the sequence number at which each block and each warp last synchronised."""

    blocks: np.ndarray  # (n_blocks,) int64, at the last barrier
    warps: np.ndarray  # (n_warps,) int64, at the last syncwarp
    oldest: int = 0  # smallest of `blocks`: nothing before it matters to anyone
    warps_synced: bool = False
    _floors: dict[int, tuple[Lanes, np.ndarray]] = field(default_factory=dict)  # since the last barrier, by id

    def synchronised(self, blocks: np.ndarray | slice, now: int) -> None:
        """These blocks passed a barrier."""
        self.blocks[blocks] = now
        self.oldest = int(self.blocks.min())
        self._floors.clear()

    def floor(self, lanes: Lanes) -> np.ndarray:
        """(n,) the smallest code that is not ordered before an access of these lanes by a barrier."""
        known = self._floors.get(id(lanes))
        if known is None:
            if len(self._floors) >= KEPT_FLOORS:
                self._floors.clear()
            block = lanes.block
            floor = (lanes.batch.block_ids[block] << BLOCK_SHIFT) | (self.blocks[block] << SEQUENCE_SHIFT)
            known = self._floors[id(lanes)] = lanes, floor
        return known[1]


@dataclass
class ShadowedAccess:
    """One access as the shadow sees it. keys: (n,) element; codes: (n,) who; warp: (n,) warp in the batch."""

    sequence: int
    keys: np.ndarray
    codes: np.ndarray
    warp: np.ndarray
    floor: np.ndarray

    def reversed(self) -> ShadowedAccess:
        back = slice(None, None, -1)
        return ShadowedAccess(self.sequence, self.keys[back], self.codes[back], self.warp[back], self.floor[back])


class Visitors:
    """Two threads that came to each element since the last barrier: enough to find one that is not ordered.

    recent: (n_keys,) code of the last visitor; other: the last one of another warp, or else of another thread.
    """

    def __init__(self, n_keys: int) -> None:
        self.recent = np.full(n_keys, NEVER, np.int64)
        self.other = np.full(n_keys, NEVER, np.int64)

    def enter(self, step: ShadowedAccess) -> None:
        old = self.recent[step.keys]
        self.recent[step.keys] = step.codes
        if not np.count_nonzero(self.recent[step.keys] != step.codes):
            self._keep_other(step, old, old >= step.floor)
            return
        self.recent[step.keys] = old  # several lanes came to one element: enter the first of them, then the last
        self._enter_one_each(step.reversed())
        self._enter_one_each(step)

    def _enter_one_each(self, step: ShadowedAccess) -> None:
        old = self.recent[step.keys]
        self.recent[step.keys] = step.codes
        self._keep_other(step, old, (self.recent[step.keys] == step.codes) & (old >= step.floor))

    def _keep_other(self, step: ShadowedAccess, old: np.ndarray, moves: np.ndarray) -> None:
        """Who came before stays known as the other one. moves: (n,) bool, whose predecessor no barrier ordered."""
        if np.count_nonzero(moves):
            moves = moves & (thread_of(old) != thread_of(step.codes))
        if not np.count_nonzero(moves):
            return
        keys, codes, old, floor = step.keys[moves], step.codes[moves], old[moves], step.floor[moves]
        other = self.other[keys]
        keep = (warp_of(old) == warp_of(codes)) & (other >= floor) & (warp_of(other) != warp_of(codes))
        self.other[keys[~keep]] = old[~keep]


@dataclass
class BlockShadow:
    """The last store to each element, and the visitors that loaded it or updated it atomically."""

    n_keys: int
    lasts: bool = False  # for all batches of a launch: memory that all blocks share
    last_store: int = 0  # sequence number of the latest store
    last_atomic: int = 0
    last_load: int = 0  # of those that have been entered
    write: np.ndarray | None = None  # (n_keys,) codes
    loads: Visitors | None = None
    atomics: Visitors | None = None
    pending: list = field(default_factory=list)  # loads not entered yet: functions that make their ShadowedAccess
    pending_lanes: int = 0
    touched: list[np.ndarray] = field(default_factory=list)  # keys entered since it was empty, while they are few
    n_touched: int = 0

    def empty(self) -> None:
        """Forget everything, at the cost of what was touched: an array may be far larger than a batch of blocks."""
        few = self.n_touched <= self.n_keys // FEW
        codes = [
            one for visitors in (self.loads, self.atomics) if visitors for one in (visitors.recent, visitors.other)
        ]
        for one in codes if self.write is None else [*codes, self.write]:
            for keys in self.touched if few else [slice(None)]:
                one[keys] = NEVER
        self.touched, self.n_touched, self.last_store, self.last_atomic, self.last_load = [], 0, 0, 0, 0
        self.forget_loads()

    def _touch(self, step: ShadowedAccess) -> None:
        self.n_touched += len(step.keys)
        if self.n_touched <= self.n_keys // FEW:
            self.touched.append(step.keys)

    def note_load(self, make_step, n_lanes: int) -> None:
        """Remember a load until a store makes it interesting."""
        self.pending.append(make_step)
        self.pending_lanes += n_lanes
        if self.pending_lanes > PENDING_LANES:
            self.enter_loads()

    def forget_loads(self) -> None:
        """A barrier ordered them all."""
        self.pending.clear()
        self.pending_lanes = 0

    def enter_loads(self) -> None:
        """Enter the remembered loads."""
        if self.pending and self.loads is None:
            self.loads = Visitors(self.n_keys)
        for make_step in self.pending:
            step = make_step()
            self._touch(step)
            self.loads.enter(step)
            self.last_load = step.sequence
        self.forget_loads()

    def enter_atomic(self, step: ShadowedAccess) -> None:
        if self.atomics is None:
            self.atomics = Visitors(self.n_keys)
        self._touch(step)
        self.atomics.enter(step)
        self.last_atomic = step.sequence

    def enter_store(self, step: ShadowedAccess) -> np.ndarray:
        """Make this the last write. Returns: (n,) the code that won each lane's element; lanes may share one."""
        if self.write is None:
            self.write = np.full(self.n_keys, NEVER, np.int64)
        self._touch(step)
        self.write[step.keys] = step.codes
        self.last_store = step.sequence
        return self.write[step.keys]

    def clashes(self, step: ShadowedAccess, order: Order, kind: str) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
        """Yield (hazard, which lanes, earlier codes) for an access that is about to be entered."""
        after_write = "RAW" if kind == "load" else "WAW"
        against: list[tuple[str, np.ndarray]] = []
        if self.last_store >= order.oldest and self.write is not None:
            against.append((after_write, self.write))
        if kind != "atomic" and self.last_atomic >= order.oldest and self.atomics is not None:
            against += [(after_write, self.atomics.recent), (after_write, self.atomics.other)]
        if kind != "load" and self.loads is not None and self.last_load >= order.oldest:
            against += [("WAR", self.loads.recent), ("WAR", self.loads.other)]
        for hazard, codes in against:
            earlier = codes[step.keys]
            clash = unordered(earlier, step, order)
            if np.count_nonzero(clash):
                yield hazard, clash, earlier


def emptied(shadows: dict[tuple, BlockShadow]) -> dict[tuple, BlockShadow]:
    """What the next batch of blocks starts with: the arrays that it shares with this one, with nobody in them."""
    lasting = {storage: shadow for storage, shadow in shadows.items() if shadow.lasts}
    for shadow in lasting.values():
        shadow.empty()
    return lasting


def unordered(earlier: np.ndarray, step: ShadowedAccess, order: Order) -> np.ndarray:
    """(n,) whether the earlier code is another thread of the same block that nothing orders before this step."""
    clash = earlier >= step.floor
    if not np.count_nonzero(clash):
        return clash
    clash &= block_of(earlier) == block_of(step.codes)
    clash &= thread_of(earlier) != thread_of(step.codes)
    if order.warps_synced and np.count_nonzero(clash):
        same_warp = warp_of(earlier) == warp_of(step.codes)
        clash &= ~(same_warp & (sequence_of(earlier) < order.warps[step.warp]))
    return clash
