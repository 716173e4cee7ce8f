"""Contracts of unit 17 where real numbers become steps: quantise, and a scale for each output channel."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u17_engine_int8 import slips
from autograder.exercises.u17_engine_int8 import values as data
from autograder.exercises.u17_engine_int8.values import UNIT

QUANTISED = {"n": 1025}

QUANTISE = Exercise(
    id="engine_int8.quantise",
    unit=UNIT,
    title="Steps in place of numbers",
    task="Turn real numbers into steps of a scale: steps[i] is real[i] / scale, rounded to the nearest whole number, "
    "half to even, and cut to what int8 holds, -128 to 127. NaN becomes 0. One thread per element.",
    function="quantise",
    arguments=(
        Argument("real", "in", "float32", "(n,)", "the real numbers"),
        Argument("scale", "scalar", "float32", "", "what one step stands for, above 0"),
        Argument("steps", "out", "int8", "(n,)", "what is left of them"),
    ),
    make=data.make_quantise,
    oracle=data.quantised,
    cases=data.QUANTISE_CASES,
    launch=data.one_thread_each,
    points=2,
    topics=("E8",),
    cost=data.quantise_cost,
    budgets=(data.at_work(1025, QUANTISED, "each of 1,025 numbers has a thread of its own"),),
    slips=slips.QUANTISE,
    predictions={"global_load_bytes": "global_load_bytes", "global_store_bytes": "global_store_bytes"},
    reasons={
        "global_load_bytes": lambda at: n(at["n"], "number") * n(4, "byte"),
        "global_store_bytes": lambda at: n(at["n"], "step") * n(1, "byte"),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what print(round(0.5), round(1.5), round(2.5)) prints",
            ("print(round(0.5), round(1.5), round(2.5))",),
            "each lies in the middle between two whole numbers, and the even one of the two is taken",
        )
    },
    predict_case=QUANTISED,
    example={"n": 8},
    why="A number is divided by the scale, rounded once and cut once, as the engine does it: its steps are the same to "
    "the last bit. Four bytes become one, so whoever reads the steps reads a quarter.",
)

CHANNELS = {"n_out": 8, "n_in": 576}

CHANNEL_SCALES = Exercise(
    id="engine_int8.channel_scales",
    unit=UNIT,
    title="A scale for each output channel",
    task="Find the scale of each output channel: scales[k] is the largest magnitude of row k of weights, divided by "
    "127, or 1 where the whole row is 0. One block of 128 threads per row.",
    function="channel_scales",
    arguments=(
        Argument("weights", "in", "float32", "(n_out, n_in)", "a row for each output channel"),
        Argument("scales", "out", "float32", "(n_out,)", "what one step of each row stands for"),
    ),
    make=data.make_weights,
    oracle=data.channel_scales,
    cases=data.SCALES_CASES,
    launch=data.a_block_per_channel,
    points=2,
    topics=("E8", "D4"),
    free_sizes=("n_out", "n_in"),
    one_infinity=False,
    cost=data.scales_cost,
    budgets=(
        Budget(
            "global_load_bytes",
            3 * 4 * 8 * 576,
            CHANNELS,
            "each of 8 x 576 weights is loaded once, or twice where an answer reads it again",
            "too_much_traffic",
        ),
        Budget(
            "global_load_sectors_per_request",
            4,
            CHANNELS,
            "32 neighbours of a row are 128 bytes: 4 sectors",
            "uncoalesced",
        ),
        data.at_work(128 * 8, CHANNELS, "each of 8 rows has 128 threads, and 576 weights are enough for all of them"),
    ),
    slips=slips.SCALES,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: n(at["n_out"], "row") * n(at["n_in"] // 32, "warp's worth", "warps' worth"),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what print(round(0.3 / 0.5), round(-0.2 / 0.5)) prints: two small weights under the scale of a large row",
            ("print(round(0.3 / 0.5), round(-0.2 / 0.5))",),
            "0.6 of a step is rounded to 1, and less than half a step to 0",
        )
    },
    predict_case=CHANNELS,
    example={"n_out": 2, "n_in": 4},
    why="The largest magnitude of a row gets 127 steps, and nothing of the row is cut. Each row has a scale of its "
    "own, which costs nothing: it is a factor of the whole sum, and is multiplied once at its end.",
)
