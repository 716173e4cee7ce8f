"""Hints of the rungs with shuffles and with several launches."""

from __future__ import annotations

from autograder.contract import Hint
from autograder.exercises.hints.common import COMMON
from autograder.exercises.reductions.hints_shared import (
    BARRIER_IN_BRANCH,
    FLOAT64,
    MISSING_BARRIER,
    NEVER_WRITTEN,
    NO_GUARD,
    SHUFFLE_DIRECTION,
    WARP_MASK,
)

HALF_WARP = Hint(
    "half_a_warp",
    (
        "Lane 20's value: in which turn does it start its way to lane 0?",
        "The distances are 16, 8, 4, 2 and 1. Without 16, lanes 16 to 31 never reach lane 0.",
        "The line that sets `d` before the loop.",
        "d = 16",
    ),
)
WARP_SYNC = Hint(
    "warp_sync",
    (
        "Lane 3 reads the cell of lane 19. Both are in one warp: who promised that lane 19 wrote first?",
        "Since Volta the lanes of a warp may run apart. Only `cuda.syncwarp()` (or a barrier) orders "
        "their shared memory; a shuffle needs neither, because it moves registers and waits for its lanes.",
        "Replace the shared array in the last turns by shuffles, or put `cuda.syncwarp()` between the turns.",
        "value += cuda.shfl_down_sync(FULL_WARP, value, d)",
    ),
)
SHARED_TRAFFIC = Hint(
    "shared_traffic",
    (
        "How many shared memory accesses does your kernel make? The target is none.",
        "A shuffle hands a register from lane to lane. No memory is involved, so there are no banks and "
        "nothing to wait for.",
        "Remove the shared array; keep the value in `acc` and fetch the partner's with a shuffle.",
        "d = 16\nwhile d > 0:\n    acc += cuda.shfl_down_sync(FULL_WARP, acc, d)\n    d //= 2",
    ),
)
WARP_SUM = (
    Hint(
        "start",
        (
            "After your grid-stride loop, 32 registers of a warp hold 32 sums. Can lane 0 get them without memory?",
            "`cuda.shfl_down_sync(mask, value, d)` returns the value of the lane d above. Five of them, "
            "with d = 16, 8, 4, 2 and 1, are a tree.",
            "Two functions: `warp_total` is the tree of shuffles, `warp_sum` the loop of the last rung "
            "followed by it. Lane 0 writes.",
            "d = 16\nwhile d > 0:\n    value += cuda.shfl_down_sync(FULL_WARP, value, d)\n    d //= 2\nreturn value",
        ),
    ),
    WARP_MASK,
    SHUFFLE_DIRECTION,
    HALF_WARP,
    Hint(
        "lanes_alone",
        (
            "Each result is the sum of one lane. Where do the other 31 go?",
            "Each lane sees its own registers only. A shuffle is how a value gets from one lane to another.",
            "Between the loop and the line that writes `partial`.",
            "acc = warp_total(acc)",
        ),
    ),
    Hint(
        "lost_update",
        (
            "How many lanes of a warp write to the same cell of `partial`, and do they all hold the same value?",
            "After shuffles that move values down, lane 0 has the sum and the others have parts of it. "
            "When all write, nobody knows whose value stays.",
            "The line that writes `partial`: let lane 0 do it.",
            "if cuda.grid(1) % WARP == 0:\n    partial[cuda.grid(1) // WARP] = acc",
        ),
    ),
    WARP_SYNC,
    SHARED_TRAFFIC,
    FLOAT64,
    *COMMON,
)
DEVICE_SUM = (
    Hint(
        "start",
        (
            "2^28 numbers become a few thousand. What do you do with a few thousand numbers?",
            "The same again: a second launch with one block sums the partial sums. A launch sees "
            "everything that the launch before it wrote.",
            "A kernel that sums a grid's share and leaves one number a block, and a host function that "
            "launches it twice.",
            "sum_pass[n_blocks, 512](src, partial)\nsum_pass[1, 512](partial[:n_blocks], total)",
        ),
    ),
    Hint(
        "grid_order",
        (
            "Block 0 reads what block 7 writes. Has block 7 even started?",
            "Blocks of one launch run in any order, and `cuda.syncthreads()` joins the threads of one "
            "block only. The end of a launch is what orders all of them.",
            "Move the summing of `partial` into a second launch.",
            "sum_pass[n_blocks, 512](src, partial)\nsum_pass[1, 512](partial[:n_blocks], total)",
        ),
    ),
    Hint(
        "output_accumulates",
        (
            "Call your function twice in a row. Is the second answer the same?",
            "`total` comes with whatever was in it. An atomic adds to that.",
            "Set `total[0]` to 0 in a launch of its own before the blocks add to it, or write it once at the end.",
            "sum_pass[1, 512](partial[:n_blocks], total)   # writes, does not add",
        ),
    ),
    Hint(
        "off_by_one",
        (
            "How many cells has `partial`, and how many blocks do you launch?",
            "Each block leaves one number, so there can be at most partial.size blocks. A grid-stride "
            "loop lets few blocks visit everything.",
            "The host function: limit the number of blocks.",
            "n_blocks = max(1, min(partial.size, ceil_div(src.size, 512)))",
        ),
    ),
    Hint(
        "first_partial",
        (
            "After your kernel, `partial` holds one number a block. Who adds those up?",
            "A block cannot see what the others found before the launch is over. The host can launch "
            "again: the next kernel starts when this one is done.",
            "A second launch, of one block, with `partial` as its input and `total` as its output.",
            "sum_pass[1, 512](partial[:n_blocks], total)",
        ),
    ),
    Hint(
        "output_not_written",
        (
            "Take n = 1. How often does each of your loops run?",
            "A loop that takes four elements a turn runs only while all four exist. A short array has "
            "none of those turns, and a long one has a few elements left behind the last.",
            "Behind the loop of four: a second loop, one element a turn, from where the first one stopped.",
            "while i + 3 * step < src.size:\n    ...\n    i += 4 * step\nwhile i < src.size:\n    ...\n    i += step",
        ),
    ),
    Hint(
        "missing_tail",
        (
            "Try n = 1025. How many elements do your blocks visit?",
            "`n // 512` rounds down, and drops what does not fill a block. So does a loop that takes four "
            "elements a turn and stops before the last few.",
            "Round the number of blocks up, and finish the elements that are left in a loop of their own.",
            "n_blocks = min(partial.size, -(-src.size // 512))",
        ),
    ),
    Hint(
        "stale_partials",
        (
            "Which cells of `partial` did your first launch write? Which does the second one read?",
            "`partial` has one cell for each block that you may launch. Those of blocks that never ran hold rubbish.",
            "Hand the second launch only the cells that the first one wrote.",
            "sum_pass[1, 512](partial[:n_blocks], total)",
        ),
    ),
    Hint(
        "too_many_atomics",
        (
            "How many atomics does your kernel do for one element?",
            "Atomics on one cell happen one after the other, for the whole GPU. One a block is enough: "
            "the block adds up first.",
            "Put the atomic behind the tree, under `if t == 0`.",
            "if cuda.threadIdx.x == 0:\n    cuda.atomic.add(total, 0, acc)",
        ),
    ),
    Hint(
        "allocates_per_call",
        (
            "How many arrays does one call of yours create on the device?",
            "An allocation takes longer than summing a short array, and on the default stream it may wait for the GPU.",
            "`partial` is there already, one cell for each block that you may launch.",
            "n_blocks = max(1, min(partial.size, ...))\nsum_pass[n_blocks, 512](src, partial)",
        ),
    ),
    Hint(
        "too_many_transfers",
        (
            "Where is `total`, and where is the number you put into it?",
            "A copy to the host waits until the GPU is done, and the copy back starts from there. A "
            "kernel can do the last few additions without anybody waiting.",
            "Replace the host's arithmetic by a second launch that writes `total`.",
            "sum_pass[1, 512](partial[:n_blocks], total)",
        ),
    ),
    MISSING_BARRIER,
    BARRIER_IN_BRANCH,
    NEVER_WRITTEN,
    WARP_MASK,
    NO_GUARD,
    FLOAT64,
    *COMMON,
)
