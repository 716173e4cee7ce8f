"""Keeps the first accesses of the first warps, so that figures can draw what one warp really touches."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from simt.analyses.wording import unravel
from simt.events import WARP_SIZE, Access, ArrayInfo, Batch, Launch, Listener, Site, Statement


@dataclass(frozen=True)
class Picture:
    """One warp-wide access. cells, addresses: (32,) int64, of lanes where active: (32,) bool."""

    site: Site
    kind: str  # "load", "store" or "atomic"
    array: ArrayInfo
    block: tuple[int, int, int]
    warp: int  # within the block
    active: np.ndarray
    cells: np.ndarray
    addresses: np.ndarray
    access_bytes: int


@dataclass(frozen=True)
class Moment:
    """One source line executed by the recorded warp. active: (32,) bool."""

    function: str
    line: int
    active: np.ndarray


@dataclass
class Recording:
    """What was kept. accesses: the first few of each site, in program order; moments: the first lines of one warp."""

    launch: Launch | None = None
    accesses: list[Picture] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)


class Recorder(Listener):
    """Records the first batch of every launch; lines only of the first launch.

    turns: how often one site is kept (a loop comes by many times); warps: how many warps of each turn;
    moments: how many lines of the very first warp.
    """

    def __init__(self, turns: int = 4, warps: int = 2, moments: int = 400) -> None:
        self.recording = Recording()
        self.turns, self.warps, self.n_moments = turns, warps, moments
        self._seen: dict[int, int] = {}
        self._first_batch: Batch | None = None

    def launch_begins(self, launch: Launch) -> None:
        self._first_batch = None

    def batch_begins(self, batch: Batch) -> None:
        if self._first_batch is None:
            self._first_batch = batch
            self.recording.launch = self.recording.launch or batch.launch

    def statement(self, event: Statement) -> None:
        lanes = event.lanes
        recording = self.recording
        if lanes.batch is not self._first_batch or len(recording.moments) >= self.n_moments:
            return
        if lanes.batch.launch is not recording.launch:
            return
        active = np.zeros(WARP_SIZE, bool)
        count = int(np.searchsorted(lanes.warp, 1))  # lanes of the very first warp come first
        active[lanes.lane[:count]] = True
        if count:
            self.recording.moments.append(Moment(event.function, event.line, active))

    def access(self, event: Access) -> None:
        lanes, seen = event.lanes, self._seen.get(event.site.id, 0)
        if lanes.batch is not self._first_batch or seen >= self.turns or not len(lanes):
            return
        self._seen[event.site.id] = seen + 1
        launch = lanes.batch.launch
        for row in range(min(self.warps, lanes.n_warps)):
            mine = slice(*np.searchsorted(lanes.row, (row, row + 1)))
            warp = int(lanes.warp[mine][0])
            active, cells = np.zeros(WARP_SIZE, bool), np.zeros(WARP_SIZE, np.int64)
            active[lanes.lane[mine]] = True
            cells[lanes.lane[mine]] = event.cells[mine]
            addresses = event.array.base_address + cells * event.array.dtype.itemsize
            block_id = int(lanes.batch.block_ids[warp // launch.warps_per_block])
            self.recording.accesses.append(
                Picture(
                    event.site,
                    event.kind,
                    event.array,
                    unravel(block_id, launch.grid),
                    warp % launch.warps_per_block,
                    active,
                    cells,
                    addresses,
                    event.access_bytes,
                )
            )
