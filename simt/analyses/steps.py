"""Keeps what one block does, line by line in lock-step order: lanes at work, variables, accesses, memory, barriers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from simt.analyses.block_recording import Assigned, BlockRecording, Step, StepAccess
from simt.events import Access, ArrayInfo, Barrier, Batch, Branch, Lanes, Launch, Listener, Site, Statement, WarpSync
from simt.memory.arrays import Array

MOST_STEPS = 1000
MOST_GLOBAL_CELLS = 4096  # elements of a global array whose contents are kept


@dataclass
class _Open:
    """A line whose variables are still to be read. mine: its lanes of this block, as positions in the event."""

    step: Step
    depth: int
    look: Any
    names: list[str]
    mine: np.ndarray
    threads: np.ndarray
    function: str


class StepRecorder(Listener):
    """Records one block of one launch. block: linear id; steps: how many are kept; number: of the launch, from 0."""

    def __init__(self, block: int = 0, steps: int = MOST_STEPS, number: int = 0) -> None:
        self.recording = BlockRecording(block)
        self.most, self._launches_before = steps, number
        self._batch: Batch | None = None  # the batch that the block is part of, while it runs
        self._now: Step | None = None
        self._open: list[_Open] = []
        self._activations: dict[int, object] = {}
        self._assigns: dict[tuple[str, int], tuple[str, ...]] = {}
        self._depths: dict[str, int] = {}
        self._held: dict[tuple, np.ndarray] = {}  # contents after the last line that is over
        self._buffers: dict[tuple, tuple[ArrayInfo, np.ndarray]] = {}
        self._stored: list[tuple[Access, np.ndarray]] = []

    def launch_begins(self, launch: Launch) -> None:
        if self._launches_before == 0:
            self.recording.launch = launch
        self._launches_before -= 1

    def batch_begins(self, batch: Batch) -> None:
        here = np.flatnonzero(batch.block_ids == self.recording.block)
        if batch.launch is self.recording.launch and len(here):
            self._batch, self._position = batch, int(here[0])

    def batch_ends(self, batch: Batch) -> None:
        if batch is self._batch:
            self._settle(0)
            self._batch = None

    def launch_ends(self, launch: Launch) -> None:
        if self._batch is not None and launch is self.recording.launch:
            self.batch_ends(self._batch)

    # Lines

    def statement(self, event: Statement) -> None:
        if self._batch is None:
            return
        self._settle(event.look.depth)
        mine = self._mine(event.lanes)
        if not len(mine):
            return
        self._begin(event, event.line, event.last_line, event.lanes.thread[mine], event.look)
        self._assigns[event.function, event.line] = event.assigns
        self._depths[event.function] = event.look.depth
        self._follow(event.function, event.look, event.assigns, mine, event.lanes.thread[mine])

    def branch(self, event: Branch) -> None:
        mine = self._mine(event.lanes) if self._batch is not None else ()
        if not len(mine):
            return
        site, threads, current = event.site, event.lanes.thread[mine], self._now
        alone = bool(self._open) and event.look.is_part_of(self._open[-1].look)  # lanes that go on by themselves
        decided = current is not None and current.decided_at == site.id
        if current is None or not current.covers(site) or (decided and not alone):
            self._settle(event.look.depth)
            self._begin(site, site.line, site.line, threads, event.look)
        elif self._open and self._open[-1].step.covers(site):
            self._open.pop()
        step = self._now
        step.decided_at = site.id
        if not (decided and alone):
            step.taken = self._row(threads[event.taken[mine]])
        inside = mine[event.taken[mine]]
        names = self._assigns.get((site.function, step.line), ())
        self._follow(site.function, event.look, names, inside, event.lanes.thread[inside])

    def _begin(self, where, line: int, last: int, threads: np.ndarray, look) -> None:
        """Start a step at an event's or a site's function; beyond the most that are kept, one that is dropped."""
        depth = look.depth if look is not None else self._depths.get(where.function, 0)
        ended = np.zeros(len(self._row()), bool)
        if look is not None and (returned := look.returned()) is not None:
            ended = returned.reshape(self._batch.n_blocks, -1)[self._position].copy()
        elif look is None and self._now is not None:
            ended = self._now.ended
        self._now = Step(where.function, line, last, depth, self._row(threads), ended)
        if len(self.recording.steps) < self.most:
            self.recording.steps.append(self._now)
        else:
            self.recording.n_dropped += 1

    def _follow(self, function: str, look, names, mine: np.ndarray, threads: np.ndarray) -> None:
        """Remember to read variables when the line is over; arguments of a new activation at once."""
        line = _Open(self._now, look.depth, look, list(names), mine, threads, function)
        if self._activations.get(look.depth) is not look.activation:
            self._activations[look.depth] = look.activation
            self._read(line, None, given=True)
        self._open.append(line)

    def _settle(self, depth: int) -> None:
        """The current line is over: read what it assigned and wrote. Callers of the function at `depth` still wait."""
        self._settle_memory()
        while self._open and self._open[-1].depth >= depth:
            line = self._open.pop()
            self._read(line, line.names, given=False)

    def _read(self, line: _Open, names, given: bool) -> None:
        if self._now is None or (names is not None and not names):
            return
        for name, value in line.look.variables(names).items():
            values = column(value, line.mine, len(line.threads))
            self._now.assigned.append(Assigned(line.depth, line.function, name, line.threads, values, given))

    # What a line does

    def access(self, event: Access) -> None:
        mine = self._mine(event.lanes) if self._batch is not None else ()
        if not len(mine) or not self._at(event.site, event.lanes.thread[mine]):
            return
        array, cells, threads = event.array, event.cells[mine], event.lanes.thread[mine]
        own = event.memory
        if array.space == "shared":
            own = own[self._position * array.n_cells : (self._position + 1) * array.n_cells]
        self._keep_contents(array, own)
        values = own[cells]
        if event.kind == "store" and event.values is not None:
            values = event.values[mine] if np.ndim(event.values) else np.full(len(mine), event.values)
        step = self._now
        step.accesses.append(StepAccess(event.site, event.kind, array, threads, cells, values, event.wide))
        if event.kind != "load":
            self._stored.append((event, (cells[:, None] + np.arange(event.wide)).ravel()))
            if array.space == "local" and self._open:
                self._open[-1].names.append(array.name)

    def copy_ends(self, event: Access) -> None:
        """The line that waits for a copy is the one that shows what it brought."""
        self.access(event)

    def barrier(self, event: Barrier) -> None:
        mine = self._mine(event.lanes) if self._batch is not None else ()
        if len(mine) and self._at(event.site, event.lanes.thread[mine]):
            step = self._now
            step.arrived, step.live = len(mine), int(event.live[self._position])

    def warp_sync(self, event: WarpSync) -> None:
        mine = self._mine(event.lanes) if self._batch is not None else ()
        if len(mine) and self._at(event.site, event.lanes.thread[mine]):
            self._now.meets = self._row(event.lanes.thread[mine])

    def _at(self, site: Site, threads: np.ndarray) -> bool:
        """Make the current step one of the site's line: after a call, a line goes on. False before the first line."""
        if self._now is None or self._now.covers(site):
            return self._now is not None
        depth = self._depths.get(site.function, 0)
        goes_on = any(line.depth == depth and line.step.covers(site) for line in self._open)
        self._settle(depth + goes_on)
        self._begin(site, site.line, site.line, threads, None)
        return True

    # Memory

    def _keep_contents(self, array: ArrayInfo, own: np.ndarray) -> None:
        if array.key in self._held or own.dtype.names or array.space == "local":
            return
        if array.space == "shared" or len(own) <= MOST_GLOBAL_CELLS:
            self.recording.contents[array.key] = array, own.copy()
            self._held[array.key], self._buffers[array.key] = own.copy(), (array, own)

    def _settle_memory(self) -> None:
        """Read what the stores of the current line left behind, under every type that the memory has."""
        step, stored = self._now, self._stored
        self._stored = []
        for event, cells in stored:
            for key, (array, own) in self._buffers.items():
                if key == event.array.key or (array.memory and array.memory == event.array.memory):
                    differs = own.view(np.uint8) != self._held[key].view(np.uint8)
                    changed = np.flatnonzero(differs.reshape(len(own), -1).any(axis=1))
                    touched = np.union1d(changed, cells) if key == event.array.key else changed
                    before = step.written.get(key, (touched, None))[0]
                    touched = np.union1d(before, touched).astype(np.intp)
                    step.written[key] = touched, own[touched]
                    self._held[key][touched] = own[touched]

    # Small things

    def _mine(self, lanes: Lanes) -> np.ndarray:
        """Positions of the recorded block's lanes in an event."""
        if lanes.batch is not self._batch:
            return np.zeros(0, np.intp)
        return np.flatnonzero(lanes.block == self._position)

    def _row(self, threads: np.ndarray | None = None) -> np.ndarray:
        """(threads of the block,) bool, True at `threads`."""
        row = np.zeros(self.recording.launch.threads_per_block, bool)
        if threads is not None:
            row[threads] = True
        return row


def column(value, mine: np.ndarray, n: int) -> np.ndarray:
    """What a look says of a variable, as one entry for each of `n` threads, at positions `mine` of the event."""
    if type(value) is np.ndarray:
        return value[mine].copy()
    if isinstance(value, tuple):
        items = [column(item, mine, n).tolist() for item in value]
        entries = np.empty(n, object)
        entries[:] = [tuple(item[k] for item in items) for k in range(n)]
        return entries
    if isinstance(value, np.generic) and not value.dtype.names:
        return np.full(n, value)
    entries = np.empty(n, object)
    entries[:] = array_text(value) if isinstance(value, Array) else str(value)
    return entries


def array_text(array: Array) -> str:
    """ "shared float32 (32, 33)"."""
    shape = ", ".join(str(int(np.max(extent))) for extent in array.shape)
    return f"{array.space} {array.dtype} ({shape})"
