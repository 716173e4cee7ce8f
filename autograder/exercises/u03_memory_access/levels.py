"""Contracts of unit 03 where the level of memory is the lesson: registers, caches, and the roofline."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u03_memory_access import level_values as data
from autograder.exercises.u03_memory_access import slips
from autograder.exercises.u03_memory_access.values import UNIT, at_work

PICTURE = data.picture(64, 64)
PASSES = data.passes(4096, 3, 512)
LAYER = data.layer(8, 8, 10, 32, 3)

BOX_DOWN = Exercise(
    id="memory_access.box_down",
    unit=UNIT,
    title="Walk down, never along",
    task="Add to each element the ones above and below it; a row that is not there counts as 0. Each thread walks down "
    "one column of its block's strip of rows and loads each element once. Blocks along y share the rows.",
    function="box_down",
    arguments=(
        Argument("src", "in", "float32", "(n_rows, n_cols)", "the picture"),
        Argument("dst", "out", "float32", "(n_rows, n_cols)", "sums of three rows"),
    ),
    make=data.make_box,
    oracle=data.boxed,
    bound=data.box_bound,
    cases=data.BOX_CASES,
    launch=data.strips,
    launches=(((3, 1), 32), ((2, 5), 64), ((1, 40), 96)),
    points=3,
    topics=("B7", "A6", "D8"),
    naive="box_along",
    naive_launch=data.a_thread_a_row_in_strips,
    cost=data.box_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.square, library=data.BOX_LIBRARY),
    budgets=(
        Budget(
            "global_load_bytes",
            4 * 64 * (64 + 4),
            PICTURE,
            "each element is loaded once and kept in a register; two strips of 32 rows load four rows more",
            "too_much_traffic",
        ),
        Budget(
            "global_load_sectors_per_request",
            4,
            PICTURE,
            "neighbouring lanes have neighbouring columns: 4 sectors",
            "uncoalesced",
        ),
        Budget(
            "global_store_sectors_per_request",
            4,
            PICTURE,
            "neighbouring lanes have neighbouring columns: 4 sectors",
            "uncoalesced",
        ),
        at_work(128, PICTURE, "64 columns, each in two strips: 128 threads share the work"),
    ),
    slips=slips.BOXED,
    predictions={"global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_bytes": lambda at: (
            (n(at["n_rows"], "row") + n(2 * (at.grid[1] - 1), "that two strips load", "that two strips load"))
            * n(at["n_cols"], "column")
            * n(4, "byte")
        ),
    },
    predict_case=PICTURE,
    example=data.picture(4, 3),
    why="Two of the three elements are in registers already, so a step loads one. Lanes have neighbouring "
    "columns, so that load is 4 sectors per request.",
)

READ_AGAIN = Exercise(
    id="memory_access.read_again",
    unit=UNIT,
    title="An instrument: read it again",
    task="Read src `times` times from end to end, for the sake of reading. Thread t adds up src[t], src[t + threads], "
    "src[t + 2 threads] and so on, in every pass, and leaves its sum in sums[t].",
    function="read_again",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "what is read"),
        Argument("times", "scalar", "int64", "", "how often"),
        Argument("sums", "out", "float32", "(threads,)", "what each thread of the grid has added up"),
    ),
    make=data.make_reread,
    oracle=data.reread,
    bound=data.reread_bound,
    cases=data.REREAD_CASES,
    launch=data.a_thread_a_sum,
    points=2,
    topics=("A6", "C3", "A2"),
    free_sizes=("n",),
    cost=data.reread_cost,
    budgets=(
        Budget(
            "global_load_bytes",
            3 * 4 * 4096,
            PASSES,
            "an instrument that says three passes reads three times",
            "not_read_again",
            floor=True,
        ),
        Budget("global_load_bytes", 3 * 4 * 4096, PASSES, "three passes read three times, no more", "too_much_traffic"),
        Budget("global_load_sectors_per_request", 4, PASSES, "32 lanes read 32 neighbours, 4 sectors", "uncoalesced"),
        at_work(512, PASSES, "all 512 threads read"),
    ),
    slips=slips.REREAD,
    predictions={"global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_bytes": lambda at: n(at["times"], "pass", "passes") * n(at["n"], "element") * n(4, "byte"),
    },
    predict_case=PASSES,
    example=data.passes(8, 2, 4),
    why="Each pass reads every element, 32 neighbours per request, so the rate is that of the memory level and "
    "not of the pattern. The sum is stored, so no compiler may leave the loads out.",
)

CONVOLVE = Exercise(
    id="memory_access.convolve",
    unit=UNIT,
    title="Flops for each byte",
    task="A layer of convolutions: dst[o, r, c] is the sum of weights[o, i, a, b] * src[i, r + a, c + b] over all i, a "
    "and b. One thread per element of dst: x of the grid along columns, y down rows, z through the channels of dst.",
    function="convolve",
    arguments=(
        Argument("src", "in", "float32", "(n_in, n_rows + k - 1, n_cols + k - 1)", "the channels that come in"),
        Argument("weights", "in", "float32", "(n_out, n_in, k, k)", "k x k weights for each pair of channels"),
        Argument("dst", "out", "float32", "(n_out, n_rows, n_cols)", "the channels that go out"),
    ),
    make=data.make_convolve,
    oracle=data.convolved,
    bound=data.convolve_bound,
    cases=data.CONVOLVE_CASES,
    launch=data.a_plane_per_channel,
    points=3,
    topics=("C3", "D9", "B7"),
    cost=data.convolve_cost,
    budgets=(
        Budget(
            "float32_flops",
            430_080,
            LAYER,
            "2,560 elements of 72 products and as many sums, and at most one more for each row of weights",
            "too_much_arithmetic",
        ),
        Budget(
            "global_load_sectors_per_request",
            3.2,
            LAYER,
            "a weight is one element for the whole warp, 1 sector; 32 neighbours of a row are 4 or 5",
            "uncoalesced",
        ),
        at_work(2560, LAYER, "each of 8 x 10 x 32 elements has a thread of its own"),
    ),
    slips=slips.CONVOLVED,
    predictions={"float32_flops": "float32_flops", "flops_per_compulsory_byte": "flops_per_compulsory_byte"},
    reasons={
        "float32_flops": lambda at: (
            n(at["n_out"] * at["n_rows"] * at["n_cols"], "element")
            * n(at["n_in"] * at["k"] ** 2, "product")
            * n(2, "flop")
        ),
    },
    predict_case=LAYER,
    example=data.layer(1, 1, 2, 3, 2),
    why="Lanes have neighbouring columns: a weight is one element for the whole warp, and 32 elements of a row "
    "are 4 or 5 sectors. A larger k brings k x k times the flops for nearly the same bytes.",
)
