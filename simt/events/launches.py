"""Who and where, in every event: the launch with its arrays, a batch of its blocks, the threads, the source line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from simt.hardware import WARP_SIZE


@dataclass(frozen=True)
class Site:
    """One place in the learner's source that can do something: an access, a branch, a barrier, a call."""

    id: int
    function: str
    line: int  # 1-based, in the file or notebook cell that defines the function
    column: int
    text: str  # the source of the expression, as in "tile[tx, ty]"
    loops: tuple[tuple[int, int], ...] = ()  # (first, last) line of every loop around it, outermost first
    below_if: bool = True  # whether an `if` of its function decides who comes here, or nobody knows
    update: str = ""  # of an element that its source changes: the atomic that does the same, as in "max"


class Contents:
    """What is known of the bytes of one allocation on the device, from launch to launch; all arrays in it share this.

    filled: all of it holds values; address: of its first byte on the host; written: (bytes,) bool, what kernels have
    written, as far as an analysis heard of all their stores.
    """

    __slots__ = ("filled", "address", "written")

    def __init__(self, filled: bool, address: int = 0, n_bytes: int = 0) -> None:
        self.filled, self.address = filled, address
        self.written = np.zeros(0 if filled else n_bytes, bool)


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
    root: tuple = ()  # key of the array that these are other cells of, over the same bytes: `z.real`, `x.view(...)`
    first_cell: int = 0  # where in the buffer it begins, for arguments that are parts of one device array
    host_address: int = 0  # where cell 0 of an argument lies in this process's memory
    contents: Contents | None = field(default=None, compare=False, repr=False)  # of a device array not filled yet
    along: int | None = None  # the axis of a larger array that these cells are the places of, in `a[i]` of a matrix

    @property
    def storage(self) -> tuple[tuple, int]:
        """What this array is stored in, and how many units of that one cell takes: bytes where types are mixed."""
        return (self.memory, self.dtype.itemsize) if self.memory else (self.key, 1)

    @property
    def bytes_of(self) -> tuple:
        """What its bytes belong to, whatever the type that they are seen as."""
        return self.memory or self.root or self.key

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
    calls: list[Site] = field(default_factory=list, compare=False)  # of device functions that run now, outermost first

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

    def each(self, n: int) -> Lanes:
        """The same threads, each n times, one after the other."""
        if n == 1:
            return self
        if n not in self._several:
            told = self._several[n] = Lanes(self.batch, np.repeat(self.block, n), np.repeat(self.thread, n))
            told.row = np.repeat(self.row, n)  # which their number would not tell
        return self._several[n]

    @cached_property
    def _several(self) -> dict[int, Lanes]:
        """What `each` gave."""
        return {}

    @cached_property
    def warp(self) -> np.ndarray:
        """(n,) warp of each lane, numbered through the batch."""
        return self.block * self.batch.launch.warps_per_block + self.thread // WARP_SIZE

    @cached_property
    def blocks(self) -> np.ndarray:
        """(n,) int64, index within the batch of each block that takes part, once and rising."""
        return np.flatnonzero(np.bincount(self.block.astype(np.intp, copy=False)))

    @cached_property
    def lane(self) -> np.ndarray:
        """(n,) lane within the warp, 0 to 31."""
        return self.thread % WARP_SIZE

    @cached_property
    def in_batch(self) -> np.ndarray:
        """(n,) int64, each thread's number among those of the batch: its place in what is kept of each of them."""
        return self.block * self.batch.launch.threads_per_block + self.thread

    @cached_property
    def taking_part(self) -> np.ndarray:
        """(threads of the batch,) bool."""
        among = np.zeros(self.batch.n_blocks * self.batch.launch.threads_per_block, bool)
        among[self.in_batch] = True
        return among

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
