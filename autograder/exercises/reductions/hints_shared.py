"""Ladders that several rungs of unit 06 share: nudge, concept, place, skeleton."""

from __future__ import annotations

from autograder.contract import Hint

LOST_UPDATE = Hint(
    "lost_update",
    (
        "Two threads both read 10, both add 1, both write back. What is in memory now?",
        "`total[0] += x` is three steps: read, add, write. Between a thread's read and its write, "
        "thousands of others read the same old value. An atomic does the three steps as one.",
        "Replace the `+=` on the shared cell by `cuda.atomic.add`: array, index, value.",
        "cuda.atomic.add(total, 0, ...)",
    ),
)
NO_GUARD = Hint(
    "no_guard",
    (
        "n = 1025 takes 5 blocks. How many threads of the last block have an element?",
        "A launch comes in whole blocks, so the last block has spare threads. Their index lies behind the array.",
        "Look at the line that reads `src[i]`: a spare thread must not reach it, or must take 0 instead.",
        "x = src[i] if i < src.size else float32(0)",
    ),
)
MISSING_BARRIER = Hint(
    "missing_barrier",
    (
        "Thread 3 adds a cell that thread 35 filled. How does thread 3 know that thread 35 is done?",
        "The warps of a block run in any order. `cuda.syncthreads()` is the only line at which a block "
        "waits for all of its threads, and it makes what they wrote to shared memory visible.",
        "There must be a barrier between the fill and the first turn, and between any two turns.",
        "while ...:\n    cuda.syncthreads()   # what the turn before wrote is there now\n    if ...:\n    "
        "    s[...] += s[...]",
    ),
)
BARRIER_IN_BRANCH = Hint(
    "barrier_in_branch",
    (
        "Which threads reach your `cuda.syncthreads()`, and which never do?",
        "A barrier waits for every thread of the block. When only some can get there, the others wait for "
        "ever, or the hardware gives up on the promise.",
        "Move the barrier out of the `if`, to the same depth as the `if` itself.",
        "if t < d:\n    s[t] += s[t + d]\ncuda.syncthreads()   # every thread arrives",
    ),
)
UNINITIALISED = Hint(
    "uninitialised_read",
    (
        "The tree of the last block adds all 256 cells. Who filled those behind the end of `src`?",
        "Shared memory starts with whatever an earlier block left. A tree reads every cell, so every cell "
        "needs a value, and for a sum the harmless value is 0.",
        "Give the line that fills `s[t]` an `else`.",
        "s[t] = src[i] if i < src.size else float32(0)",
    ),
)
NEVER_WRITTEN = Hint(
    "uninitialised_read",
    (
        "The verdict names an array. Who wrote to it before the line that reads it?",
        "Outputs, scratch and shared memory start with whatever was there before. `+=` and atomics read "
        "before they write, so something must have set the cell first; and nothing orders that within one "
        "launch, across blocks.",
        "Set the cell in a launch of its own before you add to it, or add up in a register and write the result once.",
        "clear[...](total)   # a launch of its own, before the blocks add to it",
    ),
)
ONLY_FIRST_BLOCK = Hint(
    "only_first_block",
    (
        "Thread 0 of block 3: which element is its own?",
        "`cuda.threadIdx.x` starts again at 0 in every block. Alone it reads the first 256 elements everywhere.",
        "The index into `src` needs the block too; the index into the shared array does not.",
        "t = cuda.threadIdx.x\ni = cuda.grid(1)",
    ),
)
BANK_CONFLICTS = Hint(
    "bank_conflicts",
    (
        "Write down the cells that lanes 0 to 3 read in your second turn. Now take each modulo 32.",
        "Shared memory has 32 banks, and cell i lies in bank i % 32. Lanes that read different cells of "
        "one bank queue up.",
        "Pair each thread with a partner d cells away, and let the threads that work be t = 0 to d - 1.",
        "d = THREADS // 2\nwhile d > 0:\n    if t < d:\n        ...   # cells t and t + d",
    ),
)
FLOAT64 = Hint(
    "float64_arithmetic",
    (
        "What type has `0`? And what type can hold both that and a float32?",
        "A variable has one type for its whole life. `acc = 0` makes an integer, `acc += src[i]` adds a "
        "float32, and the only type that holds both is float64: every addition is then done in double "
        "precision.",
        "Change the line that starts the sum.",
        "acc = float32(0)",
    ),
)

WARP_MASK = Hint(
    "warp_mask",
    (
        "Your mask names 32 lanes. Do all 32 get to the shuffle?",
        "A shuffle waits for every lane in its mask and reads their registers. A lane that returned, or "
        "sits in another branch, has nothing to give.",
        "Let spare lanes carry 0 to the shuffle. No `return`, and no `if` around the shuffle.",
        "acc = float32(0)\nfor ...:\n    acc += src[i]\n...   # every lane gets here",
    ),
)
SHUFFLE_DIRECTION = Hint(
    "shuffle_direction",
    (
        "You want the sum in lane 0. From which lanes must values travel, and which way?",
        "`shfl_down_sync(mask, value, d)` gives each lane the value of the lane d above it: values move "
        "down, to lane 0. `shfl_up_sync` moves them the other way, and lane 0 only ever sees itself.",
        "The name of the shuffle.",
        "value += cuda.shfl_down_sync(FULL_WARP, value, d)",
    ),
)
