"""The contract of unit 13 that computes with other numbers than it is given: Winograd's products."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u13_convolution import winograd_slips as slips
from autograder.exercises.u13_convolution import winograd_values as data
from autograder.exercises.u13_convolution.values import FREE, UNIT, at_work, layer

CONV_WINOGRAD = Exercise(
    id="convolution.conv_winograd",
    unit=UNIT,
    title="Sixteen products for thirty-six",
    task="The same layer by Winograd's F(2 x 2, 3 x 3). u holds the transformed weights; a thread works out 2 x 2 "
    "outputs of 4 output channels: it transforms the 4 x 4 elements around them, multiplies, adds up over the "
    "channels, and transforms back. z = n * groups + group, where a group is 4 output channels.",
    function="conv_winograd",
    arguments=data.ARGUMENTS,
    make=data.make_winograd,
    oracle=data.convolved,
    bound=data.winograd_bound,
    cases=data.CASES,
    launch=data.a_thread_per_tile,
    points=4,
    topics=("D9",),
    free_sizes=FREE,
    one_infinity=False,
    cost=data.winograd_cost,
    budgets=(
        Budget(
            "float32_flops",
            200_000,
            data.FULL,
            "256 tiles of 2 x 2: 32 additions and 4 x 32 flops for each of 4 channels, then 4 x 24 additions; a layer "
            "without the transform takes 279,680",
            "too_much_arithmetic",
        ),
        at_work(256, data.FULL, "each of 8 x 32 tiles of 2 x 2 outputs has a thread of its own"),
    ),
    slips=slips.WINOGRAD,
    predictions={"float32_flops": "float32_flops"},
    reasons={
        "float32_flops": lambda at: (
            n(at["n_rows"] * at["n_cols"] // 4, "tile")
            * (
                n(at["n_in"], "channel") * (n(32, "addition") + n(4, "output") * n(16, "product") * n(2, "flop"))
                + n(4, "output") * n(24, "addition")
            )
        ),
    },
    guesses={
        "index": Guess(
            "index",
            "the place in dst that thread 37 of block 0 writes first",
            (0, 37, "dst"),
            "thread 37 of 32 x 4 is x = 5, y = 1: its outputs begin in row 2 and column 10, and a row has 64 columns",
        )
    },
    predict_case=data.FULL,
    example=layer(1, 1, 4, 2, 2),
    why="Four outputs take 16 products per pair of channels where they took 36. The elements are spread once for four "
    "output channels and the sums collected once for all channels that come in, so few additions are left per product.",
)
