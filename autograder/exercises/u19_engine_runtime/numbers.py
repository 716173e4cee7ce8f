"""Contracts of unit 19 in numbers: which layers to improve, what an engine gains, what fits into an edge's budget."""

from __future__ import annotations

from autograder.contract import Exercise, Guess
from autograder.exercises.u19_engine_runtime.budgets import edge_values, layer_values, slips
from autograder.exercises.u19_engine_runtime.budgets import gain_values as gains
from autograder.exercises.u19_engine_runtime.budgets.gain_slips import GAINS
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


COUNT_GAINS = Exercise(
    id="engine_runtime.count_gains",
    unit=UNIT,
    title="What an engine gains, and by what",
    task="Step i reads up to two tensors and its weights and makes tensor i + 1. Return launches, bytes read, bytes "
    "written and the least time of four ways to run the steps: a kernel for each in float32, as a framework does; the "
    "engine's kernels in float32; these in float16; these as one graph. A kernel reads each tensor once, and none that "
    "it makes itself; it writes what another kernel reads and what no step reads. The host launches one kernel after "
    "the other, or the graph at once. A kernel begins when it has been launched and the one before it has ended, and "
    "takes the longer of two times, that of its flops and that of its bytes.",
    function="count_gains",
    arguments=gains.GAIN_ARGUMENTS,
    make=gains.make_gains,
    oracle=gains.counted,
    bound=gains.gain_bound,
    rounds=True,
    kind="host",
    on_host=True,
    cases=gains.GAIN_CASES,
    points=3,
    topics=("E1", "E5", "C3"),
    free_sizes=("n",),
    one_infinity=False,
    slips=GAINS,
    example={"n": 4},
    as_made=("steps", "elements", "flops", "gpu"),
    guesses={
        "stored": Guess(
            "returns",
            "the bytes that the engine writes in float16, if a kernel of its own adds tensor 1 to tensor 3 at the end",
            (
                ((0, -1, 1_000_000, 0), (1, -1, 0, 0), (2, 0, 0, 0), (3, 1, 0, 1)),
                (4_000_000,) * 5,
                (1e9, 8e6, 4e6, 4e6),
                gains.GPU,
            ),
            "the first kernel now writes tensors 1 and 3, and the new one writes tensor 4: 12 million elements of 2 "
            "bytes",
            (2, 2),
        )
    },
    why="A framework runs steps as they come, so every tensor between two steps goes to memory and back. Whoever knows "
    "all readers of a tensor can leave that out, and so fusing gains most where kernels wait for bytes or launches.",
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
