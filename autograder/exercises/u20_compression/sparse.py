"""Contracts of unit 20 where two of four stay: choosing and packing them, and the product that leaves half out."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u20_compression import sparse_slips as slips
from autograder.exercises.u20_compression import sparse_values as data
from autograder.exercises.u20_compression.values import UNIT, at_work

CHOSEN = {"n_rows": 16, "n_inner": 128}

TWO_OF_FOUR = Exercise(
    id="compression.two_of_four",
    unit=UNIT,
    title="Two of every four",
    task="Of every four neighbours in a row keep the two of largest magnitude, of equal ones the first, and store "
    "them side by side as they stood. places has four bits for each four: the place of the first, 0 to 3, in the lower "
    "two bits, of the second in the upper two. A word tells of eight fours, the first in its lowest bits, and "
    "places[k, row] of columns 32 k to 32 k + 31. One thread per four.",
    function="two_of_four",
    arguments=(
        Argument("weights", "in", "float16", "(n_rows, n_inner)", "a multiple of 32 in each row"),
        Argument("packed", "out", "float16", "(n_rows, n_inner / 2)", "what stays"),
        Argument("places", "out", "int32", "(n_inner / 32, n_rows)", "where it stood"),
    ),
    make=data.make_choice,
    oracle=data.chosen,
    cases=data.CHOICE_CASES,
    launch=data.a_thread_per_four,
    points=3,
    topics=("E18", "B15"),
    free_sizes=("n_rows",),
    one_infinity=False,
    cost=data.choice_cost,
    budgets=(
        Budget(
            "global_load_bytes",
            3 * 2 * 16 * 128,
            CHOSEN,
            "each of 16 x 128 weights of 2 bytes is loaded once, or three times by who asks for it again",
            "too_much_traffic",
        ),
        at_work(512, CHOSEN, "each of 512 fours has a thread of its own"),
    ),
    slips=slips.CHOICE,
    predictions={"global_store_bytes": "global_store_bytes"},
    reasons={
        "global_store_bytes": lambda at: (
            n(at["n_rows"] * at["n_inner"] // 4, "four", "fours") * n(4, "byte")
            + n(at["n_rows"] * at["n_inner"] // 32, "word") * n(4, "byte")
        ),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what print(1 | 3 << 2, (1 | 3 << 2) << 4) prints: the bits of places 1 and 3, in the first four and the "
            "second",
            ("print(1 | 3 << 2, (1 | 3 << 2) << 4)",),
            "3 in the upper two bits counts 12, and one four further up is 16 times as much",
        )
    },
    predict_case=CHOSEN,
    example={"n_rows": 1, "n_inner": 32},
    why="Each four has exactly two that stay, so their number needs no list: where they lie follows from where the "
    "four lies. Two bits for each say which, an eighth of the two weights' own bits.",
)

SPARSE_PRODUCTS = Exercise(
    id="compression.sparse_products",
    unit=UNIT,
    title="The product that leaves half out",
    task="c = a b, where a is stored as two_of_four packs it. A block of 4 warps works out 128 x 128 elements, 64 x 64 "
    "a warp, 16 x 8 with each mma_sparse, which goes 32 deep. All sizes are whole tiles.",
    function="sparse_products",
    arguments=(
        Argument("packed", "in", "float16", "(n_rows, n_inner / 2)", "what is stored of a"),
        Argument("places", "in", "int32", "(n_inner / 32, n_rows)", "where it belongs"),
        Argument("b", "in", "float16", "(n_inner, n_cols)", "the right matrix"),
        Argument("c", "out", "float32", "(n_rows, n_cols)", "their product"),
    ),
    make=data.make_products,
    oracle=data.product,
    bound=data.product_bound,
    cases=data.PRODUCT_CASES,
    launch=data.a_block_per_tile,
    points=5,
    topics=("E18", "E7", "D3"),
    free_sizes=(),
    one_infinity=False,
    naive="products_one_by_one",
    naive_launch=data.a_thread_per_sum,
    cost=data.products_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, rate=data.PRODUCTS),
    budgets=(
        Budget(
            "shared_load_requests",
            4 * 2 * (8 + 4 + 8),
            data.WHOLE,
            "4 warps, 2 steps of 32: 8 ldmatrix for 64 columns of b, 4 for 64 rows of a, 2 words for each of these",
            "no_tensor_cores",
        ),
    ),
    slips=slips.PRODUCTS,
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(at["n_inner"] // 32, "step")
            * (n(8, "load of b", "loads of b") + n(4, "of a", "of a") + n(8, "word"))
        ),
    },
    predict_case=data.WHOLE,
    example=data.WHOLE,
    shown=data.few_products,
    capability=(8, 0),
    why="The tensor core is given what is stored, and picks the rows of b that it meets by the places: one instruction "
    "goes 32 deep where mma goes 16. What a's zeros would have been multiplied with is read, and not multiplied.",
)
