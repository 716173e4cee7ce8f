"""Contracts of unit 02 that ask where a thread goes next, and who its neighbour is."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Case, Exercise, Guess, Library, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u02_indexing import slips
from autograder.exercises.u02_indexing import values as data
from autograder.exercises.u02_indexing.values import UNIT
from simt.hardware import WARP_SIZE

SAXPY = Exercise(
    id="indexing.saxpy",
    unit=UNIT,
    title="Any length with any grid",
    task="Write y = alpha x + y for any length, whatever the grid: each thread starts at its own index and goes on "
    "by the number of threads in the whole grid, until the array ends.",
    function="saxpy",
    why="Every thread moves by the number of threads in the grid, so any grid covers any length, and each "
    "element has one thread. Neighbouring lanes stay neighbours in every iteration.",
    arguments=(
        Argument("alpha", "scalar", "float32", "", "the factor"),
        Argument("x", "in", "float32", "(n,)", "what is scaled"),
        Argument("y", "inout", "float32", "(n,)", "what it is added to, and the result"),
    ),
    make=data.make_saxpy,
    oracle=data.saxpy_oracle,
    bound=data.saxpy_bound,
    launch=data.few_blocks,
    launches=((1, 96), (7, 32), (2, 1024), (1100, 256)),
    cases=(
        *(Case({"n": n}) for n in (0, 1, 31, 33, 1023, 1024, 1025, 8192, 7919)),
        Case({"n": 1025}, "general"),
        Case({"n": 7919}, "general"),
        Case({"n": 1025}, "nonfinite"),
        Case({"n": 262_147}, trace=False),
    ),
    points=3,
    topics=("A2", "D1"),
    cost=data.saxpy_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            at_most=5,
            sizes={"n": 7919},
            why="In every iteration of the loop 32 lanes should read 32 neighbours, 4 sectors; "
            "a stretch of its own for each thread takes one sector per lane",
            misconception="uncoalesced",
        ),
    ),
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case={"n": 8192},
    slips=slips.SAXPY,
)

SPLIT_CHANNELS = Exercise(
    id="indexing.split_channels",
    unit=UNIT,
    title="Whose neighbour is next?",
    task="Turn interleaved pixels into three planes: planes[c, i] = pixels[i, c]. "
    "One thread owns one value; number the threads so that neighbours write neighbours.",
    function="split_channels",
    why="Each thread moves one value, and neighbouring threads write neighbours in one plane. Their loads lie "
    "3 elements apart, but the threads of the three planes together use up every sector that is brought.",
    arguments=(
        Argument("pixels", "in", "float32", "(n, 3)", "red, green, blue of one pixel after the other"),
        Argument("planes", "out", "float32", "(3, n)", "all red, then all green, then all blue"),
    ),
    make=data.make_channels,
    oracle=data.channels_oracle,
    launch=data.one_thread_a_value,
    cases=data.channels_cases(),
    points=2,
    topics=("B7", "A2"),
    cost=data.channels_cost,
    budgets=(
        Budget(
            "global_store_sectors_per_request",
            at_most=5.5,
            sizes={"n": 1023},
            why="Stores to planes should go to neighbours, about 4 sectors per request; "
            "threads that own one pixel after the other's channels scatter them over three planes",
            misconception="uncoalesced",
        ),
    ),
    slips=slips.CHANNELS,
    predictions={
        "global_load_sectors_per_request": "global_load_sectors_per_request",
        "global_store_sectors_per_request": "global_store_sectors_per_request",
    },
    predict_case={"n": 1024},
)

BROADCAST_ADD = Exercise(
    id="indexing.broadcast_add",
    unit=UNIT,
    title="Load once, use down the column",
    task="Add a row to a column: dst[i, j] = row[j] + col[i]. "
    "There are fewer rows of blocks than rows: each thread keeps its column and walks down, in steps of the grid.",
    function="broadcast_add",
    why="The row's element stays in a register while the thread walks down its column, so it is asked for "
    "once. A warp reads one element of col in an iteration: one address, one sector for 32 lanes.",
    arguments=(
        Argument("row", "in", "float32", "(n_cols,)", "one number per column"),
        Argument("col", "in", "float32", "(n_rows,)", "one number per row"),
        Argument("dst", "out", "float32", "(n_rows, n_cols)", "every sum"),
    ),
    make=data.make_broadcast,
    oracle=data.broadcast_oracle,
    bound=data.broadcast_bound,
    launch=data.strips,
    launches=(((16, 3), (32, 4)), ((16, 1), (32, 8)), ((16, 9), (32, 1))),
    cases=data.cases_of_shapes(),
    points=3,
    topics=("D1", "A2", "B7"),
    naive="broadcast_add_naive",
    naive_launch=data.one_thread_a_pixel,
    cost=data.broadcast_cost,
    speed=SpeedPolicy(
        points=3,
        sizes_for=data.square_sizes,
        library=Library("torch.add(broadcast)", lambda torch, v: torch.add(v["row"], v["col"][:, None], out=v["dst"])),
    ),
    budgets=(
        Budget(
            "global_load_requests",
            at_most=195,
            sizes={"n_rows": 61, "n_cols": 67},
            why="A thread that keeps row[j] in a register asks for it once, not once per row",
            misconception="too_much_traffic",
        ),
        Budget(
            "global_store_sectors_per_request",
            at_most=5,
            sizes={"n_rows": 61, "n_cols": 67},
            why="32 neighbours along a row are 4 or 5 sectors; down a column every lane needs a sector of its own",
            misconception="uncoalesced",
        ),
    ),
    slips=slips.BROADCAST,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(ceil_div(at["n_cols"], WARP_SIZE), "warp")
            * (
                n(at["n_rows"], "element of col", "elements of col")
                + n(min(at.grid[1], at["n_rows"]), "of row", "of row")
            )
        ),
    },
    guesses={
        "faster": Guess(
            "faster",
            "your walk, or the library's torch.add?",
            ("mine", "library"),
            "Both write the same bytes; the row's element is asked for once where a thread walks down its column.",
        )
    },
    predict_case={"n_rows": 61, "n_cols": 67},
)
