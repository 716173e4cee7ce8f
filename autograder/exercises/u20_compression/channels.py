"""The contract of unit 20 where whole channels go, with everything that hangs on them."""

from __future__ import annotations

from autograder.contract import Argument, Exercise, Guess
from autograder.exercises.u20_compression import channel_slips as slips
from autograder.exercises.u20_compression import channel_values as data
from autograder.exercises.u20_compression.values import UNIT

SHRINK_CHANNELS = Exercise(
    id="compression.shrink_channels",
    unit=UNIT,
    title="Whole channels, and all that depends on them",
    task="Keep the `keep` largest channels of a layer, in their old order. A channel's size is the sum of all "
    "magnitudes in its row of weights and in its row of shortcut, which is added to it; of equal ones the first stays. "
    "Return the channels' numbers and all four parts without the rest. The next layer reads the channels flattened: "
    "neighbouring columns, as many for each.",
    function="shrink_channels",
    arguments=(
        Argument("weights", "in", "float32", "(n_mid, n_in)", "of the layer, a row for each channel"),
        Argument("norm", "in", "float32", "(4, n_mid)", "gamma, beta, mean and variance of the batch norm behind it"),
        Argument(
            "shortcut", "in", "float32", "(n_mid, n_skip)", "weights whose results are added to the same channels"
        ),
        Argument("following", "in", "float32", "(n_out, n_mid * area)", "of the layer that reads the channels"),
        Argument("keep", "scalar", "int64", "", "how many channels stay, 1 to n_mid"),
        Argument("kept", "out", "int64", "(keep,)", "their numbers, rising"),
        Argument("new_weights", "out", "float32", "(keep, n_in)", "what is left of weights"),
        Argument("new_norm", "out", "float32", "(4, keep)", "of norm"),
        Argument("new_shortcut", "out", "float32", "(keep, n_skip)", "of shortcut"),
        Argument("new_following", "out", "float32", "(n_out, keep * area)", "of following"),
    ),
    make=data.make_layers,
    oracle=data.shrunk,
    kind="host",
    on_host=True,
    cases=data.LAYER_CASES,
    points=3,
    topics=("E18",),
    free_sizes=(),
    one_infinity=False,
    slips=slips.LAYERS,
    example=data.layers(3, 2, 2, 1, 1, 2),
    guesses={
        "channel": Guess(
            "returns",
            "the one channel that stays of three with rows (2, -2), (1, 1) and (0, 3) and shortcuts 0, -2.5 and 1",
            (
                ((2, -2), (1, 1), (0, 3)),
                ((1, 1, 1), (0, 0, 0), (0, 0, 0), (1, 1, 1)),
                ((0,), (-2.5,), (1,)),
                ((1, 2, 3),),
                1,
            ),
            "with their shortcuts they have 4, 4.5 and 4: by its own weights alone channel 1 would be the first to go",
        )
    },
    why="A channel is a row here and columns there: of batch norm, of whatever is added to it, of every layer that "
    "reads it. What is left is a dense, smaller network, which any kernel runs faster.",
)
