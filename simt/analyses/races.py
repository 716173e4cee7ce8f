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

from simt.analyses.fences import FenceLog
from simt.analyses.race_story import SCOPES, Party, Race
from simt.analyses.shadow import (
    BLOCK_SHIFT,
    SEQUENCE_SHIFT,
    BlockShadow,
    GridShadow,
    Order,
    Step,
    block_of,
    sequence_of,
    thread_of,
    warp_of,
)
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

VARIES = object()  # a store site that wrote more than one value


class Races(Listener):
    """Shared and global arrays; one finding for each array and pair of lines."""

    def __init__(self) -> None:
        self._races: dict[tuple, Race] = {}

    @property
    def findings(self) -> list[Finding]:
        """A note is dropped where a mistake at the same lines makes it moot."""
        mistakes = {key[:-1] for key in self._races if not key[-1]}
        return [race.finding() for key, race in self._races.items() if not key[-1] or key[:-1] not in mistakes]

    # The life of a launch

    def launch_begins(self, launch: Launch) -> None:
        self._launch = launch
        self._sequence = 0
        self._accesses: list[tuple[Site, str, bool] | None] = [None]  # by sequence number: site, kind, whole blocks?
        self._branches: list[tuple[int, str, int]] = []  # (sequence number, function, line)
        self._arrays: dict[tuple, ArrayInfo] = {}
        self._grid: dict[tuple, GridShadow] = {}
        self._constants: dict[int, object] = {}  # store site -> the one value it wrote, or VARIES
        self._fences = FenceLog(launch)
        self._warp_idiom = False
        written = {array.key for array in launch.arguments if array.name not in launch.only_read}
        self._harmless = {array.key for array in launch.arguments} - written

    def batch_begins(self, batch: Batch) -> None:
        self._batch = batch
        now = self._sequence + 1
        n_warps = batch.n_blocks * batch.launch.warps_per_block
        self._order = Order(np.full(batch.n_blocks, now, np.int64), np.zeros(n_warps, np.int64), now)
        self._shadows: dict[tuple, BlockShadow] = {}
        self._rising = bool((np.diff(batch.block_ids) > 0).all())

    def batch_ends(self, batch: Batch) -> None:
        self._shadows = {}

    def launch_ends(self, launch: Launch) -> None:
        self._judge_grid()

    # What orders accesses

    def barrier(self, event: Barrier) -> None:
        order, now = self._order, self._sequence + 1
        order.blocks[event.lanes.block] = now
        order.oldest = int(order.blocks.min())
        if order.oldest == now:
            for shadow in self._shadows.values():
                shadow.forget_loads()

    def warp_sync(self, event: WarpSync) -> None:
        self._warp_idiom = True
        if event.orders_memory:
            self._order.warps[event.lanes.warp] = self._sequence + 1
            self._order.warps_synced = True

    def grid_sync(self, site: Site) -> None:
        self._judge_grid()
        self._grid = {}
        self._order.blocks[:] = self._sequence + 1
        self._order.oldest = self._sequence + 1

    def fence(self, event: Fence) -> None:
        if event.scope != "block":
            self._fences.fence(event, self._sequence)

    def branch(self, event: Branch) -> None:
        self._branches.append((self._sequence, event.site.function, event.site.line))

    # Accesses

    def access(self, event: Access) -> None:
        array, lanes = event.array, event.lanes
        if array.space not in ("shared", "global") or array.key in self._harmless or not len(lanes):
            return
        self._sequence += 1
        whole = len(lanes) == self._batch.n_blocks * self._launch.threads_per_block
        self._accesses.append((event.site, event.kind, whole))
        self._arrays[array.key] = array
        make_step = self._step_maker(event, self._sequence)
        shadow = self._shadow_of(array)
        if event.kind == "load":
            self._load(event, shadow, make_step)
        else:
            self._store(event, shadow, make_step())
        if array.space == "global":
            self._note_for_grid(event, self._sequence)

    def _load(self, event: Access, shadow: BlockShadow, make_step) -> None:
        if max(shadow.last_store, shadow.last_atomic) >= self._order.oldest:
            step = make_step()
            for hazard, clash, earlier in shadow.clashes(step, self._order, "load"):
                self._report(event, step, hazard, clash, earlier)
        shadow.note_load(make_step, len(event.lanes))

    def _store(self, event: Access, shadow: BlockShadow, step: Step) -> None:
        shadow.enter_loads()
        for hazard, clash, earlier in shadow.clashes(step, self._order, event.kind):
            self._report(event, step, hazard, clash, earlier)
        if event.kind == "atomic":
            shadow.enter_atomic(step)
            return
        won = shadow.enter_store(step)
        self._note_value(event)
        lost = won != step.codes
        if lost.any():
            self._same_instruction(event, step, won, lost)

    def _step_maker(self, event: Access, sequence: int) -> Callable[[], Step]:
        """What makes the access's Step. Holds on to the cells of one block only where all blocks touch the same."""
        array, lanes = event.array, event.lanes
        if array.space != "shared":
            return partial(self._step, lanes, event.cells, sequence)
        if event.block_cells is None:
            return partial(self._step, lanes, event.cells, sequence, array.n_cells)
        return partial(self._step, lanes, event.block_cells, sequence, array.n_cells, lanes.batch.n_blocks)

    def _step(self, lanes: Lanes, cells: np.ndarray, sequence: int, copy_cells: int = 0, repeat: int = 1) -> Step:
        """cells: of the lanes, or of one block that stands for `repeat`; copy_cells: of a block's copy of the array."""
        keys = np.tile(cells, repeat) if repeat > 1 else cells
        if copy_cells:
            keys = keys + lanes.block * copy_cells
        return Step(
            sequence,
            keys,
            self._codes(lanes, sequence),
            lanes.warp,
            self._order.floor(self._batch.block_ids, lanes.block),
        )

    def _codes(self, lanes: Lanes, sequence: int) -> np.ndarray:
        return (lanes.batch.block_ids[lanes.block] << BLOCK_SHIFT) + (lanes.thread + (sequence << SEQUENCE_SHIFT))

    def _cells_and_codes(self, event: Access, sequence: int, rising: bool) -> tuple[np.ndarray, np.ndarray]:
        """Both by rising code, also when the blocks of a batch come in shuffled order."""
        codes = self._codes(event.lanes, sequence)
        if rising:
            return event.cells, codes
        order = np.argsort(codes, kind="stable")
        return event.cells[order], codes[order]

    def _shadow_of(self, array: ArrayInfo) -> BlockShadow:
        shadow = self._shadows.get(array.key)
        if shadow is None:
            copies = self._batch.n_blocks if array.space == "shared" else 1
            shadow = self._shadows[array.key] = BlockShadow(array.n_cells * copies)
        return shadow

    def _note_for_grid(self, event: Access, sequence: int) -> None:
        if self._launch.grid == (1, 1, 1):
            return
        shadow = self._grid.setdefault(event.array.key, GridShadow(event.array.n_cells))
        shadow.note(event.kind, partial(self._cells_and_codes, event, sequence, self._rising), len(event.lanes))
        if event.kind == "atomic":
            self._fences.atomic(event, sequence)

    # Values: threads that store one and the same value do no harm

    def _note_value(self, event: Access) -> None:
        values = event.values
        if values is None:
            value = VARIES
        elif np.ndim(values) == 0:
            value = values[()] if isinstance(values, np.ndarray) else values
        else:
            value = values[0] if (values == values[0]).all() else VARIES
        if event.site.id in self._constants and self._constants[event.site.id] != value:
            value = VARIES
        self._constants[event.site.id] = value

    def _same_value(self, first: Site, second: Site) -> bool:
        value = self._constants.get(first.id, VARIES)
        return value is not VARIES and self._constants.get(second.id, VARIES) == value

    def _same_instruction(self, event: Access, step: Step, won: np.ndarray, lost: np.ndarray) -> None:
        """Lanes of one store that share an element: a race when their values differ."""
        values = event.values
        differ = lost
        if values is not None and np.ndim(values):
            kept = np.empty(self._shadow_of(event.array).n_keys, values.dtype)
            kept[step.keys] = values
            stays = kept[step.keys]
            differ = lost & (stays != values) & ((stays == stays) | (values == values))
        same = not differ.any() or values is None or np.ndim(values) == 0
        self._report(event, step, "WAW", lost if same else differ, won, same_instruction=True, same_value=same)

    # Reports

    def _report(self, event, step, hazard, clash, earlier, same_instruction=False, same_value=None) -> None:
        """Record a clash of lanes of this access with earlier codes, apart for each earlier access."""
        lanes = np.flatnonzero(clash)
        before = earlier[lanes]
        for sequence in np.unique(sequence_of(before)):
            chosen = lanes[sequence_of(before) == sequence]
            narrow = warp_of(earlier[chosen]) == warp_of(step.codes[chosen])
            scope = "warp" if narrow.all() else "block"
            lane = int(chosen[int(narrow.argmin())])
            self._record(
                event.array, int(event.cells[lane]), hazard, scope, int(earlier[lane]), int(step.codes[lane]),
                len(chosen), same_value, same_instruction,
            )  # fmt: skip

    def _judge_grid(self) -> None:
        for key, shadow in self._grid.items():
            for hazard, cells, writers, others in shadow.clashes():
                fenced = self._fences.order(writers, others) if hazard == "RAW" else np.zeros(len(cells), bool)
                for ordered in (False, True):
                    chosen = np.flatnonzero(fenced == ordered)
                    if len(chosen):
                        self._report_grid(self._arrays[key], hazard, cells, writers, others, chosen, ordered)

    def _report_grid(self, array, hazard, cells, writers, others, chosen, fenced) -> None:
        pairs = sequence_of(writers[chosen]) << 32 | sequence_of(others[chosen])
        for pair in np.unique(pairs):
            mine = chosen[pairs == pair]
            first = int(mine[0])
            self._record(
                array,
                int(cells[first]),
                hazard,
                "grid",
                int(writers[first]),
                int(others[first]),
                len(mine),
                fenced=fenced,
            )

    def _party(self, code: int) -> Party:
        site, kind, whole = self._accesses[sequence_of(code)]
        return Party(site, kind, int(block_of(code)), int(thread_of(code)), whole)

    def _record(
        self,
        array,
        cell,
        hazard,
        scope,
        earlier,
        later,
        count,
        same_value=None,
        same_instruction=False,
        fenced=False,
    ) -> None:
        one, two = self._party(earlier), self._party(later)
        if same_value is None:
            same_value = one.kind == two.kind == "store" and self._same_value(one.site, two.site)
        turn = "same" if same_instruction else self._turn(hazard, scope, earlier, later, one, two)
        race = Race(
            self._launch, array, cell, hazard, scope, one, two, turn, count, {hazard},
            same_value=same_value, warp_idiom=self._warp_idiom, fenced=fenced,
        )  # fmt: skip
        harmless = same_value or fenced
        lines = tuple(sorted({(one.site.function, one.site.line), (two.site.function, two.site.line)}))
        key = (array.space, array.name, lines, harmless)
        known = self._races.get(key)
        if known is None:
            self._races[key] = race
            return
        race.hazards |= known.hazards
        better = (race.lost_update, SCOPES.index(scope)) > (known.lost_update, SCOPES.index(known.scope))
        kept = race if better else known
        kept.count = known.count + count
        kept.hazards = race.hazards
        kept.scope = max(scope, known.scope, key=SCOPES.index)
        self._races[key] = kept

    def _turn(self, hazard, scope, earlier: int, later: int, one: Party, two: Party) -> str:
        """ "previous" when a loop turned between the two accesses, "same" within one statement, or "" ."""
        if one.site.function != two.site.function or scope == "grid":
            return ""
        first, second = one.site.line, two.site.line
        begin, end = sequence_of(earlier), sequence_of(later)
        for sequence, function, line in reversed(self._branches):
            if sequence < begin:
                break
            if sequence < end and function == one.site.function and line <= min(first, second):
                return "previous"
        if first > second or (first == second and hazard != "WAR"):
            return "previous" if one.site.function == self._launch.kernel else ""
        return "same" if first == second else ""
