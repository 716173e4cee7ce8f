"""Hints of argmax and of the sums along an axis."""

from __future__ import annotations

from autograder.contract import Hint
from autograder.exercises.hints.common import COMMON
from autograder.exercises.reductions.hints_shared import (
    BARRIER_IN_BRANCH,
    FLOAT64,
    LOST_UPDATE,
    MISSING_BARRIER,
    NEVER_WRITTEN,
    SHUFFLE_DIRECTION,
    WARP_MASK,
)

ARGMAX = (
    Hint(
        "start",
        (
            "A sum carries one number from lane to lane. What must a maximum carry, if you want to know where it was?",
            "Carry the pair (value, index). Each comparison takes the whole pair or leaves it.",
            "`beats` says when one pair replaces another: larger, or equal and earlier, or NaN. The loop of "
            "`warp_sum` finds each lane's own pair, and the tree needs two shuffles in each turn.",
            "other = cuda.shfl_down_sync(FULL_WARP, best, d)\nj = cuda.shfl_down_sync(FULL_WARP, at, d)\n"
            "if beats(other, j, best, at):\n    best, at = other, j",
        ),
    ),
    Hint(
        "tie_order",
        (
            "Two elements are equal. Which one did you keep, and did you choose, or did the schedule?",
            "Lane 6 may hold index 6 while lane 5 holds index 1029: the order of lanes is not the order "
            "of indices. Only comparing the indices makes ties go to the lowest.",
            "The comparison: an equal value with a smaller index must win.",
            "if v > w or (v == w and i < j):\n    ...",
        ),
    ),
    Hint(
        "nan_ignored",
        (
            "What is `nan > 1`? And `nan < 1`?",
            "Every comparison with NaN is false, so NaN never wins, and whoever holds it never loses. "
            "NumPy calls NaN the largest, so that it shows.",
            "Ask for NaN before you compare: `x != x` holds for NaN only.",
            "if math.isnan(v) or math.isnan(w):\n    ...   # the NaN wins; of two, the earlier",
        ),
    ),
    Hint(
        "too_much_traffic",
        (
            "How often does your kernel go through `src`?",
            "Each pass over `src` loads every element from global memory. A value and its place can be found "
            "in one pass, each kept in a register.",
            "The loop: whenever an element wins, keep its place beside it.",
            "x = src[i]\nif beats(x, i, best, at):\n    best, at = x, int32(i)",
        ),
    ),
    Hint(
        "local_index",
        (
            "Your index is always small. Index into what?",
            "The place that counts is the one in `src`: what the grid-stride loop calls `i`.",
            "The line that remembers the index, inside the loop.",
            "best, at = x, int32(i)",
        ),
    ),
    Hint(
        "starts_at_zero",
        (
            "All elements of a warp are negative. What is the largest, and what did you start from?",
            "The start must lose against everything: minus infinity for a maximum, as 0 is for a sum. The "
            "contract says what a warp without elements reports.",
            "The line that sets `best` before the loop.",
            "best, at = float32(-math.inf), int32(src.size)",
        ),
    ),
    Hint(
        "nan_overtaken",
        (
            "best is NaN, and the next element is 7. What does your test say?",
            "`x <= best` is false whenever one of them is NaN, so `not x <= best` lets the first NaN in, and after "
            "it everybody else.",
            "The test of the scan: whoever holds NaN keeps it.",
            "return not (x <= best) and best == best",
        ),
    ),
    Hint(
        "minus_infinity",
        (
            "All elements of a warp are -inf. Which of them is larger than what you started with?",
            "A start of -inf equals such an element, and equal ones do not win. Only a thread that has no element "
            "at all should report the start.",
            "Before the loop: a thread that has an element takes its first one as it is.",
            "if i < src.size:\n    best, at = src[i], int32(i)\n    i += step",
        ),
    ),
    WARP_MASK,
    SHUFFLE_DIRECTION,
    LOST_UPDATE,
    FLOAT64,
    *COMMON,
)
OUTSIDE_THE_MATRIX = (
    "The verdict names an index and the size of an array. Which of your variables should stay below that size?",
    "Rows are counted by src.shape[0] and by row_sums, columns by src.shape[1] and by col_sums. A "
    "launch comes in whole blocks, so the last block has rows or columns that do not exist.",
    "The named line: guard it with the size it is about, and check that the host passes each output to its kernel.",
    "if row < src.shape[0]:\n    row_sums[row] = acc",
)
AXIS_SUMS = (
    Hint(
        "start",
        (
            "In memory, which element lies beside src[r, c]: src[r, c + 1] or src[r + 1, c]?",
            "Neighbouring lanes should read neighbouring columns, for both results. So a warp walks along "
            "one row, and for column sums each lane stays in its own column.",
            "Two kernels. Rows: one warp a row, then `warp_total`. Columns: one lane a column; the warps of a "
            "block share its rows and meet in shared memory, and blocks meet in an atomic.",
            "for col in range(cuda.threadIdx.x, src.shape[1], 32):\n    acc += src[row, col]",
        ),
    ),
    Hint(
        "uncoalesced",
        (
            "32 lanes, 32 different rows: how many sectors does that touch?",
            "A row is n_cols * 4 bytes long, so neighbours in a column lie that far apart, each in a "
            "sector of its own. 32 lanes side by side in a row share 4 sectors.",
            "The kernel for the rows: let the lanes of one warp share a row instead of taking a row each.",
            "row = cuda.blockIdx.x * 8 + cuda.threadIdx.y   # the same for a whole warp\n"
            "for col in range(cuda.threadIdx.x, src.shape[1], 32):",
        ),
    ),
    Hint(
        "lanes_alone",
        (
            "32 lanes each hold a part of the row. Who adds the 32 parts?",
            "Each lane sees its own registers only. `warp_total` brings the 32 sums together in lane 0.",
            "Between the loop over columns and the line that writes `row_sums`.",
            "acc = warp_total(acc)",
        ),
    ),
    Hint(
        "rows_not_shared",
        (
            "Blocks (0, 0) and (0, 1) have the same columns. Which rows does each of them visit?",
            "Whoever shares the rows must start in different ones and move by as many as all of them cover: 8 rows "
            "a block, times the blocks of the column.",
            "The row in which a thread starts, and the step of its loop.",
            "row, step = cuda.blockIdx.y * 8 + cuda.threadIdx.y, 8 * cuda.gridDim.y",
        ),
    ),
    Hint(
        "too_many_atomics",
        (
            "How many additions of one column go through its cell of global memory?",
            "Atomics on one address wait for each other. A register and shared memory can collect a block's share "
            "of the rows without anybody waiting.",
            "Move the atomic behind the loop over the rows: one for each column of a block.",
            "if cuda.threadIdx.y == 0 and col < src.shape[1]:\n    cuda.atomic.add(col_sums, col, acc)",
        ),
    ),
    *(Hint(name, OUTSIDE_THE_MATRIX) for name in ("no_guard", "off_by_one")),
    Hint(
        "missing_tail",
        (
            "97 rows, 8 a block: how many blocks do you launch?",
            "`n // 8` rounds down, and the rows of the last, partial block are nobody's.",
            "The launches in the host function: round up, and let the guard send spare threads home.",
            "sum_rows[ceil_div(src.shape[0], 8), (32, 8)](src, row_sums)",
        ),
    ),
    Hint(
        "output_not_written",
        (
            "Two outputs. Which launch fills which?",
            "Each output needs a kernel of its own, or one kernel that fills both.",
            "The host function: one launch for `row_sums`, one for `col_sums`.",
            "sum_rows[..., ...](src, row_sums)\nsum_columns[..., ...](src, col_sums)",
        ),
    ),
    Hint(
        "output_accumulates",
        (
            "What was in the output before your first addition?",
            "An output comes with whatever was in it. `+=` and atomics add to that.",
            "Set the output to 0 in a launch of its own before atomics add to it, or write it once.",
            "clear[ceil_div(col_sums.size, 256), 256](col_sums)   # before sum_columns",
        ),
    ),
    MISSING_BARRIER,
    BARRIER_IN_BRANCH,
    NEVER_WRITTEN,
    WARP_MASK,
    LOST_UPDATE,
    FLOAT64,
    *COMMON,
)
