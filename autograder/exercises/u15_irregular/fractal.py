"""Contracts of unit 15 for pictures of the Mandelbrot set: warps over compact pieces, and blocks that draw tiles."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u15_irregular import fractal_slips as slips
from autograder.exercises.u15_irregular import fractal_values as data
from autograder.exercises.u15_irregular.fractal_values import COORDINATES, TURNS, picture
from autograder.exercises.u15_irregular.values import UNIT, at_work

SIXTEEN_TILES = picture(64, 64, 64)
ENLARGED = picture(64, 64, 64, 8)

MANDELBROT = Exercise(
    id="irregular.mandelbrot",
    unit=UNIT,
    title="Neighbours in a warp",
    task="turns[r, c] is how often z = z * z + c is worked out, from z = 0, until |z| squared is above 4, limit at "
    "most; c is re[c] + i im[r]. Blocks of 256 threads over tiles of 16 x 16 pixels, each warp on 8 x 4 of them.",
    function="mandelbrot",
    arguments=(*COORDINATES, TURNS),
    make=data.make_picture,
    oracle=data.counted,
    bound=data.turns_bound,
    cases=data.picture_cases(SIXTEEN_TILES, ENLARGED),
    launch=data.a_tile_per_block,
    points=3,
    topics=("D11", "B14", "B10"),
    rounds=True,
    one_infinity=False,
    budgets=(
        Budget(
            "lanes_at_work",
            29,
            ENLARGED,
            "8 x 8 neighbours of an enlarged picture take the same iterations, so a warp on 8 x 4 of them ends as one",
            "long_rows_of_pixels",
            floor=True,
        ),
        Budget(
            "global_store_sectors_per_request",
            4,
            SIXTEEN_TILES,
            "8 neighbours of a row are a sector, and a warp has four such rows",
            "uncoalesced",
        ),
        at_work(4096, SIXTEEN_TILES, "each pixel has a thread of its own"),
    ),
    slips=slips.TURNS,
    predictions={"global_store_sectors_per_request": "global_store_sectors_per_request"},
    reasons={
        "global_store_sectors_per_request": lambda at: n(4, "row") * n(1, "sector"),
    },
    guesses={
        "index": Guess(
            "index",
            "the place in turns that thread 42 of block 1 stores to",
            (1, 42, "turns"),
            "thread 42 is lane 10 of warp 1: row 10 // 8 of the second 8 columns, so row 1, column 16 + 8 + 2",
        ),
    },
    predict_case=SIXTEEN_TILES,
    example=picture(48, 64, 8),
    why="A warp runs as long as the slowest of its lanes, and pixels that lie close together need about as many "
    "iterations. Rows of 8 int32 fill a sector as well as rows of 32 do, so the compact shape costs nothing.",
)

QUEUED = picture(64, 64, 24)
TILES = 16  # of that picture

MANDELBROT_QUEUE = Exercise(
    id="irregular.mandelbrot_queue",
    unit=UNIT,
    title="Find the bug: tiles by ticket",
    task="The same picture with five blocks, however many tiles there are: thread 0 of a block draws the next tile "
    "from next_tile, which starts at 0, tells its block, and the block works on that tile until none is left. Tiles of "
    "16 x 16 pixels count along rows of tiles.",
    function="mandelbrot_queue",
    arguments=(
        *COORDINATES,
        Argument("next_tile", "inout", "int32", "(1,)", "0 before the launch; what it holds afterwards is yours"),
        TURNS,
    ),
    make=data.make_queue,
    oracle=data.counted,
    bound=data.turns_bound,
    cases=data.queue_cases(QUEUED),
    launch=data.five_blocks,
    launches=((3, data.THREADS),),
    queue="next_tile",
    points=4,
    topics=("B10", "D11", "B13", "A9"),
    rounds=True,
    one_infinity=False,
    uses=("irregular.mandelbrot",),
    budgets=(
        Budget(
            "atomic_operations",
            TILES,
            QUEUED,
            "every tile is drawn from the queue, so that a block with quick tiles comes back for more",
            "shares_instead_of_queue",
            floor=True,
        ),
        Budget(
            "atomic_operations",
            TILES + 8 * data.BLOCKS,
            QUEUED,
            "one thread draws for its block: 16 tiles, and one draw per block that finds the queue empty, or per warp",
            "every_thread_draws",
        ),
    ),
    slips=slips.QUEUE,
    predictions={"barriers": "barriers", "atomic_operations": "atomic_operations"},
    reasons={
        "atomic_operations": lambda at: (
            n(TILES, "tile") + n(at.blocks, "block that finds no more", "blocks that find no more")
        ),
        "barriers": lambda at: (
            (n(TILES, "tile") + n(at.blocks, "block that finds no more", "blocks that find no more")) * n(2, "barrier")
        ),
    },
    guesses={"line": Guess("line", "the line of the draft that the verdict names")},
    predict_case=QUEUED,
    example=picture(48, 64, 8),
    why="A block that had quick tiles draws the next one, so blocks end together, whatever the picture shows. The "
    "ticket lies in one cell for all: a barrier between its write and the reads, and another between the reads and the "
    "next write.",
)
