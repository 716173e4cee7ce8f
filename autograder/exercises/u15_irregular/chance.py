"""Contracts of unit 15 for numbers drawn at random: a number for each counter, and samples that take uneven turns."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u15_irregular import chance_slips as slips
from autograder.exercises.u15_irregular import chance_values as data
from autograder.exercises.u15_irregular.values import UNIT, at_work

SEED = Argument("seed", "scalar", "uint32", "", "the key")
N = {"n": 2600}

RANDOM_NUMBERS = Exercise(
    id="irregular.random_numbers",
    unit=UNIT,
    title="A number for each counter",
    task="numbers[i] is the first word that ten rounds of Philox 2 x 32 make of the counter (i, stream) under the key "
    "seed. It depends on nothing else, so any launch gives the same numbers; here a thread has four of them.",
    function="random_numbers",
    arguments=(
        SEED,
        Argument("stream", "scalar", "uint32", "", "which of 2^32 sequences"),
        Argument("numbers", "out", "uint32", "(n,)", "number i of that sequence"),
    ),
    make=data.make_numbers,
    oracle=data.drawn,
    cases=data.NUMBER_CASES,
    launch=data.four_per_thread,
    launches=((1, 64), (3, 96), (2, 32)),
    points=3,
    topics=("D11",),
    budgets=(
        Budget(
            "global_store_sectors_per_request",
            4,
            N,
            "32 neighbours of 4 bytes are 128 bytes: 4 sectors",
            "uncoalesced",
        ),
        at_work(3 * data.FILLERS, N, "three blocks of 256 threads share the numbers out"),
    ),
    slips=slips.NUMBERS,
    guesses={
        "index": Guess(
            "index",
            "the second place in numbers that thread 37 of block 1 stores to",
            (1, 37, "numbers", 1),
            "its first is 256 + 37, and three blocks of 256 threads have 768 numbers in an iteration",
        ),
        "prints": Guess(
            "prints",
            "what print(11 * 7 >> 4 ^ 5 ^ 1, 11 * 7 & 15) prints: both words after a round with words of 4 bits",
            ("print(11 * 7 >> 4 ^ 5 ^ 1, 11 * 7 & 15)",),
            "11 x 7 = 77 = 4 x 16 + 13; and 4 ^ 5 ^ 1 = 0",
        ),
    },
    predict_case=N,
    example={"n": 8},
    why="A number is worked out from its counter and the key, so it needs no state in memory and no thread before it. "
    "Numbers are numbered, not threads: another launch, or another GPU, gives the same.",
)

SAMPLES = {"n_samples": 1024}

COUNT_DRAWS = Exercise(
    id="irregular.count_draws",
    unit=UNIT,
    title="A lane that is done goes on",
    task="Each of n_samples samples draws numbers of its own stream until they add up to 1 or more; total[0] becomes "
    "how many draws that took in all. Draw k of sample s is philox(k, s, seed), a share of 2^32. Two blocks of 128 "
    "threads: a lane that is done with a sample goes on with its next one at once.",
    function="count_draws",
    arguments=(
        SEED,
        Argument("n_samples", "scalar", "int64", "", "how many samples"),
        Argument("total", "inout", "int32", "(1,)", "0 before the launch, the draws of all samples after it"),
    ),
    make=data.make_samples,
    oracle=data.counted_draws,
    cases=data.SAMPLE_CASES,
    launch=data.two_blocks,
    launches=((3, data.SAMPLERS),),
    points=4,
    topics=("D11", "B10", "B14", "D4"),
    free_sizes=("n_samples",),
    uses=("irregular.random_numbers",),
    budgets=(
        Budget(
            "lanes_at_work",
            21,
            SAMPLES,
            "samples take 2 to 8 draws: a warp whose lanes wait for each other at the end of every sample wastes half",
            "waits_for_each_sample",
            floor=True,
        ),
        Budget(
            "global_atomic_bytes",
            4 * 8,
            SAMPLES,
            "a block adds up the counts of its threads, or each of its warps does, before anything goes into total",
            "too_many_atomics",
        ),
    ),
    slips=slips.DRAWS,
    predictions={"atomic_operations": "atomic_operations"},
    reasons={"atomic_operations": lambda at: n(at.blocks, "block") * n(1, "atomic")},
    predict_case=SAMPLES,
    example={"n_samples": 8},
    why="With one loop for all samples of a lane, every iteration draws a number for whichever sample the lane has "
    "come to. Lanes wait for each other once, at the end, where their sums over many samples are nearly equal.",
)
