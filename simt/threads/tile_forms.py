"""How the tiles of a warpgroup's product lie in shared memory, and how its sums are dealt out to the threads.

float16, 64 x 64 times 64 x 256: a tile has rows of 64 elements, and within a row the pieces of 8 are exchanged: piece p
of row r lies where piece p ^ (r % 8) would (`cell_of`).
int8, 64 x 32 times 32 x 256: a tile has rows of 32 bytes, whose halves are exchanged in every other four rows of shared
memory, whichever row a tile begins with (`exchanged`); B is turned round: its rows are columns of the result.

Of the sums, lane l of warp w holds rows 16 w + l // 4 and that plus 8, and of each 8 columns the pair from 2 (l % 4)
on; sums 4 j to 4 j + 3 belong to columns 8 j to 8 j + 7.
Source: PTX ISA, "Register Fragments and Shared Memory Matrix Layouts", "Matrix Descriptor Format".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from simt.hardware import WARP_SIZE
from simt.values.numba_rules import F16, F32

WARPS, ROWS = 4, 64  # of a warpgroup; of one product
THREADS = WARPS * WARP_SIZE
PANEL = 64  # columns of a float16 tile that lie together
BYTES_DEEP = 32  # of a row of int8


def cell_of(row, col):
    """Where element (row, col) of a float16 tile lies, panels of 64 columns one after the other: 64 rows high."""
    panel, within = col // PANEL, col % PANEL
    return ROWS * PANEL * panel + PANEL * row + 8 * ((within // 8) ^ (row % 8)) + within % 8


def exchanged(cells):
    """Where byte `cells` of rows of 32 bytes lies: the halves of rows 4 to 7 of each eight change places."""
    return cells ^ (cells >> 7 & 1) << 4


@dataclass(frozen=True)
class Form:
    """One kind of product. a_cells: (rows, deep); b_cells: (deep, columns), from where a tile begins; aligned: elements
    whose multiple that is; place: what the cells are then, counted from the array's beginning; row_of, col_of: (sums,
    warps, lanes), where in the result each sum of a thread belongs."""

    name: str
    element: np.dtype
    total: np.dtype  # what sums are kept in
    a_cells: np.ndarray
    b_cells: np.ndarray
    aligned: int
    place: Callable[[np.ndarray], np.ndarray] = lambda cells: cells
    row_of: np.ndarray = field(init=False)
    col_of: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        lane, warp, of = np.arange(WARP_SIZE), np.arange(WARPS)[:, None], np.arange(self.sums)[:, None, None]
        object.__setattr__(self, "row_of", 16 * warp + lane // 4 + 8 * (of // 2 % 2))
        object.__setattr__(self, "col_of", 8 * (of // 4) + 2 * (lane % 4) + of % 2 + 0 * warp)

    @property
    def columns(self) -> int:
        return self.b_cells.shape[1]

    @property
    def sums(self) -> int:
        """That each thread holds."""
        return ROWS * self.columns // THREADS

    @property
    def added(self) -> int:
        """Fused multiply-adds of one product, a thread."""
        return ROWS * self.b_cells.size // THREADS

    def product(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """(rows, columns), in the type of the sums. float32 holds a sum of 32 products of bytes exactly.

        64 columns at a time: a larger product NumPy would share out to threads, which cost more than they gain.
        """
        parts = b.astype(F32).reshape(len(b), -1, 64).transpose(1, 0, 2)
        with np.errstate(over="ignore", invalid="ignore"):
            whole = a.astype(F32) @ np.ascontiguousarray(parts)
        return whole.astype(self.total, copy=False).transpose(1, 0, 2).reshape(len(a), -1)


HALVES = Form("float16", F16, F32, cell_of(*np.indices((ROWS, 64))), cell_of(*np.indices((64, 256))), 512)
BYTES = Form(
    "int8",
    np.dtype(np.int8),
    np.dtype(np.int32),
    np.arange(ROWS * BYTES_DEEP).reshape(ROWS, BYTES_DEEP),
    np.arange(256 * BYTES_DEEP).reshape(256, BYTES_DEEP).T,
    BYTES_DEEP,
    exchanged,
)
