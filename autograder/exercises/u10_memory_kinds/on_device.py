"""Contracts of unit 10 about where a kernel keeps what it reads again and again: constant, shared, registers."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u10_memory_kinds import slips
from autograder.exercises.u10_memory_kinds import values as data
from autograder.exercises.u10_memory_kinds.values import UNIT
from simt.hardware import SECTOR_BYTES, WARP_SIZE

FILTERED, CODED = {"n": 1000}, {"n": 4100}

FILTER_CONSTANT = Exercise(
    id="memory_kinds.filter_constant",
    unit=UNIT,
    title="One number for all lanes",
    task="out[i] is the sum of TAPS[k] * x[i + k] over the 16 taps. TAPS is a NumPy array beside the kernel, "
    "which makes it constant memory: let all lanes of a warp read the same tap at once.",
    function="filter_constant",
    arguments=(
        Argument("x", "in", "float32", "(n + 15,)", "the signal"),
        Argument("out", "out", "float32", "(n,)", "the filtered signal"),
    ),
    make=data.make_filtered,
    oracle=data.filtered,
    bound=data.filtered_bound,
    cases=data.lengths(1000, 1, 129),
    launch=data.one_thread_each,
    points=3,
    topics=("B12", "A6", "D8"),
    cost=data.filter_cost,
    slips=slips.FILTERED,
    budgets=(
        Budget(
            "constant_load_extra_passes",
            14 * 32,
            FILTERED,
            "constant memory answers one address per pass: lanes that want other taps wait for their own",
            "lanes_differ",
        ),
        Budget("global_load_bytes", 4 * 16 * 1000, FILTERED, "16 loads of x per thread are enough", "too_many_loads"),
        Budget(
            "constant_load_requests",
            1,
            FILTERED,
            "the taps come from TAPS, where they may be others: numbers written into the kernel stay what they are",
            "taps_not_read",
            floor=True,
        ),
    ),
    predictions={"constant_load_passes": "constant_load_passes"},
    reasons={
        "constant_load_passes": lambda at: (
            n(ceil_div(at["n"], WARP_SIZE), "warp") * n(16, "tap") * n(1, "pass", "passes")
        ),
    },
    predict_case=FILTERED,
    example={"n": 8},
    why="In each iteration all 32 lanes want one tap, which constant memory hands out in one pass. The taps cost no "
    "load from global memory, and no register between iterations.",
)

LOOK_UP = Exercise(
    id="memory_kinds.look_up",
    unit=UNIT,
    title="Another number for each lane",
    task="out[i] = table[codes[i]], for any launch. Each block copies the table to shared memory first, "
    "and all of its threads look up there.",
    function="look_up",
    arguments=(
        Argument("codes", "in", "uint8", "(n,)", "which entry each element wants"),
        Argument("table", "in", "float32", "(256,)", "one entry for each code"),
        Argument("out", "out", "float32", "(n,)", "the entries"),
    ),
    make=data.make_codes,
    oracle=data.looked_up,
    cases=data.lengths(4100, 1, 1025, kinds=("special",)),
    launch=data.four_blocks,
    launches=((1, 96), (7, 256), (3, 1024), (2, 32)),
    points=3,
    topics=("B12", "A6", "A7"),
    cost=data.look_up_cost,
    slips=slips.LOOKED_UP,
    budgets=(
        Budget(
            "global_load_sectors",
            500,
            CODED,
            "the codes are 129 sectors, and four blocks copy a table of 32 sectors each; a gather takes thousands",
            "gathers_from_far",
        ),
    ),
    predictions={"global_load_sectors": "global_load_sectors", "conflicts": "shared_load_conflicts_per_request"},
    reasons={
        "global_load_sectors": lambda at: (
            n(ceil_div(at["n"], SECTOR_BYTES), "sector of codes", "sectors of codes")
            + n(at.blocks, "block") * n(32, "sector of the table", "sectors of the table")
        ),
    },
    predict_case=CODED,
    example={"n": 8, "n_entries": 6},
    why="The table crosses from global memory once per block, in whole sectors, and every look-up after that is "
    "between the 32 banks. The loop strides by the block's own size, so it fills the table whatever the "
    "launch.",
)

MEDIAN_OF_NINE = Exercise(
    id="memory_kinds.median_of_nine",
    unit=UNIT,
    title="An array that is registers",
    task="out[i] is the median of x[i] to x[i + 8], the fifth in order. Nothing of a thread may lie in local memory: "
    "the compiled kernel has 0 bytes of it. No number of x is a NaN.",
    function="median_of_nine",
    arguments=(
        Argument("x", "in", "float32", "(n + 8,)", "the signal"),
        Argument("out", "out", "float32", "(n,)", "the median of nine neighbours"),
    ),
    make=data.make_medians,
    oracle=data.medians,
    cases=data.lengths(1000, 1, 129, kinds=("general", "special")),
    launch=data.one_thread_each,
    points=3,
    topics=("A6", "B9"),
    cost=data.median_cost,
    slips=slips.MEDIANS,
    budgets=(
        Budget(
            "local_memory_bytes",
            0,
            FILTERED,
            "an array whose index is known only at run time lies in memory: registers have no index",
            "local_array_in_memory",
        ),
        Budget("global_load_bytes", 4 * 9 * 1000, FILTERED, "nine loads per thread are enough", "too_many_loads"),
    ),
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(ceil_div(at["n"], WARP_SIZE), "warp")
            * (n(9, "load") + n(30, "exchange in registers", "exchanges in registers") * n(0, "load"))
        )
    },
    predict_case=FILTERED,
    example={"n": 8},
    why="Every index is known when the loops are unrolled, so each cell is a register of its own, and ordering a "
    "pair is a min and a max. Five passes put the five largest in place, which is as far as the median asks.",
)
