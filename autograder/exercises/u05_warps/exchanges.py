"""Contracts of unit 05, second half: values that go from lane to lane, and lanes that work for each other."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u05_warps import exchange_slips as slips
from autograder.exercises.u05_warps import values as data
from autograder.exercises.u05_warps.values import MATRIX, UNIT
from simt.hardware import WARP_SIZE

RAGGED = {"n_rows": 45, "n_cols": 70}
WHOLE_TILES = {"n_rows": 64, "n_cols": 96}
ONE_KEY = {"n": 1025, "distinct": 1}
FOUR_KEYS = {"n": 8192, "distinct": 4}

SCAN_ROWS = Exercise(
    id="warps.scan_rows",
    unit=UNIT,
    title="Running sums without memory",
    task="dst[row, c] is the sum of src[row, 0] to src[row, c]. One warp per row, 32 columns per iteration; values go "
    "from lane to lane by shuffles, and no shared memory is used.",
    function="scan_rows",
    arguments=(MATRIX, Argument("dst", "out", "float32", "(n_rows, n_cols)", "the running sum along each row")),
    make=data.make_scan,
    oracle=data.running_sums,
    bound=data.scan_bound,
    cases=data.shapes("general", "nonfinite"),
    launch=data.one_warp_per_row,
    points=3,
    topics=("B15", "D6", "A5"),
    cost=data.scan_cost,
    slips=slips.SCANS,
    budgets=(
        Budget("shared_store_requests", 0, RAGGED, "shuffles hand registers on: no shared memory", "shared_traffic"),
        Budget(
            "warp_syncs",
            45 * 3 * 10,
            RAGGED,
            "32 running sums take five shuffles, with distances that double, and one more for the carry",
            "one_step_at_a_time",
        ),
        Budget("global_load_requests", 150, RAGGED, "32 lanes load 32 neighbours at once", "one_lane_adds"),
        Budget("global_load_bytes", 4 * 45 * 70, RAGGED, "each element is loaded once", "too_much_traffic"),
        Budget("global_store_bytes", 4 * 45 * 70, RAGGED, "each sum is stored once", "too_much_traffic"),
    ),
    predictions={"warp_syncs": "warp_syncs"},
    reasons={
        "warp_syncs": lambda at: (
            n(at["n_rows"], "row")
            * n(ceil_div(at["n_cols"], WARP_SIZE), "turn")
            * (n(5, "shuffle") + n(1, "for the carry", "for the carry"))
        ),
    },
    predict_case=RAGGED,
    example={"n_rows": 1, "n_cols": 8},
    why="Each step doubles how far a sum reaches, so five steps reach over 32 lanes. All lanes ask, those add that "
    "have somebody to ask, and lane 31 hands the sum on to the next iteration.",
)

TRANSPOSE_BY_LANES = Exercise(
    id="warps.transpose_by_lanes",
    unit=UNIT,
    title="Eight lanes turn a matrix",
    task="dst = src.T without shared memory. A warp takes 8 rows of 32 columns, one column per lane; groups of eight "
    "lanes transpose 8 x 8 numbers among their registers, so that every store fills whole sectors.",
    function="transpose_by_lanes",
    arguments=(MATRIX, Argument("dst", "out", "float32", "(n_cols, n_rows)", "the transpose")),
    make=data.make_transpose,
    oracle=data.transposed,
    cases=data.shapes("special"),
    launch=data.one_warp_per_strip,
    points=3,
    topics=("B15", "D2", "B7"),
    naive="transpose_directly",
    cost=data.each_once,
    speed=SpeedPolicy(
        points=2,
        sizes_for=lambda n_bytes: {"n_rows": int((n_bytes // 8) ** 0.5), "n_cols": int((n_bytes // 8) ** 0.5)},
        library=data.TRANSPOSED,
    ),
    slips=slips.TURNED,
    budgets=(
        Budget("shared_store_requests", 0, WHOLE_TILES, "registers are exchanged, not stored", "shared_traffic"),
        Budget(
            "global_load_sectors_per_request",
            4,
            WHOLE_TILES,
            "32 lanes load 32 neighbours of a row: 4 sectors",
            "uncoalesced",
        ),
        Budget(
            "global_store_sectors_per_request",
            4,
            WHOLE_TILES,
            "eight lanes store eight neighbours, one whole sector; four groups make 4 sectors per request",
            "uncoalesced",
        ),
    ),
    predictions={"warp_syncs": "warp_syncs"},
    reasons={
        "warp_syncs": lambda at: (
            n(ceil_div(at["n_rows"], 8) * ceil_div(at["n_cols"], WARP_SIZE), "warp") * n(3, "round") * n(4, "shuffle")
        ),
    },
    predict_case=WHOLE_TILES,
    example={"n_rows": 4, "n_cols": 4},
    why="After three rounds of exchanges lane l of eight holds row l, so eight lanes store eight neighbours, one whole "
    "sector. Each shuffle serves two lanes, as each gives what it does not keep.",
)

COUNT_MATCHED = Exercise(
    id="warps.count_matched",
    unit=UNIT,
    title="One atomic for all that agree",
    task="hist[k] counts how often key k occurs. One thread per key; lanes of a warp with equal keys find each other, "
    "and one of them adds for all: one atomic per warp and key.",
    function="count_matched",
    arguments=(
        Argument("keys", "in", "int32", "(n,)", "what to count, each at least 0"),
        Argument("hist", "inout", "int32", "(n_keys,)", "zeros before the launch, the counts after it"),
    ),
    make=data.make_keys,
    oracle=data.counted,
    cases=data.key_cases(),
    launch=data.one_thread_per_key,
    points=3,
    topics=("B15", "B5", "D7"),
    naive="count_one_by_one",
    cost=data.keys_cost,
    speed=SpeedPolicy(points=2, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "distinct": 4}, library=data.BINCOUNT),
    slips=slips.KEYS,
    budgets=(
        Budget("atomic_max_contention", 1, ONE_KEY, "no two lanes of a warp add to the same counter", "lanes_meet"),
        Budget("atomic_operations", 33, ONE_KEY, "33 warps with one key each: 33 atomics", "lanes_meet"),
        Budget("atomic_operations", 4 * 256, FOUR_KEYS, "at most four keys in each of 256 warps", "lanes_meet"),
        Budget("shared_store_requests", 0, FOUR_KEYS, "lanes find each other without shared memory", "shared_traffic"),
    ),
    predictions={"atomic_operations": "atomic_operations"},
    reasons={
        "atomic_operations": lambda at: n(ceil_div(at["n"], WARP_SIZE), "warp") * n(at["distinct"], "key"),
    },
    guesses={
        "prints": Guess(
            "prints",
            "print(cuda.popc(26), cuda.ffs(26))",
            ("print(cuda.popc(26), cuda.ffs(26))",),
            "26 is 0b11010: three bits are set, and the lowest of them is the second",
        )
    },
    predict_case=ONE_KEY,
    example={"n": 8, "distinct": 2},
    why="The mask is asked for while all lanes are there, so it names exactly those that go on to match. One lane of "
    "each group adds for all of them, so no two lanes of a warp go to the same counter.",
)
