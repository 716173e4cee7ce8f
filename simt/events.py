"""What the interpreter tells its listeners.

The core emits these events and knows nobody who listens; every analysis is a `Listener` in `simt/analyses/` that
answers one question. A launch without listeners emits nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.hardware import WARP_SIZE

if TYPE_CHECKING:
    from simt.inspection import Inspection


@dataclass(frozen=True)
class Site:
    """One place in the learner's source that can do something: an access, a branch, a barrier, a call."""

    id: int
    function: str
    line: int  # 1-based, in the file or notebook cell that defines the function
    column: int
    text: str  # the source of the expression, as in "tile[tx, ty]"
    loops: tuple[tuple[int, int], ...] = ()  # (first, last) line of every loop around it, outermost first


@dataclass(frozen=True)
class ArrayInfo:
    """An array that kernels touch. Cells are elements of one flat buffer; a shared array has one copy per block."""

    key: tuple  # identity across events of one launch
    name: str  # argument name, or the variable a shared or local array was assigned to
    space: str  # "global", "shared", "local" or "constant"
    dtype: np.dtype
    shape: tuple[int, ...]  # as the kernel sees it
    strides: tuple[int, ...]  # in elements
    n_cells: int  # elements of the flat buffer: of one block's copy for shared, of all threads' for local
    base_address: int  # bytes; global arrays are 512-byte aligned and share no sector, shared arrays sit as allocated
    initialised: bool = True  # False: reading a cell nobody wrote is an error (shared, local, device_array)
    memory: tuple = ()  # set alike for arrays that are the same bytes under several types (dynamic shared memory)
    first_cell: int = 0  # where in the buffer it begins, for arguments that are parts of one device array
    host_address: int = 0  # where cell 0 of an argument lies in this process's memory

    @property
    def storage(self) -> tuple[tuple, int]:
        """What this array is stored in, and how many units of that one cell takes: bytes where types are mixed."""
        return (self.memory, self.dtype.itemsize) if self.memory else (self.key, 1)

    def index_of(self, cell: int) -> tuple[int, ...]:
        """The kernel's index of a flat cell of one copy: 35 -> (1, 3) for strides (32, 1)."""
        index, cell = [0] * len(self.strides), cell - self.first_cell
        for axis in sorted(range(len(self.strides)), key=lambda axis: -self.strides[axis]):  # Fortran order too
            stride = self.strides[axis]
            quotient, cell = divmod(cell, stride) if stride > 0 else (0, cell)
            index[axis] = int(quotient)
        return tuple(index)


@dataclass(frozen=True)
class Launch:
    """One kernel launch."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[ArrayInfo, ...]
    dynamic_shared_bytes: int = 0
    only_read: frozenset[str] = frozenset()  # arguments that the kernel's source never writes nor hands on

    @property
    def threads_per_block(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def warps_per_block(self) -> int:
        return -(-self.threads_per_block // WARP_SIZE)


@dataclass(frozen=True)
class Batch:
    """Consecutive blocks (linear ids, x fastest) that are interpreted together in lock-step."""

    launch: Launch
    block_ids: np.ndarray  # (n_blocks,) int64, linear block id of each block of the batch

    @property
    def n_blocks(self) -> int:
        return len(self.block_ids)


@dataclass
class Lanes:
    """The active threads of an event: one entry each, ordered by block within the batch, then by thread."""

    batch: Batch
    block: np.ndarray  # (n,) int64, index of the block within the batch
    thread: np.ndarray  # (n,) int64, linear thread id within its block, x fastest

    def __len__(self) -> int:
        return len(self.thread)

    @cached_property
    def warp(self) -> np.ndarray:
        """(n,) warp of each lane, numbered through the batch."""
        return self.block * self.batch.launch.warps_per_block + self.thread // WARP_SIZE

    @cached_property
    def lane(self) -> np.ndarray:
        """(n,) lane within the warp, 0 to 31."""
        return self.thread % WARP_SIZE

    @cached_property
    def global_thread(self) -> np.ndarray:
        """(n,) int64, linear thread id in the whole grid: block id * threads per block + thread."""
        return self.batch.block_ids[self.block] * self.batch.launch.threads_per_block + self.thread

    @cached_property
    def row(self) -> np.ndarray:
        """(n,) row of each lane when the warps that take part are packed into a (warps, 32) matrix."""
        if len(self) == self.batch.n_blocks * self.batch.launch.threads_per_block:
            return self.warp  # nobody is missing, so rows are the warps of the batch
        new = np.ones(len(self), bool)
        new[1:] = self.warp[1:] != self.warp[:-1]
        return np.cumsum(new) - 1

    @cached_property
    def n_warps(self) -> int:
        return int(self.row[-1]) + 1 if len(self) else 0

    @cached_property
    def active(self) -> np.ndarray:
        """(n_warps, 32) bool, which lanes of each participating warp are active."""
        return self.pack(np.ones(len(self), bool), False)

    def pack(self, values: np.ndarray, fill=0) -> np.ndarray:
        """Lay per-lane values out as (n_warps, 32), `fill` where a lane is inactive."""
        if len(self) == self.n_warps * WARP_SIZE:
            return np.ascontiguousarray(values).reshape(-1, WARP_SIZE)
        matrix = np.full((self.n_warps, WARP_SIZE), fill, np.asarray(values).dtype)
        matrix[self.row, self.lane] = values
        return matrix


@dataclass
class Access:
    """One load, store or atomic, by every active lane at once."""

    site: Site
    kind: str  # "load", "store" or "atomic"
    array: ArrayInfo
    lanes: Lanes
    cells: np.ndarray  # (n,) int64, flat cell per lane, within its block's copy for shared arrays
    values: Any = None  # what a store writes: (n,) array, a scalar when it is one for all lanes, None when unknown
    wide: int = 1  # consecutive cells each lane touches (vector types)
    operation: str = ""  # for atomics: "add", "max", "cas", ...
    result_used: bool = False  # for atomics
    turns: np.ndarray | None = None  # for atomics: (n,) the order in which the lanes take their turn; None: as they are
    memory: np.ndarray | None = None  # the flat buffer as it is before a store or an atomic, all blocks' copies

    @cached_property
    def addresses(self) -> np.ndarray:
        """(n,) int64, byte address of each lane."""
        return self.array.base_address + self.cells * self.array.dtype.itemsize

    @cached_property
    def block_cells(self) -> np.ndarray | None:
        """(threads of a block,) cells, when all threads take part and every block touches the same; else None."""
        batch = self.lanes.batch
        if len(self.lanes) != batch.n_blocks * batch.launch.threads_per_block:
            return None
        by_block = self.cells.reshape(batch.n_blocks, -1)
        return by_block[0].copy() if (by_block == by_block[0]).all() else None

    @property
    def access_bytes(self) -> int:
        return self.array.dtype.itemsize * self.wide


@dataclass
class OutOfBounds:
    """Lanes whose index lies outside the array, or wraps round because it is negative (`wraps`)."""

    site: Site
    kind: str  # "load", "store" or "atomic"
    array: ArrayInfo
    lanes: Lanes
    indices: tuple[np.ndarray, ...]  # (n,) per dimension, as the kernel computed them
    wraps: bool = False
    part_shape: tuple[int, ...] | None = None  # what the first lane indexed, where that is a slice or a row of `array`

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents of what was indexed."""
        return self.array.shape if self.part_shape is None else self.part_shape


@dataclass
class Branch:
    """A condition evaluated by `lanes`; `taken` says for which it held. Loops evaluate theirs once a turn."""

    site: Site
    lanes: Lanes
    taken: np.ndarray  # (n,) bool
    look: Inspection | None = None


@dataclass
class Statement:
    """One source line that `lanes` are about to execute.

    last_line: of a statement that goes on below, without the statements inside it; assigns: the variables it can set.
    look: reads variables, from now until the next event that has a look of its own.
    """

    function: str
    line: int
    lanes: Lanes
    last_line: int = 0
    assigns: tuple[str, ...] = ()
    look: Inspection | None = None


@dataclass
class Arithmetic:
    """One operation on numbers, and how often a batch did it: `count` adds up the active lanes, each time it ran.

    Told at the end of a batch, and only where a listener overrides `arithmetic`.

    operation: an operator, as in "+", "**3" for a power known at compile time, or a function, as in "sqrt" or "fmaf".
    Comparisons, conversions, signs and the steps of `range` are none.
    """

    site: Site
    operation: str
    dtype: np.dtype  # of the result
    count: int


@dataclass
class Barrier:
    """syncthreads (or a variant) reached by `lanes`. live: (n_blocks,) threads of each block that have not returned."""

    site: Site
    lanes: Lanes
    live: np.ndarray
    returned: np.ndarray  # (n_blocks,) threads of each block that returned earlier


@dataclass
class WarpSync:
    """syncwarp, or a shuffle, vote or match (`orders_memory` False). mask: (n,) lanes each caller names."""

    site: Site
    lanes: Lanes
    mask: np.ndarray
    orders_memory: bool
    reads_from: np.ndarray | None = None  # (n,) lane each caller reads in a shuffle
    returned: np.ndarray | None = None  # (threads of the batch,) bool, which have returned; None: nobody


@dataclass
class Fence:
    """threadfence by `lanes`. scope: "block", "grid" or "system"."""

    site: Site
    lanes: Lanes
    scope: str = "grid"


class Listener:
    """Base of every analysis: override what you need. Events arrive in program order within a batch.

    A copy beside the threads is told as a load and `copy_begins`, and as `copy_ends` once its thread has waited."""

    hears_wide = False  # True: a request for several cells a lane is one event (`Access.wide`), and not one a cell

    def launch_begins(self, launch: Launch) -> None: ...
    def batch_begins(self, batch: Batch) -> None: ...
    def shared_allocated(self, array: ArrayInfo, site: Site) -> None: ...
    def statement(self, event: Statement) -> None: ...
    def arithmetic(self, event: Arithmetic) -> None: ...
    def access(self, event: Access) -> None: ...
    def constant_load(self, event: Access) -> None: ...
    def copy_begins(self, event: Access) -> None: ...
    def copy_ends(self, event: Access) -> None: ...
    def out_of_bounds(self, event: OutOfBounds) -> None: ...
    def branch(self, event: Branch) -> None: ...
    def barrier(self, event: Barrier) -> None: ...
    def warp_sync(self, event: WarpSync) -> None: ...
    def fence(self, event: Fence) -> None: ...
    def grid_sync(self, site: Site) -> None: ...
    def batch_ends(self, batch: Batch) -> None: ...
    def launch_ends(self, launch: Launch) -> None: ...


CALLBACKS = tuple(
    name for name, one in vars(Listener).items() if callable(one) and not name.startswith("_")
)  # every event, in the order of a launch


@dataclass(frozen=True)
class Finding:
    """A mistake, by line. `message` says what, where and why; `remedy` says what to do next.

    kind: race, out_of_bounds, uninitialised_read, barrier_divergence, deadlock, invalid_launch, misaligned,
    unsupported, warp_mask or write_to_input.
    """

    kind: str
    message: str
    lines: tuple[int, ...] = ()  # offending line first
    threads: tuple[tuple[int, int, int], ...] = ()  # (x, y, z) within the block
    array: str = ""
    remedy: str = ""
    blocks: tuple[tuple[int, int, int], ...] = ()
    count: int = 1  # lanes (or pairs) that did it
    detail: dict = field(default_factory=dict)  # what a diagnosis may need: index, scope, hazard, wraps, ...
    note: bool = False  # True: worth knowing, not a mistake
