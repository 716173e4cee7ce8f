"""Hints for the reversal and the transposes of unit 04, by exercise: nudge, concept, place, skeleton."""

from __future__ import annotations

from autograder.contract import Hint
from autograder.exercises.hints.common import COMMON
from autograder.exercises.shared_memory.hints_shared import (
    BANK_CONFLICTS,
    BARRIER_IN_BRANCH,
    NO_GUARD,
    SHARED_SHAPE,
    missing_barrier,
    without,
)

REVERSE_CODE = (
    "if i < data.size:\n    tile[t] = data[i]\ncuda.syncthreads()\nif i < data.size:\n"
    "    data[i] = tile[...]   # how many elements does this block own, and which of them mirrors t?"
)
REVERSE_BLOCKS = (
    Hint(
        "start",
        (
            "Thread 0 overwrites the element that another thread still has to read. Where could all of them be kept?",
            "First every thread puts its own element into shared memory. Then, when all have done so, every thread "
            "takes the element that it needs.",
            "Fill, barrier, write back. The mirror of place t among `count` elements is `count - 1 - t`.",
            REVERSE_CODE,
        ),
    ),
    missing_barrier("Thread 0 takes what thread 255 brought. How does it know that thread 255 has been there?"),
    BARRIER_IN_BRANCH,
    Hint(
        "uninitialised_read",
        (
            "n = 33: how many elements has the last block, and which cell of the tile does its thread 0 read?",
            "In the last block only the first cells are filled. The mirror of place t is counted from the end of "
            "what the block really owns, and that is less than 256.",
            "Compute the number of elements of the block, `min(256, data.size - first)`, and mirror in that.",
            "first = cuda.blockIdx.x * THREADS\ncount = min(THREADS, data.size - first)\n... tile[count - 1 - t]",
        ),
    ),
    Hint(
        "no_guard",
        (
            "n = 1025 takes 5 blocks. How many threads of the last one have an element?",
            "The spare threads of the last block run your lines too. They must neither load nor store, and still "
            "reach the barrier.",
            "Two guards with the same question: one round the load, one round the store.",
            REVERSE_CODE,
        ),
    ),
    Hint(
        "only_first_block",
        (
            "Thread 0 of block 3: which element is its own?",
            "`cuda.threadIdx.x` starts again at 0 in every block, which is right for the tile and wrong for the array.",
            "Two indices: `t` in the tile, `i` in the array.",
            "t, i = cuda.threadIdx.x, cuda.grid(1)",
        ),
    ),
    Hint(
        "grid_order",
        (
            "The named element belongs to another block. Does your block have to touch it?",
            "Blocks run in any order, and no barrier of a block orders two of them. Here they need not meet at all: "
            "every block moves its own 256 elements only.",
            "Mirror within the block, with the place in the tile.",
            REVERSE_CODE,
        ),
    ),
    Hint(
        "wrong_formula",
        (
            "Where does the first element of a block of 256 go, and where the last?",
            "A swap made by both of its partners is undone: each thread should only write its own place.",
            "The line that writes: its own `i` on the left, the mirror's cell of the tile on the right.",
            REVERSE_CODE,
        ),
    ),
    SHARED_SHAPE,
    *COMMON,
)

TILE_CODE = (
    "row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx    # in src\n...   # fill the tile\n"
    "cuda.syncthreads()\nrow, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx    # in dst\n"
    "...   # empty it"
)
START_TRANSPOSE = Hint(
    "start",
    (
        "In src your block owns the tile at (blockIdx.y, blockIdx.x). Where does that tile land in dst?",
        "Two things turn round: the place of the tile, by exchanging the block indices, and its inside, by "
        "exchanging the two indices of the tile. In global memory tx walks along a row both times.",
        "Fill `tile[ty + k, tx]` from src, wait, then compute a new row and col for dst and read `tile[tx, ty + k]`.",
        TILE_CODE,
    ),
)
TRANSPOSE_MISTAKES = (
    missing_barrier("Thread (0, 1) reads tile[0, 1], which thread (1, 0) filled. How does it know that it is there?"),
    BARRIER_IN_BRANCH,
    NO_GUARD,
    Hint(
        "uninitialised_read",
        (
            "Which cells of the tile are filled when the matrix has 33 rows and 1 column? Which do you read?",
            "At a ragged edge a tile is filled as far as src reaches. What dst needs is exactly that part, turned "
            "round: the cell in row tx, column ty + k. The same indices on both sides read cells that nobody filled.",
            "Compare the brackets of `tile` on the two lines: one has the row first, the other the column.",
            "tile[ty + k, tx] = ...    # row of src, column of src\n... = tile[tx, ty + k]    # the other way round",
        ),
    ),
    Hint(
        "uncoalesced",
        (
            "Which of your two global lines has `tx` outside the last brackets' last place?",
            "Lanes differ in tx. Where tx is the last index of a global array, 32 lanes share 4 sectors; where it is "
            "the first, each needs its own. Only the tile may be walked down a column.",
            "Leave both global lines as `[row + k, col]` with col from tx, and turn round in the tile.",
            TILE_CODE,
        ),
    ),
    Hint(
        "swapped_axes",
        (
            "n_rows is not n_cols. Against which of them do you compare the row?",
            "dst has the shape of src turned round: its rows are the columns of src. After the barrier, row and col "
            "are places in dst and must be compared with the shape of dst.",
            "The guard of the second half.",
            "if row + k < dst.shape[0] and col < dst.shape[1]:\n    ...",
        ),
    ),
    Hint(
        "missing_tail",
        (
            "The verdict names the first element that nobody wrote. Which block should have written it?",
            "The tile at (blockIdx.y, blockIdx.x) of src lands at (blockIdx.x, blockIdx.y) of dst, and each thread "
            "writes every element of its column of the tile, not one.",
            "Compute row and col again after the barrier with the block indices exchanged; check the loop's end.",
            TILE_CODE,
        ),
    ),
    SHARED_SHAPE,
)
TRANSPOSE_TILED = (START_TRANSPOSE, *TRANSPOSE_MISTAKES, BANK_CONFLICTS, *COMMON)

TRANSPOSE_PADDED = (
    Hint(
        "start",
        (
            "With rows of 32 words all cells of a column share a bank. What would happen with another length?",
            "The bank of tile[r, c] is (length * r + c) % 32. With rows of 33 words a step down is a step of one bank.",
            "Change the shape of the tile and nothing else: PITCH words a row, of which the last is never used.",
            "tile = cuda.shared.array((..., PITCH), float32)",
        ),
    ),
    Hint(
        "bank_conflicts",
        (
            "Which axis of the tile did you make longer, if any?",
            "A longer row moves each row on by one bank. A 33rd row changes nothing: the cells of a column are still "
            "32 words apart.",
            "The second number of the shape is the length of a row.",
            "cuda.shared.array((TILE, PITCH), float32)   # 32 rows of 33 words",
        ),
    ),
    *TRANSPOSE_MISTAKES,
    *COMMON,
)

TRANSPOSE_SWIZZLED = (
    Hint(
        "start",
        (
            "Lay the tile out row after row, 32 words each. How can column 5 end up in 32 different banks?",
            "Shuffle every row differently: element c of row r goes to place `c ^ r` of that row. XOR with a fixed "
            "number only exchanges places, so a row still uses every place once; and down a column r differs, so "
            "the places differ.",
            "`place` is one line: start of the row, plus the shuffled column. The kernel calls it for both accesses.",
            "def place(row, col):\n    return row * TILE + ...\n\ntile[place(ty + k, tx)] = ...\n"
            "... = tile[place(tx, ty + k)]",
        ),
    ),
    Hint(
        "bank_conflicts",
        (
            "For column 0, write down the places of rows 0, 1, 2 and 3. Now each modulo 32.",
            "The bank is the place modulo 32, and the start of a row is always a multiple of 32. So the bank is what "
            "you make of the column, and in a column it has to differ from row to row: all 32 different.",
            "The column's part of the sum in `place`: it must depend on the row too, in all five bits.",
            "row * TILE + (col ^ row)",
        ),
    ),
    Hint(
        "padded_tile",
        (
            "Right, and free of conflicts: that was the last rung. What does a tile with 33 words a row cost here?",
            "The spare column is memory that holds nothing: 128 bytes of 4,224. Tiles share the memory of a "
            "multiprocessor, so what one wastes another cannot have.",
            "Give the tile 1,024 words, 32 a row, and change only where in its row an element lies.",
            "CELLS = TILE * TILE  # above the kernel\n\ntile = cuda.shared.array(CELLS, float32)\n"
            "tile[place(ty + k, tx)] = ...",
        ),
    ),
    Hint(
        "off_by_one",
        (
            "What is the largest place that your formula gives for rows and columns up to 31?",
            "There are 1,024 words and no spare one. `row * 33 + col` needs 1,055; `col + row` runs into the next row.",
            "Keep each row in its own 32 words: the shuffled column has to stay below 32.",
            "col ^ row         # below 32 when both are\n(col + row) % 32  # too",
        ),
    ),
    Hint(
        "lost_update",
        (
            "Two elements went to one cell. For which rows and columns does your formula give the same place?",
            "A layout must give every element a word of its own: 1,024 elements, 1,024 words.",
            "The start of the row must be a multiple of 32, and within a row every place must come once.",
            "row * TILE + (col ^ row)",
        ),
    ),
    *TRANSPOSE_MISTAKES,
    *COMMON,
)

TRANSPOSE_FAST = (
    Hint(
        "start",
        (
            "What must be known before the second of your sixteen loads may start?",
            "With a question in every turn, a load waits for a comparison and the compiler keeps them in order. One "
            "question for the last row of the column answers all sixteen, and then all loads can be under way.",
            "Ask about `row + WIDE - DEPTH`, the last row of this thread. In the `elif`, the ragged case, keep the "
            "question in the loop.",
            "if row + WIDE - DEPTH < src.shape[0] and col < src.shape[1]:\n"
            "    for k in range(0, WIDE, DEPTH):\n        ...\nelif col < src.shape[1]:\n"
            "    for k in range(0, WIDE, DEPTH):\n        if row + k < src.shape[0]:\n            ...",
        ),
    ),
    Hint(
        "uninitialised_read",
        (
            "Take a matrix of 31 rows. Which branch do the loads of its threads take, and which the stores?",
            "Whether a column is whole is another question in src than in dst. A tile that is ragged in src must still "
            "be filled as far as src reaches, or the stores send away what nobody brought.",
            "Give the ragged tiles a branch of their own, before the barrier and after it. If you have them: one pair "
            "of brackets of `tile` starts with the row, the other with the column.",
            "if ...:   # whole column: no question in the loop\n    ...\nelif col < src.shape[1]:\n"
            "    for k in range(0, WIDE, DEPTH):\n        if row + k < src.shape[0]:\n            ...",
        ),
    ),
    BANK_CONFLICTS,
    *without(TRANSPOSE_MISTAKES, "uninitialised_read"),
    *COMMON,
)
