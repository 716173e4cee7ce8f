"""Keeps the first accesses of the first warps, so that figures can draw what one warp really touches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from simt.analyses.wording import unravel
from simt.events import Access, ArrayInfo, Batch, Launch, Listener, OutOfBounds, Site, Statement
from simt.hardware import WARP_SIZE


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
    turn: int = 0  # how often the site had come by before in this launch
    launch: int = 0  # number of the launch


@dataclass(frozen=True)
class Outside:
    """One warp-wide access of which some lanes had an index outside the array.

    lanes: (n,) of those lanes; indices: (n, dimensions) int64, as the kernel computed them.
    inside, cells: (m,) lanes of the warp that stayed inside, and their flat cells.
    """

    site: Site
    kind: str
    array: ArrayInfo
    block: tuple[int, int, int]
    warp: int
    lanes: np.ndarray
    indices: np.ndarray
    inside: np.ndarray
    cells: np.ndarray


@dataclass(frozen=True)
class Moment:
    """One source line executed by the recorded warp. active: (32,) bool."""

    function: str
    line: int
    active: np.ndarray


@dataclass
class Recording:
    """What was kept. accesses: the first few of each site, in program order; moments: the first lines of one warp;
    outside: the first warp of each site that left an array."""

    launch: Launch | None = None
    accesses: list[Picture] = field(default_factory=list)
    outside: list[Outside] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)


class Recorder(Listener):
    """Records the first batch of every launch; lines only of the first launch.

    turns: how often one site is kept (a loop comes by many times); warps: how many warps of each iteration;
    moments: how many lines of the very first warp.
    """

    hears_wide = True

    def __init__(self, turns: int = 4, warps: int = 2, moments: int = 400) -> None:
        self.recording = Recording()
        self.turns, self.warps, self.n_moments = turns, warps, moments
        self._seen: dict[int, int] = {}
        self._n_launches = 0
        self._before: dict[int, int] = {}  # what was seen of each site when the launch began
        self._first_batch: Batch | None = None
        self._left: OutOfBounds | None = None  # the lanes that left an array in the access that comes next

    def launch_begins(self, launch: Launch) -> None:
        self._first_batch = None
        self._before = dict(self._seen)
        self._n_launches += 1

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

    def out_of_bounds(self, event: OutOfBounds) -> None:
        if not event.wraps and event.site.id not in {kept.site.id for kept in self.recording.outside}:
            lanes = event.lanes
            launch, warp = lanes.batch.launch, int(lanes.warp[0])
            mine = lanes.warp == warp
            indices = np.stack([index[mine] for index in event.indices], axis=1)
            block = unravel(int(lanes.batch.block_ids[warp // launch.warps_per_block]), launch.grid)
            nobody = np.zeros(0, np.int64)
            where = block, warp % launch.warps_per_block, lanes.lane[mine]
            self.recording.outside.append(Outside(event.site, event.kind, event.array, *where, indices, nobody, nobody))
            self._left = event

    def access(self, event: Access) -> None:
        self._complete(event)
        self._picture(event)

    def _complete(self, event: Access) -> None:
        """Tell the last access that left an array which lanes of its warp stayed inside."""
        left, self._left = self._left, None
        if left is not None and left.site.id == event.site.id:
            mine = event.lanes.warp == left.lanes.warp[0]
            last = self.recording.outside[-1]
            self.recording.outside[-1] = replace(last, inside=event.lanes.lane[mine], cells=event.cells[mine])

    def _picture(self, event: Access) -> None:
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
                    seen - self._before.get(event.site.id, 0),
                    self._n_launches - 1,
                )
            )
