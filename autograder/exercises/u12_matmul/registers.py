"""Contracts of unit 12 in which a thread works out many elements: columns, squares, wide loads, tensor cores."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u12_matmul import values as data
from autograder.exercises.u12_matmul.tiles import FREE, FULL, MATRICES, slips_of
from autograder.exercises.u12_matmul.values import TIMED, UNIT, shape

SPEED = SpeedPolicy(points=1, sizes_for=lambda n_bytes: dict(TIMED), library=data.TORCH_MM, rate=data.PRODUCTS)
WIDE_FULL = shape(128, 16, 128)
HALVES = tuple(replace(one, dtype="float16") if one.role == "in" else one for one in MATRICES)


MATMUL_COLUMN = Exercise(
    id="matmul.matmul_column",
    unit=UNIT,
    title="Eight results per thread, in registers",
    task="A block of 64 x 8 threads works out 64 x 64 elements from tiles that are 8 deep: "
    "each thread has eight elements of one column of c.",
    function="matmul_column",
    arguments=MATRICES,
    make=data.make(),
    oracle=data.product,
    bound=data.bound,
    cases=data.cases(FULL, (65, 19, 66), (40, 7, 18), odd=(17, 9, 34), deep=173),
    launch=data.blocks_of(64, (64, 8)),
    points=3,
    topics=("D3", "B9", "A6"),
    free_sizes=FREE,
    cost=data.tile_cost(64, 8),
    budgets=(
        Budget(
            "shared_load_requests",
            10_240,
            FULL,
            "one element of tile_b serves eight products: 9 loads for 8 products, where one per thread takes 16",
            "too_many_shared_loads",
        ),
        Budget("global_load_requests", 256, FULL, "a tile twice as wide is loaded half as often", "too_much_traffic"),
    ),
    slips=slips_of(8),
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(at["n_inner"], "value of k", "values of k")
            * (n(8, "load of a", "loads of a") + n(1, "of b", "of b"))
        ),
    },
    predict_case=FULL,
    example=shape(8, 2, 1),
    why="An element of b is loaded once from shared memory and serves eight products of its thread: nine loads "
    "in place of sixteen. The eight sums stay in registers from tile to tile.",
)

MATMUL_SQUARE = Exercise(
    id="matmul.matmul_square",
    unit=UNIT,
    title="A square of results per thread",
    task="A block of 16 x 16 threads works out 64 x 64 elements from tiles that are 16 deep: "
    "each thread has 4 x 4 of them, so 8 loads feed 16 products.",
    function="matmul_square",
    arguments=MATRICES,
    make=data.make(),
    oracle=data.product,
    bound=data.bound,
    cases=data.cases(FULL, (65, 19, 66), (40, 7, 18), odd=(17, 9, 34), deep=173),
    launch=data.blocks_of(64, (16, 16)),
    points=3,
    topics=("D3", "B9"),
    free_sizes=FREE,
    naive="matmul_one_each",
    naive_launch=data.coalesced_launch,
    cost=data.tile_cost(64, 16),
    speed=SPEED,
    budgets=(
        Budget(
            "shared_load_requests",
            5_120,
            FULL,
            "4 elements of tile_a and 4 of tile_b serve 16 products: half a load per product",
            "too_many_shared_loads",
        ),
        Budget("global_load_requests", 256, FULL, "each block loads its rows and columns once", "too_much_traffic"),
    ),
    slips=slips_of(16),
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(at["n_inner"], "value of k", "values of k")
            * (n(4, "load of a", "loads of a") + n(4, "of b", "of b"))
        ),
    },
    predict_case=FULL,
    example=shape(4, 2, 4),
    guesses={
        "index": Guess(
            "index",
            "the place in c that thread 37 of block 0 writes first",
            (0, 37, "c"),
            "thread 37 of 16 x 16 is tx = 5, ty = 2: its first element is in row ty and column tx, and a row of c has "
            "64 columns",
        )
    },
    why="Four elements of a and four of b make sixteen products, so half a load is left for each. The sixteen "
    "sums stay in registers from tile to tile.",
)

MATMUL_WIDE = Exercise(
    id="matmul.matmul_wide",
    unit=UNIT,
    title="16 bytes at a time, and the next tile on its way",
    task="A block of 256 threads works out 128 x 128 elements, 8 x 8 per thread, with loads of 16 bytes. "
    "Two buffers take turns, so that the next tile is fetched while this one is multiplied.",
    function="matmul_wide",
    arguments=MATRICES,
    make=data.make(),
    oracle=data.product,
    bound=data.bound,
    cases=data.cases(WIDE_FULL, (129, 12, 132), (33, 19, 34), odd=(5, 9, 7), deep=77),
    launch=data.blocks_of(128, 256),
    points=5,
    topics=("D3", "B7", "B11"),
    free_sizes=FREE,
    naive="matmul_one_each",
    naive_launch=data.coalesced_launch,
    cost=data.tile_cost(128, 8),
    speed=SPEED,
    budgets=(
        Budget(
            "shared_load_requests",
            640,
            WIDE_FULL,
            "8 warps load 16 elements for each of 16 products of their sums, 4 at a time: 8 x 16 x 4 requests",
            "narrow_loads",
        ),
        Budget(
            "global_load_requests",
            32,
            WIDE_FULL,
            "4,096 elements, 4 per lane: 32 requests",
            "narrow_loads",
        ),
    ),
    slips=slips_of(8),
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(at["n_inner"], "value of k", "values of k")
            * (n(2, "load of a", "loads of a") + n(2, "of b", "of b"))
        ),
    },
    predict_case=WIDE_FULL,
    example=shape(4, 4, 4),
    why="A request brings four neighbours, and a square of 8 x 8 uses each of them eight times: 4 requests for "
    "64 products. The next tile is on its way while this one is multiplied.",
)

MATMUL_TENSOR = Exercise(
    id="matmul.matmul_tensor",
    unit=UNIT,
    title="Tensor cores",
    task="a and b are float16, sums float32. A block of 4 warps works out 128 x 128 elements, "
    "64 x 64 per warp, 16 x 8 by each mma.",
    function="matmul_tensor",
    arguments=HALVES,
    make=data.make("float16"),
    oracle=data.product,
    bound=data.tensor_bound,
    cases=data.cases(shape(128, 32, 128), (130, 40, 136), (33, 19, 34), odd=(5, 9, 7), deep=173),
    launch=data.blocks_of(128, 128),
    points=5,
    topics=("D3", "E7"),
    free_sizes=FREE,
    naive="matmul_one_each",
    naive_launch=data.coalesced_launch,
    cost=data.tile_cost(128, 32),
    speed=SPEED,
    budgets=(
        Budget(
            "shared_load_requests",
            128,
            shape(128, 32, 128),
            "4 warps, 2 steps of 16, 8 matrices of 16 x 16 each: 64 requests feed the tensor cores",
            "no_tensor_cores",
        ),
    ),
    slips=slips_of(32),
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(ceil_div(at["n_inner"], 16), "step")
            * (n(4, "load of a", "loads of a") + n(4, "of b", "of b"))
        ),
    },
    predict_case=shape(128, 32, 128),
    example=shape(4, 4, 4),
    why="A warp loads four fragments of a and four pairs of fragments of b for 32 products of 16 x 8 x 16, so "
    "each is used several times. The sums stay in registers, in float32.",
)
