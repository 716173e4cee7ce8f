"""The state of one batch: consecutive blocks whose threads run in lock-step."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import DeadlineExceeded
from simt.hardware import WARP_SIZE
from simt.lanes.masks import Env, Frame
from simt.lanes.meter import Meter, worked_s
from simt.lanes.placement import placement_of
from simt.lanes.turning import Turning
from simt.launching.geometry import Dim3, coordinates, volume

if TYPE_CHECKING:
    from simt.memory.async_copies import CopyQueue
    from simt.threads.warpgroups import Products
    from simt.values import Value


@lru_cache(maxsize=1024)
def _entropy(seed: int, first: int) -> np.random.SeedSequence:
    """What draws for a batch begin with. first: its first block. To mix it takes longer than the generator itself."""
    return np.random.SeedSequence((seed, first))


@dataclass
class Options:
    """What a launch was asked for, the same for all its batches."""

    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int = 0
    strict: bool = True
    debug: bool = False
    deadline: float | None = None
    jitted: bool = False  # the kernel was decorated, so what it calls must be, too
    seed: int | None = None
    lockstep: bool = True
    meter: Meter = field(default_factory=Meter)
    device_arrays: dict = field(default_factory=dict)  # id of a global device array -> what kernels see
    placements: dict = field(default_factory=dict)  # blocks in a batch -> what all such batches share
    started: int = 0  # blocks that have ended or run now
    next_look_s: float = 0.0  # `time.monotonic()` before which the deadline cannot have passed
    raised: list = field(
        default_factory=list
    )  # exceptions a debug kernel raised: (class, arguments, line, block, thread)

    @property
    def threads_per_block(self) -> int:
        return volume(self.block)

    @property
    def warps_per_block(self) -> int:
        return -(-self.threads_per_block // WARP_SIZE)


class BatchState:
    """Memory, registers and bookkeeping of the blocks that run together.

    changes: counts assignments and stores; an iteration of a loop that leaves it alone is a fixpoint.
    in_groups: whether the lanes of a warp that took a branch come in two groups, as the hardware may bring them.
    apart: whether warps run in turns between barriers (see turns.py).
    altered: counts, while `watched`, the stores that really put something else into a cell.
    raised: whether an exception has ended a thread.
    meter: counts the work of the launch; turning: the loops that run now, outermost first.
    copies: those from global to shared memory that are under way (memory/async_copies.py); None before the first.
    products: those of warpgroups that are under way (threads/warpgroups.py); None before the first.
    index_memo: see indexing.py. fragments: matrices laid out for tensor cores (threads/tensor_cores.py).
    slots, exists: see placement.py.
    """

    def __init__(self, options: Options, block_ids: np.ndarray, emit=None):
        self.options, self.block_ids, self.emit = options, block_ids, emit
        self.strict, self.debug, self.deadline = options.strict, options.debug, options.deadline
        self.n_blocks = len(block_ids)
        options.started += self.n_blocks
        self.width = self.n_blocks * options.threads_per_block
        self.n_warps = self.n_blocks * options.warps_per_block
        self.shared: dict = {}
        self.local: dict = {}
        self.shared_bytes = 0
        self.copies: CopyQueue | None = None
        self.products: Products | None = None
        self.index_memo: dict = {}
        self.fragments: dict = {}
        self.changes = 0
        self.altered = 0
        self.watched = False
        self.raised = False
        self.meter = options.meter
        self.turning: list[Turning] = []
        self.apart = not options.lockstep
        self.in_groups = bool(options.seed)
        self._turns: dict[int, np.ndarray] = {}
        placed = placement_of(options.block, options.grid, block_ids, options.placements)
        self.slots, self.exists = placed.slots, placed.exists
        self.root = Env(self.width, self, Frame(0))
        self.root.registers = dict(placed.registers)

    @cached_property
    def shuffle(self) -> np.random.Generator | None:
        """Draws what a seed decides. Many batches ask it nothing, and making one takes as long as a store."""
        seed = self.options.seed
        return None if seed is None else np.random.default_rng(_entropy(seed, int(self.block_ids[0])))

    def coordinates(self, root_lane: int) -> tuple[Dim3, Dim3]:
        """(block, thread) of a lane of the whole batch, as (x, y, z) each."""
        block, thread = divmod(root_lane, self.options.threads_per_block)
        return coordinates(int(self.block_ids[block]), self.options.grid), coordinates(thread, self.options.block)

    def record_raise(self, env: Env, lanes: np.ndarray, kind, values: list, where: tuple[str, int]) -> None:
        """End the threads of some lanes (a bool each), and remember why: debug launches raise the first exception.

        where: the function and the line.
        """
        if self.emit is not None:
            self.emit.raised(env, lanes, kind, where)
        env.raise_in(lanes)
        block, thread = self.coordinates(int(env.root_index()[np.flatnonzero(lanes)[0]]))
        self.options.raised.append((kind, values, where[1], block, thread))

    def turns(self, n_lanes: int) -> np.ndarray | None:
        """(n_lanes,) the order in which the lanes of one store or atomic take their turn; None: that of threads."""
        if n_lanes < 2 or self.shuffle is None:
            return None
        turns = self._turns.get(n_lanes)
        if turns is None:
            turns = self._turns[n_lanes] = self._ends_in_the_middle(self.shuffle.permutation(n_lanes))
        return turns

    def _ends_in_the_middle(self, turns: np.ndarray) -> np.ndarray:
        """An order in which, of one thread per block, neither the first nor the last block comes last."""
        if len(turns) == self.n_blocks > 2:
            ends = {int(self.block_ids.argmin()), int(self.block_ids.argmax())}
            while int(turns[-1]) in ends:
                turns = np.roll(turns, 1)
        return turns

    def touch(self) -> None:
        """Count a change of memory."""
        self.changes += 1
        self.altered += 1

    def count_store(self, flat: np.ndarray, cells, value: Value, within) -> None:
        """Count a store that is about to happen. flat: cells of the array; within: mask of the lanes that store."""
        self.changes += 1
        if self.watched:
            new = np.asarray(within.pick(value), flat.dtype)  # of several lanes, even where all share one cell
            old, new = np.broadcast_arrays(flat[within.pick(cells)], new)
            self.altered += old.tobytes() != new.tobytes()

    def check_deadline(self) -> None:
        """Raise DeadlineExceeded once the launch is past its deadline.

        A thread works no longer than time passes, so its own clock, which is slow to ask, is asked that much later.
        """
        if self.deadline is None or time.monotonic() < self.options.next_look_s:
            return
        left_s = self.deadline - worked_s()
        if left_s < 0:
            raise DeadlineExceeded(
                "The kernel ran past its deadline. Does every loop end? Look at what its condition reads."
            )
        self.options.next_look_s = time.monotonic() + left_s
