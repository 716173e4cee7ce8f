"""Contracts of unit 19 in numbers: which layers to improve, and what fits into an edge's budget."""

from __future__ import annotations

from autograder.contract import Exercise, Guess
from autograder.exercises.u19_engine_runtime.budgets import edge_values, layer_values, slips
from autograder.exercises.u19_engine_runtime.values import UNIT

MEND_LAYERS = Exercise(
    id="engine_runtime.mend_layers",
    unit=UNIT,
    title="Which three layers to improve first",
    task="Return the three layers with most to gain, the first one most; for each layer whether memory bounds it; and "
    "the share of the whole time that is saved once these three reach their bound. The bound of a layer is the longer "
    "of two times: its flops at the GPU's peak, and its bytes at the memory's. What it takes beyond is its gain.",
    function="mend_layers",
    arguments=layer_values.LAYER_ARGUMENTS,
    make=layer_values.make_layers,
    oracle=layer_values.mended,
    bound=layer_values.layer_bound,
    rounds=True,
    kind="host",
    on_host=True,
    cases=layer_values.LAYER_CASES,
    points=2,
    topics=("E16", "C3"),
    free_sizes=("n",),
    one_infinity=False,
    slips=slips.LAYERS,
    example={"n": 5},
    as_made=("flops", "n_bytes", "time_us"),
    guesses={
        "layer": Guess(
            "returns",
            "the layer with the largest gain, where C takes 45 us for 8 GFLOP and 4 MB, beside A and B of the example",
            ((40e9, 2e9, 8e9), (60e6, 40e6, 4e6), (60.0, 30.0, 45.0), 800, 4000),
            "the bounds are 50, 10 and 10 us, so the gains are 10, 20 and 35 us: the longest layer comes last",
        )
    },
    why="Nobody gets below the bound, so what a layer takes beyond it is all that can be won there. Long layers that "
    "stand at their bound are done; the way past it is fewer bytes or fewer flops.",
)


FIT_BUDGET = Exercise(
    id="engine_runtime.fit_budget",
    unit=UNIT,
    title="The edge's budget",
    task="Return the energy per picture of each way to run a network, and the way that takes least of those that fit, "
    "or -1. One fits if a run ends before its next batch is there; if the first picture of a batch, which waits for "
    "the last, has its result by the deadline; and if average power and memory stay within their limits.",
    function="fit_budget",
    arguments=edge_values.EDGE_ARGUMENTS,
    make=edge_values.make_ways,
    oracle=edge_values.budgeted,
    bound=edge_values.edge_bound,
    rounds=True,
    kind="host",
    on_host=True,
    cases=edge_values.EDGE_CASES,
    points=2,
    topics=("E17",),
    free_sizes=("n",),
    one_infinity=False,
    slips=slips.BUDGETS,
    example={"n": 3},
    guesses={
        "energy": Guess(
            "returns",
            "the millijoules of a picture in batches of two, 16 ms at 20 W each, a picture every 40 ms, idle at 2 W",
            (((2.0, 16.0, 20.0, 100.0),), 40, 2, 1000, 100, 1000),
            "320 mJ for the run and 128 for the other 64 ms, for two pictures",
        )
    },
    why="Energy counts all the time, power on average, and the deadline begins with the picture. So a larger batch "
    "saves energy until its first picture waits too long.",
)
