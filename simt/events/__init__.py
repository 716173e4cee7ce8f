"""What the interpreter tells its listeners.

The core emits these events and knows nobody who listens; every analysis is a `Listener` in `simt/analyses/` that
answers one question. A launch without listeners emits nothing. `emit.py` sends the events; `inspection.py` answers
what a listener asks besides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.events.launches import ArrayInfo, Batch, Lanes, Launch, Site
from simt.lanes.bits import every

if TYPE_CHECKING:
    from simt.events.inspection import Inspection


@dataclass
class Access:
    """One load, store or atomic, by every active lane at once."""

    site: Site
    kind: str  # "load", "store" or "atomic"
    array: ArrayInfo
    lanes: Lanes
    cells: np.ndarray  # (n,) int64, flat cell per lane, within its block's copy for shared arrays
    values: Any = None  # what a store writes: (n,) array, a scalar when it is one for all lanes, None when unknown;
    # the operand of an atomic where it is one for all lanes
    wide: int = 1  # consecutive cells each lane touches (vector types)
    operation: str = ""  # for atomics: "add", "max", "cas", ...
    operands: Any = None  # for atomics: (n,) array, or a scalar where it is one for all lanes
    result_used: bool = False  # for atomics
    turns: np.ndarray | None = None  # for atomics: (n,) the order in which the lanes take their turn; None: as they are
    memory: np.ndarray | None = None  # the flat buffer as it is before a store or an atomic, all blocks' copies
    each: int = 1  # how often `lanes` names each thread, one after the other: once a cell, for who `hears_several`

    @cached_property
    def addresses(self) -> np.ndarray:
        """(n,) int64, byte address of each lane."""
        return self.array.base_address + self.cells * self.array.dtype.itemsize

    @cached_property
    def block_cells(self) -> np.ndarray | None:
        """(threads of a block * each,) cells, when all threads take part and all blocks touch the same; else None."""
        batch = self.lanes.batch
        if len(self.lanes) != self.each * batch.n_blocks * batch.launch.threads_per_block:
            return None
        if batch.n_blocks == 1:
            return self.cells
        by_block = self.cells.reshape(batch.n_blocks, -1)
        return by_block[0].copy() if every(by_block == by_block[0]) else None

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
    """A condition evaluated by `lanes`; `taken` says for which it held. Loops evaluate theirs once per iteration."""

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


@dataclass
class Raised:
    """An exception that ends the threads of `lanes`, or an assertion that does. kind: its class, as in "ValueError"."""

    function: str
    line: int
    kind: str
    lanes: Lanes


@dataclass
class Narrowed:
    """A store of numbers that its elements cannot hold, by `lanes`. value, stored: of the first of these lanes.

    why: "size", of integers of 8 or 16 bits, and signed ones of 32; "fraction", where a number between -1 and 1 becomes
    the integer 0; "unsigned", where a difference below 0 of unsigned integers becomes a float; "infinite", where a
    number is past the largest float16. kept: of "fraction", how many other lanes stored numbers that are not 0, and of
    which something is left; it is told with no lanes, too.
    """

    site: Site
    array: ArrayInfo
    lanes: Lanes
    value: Any
    stored: Any
    why: str = "size"
    kept: int = 0


@dataclass
class Surprise:
    """Arithmetic that gave `lanes` what nobody expects. left, right, result: of the first of these lanes.

    why: "unsigned", a difference below 0 of unsigned integers; "zero", a division by 0; "overflow", a product that 64
    bits do not hold, of a variable with what is multiplied to it again and again; "nan" and "float32", a
    comparison that is never true: with NaN, or of float32 with a number that no float32 is; "still", a sum in a
    float32 or float16 that is too large for what is added to it; "half", a result past the largest float16.
    """

    function: str
    line: int
    lanes: Lanes
    why: str
    left: Any
    right: Any
    result: Any


class Listener:
    """Base of every analysis: override what you need. Events arrive in program order within a batch.
    A copy beside the threads is told as a load and `copy_begins`, then `copy_ends` once its thread has waited."""

    hears_wide = False  # True: a request for several cells per lane is one event (`Access.wide`), and not one a cell
    hears_several = False  # True: it may be one event that names a thread several times, once a cell (`Access.each`)

    def launch_begins(self, launch: Launch) -> None: ...
    def batch_begins(self, batch: Batch) -> None: ...
    def shared_allocated(self, array: ArrayInfo, site: Site) -> None: ...
    def statement(self, event: Statement) -> None: ...
    def arithmetic(self, event: Arithmetic) -> None: ...
    def access(self, event: Access) -> None: ...
    def constant_load(self, event: Access) -> None: ...
    def copy_begins(self, event: Access) -> None: ...
    def copy_ends(self, event: Access) -> None: ...
    def tile_read(self, event: Access) -> None: ...  # by the tensor cores
    def tile_read_ends(self, event: Access) -> None: ...  # where their product was waited for
    def out_of_bounds(self, event: OutOfBounds) -> None: ...
    def branch(self, event: Branch) -> None: ...
    def barrier(self, event: Barrier) -> None: ...
    def warp_sync(self, event: WarpSync) -> None: ...
    def fence(self, event: Fence) -> None: ...
    def grid_sync(self, site: Site) -> None: ...
    def raised(self, event: Raised) -> None: ...
    def narrowed(self, event: Narrowed) -> None: ...
    def printed(self, lines: int, n_bytes: int) -> None: ...  # n_bytes: that a GPU keeps of them at least
    def surprise(self, event: Surprise) -> None: ...
    def batch_ends(self, batch: Batch) -> None: ...
    def launch_ends(self, launch: Launch) -> None: ...


CALLBACKS = tuple(
    name for name, one in vars(Listener).items() if callable(one) and not name.startswith("_")
)  # every event, in the order of a launch


@dataclass(frozen=True)
class Finding:
    """A mistake, by line. `message` says what, where and why; `remedy` says what to do next.

    kind: race, out_of_bounds, uninitialised_read, barrier_divergence, deadlock, invalid_launch, misaligned,
    tile_not_shown, product_under_way, unsupported, warp_mask or write_to_input. Notes on a program have more, those of
    `simt.analyses.findings.RANK`.
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
