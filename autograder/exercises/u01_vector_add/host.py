"""Contracts of unit 01 whose answer is a host function: how many blocks, and what travels to the device and back."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Exercise, Slip
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u01_vector_add import slips
from autograder.exercises.u01_vector_add import values as data
from autograder.exercises.u01_vector_add.values import LARGE, RAGGED, SUM_OF_TWO, THREADS, UNIT

TRANSFERRED = "transferred_bytes"

BLOCKS_FOR = Exercise(
    id="vector_add.blocks_for",
    unit=UNIT,
    title="How many blocks?",
    task="Return the number of blocks of the given number of threads that cover n elements, as an int. "
    "It is at least 1, because a launch of no blocks is an error.",
    function="blocks_for",
    why="Rounding up gives the last, partly filled block its place; rounding down would leave up to 255 "
    "elements out. A grid needs at least one block, even for no element.",
    arguments=(
        Argument("n", "scalar", "int64", "", "elements to cover, 0 or more"),
        Argument("threads", "scalar", "int64", "", "threads per block, 1 to 1024"),
        Argument("blocks", "out", "int64", "", "blocks to launch"),
    ),
    make=lambda sizes, values, rng: {**sizes, "blocks": np.int64(0)},
    oracle=lambda values: {"blocks": np.int64(max(1, ceil_div(values["n"], values["threads"])))},
    kind="host",
    cases=tuple(
        Case({"n": n, "threads": threads}, trace=False)
        for n, threads in (
            *((n, THREADS) for n in (1, 255, 256, 257, 512, 513, 7919)),
            *((n, 1024) for n in (1024, 1025, 2**31 + 1)),
            *((33, 32), (7, 1), (0, THREADS), (97, 96), (1000, 1000), (7919, 3), (5000, 640)),
        )
    ),
    points=1,
    topics=("A2", "A4"),
    slips=slips.BLOCKS_FOR,
)

ADD_ON_DEVICE = Exercise(
    id="vector_add.add_on_device",
    unit=UNIT,
    title="There and back again",
    task="Take two NumPy arrays, add them on the device with your vector_add, and return a NumPy array. "
    "Two arrays go up, one comes down, and nothing else travels.",
    function="add_on_device",
    why="Two copies up, one launch, one copy down: nothing travels twice. What the kernel alone uses is "
    "allocated on the device and never copied.",
    arguments=SUM_OF_TWO,
    make=data.make_sum,
    oracle=data.sum_oracle,
    bound=data.sum_bound,
    kind="host",
    cases=data.cases_of(RAGGED, LARGE),
    points=2,
    topics=("A3", "A10"),
    uses=("vector_add.vector_add", "vector_add.blocks_for"),
    budgets=(
        *data.transfer_budgets(3, "Two inputs up and one output down are 3 x 4,100 bytes.", handed_in=6),
        data.STORED_ONCE,
    ),
    slips=(
        Slip(
            "output_not_written",
            "What you return was never copied down: the kernel wrote to the device's copy, not to yours.",
            lambda values: {"out": np.zeros_like(values["a"])},
        ),
    ),
    predictions={TRANSFERRED: TRANSFERRED},
    predict_case={"n": 1025},
)

ADD_FOUR = Exercise(
    id="vector_add.add_four",
    unit=UNIT,
    title="Stay on the device",
    task="Return a + b + c + d as a NumPy array, in three launches of your vector_add. "
    "Every input goes up once, only the final sum comes down.",
    function="add_four",
    why="The two sums in between stay on the device, where the next kernel finds them. Transfers, not "
    "additions, take the time here: four arrays up and one down is the least that there can be.",
    arguments=(
        *(Argument(name, "in", "float32", "(n,)", "an array to add") for name in "abcd"),
        Argument("out", "out", "float32", "(n,)", "a + b + c + d"),
    ),
    make=data.make_four,
    oracle=data.four_oracle,
    bound=data.four_bound,
    kind="host",
    cases=data.cases_of(RAGGED, LARGE),
    points=2,
    topics=("A3", "C6"),
    uses=("vector_add.vector_add", "vector_add.blocks_for"),
    budgets=(
        *data.transfer_budgets(5, "Four inputs up and one sum down are 5 x 4,100 bytes.", handed_in=18),
        data.launch_budget(3, "Four arrays take three additions; a fourth one would do work again."),
    ),
    slips=slips.ADD_FOUR,
    predictions={TRANSFERRED: TRANSFERRED},
    predict_case={"n": 1025},
)
