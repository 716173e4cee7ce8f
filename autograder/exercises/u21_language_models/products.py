"""Contracts of unit 21 for weights times one vector: in FP16, and in 4 bits with a scale per group."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u21_language_models import product_slips as slips
from autograder.exercises.u21_language_models import product_values as data
from autograder.exercises.u21_language_models.product_values import FOUR_FULL, HALF_FULL
from autograder.exercises.u21_language_models.values import UNIT, a_block_per_row, at_work, matrix

HALF_PRODUCT = Exercise(
    id="language_models.half_product",
    unit=UNIT,
    title="Weights times one vector",
    task="y = weights x: element r of y is the sum over c of weights[r, c] * x[c]. Weights and x are float16, sums and "
    "y float32. A block of 128 threads per row; a thread takes 8 neighbours at a time, in loads of 16 bytes.",
    function="half_product",
    arguments=data.HALF_ARGUMENTS,
    make=data.make_half,
    oracle=data.half_product,
    bound=data.half_bound,
    cases=data.HALF_CASES,
    launch=a_block_per_row,
    points=2,
    topics=("E22", "D3"),
    free_sizes=("n_rows",),
    naive="half_thread_per_row",
    naive_launch=data.a_thread_per_row,
    cost=data.half_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_MV),
    budgets=(
        Budget(
            "global_load_requests",
            100,
            HALF_FULL,
            "a row of 1,040 weights is five requests of 32 lanes and 8 weights each, and so is x for it: 60 in all",
            "narrow_loads",
        ),
        at_work(6 * 128, HALF_FULL, "a row of 1,040 weights has work for all 128 threads of its block"),
    ),
    slips=slips.HALF,
    predictions={"global_load_requests": "global_load_requests", "global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_requests": lambda at: (
            n(at["n_rows"], "row") * n(ceil_div(at["n_cols"], 256), "piece of 256", "pieces of 256") * n(2, "load")
        ),
        "global_load_bytes": lambda at: n(at["n_rows"] * at["n_cols"], "product") * n(2, "number") * n(2, "byte"),
    },
    predict_case=HALF_FULL,
    example=matrix(2, 8),
    why="Every weight is used once, so the time of this product is the time its bytes take. Loads of 16 bytes ask for "
    "them with few instructions and keep many bytes on their way; x is small and comes from a cache.",
)

FOUR_BIT_PRODUCT = Exercise(
    id="language_models.four_bit_product",
    unit=UNIT,
    title="Four bits per weight",
    task="The same product with weights of 4 bits: a step from 0 to 15 stands for (step - 8) * scale, where each group "
    "of 32 neighbours in a row has a scale. A byte has two steps, the first in its lower half, so a group is 16 bytes. "
    "A warp has two rows, so that what it loads of x serves two weights. n_rows is even.",
    function="four_bit_product",
    arguments=data.FOUR_ARGUMENTS,
    make=data.make_four,
    oracle=data.four_bit_product,
    bound=data.four_bound,
    cases=data.FOUR_CASES,
    launch=data.a_warp_per_two_rows,
    points=4,
    topics=("E22", "E8"),
    free_sizes=(),
    naive="four_thread_per_row",
    naive_launch=data.a_thread_per_row,
    cost=data.four_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_FP16),
    budgets=(
        Budget(
            "global_load_bytes",
            8 * 33 * 18 + 4 * 33 * 64,
            FOUR_FULL,
            "8 x 33 groups have 16 bytes of steps and 2 of a scale, and x is loaded once for two rows",
            "x_for_every_row",
        ),
        Budget(
            "global_load_requests",
            100,
            FOUR_FULL,
            "for up to 32 groups a warp loads steps and scales of two rows, one request each, and x in four: "
            "64 requests in all",
            "narrow_loads",
        ),
        at_work(4 * 32, FOUR_FULL, "33 groups of a row have work for all 32 lanes of its warp"),
    ),
    slips=slips.FOUR,
    predictions={"global_load_bytes": "global_load_bytes", "global_load_requests": "global_load_requests"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at["n_rows"] * at["n_cols"] // 32, "group") * n(18, "byte")
            + n(at["n_rows"] // 2, "warp") * n(at["n_cols"], "number") * n(2, "byte")
        ),
        "global_load_requests": lambda at: (
            n(at["n_rows"] // 2, "warp")
            * n(ceil_div(at["n_cols"], 1024), "turn")
            * (n(2, "row") * n(2, "request") + n(4, "request"))
        ),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what print(0xB2 & 15, 0xB2 >> 4, (0xB2 & 15) - 8, (0xB2 >> 4) - 8) prints: both steps of a byte",
            ("print(0xB2 & 15, 0xB2 >> 4, (0xB2 & 15) - 8, (0xB2 >> 4) - 8)",),
            "the lower four bits are 2 and the upper four 11, the b of hexadecimal: -6 and 3 times their scale",
        )
    },
    predict_case=FOUR_FULL,
    example=matrix(2, 32),
    why="A quarter of the bytes take a quarter of the time, as long as unpacking keeps up: two operations of integers, "
    "a conversion and a product per weight. x comes from a cache, but not for nothing, so it serves two rows.",
)
