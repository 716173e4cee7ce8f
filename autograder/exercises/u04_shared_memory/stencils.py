"""Contracts of unit 04 whose threads need each other's neighbours: a sum of seven, and two blurs."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Case, Exercise, Slip, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u04_shared_memory import slips
from autograder.exercises.u04_shared_memory import values as data
from autograder.exercises.u04_shared_memory.values import LARGE, UNIT

PICTURE = {"n_rows": 16, "n_cols": 96}  # six whole blocks
PICTURES = ((1, 1), (1, 33), (33, 1), (7, 31), (8, 32), (31, 67), (17, 101))  # rows, columns
BLOCKS = 6  # of PICTURE
PIXELS = data.SPAN_X * data.SPAN_Y  # that a block needs
ONE_BLOCK_ROW_SUMS = 12 * 5  # requests: 12 rows of the tile, five loads each
ONE_BLOCK_COLUMN_SUMS = 8 * 5  # requests: 8 rows of the block, five loads each

STENCIL_1D = Exercise(
    id="shared_memory.stencil_1d",
    unit=UNIT,
    title="The neighbours of the block",
    task="Write dst[i], the sum of the seven elements src[i - 3] to src[i + 3]; beyond an end, the end's own element "
    "counts again. Each block loads what it needs once, halo included, and n is at least 1.",
    function="stencil_1d",
    why="Each element is loaded once into the tile and read up to seven times from there. The halo belongs to "
    "the tile: what neighbours of the block own must be loaded by somebody before the barrier.",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "the elements"),
        Argument("dst", "out", "float32", "(n,)", "each with its three neighbours on either side, added up"),
    ),
    make=data.make_stencil,
    oracle=data.stencil_oracle,
    bound=data.stencil_bound,
    launch=data.one_thread_each,
    cases=(
        *(Case({"n": n}) for n in (1025, 1, 2, 7, 31, 32, 33, 255, 256, 257, 1999)),
        Case({"n": 1999}, "general"),
        Case({"n": 777}, "nonfinite"),
        Case({"n": 262_147}, trace=False),
        Case({"n": 262_147}, "general", trace=False),
    ),
    points=2,
    topics=("D8", "A7", "A9"),
    cost=data.stencil_cost,
    budgets=(
        Budget(
            "global_load_bytes",
            4 * data.SPAN * 5,
            {"n": 1025},
            "A block needs 262 elements, 1,048 bytes; without a tile each element is asked for seven times.",
            "too_much_traffic",
        ),
    ),
    slips=(
        Slip(
            "border",
            "Beyond the two ends, 0 was added; the end's own element should count again.",
            slips.zeros_beyond_the_ends,
        ),
        Slip(
            "border",
            "Beyond the two ends, the array began again at its other end; the end's own element should count again.",
            slips.beyond_the_ends("wrap"),
        ),
        Slip(
            "border",
            "Beyond the two ends, the elements inside were mirrored; the end's own element should count again.",
            slips.beyond_the_ends("reflect"),
        ),
        Slip(
            "missing_halo",
            "The sums stop at the edges of a block: its neighbours' elements were never loaded.",
            slips.ends_of_the_block_repeated,
        ),
        Slip("off_by_one", "The neighbour at +3 is missing from every sum.", slips.last_neighbour_missing),
    ),
    predictions={"global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at.blocks, "block")
            * (n(at.threads, "element") + n(data.SPAN - at.threads, "of the halo", "of the halo"))
            * n(4, "byte")
        ),
    },
    predict_case={"n": 1025},
)

PICTURE_ARGUMENTS = (
    Argument("src", "in", "float32", "(n_rows, n_cols)", "the picture"),
    Argument("dst", "out", "float32", "(n_rows, n_cols)", "the blurred picture"),
)
PICTURE_CASES = (
    Case(PICTURE),
    *(Case({"n_rows": r, "n_cols": c}) for r, c in PICTURES),
    Case({"n_rows": 17, "n_cols": 101}, "general"),
    Case({"n_rows": 17, "n_cols": 70}, "nonfinite"),
    Case(LARGE, trace=False),
    Case(LARGE, "general", trace=False),
)
BLUR_BUDGETS = (
    Budget(
        "global_load_bytes",
        4 * PIXELS * BLOCKS,
        PICTURE,
        "A block needs 12 x 36 pixels, 1,728 bytes; without a tile each pixel is asked for 25 times.",
        "too_much_traffic",
    ),
    Budget(
        "global_load_sectors_per_request",
        8,
        PICTURE,
        "Lanes that fill a row of the tile read neighbours, a few sectors; down a column each lane has its own.",
        "uncoalesced",
    ),
    *(
        Budget(
            f"shared_{kind}_bank_conflicts",
            0,
            PICTURE,
            f"{kind.capitalize()}s: lanes on neighbouring words of a tile row use 32 banks, and nobody waits.",
            "bank_conflicts",
        )
        for kind in ("load", "store")
    ),
)
HALO_SLIPS = (
    Slip(
        "missing_halo",
        "Pixels at the edges of a block are wrong: the neighbours' pixels were never loaded.",
        slips.edges_of_the_block_repeated,
    ),
    Slip(
        "missing_halo",
        "The tile begins at the block's own first column: it has to begin two columns further left, with the halo.",
        slips.moved_along(0, data.REACH),
    ),
    Slip(
        "missing_halo",
        "The tile begins at the block's own first row: it has to begin two rows further up, with the halo.",
        slips.moved_along(data.REACH, 0),
    ),
)
EDGE_SLIPS = (
    Slip(
        "border",
        "Beyond the edges of the picture, 0 was used; the edge pixel itself should count again.",
        slips.zeros_beyond_the_edges,
    ),
    Slip(
        "border",
        "Beyond the edges of the picture, it began again at the other side; the edge pixel itself should count again.",
        slips.beyond_the_edges("wrap"),
    ),
    Slip(
        "border",
        "Beyond the edges of the picture, the pixels inside were mirrored; the edge pixel itself should count again.",
        slips.beyond_the_edges("reflect"),
    ),
    Slip("one_pass", "Only the rows were blurred: the pass down the columns is missing.", slips.along_one_axis(1)),
    Slip("one_pass", "Only the columns were blurred: the pass along the rows is missing.", slips.along_one_axis(0)),
)
BLUR_SLIPS = (*HALO_SLIPS, *EDGE_SLIPS)

BLUR_5X5 = Exercise(
    id="shared_memory.blur_5x5",
    unit=UNIT,
    title="A halo on four sides, weights for everybody",
    task="Blur a picture: dst[row, col] is the sum of the 5 x 5 pixels around it, times GAUSS; beyond an edge, the "
    "nearest pixel inside counts again. The pixels come from a tile, the weights from constant memory.",
    function="blur_5x5",
    why="The tile with its halo holds every pixel that the block needs, so global memory is asked once per "
    "cell and not 25 times. Weights are the same for all lanes: a broadcast from constant memory costs "
    "one access per warp.",
    arguments=PICTURE_ARGUMENTS,
    make=data.make_blur,
    oracle=data.blur_oracle,
    bound=data.blur_bound,
    launch=data.blur_launch,
    cases=PICTURE_CASES,
    points=3,
    topics=("D8", "B12", "A7"),
    naive="blur_naive",
    cost=data.blur_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.square_sizes),
    budgets=BLUR_BUDGETS,
    slips=BLUR_SLIPS,
    predictions={"global_load_bytes": "global_load_bytes", "shared_load_requests": "shared_load_requests"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at.blocks, "block") * n(data.SPAN_Y, "row") * n(data.SPAN_X, "column") * n(4, "byte")
        ),
        "shared_load_requests": lambda at: (
            n(at.warps, "warp") * n((2 * data.REACH + 1) ** 2, "pixel of the tile", "pixels of the tile")
        ),
    },
    predict_case=PICTURE,
)

BLUR_SEPARABLE = Exercise(
    id="shared_memory.blur_separable",
    unit=UNIT,
    title="Two passes of five",
    task="The same blur in two passes inside the block: five weights along the rows of the tile, into a second tile, "
    "then five down its columns.",
    function="blur_separable",
    why="Five sums along rows, then five along columns, replace 25: the weights are a product of the two. The "
    "barrier between the two passes makes the row sums of other threads visible.",
    arguments=PICTURE_ARGUMENTS,
    make=data.make_blur,
    oracle=data.blur_oracle,
    bound=data.blur_bound,
    launch=data.blur_launch,
    cases=PICTURE_CASES,
    points=3,
    topics=("D8", "B12", "A9"),
    naive="blur_naive",
    cost=data.separable_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.square_sizes),
    budgets=(
        *BLUR_BUDGETS,
        Budget(
            "shared_load_requests",
            1.2 * (ONE_BLOCK_ROW_SUMS + ONE_BLOCK_COLUMN_SUMS) * BLOCKS,
            PICTURE,
            "Five loads for each row sum and five for each pixel are 100 requests per block; 25 per pixel are 200.",
            "too_much_traffic",
        ),
    ),
    slips=BLUR_SLIPS,
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.blocks, "block")
            * (
                n(data.SPAN_Y, "row of sums", "rows of sums") * n(5, "load")
                + n(at.block[1], "row of pixels", "rows of pixels") * n(5, "load")
            )
        ),
    },
    predict_case=PICTURE,
)
