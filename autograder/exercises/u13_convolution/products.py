"""Contracts of unit 13 that make a matrix product of a layer: with a matrix in memory, and with one that is nowhere."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u13_convolution import product_values as data
from autograder.exercises.u13_convolution import slips
from autograder.exercises.u13_convolution.layers import SPEED
from autograder.exercises.u13_convolution.values import (
    FREE,
    LAYER_ARGUMENTS,
    UNIT,
    at_work,
    convolved,
    layer,
    layer_bound,
    layer_cases,
    make_layer,
    planes,
)

UNROLLED = data.batch(2, 3, 8, 32)

IM2COL = Exercise(
    id="convolution.im2col",
    unit=UNIT,
    title="A column for every output",
    task="Write cols, a matrix with a column for every output and a row for every weight of a filter of 3 x 3: "
    "cols[9 i + 3 a + b, p] is src[n, i, r + a - 1, c + b - 1], or 0 past an edge, for p = (n * n_rows + r) * n_cols + "
    "c. One thread per element of cols: x of the grid along p, y down the rows.",
    function="im2col",
    arguments=(
        Argument("src", "in", "float32", "(n_images, n_in, n_rows, n_cols)", "the channels that come in"),
        Argument("cols", "out", "float32", "(9 n_in, n_images n_rows n_cols)", "what the weights of each output meet"),
    ),
    make=data.make_unrolled,
    oracle=data.unrolled,
    cases=data.UNROLLED_CASES,
    launch=data.a_row_per_weight,
    points=2,
    topics=("D9", "A2"),
    free_sizes=FREE,
    cost=data.unrolled_cost,
    budgets=(
        Budget(
            "global_store_sectors_per_request",
            4,
            UNROLLED,
            "32 neighbours of a row of cols are 128 bytes: 4 sectors",
            "uncoalesced",
        ),
        at_work(9 * 3 * 512, UNROLLED, "each of 27 x 512 elements of cols has a thread of its own"),
    ),
    slips=slips.UNROLLED,
    predictions={"global_store_bytes": "global_store_bytes"},
    reasons={
        "global_store_bytes": lambda at: (
            n(9 * at["n_in"], "row") * n(at["n_images"] * at["n_rows"] * at["n_cols"], "output") * n(4, "byte")
        ),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what print(100 // 9, 100 % 9 // 3, 100 % 3) prints: channel, row and column of weight 100",
            ("print(100 // 9, 100 % 9 // 3, 100 % 3)",),
            "100 = 11 x 9 + 1, and weight 1 of nine is row 0, column 1",
        )
    },
    predict_case=UNROLLED,
    example=data.batch(1, 1, 2, 2),
    why="Each element of cols has one place in src, which // and % give. Neighbouring threads have neighbouring "
    "outputs, so loads and stores go along rows; but every element is stored nine times, and read again by the "
    "product.",
)

IMPLICIT_LAYER = layer(1, 4, 64, 8, 16)

CONV_IMPLICIT = Exercise(
    id="convolution.conv_implicit",
    unit=UNIT,
    title="A matrix that is nowhere",
    task="The same layer as a product of two matrices: weights, (n_out, 9 n_in), times cols, which exists only in "
    "tiles. A block of 16 x 16 threads works out 64 output channels of 64 places p, 4 x 4 per thread, from tiles "
    "that are 16 deep.",
    function="conv_implicit",
    arguments=LAYER_ARGUMENTS,
    make=make_layer,
    oracle=convolved,
    bound=layer_bound,
    cases=layer_cases(
        IMPLICIT_LAYER,
        (2, 3, 5, 5, 11),
        (3, 2, 67, 5, 6),
        odd=(2, 2, 9, 6, 7),
    ),
    launch=data.tiles_of_64,
    points=4,
    topics=("D9", "D3"),
    free_sizes=FREE,
    naive="conv_one_each",
    naive_launch=planes,
    cost=data.implicit_cost,
    speed=SPEED,
    budgets=(
        Budget(
            "shared_load_requests",
            7_000,
            IMPLICIT_LAYER,
            "4 weights and 4 elements serve 16 products: half a load per product",
            "too_many_shared_loads",
        ),
        Budget(
            "global_load_bytes",
            36_000,
            IMPLICIT_LAYER,
            "each block loads its weights and its elements once: 18,432 and 16,192 bytes",
            "too_much_traffic",
        ),
    ),
    slips=slips.IMPLICIT,
    predictions={"shared_load_requests": "shared_load_requests", "global_load_bytes": "global_load_bytes"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(16 * ceil_div(9 * at["n_in"], 16), "value of k", "values of k")
            * (n(4, "weight") + n(4, "element"))
        ),
        "global_load_bytes": lambda at: (
            (
                n(at.grid[0], "block") * n(at["n_out"] * at["n_in"] * 9, "weight")
                + n(at["n_in"], "channel")
                * (n(3 * at["n_rows"], "row") - n(2, "outside", "outside"))
                * (n(3 * at["n_cols"], "column") - n(2, "outside", "outside"))
            )
            * n(4, "byte")
        ),
    },
    predict_case=IMPLICIT_LAYER,
    example=layer(1, 1, 2, 2, 2),
    why="A tile of cols is worked out from src where it is needed, so the matrix costs no memory and no traffic. "
    "What is left is unit 12's product: half a load per product, sums in registers.",
)
