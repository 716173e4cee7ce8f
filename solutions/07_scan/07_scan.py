# %% [markdown]
# # Scan, compact, sort
#
# **The promise:** at the end your running sum of 268 million floats reads and writes each of them once and beats the library's, your filter keeps the order of what it keeps, and your sort is made of four scans. You can say why blocks may wait for each other at all, and when they may not.
#
# **Time:** about six hours and a half in three sittings: seven rungs, 171 lines to write. Rungs 1 to 3 make the first sitting, rungs 4 and 5 the second.
# **You need:** unit 4 (shared memory, barriers) and unit 6 (trees, shuffles); from rung 5 on, unit 8 as well (atomics, fences), so read that one in between.
# Without a GPU everything is checked and counted; only times are missing.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32, int32, int64, uint32

from autograder import exercise
from autograder.notebook.intrinsics import load16, store16
from autograder.notebook.recorded import recorded
from autograder.notebook.relaxed import load_relaxed

THREADS = 256  # threads per block, in every launch of this unit
WARP = 32  # lanes per warp
WARPS = THREADS // WARP  # warps per block
FULL_WARP = 0xFFFFFFFF  # a mask that names all 32 lanes

# %% [markdown]
# ## 1. Twice as far in every iteration
#
# **Goal:** running sums of a block, in 8 iterations.
#
# A **scan** turns numbers into running sums: `9 6 7 9 6` becomes `9 15 22 31 37`. In NumPy that is `np.cumsum`. An **inclusive** scan includes each element in its own sum, an **exclusive** one leaves it out: `0 9 15 22 31`.
# Whoever has to find a place for something needs a scan: if those before me keep five elements, mine begin at place five.
#
# It looks hopelessly serial: each sum needs the one before it. But sums can be joined in any grouping. If every cell already holds the sum of the d elements that end there, then adding the cell d places before gives the sum of 2 d elements.
# So d doubles in every iteration: 1, 2, 4, ..., and 8 iterations are enough for 256 elements. This is the scan of **Hillis and Steele**.
#
# **Example.** Eight cells; in iteration d every cell from d on adds the cell d places before it:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | after d = 1 | 9 | **15** | **13** | **16** | **15** | **13** | **15** | **11** |
# | after d = 2 | 9 | 15 | **22** | **31** | **28** | **29** | **30** | **24** |
# | after d = 4 | 9 | 15 | 22 | 31 | **37** | **44** | **52** | **55** |
#
# Every cell is read by one thread and changed by another in the same iteration. So an iteration has two halves, and a barrier after each: all read, then all write.
# The cell below does the iteration d = 1 without the barrier in the middle, and steps through it: thread 32 may read what thread 31 has already changed.


# %%
@cuda.jit
def careless_turn(src, dst):
    """Iteration d = 1 with one barrier only. src, dst: (n,) float32."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = src[cuda.grid(1)] if cuda.grid(1) < src.size else float32(0)
    cuda.syncthreads()  # all cells are filled
    if t >= 1:
        s[t] += s[t - 1]  # who was first, thread t or thread t - 1?
    if cuda.grid(1) < dst.size:
        dst[cuda.grid(1)] = s[t]


q = exercise("scan.scan_hillis_steele")
q.step(careless_turn)

# %% [markdown]
# **Write** `scan_hillis_steele(src, dst)`: each block scans its own 256 elements, and begins at 0. Cells without an element hold 0.
#
# **Predict first:** how many additions do the threads of one block make in all eight iterations, if only threads from d on add?
# Begin with d = 1: which thread does not add?
#
# <details><summary>Interview question: two barriers per iteration are expensive. Can you manage with one?</summary>Yes, with two copies of the cells: read from one, write to the other, exchange them after the barrier. <b>A weak answer says</b> "leave one out, the warps run in step". <b>And then?</b> What does it cost? Twice the shared memory; and shuffles, which read all lanes before any of them writes, need neither.</details>

# %%
q = exercise("scan.scan_hillis_steele")
q.show()

# %% predict="scan_hillis_steele"
q.predict(float32_flops=1793)


# %% solution="scan_hillis_steele"
@cuda.jit
def scan_hillis_steele(src, dst):
    """dst = the running sums of each 256 elements of src, each with its own element. src, dst: (n,) float32."""
    # about 13 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()  # the cells of the iteration before are written
        x = s[t - d] if t >= d else float32(0)
        cuda.syncthreads()  # all threads have read before any of them writes
        if t >= d:
            s[t] += x
        d *= 2
    if i < dst.size:
        dst[i] = s[t]
    ### END SOLUTION


# %% check="scan_hillis_steele"
q = exercise("scan.scan_hillis_steele")
q.check(scan_hillis_steele).points

# %% [markdown]
# ## 2. Up the tree and down again
#
# **Goal:** two additions per element in place of seven.
#
# **Look back.** 1,793 additions for 256 elements; a serial loop makes 255. Hillis and Steele's scan takes few iterations and wastes work. On a machine that has more to do than threads, work counts.
#
# **Blelloch**'s scan builds the tree of sums that you know from unit 6, and keeps every sum where it arises. That is the way **up**: cell k = 2 d (t + 1) - 1 adds the cell d places before it, for d = 1, 2, 4, ...
# Then the root is replaced by 0 and the tree is walked **down**, for d = 128, ..., 2, 1. A node knows what lies before all of its elements. Its left child has the same before it; its right child has, in addition, the sum of the left one. So each pair of cells takes one step: the left cell gets what the right one held, the right one gets the sum of both.
#
# **Example.** Eight cells; what changed is bold:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | up, d = 1 | 9 | **15** | 7 | **16** | 6 | **13** | 8 | **11** |
# | up, d = 2 | 9 | 15 | 7 | **31** | 6 | 13 | 8 | **24** |
# | up, d = 4 | 9 | 15 | 7 | 31 | 6 | 13 | 8 | **55** |
# | root to 0 | 9 | 15 | 7 | 31 | 6 | 13 | 8 | **0** |
# | down, d = 4 | 9 | 15 | 7 | **0** | 6 | 13 | 8 | **31** |
# | down, d = 2 | 9 | **0** | 7 | **15** | 6 | **31** | 8 | **44** |
# | down, d = 1 | **0** | **9** | **15** | **22** | **31** | **37** | **44** | **52** |
#
# The result is exclusive: no element is in its own sum. The cell below walks one pair of a block down.

# %%
left, right = 13, 31  # the sum of the left half, and what lies before both
left, right = right, left + right
print("before the left half:", left, "  before the right half:", right)

# %% [markdown]
# **Write** `scan_blelloch(src, dst)`. Between two iterations stands a barrier; within an iteration no two threads touch the same cell, so one is enough.
#
# **Predict** the additions of a block of 256.
#
# <details><summary>Interview question: which of the two scans would you use in a warp, and which across a block?</summary>In a warp the one of Hillis and Steele: its lanes run anyway, and five iterations beat ten. Across a block neither: let each thread add up several elements by itself, and scan only the totals. <b>A weak answer says</b> "Blelloch, it is work-efficient". <b>And then?</b> What do its banks cost? At d = 16 the cells of the eight lanes that are left are 32 apart, all in one bank; padding one cell per 32 cures that.</details>

# %%
q = exercise("scan.scan_blelloch")
q.show()

# %% predict="scan_blelloch"
q.predict(float32_flops=510)


# %% solution="scan_blelloch"
@cuda.jit
def scan_blelloch(src, dst):
    """dst = the running sums of each 256 elements of src, each without its own element. src, dst: (n,) float32."""
    # about 25 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:  # up: sums of two, of four, of eight
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            s[k] += s[k - d]
        d *= 2
    cuda.syncthreads()
    if t == 0:
        s[THREADS - 1] = float32(0)
    d = THREADS // 2
    while d > 0:  # down: what lies before the left half, and before the right one
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            x = s[k - d]
            s[k - d] = s[k]
            s[k] += x
        d //= 2
    cuda.syncthreads()  # the last iteration's cells are written
    if i < dst.size:
        dst[i] = s[t]
    ### END SOLUTION


# %% check="scan_blelloch"
q = exercise("scan.scan_blelloch")
q.check(scan_blelloch).points

# %% [markdown]
# ## 3. Four each, then lanes, then warps
#
# **Goal:** the same for 1,024 elements, with one barrier.
#
# **Look back.** More than sixteen barriers for 256 elements, and half of the threads idle from the first iteration on. Threads are good at adding up on their own; lanes of a warp talk without a barrier. Use both:
#
# | who | scans | with |
# |---|---|---|
# | a thread | its 4 neighbours | registers: three additions |
# | a warp | the totals of its 32 threads | shuffles: five iterations of Hillis and Steele |
# | the block | the totals of its 8 warps | shared memory, one barrier |
#
# `cuda.shfl_up_sync(mask, x, d)` gives a lane the x of the lane d places before it. Lanes below d get their own x back, and must not add it.
#
# **Example** with 4 lanes that have two elements each, `9 6 | 7 9 | 6 7 | 8 3`:
#
# | | lane 0 | lane 1 | lane 2 | lane 3 |
# |---|---|---|---|---|
# | its own running sums | 9 15 | 7 16 | 6 13 | 8 11 |
# | totals after d = 1 | 15 | 31 | 29 | 24 |
# | totals after d = 2 | 15 | 31 | 44 | 55 |
# | what lies before the lane | 0 | 15 | 31 | 44 |
# | result | 9 15 | 22 31 | 37 44 | 52 55 |
#
# What lies before a lane is the scanned total of the lane before it: one more shuffle. (Subtracting the lane's own total looks shorter, and gives NaN where there is an infinity.)
#
# `load_four` and `store_four` below move four neighbours with one request of 16 bytes, and take care of the end of the array; `forceinline=True` has the compiler put such a function's body where it is called. The second cell shows what a shuffle does to lanes 0 to 3.


# %% tags=["setup"]
@cuda.jit(device=True, forceinline=True)
def load_four(src, i):
    """src[i] to src[i + 3], 0 past the end. src: float32; i: a multiple of 4."""
    if i + 4 <= src.size:
        return load16(src, i)  # one request of 16 bytes
    zero = float32(0)
    return (src[i] if i < src.size else zero, src[i + 1] if i + 1 < src.size else zero,
            src[i + 2] if i + 2 < src.size else zero, zero)


@cuda.jit(device=True, forceinline=True)
def store_four(dst, i, x):
    """dst[i] to dst[i + 3] = x, as far as there is a dst. dst: float32; i: a multiple of 4; x: 4 float32."""
    if i + 4 <= dst.size:
        store16(dst, i, x)
    else:
        if i < dst.size:
            dst[i] = x[0]
        if i + 1 < dst.size:
            dst[i + 1] = x[1]
        if i + 2 < dst.size:
            dst[i + 2] = x[2]


# %%
@cuda.jit
def one_shuffle(out):
    """out[lane] = what the lane one place before has. out: (32,) int32."""
    lane = cuda.threadIdx.x
    out[lane] = cuda.shfl_up_sync(FULL_WARP, int32(10 * lane), 1)


shuffled = cuda.to_device(np.zeros(WARP, np.int32))
one_shuffle[1, WARP](shuffled)
print(shuffled.copy_to_host()[:4])

# %% [markdown]
# **Write** `warp_scan` and `scan_block(src, dst)`. **Predict** for 4,096 elements, four blocks: how many barriers do the blocks pass, all four together? And to which element does thread 37 of block 2 store first?
#
# <details><summary>Interview question: why not 16 elements per thread, or 64?</summary>More elements per thread mean fewer shuffles and barriers per element. But they live in registers, and with 64 of them few warps fit. <b>A weak answer says</b> "more is better". <b>And then?</b> How do they get there? The 16 elements of a thread begin 64 bytes after those of the thread before, so wide loads alone are no longer coalesced: load in groups of four, a warp's width apart, or go through shared memory.</details>

# %%
q = exercise("scan.scan_block")
q.show()

# %% predict="scan_block"
q.predict(barriers=4, index=2196)


# %% solution="scan_block"
@cuda.jit(device=True)
def warp_scan(x):
    """The running sum of x over the lanes of a warp, own lane included. Every lane must call."""
    # about 7 lines
    ### BEGIN SOLUTION
    lane = cuda.threadIdx.x % WARP
    d = 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, x, d)
        if lane >= d:
            x += y
        d *= 2
    return x
    ### END SOLUTION


@cuda.jit
def scan_block(src, dst):
    """dst = the running sums of each 1,024 elements of src, four per thread. src, dst: (n,) float32."""
    # about 16 lines
    ### BEGIN SOLUTION
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    upto = warp_scan(d)
    if lane == WARP - 1:
        sums[warp] = upto
    before = cuda.shfl_up_sync(FULL_WARP, upto, 1)
    if lane == 0:
        before = float32(0)
    cuda.syncthreads()  # the totals of all warps are written
    for w in range(warp):
        before += sums[w]
    store_four(dst, first, (before + a, before + b, before + c, before + d))
    ### END SOLUTION


# %% check="scan_block"
q = exercise("scan.scan_block")
q.check(scan_block).points

# %% [markdown]
# ## 4. Three passes
#
# **Goal:** an array of any length.
#
# **Look back.** Every block began at 0. What it should begin with is the sum of all blocks before it, and that is a scan again, of one number per block.
#
# No block can wait for all others in the middle of an ordinary kernel. But the end of a kernel is a barrier for the whole grid: the next kernel on the stream sees everything. So:
#
# | pass | reads | writes |
# |---|---|---|
# | 1. add up each **piece** of 1,024 | all of `src` | one sum per piece |
# | 2. scan the sums, exclusively, in one block | the sums | the start of each piece |
# | 3. scan each piece, beginning with its start | all of `src` again | all of `dst` |
#
# Pass 1 writes no running sums: reading twice and writing once moves three numbers per element. Scanning first and adding the starts afterwards would move four.
#
# **Example.** Pieces of 4, `9 6 7 9 | 6 7 8 3 | 2 2`. Pass 1 leaves `31 24 4`. Pass 2 makes `0 31 55` of it. Pass 3 scans the second piece from 31 on: `37 44 52 55`.
#
# There may be more sums than a block has threads: pass 2 goes over them 256 at a time, and carries the total along.
# This rung and rung 7 count things, so the numbers are int32. `block_before(x)` below is rung 3 in a function: for each thread of a block of 256, what lies before it, and the block's total.


# %% tags=["setup"]
PIECE = 1024  # elements per piece


@cuda.jit(device=True)
def block_before(x):
    """(sum of x over the threads before, sum over all 256 threads of the block). x: int32; every thread must call."""
    sums = cuda.shared.array(WARPS, int32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    upto, d = x, 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, upto, d)
        if lane >= d:
            upto = int32(upto + y)  # int32 + int32 is int64 in numba
        d *= 2
    cuda.syncthreads()  # nobody still reads the totals of an earlier call
    if lane == WARP - 1:
        sums[warp] = upto
    cuda.syncthreads()  # the totals of all warps are written
    before, total = int32(upto - x), int32(0)
    for w in range(WARPS):
        if w < warp:
            before = int32(before + sums[w])
        total = int32(total + sums[w])
    return before, total


# %%
@cuda.jit
def show_before(out):
    """out[t] = what lies before thread t, where every thread has 2. out: (256,) int32."""
    out[cuda.threadIdx.x] = block_before(int32(2))[0]


places = cuda.to_device(np.zeros(THREADS, np.int32))
show_before[1, THREADS](places)
print(places.copy_to_host()[[0, 1, 2, 31, 32, 255]])

# %% [markdown]
# **Write** the three kernels and `scan_device(src, sums, dst)`, which launches them. In pass 3 a block takes its piece 256 elements at a time, like pass 2.
# `src` and `dst` may be the same array; that works if each element is read and written by one thread.
#
# **Predict** for 8,192 elements: the launches, and the bytes that are written to global memory, the sums and the starts included.
#
# <details><summary>Interview question: what if the sums of the pieces are too many for one block?</summary>One block walks over n / 1,024 sums; at 2^28 elements that is 1,024 iterations of 256, while the rest of the GPU waits. Scan the sums with the same three passes: the recursion is two levels deep for any array that fits a GPU. <b>A weak answer says</b> "use bigger blocks". <b>And then?</b> Is there a way without the recursion? Make the pieces larger: a fixed number of blocks, each with n / blocks elements, leaves as many sums as there are blocks.</details>

# %%
q = exercise("scan.scan_device")
q.show()

# %% predict="scan_device"
q.predict(kernel_launches=3, global_store_bytes=32832)


# %% solution="scan_device"
@cuda.jit
def piece_sums(src, sums):
    """sums[b] = the sum of piece b. src: (n,) int32, sums: (blocks,) int32."""
    # about 6 lines
    ### BEGIN SOLUTION
    first = cuda.blockIdx.x * PIECE
    acc = int32(0)
    for i in range(first + cuda.threadIdx.x, min(first + PIECE, src.size), THREADS):
        acc = int32(acc + src[i])
    before, total = block_before(acc)
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total
    ### END SOLUTION


@cuda.jit
def scan_sums(sums):
    """sums[b] = the sum of all pieces before b, in place, by one block. sums: (blocks,) int32."""
    # about 8 lines
    ### BEGIN SOLUTION
    start = int32(0)
    for first in range(0, sums.size, THREADS):
        i = first + cuda.threadIdx.x
        before, total = block_before(sums[i] if i < sums.size else int32(0))
        if i < sums.size:
            sums[i] = start + before
        start = int32(start + total)
    ### END SOLUTION


@cuda.jit
def scan_pieces(src, sums, dst):
    """dst = the running sums of src; piece b begins with sums[b]. All int32."""
    # about 8 lines
    ### BEGIN SOLUTION
    start = sums[cuda.blockIdx.x]
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        x = src[i] if i < src.size else int32(0)
        before, total = block_before(x)
        if i < dst.size:
            dst[i] = start + before + x
        start = int32(start + total)
    ### END SOLUTION


def scan_device(src, sums, dst):
    """dst = the running sums of src, for any length. src, dst: (n,), sums: (pieces,), all int32 on the device."""
    # about 4 lines
    ### BEGIN SOLUTION
    pieces = max(1, -(-src.size // PIECE))
    piece_sums[pieces, THREADS](src, sums)
    scan_sums[1, THREADS](sums[:pieces])
    scan_pieces[pieces, THREADS](src, sums, dst)
    ### END SOLUTION


# %% check="scan_device"
q = exercise("scan.scan_device")
q.check(scan_device).points

# %% [markdown]
# ## 5. One pass
#
# **Goal:** read everything once, write everything once.
#
# **Look back.** Three passes move three numbers per element; a copy moves two.
# To do with two, a block must learn its start while it still holds its elements in registers. Only blocks that run at the same time can tell it.
#
# **A chain.** Block b waits until block b - 1 has left the sum of everything up to its own end.
# It adds its own sum, and leaves the result for block b + 1. This is a **chained scan**. It is right, and slow: one block after the other.
#
# **Decoupled look-back.** The part of the array that a block works on is its **tile**. A block leaves two numbers, one after the other:
#
# - at once, the sum of its tile, for which it needs nobody;
# - later, its **prefix**: the sum of everything up to the end of its tile.
#
# In between it looks back, at tile b - 1, then b - 2, and so on.
# Where it finds a sum, it adds it and looks further; where it finds a prefix, it adds it and stops.
# So no block waits for the whole chain: where prefixes come late, it reads more sums instead.
#
# **Example.** Tile sums 31, 24, 4, 6. Tile 3 looks when tile 0 has its prefix and the others only their sums:
#
# | looks at | finds | adds | total |
# |---|---|---|---|
# | tile 2 | sum 4 | 4 | 4 |
# | tile 1 | sum 24 | 24 | 28 |
# | tile 0 | prefix 31 | 31, and stops | 59: the start of tile 3; its prefix is 65 |
#
# **What must hold.** A block that waits for others relies on three things.
#
# **What it reads is whole.** Beside each number stands a **flag**: nothing yet, a sum, or a prefix.
# If the two were stored apart, the flag could be seen before its number, unless fences keep the order, as in unit 8.
# In **one word of 64 bits** they cannot come apart: one atomic writes both, one load reads both, and no fence is needed.
#
# **Those it waits for have started.** A GPU holds some of the blocks at a time, nothing says which, and a block leaves only when it has ended.
# If all that are there wait for one that has no place yet, nobody ever moves.
# So a block does not work on the tile `blockIdx.x` but draws a **ticket**: the number of blocks that began before it. Whoever has a lower ticket has started already.
#
# **Those that have started go on**, however many others wait in a loop. This is **forward progress**: CUDA promises it to blocks that have started, and to the lanes of a warp since Volta.
#
# **Find the bug.** Two drafts of a chained scan: one thread of each block waits for the block before, and hands on. Each has a mistake, and both would pass most tests on most GPUs.
# **Predict first:** which line is wrong in each, and what happens? Then run the cells.


# %% tags=["setup"]
TILE = 4096  # elements per block, 16 per thread
SHARE = TILE // WARPS  # of them for each warp
SUM, PREFIX = 1, 2  # what a tile has left; 0: nothing yet


@cuda.jit(device=True, forceinline=True)
def word_of(flag, x):
    """A flag and the 32 bits of x, in one int64. x: float32."""
    return int64(flag) << 32 | int64(cuda.libdevice.float_as_int(x)) & 0xFFFFFFFF


@cuda.jit(device=True, forceinline=True)
def value_in(word):
    """The float32 in the lower half of a word; the flag is `word >> 32`."""
    return cuda.libdevice.int_as_float(int32(word & 0xFFFFFFFF))


@cuda.jit(device=True, forceinline=True)
def peek(state, i):
    """state[i] as it is now: a relaxed load, which no compiler and no cache answers with an old one."""
    return load_relaxed(state, i)


@cuda.jit(device=True)
def wait_for(state, at):
    """The word of tile `at`, each lane its own, as soon as all 32 hold something. Every lane of a warp must call."""
    word = int64(PREFIX) << 32  # before the first tile: a prefix of 0
    if at >= 0:
        word = peek(state, at)
    while cuda.any_sync(FULL_WARP, word >> 32 == 0):  # they have started, so they will leave something
        if word >> 32 == 0:
            word = peek(state, at)
    return word


@cuda.jit(device=True)
def warp_total(x):
    """The sum of x over the lanes of a warp, for all of them. Every lane must call."""
    d = WARP // 2
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def scan_four(x):
    """(four running sums within the 128 elements of a warp, their total). x: this lane's four neighbours."""
    lane = cuda.threadIdx.x % WARP
    b = x[0] + x[1]
    c = b + x[2]
    upto, d = c + x[3], 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, upto, d)
        if lane >= d:
            upto += y
        d *= 2
    before = cuda.shfl_up_sync(FULL_WARP, upto, 1)
    if lane == 0:
        before = float32(0)
    return (before + x[0], before + b, before + c, upto), cuda.shfl_sync(FULL_WARP, upto, WARP - 1)


@cuda.jit(device=True, forceinline=True)
def scan_tile(src, tile):
    """A block's tile of 4,096: its running sums, 16 per thread, which stay in registers, and its total. All call."""
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = tile * TILE + warp * SHARE + 4 * lane
    x0, x1 = load_four(src, first), load_four(src, first + 128)  # a warp has 512 neighbours, in four groups of 128
    x2, x3 = load_four(src, first + 256), load_four(src, first + 384)
    x0, total0 = scan_four(x0)
    x1, total1 = scan_four(x1)
    x2, total2 = scan_four(x2)
    x3, total3 = scan_four(x3)
    total1 += total0
    total2 += total1
    if lane == 0:
        sums[warp] = total2 + total3
    cuda.syncthreads()  # the totals of all warps are written
    before = total = float32(0)
    for w in range(WARPS):
        if w == warp:
            before = total
        total += sums[w]
    return (plus(x0, before), plus(x1, before + total0), plus(x2, before + total1), plus(x3, before + total2)), total


@cuda.jit(device=True, forceinline=True)
def plus(x, y):
    """Four numbers, y more each."""
    return x[0] + y, x[1] + y, x[2] + y, x[3] + y


@cuda.jit(device=True, forceinline=True)
def store_tile(dst, tile, sums, start):
    """Write what `scan_tile` returned, `start` more each, to the tile's place in dst."""
    first = tile * TILE + cuda.threadIdx.x // WARP * SHARE + 4 * (cuda.threadIdx.x % WARP)
    store_four(dst, first, plus(sums[0], start))
    store_four(dst, first + 128, plus(sums[1], start))
    store_four(dst, first + 256, plus(sums[2], start))
    store_four(dst, first + 384, plus(sums[3], start))


# %%
@cuda.jit
def draft(src, state, ticket, dst):
    """Each block waits for the one before it. Wrong."""
    start = cuda.shared.array(1, float32)
    tile = cuda.blockIdx.x
    sums, total = scan_tile(src, tile)
    if cuda.threadIdx.x == 0:
        waiting = True
        while waiting:
            word = peek(state, tile - 1) if tile > 0 else word_of(PREFIX, float32(0))
            if word >> 32 == PREFIX:
                start[0] = value_in(word)
                cuda.atomic.exch(state, tile, word_of(PREFIX, start[0] + total))
                waiting = False
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


q = exercise("scan.scan_lookback")
q.check(draft);

# %% [markdown]
# It gets arrays of one or two tiles right, and hangs at three: in one of its runs the interpreter has room for only two blocks at a time, and it starts blocks in any order, as CUDA allows. (The blocks that the verdict counts are those of a second run, with room for one.) The line that is wrong is `tile = cuda.blockIdx.x`.
#
# The second draft draws its tile. It leaves the prefix in `dst`, where it is needed anyway, and only a flag in `state`.


# %%
@cuda.jit
def second_draft(src, state, ticket, dst):
    """Each block waits for the one before it, whose last running sum is the start. Wrong."""
    start = cuda.shared.array(2, float32)
    if cuda.threadIdx.x == 0:
        start[1] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = int(start[1])
    sums, total = scan_tile(src, tile)
    if cuda.threadIdx.x == 0:
        waiting = True
        while waiting:
            if tile == 0 or peek(state, tile - 1) != 0:
                start[0] = dst[tile * TILE - 1] if tile > 0 else float32(0)
                if (tile + 1) * TILE <= dst.size:
                    dst[(tile + 1) * TILE - 1] = start[0] + total
                cuda.atomic.exch(state, tile, 1)
                waiting = False
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


q.check(second_draft);

# %% [markdown]
# The flag may be seen before the number: nothing orders the two writes, so the next block may start from what was in `dst` before. Two fences (unit 8) would keep the order, one between the two writes and one between the two reads; one word for both needs none.
#
# **Write** `look_back` and `scan_lookback`. One warp looks back, 32 tiles at a time: lane 0 takes the nearest one. `wait_for` above gives each lane the word of its tile, as soon as all 32 have one. `cuda.ballot_sync` then tells which lanes have a prefix; the nearest prefix counts, and so does every sum nearer than it; what lies further back is in that prefix already. Tiles before the first count as a prefix of 0.
# How does a lane look at a word that another block is about to change? A plain load will not do: the compiler may load once and go round forever, and a multiprocessor may answer from its own cache. An atomic that adds 0 is sure, and costs as much as any atomic. `peek` uses a **relaxed load**, `ld.relaxed` in machine code: it asks the L2 cache, which all blocks share, and orders nothing else.
# `warp_total` adds up a warp, as in unit 6. `scan_tile` and `store_tile` above are rung 3 with 16 elements per thread, in registers from the load to the store.
#
# | in `scan_lookback` | who | why |
# |---|---|---|
# | draw a ticket, tell the block | thread 0, barrier | the block's tile |
# | `scan_tile` | all | running sums within the tile, and its total |
# | leave the total as a SUM | lane 0 of warp 0 | before looking back: others need it |
# | `look_back`, leave the PREFIX | warp 0 | the start |
# | tell the block its start, `store_tile` | all, barrier | |
#
# **Predict** for 20,000 elements: how many bytes are loaded from global memory, atomics and relaxed loads not counted?
#
# <details><summary>Interview question: does look-back give the same bits every time?</summary>For whole numbers, yes. For floats, no: how many sums a block adds up before it finds a prefix depends on who was quick, and float addition rounds. <b>A weak answer says</b> "yes, the order of tiles is fixed". <b>And then?</b> What if you need the same bits? Use three passes, or scan in a type whose additions are exact.</details>

# %% predict="scan_lookback"
q = exercise("scan.scan_lookback")
q.show()
q.predict(global_load_bytes=80000)


# %% solution="scan_lookback"
@cuda.jit(device=True)
def look_back(state, tile):
    """The sum of all tiles before `tile`, for every lane of the one warp that calls. state: (tiles,) int64."""
    # about 11 lines
    ### BEGIN SOLUTION
    lane = cuda.threadIdx.x % WARP
    before, found = float32(0), 0
    at = tile - 1 - lane  # lane 0 has the nearest tile
    while found == 0:
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        nearest = cuda.ffs(found) - 1
        counts = found == 0 or lane <= nearest  # further back: in the prefix already
        before += warp_total(value_in(word) if counts else float32(0))
        at -= WARP
    return before
    ### END SOLUTION


@cuda.jit
def scan_lookback(src, state, ticket, dst):
    """dst = the running sums of src in one pass. src, dst: (n,) float32, state: (tiles,) int64, ticket: (1,) int32."""
    # about 17 lines
    ### BEGIN SOLUTION
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()  # the tile is known to all
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()  # the start is known to all
    store_tile(dst, tile, sums, start[0])
    ### END SOLUTION


# %% check="scan_lookback"
q = exercise("scan.scan_lookback")
q.check(scan_lookback).points

# %% race="scan_lookback"
q = exercise("scan.scan_lookback")
q.race(scan_lookback).points

# %% [markdown]
# ## 6. Keep some, close the gaps
#
# **Goal:** `x[x > 0]`, in order, in one pass.
#
# **Look back.** A scan of floats, read once. Now every element has a yes or a no, and a kept element's place is the number of kept elements before it: an exclusive scan of ones and zeros. This is **stream compaction**. Filters, particles that are still alive, rays that hit something, the nodes of the next level of a search: all are compactions.
#
# An atomic counter would hand out places as well, but in the order of arrival.
#
# Ones and zeros scan quicker than floats: `cuda.ballot_sync(mask, keep)` gives all lanes a number whose bit l is lane l's answer. `cuda.popc` counts its ones, and those below a lane's own bit are the lanes before it.
#
# **Example.** Eight lanes hold `5 -2 0 7 1 -3 -1 4`:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | keep | 1 | 0 | 0 | 1 | 1 | 0 | 0 | 1 |
# | ballot, lane 7 first | 1 0 0 1 1 0 0 1 | | | | | | | |
# | kept lanes before | 0 | | | 1 | 2 | | | 3 |
#
# A warp takes its 512 elements in 16 iterations of 32, and adds up what it has kept so far. Written straight to `dst`, the kept elements of an iteration would make a short, ragged store. So each warp closes the gaps in shared memory first; when the start is known, its lanes write neighbours.
# The counts of the tiles go through the same look-back, as whole numbers in the lower half of the word.
#
# The cell shows a ballot.


# %%
@cuda.jit
def one_ballot(src, places):
    """places[lane] = how many lanes before have something above 0. src: (32,) float32, places: (32,) int32."""
    lane = cuda.threadIdx.x
    votes = cuda.ballot_sync(FULL_WARP, src[lane] > 0)
    places[lane] = cuda.popc(votes & ((1 << lane) - 1))


eight = np.zeros(WARP, np.float32)
eight[:8] = 5, -2, 0, 7, 1, -3, -1, 4
places = cuda.to_device(np.zeros(WARP, np.int32))
one_ballot[1, WARP](cuda.to_device(eight), places)
print(places.copy_to_host()[:8])


# %% tags=["setup"]
@cuda.jit(device=True)
def draw_tile(ticket):
    """The tile of a block, for all of its threads; every thread must call."""
    drawn = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()  # the tile is known to all
    return drawn[0]


@cuda.jit(device=True)
def warps_before(n):
    """(sum of n over the warps before, sum over the block). n: int32, the same in all lanes of a warp; all call."""
    counts = cuda.shared.array(WARPS, int32)
    warp = cuda.threadIdx.x // WARP
    if cuda.threadIdx.x % WARP == 0:
        counts[warp] = n
    cuda.syncthreads()  # the numbers of all warps are written
    before = total = int32(0)
    for w in range(WARPS):
        if w == warp:
            before = total
        total = int32(total + counts[w])
    return before, total


@cuda.jit(device=True, forceinline=True)
def leave(state, tile, flag, n):
    """Lane 0 of the warp that calls leaves a flag and a count, as one word. n: a whole number, state: int64."""
    if cuda.threadIdx.x % WARP == 0:
        cuda.atomic.exch(state, tile, int64(flag) << 32 | n)


@cuda.jit(device=True, forceinline=True)
def told_by_first_warp(n):
    """The n of warp 0, for every thread of the block. n: int32; all must call, and wait for warp 0 and each other."""
    told = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        told[0] = n
    cuda.syncthreads()  # the number is known to all, and whatever else the warps have written
    return told[0]


@cuda.jit(device=True, forceinline=True)
def load_sixteen(x, src, tile, past):
    """x[k] = this lane's element of iteration k of its warp's share of a tile, `past` where src has ended. x: 16 like src."""
    first = tile * TILE + cuda.threadIdx.x // WARP * SHARE + cuda.threadIdx.x % WARP
    if (tile + 1) * TILE <= src.size:  # a whole tile: 16 loads on their way, and no question between them
        for k in range(16):
            x[k] = src[first + k * WARP]
    else:
        for k in range(16):
            x[k] = src[first + k * WARP] if first + k * WARP < src.size else past


# %% [markdown]
# **Write** `count_before` and `compact(src, limit, state, ticket, dst, count)`. For `count_before`, copy your `look_back` and change what it adds up: whole numbers in place of floats.
# In `compact`, closing the gaps is new. What you wrote before is given: `leave` leaves a word, `told_by_first_warp` hands the start to the block.
# The block of the last tile knows how many were kept in all.
# No comparison with NaN is true, so NaN is never kept. And the limit is not above itself, so it is a good value for a lane past the end.
# `load_sixteen` fetches all 16 elements of a thread into a local array, whose cells are registers; then vote: the loads are on their way together, and each element is read once.
#
# **Predict** what lane 5 prints for another ballot: `print(cuda.popc(0b1101101 & ((1 << 5) - 1)), cuda.popc(0b1101101))`.
# What do the two numbers tell a lane that closes the gaps?
# And aloud: half of the elements are kept. How many bytes cross per element, read and written?
#
# <details><summary>How many bytes?</summary>Each element is read once, 4 bytes, and every second one is written, 2 bytes per element: 6, where a copy moves 8.</details>
#
# <details><summary>Interview question: how would you split instead, the kept ones to the front and the others after them?</summary>The place of an element that is not kept is its index minus the kept ones before it, counted from the end of the kept ones; that total must be known first, or the others are written from the back. <b>A weak answer says</b> "compact twice". <b>And then?</b> Splitting by one bit is a sort by that bit. What happens if you split by every bit, the lowest first? The keys are sorted: rung 7.</details>

# %% predict="compact"
q = exercise("scan.compact")
q.show()
q.predict(prints="3 5")


# %% solution="compact"
@cuda.jit(device=True)
def count_before(state, tile):
    """The counts of all tiles before `tile` added up, for every lane of the one warp that calls. state: int64."""
    # about 10 lines, 8 of them as in look_back
    ### BEGIN SOLUTION
    lane = cuda.threadIdx.x % WARP
    before, found = int32(0), 0
    at = tile - 1 - lane
    while found == 0:
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        counts = found == 0 or lane < cuda.ffs(found)
        before = int32(before + warp_total(int32(word & 0xFFFFFFFF) if counts else int32(0)))
        at -= WARP
    return before
    ### END SOLUTION


@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    """dst = the elements of src above limit, in order; count[0] = how many. src, dst: (n,) float32, state: int64."""
    kept = cuda.shared.array((WARPS, SHARE), float32)
    x = cuda.local.array(16, float32)
    # about 20 lines
    ### BEGIN SOLUTION
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    load_sixteen(x, src, tile, limit)
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    start = int32(0)
    if warp == 0:
        leave(state, tile, SUM, total)
        start = count_before(state, tile)
        leave(state, tile, PREFIX, start + total)
    start = told_by_first_warp(start)  # and every warp has closed its gaps
    if cuda.threadIdx.x == 0 and tile == cuda.gridDim.x - 1:
        count[0] = start + total
    for k in range(lane, n, WARP):
        dst[start + before + k] = kept[warp, k]
    ### END SOLUTION


# %% check="compact"
q = exercise("scan.compact")
q.check(compact).points

# %% race="compact"
q = exercise("scan.compact")
q.race(compact).points

# %% [markdown]
# ## 7. Four scans make a sort
#
# **Goal:** sort 32-bit keys with what you have.
#
# **Look back.** Compaction splits by a yes or a no. A **radix sort** splits by a digit: first by the lowest one, then, without changing the order of equal digits, by the next. Keeping that order is called **stable**, and it is what makes the sort right: after the last round, keys with equal high digits are still in the order of the low ones.
#
# **Example** with decimal digits, `52 17 31 12 37 11`:
#
# | round | the keys |
# |---|---|
# | by ones | 3**1** 1**1** 5**2** 1**2** 1**7** 3**7** |
# | by tens | **1**1 **1**2 **1**7 **3**1 **3**7 **5**2 |
#
# With digits of 8 bits a 32-bit key takes four rounds. One round is three steps:
#
# 1. **Count:** how often each of the 256 digits occurs in each tile of 4,096 keys. `counts[digit * tiles + tile]`: all tiles of digit 0 first, then all of digit 1.
# 2. **Scan** the counts, in place: with this layout, what lies before a count is where that tile's keys with that digit begin. `scan_device` does it.
# 3. **Scatter:** each key goes to where its digit's keys of its tile begin, plus how many equal digits come before it in the tile.
#
# For the last number each warp goes through its 512 keys 32 at a time, in order. `cuda.match_any_sync(mask, digit)` tells a lane which lanes have the same digit; those below it come before. A row of 256 counters per warp remembers the iterations before. At the end `starts_of_warps`, given below, adds up the rows, so that each counter says where its warp's keys begin.
#
# Keys with one digit lie all over a tile, so a warp that stored its 32 keys where they belong would write to almost 32 places. Each key goes to shared memory first, to its place in the *sorted tile*; from there `write_runs` stores neighbours side by side: with digits spread evenly, 16 keys per digit, two or three sectors.
#
# The cell shows who matches whom.


# %%
@cuda.jit
def who_matches(digits, lower):
    """lower[lane] = how many lanes before have the same digit. digits, lower: (32,) int32."""
    lane = cuda.threadIdx.x
    peers = cuda.match_any_sync(FULL_WARP, digits[lane])
    lower[lane] = cuda.popc(peers & ((1 << lane) - 1))


lower = cuda.to_device(np.zeros(WARP, np.int32))
who_matches[1, WARP](cuda.to_device(np.arange(WARP, dtype=np.int32) % 5), lower)
print(lower.copy_to_host()[:12])

# %% tags=["setup"]
DIGITS = 256  # values of a digit of 8 bits


@cuda.jit
def count_digits(keys, counts, shift):
    """counts[d * tiles + b] = how many keys of tile b have digit d at `shift`. keys: (n,) uint32, counts: int32."""
    s = cuda.shared.array(DIGITS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()  # every counter is cleared
    first = cuda.blockIdx.x * TILE
    for i in range(first + t, min(first + TILE, keys.size), THREADS):
        cuda.atomic.add(s, (keys[i] >> shift) & 255, 1)
    cuda.syncthreads()  # all threads have counted
    counts[t * cuda.gridDim.x + cuda.blockIdx.x] = s[t]


@cuda.jit(device=True, forceinline=True)
def digit_of(key, shift):
    """The digit of a key at `shift`. key: uint32. Returns: int32."""
    return int32((key >> shift) & 255)


@cuda.jit(device=True, forceinline=True)
def clear_counters(seen):
    """seen = 0. seen: (8, 256) int32 in shared memory; every thread must call, and may count afterwards."""
    for w in range(WARPS):
        seen[w, cuda.threadIdx.x] = 0
    cuda.syncthreads()  # every counter is cleared


@cuda.jit(device=True, forceinline=True)
def starts_of_warps(seen, ends, base):
    """Counters become places: seen[w, d] = where warp w's keys with digit d begin in the sorted tile.

    base[d] + such a place = the place in the output. Every thread must call. seen: (8, 256) int32 in shared memory, the
    keys that each warp has met, base: (256,) int32 as well; ends: the running sums of the tiles' counts.
    """
    t = cuda.threadIdx.x
    cuda.syncthreads()  # all warps have counted
    n_keys = int32(0)
    for w in range(WARPS):  # thread t: digit t
        n_keys = int32(n_keys + seen[w, t])
    start, total = block_before(n_keys)
    place = t * cuda.gridDim.x + cuda.blockIdx.x
    base[t] = (ends[place - 1] if place > 0 else int32(0)) - start
    for w in range(WARPS):
        n = seen[w, t]
        seen[w, t] = start
        start = int32(start + n)
    cuda.syncthreads()  # the starts are written


@cuda.jit(device=True, forceinline=True)
def write_runs(in_order, base, out, shift):
    """A sorted tile goes out, the keys with one digit side by side. Every thread must call, when its keys are there.

    in_order: (4096,) uint32 in shared memory, base: (256,) int32 as `starts_of_warps` leaves it; out: (n,) uint32.
    """
    cuda.syncthreads()  # all keys are in order
    n_keys = min(TILE, out.size - cuda.blockIdx.x * TILE)
    for i in range(cuda.threadIdx.x, n_keys, THREADS):
        out[base[digit_of(in_order[i], shift)] + i] = in_order[i]


# %% [markdown]
# **Write** `scatter_keys` and `radix_sort(keys, spare, counts, sums)`. Step 1 is given: `count_digits` counts with atomics in shared memory, which unit 8 looks into. In each round the keys go from one array to the other; after four they are where they began.
# `load_sixteen` of the last rung fetches the keys. Past the end, give it the largest key, `uint32(0xFFFFFFFF)`: such a key comes last in its tile, and `write_runs` leaves it out, so none of your lines has to check.
# Shared memory holds three arrays: the counters, (8, 256) int32; `base`, 256 int32, which `starts_of_warps` fills for `write_runs`; and the sorted tile, 4,096 uint32.
# The counters of a warp are read by all its lanes and changed by one lane per digit: `cuda.syncwarp()` between the two.
#
# **Predict** the launches of one sort.
#
# <details><summary>Interview question: why the lowest digit first?</summary>So that every round treats all keys alike: four passes over one array. Beginning with the highest digit leaves 256 buckets, each to be sorted on its own, of any size. <b>A weak answer says</b> "it is the same". <b>And then?</b> When is the highest digit first better? If few keys differ there, or if only the largest k are wanted: most buckets can be left alone.</details>

# %%
q = exercise("scan.radix_sort")
q.show()

# %% predict="radix_sort"
q.predict(kernel_launches=20)


# %% solution="radix_sort"
@cuda.jit
def scatter_keys(keys, ends, out, shift):
    """out = keys by their digit at `shift`, equal ones in their old order. ends: the running sums of the counts."""
    # about 20 lines
    ### BEGIN SOLUTION
    seen = cuda.shared.array((WARPS, DIGITS), int32)  # keys of each digit that a warp has met so far
    base, in_order = cuda.shared.array(DIGITS, int32), cuda.shared.array(TILE, uint32)
    key, rank = cuda.local.array(16, uint32), cuda.local.array(16, int32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    load_sixteen(key, keys, cuda.blockIdx.x, uint32(0xFFFFFFFF))
    clear_counters(seen)
    for k in range(16):
        digit = digit_of(key[k], shift)
        peers = cuda.match_any_sync(FULL_WARP, digit)
        lower = cuda.popc(peers & ((1 << lane) - 1))
        rank[k] = seen[warp, digit] + lower
        cuda.syncwarp()  # all lanes have read
        if lower == 0:
            seen[warp, digit] += cuda.popc(peers)
        cuda.syncwarp()  # the counters are written
    starts_of_warps(seen, ends, base)
    for k in range(16):
        in_order[seen[warp, digit_of(key[k], shift)] + rank[k]] = key[k]
    write_runs(in_order, base, out, shift)
    ### END SOLUTION


def radix_sort(keys, spare, counts, sums):
    """Sort keys, the smallest first. keys, spare: (n,) uint32; counts: (256 * tiles,), sums: int32; on the device."""
    # about 6 lines
    ### BEGIN SOLUTION
    tiles = max(1, -(-keys.size // TILE))
    for shift in range(0, 32, 8):
        count_digits[tiles, THREADS](keys, counts, shift)
        scan_device(counts, sums, counts)
        scatter_keys[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys
    ### END SOLUTION


# %% check="radix_sort"
q = exercise("scan.radix_sort")
q.check(radix_sort).points

# %% race="radix_sort"
q = exercise("scan.radix_sort")
q.race(radix_sort).points

# %% [markdown]
# ## What you have
#
# **Look back.** Every rung took a scan and moved the waiting somewhere cheaper: from eight iterations in shared memory to five shuffles, from barriers to the end of a kernel, from the end of a kernel to words in memory that say how far others are.
#
# | you need | use | who waits |
# |---|---|---|
# | running sums in a warp | shuffles, d = 1, 2, 4, 8, 16 | nobody |
# | of a block | several per thread, then lanes, then warps | the block, once |
# | of an array, the same bits every time | three passes | the grid, at the end of each kernel |
# | of an array, quickly | one pass, tickets, look-back | a warp per block, for blocks that have started |
# | places for what is kept | ballot and look-back over counts | the same |
# | an order | a stable split per digit | the grid |
#
# **Read the profile.** The next cell shows what these rungs and other ways reach on a GPU, each beside the library in the same run. Answer before you open the answers:
#
# 1. The ways to scan differ in how many elements a thread has and in how it peeks. Which of the two should matter more?
# 2. A sort's rate is worked out as if every key were read once and written once. How often do your four rounds really move a key, and how often does one sweep per digit?
# 3. torch's `x[x > 0]` moves no more elements than yours. What else does it have to do before it can return?
# 4. A sweep ranks a tile's keys first, or counts its digits first. The work is the same. Why does the order matter?
#
# <details><summary>Answers</summary>(1) Elements per thread: they decide how many bytes are on their way at a time, and how many tiles there are to look back over. A tile makes a few dozen peeks for its thousands of elements. (2) A round counts, which reads every key, and scatters, which reads and writes it: three times four is twelve; putting a tile in order on the way stays in shared memory. One sweep per digit reads all keys once to count all four digits, then reads and writes them in each round: nine. (3) Its result is an array of just the right length, so the count must travel to the host, which waits for it, before there is anything to write to. (4) A tile that has counted can tell the tiles after it at once, and ranks its keys meanwhile; when it looks back in the end, most tiles before have told where they end, so it hardly waits. That is what your sort could still gain, apart from the second reading: a round of yours is five launches, and each waits for the end of the one before. <b>A weak answer</b> to (3) says "Python is slow".</details>

# %%
recorded("scan");
