"""Contracts of unit 05, first half: branches, and what 32 lanes say with one bit each."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u05_warps import slips
from autograder.exercises.u05_warps import values as data
from autograder.exercises.u05_warps.values import LIMIT, MATRIX, SRC, UNIT
from simt.hardware import WARP_SIZE

OUT = Argument("out", "out", "float32", "(n,)", "the number that each element ends at")
WHOLE = {"n": 8192}  # whole warps and blocks
AT_WORK = Budget(
    "threads_at_work", 8192, WHOLE, "each of 8,192 elements has a thread of its own", "few_threads", floor=True
)
NEAR = {"n_rows": 40, "n_cols": 700, "within": 32}  # every hit is among the first 32 columns

ONE_PATH = Exercise(
    id="warps.one_path",
    unit=UNIT,
    title="Choose numbers, not paths",
    task="Let each number take twelve steps: x becomes 0.5 x + 3 where src[i] is negative, and -0.5 x + 1 elsewhere. "
    "What src[i] was decides once, for all twelve; one thread per element, and one loop for everybody.",
    function="one_path",
    arguments=(SRC, OUT),
    make=data.make_steps,
    oracle=data.settled,
    bound=data.settled_bound,
    cases=data.lengths("general", "special"),
    launch=data.one_thread_each,
    points=1,
    topics=("B14", "A5"),
    cost=data.steps_cost,
    slips=slips.SETTLED,
    budgets=(
        Budget(
            "lanes_at_work",
            28,
            WHOLE,
            "lanes that disagree go through loops of their own, one after the other, while the others wait: choose the "
            "two numbers first, then let all lanes go through one loop",
            "both_paths",
            floor=True,
        ),
        Budget(
            "float32_flops",
            40 * 8192,
            WHOLE,
            "twelve steps of two flops are enough: choose the two numbers before the loop, and no element takes both "
            "recipes",
            "both_computed",
        ),
        AT_WORK,
    ),
    predictions={"float32_flops": "float32_flops"},
    reasons={
        "float32_flops": lambda at: n(at["n"], "element") * n(12, "step") * n(2, "flop"),
    },
    predict_case=WHOLE,
    example={"n": 8},
    why="A choice between two numbers is a select, which all lanes run alike. One loop follows for everybody, so no "
    "lane waits for another side.",
)

BY_WARP = Exercise(
    id="warps.by_warp",
    unit=UNIT,
    title="Whole warps on one side",
    task="Elements at even places end at halve(src[i]), those at odd places at distances(src[i]). One element per "
    "thread, and all lanes of a warp call the same of the two functions.",
    function="by_warp",
    arguments=(SRC, OUT),
    make=data.make_steps,
    oracle=data.by_place,
    bound=data.by_place_bound,
    cases=data.lengths("general"),
    launch=data.one_thread_each,
    points=2,
    topics=("A5", "B14", "B7"),
    cost=data.steps_cost,
    slips=slips.BY_PLACE,
    budgets=(
        Budget(
            "lanes_at_work",
            28,
            WHOLE,
            "where even and odd elements sit side by side in a warp, it runs both functions, one after the other: give "
            "each warp 32 elements of one kind",
            "both_paths",
            floor=True,
        ),
        Budget(
            "float32_flops",
            40 * 8192,
            WHOLE,
            "each element needs one of the two functions: no warp should run both",
            "both_computed",
        ),
    ),
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    guesses={
        "index": Guess(
            "index",
            "the element that thread 37 of block 1 writes first",
            (1, 37, "out"),
            "thread 37 is lane 5 of an odd warp: the fifth odd place, counted from 0, of the 64 that two warps share",
        )
    },
    predict_case=WHOLE,
    example={"n": 8},
    why="All lanes of a warp want the same function, so each warp runs one of the two. The price is in the sectors: a "
    "warp reads every second element, and two warps share what is loaded.",
)

PACK_BITS = Exercise(
    id="warps.pack_bits",
    unit=UNIT,
    title="Thirty-two answers in one word",
    task="Bit l of words[w] says whether src[32 w + l] is greater than limit; bits past the end of src are 0. "
    "One thread per element, one vote per warp, one store per word.",
    function="pack_bits",
    arguments=(
        SRC,
        LIMIT,
        Argument("words", "out", "uint32", "(n / 32, rounded up,)", "one bit for each element, lane 0's the lowest"),
    ),
    make=data.make_bits,
    oracle=data.packed,
    cases=data.lengths("general", "special"),
    launch=data.one_thread_each,
    points=2,
    topics=("B15", "A5"),
    cost=data.bits_cost,
    slips=slips.BITS,
    budgets=(
        Budget("warp_syncs", 512, WHOLE, "one ballot answers for all 32 lanes of a warp", "many_votes"),
        Budget(
            "global_load_sectors_per_request",
            4,
            WHOLE,
            "32 lanes look at 32 neighbours: 4 sectors",
            "one_lane_collects",
        ),
        Budget("atomic_operations", 0, WHOLE, "a ballot brings 32 bits together without memory", "atomics_for_bits"),
        Budget("shared_store_requests", 0, WHOLE, "a ballot needs no shared memory", "shared_traffic"),
        Budget(
            "global_store_bytes",
            1024,
            WHOLE,
            "all lanes hold the same word after a ballot: one of them stores it",
            "every_lane_writes",
        ),
        AT_WORK,
    ),
    predictions={"global_store_bytes": "global_store_bytes"},
    reasons={
        "global_store_bytes": lambda at: n(ceil_div(at["n"], WARP_SIZE), "warp") * n(4, "byte"),
    },
    predict_case=WHOLE,
    example={"n": 8},
    why="Every lane answers, those past the end with no, and after the vote all hold the same word. One store of 4 "
    "bytes stands for 32 elements.",
)

FIRST_ABOVE = Exercise(
    id="warps.first_above",
    unit=UNIT,
    title="Stop together",
    task="first[row] is the lowest column of the row whose element is greater than limit, or the number of columns if "
    "there is none. One warp per row, 32 columns per iteration, and no iteration after the first hit.",
    function="first_above",
    arguments=(
        MATRIX,
        LIMIT,
        Argument("first", "out", "int32", "(n_rows,)", "the first column above the limit"),
    ),
    make=data.make_search,
    oracle=data.found,
    cases=data.SEARCHES,
    launch=data.one_warp_per_row,
    points=2,
    topics=("B15", "A5"),
    cost=data.search_cost,
    slips=slips.FIRSTS,
    budgets=(
        Budget(
            "global_load_bytes",
            40 * 700 * 4 // 5 + 40 * 32 * 4,
            NEAR,
            "once a lane has found something the whole row is decided: ask after every 32 columns, and stop",
            "reads_on",
        ),
        Budget(
            "global_load_requests",
            32 + 8 * 22,
            NEAR,
            "32 lanes look at 32 neighbours with one request",
            "one_lane_searches",
        ),
    ),
    guesses={"line": Guess("line", "the line of the draft that the verdict names")},
    predict_case=NEAR,
    example={"n_rows": 2, "n_cols": 4, "within": 4},
    why="The loop counts where an iteration begins, and what the vote says is the same for all lanes, so they come and "
    "leave together. The lowest set bit is the lowest column of the first iteration that has any.",
)
