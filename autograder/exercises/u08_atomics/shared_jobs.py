"""Contracts of unit 08 in which blocks work on one thing: a lock, a queue, a total that the last one adds up."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u08_atomics import slips
from autograder.exercises.u08_atomics import values as data
from autograder.exercises.u08_atomics.values import NUMBERS, SUM_BLOCKS, THREADS, UNIT

N = {"n": 600}
ROWS = {"n_rows": 70, "longest": 100}

BEST_UNDER_LOCK = Exercise(
    id="atomics.best_under_lock",
    unit=UNIT,
    title="Find the bug: a lock",
    task="Keep the largest number of src and its index, the lowest one if several are equal: two cells that change "
    "together. One thread per block takes the lock, works inside the loop that takes it, and opens it again.",
    function="best_under_lock",
    arguments=(
        NUMBERS,
        Argument("lock", "inout", "int32", "(1,)", "0 when open, 1 when taken; open before and after"),
        Argument("value", "inout", "float32", "(1,)", "minus infinity at first, the largest number at the end"),
        Argument("index", "inout", "int32", "(1,)", "2^31 - 1 at first, its index at the end"),
    ),
    make=data.make_best,
    oracle=data.best_of,
    cases=data.LOCK_CASES,
    launch=data.blocks_for,
    points=3,
    topics=("B5", "A9"),
    slips=slips.BEST,
    budgets=(
        Budget(
            "global_atomic_bytes",
            4 * 2 * (3 + 2 + 1),
            N,
            "whoever waits for a lock does nothing else: three blocks need it three times",
            "locks_too_often",
        ),
    ),
    example={"n": 8},
    guesses={"line": Guess("line", "the line of the draft that never ends")},
    why="One thread per block asks for the lock and works inside the loop that takes it, so no lane waits for "
    "another lane of its warp. The fences let each owner see what the last one wrote.",
)

WORK_QUEUE = Exercise(
    id="atomics.work_queue",
    unit=UNIT,
    title="Take the next one",
    task="sums[k] is the sum of row k, src[offsets[k]:offsets[k + 1]]. Rows are uneven, so warps share a queue: "
    "lane 0 draws the next row from next_row, which starts at 0, and its warp works on that row until none is left.",
    function="work_queue",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "the elements of all rows, one row after the other"),
        Argument("offsets", "in", "int32", "(n_rows + 1,)", "where each row begins, and where the last one ends"),
        Argument("next_row", "inout", "int32", "(1,)", "0 before the launch; what it holds afterwards is yours"),
        Argument("sums", "out", "float32", "(n_rows,)", "the sum of each row"),
    ),
    make=data.make_rows,
    oracle=data.row_sums,
    bound=data.row_bound,
    cases=data.ROW_CASES,
    launch=data.warps_for_rows,
    launches=((1, THREADS), (5, THREADS), (3, 96)),
    queue="next_row",
    points=4,
    topics=("B10", "B13", "D11", "B5", "D5"),
    naive="rows_in_equal_shares",
    cost=data.queue_cost,
    speed=SpeedPolicy(
        points=1,
        sizes_for=lambda n_bytes: {"n_rows": n_bytes // 4096, "longest": 4096},
    ),
    budgets=(
        Budget(
            "atomic_operations",
            70,
            ROWS,
            "every row is drawn from the queue, so that a warp with short rows comes back for more",
            "shares_instead_of_queue",
            floor=True,
        ),
        Budget(
            "atomic_operations",
            2 * (70 + 16),
            ROWS,
            "one lane draws for its warp: 70 rows, and one draw per warp that finds the queue empty",
            "every_lane_draws",
        ),
        Budget(
            "global_load_sectors_per_request",
            6,
            ROWS,
            "the 32 lanes of a warp read neighbours of one row",
            "uncoalesced",
        ),
    ),
    slips=slips.ROWS,
    predictions={"atomic_operations": "atomic_operations"},
    reasons={
        "atomic_operations": lambda at: (
            n(at["n_rows"], "row") + n(at.warps, "warp that finds no more", "warps that find no more")
        ),
    },
    predict_case=ROWS,
    free_sizes=("n_rows",),
    example={"n_rows": 4, "longest": 8},
    why="A warp draws its next row when it is done with the last one, so a long row holds up one warp alone. "
    "One draw serves all 32 lanes, which read neighbours of that row.",
)

LAST_BLOCK_SUM = Exercise(
    id="atomics.last_block_sum",
    unit=UNIT,
    title="The last one adds up",
    task="Sum src in one launch, the same bits every time: each block leaves its sum in partial, and the block that "
    "finishes last adds those up in a fixed order. finished counts blocks; it is 0 before the launch and after it.",
    function="last_block_sum",
    arguments=(
        NUMBERS,
        Argument("partial", "scratch", "float32", "(blocks,)", "room for one number per block"),
        Argument("finished", "inout", "int32", "(1,)", "how many blocks have left their sum; 0 before and after"),
        Argument("total", "out", "float32", "(1,)", "the sum"),
    ),
    make=data.make_sum,
    oracle=data.total,
    bound=data.total_bound,
    cases=data.lengths("general", blocks=5),
    launch=lambda values: (values["partial"].size, THREADS),
    points=4,
    topics=("A9", "B5", "D4"),
    naive="sum_then_one_thread",
    cost=data.last_block_cost,
    speed=SpeedPolicy(
        points=1, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": SUM_BLOCKS}, library=data.TORCH_SUM
    ),
    budgets=(
        Budget(
            "atomic_operations",
            5 + 1,
            {"n": 8192, "blocks": 5},
            "one thread per block counts its block: five atomics, and one more if you reset the counter with one",
            "too_many_atomics",
        ),
    ),
    slips=slips.TOTALS,
    predictions={"atomic_operations": "atomic_operations"},
    reasons={
        "atomic_operations": lambda at: (
            n(at.blocks, "block that counts itself", "blocks that count themselves") + n(1, "reset")
        ),
    },
    predict_case={"n": 8192, "blocks": 5},
    example={"n": 8, "blocks": 2},
    why="The fence shows a block's sum before its count, so whoever draws the last number finds all sums. It "
    "adds them up in one fixed order, so every run gives the same bits.",
)
