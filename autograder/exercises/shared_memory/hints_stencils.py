"""Hints for the stencil and the blurs of unit 04, by exercise: nudge, concept, place, skeleton."""

from __future__ import annotations

from autograder.contract import Hint
from autograder.exercises.hints.common import COMMON
from autograder.exercises.shared_memory.hints_shared import (
    BANK_CONFLICTS,
    BARRIER_IN_BRANCH,
    NEGATIVE_INDEX,
    OFF_BY_ONE,
    SHARED_SHAPE,
    WRONG_FORMULA,
    missing_barrier,
    too_much_traffic,
    without,
)

HALO_CODE = (
    "for k in range(t, SPAN, THREADS):   # 262 cells, 256 threads: six of them come twice\n"
    "    i = first - RADIUS + k\n    tile[k] = src[...]   # i, brought into 0 to src.size - 1"
)
HALO_UNFILLED = Hint(
    "uninitialised_read",
    (
        "The verdict names a cell of the tile. Which element of `src` belongs there, and which thread brings it?",
        "There are more cells than threads: the block's own elements and a halo round them. Threads at the edge of "
        "the block read cells of the halo, so somebody has to fill those, too; also in a block that ends early.",
        "Let threads come back for another cell: start at the own number, go on by the number of threads.",
        HALO_CODE,
    ),
)
MISSING_HALO = Hint(
    "missing_halo",
    (
        "The wrong elements sit at the edges of blocks. Whose elements do they need?",
        "A block's neighbours are elements of the array like any other: they can be loaded from `src`. Only beyond "
        "the ends of the array there is nothing.",
        "Bring the index into the array, 0 to its length minus 1, and not into the block.",
        "src[min(max(i, 0), src.size - 1)]   # i: an index of the array",
    ),
)
BORDER = Hint(
    "border",
    (
        "What does this exercise want beyond the ends: zeros, or something else?",
        "Here the end repeats: every index below 0 means element 0, every index too large means the last element.",
        "Bring the index into range instead of asking whether it is.",
        "src[min(max(i, 0), src.size - 1)]",
    ),
)
NO_GUARD = Hint(
    "no_guard",
    (
        "What is the largest index that the named line computes? And who computes it?",
        "The last block sticks out, and its halo sticks out further. Loads can be brought into range with `min` and "
        "`max`; a store needs a guard, since a spare thread has no place to write to.",
        "`min(max(i, 0), length - 1)` for what is read, `if i < length` for what is written.",
        "tile[k] = src[min(max(i, 0), src.size - 1)]\n...\nif own < dst.size:\n    dst[own] = ...",
    ),
)

STENCIL_1D = (
    Hint(
        "start",
        (
            "A block writes 256 elements. How many elements of `src` does it need, and which?",
            "Three more on either side: 262 cells, the halo included. Cell k of the tile is element "
            "`first - RADIUS + k` of the array, where `first` is the first element of the block.",
            "Fill the 262 cells with 256 threads, one barrier, then add the seven cells from t to t + 6.",
            f"{HALO_CODE}\ncuda.syncthreads()\n...",
        ),
    ),
    missing_barrier("Thread 5 adds the cell that thread 8 filled. How does it know that thread 8 has been there?"),
    BARRIER_IN_BRANCH,
    HALO_UNFILLED,
    NEGATIVE_INDEX,
    NO_GUARD,
    OFF_BY_ONE,
    MISSING_HALO,
    BORDER,
    too_much_traffic("A block of 256 threads may load 262 elements.", HALO_CODE),
    WRONG_FORMULA,
    SHARED_SHAPE,
    *COMMON,
)

FILL_2D = (
    "for k in range(ty * TILE + tx, SPAN_Y * SPAN_X, TILE * ROWS):   # 432 cells, 256 threads\n"
    "    y, x = k // SPAN_X, k % SPAN_X\n"
    "    r, c = ...   # the row and column of src: clamped\n    tile[y, x] = src[r, c]"
)
BLUR_MISTAKES = (
    BARRIER_IN_BRANCH,
    HALO_UNFILLED,
    NEGATIVE_INDEX,
    NO_GUARD,
    OFF_BY_ONE,
    MISSING_HALO,
    BORDER,
    BANK_CONFLICTS,
    Hint(
        "uncoalesced",
        (
            "Thread 0 and thread 1 of a warp fill two cells. Are those neighbours in a row of the picture?",
            "Lanes that walk down a column touch a sector each. Number the cells along the rows, and neighbouring "
            "threads get neighbouring pixels.",
            "With k counted along the rows: the row is `k // SPAN_X`, the column `k % SPAN_X`.",
            FILL_2D,
        ),
    ),
    SHARED_SHAPE,
)

BLUR_5X5 = (
    Hint(
        "start",
        (
            "A block writes 8 rows of 32 pixels. How many pixels does it need?",
            "Two more on every side: 12 rows of 36. Number these 432 cells; thread number t fills cell t, and "
            "then cell t + 256 if there is one.",
            "Fill with a loop, one barrier, then 25 products with `weights[i, j]` and `tile[ty + i, tx + j]`.",
            f"weights = cuda.const.array_like(GAUSS)\n{FILL_2D}\ncuda.syncthreads()\nacc = float32(0)\n...",
        ),
    ),
    missing_barrier("A pixel at the edge of one warp needs a row that another warp loads. Who makes sure it is there?"),
    too_much_traffic("A block may load 12 x 36 pixels.", FILL_2D),
    Hint(
        "float64_arithmetic",
        (
            "Which numbers on the named line are float32, and which are not?",
            "NumPy arrays are float64 unless you say otherwise, and a sum that starts with `0` or `0.0` is not "
            "float32 either. One wide number makes the whole product or sum wide.",
            "Use `GAUSS`, which is float32, and start the sum with `float32(0)`.",
            "weights = cuda.const.array_like(GAUSS)\nacc = float32(0)",
        ),
    ),
    Hint(
        "one_pass",
        (
            "How many of the 25 neighbours does your sum hold?",
            "The weights reach two pixels in each of two directions: a loop over rows with a loop over columns inside.",
            "Two loops of five turns, one inside the other.",
            "for i in range(5):\n    for j in range(5):\n        acc += ...",
        ),
    ),
    *BLUR_MISTAKES,
    WRONG_FORMULA,
    *without(COMMON, "float64_arithmetic"),
)

TWO_PASSES = (
    "tile, cuda.syncthreads()\n"
    "for k in range(t, SPAN_Y * TILE, TILE * ROWS):   # 12 rows of 32 sums\n    y, x = k // TILE, k % TILE\n"
    "    mid[y, x] = ...   # tile[y, x] to tile[y, x + 4]\ncuda.syncthreads()\n"
    "...   # mid[ty, tx] to mid[ty + 4, tx]"
)
BLUR_SEPARABLE = (
    Hint(
        "start",
        (
            "GAUSS[i, j] is TAPS[i] * TAPS[j]. Which sum can be taken out of the other?",
            "Blur every row of the tile first, the halo rows included: 12 rows of 32 sums, kept in a second tile. Then "
            "each thread adds five of those, one below the other.",
            "Three steps, each finished before the next begins: fill, rows, columns.",
            TWO_PASSES,
        ),
    ),
    missing_barrier("The second pass reads sums that other threads wrote. Which line makes sure that they are there?"),
    Hint(
        "too_much_traffic",
        (
            "The result is right. How many cells of shared memory does one pixel cost you?",
            "Five for each row sum and five for each pixel are enough. Twenty-five mean that the row sums are not "
            "shared: every thread computes its five anew.",
            "Write the row sums into a second tile, 12 rows of 32, and let all threads of the block use them; `src` "
            "appears only where the first tile is filled.",
            TWO_PASSES,
        ),
    ),
    Hint(
        "one_pass",
        (
            "In which direction is your picture still sharp?",
            "Each pass blurs in one direction. The second one must work on the result of the first, not on the tile.",
            "The array that the last sum reads, and the index that changes in its loop.",
            TWO_PASSES,
        ),
    ),
    Hint(
        "warp_sync",
        (
            "One lane writes a sum over a pixel. Which other lanes still need that pixel?",
            "Five lanes need each pixel of a row. A sum that is written into the tile it was read from destroys the "
            "pixels of lanes that have not read them yet; lanes of a warp need not be at the same place.",
            "Leave the tile as it is, and write the sums of the rows into a second shared array.",
            "mid = cuda.shared.array((SPAN_Y, TILE), float32)",
        ),
    ),
    *BLUR_MISTAKES,
    WRONG_FORMULA,
    *COMMON,
)
