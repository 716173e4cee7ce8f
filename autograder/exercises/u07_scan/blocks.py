"""Contracts of unit 07 from one block's running sums to an array of any length in three passes."""

from __future__ import annotations

from functools import reduce
from operator import add

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u07_scan import slips
from autograder.exercises.u07_scan import values as data
from autograder.exercises.u07_scan.values import FOURS, SRC, THREADS, UNIT

ONE_BLOCK, FOUR_BLOCKS, EIGHT_PIECES = {"n": 256}, {"n": 4096}, {"n": 8192}
AFTER = "that begin when the whole grid before has ended"
ONCE = "each element is read once; what a thread needs of others it finds in shared memory"

SCAN_HILLIS_STEELE = Exercise(
    id="scan.scan_hillis_steele",
    unit=UNIT,
    title="Twice as far in every iteration",
    task="dst[i] is the sum of src from the first element of i's block up to i itself: an inclusive scan of each block "
    "of 256. In iteration d = 1, 2, 4, ..., 128 each thread adds what lies d cells before it.",
    function="scan_hillis_steele",
    arguments=(SRC, Argument("dst", "out", "float32", "(n,)", "the running sums of each block of 256")),
    make=data.make_scan,
    oracle=data.inclusive_by(THREADS),
    bound=data.bound_by(THREADS),
    cases=data.ragged("general", "nonfinite"),
    launch=data.one_thread_each,
    points=2,
    topics=("D6", "A9"),
    cost=data.hillis_steele_cost,
    slips=slips.INCLUSIVE,
    budgets=(
        Budget("global_load_bytes", 4 * THREADS, ONE_BLOCK, ONCE, "too_much_traffic"),
        Budget(
            "float32_flops",
            9 * THREADS,
            ONE_BLOCK,
            "in each of eight iterations a thread adds at most once, and once more where it joins parts",
            "adds_one_by_one",
        ),
    ),
    predictions={"float32_flops": "float32_flops"},
    reasons={
        "float32_flops": lambda at: reduce(add, (n(THREADS - 2**turn) for turn in range(8))),
    },
    predict_case=ONE_BLOCK,
    example={"n": 8},
    why="After iteration d each cell holds the sum of the 2 d elements that end there, so 8 iterations cover 256. "
    "Nobody writes a cell of an iteration before everybody has read what it needs.",
)

SCAN_BLELLOCH = Exercise(
    id="scan.scan_blelloch",
    unit=UNIT,
    title="Up the tree and down again",
    task="dst[i] is the sum of src from the first element of i's block up to i, which is left out itself: an exclusive "
    "scan of each block of 256. A tree of sums on the way up, a tree of starts on the way down: at most two additions "
    "per element.",
    function="scan_blelloch",
    arguments=(SRC, Argument("dst", "out", "float32", "(n,)", "the sum of what lies before, in each block of 256")),
    make=data.make_scan,
    oracle=data.exclusive,
    bound=data.exclusive_bound,
    cases=data.ragged("general", "nonfinite"),
    launch=data.one_thread_each,
    points=2,
    topics=("D6", "A9"),
    cost=data.blelloch_cost,
    slips=slips.EXCLUSIVE,
    budgets=(
        Budget("global_load_bytes", 4 * THREADS, ONE_BLOCK, ONCE, "too_much_traffic"),
        Budget(
            "float32_flops",
            2 * THREADS,
            ONE_BLOCK,
            "255 additions on the way up and 255 on the way down are enough for a block",
            "adds_in_every_turn",
        ),
    ),
    predictions={"float32_flops": "float32_flops"},
    reasons={
        "float32_flops": lambda at: (
            n(at["n"] - 1, "on the way up", "on the way up") + n(at["n"] - 1, "on the way down", "on the way down")
        ),
    },
    predict_case=ONE_BLOCK,
    example={"n": 8},
    why="On the way up each sum is made once, and on the way down each node learns what lies before it: two "
    "additions per element. Pairs of one iteration share no cell, so a barrier between iterations is enough.",
)

SCAN_BLOCK = Exercise(
    id="scan.scan_block",
    unit=UNIT,
    title="Four each, then lanes, then warps",
    task="An inclusive scan of each block of 1,024 elements by 256 threads: each thread adds up four neighbours, a "
    "warp scans its 32 totals with shuffles, and the eight warps hand on their totals in shared memory.",
    function="scan_block",
    arguments=(SRC, Argument("dst", "out", "float32", "(n,)", "the running sums of each block of 1,024")),
    make=data.make_scan,
    oracle=data.inclusive_by(FOURS),
    bound=data.bound_by(FOURS),
    cases=data.ragged("general", "nonfinite"),
    launch=data.one_thread_for_four,
    points=3,
    topics=("D6", "A5", "B15"),
    cost=data.block_cost,
    slips=slips.FOURS_EACH,
    budgets=(
        Budget(
            "barriers",
            2 * 4,
            FOUR_BLOCKS,
            "shuffles need no barrier: the block waits once for the totals of its warps, twice at most",
            "too_many_barriers",
        ),
        Budget(
            "global_load_requests",
            8 * 4,
            FOUR_BLOCKS,
            "four neighbours come with one load of 16 bytes: one request per warp",
            "one_load_each",
        ),
        Budget(
            "float32_flops",
            4 * FOURS * 7,
            FOUR_BLOCKS,
            "three additions for a thread's own four, five for the lanes, eight at most for the warps, four to finish",
            "adds_one_by_one",
        ),
    ),
    predictions={"barriers": "barriers"},
    reasons={
        "barriers": lambda at: n(at.blocks, "block") * n(1, "barrier"),
    },
    guesses={
        "index": Guess(
            "index",
            "the element that thread 37 of block 2 stores to first",
            (2, 37, "dst"),
            "2 blocks of 1,024 elements come before, and 37 threads with four each: 2 x 1,024 + 4 x 37",
        )
    },
    predict_case=FOUR_BLOCKS,
    example={"n": 8},
    why="Neighbours of a thread are added in registers, those of a warp with shuffles. Only the totals of eight "
    "warps cross shared memory, and only they need a barrier.",
)

SCAN_DEVICE = Exercise(
    id="scan.scan_device",
    unit=UNIT,
    title="Three passes",
    task="dst[i] is the sum of src[0] to src[i], for any length: one kernel leaves the sum of each piece of 1,024 in "
    "sums, one turns those into starts, one scans each piece from its start. A call allocates nothing.",
    function="scan_device",
    arguments=(
        Argument("src", "in", "int32", "(n,)", "the whole numbers to add up"),
        Argument("sums", "scratch", "int32", "(pieces,)", "room for one number per piece of 1,024"),
        Argument("dst", "out", "int32", "(n,)", "the running sums of everything"),
    ),
    make=data.make_device,
    oracle=data.running_sums,
    cases=data.DEVICE_CASES,
    kind="host",
    arrays="device",
    points=4,
    topics=("D6", "A9"),
    cost=data.device_cost,
    slips=slips.DEVICE,
    budgets=(
        Budget(
            "kernel_launches",
            3,
            EIGHT_PIECES,
            "the end of a kernel is the barrier of the whole grid, and two of them are enough",
            "too_many_launches",
        ),
        Budget(
            "global_store_bytes",
            4 * 8192 + 3 * 4 * 8,
            EIGHT_PIECES,
            "the first pass only adds up: each element of dst is written once, by the last pass",
            "written_twice",
        ),
        Budget(
            "device_allocations",
            0,
            EIGHT_PIECES,
            "sums is all the room there is: allocating in every call costs more than scanning a short array",
            "allocates_per_call",
        ),
        Budget(
            "transferred_bytes",
            0,
            EIGHT_PIECES,
            "everything is on the device already, and the running sums stay there",
            "too_many_transfers",
        ),
    ),
    predictions={"kernel_launches": "kernel_launches", "global_store_bytes": "global_store_bytes"},
    reasons={
        "kernel_launches": lambda at: n(1, "launch", "launches") + n(2, AFTER, AFTER),
        "global_store_bytes": lambda at: (
            (n(at["n"], "element") + n(ceil_div(at["n"], FOURS), "sum") + n(ceil_div(at["n"], FOURS), "start"))
            * n(4, "byte")
        ),
    },
    predict_case=EIGHT_PIECES,
    example={"n": 8},
    why="The end of a kernel is a barrier for the whole grid, so the third pass finds every start finished. "
    "Each piece is then scanned on its own, from its start on.",
)
