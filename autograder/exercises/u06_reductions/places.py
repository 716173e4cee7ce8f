"""Contracts of unit 06 for argmax and for sums along an axis."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Case, Exercise, Library, Slip, SpeedPolicy
from autograder.exercises.u06_reductions import slips
from autograder.exercises.u06_reductions import values as data
from autograder.exercises.u06_reductions.values import GRID, LARGE, THREADS, UNIT, WARP


def argmax_cases():
    """Ties in plenty, NaN and infinities, and warps that visit nothing."""
    exact = [Case({"n": n, "blocks": 3}) for n in (1025, 1, 31, 32, 33, 1023, 3001, 8192)]
    exact += [Case({"n": n, "blocks": blocks}, last=True) for n, blocks in ((3001, 1), (300, 5), (5000, 7))]
    others = [Case({"n": n, "blocks": 3}, kind) for n, kind in ((3001, "general"), (3001, "special"), (33, "special"))]
    return (
        *exact,
        *others,
        Case({"n": LARGE, "blocks": 3}, trace=False),
        Case({"n": LARGE, "blocks": 3}, "special", trace=False),
    )


ARGMAX = Exercise(
    id="reductions.argmax",
    unit=UNIT,
    title="Carry the place along",
    task="Each warp finds the largest element that its lanes visit and its index; of equal ones the "
    "lowest index, and NaN counts as largest. A warp that visits nothing writes -inf and n.",
    function="argmax",
    why="Value and place travel together, so whoever wins brings its place along. One rule for ties, the "
    "lower index, makes the result the same in every order of threads.",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "where to look"),
        Argument("value", "out", "float32", "(8 * blocks,)", "the largest element that each warp visits"),
        Argument("index", "out", "int32", "(8 * blocks,)", "where it is in src"),
    ),
    make=data.make_candidates,
    oracle=data.first_largest,
    cases=argmax_cases(),
    launch=lambda values: (values["value"].size * WARP // THREADS, THREADS),
    points=3,
    topics=("D4", "B15"),
    naive="argmax_by_one_lane",
    cost=data.argmax_cost,
    speed=SpeedPolicy(
        points=1,
        sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": GRID},
        library=Library("torch.argmax", lambda torch, v: torch.argmax(v["src"])),
    ),
    budgets=(
        Budget(
            "global_load_requests",
            257,
            {"n": 8192, "blocks": 3},
            "each element is loaded once, 32 to a request: find the value and its place in one pass over src",
            "too_much_traffic",
        ),
    ),
    slips=(
        Slip(
            "tie_order",
            "of equal elements the one with the highest index was kept",
            slips.last_largest,
        ),
        Slip(
            "tie_order",
            "of equal elements the one in the lower lane was kept, whatever its index",
            slips.lanes_break_ties,
        ),
        Slip("tie_order", "of several NaN the one with the highest index was kept", slips.last_nan),
        Slip("local_index", "index holds places in the block, not in src", slips.thread_for_index),
        Slip(
            "nan_ignored",
            "NaN was passed over: a comparison with NaN is false whichever way it is written",
            slips.nan_ignored,
        ),
        Slip(
            "starts_at_zero",
            "nothing below 0 was ever found: the search started at 0",
            slips.zero_start,
        ),
        Slip(
            "nan_overtaken",
            "a NaN was found and lost again: once best is NaN, `not x <= best` is true for every later element",
            slips.nan_overtaken,
        ),
        Slip(
            "minus_infinity",
            "elements of -inf were never found: nothing is larger than the start, and they equal it",
            slips.minus_infinity_missed,
        ),
    ),
    predictions={"global_load_requests": "global_load_requests"},
    predict_case={"n": 8192, "blocks": 3},
)

SHAPES = ((64, 96), (1, 1), (1, 33), (33, 1), (31, 32), (32, 33), (3, 1025), (1025, 3), (97, 97))


def shaped(n_rows, n_cols, kind="exact", trace=True):
    """One case of the axis sums."""
    return Case({"n_rows": n_rows, "n_cols": n_cols}, kind, trace)


AXIS_SUMS = Exercise(
    id="reductions.axis_sums",
    unit=UNIT,
    title="Rows or columns: who reads neighbours?",
    task="Write a host function that fills row_sums and col_sums of a matrix on the device, with kernels "
    "and launches of your own. Both ways, the lanes of a warp must read neighbours: 4 sectors per "
    "request.",
    function="axis_sums",
    why="Along rows the lanes of a warp share a row, along columns each lane keeps a column: both read "
    "neighbours. Which index is contiguous decides who should add what, not which sum is asked for.",
    arguments=(
        Argument("src", "in", "float32", "(n_rows, n_cols)", "a matrix in C order"),
        Argument("row_sums", "out", "float32", "(n_rows,)", "the sum of each row"),
        Argument("col_sums", "out", "float32", "(n_cols,)", "the sum of each column"),
    ),
    make=data.make_matrix,
    oracle=data.axis_totals,
    bound=data.axis_bound,
    cases=(
        *(shaped(n_rows, n_cols) for n_rows, n_cols in SHAPES),
        shaped(97, 97, "general"),
        shaped(3, 1025, "special"),
        shaped(512, 512, trace=False),
        shaped(300, 1001, "nonfinite", trace=False),
        shaped(2, 70_001, trace=False),
    ),
    kind="host",
    arrays="device",
    points=4,
    topics=("D5", "B7", "B15"),
    naive="axis_sums_by_thread",
    cost=data.axis_sums_cost,
    speed=SpeedPolicy(
        points=1,
        sizes_for=lambda n_bytes: {"n_rows": max(1, n_bytes // 4 // 4096), "n_cols": 4096},
        library=Library("torch.sum(dim)", lambda torch, v: (torch.sum(v["src"], dim=1), torch.sum(v["src"], dim=0))),
    ),
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            4,
            {"n_rows": 64, "n_cols": 96},
            "32 lanes that read 32 neighbouring floats touch 4 sectors; 32 lanes in 32 different rows touch 32",
            "uncoalesced",
        ),
        Budget(
            "atomic_operations",
            64 * 96 // 4,
            {"n_rows": 64, "n_cols": 96},
            "an atomic for every element is one long queue per column: add a share of the rows in a register first, "
            "and at most one atomic for every four elements is left",
            "too_many_atomics",
        ),
        Budget(
            "busiest_thread_accesses",
            64,
            {"n_rows": 1025, "n_cols": 3},
            "three columns are one strip: unless several blocks share its rows, one block walks through all of them",
            "few_threads",
        ),
    ),
    slips=(
        Slip("lanes_alone", "row_sums has what lane 0 alone found: every 32nd element", slips.lanes_of_rows_alone),
        Slip(
            "rows_not_shared",
            "col_sums has every row several times: each of the blocks of a column added all rows",
            slips.rows_shared_by_nobody,
        ),
    ),
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case={"n_rows": 64, "n_cols": 96},
    uses=("reductions.warp_sum",),
)
