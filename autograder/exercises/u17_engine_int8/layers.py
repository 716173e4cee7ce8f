"""Contracts of unit 17 where steps are multiplied: products of words, and a whole layer in one kernel."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u17_engine_int8 import layer_slips as slips
from autograder.exercises.u17_engine_int8 import layer_values as data
from autograder.exercises.u17_engine_int8.layer_values import LAYER, PRODUCTS
from autograder.exercises.u17_engine_int8.values import UNIT, at_work

INT8_PRODUCTS = Exercise(
    id="engine_int8.int8_products",
    unit=UNIT,
    title="Four products per word",
    task="Multiply two arrays of steps, exactly: sums[r, c] is the sum over k of a[r, k] * b[k, c]. Four steps lie in "
    "each 32-bit word, along k, the first in the lowest byte. One thread per sum: x of the grid along the columns, y "
    "down the rows.",
    function="int8_products",
    arguments=(*data.WORDS, Argument("sums", "out", "int32", "(n_rows, n_cols)", "exact sums of products")),
    make=data.make_products,
    oracle=data.multiplied,
    cases=data.PRODUCT_CASES,
    launch=data.a_thread_per_sum,
    points=2,
    topics=("E8", "E7"),
    free_sizes=data.FREE,
    naive="products_byte_by_byte",
    cost=data.products_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, rate=data.INT8_PRODUCTS),
    budgets=(
        Budget(
            "float64_flops",
            0,
            PRODUCTS,
            "sums of whole numbers need no float, and numba adds a float32 and a whole number in double precision",
            "float64_arithmetic",
        ),
        at_work(16 * 64, PRODUCTS, "each of 16 x 64 sums has a thread of its own"),
    ),
    slips=slips.PRODUCTS,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: n(at.warps, "warp") * n(at["n_words"], "word") * n(2, "array"),
    },
    guesses={
        "line": Guess("line", "the line of the draft that the verdict names"),
        "prints": Guess(
            "prints",
            "what print(0x04FEC801 >> 8 & 255, (0x04FEC801 >> 8 & 255) - 256) prints: a step, without its sign "
            "and with it",
            ("print(0x04FEC801 >> 8 & 255, (0x04FEC801 >> 8 & 255) - 256)",),
            "the step is 0xC8, whose highest bit counts 128 without a sign and -128 with one",
        ),
    },
    predict_case=PRODUCTS,
    example=data.product(2, 1, 4),
    why="A word brings four factors with one load, and int8() of its shifted bits gives each back with its sign. The "
    "sum is whole and has room in 32 bits for any layer, so it is exact in every order.",
)

INT8_LAYER = Exercise(
    id="engine_int8.int8_layer",
    unit=UNIT,
    title="A layer in one kernel",
    task="The same products, and the rest of the layer after them: v = sum * multiplier[c] + addend[c] + "
    "residual[r, c] * residual_multiplier, cut to low and high, which is the activation, rounded once, half to even, "
    "and cut to int8. No sum goes to memory.",
    function="int8_layer",
    arguments=(
        *data.WORDS,
        Argument("multiplier", "in", "float32", "(n_cols,)", "steps of the output per step of a sum, per channel"),
        Argument("addend", "in", "float32", "(n_cols,)", "the bias, in steps of the output"),
        Argument("residual", "in", "int8", "(n_rows, n_cols)", "steps of an earlier layer, to be added"),
        Argument("residual_multiplier", "scalar", "float32", "", "steps of the output per step of residual"),
        Argument("low", "scalar", "float32", "", "the activation's lower end: 0 for a ReLU"),
        Argument("high", "scalar", "float32", "", "and its upper end"),
        Argument("steps", "out", "int8", "(n_rows, n_cols)", "the layer's result"),
    ),
    make=data.make_layer,
    oracle=data.of_layer,
    bound=data.layer_bound,
    cases=data.LAYER_CASES,
    launch=data.a_thread_per_sum,
    points=3,
    topics=("E8", "E10"),
    free_sizes=data.FREE,
    one_infinity=False,
    cost=data.layer_cost,
    budgets=(at_work(16 * 64, LAYER, "each of 16 x 64 outputs has a thread of its own"),),
    slips=slips.LAYER,
    predictions={"global_store_bytes": "global_store_bytes", "global_load_requests": "global_load_requests"},
    reasons={
        "global_store_bytes": lambda at: n(at["n_rows"] * at["n_cols"], "output") * n(1, "byte"),
        "global_load_requests": lambda at: (
            n(at.warps, "warp")
            * (
                n(at["n_words"], "word") * n(2, "array")
                + n(2, "constant of a channel", "constants of a channel")
                + n(1, "residual")
            )
        ),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what print(round(0.5) + round(0.5), round(0.5 + 0.5)) prints: rounded twice, and once",
            ("print(round(0.5) + round(0.5), round(0.5 + 0.5))",),
            "half to even turns 0.5 into 0, twice; added up first, they are 1",
        )
    },
    predict_case=LAYER,
    example=data.layer(2, 1, 3, 0),
    why="The sum stays in a register, everything after it is worked out in float32 and rounded once, and one byte is "
    "stored. Kernels of their own for the scale, the bias, the residual and the activation would each write and read "
    "the whole array again.",
)
