"""Contracts of unit 18 on the host: kernels are timed, and one of them is chosen."""

from __future__ import annotations

from autograder.contract import Argument, Exercise, Guess
from autograder.exercises.u18_engine_kernels import tactic_slips as slips
from autograder.exercises.u18_engine_kernels import tactic_values as data
from autograder.exercises.u18_engine_kernels.stopwatch import JudgedDevice
from autograder.exercises.u18_engine_kernels.values import UNIT

TIME_KERNELS = Exercise(
    id="engine_kernels.time_kernels",
    unit=UNIT,
    title="A time you can trust",
    task="Return the median time of each kernel over the rounds, in microseconds: of one launch, waited for, with a "
    "cold cache. Of an even number of rounds it is the mean of the two in the middle. Every kernel is launched once "
    "before the first round, and in each round all kernels take turns. device has launch(k), wait(), flush() and "
    "clock(); none but wait() waits.",
    function="time_kernels",
    arguments=(
        Argument("device", "in", "int64", "(1 + 2 n_kernels,)", "a GPU whose clock the judge holds"),
        Argument("n_kernels", "scalar", "int64", "", "1 or more"),
        Argument("rounds", "scalar", "int64", "", "1 or more"),
        Argument("times", "out", "float64", "(n_kernels,)", "the median time of each kernel, in microseconds"),
    ),
    make=data.make_device,
    oracle=data.by(data.honest),
    bound=data.times_bound,
    rounds=True,
    kind="host",
    on_host=True,
    stand_ins={"device": JudgedDevice},
    cases=data.TIMED_CASES,
    points=3,
    topics=("E11", "C1"),
    free_sizes=("n_kernels", "rounds"),
    slips=slips.TIMES,
    guesses={
        "prints": Guess(
            "prints",
            "the launches of 3 kernels in 5 rounds, and how often the cache is filled anew",
            ("print(3 + 3 * 5, 3 * 5)",),
            "each kernel runs once before the first round, and in what state its cache is does not matter there",
        )
    },
    why="Each time is of one launch with a cold cache, from a device that had nothing else to do. All kernels share "
    "what changes from round to round, and the median drops what happens once.",
)

CHOOSE_KERNELS = Exercise(
    id="engine_kernels.choose_kernels",
    unit=UNIT,
    title="Which kernel, and how long the choice holds",
    task="Return the kernel for each request, and 1 where it was measured, 0 where an equal question came before. A "
    "question is batch, shape, type, device and version; the name is none of it. Of the kernels within 2 % of the "
    "fastest the lowest number is taken; a kernel with NaN cannot run, and where none can, the choice is -1.",
    function="choose_kernels",
    arguments=(
        Argument("requests", "in", "int64", "(n, 6)", "name, batch, shape, type, device and version of each"),
        Argument("times", "in", "float64", "(n, n_kernels)", "what a measurement would give now, or NaN"),
        Argument("chosen", "out", "int64", "(n,)", "the kernel for each request, or -1"),
        Argument("measured", "out", "int64", "(n,)", "1 where it was measured"),
    ),
    make=data.make_requests,
    oracle=data.chosen_by(slips.KEY),
    kind="host",
    on_host=True,
    cases=data.REQUEST_CASES,
    points=3,
    topics=("E11",),
    free_sizes=("n", "n_kernels"),
    one_infinity=False,
    slips=slips.CHOICES,
    guesses={
        "kernel": Guess(
            "returns",
            "the kernel that is chosen for times of 20.5, 20.0 and 20.3",
            (((1, 1, 0, 0, 1, 2),), ((20.5, 20.0, 20.3),)),
            "2 % of 20 microseconds are 0.4: kernels 1 and 2 count as equal, kernel 0 does not",
        )
    },
    why="The key holds what a time depends on and nothing else, so a question is measured once, and no answer to "
    "another case is taken for it. Ties by number make two builds equal.",
)
