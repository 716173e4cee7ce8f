"""Do two threads touch one element, one of them writing, with nothing that orders them?

Judged by ordering rules, never by results, so a race is found even where the interpreter's lock-step order happens to
give the right answer. A block's accesses are ordered by syncthreads, a warp's also by syncwarp (shuffles and votes do
not order memory), blocks only by a grid barrier. Atomics do not race with each other. What this input did not execute
is not judged.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from simt.analyses.huge_arrays import HugeArrays
from simt.analyses.races.between_blocks import BetweenBlocks
from simt.analyses.races.book import RaceBook
from simt.analyses.races.codes import codes_of
from simt.analyses.races.equal_stores import EqualStores
from simt.analyses.races.fences import FenceLog
from simt.analyses.races.reports import Reports
from simt.analyses.races.shadow import BlockShadow, Order, ShadowedAccess, emptied
from simt.events import (
    Access,
    ArrayInfo,
    Barrier,
    Batch,
    Branch,
    Fence,
    Finding,
    Lanes,
    Launch,
    Listener,
    Site,
    WarpSync,
)
from simt.hardware import WARP_SIZE


class Races(Listener):
    """Shared and global arrays; one finding for each array and pair of lines."""

    hears_several = True

    def __init__(self) -> None:
        self.book = RaceBook()
        self.huge = HugeArrays()
        self._arrives = False  # whether the store that comes is the end of a copy

    @property
    def findings(self) -> list[Finding]:
        return self.book.findings

    @property
    def met_any(self) -> bool:
        """Whether any two accesses of the launch met with nothing between, whether or not that does harm."""
        return self._reports.met_any

    # The life of a launch

    def launch_begins(self, launch: Launch) -> None:
        self._launch = launch
        self.book.begin(launch)
        self._sequence = 0
        self._shadows: dict[tuple, BlockShadow] = {}
        self._fences, self._equal = FenceLog(launch), EqualStores()
        self._reports = Reports(self.book, self._fences, self._equal)
        self._between = BetweenBlocks(launch, self._fences, self._reports)
        written = {array.key for array in launch.arguments if array.name not in launch.only_read}
        self._harmless = {array.key for array in launch.arguments} - written

    def batch_begins(self, batch: Batch) -> None:
        self._batch = batch
        now, n_warps = self._sequence + 1, batch.n_blocks * batch.launch.warps_per_block
        self._order = Order(np.full(batch.n_blocks, now, np.int64), np.zeros(n_warps, np.int64), now)
        self._rising = bool((np.diff(batch.block_ids) > 0).all())

    def batch_ends(self, batch: Batch) -> None:
        self._shadows = emptied(self._shadows)

    def launch_ends(self, launch: Launch) -> None:
        self._between.judge()
        self._shadows = {}

    # What orders accesses

    def barrier(self, event: Barrier) -> None:
        order, now = self._order, self._sequence + 1
        order.synchronised(event.lanes.blocks, now)
        self._fences.barrier(self._batch.block_ids[event.lanes.blocks], now)
        if order.oldest == now:
            for shadow in self._shadows.values():
                shadow.forget_loads()

    def warp_sync(self, event: WarpSync) -> None:
        self.book.warp_idiom = True
        if event.orders_memory:
            self._order.warps[event.lanes.warp] = self._sequence + 1
            self._order.warps_synced = True

    def grid_sync(self, site: Site) -> None:
        self._between.judge()
        self._order.synchronised(slice(None), self._sequence + 1)

    def fence(self, event: Fence) -> None:
        self._fences.fence(event, self._sequence)

    def branch(self, event: Branch) -> None:
        self.book.log_branch(event)

    # Accesses

    def access(self, event: Access) -> None:
        if event.array.space not in ("shared", "global") or event.array.key in self._harmless or not len(event.lanes):
            return
        shown = self.huge.shown(event)
        if shown is None:
            return
        event, array, lanes = shown, shown.array, shown.lanes
        whole = len(lanes) == event.each * self._batch.n_blocks * self._launch.threads_per_block
        several = self._launch.warps_per_block > 1  # of a block of one warp, larger ones are to be expected
        one_warp = several and not whole and int(lanes.thread.max()) < WARP_SIZE
        self._sequence = self.book.log_access(event.site, event.kind, whole, one_warp, array.name)
        make_step = self._step_maker(event, self._sequence)
        shadow = self._shadow_of(array)
        if event.kind == "load":
            self._load(event, shadow, make_step)
        else:
            self._store(event, shadow, make_step())
        if array.space == "global":
            self._between.note(event, self._sequence, self._rising)

    def tile_read(self, event: Access) -> None:
        """A load like any other, and another one where it ends: no other warpgroup knows of that. What a copy writes
        from its beginning on is a store: nobody may still be reading what was there."""
        self.access(event)

    tile_read_ends = copy_begins = tile_read

    def copy_ends(self, event: Access) -> None:
        """It may have written until now: others need a barrier after this. Who came earlier is told elsewhere."""
        self._arrives = True
        self.access(event)
        self._arrives = False

    def _load(self, event: Access, shadow: BlockShadow, make_step) -> None:
        if max(shadow.last_store, shadow.last_atomic) >= self._order.oldest:
            step = make_step()
            for hazard, clash, earlier in shadow.clashes(step, self._order, "load"):
                self._reports.within_block(event, step, hazard, clash, earlier)
        shadow.note_load(make_step, len(event.lanes))

    def _store(self, event: Access, shadow: BlockShadow, step: ShadowedAccess) -> None:
        shadow.enter_loads()
        equal = self._equal.note(event) if event.kind == "store" else None
        if event.kind == "atomic":
            self._fences.swap(event, step.sequence)
            self._equal.updates(event.array)
        for hazard, clash, earlier in () if self._arrives else shadow.clashes(step, self._order, event.kind):
            self._reports.within_block(event, step, hazard, clash, earlier, equal if hazard == "WAW" else None)
        if event.kind == "atomic":
            shadow.enter_atomic(step)
            self._fences.atomic(event, step.sequence)
            return
        won = shadow.enter_store(step)
        self.book.log_values(event.site, event.values)
        lost = won != step.codes
        n_lost = int(np.count_nonzero(lost))
        self.book.log_update(event, n_lost)
        if n_lost:
            self._reports.same_instruction(event, step, won, lost, shadow.n_keys)

    def _step_maker(self, event: Access, sequence: int) -> Callable[[], ShadowedAccess]:
        """What makes an access's shadow. Holds on to the cells of one block only where all blocks touch the same."""
        array, lanes = event.array, event.lanes
        if array.space != "shared":
            return partial(self._step, lanes, event.cells, sequence)
        if event.block_cells is None:
            return partial(self._step, lanes, event.cells, sequence, array)
        return partial(self._step, lanes, event.block_cells, sequence, array, lanes.batch.n_blocks)

    def _step(
        self, lanes: Lanes, cells: np.ndarray, sequence: int, shared: ArrayInfo | None = None, repeat: int = 1
    ) -> ShadowedAccess:
        """cells: of the lanes, or of one block that stands for `repeat`; shared: the array, if blocks have copies."""
        keys = np.concatenate([cells] * repeat) if repeat > 1 else cells
        if shared is not None:
            units = shared.storage[1]  # the first unit of an element stands for it
            keys = (keys + lanes.block * shared.n_cells) * units if units > 1 else keys + lanes.block * shared.n_cells
        return ShadowedAccess(
            sequence,
            keys,
            codes_of(lanes, sequence),
            lanes.warp,
            self._order.floor(lanes),
        )

    def _shadow_of(self, array: ArrayInfo) -> BlockShadow:
        storage, units = array.storage
        shadow = self._shadows.get(storage)
        if shadow is None:
            copies, lasts = (self._batch.n_blocks, False) if array.space == "shared" else (1, True)
            shadow = self._shadows[storage] = BlockShadow(array.n_cells * units * copies, lasts)
        return shadow
