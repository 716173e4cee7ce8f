"""Hints of unit 06, by exercise. Each ladder answers one mistake: nudge, concept, place, skeleton."""

from __future__ import annotations

from autograder.exercise import Hint
from autograder.exercises.hints.common import COMMON

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
            "The tree costs nine barriers. How can one tree serve more than 256 elements?",
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
            "A tree costs shared memory traffic and nine barriers. Additions in a register cost neither, "
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
GRID_SUM = (
    Hint(
        "start",
        (
            "What did the end of the first launch do for the second one? What could do that within a launch?",
            "`cuda.cg.this_grid().sync()` is a barrier for all blocks: nobody passes until everybody has "
            "come, and what was written before it is visible behind it. All blocks must fit on the GPU at "
            "once.",
            "Three parts: every block's sum into `partial`, the barrier, one thread that adds up `partial`.",
            "if cuda.threadIdx.x == 0:\n    partial[cuda.blockIdx.x] = ...\ncuda.cg.this_grid().sync()\n"
            "if cuda.grid(1) == 0:\n    ...\n    total[0] = acc",
        ),
    ),
    Hint(
        "grid_order",
        (
            "Block 0 reads what block 2 writes. Which line makes block 0 wait for block 2?",
            "`cuda.syncthreads()` joins the threads of one block. Only a barrier of the grid joins the blocks.",
            "Between the line that writes `partial` and the line that reads it, outside any `if`.",
            "cuda.cg.this_grid().sync()",
        ),
    ),
    Hint(
        "barrier_in_branch",
        (
            "Which threads reach your barrier of the grid?",
            "The barrier counts everybody: all threads of all blocks. Those that return early, or skip a "
            "branch, keep the others waiting for ever.",
            "Move the barrier out of the `if`; let only the work behind it be conditional.",
            "cuda.cg.this_grid().sync()   # at the depth of the function\nif cuda.grid(1) == 0:\n    ...",
        ),
    ),
    Hint(
        "first_partial",
        (
            "How many blocks left a number in `partial`? How many of them do you add?",
            "Behind the barrier all of `partial` is there: one number a block.",
            "The last part of the kernel: a loop over `partial.size`.",
            "for b in range(partial.size):\n    acc += partial[b]",
        ),
    ),
    Hint(
        "too_many_atomics",
        (
            "Does your kernel need both an atomic and a barrier of the grid?",
            "Behind the barrier one thread can read every partial sum, in a fixed order, and write the total once.",
            "Replace the atomic by a store to `partial[cuda.blockIdx.x]` before the barrier.",
            "partial[cuda.blockIdx.x] = acc",
        ),
    ),
    Hint(
        "output_accumulates",
        (
            "What was in `total` before the first addition?",
            "An output comes with whatever was in it, and an atomic adds to that.",
            "Let one thread write `total[0]` once, behind the barrier.",
            "if cuda.grid(1) == 0:\n    ...\n    total[0] = acc",
        ),
    ),
    NEVER_WRITTEN,
    MISSING_BARRIER,
    WARP_MASK,
    LOST_UPDATE,
    FLOAT64,
    *COMMON,
)
ARGMAX = (
    Hint(
        "start",
        (
            "A sum carries one number from lane to lane. What must a maximum carry, if you want to know where it was?",
            "Carry the pair (value, index). Each comparison takes the whole pair or leaves it.",
            "`beats` says when one pair replaces another: larger, or equal and earlier, or NaN. Then it "
            "is the last kernel, with two shuffles in each turn.",
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
            "How often does one turn of your loop read `src[i]`?",
            "Each `src[i]` in the source may be a load from global memory. An element that is compared "
            "and then kept should be loaded once, into a register.",
            "The loop: give the element a name, and use the name.",
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
            "Two kernels. Rows: one warp a row, then `warp_total`. Columns: one lane a column, several "
            "warps share the rows and meet in shared memory.",
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
            "Add up in a register or in shared memory, and write the output once.",
            "col_sums[col] = acc",
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
