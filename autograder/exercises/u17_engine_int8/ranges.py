"""Contracts of unit 17 where a range is chosen from a histogram: by a share of all, and by the least error."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u17_engine_int8 import range_slips as slips
from autograder.exercises.u17_engine_int8 import range_values as data
from autograder.exercises.u17_engine_int8.values import UNIT, at_work

PERCENTILE_RANGE = Exercise(
    id="engine_int8.percentile_range",
    unit=UNIT,
    title="A share of all magnitudes",
    task="Return the range that a share of all magnitudes lies below, from their histogram: bin b counts those from "
    "b * width to (b + 1) * width. It is the lower edge of the first bin with which the share is reached.",
    function="percentile_range",
    arguments=(
        Argument("counts", "in", "int64", "(n_bins,)", "how many magnitudes each bin has"),
        Argument("width", "scalar", "float64", "", "of a bin"),
        Argument("share", "scalar", "float64", "", "of all magnitudes, above 0 and at most 1"),
        Argument("limit", "out", "float64", "", "the range: what lies beyond is cut"),
    ),
    make=data.make_percentile,
    oracle=data.percentile,
    kind="host",
    on_host=True,
    cases=data.PERCENTILE_CASES,
    points=2,
    topics=("E9",),
    slips=slips.PERCENTILE,
    example={"n_bins": 6, "share": 9000},
    guesses={
        "limit": Guess(
            "returns",
            "the range of 0.9 for counts 6, 2, 1, 1 in bins of 0.5",
            ((6, 2, 1, 1), 0.5, 0.9),
            "6, 8, 9 and 10 of 10 are below the ends of the bins: bin 2 reaches nine tenths, and it begins at 1.0",
        )
    },
    why="Counts added up from bin to bin, over their total, are the share that lies below each bin's end. One outlier "
    "more or less moves this range by a bin at most, where it moves the largest magnitude as far as it likes.",
)

TRIED = {"n_bins": 128, "n_tried": 8}

RANGE_ERRORS = Exercise(
    id="engine_int8.range_errors",
    unit=UNIT,
    title="Rounding against clipping",
    task="Work out what each range of a list loses: errors[r] is the sum over all bins of counts[b] * (stored - "
    "centre)^2, where centre is the middle of bin b and stored is what remains of it: steps of tried[r] / 127, at most "
    "127 of them. One block of 128 threads per range.",
    function="range_errors",
    arguments=(
        Argument("counts", "in", "int32", "(n_bins,)", "how many magnitudes each bin has"),
        Argument("width", "scalar", "float32", "", "of a bin"),
        Argument("tried", "in", "float32", "(n_tried,)", "ranges, all above 0"),
        Argument("errors", "out", "float32", "(n_tried,)", "what each of them loses"),
    ),
    make=data.make_ranges,
    oracle=data.range_errors,
    bound=data.errors_bound,
    cases=data.ERRORS_CASES,
    launch=data.a_block_per_range,
    points=3,
    topics=("E9", "D4"),
    free_sizes=("n_bins", "n_tried"),
    one_infinity=False,
    budgets=(
        Budget(
            "global_load_bytes",
            3 * 4 * 8 * (128 + 128),
            TRIED,
            "each block loads each of 128 counts once, and each of its threads its range",
            "too_much_traffic",
        ),
        at_work(128 * 8, TRIED, "each of 8 ranges has 128 threads, and there is a bin for every one of them"),
    ),
    slips=slips.ERRORS,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(at.blocks, "block")
            * n(4, "warp")
            * (n(1, "range") + n(at["n_bins"] // 128, "load of counts", "loads of counts"))
        ),
    },
    predict_case=TRIED,
    example={"n_bins": 4, "n_tried": 2},
    why="A small range has fine steps and cuts much, a large one has coarse steps and cuts little: the sum of squares "
    "holds both against each other. Every range has a block of its own, so they are all tried at once.",
)
