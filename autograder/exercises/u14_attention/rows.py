"""Contracts of unit 14 for rows of a matrix: softmax that cannot overflow, in three reads of a row and in two."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u14_attention import slips
from autograder.exercises.u14_attention import values as data
from autograder.exercises.u14_attention.values import FULL, ROW_ARGUMENTS, UNIT

SOFTMAX_SAFE = Exercise(
    id="attention.softmax_safe",
    unit=UNIT,
    title="A softmax that cannot overflow",
    task="Softmax of every row: dst[r, c] is exp(src[r, c]) divided by the sum of exp over row r, worked out with the "
    "row's maximum subtracted first. One block of 128 threads per row. Elements may be minus infinity, whose share is "
    "0; every row has a finite one.",
    function="softmax_safe",
    arguments=ROW_ARGUMENTS,
    make=data.make_softmax,
    oracle=data.softmax,
    bound=data.softmax_bound,
    rounds=True,
    cases=data.SOFTMAX_CASES,
    launch=data.a_block_per_row,
    points=3,
    topics=("D10", "D5"),
    cost=data.safe_cost,
    budgets=(
        Budget(
            "global_load_bytes",
            16 * 900,
            FULL,
            "3 x 300 elements are each loaded three times, for the maximum, the sum and the result: 10,800 bytes",
            "too_much_traffic",
        ),
        Budget(
            "global_load_sectors_per_request",
            5.5,
            FULL,
            "32 neighbours of a row are 4 or 5 sectors",
            "uncoalesced",
        ),
        data.at_work(3 * 128, FULL, "a row of 300 elements has work for all 128 threads of its block"),
    ),
    slips=slips.SAFE,
    predictions={"global_load_bytes": "global_load_bytes", "barriers": "barriers"},
    reasons={
        "global_load_bytes": lambda at: n(3, "load") * n(at["n_rows"] * at["n_cols"], "element") * n(4, "byte"),
        "barriers": lambda at: n(at.blocks, "block") * n(2, "barrier"),
    },
    guesses={"line": Guess("line", "the line of the draft that its verdict names")},
    predict_case=FULL,
    example=data.matrix(2, 4),
    why="With the maximum subtracted the largest exponent is 0, so nothing overflows and the sum is at least 1. But a "
    "row is loaded three times: the next rung needs two.",
)

SOFTMAX_ONLINE = Exercise(
    id="attention.softmax_online",
    unit=UNIT,
    title="Maximum and sum in one pass",
    task="The same softmax with a warp per row, four rows per block, and each element loaded twice: once for the "
    "maximum and the sum together, once for the result. A lane keeps the maximum of what it saw and the sum of "
    "exp(x - maximum); five shuffles merge the pairs of 32 lanes.",
    function="softmax_online",
    arguments=ROW_ARGUMENTS,
    make=data.make_softmax,
    oracle=data.softmax,
    bound=data.softmax_bound,
    rounds=True,
    cases=data.SOFTMAX_CASES,
    launch=data.a_warp_per_row,
    points=3,
    topics=("D10", "B15"),
    naive="softmax_thread_per_row",
    naive_launch=data.a_thread_per_row,
    cost=data.online_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_SOFTMAX),
    budgets=(
        Budget(
            "global_load_bytes",
            8 * 900,
            FULL,
            "3 x 300 elements are each loaded twice: for maximum and sum in one pass, and for the result",
            "reads_again",
        ),
        Budget(
            "global_load_sectors_per_request",
            5.5,
            FULL,
            "32 neighbours of a row are 4 or 5 sectors",
            "uncoalesced",
        ),
        data.at_work(3 * 32, FULL, "a row of 300 elements has work for all 32 lanes of its warp"),
    ),
    slips=slips.ONLINE,
    predictions={"global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_bytes": lambda at: n(2, "load") * n(at["n_rows"] * at["n_cols"], "element") * n(4, "byte"),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what minus infinity and infinity minus infinity print: 1e300 * 1e300 is more than any float holds",
            ("print(-1e300 * 1e300, 1e300 * 1e300 - 1e300 * 1e300)",),
            "the difference of two infinities has no value, so two pairs that saw nothing cannot be merged like others",
        )
    },
    predict_case=FULL,
    example=data.matrix(2, 4),
    why="A pair of maximum and sum can be corrected when a larger maximum turns up: the sum is multiplied by "
    "exp(old maximum - new maximum). So one pass is enough for both, and pairs merge in any order.",
)
