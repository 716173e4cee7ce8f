"""Contracts of unit 03 where the pattern of access is the lesson: strides, rows of a table, layouts, 16 bytes."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u03_memory_access import slips
from autograder.exercises.u03_memory_access import values as data
from autograder.exercises.u03_memory_access.values import UNIT, at_work

TABLE = data.table(50, 24, 64)
ALIGNED = data.part(4096, 4)
ALSO_ALIGNED = data.part(2048, 8)

TAKE_EVERY = Exercise(
    id="memory_access.take_every",
    unit=UNIT,
    title="32 lanes, how many sectors?",
    task="Take every step-th element of src, from start on: dst[i] = src[start + i step]. "
    "One thread per element of dst; step may be negative.",
    function="take_every",
    arguments=(
        Argument("src", "in", "float32", "(n_src,)", "where the elements come from"),
        Argument("start", "scalar", "int64", "", "the place of the first one"),
        Argument("step", "scalar", "int64", "", "how far the next one is"),
        Argument("dst", "out", "float32", "(n,)", "the elements, side by side"),
    ),
    make=data.make_take_every,
    oracle=data.taken,
    cases=data.TAKE_CASES,
    launch=data.one_thread_each,
    points=1,
    topics=("B7", "A2"),
    free_sizes=("n",),
    cost=data.copy_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            4,
            data.steps(1024, 0, 1),
            "with a step of 1, 32 lanes read 32 neighbours: 128 bytes, 4 sectors",
            "uncoalesced",
        ),
        at_work(1024, data.steps(1024, 0, 1), "each of 1,024 elements has a thread of its own"),
    ),
    slips=slips.TAKEN,
    predictions={
        "global_load_sectors_per_request": "global_load_sectors_per_request",
        "global_store_sectors_per_request": "global_store_sectors_per_request",
    },
    predict_case=data.steps(1024, 0, 5),
    example=data.steps(4, 1, 2),
    why="Neighbouring lanes store neighbours: 4 sectors per request, whatever the step. Their loads lie a step "
    "apart: 4 sectors with a step of 1, and from a step of 8 on one for each lane.",
)

GATHER_ROWS = Exercise(
    id="memory_access.gather_rows",
    unit=UNIT,
    title="Anywhere, but 128 bytes at a time",
    task="Fetch rows of a table: dst[r, c] = src[rows[r], c]. One thread per element of dst, in blocks of 32 x 8; "
    "decide which axis of the grid goes along a row.",
    function="gather_rows",
    arguments=(
        Argument("src", "in", "float32", "(n_src, n_cols)", "the table"),
        Argument("rows", "in", "int32", "(n_rows,)", "which row of src each row of dst is"),
        Argument("dst", "out", "float32", "(n_rows, n_cols)", "the rows that were asked for"),
    ),
    make=data.make_gather,
    oracle=data.gathered,
    cases=data.GATHER_CASES,
    launch=data.plane,
    points=2,
    topics=("B7", "A2"),
    free_sizes=("n_src", "n_rows", "n_cols"),
    naive="gather_a_row_each",
    naive_launch=data.a_thread_a_row,
    cost=data.gather_cost,
    speed=SpeedPolicy(
        points=1,
        sizes_for=lambda n_bytes: data.table(
            n_bytes // 8192, n_bytes // 8192, 1024
        ),  # a grid has 65,535 rows of blocks
        library=data.INDEX_SELECT,
    ),
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            2.5,
            TABLE,
            "32 lanes of a row are 4 sectors of src, wherever it lies, and the number of the row is 1: 2.5 on average",
            "uncoalesced",
        ),
        at_work(24 * 64, TABLE, "each of 24 x 64 elements has a thread of its own"),
    ),
    slips=slips.GATHERED,
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case=TABLE,
    example=data.table(4, 3, 4),
    guesses={
        "index": Guess(
            "index",
            "the place in dst that thread 37 of block 1 writes first",
            (1, 37, "dst"),
            "thread 37 of 32 x 8 is x = 5, y = 1, and block 1 is the next one along x: row 1, column 37, and a row of "
            "dst has 64 columns",
        )
    },
    why="The lanes of a warp share a row, so a request for src is one piece of 128 bytes, wherever the row "
    "lies. All of them want the same row number, which is 1 sector.",
)

DRIFT = Exercise(
    id="memory_access.drift",
    unit=UNIT,
    title="A structure of arrays",
    task="Move n bodies by their velocities: x += dt vx, y += dt vy, z += dt vz. bodies holds one field per row: "
    "x, y, z, mass, vx, vy, vz, charge. One thread per body; mass and charge are not needed.",
    function="drift",
    arguments=(
        Argument("bodies", "inout", "float32", "(8, n)", "one row per field"),
        Argument("dt", "scalar", "float32", "", "the step in time"),
    ),
    make=data.make_bodies,
    oracle=data.drifted,
    bound=data.drift_bound,
    cases=data.DRIFT_CASES,
    launch=data.a_thread_a_body,
    points=2,
    topics=("B7",),
    cost=data.drift_cost,
    budgets=(
        Budget(
            "global_load_sectors",
            768,
            {"n": 1024},
            "32 warps load 6 fields, 4 sectors each: 768. Mass and charge stay where they are",
            "too_much_traffic",
        ),
        Budget(
            "global_store_sectors",
            384,
            {"n": 1024},
            "32 warps store 3 fields, 4 sectors each",
            "too_much_traffic",
        ),
        at_work(1024, {"n": 1024}, "each of 1,024 bodies has a thread of its own"),
    ),
    slips=slips.DRIFTED,
    predictions={"global_load_sectors": "global_load_sectors", "global_store_sectors": "global_store_sectors"},
    reasons={
        "global_load_sectors": lambda at: n(at.warps, "warp") * n(6, "field") * n(4, "sector"),
        "global_store_sectors": lambda at: n(at.warps, "warp") * n(3, "field") * n(4, "sector"),
    },
    predict_case={"n": 1024},
    example={"n": 4},
    why="Each field has a row of its own, so 32 lanes read 32 neighbours: 4 sectors per request. Mass and "
    "charge are in rows that no line names, so they are never moved.",
)

COPY_FROM = Exercise(
    id="memory_access.copy_from",
    unit=UNIT,
    title="16 bytes at a time",
    task="Copy n elements from src[start] on: dst[i] = src[start + i]. Each thread has four elements; it moves them "
    "with one load and one store of 16 bytes where the addresses allow it, and one by one where they do not.",
    function="copy_from",
    arguments=(
        Argument("src", "in", "float32", "(start + n,)", "where the elements come from"),
        Argument("start", "scalar", "int64", "", "the place of the first one"),
        Argument("dst", "out", "float32", "(n,)", "the copy"),
    ),
    make=data.make_copy,
    oracle=data.copied,
    cases=data.COPY_CASES,
    launch=data.a_thread_for_four,
    points=3,
    topics=("B7",),
    free_sizes=("n",),
    naive="copy_four_in_turn",
    cost=data.copy_cost,
    speed=SpeedPolicy(points=2, sizes_for=lambda n_bytes: data.part(n_bytes // 8, 8), library=data.COPY),
    budgets=(
        Budget(
            "global_load_requests",
            32,
            ALIGNED,
            "a warp loads 512 bytes at once: 4,096 elements in 32 requests",
            "narrow_accesses",
        ),
        Budget(
            "global_store_requests",
            32,
            ALIGNED,
            "a warp stores 512 bytes at once: 4,096 elements in 32 requests",
            "narrow_accesses",
        ),
        Budget(
            "global_load_requests",
            16,
            ALSO_ALIGNED,
            "every multiple of four is a start that 16 bytes may begin at: 2,048 elements in 16 requests",
            "narrow_accesses",
        ),
        at_work(1024, ALIGNED, "4,096 elements, four for each thread"),
    ),
    slips=slips.COPIED,
    predictions={
        "global_load_requests": "global_load_requests",
        "global_load_sectors_per_request": "global_load_sectors_per_request",
    },
    predict_case=ALIGNED,
    example=data.part(6, 2),
    why="Where both addresses are multiples of 16, a request moves 512 bytes: the same sectors with a quarter "
    "of the requests. Elsewhere and in the tail elements go one by one, since a wide access would fail or "
    "run past the end.",
)
