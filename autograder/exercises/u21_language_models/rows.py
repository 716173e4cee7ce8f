"""Contracts of unit 21 for one row at a time: an RMS norm, and pairs that turn with their place."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u21_language_models import slips
from autograder.exercises.u21_language_models import values as data
from autograder.exercises.u21_language_models.values import NORM_FULL, TURN_FULL, UNIT, at_work

RMS_NORM = Exercise(
    id="language_models.rms_norm",
    unit=UNIT,
    title="A norm without a mean",
    task="Divide each row by the root of the mean of its squares, and multiply each column by its number of gamma: "
    "dst = src / sqrt(mean(src²) + 1e-5) * gamma. All arrays are float16, all arithmetic is float32. A block of "
    "128 threads per row, and 16 bytes in each load and store.",
    function="rms_norm",
    arguments=data.NORM_ARGUMENTS,
    make=data.make_norm,
    oracle=data.rms_norm,
    bound=data.norm_bound,
    rounds=True,
    cases=data.NORM_CASES,
    launch=data.a_block_per_row,
    points=2,
    topics=("E22", "D10"),
    free_sizes=("n_rows",),
    naive="rms_thread_per_row",
    naive_launch=data.a_thread_per_row,
    cost=data.norm_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.norm_timed, library=data.TORCH_RMS_NORM),
    budgets=(
        Budget(
            "global_load_requests",
            100,
            NORM_FULL,
            "a row of 1,040 elements is five requests of 32 lanes and 8 elements each: it is loaded twice, gamma once, "
            "which makes 60 requests",
            "narrow_loads",
        ),
        Budget(
            "global_store_requests",
            40,
            NORM_FULL,
            "a row of 1,040 elements is stored by five requests of 32 lanes and 8 elements each, 20 in all",
            "narrow_stores",
        ),
        at_work(4 * 128, NORM_FULL, "a row of 1,040 elements has work for all 128 threads of its block"),
    ),
    slips=slips.NORM,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(at["n_rows"], "row") * n(ceil_div(at["n_cols"], 256), "piece of 256", "pieces of 256") * n(3, "load")
        ),
    },
    predict_case=NORM_FULL,
    example=data.matrix(2, 8),
    why="The mean of squares is all that a row needs to know of itself, so one sum is enough before anything can be "
    "stored. The sum is float32, since squares of float16 soon pass 65,504, the largest of them.",
)

ROTATE_PAIRS = Exercise(
    id="language_models.rotate_pairs",
    unit=UNIT,
    title="A position is an angle",
    task="Turn the pairs of each head by an angle that grows with the token's place: numbers i and i + 64 of the 128 "
    "become a cos - b sin and b cos + a sin, where a and b are they and the angle is places[token] * speeds[i]. A "
    "block of 64 threads for each head of each token: heads along x of the grid, tokens along y.",
    function="rotate_pairs",
    arguments=data.TURN_ARGUMENTS,
    make=data.make_turn,
    oracle=data.rotate_pairs,
    bound=data.turn_bound,
    rounds=True,
    cases=data.TURN_CASES,
    launch=data.a_block_per_head,
    points=2,
    topics=("E22", "D10"),
    free_sizes=("n_tokens", "n_heads"),
    one_infinity=False,
    cost=data.turn_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            4,
            TURN_FULL,
            "32 neighbours are 4 sectors, and a place that all lanes ask for is one",
            "uncoalesced",
        ),
        at_work(3 * 4 * 64, TURN_FULL, "each of 3 x 4 heads has 64 pairs, and a thread for each of them"),
    ),
    slips=slips.TURN,
    predictions={"global_load_bytes": "global_load_bytes", "global_store_bytes": "global_store_bytes"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at["n_tokens"] * at["n_heads"], "head") * n(64, "pair") * n(4, "load") * n(4, "byte")
        ),
        "global_store_bytes": lambda at: n(at["n_tokens"] * at["n_heads"] * 128, "number") * n(2, "byte"),
    },
    predict_case=TURN_FULL,
    example=data.tokens(1, 1),
    shown=data.two_pairs,
    why="A score of two turned vectors depends on how far their places lie apart, and on nothing else of them: both "
    "turn at the same speeds, so what they share drops out. Slow pairs tell far places apart, quick ones near ones.",
)
