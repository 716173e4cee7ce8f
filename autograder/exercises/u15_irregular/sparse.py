"""Contracts of unit 15 for a sparse matrix times a vector: a thread for each row, and a warp for each row."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u15_irregular import slips
from autograder.exercises.u15_irregular import values as data
from autograder.exercises.u15_irregular.values import MATRIX_ARGUMENTS, UNIT, matrix

FREE = ("n_rows",)
FOUR_WARPS = matrix(128, 200, 64)

SPMV_ROWS = Exercise(
    id="irregular.spmv_rows",
    unit=UNIT,
    title="A sparse row for each thread",
    task="y is a sparse matrix times x. The matrix has its nonzeros only, row after row: those of row r are values[k] "
    "in column columns[k], for k from starts[r] up to starts[r + 1] - 1. One thread per row.",
    function="spmv_rows",
    arguments=MATRIX_ARGUMENTS,
    make=data.make_matrix,
    oracle=data.multiplied,
    bound=data.row_bound,
    cases=data.sparse_cases(FOUR_WARPS),
    launch=data.a_thread_per_row,
    points=2,
    topics=("D11",),
    free_sizes=FREE,
    cost=data.rows_cost,
    budgets=(
        Budget(
            "global_load_bytes",
            15_000,
            FOUR_WARPS,
            "712 nonzeros of 12 bytes, and 8 bytes for the two ends of each row",
            "too_much_traffic",
        ),
        Budget(
            "threads_at_work", 128, FOUR_WARPS, "each of 128 rows has a thread of its own", "few_threads", floor=True
        ),
    ),
    slips=slips.COMMON,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(at.warps, "warp") * (n(2, "end of rows", "ends of rows") + n(at["longest"], "turn") * n(3, "load"))
        ),
    },
    predict_case=FOUR_WARPS,
    example=data.EXAMPLE,
    why="Rows share nothing, so each thread adds up one and stores once. A warp takes as many iterations as its "
    "longest row has nonzeros, whatever the other 31 have: the next rung gives a row to all 32 lanes.",
)

LONG_ROWS = matrix(8, 300, 256)

SPMV_WARPS = Exercise(
    id="irregular.spmv_warps",
    unit=UNIT,
    title="A sparse row for each warp",
    task="The same product with one warp per row: lane l takes nonzeros l, l + 32, l + 64 and so on of the row, and "
    "the warp adds up what its lanes have.",
    function="spmv_warps",
    arguments=MATRIX_ARGUMENTS,
    make=data.make_matrix,
    oracle=data.multiplied,
    bound=data.row_bound,
    cases=data.sparse_cases(FOUR_WARPS, LONG_ROWS),
    launch=data.a_warp_per_row,
    points=3,
    topics=("D11", "B10"),
    free_sizes=FREE,
    naive="spmv_a_thread_each",
    naive_launch=data.a_thread_per_row,
    cost=data.warps_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_CSR),
    budgets=(
        Budget(
            "busiest_thread_accesses",
            80,
            LONG_ROWS,
            "a row of 256 nonzeros takes each of 32 lanes eight iterations of three loads",
            "one_thread_works",
        ),
        Budget(
            "global_load_sectors_per_request",
            6.5,
            LONG_ROWS,
            "32 neighbours of values or of columns lie in 4 or 5 sectors; only the reads of x are scattered",
            "uncoalesced",
        ),
    ),
    slips=slips.WARPS,
    predictions={"busiest_thread_accesses": "busiest_thread_accesses"},
    reasons={
        "busiest_thread_accesses": lambda at: (
            n(2, "end of the row", "ends of the row")
            + n(ceil_div(at["longest"], 32), "turn") * n(3, "load")
            + n(1, "store")
        ),
    },
    guesses={
        "index": Guess(
            "index",
            "the element of y that thread 64 of block 3 stores",
            (3, 64, "y"),
            "a block has 4 rows, and thread 64 is lane 0 of warp 2: row 4 x 3 + 2",
        ),
    },
    predict_case=FOUR_WARPS,
    example=data.EXAMPLE,
    why="A long row is shared out to 32 lanes, which read neighbours, so the longest row costs a 32nd of its "
    "iterations. In a row with fewer than 32 nonzeros some lanes idle, but no other row waits for them.",
)
