# %% [markdown]
# # Memory access
#
# **The promise:** at the end you can say, before you run a kernel, how many sectors each of its requests touches; you have turned 32 of them into 4 more than once; and you can place a kernel on the roofline and say what holds it back.
#
# **Time:** about two hours: seven rungs, 39 lines to write. Rungs 1 to 4 make a first sitting.
# **You need:** units 1 and 2 (launches, guards, two axes).
# Without a GPU everything is checked and counted, and the figures of a named GPU stand beside your counters.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

import simt
from autograder import exercise
from autograder.notebook.intrinsics import load16, store16

THREADS = 256  # threads per block, unless an exercise says otherwise


@cuda.jit(device=True)
def at(src, row, col):
    """src[row, col], or 0 where there is no such row. src: (n_rows, n_cols) float32."""
    if 0 <= row < src.shape[0]:
        return src[row, col]
    return float32(0)

# %% [markdown]
# ## 1. 32 lanes, how many sectors?
#
# **Goal:** say for any index how much memory it moves.
#
# A **warp** is 32 threads that execute the same instruction together; each of them is a **lane**. A load that a warp executes is one **request**.
# Memory does not hand out single numbers. It moves **sectors**: pieces of 32 bytes that begin at a multiple of 32. If a lane wants 4 bytes, the whole sector around them comes.
# So what a request costs is the number of *different* sectors that its 32 addresses lie in. The order of the lanes does not matter, and two lanes in one sector pay once.
#
# **Example.** float32 numbers, eight per sector. Eight lanes load `src[start + i * step]`:
#
# | start | step | elements | sectors |
# |---|---|---|---|
# | 0 | 1 | 0 to 7 | 0 alone: 1 |
# | 3 | 1 | 3 to 10 | 0 and 1: 2 |
# | 0 | 2 | 0, 2, ... 14 | 0 and 1: 2 |
# | 0 | 8 | 0, 8, ... 56 | one for each lane: 8 |
# | 7 | -1 | 7 down to 0 | 0 alone: 1 |
#
# 32 lanes with a step of 1 and a start that is a multiple of 8 touch 4 sectors, and use every byte. That is **coalesced** access. With a step of 8 or more they touch 32, for the same 128 bytes.
#
# The next cell counts the sectors of one warp for a few starts and steps, and draws one of them: each row of boxes is a sector, and a lane's number stands in the element that it loads. Change the numbers.

# %%
@cuda.jit
def one_warp(src, start, step, dst):
    """Lane i loads src[start + i step]. src: (n,) float32, dst: (32,) float32."""
    i = cuda.threadIdx.x
    dst[i] = src[start + i * step]


src, dst = np.zeros(2048, np.float32), np.zeros(32, np.float32)
for start, step in ((0, 1), (1, 1), (8, 1), (31, -1), (0, 2), (0, 8), (0, 32)):
    seen = simt.trace(one_warp, 1, 32, src, start, step, dst)
    print(f"start {start:2}, step {step:2}: {seen.counters['global_load_sectors']:2} sectors")
simt.figures.sectors(simt.trace(one_warp, 1, 32, src, 1, 2, dst, record=True), line=5)

# %% [markdown]
# **Write** `take_every(src, start, step, dst)`: `dst[i] = src[start + i * step]`, one thread per element of `dst`. The check also launches other blocks.
#
# **Predict first**, for a step of 5: how many sectors does a load request touch, and how many a store request? Five numbers are 20 bytes; what do 32 such steps span?
#
# <details><summary>Interview question: you read every second number of an array. How much of the memory's speed do you get?</summary>Half: every sector comes whole, and half of its bytes are thrown away. With a step of eight it is an eighth, and beyond that the number of sectors grows no further. <b>A weak answer says</b> "it is uncoalesced, so it is slow". <b>And then?</b> What does a wrong start cost? Little: 5 sectors instead of 4, and the fifth is also the first of the next warp, so a cache may still hold it. And steps beyond eight? The table at the end of the unit has them: the time still grows, so memory is fetched in pieces larger than a sector.</details>

# %%
q = exercise("memory_access.take_every")
q.show()

# %% predict="take_every"
q = exercise("memory_access.take_every")
q.predict(global_load_sectors_per_request=20, global_store_sectors_per_request=4)


# %% solution="take_every"
@cuda.jit
def take_every(src, start, step, dst):
    """dst[i] = src[start + i step]. src: (n_src,) float32, dst: (n,) float32."""
    # about 3 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[start + i * step]  # min(32, 4 step) sectors per request
    ### END SOLUTION


# %% check="take_every"
q = exercise("memory_access.take_every")
q.check(take_every).points

# %% [markdown]
# ## 2. Anywhere, but 128 bytes at a time
#
# **Goal:** fetch from random places without paying for it.
#
# **Look back.** With a step of 5, the 4 sectors became 20. Random places are worse: 32 lanes, 32 sectors. A load whose places come from another array is a **gather**.
# But most gathers do not want single numbers. A language model looks up a *row* of a table for each word; a database fetches a *record*. Each row lies in one piece, wherever it is.
# So let the lanes of a warp share a row. The row may lie anywhere; its 32 numbers are 4 sectors.
#
# **Example.** Rows of 8 numbers, so one sector per row, and `rows = (5, 2, 5, 0)`. Four lanes, two ways to share the work:
#
# | | lane 0 | lane 1 | lane 2 | lane 3 | sectors |
# |---|---|---|---|---|---|
# | a lane per row, first iteration | src[5, 0] | src[2, 0] | src[5, 0] | src[0, 0] | 3 |
# | lanes along a row | src[5, 0] | src[5, 1] | src[5, 2] | src[5, 3] | 1 |
#
# With whole warps and 32 different rows that is 32 against 4. The next cell counts it: `least_read_bytes` of `src` is 32 bytes for each sector that was touched.
#
# **Write** `gather_rows(src, rows, dst)`: `dst[r, c] = src[rows[r], c]`. The grid has two axes and covers `dst`; blocks are 32 x 8, and a warp is 32 threads along x.
#
# **Predict first:** each thread loads the number of its row, then the element. How many sectors per load request, on average of the two?
# And which place in `dst` does thread 37 of block 1 write, if places are counted from 0, row after row of 64 columns? Threads of a block are counted along x first, and so are blocks.
#
# <details><summary>Interview question: gather or scatter, <code>dst[i] = src[p[i]]</code> or <code>dst[p[i]] = src[i]</code>: which would you rather have?</summary>The gather. Its scattered side is a load, which caches can serve again; two lanes that want one element share it, and nothing collides. A scattered store moves a sector for every 4 bytes, and of two lanes with one target only one wins. <b>A weak answer says</b> "they are the same". <b>And then?</b> What makes either of them better? Sorting p first; that pays when p is used often.</details>


# %%
@cuda.jit
def lookup(src, rows, a_lane_per_row, dst):
    """One load per lane: the first number of its own row, or its own number of one row. src: (n, 32), rows: (32,) int32."""
    lane = cuda.threadIdx.x
    dst[lane] = src[rows[lane], 0] if a_lane_per_row else src[rows[0], lane]


src, dst, rows = np.zeros((64, 32), np.float32), np.zeros(32, np.float32), np.arange(63, -1, -2).astype(np.int32)
for a_lane_per_row in (True, False):
    touched = simt.trace(lookup, 1, 32, src, rows, a_lane_per_row, dst).bytes_by_array()["src"].least_read_bytes
    print(f"{'a lane per row' if a_lane_per_row else 'lanes along a row'}: {touched:,} bytes, {touched // 32} sectors of src")

# %%
q = exercise("memory_access.gather_rows")
q.show()

# %% predict="gather_rows"
q = exercise("memory_access.gather_rows")
q.predict(global_load_sectors_per_request=2.5, index=101)


# %% solution="gather_rows"
@cuda.jit
def gather_rows(src, rows, dst):
    """dst[r, c] = src[rows[r], c]. src: (n_src, n_cols), dst: (n_rows, n_cols) float32, rows: (n_rows,) int32."""
    # about 3 lines
    ### BEGIN SOLUTION
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = src[rows[row], col]  # one sector for rows, four for src
    ### END SOLUTION


# %% check="gather_rows"
q = exercise("memory_access.gather_rows")
q.check(gather_rows).points

# %% race="gather_rows"
q = exercise("memory_access.gather_rows")
q.race(gather_rows).points

# %% [markdown]
# ## 3. A structure of arrays
#
# **Goal:** lay data out for the lanes that will read it.
#
# **Look back.** A row in one piece was good, because a whole warp read it. If *one lane* reads a row, the same layout is bad.
#
# Take bodies with eight fields: x, y, z, mass, three velocities, charge. A programmer writes a class with eight fields and makes an array of them: an **array of structures** (AoS). Lane i then loads `bodies[i, 0]`, and its neighbour's x is 32 bytes further on.
# Turn it round, one array for each field: a **structure of arrays** (SoA). All x lie side by side, and 32 lanes read 4 sectors. Fields that a kernel does not need are never moved.
#
# **Example.** Four bodies, 32 bytes each; four lanes load x. Element numbers in memory:
#
# | layout | lane 0 | lane 1 | lane 2 | lane 3 | sectors |
# |---|---|---|---|---|---|
# | AoS, `bodies[i, 0]` | 0 | 8 | 16 | 24 | 4 |
# | SoA, `bodies[0, i]` | 0 | 1 | 2 | 3 | 1 |
#
# The next cell runs the AoS kernel and counts.

# %%
@cuda.jit
def drift_aos(bodies, dt):
    """Places move by dt times the velocity. bodies: (n, 8) float32, one row per body."""
    i = cuda.grid(1)
    if i < bodies.shape[0]:
        for axis in range(3):
            bodies[i, axis] += dt * bodies[i, 4 + axis]


counters = simt.trace(drift_aos, 4, THREADS, np.ones((1024, 8), np.float32), np.float32(0.5)).counters
for kind in ("load", "store"):
    sectors, requests = counters[f"global_{kind}_sectors"], counters[f"global_{kind}_requests"]
    print(f"{kind}s: {sectors:,} sectors in {requests} requests, {sectors / requests:g} per request")

# %% [markdown]
# **Write** `drift(bodies, dt)` for the other layout: `bodies` is (8, n), one row per field, in the same order. Leave mass and charge alone: do not even load them. The check also launches other blocks.
#
# **Predict first** the sectors of all loads and of all stores, for 1,024 bodies.
#
# <details><summary>Interview question: when is an array of structures the better layout?</summary>When a warp works on one structure together, or a lane needs all of its fields and can load them in wide pieces: four floats at once, as you will soon do. On a CPU, where one core reads one object after the other, it is the natural one. <b>A weak answer says</b> "SoA is always better". <b>And then?</b> What lies between the two? Groups of 32 bodies, SoA within each group. A body stays within one kilobyte, and a warp still reads neighbours.</details>

# %%
q = exercise("memory_access.drift")
q.show()

# %% predict="drift"
q = exercise("memory_access.drift")
q.predict(global_load_sectors=768, global_store_sectors=384)


# %% solution="drift"
@cuda.jit
def drift(bodies, dt):
    """x += dt vx, and y, z alike. bodies: (8, n) float32, rows x, y, z, mass, vx, vy, vz, charge."""
    # about 4 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        for axis in range(3):
            bodies[axis, i] += dt * bodies[4 + axis, i]  # 4 sectors per request
    ### END SOLUTION


# %% check="drift"
q = exercise("memory_access.drift")
q.check(drift).points

# %% [markdown]
# ## 4. 16 bytes at a time
#
# **Goal:** the same bytes with a quarter of the requests. First, find a bug.
#
# **Look back.** Four sectors for 128 bytes: no byte is wasted. But each request also costs an instruction, and a lane can ask for up to 16 bytes with one (32 on GPUs since Blackwell).
# That is how `torch.index_select` overtakes your `gather_rows`, with the same sectors and hardly more bytes. A thread of yours waits twice, for the number of its row and then for one element, and all that time only 4 bytes are on their way to it. The table at the end of the unit, with shorter rows, takes the reasons apart: there the same kernel with 16 bytes per lane is the fastest of them.
# `load16(src, i)` gives the four float32 from `src[i]` on as a tuple, `store16(dst, i, four)` writes them. A warp then moves 512 bytes in one request.
#
# Why not simply write four loads? Because the compiler may join them only if it knows that the address is a multiple of 16, and numba does not tell it so. The next cell shows what it makes of both.
#
# **Alignment** is the condition: the *address* must be a multiple of 16 bytes. Arrays begin at such an address, so element i of a float32 array may be loaded wide if i is a multiple of 4.
# What is left at the end, up to three elements, is moved one by one: the **tail**.
#
# **Example.** `start = 4`, n = 6: thread 0 moves `src[4:8]` to `dst[0:4]`, both multiples of 4, with 16 bytes. Thread 1 has only two elements left, and moves them singly. With `start = 3`, thread 0 would load from element 3, byte 12: not allowed.

# %%
from autograder.notebook.compiled import memory_instructions


@cuda.jit
def four_singles(src, dst):
    """dst = src, four elements per thread, loads first. src, dst: (n,) float32, n a multiple of 4."""
    i = 4 * cuda.grid(1)
    if i < dst.size:
        a, b, c, d = src[i], src[i + 1], src[i + 2], src[i + 3]
        dst[i], dst[i + 1], dst[i + 2], dst[i + 3] = a, b, c, d


@cuda.jit
def one_wide(src, dst):
    """The same with 16 bytes in one instruction."""
    i = 4 * cuda.grid(1)
    if i < dst.size:
        store16(dst, i, load16(src, i))


src, dst = np.zeros(1024, np.float32), np.zeros(1024, np.float32)
memory_instructions(four_singles, src, dst)
memory_instructions(one_wide, src, dst);

# %% [markdown]
# **Find the bug.** The draft below copies from `start` on, 16 bytes at a time, and takes care of the tail. It passed its author's test.
# **Predict first:** for which `start` does it fail, at which line, and what would a GPU say? Say it aloud, then run the cell.


# %%
@cuda.jit
def draft(src, start, dst):
    """dst[i] = src[start + i], four elements per thread. Wrong."""
    first = 4 * cuda.grid(1)
    if first + 4 <= dst.size:
        store16(dst, first, load16(src, start + first))
    else:
        for i in range(first, dst.size):
            dst[i] = src[start + i]


q = exercise("memory_access.copy_from")
q.check(draft);

# %% [markdown]
# **Write** `copy_from(src, start, dst)`: the draft, repaired. Wide where both addresses allow it, one by one where they do not. The check also launches other blocks.
#
# **Predict first** for 4,096 elements from `start = 4`: load requests in all, and sectors per load request. Mind where element 4 lies within its sector.
#
# <details><summary>Interview question: your copy is limited by memory. Why should wide loads make it faster, if the bytes are the same?</summary>Each thread has more bytes on their way at once, and there are fewer instructions to issue; both help to keep the memory busy with fewer warps. If memory is busy already, wide loads gain nothing. <b>A weak answer says</b> "they move more data". <b>And then?</b> How is it written in C++? <code>reinterpret_cast&lt;float4*&gt;</code>: the same promise about the address, and just as unchecked.</details>

# %%
q = exercise("memory_access.copy_from")
q.show()

# %% predict="copy_from"
q = exercise("memory_access.copy_from")
q.predict(global_load_requests=32, global_load_sectors_per_request=17)


# %% solution="copy_from"
@cuda.jit
def copy_from(src, start, dst):
    """dst[i] = src[start + i], four elements per thread. src: (start + n,) float32, dst: (n,) float32."""
    # about 6 lines
    ### BEGIN SOLUTION
    first = 4 * cuda.grid(1)
    if start % 4 == 0 and first + 4 <= dst.size:
        store16(dst, first, load16(src, start + first))  # a warp moves 512 bytes
    else:
        for i in range(first, min(first + 4, dst.size)):
            dst[i] = src[start + i]
    ### END SOLUTION


# %% check="copy_from"
q = exercise("memory_access.copy_from")
q.check(copy_from).points

# %% race="copy_from"
q = exercise("memory_access.copy_from")
q.race(copy_from).points

# %% [markdown]
# ## 5. Walk down, never along
#
# **Goal:** load each element once, and with 4 sectors per request.
#
# **Look back.** So far each element was used once. If it is used three times, it should still be loaded once, and kept in a **register**: the memory of a single thread, where its variables live.
#
# Each element of `dst` is the sum of three of `src`: above, here, below. A thread that *walks* can keep two of the three: what was here is above now, what was below is here. One load per step.
# It could walk along a row or down a column, as far as loads are concerned. But it is the lanes that count: if each lane walks along a row of its own, 32 lanes stand in 32 rows, each in a sector of its own. If each walks down a column, they stand side by side.
#
# **Example.** One column `3 1 4 1`, where a row that does not exist counts as 0:
#
# | step | above | here | below (loaded) | sum |
# |---|---|---|---|---|
# | start | 0 | 3 | | |
# | row 0 | 0 | 3 | 1 | 4 |
# | row 1 | 3 | 1 | 4 | 8 |
# | row 2 | 1 | 4 | 1 | 6 |
# | row 3 | 4 | 1 | 0 | 5 |
#
# One thread per column would leave most of the GPU idle, so blocks along y share the rows: each has a **strip** of `share = ceil(n_rows / gridDim.y)` rows, and loads one row more above and one below.
# The next cell counts what walking along a row costs.


# %%
@cuda.jit
def sums_along(src, dst):
    """dst[r, c] = src[r, 0] + ... + src[r, c]: each thread walks along its row. src, dst: (n_rows, n_cols) float32."""
    row = cuda.grid(1)
    if row < dst.shape[0]:
        acc = float32(0)
        for col in range(dst.shape[1]):
            acc += src[row, col]
            dst[row, col] = acc


counters = simt.trace(sums_along, 1, 32, np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32)).counters
print(f"walking along: {counters['global_load_sectors'] / counters['global_load_requests']:g} sectors per request")

# %% [markdown]
# **Write** `box_down(src, dst)`. x of the grid is the column; `cuda.blockIdx.y` is the strip. `at(src, row, col)` gives 0 past the edges. The check also launches other grids.
#
# **Predict first** the bytes that threads load, for 64 x 64 elements in two strips of 32 rows. Which rows does each strip need, and which of them do not exist?
#
# <details><summary>Interview question: a matrix in C order, and you need the running sum of each row. The sum has to walk along its row. What now?</summary>Let a warp take a row together: 32 lanes load 32 neighbours and add up among themselves, or a block loads a piece in rows and walks through it in the shared memory of unit 4. <b>A weak answer says</b> "transpose it first". <b>And then?</b> When is the transpose right after all? If the result may stay transposed, or is needed often; otherwise everything moves twice more.</details>

# %%
q = exercise("memory_access.box_down")
q.show()

# %% predict="box_down"
q = exercise("memory_access.box_down")
q.predict(global_load_bytes=16896)


# %% solution="box_down"
@cuda.jit
def box_down(src, dst):
    """dst = sums of three rows, each thread walking down a column of its strip. src, dst: (n_rows, n_cols) float32."""
    # about 9 lines
    ### BEGIN SOLUTION
    col = cuda.grid(2)[0]
    n_rows, n_cols = dst.shape
    if col < n_cols:
        share = (n_rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        above, here = at(src, first - 1, col), at(src, first, col)
        for row in range(first, min(first + share, n_rows)):
            below = at(src, row + 1, col)  # the only load of this step
            dst[row, col] = above + here + below
            above, here = here, below
    ### END SOLUTION


# %% check="box_down"
q = exercise("memory_access.box_down")
q.check(box_down).points

# %% race="box_down"
q = exercise("memory_access.box_down")
q.race(box_down).points

# %% [markdown]
# Walk through one block of the sums that walk *along* a row, and watch where its lanes stand: one column, 32 rows. Then put your `box_down` in its place, and watch `above`, `here` and `below` change places.

# %%
q.step(sums_along)

# %% [markdown]
# **Read the profile.** A profiler shows, line by line, what you have counted by hand so far. Here is what it says about four loads of a kernel that you do not see, with 256 threads per block and 8,192 elements of float32.
#
# | load | requests | sectors | bytes asked for |
# |---|---|---|---|
# | A | 256 | 1,024 | 32,768 |
# | B | 256 | 256 | 32,768 |
# | C | 256 | 8,192 | 32,768 |
# | D | 256 | 2,048 | 32,768 |
#
# Before you open the answer: which load is as good as neighbours can be, which reads the same element in all lanes, and which would you fix first? What may C and D look like?
#
# <details><summary>The answer</summary>A: 4 sectors per request, for 128 bytes: neighbours, all used, as in <code>a[i]</code>. B: 1 sector per request: all lanes want one element, as in <code>b[0]</code>; nothing to gain. C: 32 sectors per request, every lane alone, as in <code>c[i, 0]</code> with long rows; it touches as many sectors as eight loads like A, so it comes first. D: 8 sectors per request: every second element, as in <code>d[2 * i]</code>. <b>A weak answer says</b> "the one with the most requests": all have the same number.</details>

# %% [markdown]
# ## 6. An instrument: read it again
#
# **Goal:** measure what a kernel gets from each level of memory.
#
# **Look back.** Every counter so far said how much is moved. How fast it moves depends on where it lies.
# Blocks run on **multiprocessors**, of which a GPU has dozens. Between them and the memory stands a cache that all share, the **L2**, of some tens of megabytes; and each multiprocessor has a smaller one of its own, the **L1**. Whatever was read before may still be there, so a second reading is faster, if it all fits.
#
# To see that, read an array many times and divide the bytes by the time. A small array can stay in L1, a larger one in L2, the largest comes from memory every time. A kernel that asks fast enough sees the rate fall in steps, and the steps tell the sizes of the caches.
# An instrument must do what it says: a compiler leaves out loads whose result nobody uses, so each thread adds up what it reads and stores the sum.
#
# **Example.** Two threads, `src = (3, 1, 4, 1, 5)`, two passes. Thread 0 reads 3, 4, 5, and again: 24. Thread 1 reads 1, 1, and again: 4. Ten loads for five elements.
#
# **Write** `read_again(src, times, sums)`. Thread t begins at element t and goes on in steps of the number of threads, as in unit 2. It makes `times` such passes, and its sum goes to `sums[t]`.
#
# **Predict first** the bytes that threads load: 4,096 elements, three passes.
#
# <details><summary>Interview question: somebody measures 8 TB/s for a copy, on a GPU whose memory does 4.8. What happened?</summary>The array fits in a cache, or the same one was copied again and again and still lay there. <b>A weak answer says</b> "the driver compresses". <b>And then?</b> How do you measure it rightly? Take an array several times as large as the L2, or flush the cache between two runs; which is right depends on whether your program will find its data there.</details>

# %%
q = exercise("memory_access.read_again")
q.show()

# %% predict="read_again"
q = exercise("memory_access.read_again")
q.predict(global_load_bytes=49152)


# %% solution="read_again"
@cuda.jit
def read_again(src, times, sums):
    """sums[t] = times the sum of src[t], src[t + threads], ..., read anew each time. src: (n,), sums: (threads,) float32."""
    # about 5 lines
    ### BEGIN SOLUTION
    acc = float32(0)
    for _ in range(times):
        for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
            acc += src[i]
    sums[cuda.grid(1)] = acc
    ### END SOLUTION


# %% check="read_again"
q = exercise("memory_access.read_again")
q.check(read_again).points

# %% [markdown]
# What a GPU does with this kernel, by the size of the array: recorded on a named GPU, and with a GPU of your own, your kernel on it.
# There are four recorded curves. In two of them each thread reads its own elements again, which its own L1 may still hold; in the others, each block reads in every pass what a *different* block read before, so only the L2 can help.
# And two ask as your kernel does, for 4 bytes at a time; two ask for 64, with four loads of 16 bytes under way.
# **Before you look:** where do you expect the steps? 132 multiprocessors with up to 256 KiB of L1 each hold 33 MiB together. And in which of the curves?

# %%
from autograder.notebook.levels import memory_levels

memory_levels(read_again)

# %% [markdown]
# **After you looked:** with 4 bytes at a time there are hardly any steps, and 4 MiB, all of which lies in a cache, are read no faster than 1,024 MiB.
# A cache answers sooner only to those who ask sooner, and such a thread asks, adds, counts, compares and goes round before it asks again: the instrument measures its own loop.
# With 64 bytes at a time the steps are there. What L1 holds comes about twice as fast as what only the L2 holds, and that more than twice as fast as memory. L1 helps a while longer than 33 MiB, since a part of a larger array still lies there. Both rates fall where the L2 is too small.
# So make a kernel ask fast enough before you blame the memory.

# %% [markdown]
# ## 7. Flops for each byte
#
# **Goal:** know beforehand what a kernel will wait for.
#
# **Look back.** All kernels of this unit moved bytes and hardly computed. For them the memory is the limit, and sectors are what counts. When does that end?
#
# Count the **flops**, additions and multiplications of floats, and divide them by the bytes that *have to* move, each array once: the **arithmetic intensity**, in flops per byte.
# A GPU has two limits: bytes per second, and flops per second. At low intensity memory is the slower; at high intensity arithmetic is. They meet at the **ridge**: peak flops divided by peak bytes.
# Plotted against the intensity, the two limits look like a roof: the **roofline**. A kernel is a point under it, and can rise to the roof but not through it.
#
# **Example.** A layer of convolutions with 8 channels in and 8 out, k x k weights. Each element of the output takes 8 k² products and as many sums: 16 k² flops. Per element, 4 bytes come in and 4 go out:
#
# | k | flops per element | bytes per element | flops per byte |
# |---|---|---|---|
# | 1 | 16 | 8 | 2 |
# | 3 | 144 | 8 | 18 |
# | 5 | 400 | 8 | 50 |
#
# By its maker's figures, the ridge of an H200 lies at 13.9 flops per byte. So a 1 x 1 layer can at best run as fast as memory delivers, and a 5 x 5 layer as fast as the GPU computes, with the same code.
# "At best" is the word: the roof says what is possible, not what a kernel does.
#
# **Write** `convolve(src, weights, dst)` for any k: `dst[o, r, c]` is the sum of `weights[o, i, a, b] * src[i, r + a, c + b]` over all i, a and b. One thread per element of `dst`, `col, row, out = cuda.grid(3)`. The check also launches other blocks, some of them several threads deep.
#
# **Predict first**, for 8 channels, 10 x 32 outputs and 3 x 3 weights: the flops, and the flops per byte that has to move. `src` is (8, 12, 34), `weights` (8, 8, 3, 3).
#
# <details><summary>Interview question: your kernel stands far below the roof. What does that tell you?</summary>That neither limit of this roofline holds it back: it waits for something else. Too few bytes on their way, a cache that is busier than the memory, too few warps, lanes that go different ways. <b>A weak answer says</b> "it needs more flops". <b>And then?</b> Which bytes does the intensity count? Here those that have to move. A kernel that loads them many times really has a lower intensity, and that is the one a profiler shows.</details>

# %% [markdown]
# The first k beyond the ridge:

# %%
for k in range(1, 6):
    flops, moved_bytes = 16 * k * k, 8
    print(f"{k} x {k}: {flops:3} flops for {moved_bytes} bytes, {flops / moved_bytes:g} per byte", "<- past 13.9" * (flops / moved_bytes > 13.9))

# %%
q = exercise("memory_access.convolve")
q.show()

# %% predict="convolve"
q = exercise("memory_access.convolve")
q.predict(float32_flops=368640, flops_per_compulsory_byte=14.4)


# %% solution="convolve"
@cuda.jit
def convolve(src, weights, dst):
    """dst[o, r, c] = sum of weights[o, i, a, b] src[i, r + a, c + b]. src: (n_in, n_rows + k - 1, n_cols + k - 1),
    weights: (n_out, n_in, k, k), dst: (n_out, n_rows, n_cols), all float32."""
    # about 9 lines
    ### BEGIN SOLUTION
    col, row, out = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape
    if out < n_out and row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
        dst[out, row, col] = acc
    ### END SOLUTION


# %% check="convolve"
q = exercise("memory_access.convolve")
q.check(convolve).points

# %% [markdown]
# ## The roofline of this GPU
#
# Three layers and three other kernels of yours under the roof. Where there is a GPU, the two rates of the roof are measured on it; otherwise they are those of a named one.
# A point stands at its kernel's flops per byte, as high as your counters let it get: bytes of memory, flops, and sectors from L1.
# A measured roof is as good as its instrument. Its flat part is measured with threads that only multiply and add, 128 times in a row before they count an iteration of their loop: with only eight per iteration, nearly half of the time went into counting.
# **Before you run it:** order `drift`, `box_down` and `read_again` with 64 passes by their flops per byte. Which of the six points will not reach the roof?

# %%
from autograder.notebook.roof import roofline

roofline(
    ("1 x 1", "memory_access.convolve", convolve, dict(n_in=8, n_out=8, n_rows=32, n_cols=64, k=1)),
    ("3 x 3", "memory_access.convolve", convolve, dict(n_in=8, n_out=8, n_rows=32, n_cols=64, k=3)),
    ("5 x 5", "memory_access.convolve", convolve, dict(n_in=8, n_out=8, n_rows=32, n_cols=64, k=5)),
    ("drift", "memory_access.drift", drift, dict(n=16384)),
    ("box_down", "memory_access.box_down", box_down, dict(n_rows=256, n_cols=256)),
    ("read_again", "memory_access.read_again", read_again, dict(n=16384, times=64, threads=4096)),
)

# %% [markdown]
# `drift` and `box_down` stand on the slope: they move what has to be moved, once, and nothing but less traffic would make them faster.
# `read_again` and the layers stand below the roof. They load the same bytes many times, from L1; the memory rests, and L1 is the limit. A product of `convolve` takes two loads, so its rate is that of L1 whatever k is.
# Moving right on the roofline needs more flops per byte; moving *up* to the roof needs fewer loads per flop: several outputs per thread, with weights in registers. Unit 12 climbs that way.
#
# <details><summary>Interview question: the 3 x 3 layer has more flops per byte than the ridge. Is it compute-bound?</summary>It could be. The roofline has one memory, the large one; this kernel is bound by L1, which the plain roofline does not show. <b>A weak answer says</b> "yes, it is right of the ridge". <b>And then?</b> How would you show it? Draw a second slope for L1, with bytes counted between L1 and registers: on that one the kernel's intensity is 2 flops for 8 bytes, and it is left of that ridge.</details>
#
# ## What you gain
#
# **Look back.** You can say for any index what a request moves, and you have seen the checks agree: 20 sectors and 4, 32 and 4, 6,144 and 768.
# The table below is of one H200: what strides, layouts and widths cost there, with the library beside them.

# %%
from autograder.notebook.recorded import recorded

recorded("memory_access");

# %%
from autograder import ladder

ladder("03_memory_access")
