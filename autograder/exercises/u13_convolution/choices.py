"""Contracts of unit 13 on the host: what an output can see, and which way a library takes."""

from __future__ import annotations

from autograder.contract import Argument, Exercise, Guess
from autograder.exercises.u13_convolution import choice_slips as slips
from autograder.exercises.u13_convolution import choice_values as data
from autograder.exercises.u13_convolution.values import UNIT

RECEPTIVE_FIELD = Exercise(
    id="convolution.receptive_field",
    unit=UNIT,
    title="What an output can see",
    task="Return two numbers for one more layer on top of others: how many neighbouring elements of the picture an "
    "output of it depends on, along one axis, and how many elements of the picture lie from one output to the next. "
    "field and jump are the same two numbers before the layer; before the first they are 1 and 1.",
    function="receptive_field",
    arguments=(
        Argument("kernel", "scalar", "int64", "", "weights along an axis, 1 or more"),
        Argument("stride", "scalar", "int64", "", "1 or more: one output in so many is kept"),
        Argument("dilation", "scalar", "int64", "", "1 or more: elements from one weight to the next"),
        Argument("field", "scalar", "int64", "", "elements that one element before the layer depends on"),
        Argument("jump", "scalar", "int64", "", "elements from one element before the layer to the next"),
        Argument("new_field", "out", "int64", "", "after the layer"),
        Argument("new_jump", "out", "int64", "", "after the layer"),
    ),
    make=lambda sizes, values, rng: {**sizes, "new_field": data.NONE, "new_jump": data.NONE},
    oracle=data.after_layer,
    kind="host",
    cases=data.FIELD_CASES,
    points=2,
    topics=("E19",),
    slips=slips.FIELDS,
    guesses={
        "field": Guess(
            "returns",
            "the field after a 3 x 3 pooling with stride 2, on a layer of 7 x 7 with stride 2",
            (3, 2, 1, 7, 2),
            "7 elements, and two more outputs that lie two elements apart: 7 + 2 x 2",
        )
    },
    why="A layer adds kernel - 1 steps of its dilation, each as long as the jump before it. A stride lengthens the "
    "steps of the layers that follow, not those of its own.",
)

PICK_ALGORITHM = Exercise(
    id="convolution.pick_algorithm",
    unit=UNIT,
    title="Which way a library takes",
    task="Return the number of the way that takes the least time, 0 for implicit GEMM, 1 for im2col and GEMM, 2 for "
    "Winograd F(2 x 2, 3 x 3), and that time in microseconds. A way takes the longer of flops / flops_per_us and "
    "bytes / bytes_per_us; Winograd is for 3 x 3 alone, and of two equal ways the lower number is taken.",
    function="pick_algorithm",
    arguments=(
        *(Argument(name, "scalar", "int64", "", meaning) for name, meaning in data.SHAPE.items()),
        Argument("flops_per_us", "scalar", "float64", "", "that the GPU computes"),
        Argument("bytes_per_us", "scalar", "float64", "", "that its memory moves"),
        Argument("way", "out", "int64", "", "0, 1 or 2"),
        Argument("time_us", "out", "float64", "", "the least time that this way can take"),
    ),
    make=data.make_choice,
    oracle=data.picked,
    bound=data.rounded,
    kind="host",
    cases=data.CHOICE_CASES,
    points=3,
    topics=("D9", "C3"),
    slips=slips.CHOICES,
    guesses={
        "prints": Guess(
            "prints",
            "what print(2 * 1 * 64 // 8, 2 * 9 * 64 // 8, 2 * 25 * 64 // 8) prints: flops per byte of three layers",
            ("print(2 * 1 * 64 // 8, 2 * 9 * 64 // 8, 2 * 25 * 64 // 8)",),
            "an output takes 2 k² n_in flops, and 4 bytes come in and 4 go out for each of 64 channels",
        )
    },
    why="The time of a way is what its slower side takes, arithmetic or memory, and both follow from the shape. "
    "Winograd pays with bytes for the flops it saves, so it wins where flops are what a layer waits for; im2col pays "
    "and saves nothing.",
)
