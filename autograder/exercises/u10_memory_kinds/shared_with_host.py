"""Contracts of unit 10 whose memory host and device share: mapped and managed. Kernels are given in the setup."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u10_memory_kinds import slips
from autograder.exercises.u10_memory_kinds import values as data
from autograder.exercises.u10_memory_kinds.values import UNIT

FEW = {"n": 20_000, "n_picks": 64}
ROUNDS = {"n": 4099, "rounds": 3}
PAGE = 4096  # bytes

FEW_OF_MANY = Exercise(
    id="memory_kinds.few_of_many",
    unit=UNIT,
    title="A long table, and few of its elements",
    task="Run gather on the device: out[i] = table[picks[i]]. The table stays in the host's memory, and the kernel "
    "reads what it needs from there.",
    function="few_of_many",
    arguments=(
        Argument("table", "in", "float32", "(n,)", "a long table in ordinary host memory"),
        Argument("picks", "in", "int32", "(n_picks,)", "which elements are wanted"),
        Argument("out", "out", "float32", "(n_picks,)", "table[picks[i]] for each i"),
    ),
    make=data.make_few_of_many,
    oracle=data.picked,
    kind="host",
    cases=data.PICKS,
    points=3,
    topics=("C6", "A3"),
    slips=slips.PICKED,
    budgets=(
        Budget(
            "host_to_device_bytes",
            2 * 4 * 64,
            FEW,
            "64 picks are 256 bytes: nothing else has to be copied, and the table of 80,000 bytes least of all",
            "copies_the_table",
        ),
        Budget(
            "mapped_bytes",
            4 * 64,
            FEW,
            "the kernel reads 64 elements of 4 bytes from the host's memory",
            "gathers_on_the_host",
            floor=True,
        ),
    ),
    predictions={"mapped_bytes": "mapped_bytes", "transferred_bytes": "transferred_bytes"},
    reasons={
        "mapped_bytes": lambda at: n(at["n_picks"], "pick") * n(4, "byte"),
    },
    predict_case=FEW,
    example={"n": 8, "n_picks": 3},
    why="Each thread fetched its one element across the bus, and nothing else crossed but the picks and the "
    "result. The copy down waits for the kernel, so the mapping outlives it.",
)

IN_ROUNDS = Exercise(
    id="memory_kinds.in_rounds",
    unit=UNIT,
    title="Find the bug: pages that move by themselves",
    task="Keep x in managed memory and run relax on it, once per round; after each round the host notes element 0. "
    "Return the notes and the final array. Pages move when they are needed on the other side, and only then.",
    function="in_rounds",
    arguments=(
        Argument("x", "in", "float32", "(n,)", "the values to begin with, in ordinary host memory"),
        Argument("rounds", "scalar", "int64", "", "how often relax runs, 1 or more"),
        Argument("notes", "out", "float32", "(rounds,)", "element 0 after each round"),
        Argument("final", "out", "float32", "(n,)", "all elements after the last round"),
    ),
    make=data.make_rounds,
    oracle=data.relaxed,
    bound=data.relaxed_bound,
    kind="host",
    by_order=True,
    cases=data.ROUNDS,
    points=4,
    topics=("B6", "B11"),
    slips=slips.RELAXED,
    free_sizes=("n", "rounds"),
    budgets=(
        Budget(
            "faulted_bytes",
            2 * PAGE * 3,
            ROUNDS,
            "page 0 goes back and forth, twice per round; all others are prefetched to the device once, and back once",
            "no_prefetch",
        ),
        Budget(
            "global_store_bytes",
            4 * 4099 * 3,
            ROUNDS,
            "each round is a kernel that writes all 4,099 elements",
            "host_relaxes",
            floor=True,
        ),
        Budget(
            "transferred_bytes", 0, ROUNDS, "managed memory needs no copies: both sides use one array", "copies_as_well"
        ),
        Budget(
            "device_allocations", 1, ROUNDS, "one managed array is enough, however many rounds there are", "allocates"
        ),
    ),
    predictions={"faulted_bytes": "faulted_bytes"},
    reasons={
        "faulted_bytes": lambda at: (
            (
                n(at["rounds"], "trip of page 0 to the host", "trips of page 0 to the host")
                + n(at["rounds"] - 1, "back", "back")
            )
            * n(PAGE, "byte")
        ),
    },
    predict_case=ROUNDS,
    guesses={"line": Guess("line", "the line of the draft that the verdict names")},
    example={"n": 8, "rounds": 2},
    why="All pages were on the device before the first kernel asked, and only the page of element 0 went back "
    "and forth. The wait after each launch orders the kernel's stores before the host's look.",
)
