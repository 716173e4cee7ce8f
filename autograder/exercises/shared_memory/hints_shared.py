"""Ladders that several rungs of unit 04 share: nudge, concept, place, skeleton."""

from __future__ import annotations

from autograder.contract import Hint

SHARED_SHAPE = Hint(
    "shared_shape",
    (
        "When does numba need the size of the tile, and when do you know it?",
        "A static shared array is part of the compiled kernel. Its shape has to be literal integers, or names of "
        "integers that exist before the kernel is compiled; arithmetic inside the shape counts as neither.",
        "Do the arithmetic above the kernel, give the result a name, and use the bare name in the shape.",
        "SIDE = TILE + 1\n\n@cuda.jit\ndef ...:\n    tile = cuda.shared.array((TILE, SIDE), float32)",
    ),
)
BARRIER_IN_BRANCH = Hint(
    "barrier_in_branch",
    (
        "Which threads of the last block reach your `cuda.syncthreads()`, and which never do?",
        "A barrier waits for every thread of the block. At a ragged edge a guard keeps some of them out, and the "
        "others wait for threads that never come.",
        "End the guard before the barrier: the barrier stands at the depth of the `if`, and a second guard follows.",
        "if ...:\n    tile[...] = ...\ncuda.syncthreads()   # every thread arrives\nif ...:\n    ... = tile[...]",
    ),
)
BANK_CONFLICTS = Hint(
    "bank_conflicts",
    (
        "Take lanes 0 and 1 of a warp. How many words apart are the cells that they use?",
        "Shared memory has 32 banks, and word w lies in bank w % 32. Down a column the cells are one row apart: with "
        "rows of 32 words that is always the same bank, and 32 lanes queue up at it.",
        "Look at the line where the lane's own index, `tx`, comes first in the brackets of the tile.",
        "# bank of tile[tx, y] with rows of P words: (P * tx + y) % 32",
    ),
)
NO_GUARD = Hint(
    "no_guard",
    (
        "The verdict names a thread and an index. Which axis is too small for it?",
        "Blocks come whole, so the last ones stick out at the right edge and at the bottom. The loads ask about the "
        "shape of src, the stores about the shape of dst, and each axis needs a question of its own.",
        "Put the named access under one `if` with both questions; in a loop, ask about the row of this turn.",
        "if row + k < src.shape[0] and col < src.shape[1]:\n    ...",
    ),
)
NEGATIVE_INDEX = Hint(
    "negative_index",
    (
        "Which thread of block 0 computes the smallest index, and what is it?",
        "A negative index is no error in a kernel: numba counts it from the end of the array, as Python does. The "
        "first halo then quietly holds the last elements.",
        "Bring the index up to 0 with `max` before you read, as you bring it down to the last one with `min`.",
        "src[min(max(i, 0), src.size - 1)]",
    ),
)
OFF_BY_ONE = Hint(
    "off_by_one",
    (
        "What is the largest index that the named line computes, and how long is that axis of the tile?",
        "Cells run from 0 to the length minus one. A tile with a halo has its first own cell behind the halo, so "
        "everything in it is shifted by the width of the halo.",
        "Write down the smallest and the largest index of the named access: both must lie inside the tile.",
        "tile[t + RADIUS]   # the own element of thread t; its neighbours are t to t + 2 * RADIUS",
    ),
)
WRONG_FORMULA = Hint(
    "wrong_formula",
    (
        "Take the first wrong element of the verdict and work it out by hand. Which term differs?",
        "Three index systems meet here: the array's, the block's and the tile's. Most wrong sums come from an index "
        "of one of them used in another.",
        "Write beside each index which of the three it belongs to, and look for the line that mixes two.",
        "own cell of the tile = place in the block + width of the halo",
    ),
)


def without(hints: tuple[Hint, ...], *misconceptions: str) -> tuple[Hint, ...]:
    """The ladders but those for which an exercise has one of its own."""
    return tuple(hint for hint in hints if hint.misconception not in misconceptions)


def missing_barrier(who: str) -> Hint:
    """The ladder for a tile that is read too early. who: two threads of this exercise, as a question."""
    return Hint(
        "missing_barrier",
        (
            who,
            "The warps of a block run in any order. `cuda.syncthreads()` is the line at which a block waits for all "
            "of its threads; what they wrote to shared memory before it can be read after it.",
            "Put one barrier between the last line that fills the tile and the first line that reads it.",
            "tile[...] = ...\ncuda.syncthreads()   # all that the block wrote is there now\n... = tile[...]",
        ),
    )


def too_much_traffic(per_thread: str, skeleton: str) -> Hint:
    """The ladder for elements that are asked for again and again. per_thread: what a thread may load."""
    return Hint(
        "too_much_traffic",
        (
            "The result is right. How many threads of your block load the same element from `src`?",
            "Neighbouring threads need nearly the same elements. One load into the tile serves them all, since the "
            "whole block can read what any of its threads put there.",
            f"Let `src` appear only where the tile is filled. {per_thread}",
            skeleton,
        ),
    )
