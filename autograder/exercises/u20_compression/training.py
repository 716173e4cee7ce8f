"""Contracts of unit 20 behind pruning: a step of training under a mask, and how much each layer can spare."""

from __future__ import annotations

from autograder.contract import Argument, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u20_compression import training_slips as slips
from autograder.exercises.u20_compression import training_values as data
from autograder.exercises.u20_compression.values import UNIT, at_work

MASKED_STEP = Exercise(
    id="compression.masked_step",
    unit=UNIT,
    title="Train on under the mask",
    task="One step of training of a layer y = weights x: where mask is 1, rate times the gradient is subtracted from "
    "weights[o, i]: the sum over the batch of upstream[b, o] * x[b, i]. Where it is 0, the weight is gone and becomes "
    "0. One thread per weight: x of the grid along a row, y down the rows.",
    function="masked_step",
    arguments=(
        Argument("weights", "inout", "float32", "(n_out, n_in)", "of the layer"),
        Argument("mask", "in", "int8", "(n_out, n_in)", "1 for a weight that stays, 0 for one that is gone"),
        Argument("x", "in", "float32", "(n_batch, n_in)", "what the layer was given"),
        Argument("upstream", "in", "float32", "(n_batch, n_out)", "the loss's gradient with respect to y"),
        Argument("rate", "scalar", "float32", "", "how far a step goes"),
    ),
    make=data.make_step,
    oracle=data.stepped,
    bound=data.step_bound,
    cases=data.STEP_CASES,
    launch=data.a_thread_per_weight,
    points=2,
    topics=("E18",),
    free_sizes=("n_out", "n_in", "n_batch"),
    one_infinity=False,
    cost=data.step_cost,
    budgets=(at_work(16 * 64, data.STEP, "each of 16 x 64 weights has a thread of its own"),),
    slips=slips.STEP,
    predictions={"global_store_bytes": "global_store_bytes"},
    reasons={"global_store_bytes": lambda at: n(at["n_out"] * at["n_in"], "weight") * n(4, "byte")},
    predict_case=data.STEP,
    example=data.step(2, 4, 2),
    why="The weights that stay learn to do the work of those that went. A weight that is gone has no gradient, so it "
    "stays 0, and the pattern that the hardware needs is the same after training.",
)

CHOOSE_RATIOS = Exercise(
    id="compression.choose_ratios",
    unit=UNIT,
    title="How much each layer can spare",
    task="lost[l, r] says how many more of 10,000 pictures go wrong if layer l alone is pruned at ratio r, "
    "n_bytes[l, r] what it takes then; ratio 0 prunes nothing. Go down step by step: as long as all layers together "
    "have more bytes than the budget, take the step to a layer's next ratio that loses least for each byte saved, the "
    "first layer's of equal ones. Return the ratio of every layer.",
    function="choose_ratios",
    arguments=(
        Argument("lost", "in", "int64", "(n_layers, n_ratios)", "more errors than without pruning"),
        Argument("n_bytes", "in", "int64", "(n_layers, n_ratios)", "of each layer, falling from ratio to ratio"),
        Argument("budget", "scalar", "int64", "", "bytes for all layers together, which the last ratios keep"),
        Argument("chosen", "out", "int64", "(n_layers,)", "the number of each layer's ratio"),
    ),
    make=data.make_choices,
    oracle=data.ratios,
    kind="host",
    on_host=True,
    cases=data.RATIO_CASES,
    points=3,
    topics=("E18",),
    free_sizes=(),
    one_infinity=False,
    slips=slips.RATIOS,
    example=data.layers(2, 3, 50),
    guesses={
        "ratio": Guess(
            "returns",
            "the number of layer 0's ratio in the example, if the budget is 110 bytes",
            (((0, 2, 30), (0, 8, 20)), ((100, 80, 60), (80, 60, 40)), 110),
            "120 bytes are too many, and layer 1 has no ratio left: layer 0 takes its expensive step",
        )
    },
    why="Layers differ in what they can spare, so each goes as far as its errors are cheap. The table is measured one "
    "layer at a time, so the sum of its errors is a guess, and the chosen network is measured once more.",
)
