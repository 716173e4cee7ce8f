"""Contracts of unit 20 where a threshold is found: counts of a digit, and the digit of the last that stays."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u20_compression import select_values as data
from autograder.exercises.u20_compression import slips
from autograder.exercises.u20_compression.values import UNIT, at_work

COUNTED = {"n": 3000, "after": 0}

COUNT_DIGITS = Exercise(
    id="compression.count_digits",
    unit=UNIT,
    title="Count a digit of every magnitude",
    task="bits has float32 weights as their 32 bits. Without the sign, bits are ordered as magnitudes are. Of the "
    "weights whose bits above shift + 8 are prefix, count how many have each 8-bit digit from bit shift on. Four "
    "blocks of 256 threads; each thread goes on in steps of the grid.",
    function="count_digits",
    arguments=(
        Argument("bits", "in", "int32", "(n,)", "float32 weights, seen as integers"),
        Argument("prefix", "scalar", "int32", "", "the digits that are known already, 0 at first"),
        Argument("shift", "scalar", "int32", "", "where the digit begins: 24, 16, 8 or 0"),
        Argument("counts", "inout", "int32", "(256,)", "how many have each digit, all 0 at first"),
    ),
    make=data.make_digits,
    oracle=data.counted,
    cases=data.DIGITS_CASES,
    launch=data.few_blocks,
    points=3,
    topics=("E18", "D7"),
    free_sizes=("n",),
    one_infinity=False,
    cost=data.digits_cost,
    budgets=(
        Budget(
            "global_atomic_requests",
            32,
            COUNTED,
            "each of 4 blocks counts for itself in shared memory, and its 8 warps add 256 digits to counts in the end",
            "global_atomics",
        ),
        at_work(1024, COUNTED, "each of 4 x 256 threads has some of 3,000 weights"),
    ),
    slips=slips.DIGITS,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={"global_load_requests": lambda at: n(-(-at["n"] // 32), "warp's worth", "warps' worth")},
    guesses={
        "line": Guess("line", "the line of the draft that the verdict names"),
        "prints": Guess(
            "prints",
            "what print(0x3FA00000 >> 24, (0x3FA00000 >> 16) & 255) prints: the first two digits of 1.25",
            ("print(0x3FA00000 >> 24, (0x3FA00000 >> 16) & 255)",),
            "two hexadecimal digits are one of ours: 0x3F is 63, and 0xA0 is 160",
        ),
    },
    predict_case=COUNTED,
    example={"n": 8, "after": 0},
    why="Bits without their sign are ordered as magnitudes are, so digit by digit, from above, they can be sorted "
    "out. Nothing is moved and nothing sorted: four passes read the weights and write 256 counts each.",
)

DIGIT_OF = Exercise(
    id="compression.digit_of",
    unit=UNIT,
    title="The digit of the smallest that stays",
    task="keep weights are to stay, the largest ones. Return the digit that the smallest of them has, and how many "
    "of those with that digit stay; all that have a larger digit do.",
    function="digit_of",
    arguments=(
        Argument("counts", "in", "int32", "(256,)", "how many weights have each digit"),
        Argument("keep", "scalar", "int64", "", "how many stay, 1 to the sum of counts, which an int32 holds"),
        Argument("digit", "out", "int64", "", "of the smallest that stays"),
        Argument("left", "out", "int64", "", "how many with that digit stay"),
    ),
    make=data.make_counts,
    oracle=data.digit_of,
    kind="host",
    on_host=True,
    cases=data.DIGIT_CASES,
    points=2,
    topics=("E18",),
    free_sizes=(),
    slips=slips.DIGIT,
    example={"nth": 1, "all_of_it": 2},
    guesses={
        "digit": Guess(
            "returns",
            "the digit for counts 4, 0, 3, 2 of the digits 0 to 3, if 4 are to stay",
            ((4, 0, 3, 2), 4),
            "two have digit 3, and five have digit 2 or more: the fourth has digit 2",
        )
    },
    why="Counted from above, the digit with which keep is reached belongs to the smallest weight that stays. What is "
    "left of keep goes into the next digit down, so four rounds give all 32 bits of the threshold.",
)
