"""Contracts of unit 07 that read everything once: decoupled look-back, compaction, and a sort made of scans."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, Rate, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u07_scan import slips
from autograder.exercises.u07_scan import values as data
from autograder.exercises.u07_scan.values import SRC, STATE, TICKET, UNIT

KEYS = Rate("billion keys/s", lambda at: 1e-9 * at["n"])
FIVE_TILES = {"n": 20000}
HALF_KEPT = {"n": 20000, "percent": 50, "limit": 0}
TWO_TILES = {"n": 4097, "bits": 32}
VOTE_OF_LANE_5 = "print(cuda.popc(0b1101101 & ((1 << 5) - 1)), cuda.popc(0b1101101))"

SCAN_LOOKBACK = Exercise(
    id="scan.scan_lookback",
    unit=UNIT,
    title="One pass",
    task="dst[i] is the sum of src[0] to src[i], in one launch that reads src once: each block draws a tile of 4,096 "
    "elements from ticket, leaves the tile's sum in state, and looks back over the tiles before it for its start.",
    function="scan_lookback",
    arguments=(SRC, STATE, TICKET, Argument("dst", "out", "float32", "(n,)", "the running sums of everything")),
    make=data.make_lookback,
    oracle=data.lookback_sums,
    bound=data.lookback_bound,
    cases=data.LOOKBACK_CASES,
    launch=data.one_block_per_tile,
    waits=True,
    points=5,
    topics=("D6", "A9", "B5", "B15"),
    naive="scan_chained",
    speed=SpeedPolicy(points=3, sizes_for=lambda n_bytes: {"n": n_bytes // 8}, library=data.CUMSUM),
    slips=slips.LOOKBACK,
    budgets=(
        Budget(
            "global_load_bytes",
            4 * 20000,
            FIVE_TILES,
            "each element is read once; the sums of other tiles come from state, with atomics",
            "too_much_traffic",
        ),
    ),
    predictions={"global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_bytes": lambda at: n(at["n"], "element") * n(4, "byte"),
    },
    predict_case=FIVE_TILES,
    example={"n": 8},
    why="A block keeps its tile in registers while it learns its start, so each element is read once and "
    "written once. It waits for lower tickets only: their blocks have started, and leave their sums without "
    "waiting for anybody.",
)

COMPACT = Exercise(
    id="scan.compact",
    unit=UNIT,
    title="Keep some, close the gaps",
    task="Copy the elements of src that are above limit to the front of dst, in their old order, and leave their "
    "number in count[0]. One launch, the same tiles of 4,096 and the same look-back, now over counts.",
    function="compact",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "the numbers to choose from"),
        Argument("limit", "scalar", "float32", "", "what an element must be above"),
        STATE,
        TICKET,
        Argument("dst", "inout", "float32", "(n,)", "what is kept comes first, the rest stays as it was"),
        Argument("count", "out", "int32", "(1,)", "how many were kept"),
    ),
    make=data.make_compact,
    oracle=data.above,
    cases=data.COMPACT_CASES,
    launch=data.one_block_per_tile,
    waits=True,
    points=4,
    topics=("D6", "B15", "B7"),
    naive="compact_chained",
    moves=data.what_is_kept,
    speed=SpeedPolicy(
        points=2, sizes_for=lambda n_bytes: {"n": n_bytes // 8, "percent": 50, "limit": 0}, library=data.MASKED
    ),
    slips=slips.KEPT,
    budgets=(
        Budget(
            "global_load_bytes",
            4 * 20000,
            HALF_KEPT,
            "each element is read once and kept in a register until its place is known",
            "too_much_traffic",
        ),
        Budget(
            "global_store_requests",
            400,
            HALF_KEPT,
            "close the gaps in shared memory first, so that the lanes of a warp write neighbours",
            "scattered_stores",
        ),
    ),
    guesses={
        "prints": Guess(
            "prints",
            VOTE_OF_LANE_5,
            (VOTE_OF_LANE_5,),
            "the lanes before lane 5 are bits 0 to 4 of the ballot, the five digits on the right: 01101, three of them "
            "set; five are set in all",
        )
    },
    example={"n": 8, "percent": 50, "limit": 6},
    free_sizes=("n",),
    why="A kept element's place is the number of kept ones before it: in its iteration, its warp, its block and all "
    "tiles before. So the order stays, and one reading of each element is enough.",
)

RADIX_SORT = Exercise(
    id="scan.radix_sort",
    unit=UNIT,
    title="Four scans make a sort",
    task="Sort keys by their 32 bits, the smallest first: four rounds over 8 bits each, the lowest first. A round "
    "counts the 256 digits of each tile of 4,096, scans the counts, and moves every key to its place "
    "without changing the order of equal digits. A call allocates nothing.",
    function="radix_sort",
    arguments=(
        Argument("keys", "inout", "uint32", "(n,)", "the keys, in order at the end"),
        Argument("spare", "scratch", "uint32", "(n,)", "room for as many keys"),
        Argument("counts", "scratch", "int32", "(256 * tiles,)", "room for a count per digit and tile"),
        Argument("sums", "scratch", "int32", "(ceil_div(256 * tiles, 1024),)", "room for `scan_device` on counts"),
    ),
    make=data.make_keys,
    oracle=data.in_order,
    cases=data.SORT_CASES,
    kind="host",
    arrays="device",
    points=6,
    topics=("D6", "B15", "D7"),
    naive="radix_sort_by_bits",
    cost=data.sort_cost,
    speed=SpeedPolicy(
        points=3, sizes_for=lambda n_bytes: {"n": n_bytes // 8, "bits": 32}, library=data.SORT, rate=KEYS
    ),
    slips=slips.SORTED,
    budgets=(
        Budget(
            "global_store_bytes",
            100_000,
            TWO_TILES,
            "a digit of 8 bits takes four rounds: each key is written four times, and some counts",
            "too_many_rounds",
        ),
        Budget(
            "device_allocations",
            0,
            TWO_TILES,
            "spare, counts and sums are all the room there is",
            "allocates_per_call",
        ),
        Budget(
            "transferred_bytes",
            0,
            TWO_TILES,
            "the keys are on the device already, and stay there",
            "too_many_transfers",
        ),
    ),
    predictions={"kernel_launches": "kernel_launches"},
    reasons={
        "kernel_launches": lambda at: (
            n(4, "round")
            * (
                n(1, "launch to count", "launches to count")
                + n(3, "to scan", "to scan")
                + n(1, "to move the keys", "to move the keys")
            )
        ),
    },
    predict_case=TWO_TILES,
    example={"n": 8, "bits": 4},
    free_sizes=("n",),
    uses=("scan.scan_device",),
    why="Every round is stable: equal digits stay in the order of the round before, so after four rounds all 32 "
    "bits are in order. The scanned counts tell each tile where its keys of each digit begin.",
)
