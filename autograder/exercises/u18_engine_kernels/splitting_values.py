"""Cases, launch and cost of unit 18's conv_split, whose inputs and sums are those of conv_tile."""

from __future__ import annotations

from autograder.contract import Case, Cost, Values
from autograder.exercises.u18_engine_kernels.conv_values import loaded, sizes_of, sums_launch

SHARES = 3  # blocks of a tile: no divisor of most numbers of blocks of channels
OTHERS = (SHARES, 2, 1, 5)  # by what is left of the number of cells: no answer knows how many there are
MANY_SHARES = 17  # of a tile that has more blocks of channels than that
SHARED_SUMS = sizes_of(5, 256, 64, 9)
SPLIT_CASES = (
    Case(SHARED_SUMS),
    Case(sizes_of(4, 37, 5, 3)),
    Case(sizes_of(3, 300, 70, 13), trace=False),
    Case(sizes_of(2, 90, 40, 5), "special", trace=False),
    Case(sizes_of(2, 20, 9, 31), trace=False),
)


def shares_of(values: Values) -> int:
    """Blocks of a tile."""
    n_blocks, n_cells, _ = values["src"].shape
    return MANY_SHARES if n_blocks > MANY_SHARES else OTHERS[n_cells % len(OTHERS)]


def split_launch(values: Values) -> tuple:
    """The shares (z) of 256 threads for each 256 cells (x) of 64 outputs (y)."""
    tiles, block, shared = sums_launch(2)(values)
    return (*tiles, shares_of(values)), (*block, 1), shared


def split_cost(values: Values) -> Cost:
    """Each block of channels is loaded once, and every share adds all sums, which cross once each way."""
    added = shares_of(values) * values["sums"].nbytes
    return Cost(read_bytes=loaded(values) + added, write_bytes=added)
