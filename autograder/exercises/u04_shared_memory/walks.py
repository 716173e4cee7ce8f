"""Contracts of unit 04's blurs without a tile: a thread walks down one column, or four side by side."""

from __future__ import annotations

from autograder.contract import Budget, Case, Exercise, Slip, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u04_shared_memory import slips
from autograder.exercises.u04_shared_memory import values as data
from autograder.exercises.u04_shared_memory.stencils import (
    EDGE_SLIPS,
    PICTURE,
    PICTURE_ARGUMENTS,
    PICTURES,
)
from autograder.exercises.u04_shared_memory.values import LARGE, UNIT
from simt.hardware import WARP_SIZE

GROUPS = {"n_rows": 16, "n_groups": 24}  # PICTURE, in groups of four columns
LARGE_GROUPS = {"n_rows": 521, "n_groups": 127}  # two primes
COLUMN_SUMS = 16 + 2 * data.REACH  # row sums for a column of PICTURE
WALK_SLIPS = (
    *EDGE_SLIPS,
    Slip("off_by_one", "Every pixel is the one above it: the row sums run one row late.", slips.a_row_too_low),
    Slip(
        "not_carried",
        "From the fifth row of a piece on, sums of its first rows are mixed in: they were not carried along.",
        slips.next_rows_not_carried,
    ),
)

BLUR_COLUMN = Exercise(
    id="shared_memory.blur_column",
    unit=UNIT,
    title="Down the column, in registers",
    task="The same blur without a tile: each thread walks down 32 rows of one column, keeps its last row sums in "
    "registers, and loads the pixels of four rows before it stores four results.",
    function="blur_column",
    why="A thread that walks down keeps the row sums it still needs in registers, so each is worked out once. "
    "With several rows in an iteration, their loads are under way together.",
    arguments=PICTURE_ARGUMENTS,
    make=data.make_blur,
    oracle=data.blur_oracle,
    bound=data.blur_bound,
    launch=data.column_launch,
    cases=(
        Case(PICTURE),
        *(Case({"n_rows": r, "n_cols": c}) for r, c in (*PICTURES, (32, 128), (33, 129), (71, 40))),
        Case({"n_rows": 41, "n_cols": 101}, "general"),
        Case({"n_rows": 41, "n_cols": 70}, "nonfinite"),
        Case(LARGE, trace=False),
        Case(LARGE, "general", trace=False),
    ),
    points=3,
    topics=("D8", "B9", "C5"),
    naive="blur_naive",
    naive_launch=data.blur_launch,
    cost=data.column_cost,
    speed=SpeedPolicy(points=2, sizes_for=data.square_sizes),
    budgets=(
        Budget(
            "global_load_bytes",
            4 * 5 * COLUMN_SUMS * PICTURE["n_cols"],
            PICTURE,
            "Five loads for each row sum, 20 row sums for the 16 pixels of a column: 38,400 bytes; 25 loads per pixel "
            "are 153,600.",
            "too_much_traffic",
        ),
        Budget(
            "global_load_sectors_per_request",
            5,
            PICTURE,
            "Lanes side by side in a row ask for 32 neighbours: 4 sectors, or 5 where they begin inside one.",
            "uncoalesced",
        ),
    ),
    slips=WALK_SLIPS,
    predictions={"global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at["n_cols"], "column") * n(at["n_rows"] + 2 * data.REACH, "row sum") * n(5, "load") * n(4, "byte")
        ),
    },
    predict_case=PICTURE,
)

BLUR_WIDE = Exercise(
    id="shared_memory.blur_wide",
    unit=UNIT,
    title="Four columns at a time",
    why="One address serves four pixels, so an iteration spends less on where a pixel is than on what it is. What is "
    "left is the memory itself: the pixels come and go in pieces of 16 bytes, two rows of them under way.",
    task="The same walk with four columns per thread, 16 bytes in one load and one store; two rows are loaded before "
    "two are stored. Every row begins at a multiple of 16 bytes.",
    function="blur_wide",
    arguments=PICTURE_ARGUMENTS,
    make=data.make_wide,
    oracle=data.blur_oracle,
    bound=data.blur_bound,
    launch=data.wide_launch,
    cases=(
        Case(GROUPS),
        *(
            Case({"n_rows": r, "n_groups": g})
            for r, g in ((1, 1), (1, 9), (33, 1), (7, 8), (32, 128), (33, 129), (71, 10))
        ),
        Case({"n_rows": 41, "n_groups": 25}, "general"),
        Case({"n_rows": 41, "n_groups": 18}, "nonfinite"),
        Case(LARGE_GROUPS, trace=False),
        Case(LARGE_GROUPS, "general", trace=False),
    ),
    example={"n_rows": 3, "n_groups": 1},
    points=3,
    topics=("D8", "B7", "C5"),
    naive="blur_naive",
    naive_launch=data.blur_launch,
    cost=data.wide_cost,
    speed=SpeedPolicy(points=2, sizes_for=data.square_of_groups),
    budgets=(
        Budget(
            "global_load_requests",
            5 * COLUMN_SUMS,
            GROUPS,
            "24 threads are one warp; each of its 20 rows takes one wide load and four of neighbours: 100 requests, "
            "or 400 with single loads.",
            "narrow_accesses",
        ),
        Budget(
            "global_store_requests",
            16,
            GROUPS,
            "One store of 16 bytes for each of the 16 rows.",
            "narrow_accesses",
        ),
    ),
    slips=WALK_SLIPS,
    predictions={"global_load_requests": "global_load_requests", "global_store_requests": "global_store_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(ceil_div(at["n_groups"], WARP_SIZE), "warp")
            * n(at["n_rows"] + 2 * data.REACH, "row")
            * (n(1, "wide load") + n(4, "of neighbours", "of neighbours"))
        ),
        "global_store_requests": lambda at: (
            n(ceil_div(at["n_groups"], WARP_SIZE), "warp") * n(at["n_rows"], "row") * n(1, "wide store")
        ),
    },
    predict_case=GROUPS,
)
