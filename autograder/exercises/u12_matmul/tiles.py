"""Contracts of unit 12 in which a thread works out one element: from one row per lane to a tile a block."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Slip
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u12_matmul import slips
from autograder.exercises.u12_matmul import values as data
from autograder.exercises.u12_matmul.values import UNIT, shape

FREE = ("n_rows", "n_inner", "n_cols")
FULL = shape(64, 64, 64)
MATRICES = (
    Argument("a", "in", "float32", "(n_rows, n_inner)", "the left matrix, in C order"),
    Argument("b", "in", "float32", "(n_inner, n_cols)", "the right matrix, in C order"),
    Argument("c", "out", "float32", "(n_rows, n_cols)", "their product"),
)
SLIPS = (
    Slip("last_product", "each element is the last product of its sum alone", slips.last_product),
    Slip("last_term_missing", "the last product of every sum is missing", slips.last_term_missing),
)


def slips_of(depth: int) -> tuple[Slip, ...]:
    """Of a kernel whose tiles are `depth` deep."""
    says = "only the first tile of a and of b was multiplied"
    return (*SLIPS, Slip("first_tile_only", says, slips.first_tile(depth)), *slips.of_last_tile(depth))


MATMUL_NAIVE = Exercise(
    id="matmul.matmul_naive",
    unit=UNIT,
    title="One thread, one element",
    task="c = a times b, one thread for each element of c. x of the grid goes down the rows of c, y along its columns.",
    function="matmul_naive",
    arguments=MATRICES,
    make=data.make(),
    oracle=data.product,
    bound=data.bound,
    cases=data.cases(FULL, (33, 35, 34), (40, 7, 18), (5, 64, 50), odd=(17, 9, 34), deep=1045),
    launch=data.naive_launch,
    points=1,
    topics=("D3", "A2", "B7"),
    free_sizes=FREE,
    cost=data.element_cost,
    budgets=(
        Budget(
            "threads_at_work",
            64 * 64,
            FULL,
            "each of 64 x 64 elements has a thread of its own",
            "few_threads",
            floor=True,
        ),
    ),
    slips=SLIPS,
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case=FULL,
    example=shape(4, 3, 4),
    why="Each element of c has a thread of its own, and the guard keeps the rest of the grid out. Neighbouring "
    "lanes read different rows of a, a sector for every 4 bytes: the next rung fixes that.",
)

MATMUL_COALESCED = Exercise(
    id="matmul.matmul_coalesced",
    unit=UNIT,
    title="Neighbours along a row",
    task="The same product with x along the columns of c and y down its rows: a warp works on 32 neighbours of a row.",
    function="matmul_coalesced",
    arguments=MATRICES,
    make=data.make(),
    oracle=data.product,
    bound=data.bound,
    cases=data.cases(FULL, (33, 35, 34), (40, 7, 18), (5, 64, 50), odd=(17, 9, 34), deep=1045),
    launch=data.coalesced_launch,
    points=1,
    topics=("D3", "B7"),
    free_sizes=FREE,
    cost=data.element_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            2.5,
            FULL,
            "one element of a for the whole warp is 1 sector, 32 neighbours of b are 4: 2.5 on average",
            "uncoalesced",
        ),
    ),
    slips=SLIPS,
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case=FULL,
    example=shape(1, 3, 8),
    why="Neighbouring lanes have neighbouring columns: one element of a serves the whole warp, 1 sector, and 32 "
    "neighbours of a row of b are 4. There are as many loads as before, but fewer sectors.",
)

MATMUL_TILED = Exercise(
    id="matmul.matmul_tiled",
    unit=UNIT,
    title="Load a tile once for the whole block",
    task="A block of 32 x 32 threads takes 32 columns of a and 32 rows of b at a time into shared memory, "
    "and each thread multiplies from there.",
    function="matmul_tiled",
    arguments=MATRICES,
    make=data.make(),
    oracle=data.product,
    bound=data.bound,
    cases=data.cases(FULL, (33, 35, 34), (40, 7, 18), (5, 70, 50), odd=(17, 9, 34), deep=1045),
    launch=data.blocks_of(32, (32, 32)),
    points=3,
    topics=("D3", "A7", "A9"),
    free_sizes=FREE,
    cost=data.tile_cost(32, 32),
    budgets=(
        Budget(
            "global_load_requests",
            512,
            FULL,
            "4 blocks need 2 tiles of a and 2 of b each, and a tile of 32 x 32 is 32 requests",
            "too_much_traffic",
        ),
    ),
    slips=slips_of(32),
    predictions={"global_load_requests": "global_load_requests", "shared_load_requests": "shared_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(ceil_div(at["n_inner"], 32), "turn")
            * (n(1, "load of a", "loads of a") + n(1, "of b", "of b"))
        ),
        "shared_load_requests": lambda at: n(at.warps, "warp") * n(at["n_inner"], "product") * n(2, "load"),
    },
    predict_case=FULL,
    example=shape(2, 4, 2),
    why="Each element that is loaded serves 32 products of the block, so global memory sees a 32nd of the "
    "loads. A tile is whole before anybody reads it, and read by all before anybody fills it again.",
)
