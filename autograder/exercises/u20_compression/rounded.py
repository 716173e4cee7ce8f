"""Contract of unit 20 where a network is trained for INT8: a layer whose factors are rounded."""

from __future__ import annotations

from autograder.contract import Argument, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u20_compression import rounded_values as data
from autograder.exercises.u20_compression.rounded_slips import ROUNDED
from autograder.exercises.u20_compression.values import UNIT, at_work

ROUNDED_LAYER = Exercise(
    id="compression.rounded_layer",
    unit=UNIT,
    title="Train for INT8",
    task="A layer in float32 whose factors are rounded as INT8 will round them: out[b, o] is the sum over i of r(x[b, "
    "i], x_step) times r(weights[o, i], steps[o]). r(v, step) is v / step rounded half to even, cut to -128 and 127, "
    "times step; with a step of 0 it is v itself. One thread per output: x of the grid along the outputs, y down the "
    "batch.",
    function="rounded_layer",
    arguments=(
        Argument(
            "x",
            "in",
            "float32",
            "(n_batch, n_in)",
            "what the layer is given, each number of so few steps that an int32 counts them",
        ),
        Argument("x_step", "scalar", "float32", "", "what one step of x stands for; 0: x is not rounded"),
        Argument("weights", "in", "float32", "(n_out, n_in)", "of the layer, which are trained"),
        Argument("steps", "in", "float32", "(n_out,)", "the same for each row of weights"),
        Argument("out", "out", "float32", "(n_batch, n_out)", "what the layer gives"),
    ),
    make=data.make_rounded,
    oracle=data.of_rounded,
    bound=data.rounded_bound,
    cases=data.ROUNDED_CASES,
    launch=data.a_thread_per_output,
    points=2,
    topics=("E10",),
    free_sizes=("n_out", "n_in", "n_batch"),
    one_infinity=False,
    cost=data.rounded_cost,
    budgets=(at_work(8 * 40, data.ROUNDED, "each of 8 x 40 outputs has a thread of its own"),),
    slips=ROUNDED,
    predictions={"global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at["n_batch"] * at["n_out"], "output")
            * (n(at["n_in"], "input") + n(at["n_in"], "weight") + n(1, "step"))
            * n(4, "byte")
        )
    },
    predict_case=data.ROUNDED,
    guesses={
        "prints": Guess(
            "prints",
            "what print(round(2.5), round(-2.5), round(3.5)) prints",
            ("print(round(2.5), round(-2.5), round(3.5))",),
            "a tie goes to the even neighbour, so that ties do not push sums one way",
        )
    },
    example=data.layer(1, 2, 3, 1),
    uses=("compression.masked_step",),
    why="The loss sees what INT8 will make of both factors, so training finds weights that do not mind. What moves "
    "stays float32: a step of training is far smaller than a step of INT8, and would be rounded away.",
)
