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
        "prints": Guess(
            "prints",
            "what print(8000 // 800, 20000 // 4000) prints: microseconds of 8,000 million flops at 800 TFLOP/s, and of "
            "20,000 thousand bytes at 4,000 GB/s",
            ("print(8000 // 800, 20000 // 4000)",),
            "a TFLOP/s is a million flops per microsecond, and a GB/s a thousand bytes",
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
        "prints": Guess(
            "prints",
            "what print(20 * 10 + 2 * 30, (20 * 10 + 2 * 30) // 40) prints: millijoules of 10 ms at 20 W and 30 ms at "
            "2 W, and their average power in whole watts",
            ("print(20 * 10 + 2 * 30, (20 * 10 + 2 * 30) // 40)",),
            "watts times milliseconds are millijoules; 260 of them in 40 ms are 6.5 W",
        )
    },
    why="Energy counts all the time, power on average, and the deadline begins with the picture. So a larger batch "
    "saves energy until its first picture waits too long.",
)
