"""Contracts of unit 15 for pictures of the Mandelbrot set: warps over compact pieces, and blocks that draw tiles."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u15_irregular import fractal_slips as slips
from autograder.exercises.u15_irregular import fractal_values as data
from autograder.exercises.u15_irregular.fractal_values import COORDINATES, TURNS, picture
from autograder.exercises.u15_irregular.sparse_values import UNIT, at_work

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
            "8 x 8 neighbours of an enlarged picture take the same turns, so a warp on 8 x 4 of them ends as one",
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
    example=picture(4, 8, 4),
    why="A warp runs as long as the slowest of its lanes, and pixels that lie close together need about as many turns. "
    "Rows of 8 int32 fill a sector as well as rows of 32 do, so the compact shape costs nothing.",
)
