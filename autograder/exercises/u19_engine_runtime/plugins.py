"""Contract of unit 19's soft_threshold: the kernel of an operator that the engine lacks."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u19_engine_runtime import slips
from autograder.exercises.u19_engine_runtime import values as data
from autograder.exercises.u19_engine_runtime.values import PICTURE, UNIT

SOFT_THRESHOLD = Exercise(
    id="engine_runtime.soft_threshold",
    unit=UNIT,
    title="An operator that the engine lacks",
    task="Move every element towards 0 by the threshold of its channel: x - t above t, x + t below -t, 0 between. Row "
    "r of x is channel r % n_channels. One thread per element: x of the grid along the pixels, y down the rows.",
    function="soft_threshold",
    arguments=data.THRESHOLD_ARGUMENTS,
    make=data.make_threshold,
    oracle=data.softened,
    bound=data.threshold_bound,
    cases=data.THRESHOLD_CASES,
    launch=data.a_thread_per_pixel,
    points=2,
    topics=("E14", "E3"),
    free_sizes=("n_images", "n_channels", "n_pixels"),
    cost=data.threshold_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            3.4,
            PICTURE,
            "32 neighbouring elements are 4 or 5 sectors, and their one threshold is 1",
            "uncoalesced",
        ),
    ),
    slips=slips.THRESHOLD,
    predictions={
        "global_load_requests": "global_load_requests",
        "global_store_bytes": "global_store_bytes",
    },
    reasons={
        "global_load_requests": lambda at: (
            n(at["n_images"] * at["n_channels"], "row") * n(-(-at["n_pixels"] // 32), "warp") * n(2, "array")
        ),
        "global_store_bytes": lambda at: (
            n(at["n_images"] * at["n_channels"] * at["n_pixels"], "element") * n(4, "byte")
        ),
    },
    guesses={
        "index": Guess(
            "index",
            "the place in dst, counted row by row, that thread 35 of block 1 writes",
            (1, 35, "dst"),
            "thread 35 is row 1 of its block, lane 3; block 1 begins with pixel 32: 1 · 70 + 35",
        ),
        "line": Guess(
            "line",
            "the line of the draft that its verdict names",
            why="row counts images times channels, and there are only as many thresholds as channels",
        ),
    },
    predict_case=PICTURE,
    example=data.picture(1, 2, 4),
    why="max(x - t, 0) is what lies above, min(x + t, 0) what lies below, and at most one of them is not 0. So there "
    "is no branch, and the threshold is one sector for the whole warp.",
)
