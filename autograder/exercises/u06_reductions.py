"""Unit 06, reductions: one contract a rung. Inputs and oracles: `values_reductions`; mistakes: `slips_reductions`."""

from __future__ import annotations

from autograder.exercise import Argument, Budget, Case, Exercise, Slip, SpeedPolicy
from autograder.exercises import naive_reductions as naive
from autograder.exercises import slips_reductions as slips
from autograder.exercises import values_reductions as data
from autograder.exercises.hints import u06_reductions as hints
from autograder.exercises.values_reductions import THREADS, WARP, blocks_for

UNIT = "06_reductions"
SRC = Argument("src", "in", "float32", "(n,)", "the numbers to add")
LARGE = 1 << 18  # elements; too many to trace
GRID = 4224  # blocks of 256 in a timed launch: several for every multiprocessor of any GPU


def ragged(**sizes):
    """The cases of a sum over n elements: around a warp, around four blocks, a prime, multiples, nothing, a lot."""
    exact = [Case({"n": n} | sizes) for n in (1025, 0, 1, 31, 32, 33, 256, 1023, 3001, 8192)]
    rounded = [Case({"n": n} | sizes, kind) for n, kind in ((1025, "general"), (3001, "general"), (1025, "special"))]
    return (
        *exact,
        *rounded,
        Case({"n": LARGE} | sizes, trace=False),
        Case({"n": LARGE} | sizes, "general", trace=False),
    )


def no_bank_conflicts(counter: str, **sizes) -> Budget:
    """Sequential addressing has no bank conflict, neither for loads nor for stores."""
    why = "lanes of a warp that use 32 neighbouring cells use 32 banks, so no access has to wait for another"
    return Budget(counter, 0, sizes, why, "bank_conflicts")


SUM_ATOMIC = Exercise(
    id="reductions.sum_atomic",
    unit=UNIT,
    title="Everybody adds to one cell",
    task="Add every element of src to total[0], which starts at 0. "
    "Each thread adds one element, and no addition may be lost.",
    function="sum_atomic",
    arguments=(SRC, Argument("total", "inout", "float32", "(1,)", "0 before the launch, the sum after it")),
    make=data.make_total,
    oracle=data.total,
    bound=data.total_bound,
    cases=ragged(),
    launch=lambda values: (blocks_for(values["src"].size), THREADS),
    points=5,
    hints=hints.SUM_ATOMIC,
    topics=("D4", "B5"),
    cost=data.sum_atomic_cost,
    slips=(
        Slip(
            "only_first_block",
            "every block adds the first 256 elements, whichever block it is",
            slips.first_block_into_total,
        ),
    ),
    predictions={"atomic_max_contention": "atomic_max_contention"},
    predict_case={"n": 1025},
)

PARTIAL_OF_BLOCK = Argument("partial", "out", "float32", "(blocks,)", "the sum of each block's 256 elements")
TREE_SLIPS = (
    Slip(
        "only_first_block",
        "every block gives the sum of the first block's elements",
        slips.first_block_everywhere,
    ),
    Slip(
        "last_pair",
        "the last pair was never added: s[0] lacks s[1], the sum of the odd places",
        slips.last_pair_missing,
    ),
    Slip(
        "first_turn",
        "only the lower half of each block was added: the turn with d = 128 is missing",
        slips.first_turn_missing,
    ),
    Slip(
        "tree_missing",
        "each result is the first element of its block: no turn of the tree ran",
        slips.tree_missing,
    ),
)

BLOCK_SUM_INTERLEAVED = Exercise(
    id="reductions.block_sum_interleaved",
    unit=UNIT,
    title="A tree in shared memory",
    task="Each block of 256 threads sums its 256 elements in shared memory and writes one number. "
    "In turn d = 1, 2, 4, ... thread t adds cell 2*d*t + d to cell 2*d*t.",
    function="block_sum_interleaved",
    arguments=(SRC, PARTIAL_OF_BLOCK),
    make=data.make_blocks,
    oracle=data.sums_by(THREADS),
    bound=data.bound_by(THREADS),
    cases=ragged(),
    launch=lambda values: (blocks_for(values["src"].size), THREADS),
    points=10,
    hints=hints.BLOCK_SUM_INTERLEAVED,
    topics=("D4", "A7", "A9", "B8"),
    cost=data.partial_cost,
    slips=TREE_SLIPS,
    predictions={"shared_load_bank_conflicts": "shared_load_bank_conflicts"},
    predict_case={"n": 256},
)

BLOCK_SUM_SEQUENTIAL = Exercise(
    id="reductions.block_sum_sequential",
    unit=UNIT,
    title="Neighbours stay neighbours",
    task="The same sums with d = 128, 64, ... 1: thread t < d adds cell t + d to cell t. No access may conflict.",
    function="block_sum_sequential",
    arguments=(SRC, PARTIAL_OF_BLOCK),
    make=data.make_blocks,
    oracle=data.sums_by(THREADS),
    bound=data.bound_by(THREADS),
    cases=ragged(),
    launch=lambda values: (blocks_for(values["src"].size), THREADS),
    points=10,
    hints=hints.BLOCK_SUM_SEQUENTIAL,
    topics=("D4", "A9", "B8", "B14"),
    naive=naive.block_sum_by_remainder,
    cost=data.partial_cost,
    speed=SpeedPolicy(points=3, sizes_for=lambda n_bytes: {"n": n_bytes // 4}, library="torch.sum"),
    budgets=(
        no_bank_conflicts("shared_load_bank_conflicts", n=1025),
        no_bank_conflicts("shared_store_bank_conflicts", n=1025),
    ),
    slips=TREE_SLIPS,
    predictions={"shared_load_bank_conflicts": "shared_load_bank_conflicts"},
    predict_case={"n": 1025},
)

GRID_SLIPS = (
    Slip(
        "stride_of_block",
        "each block also adds what later blocks own: the loop moves by less than the grid",
        slips.suffixes,
    ),
    Slip(
        "first_turn_only",
        "each thread adds one element: what lies behind the first turn of the grid is missing",
        slips.first_turn_of_grid,
    ),
    Slip("last_visited", "each thread keeps only the last element it saw", slips.last_visited),
)

MANY_PER_THREAD = Exercise(
    id="reductions.many_per_thread",
    unit=UNIT,
    title="Add first, then climb one tree",
    task="The grid is smaller than src: each thread first adds up src[i] for i = cuda.grid(1), then a "
    "grid further, and so on, in a register. Then one tree a block, as before.",
    function="many_per_thread",
    arguments=(SRC, Argument("partial", "out", "float32", "(blocks,)", "the sum of what each block's threads visit")),
    make=data.make_grid,
    oracle=data.sums_by(THREADS),
    bound=data.bound_by(THREADS),
    cases=ragged(blocks=3),
    launch=lambda values: (values["partial"].size, THREADS),
    points=10,
    hints=hints.MANY_PER_THREAD,
    topics=("D4", "A2", "B9", "C5"),
    naive=naive.tree_every_turn,
    cost=data.partial_cost,
    speed=SpeedPolicy(points=5, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": GRID}, library="torch.sum"),
    budgets=(
        Budget(
            "shared_store_requests",
            3 * (8 + 8 * 8),
            {"n": 8192, "blocks": 3},
            "one tree a block stores at most 8 + 8 * 8 times, however many elements a thread added before it",
            "tree_every_turn",
        ),
        no_bank_conflicts("shared_load_bank_conflicts", n=8192, blocks=3),
    ),
    slips=GRID_SLIPS,
    predictions={"global_load_requests": "global_load_requests", "shared_store_requests": "shared_store_requests"},
    predict_case={"n": 8192, "blocks": 3},
)

WARP_SUM = Exercise(
    id="reductions.warp_sum",
    unit=UNIT,
    title="Registers talk to registers",
    task="The same loop, but each warp writes its own sum and no shared memory is used: warp_total hands "
    "values from lane to lane with shuffles, and lane 0 of warp w writes partial[w].",
    function="warp_sum",
    arguments=(SRC, Argument("partial", "out", "float32", "(8 * blocks,)", "the sum of what each warp's lanes visit")),
    make=data.make_warps,
    oracle=data.sums_by(WARP),
    bound=data.bound_by(WARP),
    cases=ragged(blocks=3),
    launch=lambda values: (values["partial"].size * WARP // THREADS, THREADS),
    points=10,
    hints=hints.WARP_SUM,
    topics=("D4", "B15", "A5"),
    naive=naive.warp_sum_by_one_lane,
    cost=data.partial_cost,
    speed=SpeedPolicy(points=5, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": GRID}, library="torch.sum"),
    budgets=tuple(
        Budget(
            counter,
            0,
            {"n": 1025, "blocks": 3},
            "a shuffle moves registers: this rung needs no shared memory at all",
            "shared_traffic",
        )
        for counter in ("shared_load_requests", "shared_store_requests")
    ),
    slips=(
        Slip(
            "shuffle_direction",
            "each result is 32 times lane 0's own sum: the values move away from lane 0",
            slips.shuffled_up,
        ),
        Slip(
            "half_a_warp",
            "lanes 16 to 31 are missing: the turn with d = 16 never ran",
            slips.half_a_warp,
        ),
        Slip(
            "lanes_alone",
            "each result is lane 0's own sum: no other lane's value reached it",
            slips.lanes_alone,
        ),
    ),
    predictions={"shared_load_requests": "shared_load_requests"},
    predict_case={"n": 1025, "blocks": 3},
)

DEVICE_SUM = Exercise(
    id="reductions.device_sum",
    unit=UNIT,
    title="One call for any n",
    task="Write the kernel and the host function that sum an array of any length on the device into "
    "total[0]. partial is room for one number a block, of at most partial.size blocks; a call "
    "allocates nothing.",
    function="device_sum",
    arguments=(
        SRC,
        Argument("partial", "scratch", "float32", "(blocks,)", "room for one number a block"),
        Argument("total", "out", "float32", "(1,)", "the sum"),
    ),
    make=data.make_device,
    oracle=data.total,
    bound=data.total_bound,
    cases=ragged(blocks=4),
    kind="host",
    arrays="device",
    points=15,
    hints=hints.DEVICE_SUM,
    topics=("D4", "A9", "B9", "B15", "C5"),
    naive=naive.device_sum_by_trees,
    cost=data.device_sum_cost,
    speed=SpeedPolicy(
        points=10, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": GRID // 2}, library="torch.sum"
    ),
    budgets=(
        Budget(
            "atomic_operations",
            32,
            {"n": 8192, "blocks": 4},
            "atomics on one cell wait for each other: at most one a block, and a block of 512 has plenty to add first",
            "too_many_atomics",
        ),
        Budget(
            "device_allocations",
            0,
            {"n": 8192, "blocks": 4},
            "partial is all the room there is: allocating in every call costs more than summing a short array",
            "allocates_per_call",
        ),
        Budget(
            "transferred_bytes",
            0,
            {"n": 8192, "blocks": 4},
            "everything is on the device already, and the sum stays there: a copy would wait for the GPU to finish",
            "too_many_transfers",
        ),
    ),
    slips=(
        Slip(
            "missing_tail",
            "the last elements, which fill no block of 512, are missing",
            slips.whole_blocks(512),
        ),
        Slip(
            "missing_tail",
            "the last elements, which fill no block of 256, are missing",
            slips.whole_blocks(256),
        ),
        Slip("first_partial", "only the first block's sum arrived in total", slips.first_partial(512)),
        Slip("first_partial", "only the first block's sum arrived in total", slips.first_partial(256)),
    ),
    predictions={"kernel_launches": "kernel_launches", "atomic_operations": "atomic_operations"},
    predict_case={"n": 8192, "blocks": 4},
    uses=("reductions.warp_sum",),
)


GRID_SUM = Exercise(
    id="reductions.grid_sum",
    unit=UNIT,
    title="One launch, with a barrier for the whole grid",
    task="Sum src into total[0] in one launch: each block leaves its sum in partial, all blocks wait for "
    "each other, and one of them adds up the partial sums. No atomics.",
    function="grid_sum",
    arguments=(
        SRC,
        Argument("partial", "scratch", "float32", "(blocks,)", "room for one number a block"),
        Argument("total", "out", "float32", "(1,)", "the sum"),
    ),
    make=data.make_device,
    oracle=data.total,
    bound=data.total_bound,
    cases=ragged(blocks=3),
    launch=lambda values: (values["partial"].size, THREADS),
    points=10,
    hints=hints.GRID_SUM,
    topics=("B16", "A9", "D4"),
    cost=data.grid_sum_cost,
    budgets=(
        Budget(
            "atomic_operations",
            0,
            {"n": 1025, "blocks": 3},
            "a barrier of the grid orders the partial sums, so no block needs an atomic",
            "too_many_atomics",
        ),
    ),
    slips=(Slip("first_partial", "only the first block's sum arrived in total", slips.first_partial_of_grid),),
    predictions={"global_load_requests": "global_load_requests"},
    predict_case={"n": 1025, "blocks": 3},
    uses=("reductions.warp_sum",),
)


def argmax_cases():
    """Ties in plenty, NaN and infinities, and warps that visit nothing."""
    exact = [Case({"n": n, "blocks": 3}) for n in (1025, 1, 31, 32, 33, 1023, 3001, 8192)]
    others = [Case({"n": n, "blocks": 3}, kind) for n, kind in ((3001, "general"), (3001, "special"), (33, "special"))]
    return (
        *exact,
        *others,
        Case({"n": LARGE, "blocks": 3}, trace=False),
        Case({"n": LARGE, "blocks": 3}, "special", trace=False),
    )


ARGMAX = Exercise(
    id="reductions.argmax",
    unit=UNIT,
    title="Carry the place along",
    task="Each warp finds the largest element that its lanes visit and its index; of equal ones the "
    "lowest index, and NaN counts as largest. A warp that visits nothing writes -inf and n.",
    function="argmax",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "where to look"),
        Argument("value", "out", "float32", "(8 * blocks,)", "the largest element that each warp visits"),
        Argument("index", "out", "int32", "(8 * blocks,)", "where it is in src"),
    ),
    make=data.make_candidates,
    oracle=data.first_largest,
    cases=argmax_cases(),
    launch=lambda values: (values["value"].size * WARP // THREADS, THREADS),
    points=15,
    hints=hints.ARGMAX,
    topics=("D4", "B15"),
    naive=naive.argmax_by_one_lane,
    cost=data.argmax_cost,
    speed=SpeedPolicy(points=5, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": GRID}, library="torch.argmax"),
    budgets=(
        Budget(
            "global_load_requests",
            257,
            {"n": 8192, "blocks": 3},
            "each element is loaded once, 32 to a request: keep it in a variable rather than reading src[i] again",
            "too_much_traffic",
        ),
    ),
    slips=(
        Slip(
            "tie_order",
            "of equal elements the one with the highest index was kept",
            slips.last_largest,
        ),
        Slip(
            "tie_order",
            "of equal elements the one in the lower lane was kept, whatever its index",
            slips.lanes_break_ties,
        ),
        Slip("local_index", "index holds places in the block, not in src", slips.thread_for_index),
        Slip(
            "nan_ignored",
            "NaN was passed over: a comparison with NaN is false whichever way it is written",
            slips.nan_ignored,
        ),
        Slip(
            "starts_at_zero",
            "nothing below 0 was ever found: the search started at 0",
            slips.zero_start,
        ),
    ),
    predictions={"global_load_requests": "global_load_requests"},
    predict_case={"n": 8192, "blocks": 3},
)

SHAPES = ((64, 96), (1, 1), (1, 33), (33, 1), (31, 32), (32, 33), (3, 1025), (1025, 3), (97, 97))


def shaped(n_rows, n_cols, kind="exact", trace=True):
    """One case of the axis sums."""
    return Case({"n_rows": n_rows, "n_cols": n_cols}, kind, trace)


AXIS_SUMS = Exercise(
    id="reductions.axis_sums",
    unit=UNIT,
    title="Rows or columns: who reads neighbours?",
    task="Write a host function that fills row_sums and col_sums of a matrix on the device, with kernels "
    "and launches of your own. Both ways, the lanes of a warp must read neighbours: 4 sectors a "
    "request.",
    function="axis_sums",
    arguments=(
        Argument("src", "in", "float32", "(n_rows, n_cols)", "a matrix in C order"),
        Argument("row_sums", "out", "float32", "(n_rows,)", "the sum of each row"),
        Argument("col_sums", "out", "float32", "(n_cols,)", "the sum of each column"),
    ),
    make=data.make_matrix,
    oracle=data.axis_totals,
    bound=data.axis_bound,
    cases=(
        *(shaped(n_rows, n_cols) for n_rows, n_cols in SHAPES),
        shaped(97, 97, "general"),
        shaped(3, 1025, "special"),
        shaped(512, 512, trace=False),
        shaped(300, 1001, "general", trace=False),
    ),
    kind="host",
    arrays="device",
    points=15,
    hints=hints.AXIS_SUMS,
    topics=("D5", "B7", "B15"),
    naive=naive.axis_sums_by_thread,
    cost=data.axis_sums_cost,
    speed=SpeedPolicy(
        points=5,
        sizes_for=lambda n_bytes: {"n_rows": max(1, n_bytes // 4 // 4096), "n_cols": 4096},
        library="torch.sum(dim)",
    ),
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            4,
            {"n_rows": 64, "n_cols": 96},
            "32 lanes that read 32 neighbouring floats touch 4 sectors; 32 lanes in 32 different rows touch 32",
            "uncoalesced",
        ),
    ),
    slips=(Slip("lanes_alone", "row_sums has what lane 0 alone found: every 32nd element", slips.lanes_of_rows_alone),),
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case={"n_rows": 64, "n_cols": 96},
    uses=("reductions.warp_sum",),
)

EXERCISES = (
    SUM_ATOMIC,
    BLOCK_SUM_INTERLEAVED,
    BLOCK_SUM_SEQUENTIAL,
    MANY_PER_THREAD,
    WARP_SUM,
    DEVICE_SUM,
    GRID_SUM,
    ARGMAX,
    AXIS_SUMS,
)
