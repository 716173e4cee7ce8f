"""Unit 02, indexing: one contract a rung. Inputs and oracles: `values_indexing`; hints: `hints`."""

from __future__ import annotations

from autograder.backend import cuda
from autograder.contract import Argument, Budget, Case, Exercise, SpeedPolicy
from autograder.exercises import slips_indexing as slips
from autograder.exercises import values_indexing as data
from autograder.exercises.hints import u02_indexing as hints

UNIT = "02_indexing"


@cuda.jit
def broadcast_add_naive(row, col, dst):
    """dst[i, j] = row[j] + col[i], one element a thread. dst: (n_rows, n_cols) float32."""
    j, i = cuda.grid(2)
    if i < dst.shape[0] and j < dst.shape[1]:
        dst[i, j] = row[j] + col[i]


INVERT = Exercise(
    id="indexing.invert",
    unit=UNIT,
    title="Two axes, two guards",
    task="Write the negative of an image: dst[row, col] = 255 - src[row, col]. "
    "Blocks of 32 x 8 threads cover the picture, columns along x and rows along y.",
    function="invert",
    arguments=(
        Argument("src", "in", "uint8", "(n_rows, n_cols)", "the picture"),
        Argument("dst", "out", "uint8", "(n_rows, n_cols)", "its negative"),
    ),
    make=data.make_image,
    oracle=data.invert_oracle,
    launch=data.one_thread_a_pixel,
    cases=data.cases_of_shapes(general=False),
    points=2,
    hints=hints.INVERT,
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
    hints=hints.PAD,
    topics=("A2", "D1"),
    cost=data.pad_cost,
    slips=slips.PAD,
)

ROLL = Exercise(
    id="indexing.roll",
    unit=UNIT,
    title="Round the end, on purpose",
    task="Move every element shift places to the right, and those that fall off the end back in at the front. "
    "shift may be negative, zero, or more than n.",
    function="roll",
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
    hints=hints.ROLL,
    topics=("A2", "D1"),
    cost=data.roll_cost,
    slips=slips.ROLL,
)

FADE = Exercise(
    id="indexing.fade",
    unit=UNIT,
    title="Three axes, and one number a slice",
    task="Multiply every slice of a volume by its own weight: out[z, y, x] = volume[z, y, x] * weight[z]. "
    "Blocks of 32 x 4 x 2 threads cover it, the last axis along x.",
    function="fade",
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
    hints=hints.FADE,
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

SAXPY = Exercise(
    id="indexing.saxpy",
    unit=UNIT,
    title="Any length with any grid",
    task="Write y = alpha x + y for any length, whatever the grid: each thread starts at its own index and goes on "
    "by the number of threads in the whole grid, until the array ends.",
    function="saxpy",
    arguments=(
        Argument("alpha", "scalar", "float32", "", "the factor"),
        Argument("x", "in", "float32", "(n,)", "what is scaled"),
        Argument("y", "inout", "float32", "(n,)", "what it is added to, and the result"),
    ),
    make=data.make_saxpy,
    oracle=data.saxpy_oracle,
    bound=data.saxpy_bound,
    launch=data.few_blocks,
    cases=(
        *(Case({"n": n}) for n in (0, 1, 31, 33, 1023, 1024, 1025, 8192, 7919)),
        Case({"n": 1025}, "general"),
        Case({"n": 7919}, "general"),
        Case({"n": 262_147}, trace=False),
    ),
    points=3,
    hints=hints.SAXPY,
    topics=("A2", "D1"),
    cost=data.saxpy_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            at_most=5,
            sizes={"n": 7919},
            why="In every turn of the loop 32 lanes should read 32 neighbours, 4 sectors; "
            "a stretch of its own for each thread takes a sector a lane",
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
    arguments=(
        Argument("pixels", "in", "float32", "(n, 3)", "red, green, blue of one pixel after the other"),
        Argument("planes", "out", "float32", "(3, n)", "all red, then all green, then all blue"),
    ),
    make=data.make_channels,
    oracle=data.channels_oracle,
    launch=data.one_thread_a_value,
    cases=data.channels_cases(),
    points=2,
    hints=hints.SPLIT_CHANNELS,
    topics=("B7", "A2"),
    cost=data.channels_cost,
    budgets=(
        Budget(
            "global_store_sectors_per_request",
            at_most=5.5,
            sizes={"n": 1023},
            why="Stores to planes should go to neighbours, about 4 sectors a request; "
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
    arguments=(
        Argument("row", "in", "float32", "(n_cols,)", "one number a column"),
        Argument("col", "in", "float32", "(n_rows,)", "one number a row"),
        Argument("dst", "out", "float32", "(n_rows, n_cols)", "every sum"),
    ),
    make=data.make_broadcast,
    oracle=data.broadcast_oracle,
    bound=data.broadcast_bound,
    launch=data.strips,
    cases=data.cases_of_shapes(),
    points=3,
    hints=hints.BROADCAST_ADD,
    topics=("D1", "A2", "B7"),
    naive=broadcast_add_naive,
    naive_launch=data.one_thread_a_pixel,
    cost=data.broadcast_cost,
    speed=SpeedPolicy(points=3, sizes_for=data.square_sizes, library="torch.add(broadcast)"),
    budgets=(
        Budget(
            "global_load_requests",
            at_most=195,
            sizes={"n_rows": 61, "n_cols": 67},
            why="A thread that keeps row[j] in a register asks for it once, not once a row",
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
    predict_case={"n_rows": 61, "n_cols": 67},
)

EXERCISES = (INVERT, PAD, ROLL, FADE, SAXPY, SPLIT_CHANNELS, BROADCAST_ADD)
