"""Contract of unit 19's own_convolution: a kernel of the learner's becomes a tactic of the engine."""

from __future__ import annotations

from autograder.contract import Exercise, Guess
from autograder.exercises.u19_engine_runtime.own import values as data
from autograder.exercises.u19_engine_runtime.own.slips import WIRED
from autograder.exercises.u19_engine_runtime.values import UNIT

OWN_CONVOLUTION = Exercise(
    id="engine_runtime.own_convolution",
    unit=UNIT,
    title="Your kernel in the engine",
    task="Write supports(op), which says whether unit 18's conv_layer computes an operation of the engine, and "
    "arguments(op), which gives the arguments of its launch: src, weights (n_blocks, 9, n_out, 32), pitch, height, "
    "multiplier, addend, residual, residual_multiplier, low, high, dst. It computes 3 x 3 convolutions with one zero "
    "all round, stride and dilation 1 and one group, whose tensors are all INT8, with or without a residual, and with "
    "a ReLU, a clip, or nothing. Return what engine.tries(supports, arguments) does.",
    function="own_convolution",
    arguments=data.OWN_ARGUMENTS,
    make=data.make_engine,
    oracle=data.wired,
    kind="host",
    on_host=True,
    stand_ins={"engine": data.engine_of},
    cases=data.OWN_CASES,
    points=4,
    topics=("E20", "E11", "E8"),
    free_sizes=(),
    slips=WIRED,
    example={"network": 0},
    guesses={
        "prints": Guess(
            "prints",
            "blocks of 32 for 40 channels, and steps of the output per step of a sum, where a step of the input is "
            "0.5, of the weights 0.25 and of the output 2",
            ("print(-(-40 // 32), 0.5 * 0.25 / 2)",),
            "a sum counts in steps of input times weight, and the result in steps of its own",
        )
    },
    why="supports is a promise: whatever it lets through, the kernel must compute to the last bit, and whatever it "
    "leaves, the engine computes. So each thing that the kernel cannot do is one question, and each thing that it can "
    "do is an argument.",
)
