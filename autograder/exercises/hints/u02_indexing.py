"""Hints of unit 02, by exercise. Each ladder answers one mistake: nudge, concept, place, skeleton."""

from __future__ import annotations

from autograder.contract import Hint
from autograder.exercises.hints.common import COMMON


def guard_2d(shape: str, code: str) -> Hint:
    """The ladder for an index outside a two-dimensional array. shape: whose limits count; code: the guard."""
    return Hint(
        "no_guard",
        (
            "The verdict names a thread. Which of its two indices is too large, the row or the column?",
            "The grid covers the picture with whole blocks, so spare threads stick out at the right edge and at the "
            "bottom. Each axis needs a question of its own; one of them is not enough.",
            f"Put the access under one `if` that asks about both indices, each against its own axis of {shape}.",
            code,
        ),
    )


def swapped(code: str) -> Hint:
    """The ladder for x and y in each other's place."""
    return Hint(
        "swapped_axes",
        (
            "Which of your two numbers grows by one from a thread to its neighbour?",
            "`cuda.grid(2)` gives x first. x is the axis along which neighbours sit, and neighbours should sit along a "
            "row: so x is the column and y is the row. An array is indexed the other way round, row first.",
            "Look at the line with `cuda.grid(2)`: the column stands first there, and last in the brackets.",
            code,
        ),
    )


def uncoalesced(what: str, code: str) -> Hint:
    """The ladder for right results by scattered accesses."""
    return Hint(
        "uncoalesced",
        (
            "The result is right. Now take thread 0 and thread 1: how far apart are their elements in memory?",
            "A warp's accesses are served in sectors of 32 bytes. Neighbouring lanes on neighbouring elements share "
            f"sectors; {what} gives each lane a sector of its own, most of which nobody uses.",
            "The index that changes from lane to lane (x) belongs in the last pair of brackets of the array.",
            code,
        ),
    )


def missing(code: str) -> Hint:
    """The ladder for elements that no thread wrote."""
    return Hint(
        "missing_tail",
        (
            "The verdict names the first element that nobody wrote. Which thread should have written it?",
            "A guard that is too strict leaves an edge undone, and an axis that takes its numbers from the wrong "
            "place leaves whole stretches: every element needs exactly one thread.",
            "Check that each axis is compared with its own length, by `<`, and that no two threads share an index.",
            code,
        ),
    )


def one_too_many(code: str) -> Hint:
    """The ladder for a guard with <= where < is meant. code: the guard."""
    return Hint(
        "off_by_one",
        (
            "The verdict names an index and a length. How far is the one from the other?",
            "An axis of length n has indices 0 to n - 1, so n itself is already outside.",
            "Look at the comparison in your guard: `<=` lets one index too many through, on every axis that uses it.",
            code,
        ),
    )


GRID_2D = "col, row = cuda.grid(2)\nif row < dst.shape[0] and col < dst.shape[1]:\n    dst[row, col] = ..."

INVERT = (
    Hint(
        "start",
        (
            "You are thread (x, y) of the whole grid. Which pixel is yours?",
            "`cuda.grid(2)` gives two numbers, x first. The launch lays columns along x and rows along y.",
            "Three lines: two indices, a guard that asks about both, one pixel.",
            GRID_2D,
        ),
    ),
    guard_2d("dst", GRID_2D),
    swapped(GRID_2D),
    one_too_many(GRID_2D),
    missing(GRID_2D),
    uncoalesced("walking down a column", GRID_2D),
    *COMMON,
)

PAD = (
    Hint(
        "start",
        (
            "You own dst[row, col]. Is that the frame or the picture, and where in src does it come from?",
            "The picture starts margin rows down and margin columns in. Taking margin away from both indices gives "
            "the place in src, which exists only when it is inside src on both axes, at both ends.",
            "Guard dst first. Then compute the two indices of src, and ask four questions before you read.",
            "r, c = row - margin, col - margin\n"
            "if 0 <= r < src.shape[0] and 0 <= c < src.shape[1]:\n    dst[row, col] = src[r, c]\n"
            "else:\n    dst[row, col] = float32(0)",
        ),
    ),
    guard_2d("the array that you touch, src or dst", GRID_2D),
    Hint(
        "negative_index",
        (
            "Take row 0 of dst and margin 1. Which row of src do you read?",
            "A negative index is no error in a kernel: numba counts it from the end of the array, as Python does. "
            "So -1 quietly reads the last row.",
            "The test `r < src.shape[0]` is true for r = -1. Ask about the lower end as well.",
            "if 0 <= r < src.shape[0] and 0 <= c < src.shape[1]:\n    ...",
        ),
    ),
    Hint(
        "output_not_written",
        (
            "Which elements of dst does your kernel never assign?",
            "Device memory starts with whatever was there before. An element that should be zero must be written, too.",
            "Give the `if` that reads src an `else` that stores a zero.",
            "else:\n    dst[row, col] = float32(0)",
        ),
    ),
    one_too_many("if 0 <= r < src.shape[0] and 0 <= c < src.shape[1]:\n    ..."),
    missing(GRID_2D),
    swapped(GRID_2D),
    *COMMON,
)

ROLL = (
    Hint(
        "start",
        (
            "You own dst[i]. Which element of src lands there?",
            "An element moves from i to i + shift, so dst[i] comes from src at i - shift, counted round the end. "
            "`%` does the counting: in numba, as in Python, the result has the sign of the length.",
            "One guard, one index with `%`, one copy.",
            "i = cuda.grid(1)\nif i < dst.size:\n    dst[i] = src[(i - shift) % dst.size]",
        ),
    ),
    Hint(
        "no_guard",
        (
            "What is the largest index that your line computes, and what is the smallest?",
            "shift may be larger than n, or negative, so adding or subtracting n once is not always enough.",
            "Bring the index of src between 0 and n - 1 with `%` by the length; and guard the thread's own index.",
            "if i < dst.size:\n    dst[i] = src[(i - shift) % dst.size]",
        ),
    ),
    Hint(
        "negative_index",
        (
            "Take the first and the last thread, and a shift of 1, then of -1. Which indices do you compute?",
            "A negative index wraps round once, so a small shift comes out right by accident. A shift of more than n "
            "goes past the other end.",
            "Compute the place with `%`, so that no index is ever negative.",
            "src[(i - shift) % dst.size]",
        ),
    ),
    one_too_many("i = cuda.grid(1)\nif i < dst.size:\n    ..."),
    missing("i = cuda.grid(1)\nif i < dst.size:\n    ..."),
    *COMMON,
)

FADE_CODE = (
    "x, y, z = cuda.grid(3)\nif z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:\n"
    "    out[z, y, x] = volume[z, y, x] * weight[z]"
)
FADE = (
    Hint(
        "start",
        (
            "`cuda.grid(3)` gives three numbers. Which of them grows from a thread to its neighbour?",
            "x is the axis of neighbours, so it belongs to the last axis of the array; z is the slice.",
            "One line of indices, one `if` with three questions, one product.",
            FADE_CODE,
        ),
    ),
    guard_2d("out", FADE_CODE),
    swapped(FADE_CODE),
    one_too_many(FADE_CODE),
    missing(FADE_CODE),
    uncoalesced("any axis but the last", FADE_CODE),
    *COMMON,
)

SAXPY_CODE = "for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):\n    y[i] = alpha * x[i] + y[i]"
SAXPY = (
    Hint(
        "start",
        (
            "There are fewer threads than elements. What does a thread do when it is done with its first one?",
            "It goes on by the number of threads in the whole grid, `cuda.gridsize(1)`: together the threads march "
            "through the array like a comb, and whatever the grid, every element is met once.",
            "A `for` over `range(start, end, step)` is guard and loop in one.",
            SAXPY_CODE,
        ),
    ),
    Hint(
        "missing_tail",
        (
            "How many threads are there, and how many elements? Who is responsible for the last one?",
            "One element a thread covers only as many elements as there are threads. The rest needs further turns, "
            "until the end of the array.",
            "Put the line into a loop whose step is the number of threads in the whole grid.",
            SAXPY_CODE,
        ),
    ),
    Hint(
        "lost_update",
        (
            "Two threads worked on the same element. By how much does your index grow in each turn?",
            "A step of `cuda.blockDim.x` runs into the elements of the next block. Every block would do nearly the "
            "whole array, and y would be added to more than once.",
            "The step is the number of threads in the grid, not in a block.",
            "step = cuda.gridsize(1)   # blockDim.x * gridDim.x",
        ),
    ),
    uncoalesced("a stretch of its own for every thread", SAXPY_CODE),
    Hint(
        "no_guard",
        (
            "What does a thread do whose first index is already behind the end?",
            "With a grid larger than the array some threads have nothing to do at all: the loop's condition must be "
            "asked before the first turn.",
            "`range(start, y.size, step)` asks before every turn; a `while True` does not.",
            SAXPY_CODE,
        ),
    ),
    *COMMON,
)

CHANNELS_CODE = (
    "t = cuda.grid(1)\nn = pixels.shape[0]\nif t < 3 * n:\n    c, i = t // n, t % n\n    planes[c, i] = pixels[i, c]"
)
SPLIT_CHANNELS = (
    Hint(
        "start",
        (
            "There are 3 n threads and 3 n values. Which value is thread t's own?",
            "Two numberings are possible: along pixels (channel fastest) or along planes (pixel fastest). `//` and `%` "
            "turn one number into two.",
            "Number the threads along the array that you write: `c = t // n` and `i = t % n`.",
            CHANNELS_CODE,
        ),
    ),
    uncoalesced("three planes written in turn", CHANNELS_CODE),
    Hint(
        "no_guard",
        (
            "How many values are there in all? Compare your guard with that number.",
            "There is a thread for each value, not for each pixel: the limit is three times the number of pixels, and "
            "the index computed from t must stay inside both axes.",
            "Guard t against `pixels.size`, and divide by the number of pixels.",
            CHANNELS_CODE,
        ),
    ),
    Hint(
        "swapped_axes",
        (
            "pixels has n rows and 3 columns. What shape has planes?",
            "The two arrays hold the same values with their axes exchanged: what is row and column in one is column "
            "and row in the other.",
            "Use the same two numbers in both brackets, in opposite order.",
            "planes[c, i] = pixels[i, c]",
        ),
    ),
    one_too_many(CHANNELS_CODE),
    missing(CHANNELS_CODE),
    *COMMON,
)

BROADCAST_CODE = (
    "j = cuda.grid(1)\nif j < dst.shape[1]:\n    along = row[j]\n"
    "    for i in range(cuda.blockIdx.y, dst.shape[0], cuda.gridDim.y):\n        dst[i, j] = along + col[i]"
)
BROADCAST_ADD = (
    Hint(
        "start",
        (
            "Your thread keeps one column. Which rows of it are yours?",
            "Along y the blocks are fewer than the rows. So row blockIdx.y is the first, and the next is gridDim.y "
            "further down: a grid stride along one axis.",
            "Guard the column, load `row[j]` once, then loop over the rows.",
            BROADCAST_CODE,
        ),
    ),
    Hint(
        "missing_tail",
        (
            "How many rows of blocks are there, and how many rows has dst?",
            "The grid does not reach the bottom. A thread that writes one element leaves the rest undone.",
            "Loop over the rows, starting at `cuda.blockIdx.y`, in steps of `cuda.gridDim.y`.",
            BROADCAST_CODE,
        ),
    ),
    Hint(
        "too_much_traffic",
        (
            "How often does one thread load `row[j]`, and does it ever change?",
            "A local variable lives in a register and costs no traffic. Inside the loop the load is repeated for "
            "every row, though its value is always the same.",
            "Move the load of `row[j]` in front of the loop, and start each thread at its own row of blocks.",
            BROADCAST_CODE,
        ),
    ),
    Hint(
        "lost_update",
        (
            "Two blocks wrote the same element. Which rows belong to a block, and which to the one below it?",
            "Blocks along y share the rows: the first starts at row 0, the next at row 1. If each goes on by one row, "
            "or starts at row 0, they all write the same rows, and the work is done many times over.",
            "Look at the `range` of your loop: where does it start, and by how many rows does it go on?",
            BROADCAST_CODE,
        ),
    ),
    Hint(
        "output_accumulates",
        (
            "What does dst hold before your kernel runs?",
            "`+=` reads an element before it writes it, and device memory starts with whatever was there before.",
            "Compute the whole sum first, then store it with `=`.",
            "dst[i, j] = along + col[i]",
        ),
    ),
    Hint(
        "no_guard",
        (
            "The verdict names an array. How long is it, and which of your indices reads it?",
            "row has one number a column, so it is read with the column's index; col has one number a row. "
            "And whole blocks stick out at the right edge, so the column needs a guard.",
            "Guard the column before the first load, and check which index stands in the brackets of row and col.",
            BROADCAST_CODE,
        ),
    ),
    one_too_many(BROADCAST_CODE),
    uncoalesced("walking down a column", BROADCAST_CODE),
    *COMMON,
)
