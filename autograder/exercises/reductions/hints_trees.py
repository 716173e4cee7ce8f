"""Hints of the rungs from one contended cell to one tree a block."""

from __future__ import annotations

from autograder.contract import Hint
from autograder.exercises.hints.common import COMMON
from autograder.exercises.reductions.hints_shared import (
    BANK_CONFLICTS,
    BARRIER_IN_BRANCH,
    FLOAT64,
    LOST_UPDATE,
    MISSING_BARRIER,
    NO_GUARD,
    ONLY_FIRST_BLOCK,
    UNINITIALISED,
)

SUM_ATOMIC = (
    Hint(
        "start",
        (
            "One element a thread, one cell for all of them. What must not happen on the way?",
            "Every thread adds its own element to the same cell. Only an atomic keeps two of them from "
            "losing each other's.",
            "Three lines: the index, the guard, one `cuda.atomic.add`.",
            "i = cuda.grid(1)\nif i < src.size:\n    cuda.atomic.add(total, 0, ...)",
        ),
    ),
    LOST_UPDATE,
    NO_GUARD,
    Hint(
        "off_by_one",
        (
            "Take n = 1. Which threads does your guard let through, and which elements exist?",
            "An array of n elements has the places 0 to n - 1. `i <= src.size` lets one thread too many through.",
            "The condition of the guard: `<`, never `<=`.",
            "if i < src.size:\n    ...",
        ),
    ),
    Hint(
        "grid_order",
        (
            "Thread 0 sets the total to 0. When does thread 300 of another block add its element?",
            "Nothing orders blocks within a launch. A cell that all blocks use must be ready before the "
            "kernel starts, and here it is: `total[0]` holds 0.",
            "Delete the line that sets `total[0]`.",
            "if i < src.size:\n    cuda.atomic.add(total, 0, src[i])   # the only line that touches total",
        ),
    ),
    ONLY_FIRST_BLOCK,
    Hint(
        "output_not_written",
        (
            "How many threads assign to `total[0]`, and whose value stays?",
            "An assignment replaces; only an addition collects.",
            "The line that writes `total[0]`: make it an atomic addition.",
            "cuda.atomic.add(total, 0, src[i])",
        ),
    ),
    FLOAT64,
    *COMMON,
)

TREE_START = Hint(
    "start",
    (
        "Eight numbers, four people who can add two at a time. How many rounds?",
        "Fill one shared cell a thread, then halve the number of cells that matter in each turn. After 8 "
        "turns of a block of 256, cell 0 holds the sum.",
        "Four parts: fill `s[t]`, a loop over the distance d with a barrier in each turn, the addition, "
        "one thread writes.",
        "s[t] = ...\nd = 1\nwhile d < THREADS:\n    cuda.syncthreads()\n    if ...:\n        s[...] += "
        "s[... + d]\n    d *= 2\nif t == 0:\n    partial[cuda.blockIdx.x] = s[0]",
    ),
)
TREE_MISSING = Hint(
    "tree_missing",
    (
        "Each result equals the first element of its block. How often did your loop run?",
        "A loop whose condition is false at the start never runs: `d = 1` needs `while d < THREADS`, "
        "`d = THREADS // 2` needs `while d > 0`.",
        "Compare the starting value of `d` with the condition of the `while`.",
        "d = 1\nwhile d < THREADS:\n    ...\n    d *= 2",
    ),
)
LAST_PAIR = Hint(
    "last_pair",
    (
        "Follow d through your loop by hand. Which distances does it take, and is 1 among them?",
        "With 256 cells the distances are 128, 64, 32, 16, 8, 4, 2 and 1: eight turns. The turn with d = "
        "1 adds `s[1]`.",
        "Look at the condition of the `while`.",
        "while d > 0:",
    ),
)
FIRST_TURN = Hint(
    "first_turn",
    (
        "Which cell is the partner of cell 0 in your first turn? Who ever adds cell 200?",
        "The first turn must join the two halves of the block: cell t with cell t + 128.",
        "The line that sets `d` before the loop.",
        "d = THREADS // 2",
    ),
)
PARTNER_OUTSIDE = Hint(
    "off_by_one",
    (
        "`s` has 256 cells. What is the largest t + d in your first turn?",
        "A tree over 256 cells first joins cell t with cell t + 128, not with cell t + 256.",
        "The line that sets `d` before the loop: halve it.",
        "d = THREADS // 2",
    ),
)
TREE = (TREE_MISSING, MISSING_BARRIER, BARRIER_IN_BRANCH, UNINITIALISED, NO_GUARD, ONLY_FIRST_BLOCK)
BLOCK_SUM_INTERLEAVED = (TREE_START, *TREE, LAST_PAIR, FIRST_TURN, PARTNER_OUTSIDE, FLOAT64, *COMMON)
BLOCK_SUM_SEQUENTIAL = (
    Hint(
        "start",
        (
            "Take your last kernel and let d run the other way: 128, 64, ... 1. Who adds what?",
            "When the threads that work are t < d and the partner is t + d, neighbours read neighbours: "
            "one cell a bank. Whole warps fall idle together and cost nothing.",
            "Two lines change: where d starts and how it moves. The index into `s` becomes t itself.",
            "d = THREADS // 2\nwhile d > 0:\n    cuda.syncthreads()\n    if t < d:\n        s[t] += s[t + "
            "d]\n    d //= 2",
        ),
    ),
    BANK_CONFLICTS,
    LAST_PAIR,
    FIRST_TURN,
    PARTNER_OUTSIDE,
    *TREE,
    FLOAT64,
    *COMMON,
)
MANY_PER_THREAD = (
    Hint(
        "start",
        (
            "The tree costs eight barriers. How can one tree serve more than 256 elements?",
            "Let each thread first add up many elements in a register, a whole grid apart, and only then "
            "start the tree.",
            "A loop before the tree: start at `cuda.grid(1)`, move by `cuda.gridsize(1)`, stop at `src.size`.",
            "acc = float32(0)\nfor i in range(cuda.grid(1), src.size, cuda.gridsize(1)):\n    acc += ...\ns[t] = acc",
        ),
    ),
    FLOAT64,
    Hint(
        "stride_of_block",
        (
            "Thread 0 of block 0 takes element 256 in its second turn. Whose element was that?",
            "A turn of the whole grid covers `gridDim.x * blockDim.x` elements, so that is how far "
            "everybody moves. With `blockDim.x` each block walks over the elements of all blocks behind "
            "it.",
            "The third argument of `range`, or the line that advances `i`.",
            "for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):",
        ),
    ),
    Hint(
        "first_turn_only",
        (
            "How many elements does one thread of yours add when n is ten times the grid?",
            "`if i < src.size` lets each thread do one element. A loop lets it do all that are its own.",
            "Turn the `if` into a loop that moves by the size of the grid.",
            "for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):\n    acc += src[i]",
        ),
    ),
    Hint(
        "last_visited",
        (
            "What happens in your loop to the element of the turn before?",
            "An assignment forgets, an addition collects.",
            "The line inside the loop: `+=`.",
            "acc += src[i]",
        ),
    ),
    Hint(
        "tree_every_turn",
        (
            "How many barriers does your kernel meet for one element a thread? For a hundred?",
            "A tree costs shared memory traffic and eight barriers. Additions in a register cost neither, "
            "so do all of them first and one tree at the end.",
            "Move the tree behind the loop.",
            "for i in range(...):\n    acc += src[i]\ns[t] = acc\n...   # one tree",
        ),
    ),
    *TREE,
    LAST_PAIR,
    FIRST_TURN,
    PARTNER_OUTSIDE,
    *COMMON,
)
