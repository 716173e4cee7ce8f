"""Contracts of unit 02 that ask which element is mine, on one, two and three axes."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u02_indexing import slips
from autograder.exercises.u02_indexing import values as data
from autograder.exercises.u02_indexing.values import UNIT
from simt.hardware import WARP_SIZE

INVERT = Exercise(
    id="indexing.invert",
    unit=UNIT,
    title="Two axes, two guards",
    task="Write the negative of an image: dst[row, col] = 255 - src[row, col]. "
    "Blocks of 32 x 8 threads cover the picture, columns along x and rows along y.",
    function="invert",
    why="x runs along a row, so the lanes of a warp touch neighbouring bytes of one row. Width and height are "
    "asked about one by one, since a spare thread may lie outside along either axis.",
    arguments=(
        Argument("src", "in", "uint8", "(n_rows, n_cols)", "the picture"),
        Argument("dst", "out", "uint8", "(n_rows, n_cols)", "its negative"),
    ),
    make=data.make_image,
    oracle=data.invert_oracle,
    launch=data.one_thread_a_pixel,
    cases=data.cases_of_shapes(general=False),
    points=2,
    topics=("A2", "D1"),
    cost=data.image_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            at_most=2,
            sizes={"n_rows": 8, "n_cols": 32},
            why="A warp that walks along a row of bytes reads 32 neighbours, which are one sector; "
            "down a column it reads a sector for every byte",
            misconception="uncoalesced",
        ),
    ),
    slips=slips.INVERT,
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case={"n_rows": 8, "n_cols": 32},
)

PAD = Exercise(
    id="indexing.pad",
    unit=UNIT,
    title="Two shapes, two guards",
    task="Put a frame of zeros, margin elements wide, round a picture. "
    "One thread owns each element of dst, and reads src only where src has one.",
    function="pad",
    why="Every cell of the result has one thread, which asks where its value comes from; nobody else can "
    "write it. All four borders are the same question, asked in the coordinates of the source.",
    arguments=(
        Argument("src", "in", "float32", "(n_rows, n_cols)", "the picture"),
        Argument("margin", "scalar", "int64", "", "width of the frame, 0 or more"),
        Argument("dst", "out", "float32", "(n_rows + 2 margin, n_cols + 2 margin)", "the framed picture"),
    ),
    make=data.make_pad,
    oracle=data.pad_oracle,
    launch=data.one_thread_a_pixel,
    cases=data.pad_cases(),
    points=2,
    topics=("A2", "D1"),
    cost=data.pad_cost,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(at["n_rows"], "row of src", "rows of src")
            * n(ceil_div(at["n_cols"] + 2 * at["margin"], WARP_SIZE), "warp with some of it", "warps with some of it")
        )
    },
    predict_case={"n_rows": 8, "n_cols": 32, "margin": 1},
    slips=slips.PAD,
)

ROLL = Exercise(
    id="indexing.roll",
    unit=UNIT,
    title="Round the end, on purpose",
    task="Move every element shift places to the right, and those that fall off the end back in at the front. "
    "shift may be negative, zero, or more than n.",
    function="roll",
    why="The remainder of a division by n lies between 0 and n - 1, also for negative numbers, so no shift "
    "leads outside. Each element is read once and written once, whatever the shift.",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "the values"),
        Argument("shift", "scalar", "int64", "", "places to the right; negative: to the left"),
        Argument("dst", "out", "float32", "(n,)", "what np.roll(src, shift) gives"),
    ),
    make=data.make_roll,
    oracle=data.roll_oracle,
    launch=data.one_thread_an_element,
    cases=data.roll_cases(),
    points=2,
    topics=("A2", "D1"),
    cost=data.roll_cost,
    slips=slips.ROLL,
    guesses={
        "prints": Guess(
            "prints",
            "print((2 - 5) % 8, (2 - 5) // 8)",
            ("print((2 - 5) % 8, (2 - 5) // 8)",),
            "in a kernel, too, the remainder has the sign of the divisor, and // rounds down",
        )
    },
)

FADE = Exercise(
    id="indexing.fade",
    unit=UNIT,
    title="Three axes, and one number per slice",
    task="Multiply every slice of a volume by its own weight: out[z, y, x] = volume[z, y, x] * weight[z]. "
    "Blocks of 32 x 4 x 2 threads cover it, the last axis along x.",
    function="fade",
    why="x, the fastest of the three axes in the grid, indexes the last axis of the array, which is "
    "contiguous. So a warp's loads of the volume fall into neighbouring sectors, and its weight is a "
    "broadcast.",
    arguments=(
        Argument("volume", "in", "float32", "(n_z, n_y, n_x)", "the slices"),
        Argument("weight", "in", "float32", "(n_z,)", "one factor a slice"),
        Argument("out", "out", "float32", "(n_z, n_y, n_x)", "the weighted slices"),
    ),
    make=data.make_fade,
    oracle=data.fade_oracle,
    bound=data.fade_bound,
    launch=data.fade_launch,
    cases=data.fade_cases(),
    points=2,
    topics=("A2", "D1"),
    cost=data.fade_cost,
    budgets=(
        Budget(
            "global_store_sectors_per_request",
            at_most=4,
            sizes={"n_z": 32, "n_y": 4, "n_x": 32},
            why="32 neighbours along x are 4 sectors; along another axis each lane needs a sector of its own",
            misconception="uncoalesced",
        ),
    ),
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case={"n_z": 32, "n_y": 4, "n_x": 32},
    slips=slips.FADE,
)
