"""Contracts of unit 12 whose next tiles travel beside the threads, several of them in a ring."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Budget
from autograder.exercises.u12_matmul import values as data
from autograder.exercises.u12_matmul.registers import MATMUL_WIDE, slips_of
from autograder.exercises.u12_matmul.values import shape

THREE_TILES = shape(128, 24, 128)
AHEAD = 128  # of the 192 requests that copy

MATMUL_RING = replace(
    MATMUL_WIDE,
    id="matmul.matmul_ring",
    title="A ring of tiles, copied beside the threads",
    task="A block of 128 threads works out 128 x 128 elements, 8 x 16 a thread. "
    "Three tiles of each matrix take turns, and the copies into them cost the threads nothing.",
    function="matmul_ring",
    cases=data.cases(THREE_TILES, (129, 12, 132), odd=(5, 9, 7), deep=77),
    launch=data.blocks_of(128, 128),
    topics=("D3", "B11", "B7"),
    budgets=(
        Budget(
            "shared_load_requests",
            640,
            THREE_TILES,
            "24 values of k, and for each 4 warps load 8 elements of a and 16 of b, 4 at a time: 6 requests",
            "narrow_loads",
        ),
        Budget(
            "shared_store_requests", 0, THREE_TILES, "the copies write shared memory by themselves", "through_registers"
        ),
        Budget(
            "async_copies_ahead",
            AHEAD,
            THREE_TILES,
            "while one tile is multiplied, the next is on its way; after a wait for all, nothing travels beside it",
            "waits_at_once",
            floor=True,
        ),
    ),
    slips=slips_of(8),
    predictions={"async_copy_requests": "async_copy_requests"},
    predict_case=THREE_TILES,
    uses=("matmul.matmul_wide",),
    why="Each tile had a whole turn and more to arrive while others were multiplied, and no register was spent on it. "
    "24 elements loaded for 128 products leave nearly all instructions to the products.",
)
