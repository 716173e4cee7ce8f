"""The contract of unit 18 where pictures become a line of cells."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u17_engine_int8.values import at_work
from autograder.exercises.u18_engine_kernels import slips
from autograder.exercises.u18_engine_kernels import values as data
from autograder.exercises.u18_engine_kernels.values import DEEP, PACKED, UNIT

PACK_INT8 = Exercise(
    id="engine_kernels.pack_int8",
    unit=UNIT,
    title="A line of cells",
    task="Turn float32 pictures into a line of int8 cells, 32 channels each: steps are real / scale, half to even, cut "
    "to -128 to 127, NaN as 0. A row of a picture takes n_cols + 1 cells, the first of them zero, and a picture "
    "n_rows + 1 rows, the first of them zeros; past the last channel, and after the last picture, there are zeros. One "
    "thread per cell and 16 channels, which stores 16 bytes.",
    function="pack_int8",
    arguments=(
        Argument("real", "in", "float32", "(n_images, n_channels, n_rows, n_cols)", "the pictures"),
        Argument("scale", "scalar", "float32", "", "what one step stands for, above 0"),
        Argument("packed", "out", "int8", "(n_blocks, n_cells, 32)", "a line for each 32 channels"),
    ),
    make=data.make_pack,
    oracle=data.packed,
    cases=data.PACK_CASES,
    launch=data.a_thread_per_half,
    points=3,
    topics=("E8", "B7"),
    free_sizes=("n_images", "n_channels", "n_rows", "n_cols"),
    naive="pack_byte_by_byte",
    naive_launch=data.a_thread_per_byte,
    cost=data.pack_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.pack_timed),
    budgets=(
        Budget(
            "global_store_requests",
            24,
            PACKED,
            "171 cells are 6 warps, and each of 4 halves is one request of 16 bytes for each lane",
            "narrow_stores",
        ),
        Budget("global_load_bytes", 4 * 2 * 40 * 63, PACKED, "every number is read once", "too_much_traffic"),
        at_work(171 * 4, PACKED, "each of 171 cells has a thread for each of 4 halves"),
    ),
    slips=slips.PACK,
    predictions={"global_load_bytes": "global_load_bytes", "global_store_requests": "global_store_requests"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at["n_images"], "picture")
            * n(at["n_channels"], "channel")
            * n(at["n_rows"] * at["n_cols"], "pixel")
            * n(4, "byte")
        ),
        "global_store_requests": lambda at: (
            n(ceil_div(data.cells_of(at["n_images"], at["n_rows"], at["n_cols"]), 32), "warp's worth", "warps' worth")
            * n(2 * ceil_div(at["n_channels"], DEEP), "half", "halves")
        ),
    },
    predict_case=PACKED,
    example=data.pictures(1, 2, 2, 2),
    why="Neighbouring lanes have neighbouring cells, so each of a thread's 16 loads reads a row of a channel, and its "
    "one store fills half a sector that the thread of the other half completes. The zeros are stored here once, so "
    "that no later kernel has to test for an edge.",
)
