"""Contract of unit 18 where tiles are few: the sum of a tile, split over blocks."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Argument, Budget
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u18_engine_kernels import splitting_values as data
from autograder.exercises.u18_engine_kernels.conv_values import sizes_of
from autograder.exercises.u18_engine_kernels.convolutions import CONV_RING, FACTORS
from autograder.exercises.u18_engine_kernels.splitting_values import SHARED_SUMS, SHARES
from autograder.exercises.u18_engine_kernels.sum_slips import SPLIT

CONV_SPLIT = replace(
    CONV_RING,
    id="engine_kernels.conv_split",
    title="Few tiles, many blocks",
    task="The same sums where tiles are few. The gridDim.z blocks of a tile share its blocks of channels, each of "
    "which is in exactly one share, and add what they have to sums, which are 0 before. A share may be empty. Within a "
    "share copies run ahead as in rung 3.",
    function="conv_split",
    arguments=(*FACTORS, Argument("sums", "inout", "int32", "(n_cells, n_out)", "0 before, exact sums after")),
    cases=data.SPLIT_CASES,
    launch=data.split_launch,
    points=3,
    topics=("E7", "D9", "B10"),
    cost=data.split_cost,
    budgets=(
        Budget(
            "shared_load_requests",
            3_000,
            SHARED_SUMS,
            "8 warps, 5 blocks of channels, 9 taps, 6 matrices each: 2,160 requests feed the tensor cores",
            "no_tensor_cores",
        ),
        Budget(
            "async_copies_ahead",
            1_600,
            SHARED_SUMS,
            "while one block of channels is multiplied, the next of the share is on its way",
            "waits_at_once",
            floor=True,
        ),
        Budget(
            "threads_at_work",
            256 * SHARES,
            SHARED_SUMS,
            "each of the tile's 3 blocks has a share",
            "few_threads",
            floor=True,
        ),
    ),
    slips=SPLIT,
    predictions={"global_atomic_requests": "global_atomic_requests"},
    reasons={"global_atomic_requests": lambda at: n(at.warps, "warp") * n(64, "sum of a lane", "sums of a lane")},
    predict_case=SHARED_SUMS,
    guesses={},
    example=sizes_of(2, 12, 1, 3),
    uses=("engine_kernels.conv_tile", "engine_kernels.conv_ring"),
    why="Tiles are few where pictures are, so blocks are made of the sum itself. What the shares add up to does not "
    "depend on who comes first, since whole numbers are added exactly.",
)
