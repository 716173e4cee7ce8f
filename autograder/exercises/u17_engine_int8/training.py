"""Contracts of unit 17 where weights change: a batch norm folded into them, and training with rounded ones."""

from __future__ import annotations

from autograder.contract import Argument, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u17_engine_int8 import training_slips as slips
from autograder.exercises.u17_engine_int8 import training_values as data
from autograder.exercises.u17_engine_int8.values import UNIT, at_work

FOLD_BATCH_NORM = Exercise(
    id="engine_int8.fold_batch_norm",
    unit=UNIT,
    title="Fold first, then quantise",
    task="Return weights and bias of one layer that does what a layer and the batch norm after it do: the layer gives "
    "y = weights x + bias, and batch norm turns it into gamma (y - mean) / sqrt(variance + eps) + beta, channel by "
    "channel.",
    function="fold_batch_norm",
    arguments=(
        Argument("weights", "in", "float32", "(n_out, n_in)", "of the layer, a row per output channel"),
        Argument("bias", "in", "float32", "(n_out,)", "of the layer"),
        Argument("gamma", "in", "float32", "(n_out,)", "what batch norm multiplies by"),
        Argument("beta", "in", "float32", "(n_out,)", "and adds"),
        Argument("mean", "in", "float32", "(n_out,)", "of y, as training saw it"),
        Argument("variance", "in", "float32", "(n_out,)", "of y"),
        Argument("eps", "scalar", "float32", "", "keeps the root away from 0"),
        Argument("folded", "out", "float32", "(n_out, n_in)", "weights of the one layer"),
        Argument("new_bias", "out", "float32", "(n_out,)", "and its bias"),
    ),
    make=data.make_batch_norm,
    oracle=data.folded,
    bound=data.folded_bound,
    kind="host",
    on_host=True,
    cases=data.BATCH_NORM_CASES,
    points=2,
    topics=("E8", "E5"),
    one_infinity=False,
    slips=slips.BATCH_NORM,
    example={"n_out": 2, "n_in": 3},
    guesses={
        "prints": Guess(
            "prints",
            "what print(3 * (10 - 4) // 2 + 1, 3 * 10 // 2 + 3 * (0 - 4) // 2 + 1) prints: batch norm of 10, twice",
            ("print(3 * (10 - 4) // 2 + 1, 3 * 10 // 2 + 3 * (0 - 4) // 2 + 1)",),
            "gamma / sqrt(variance) = 3 / 2 multiplies the weight, and what is left over does not depend on x",
        )
    },
    why="Batch norm multiplies a channel and adds to it, and so does the layer before it: one pair of numbers does "
    "both. Folded before the weights are quantised, its factor goes into each channel's scale and costs nothing.",
)

FAKED = {"n": 1025}

FAKE_QUANTISE = Exercise(
    id="engine_int8.fake_quantise",
    unit=UNIT,
    title="Train with rounded weights",
    task="Forward: fake[i] is real[i] after Q and DQ, its step as in rung 1 times scale. Backward: gradient[i] is "
    "upstream[i] where the rounded step lies in -128 to 127, so that nothing was cut, else 0. real has no NaN.",
    function="fake_quantise",
    arguments=(
        Argument("real", "in", "float32", "(n,)", "weights that are trained"),
        Argument("scale", "scalar", "float32", "", "what one step stands for"),
        Argument("upstream", "in", "float32", "(n,)", "the loss's gradient with respect to fake"),
        Argument("fake", "out", "float32", "(n,)", "what INT8 makes of real"),
        Argument("gradient", "out", "float32", "(n,)", "what real is to be moved along"),
    ),
    make=data.make_fake,
    oracle=data.faked,
    cases=data.FAKE_CASES,
    launch=data.one_thread_each,
    points=2,
    topics=("E10",),
    one_infinity=False,
    cost=data.fake_cost,
    budgets=(at_work(1025, FAKED, "each of 1,025 weights has a thread of its own"),),
    slips=slips.FAKE,
    predictions={"global_store_bytes": "global_store_bytes"},
    reasons={"global_store_bytes": lambda at: n(at["n"], "weight") * n(2, "array") * n(4, "byte")},
    guesses={
        "prints": Guess(
            "prints",
            "what print(round(127.4), round(127.5)) prints: the last step that is kept, and one that is cut",
            ("print(round(127.4), round(127.5))",),
            "127.5 is a tie, and 128 is the even one of its neighbours: beyond what int8 has",
        )
    },
    predict_case=FAKED,
    example={"n": 8},
    why="The loss sees the rounded weights, so their errors are part of what training makes small. The gradient passes "
    "as if rounding were nothing, since its own derivative, 0 nearly everywhere, would stop all learning.",
)
