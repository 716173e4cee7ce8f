"""Contracts of unit 10 about fetching ahead: into a register, and into shared memory beside the threads."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u10_memory_kinds import slips
from autograder.exercises.u10_memory_kinds import values as data
from autograder.exercises.u10_memory_kinds.values import UNIT

SHOWN = {"n_rows": 8, "n_cols": 252}
EACH_ONCE = Budget(
    "global_load_bytes",
    4 * 8 * 2 * 127,
    SHOWN,
    "two blocks load their 126 columns and one on either side, where there is one: neighbours are in shared memory",
    "neighbours_from_far",
)
WARPS_AHEAD = 2 * 4 * 7  # two blocks of four warps, seven rows that have one before them

BLUR_ROWS = Exercise(
    id="memory_kinds.blur_rows",
    unit=UNIT,
    title="The next row on its way",
    task="Blur each row: half of an element and a quarter of each neighbour, 0 past the edges. "
    "A block goes down the rows of its 126 columns: it loads the next row into registers before it blurs this one. "
    "One barrier per row is enough, with two rows in shared memory.",
    function="blur_rows",
    arguments=(
        Argument("x", "in", "float32", "(n_rows, n_cols)", "the image"),
        Argument("out", "out", "float32", "(n_rows, n_cols)", "the blurred image"),
    ),
    make=data.make_image,
    oracle=data.blurred,
    bound=data.blurred_bound,
    cases=data.IMAGES,
    launch=data.strips,
    points=4,
    topics=("B11", "A7"),
    cost=data.blur_cost,
    slips=slips.BLURRED,
    budgets=(
        Budget(
            "loads_ahead",
            1500,
            SHOWN,
            "a load whose value goes to shared memory at once is waited for: keep it in a variable while you blur, so "
            "load before you blur",
            "not_ahead",
            floor=True,
        ),
        Budget(
            "barriers",
            2 * 9,
            SHOWN,
            "with two rows in shared memory one barrier per row orders everything",
            "two_barriers",
        ),
        EACH_ONCE,
    ),
    predictions={"barriers": "barriers"},
    reasons={
        "barriers": lambda at: n(at.blocks, "block") * n(at["n_rows"], "row") * n(1, "barrier"),
    },
    guesses={
        "index": Guess(
            "index",
            "the element that thread 37 of block 1 writes first",
            (1, 37, "out"),
            "column 126 * 1 + 37 - 1 of row 0",
        )
    },
    predict_case=SHOWN,
    example={"n_rows": 2, "n_cols": 8},
    why="The load of the next row is asked for before this row is blurred, and its value is needed only after "
    "it. A row is filled again two iterations later, with a barrier in between that all reached after reading it.",
)

BLUR_ASYNC = replace(
    BLUR_ROWS,
    id="memory_kinds.blur_async",
    title="A copy that needs no register",
    task="The same blur with copy_async: the next row travels from global to shared memory beside the threads while "
    "this one is blurred. Wait for each row before it is read, and never for the one after it.",
    function="blur_async",
    slips=slips.BLURRED,
    budgets=(
        Budget(
            "async_copies_ahead",
            WARPS_AHEAD,
            SHOWN,
            "a copy that is waited for before anything is read has nothing to travel beside",
            "waits_at_once",
            floor=True,
        ),
        Budget(
            "shared_store_requests",
            32,
            SHOWN,
            "copy_async writes shared memory by itself: a thread stores only the zeros past the edges",
            "through_registers",
        ),
        EACH_ONCE,
    ),
    predictions={"async_copy_requests": "async_copy_requests"},
    reasons={
        "async_copy_requests": lambda at: n(at.warps, "warp") * n(at["n_rows"], "row") * n(1, "copy", "copies"),
    },
    guesses={},
    why="While a row is blurred, the next one travels to shared memory without a register or a store of yours. "
    "Waiting for all groups but the youngest leaves that one under way.",
)
