# %% [markdown]
# # Count, lock, share work
#
# **The promise:** at the end you count the values of 268 million bytes without any data being slow for you, and you can say, for any cell that several threads change, what makes the result right and who waits for whom.
#
# **Time:** about three and a half hours: seven rungs, 90 lines to write. Every rung is a good place to stop; rungs 1 to 3 make a first sitting.
# **You need:** unit 4 (shared memory, barriers, banks) and unit 6 (trees, shuffles).
# Without a GPU everything is checked and counted; only times are missing.

# %% tags=["setup"]
import math

import numpy as np
from numba import cuda, float32, int32

from autograder import exercise

BINS = 256  # one counter for each value of a byte
THREADS = 256  # threads per block, unless an exercise says otherwise
WARP = 32  # lanes per warp
FULL_WARP = 0xFFFFFFFF  # a mask that names all 32 lanes

# %% [markdown]
# ## 1. Everybody counts in one place
#
# A **histogram** counts how often each value occurs: of the bytes of an image, how many are 0, how many are 1, up to 255. Each of the 256 counters is a **bin**.
# In NumPy that is `np.bincount`. On a GPU every thread looks at one byte and counts it, and two threads with the same byte want the same bin.
#
# `hist[v] += 1` is three steps: read, add, write. If two threads read 10, both write 11, and one count is gone: a **lost update**.
#
# **Example.** Eight bytes `3 7 3 3 0 7 3 3`. The right counts: bin 0 has 1, bin 3 has 5, bin 7 has 2. With `+=`, all threads of a warp read at the same time, so each bin that occurs goes from 0 to 1 and no further:
#
# | | bin 0 | bin 3 | bin 7 |
# |---|---|---|---|
# | all eight read | 0 | 0 | 0 |
# | all eight add and write | 1 | 1 | 1 |
# | right | 1 | 5 | 2 |
#
# The next cell does exactly that, and prints what is left.


# %%
@cuda.jit
def lost_updates(src, hist):
    """hist[v] += 1 for every element v of src, without care. src: (n,) uint8, hist: (8,) int32."""
    i = cuda.grid(1)
    if i < src.size:
        hist[src[i]] += 1


counts = cuda.to_device(np.zeros(8, np.int32))
lost_updates[1, 32](cuda.to_device(np.array([3, 7, 3, 3, 0, 7, 3, 3], np.uint8)), counts)
print(counts.copy_to_host())

# %% [markdown]
# An **atomic** does the three steps as one: `cuda.atomic.add(array, index, value)`. Whoever comes second to the same cell waits until the first is done.
# The memory next to the L2 cache does the addition itself, so atomics on different cells do not wait for each other.
#
# **Write** `histogram_global(src, hist)`: one thread per element, one atomic per thread. `hist` holds zeros when the kernel starts.
#
# **Predict first:** all 1,025 bytes are equal. How many additions does the busiest bin receive?
#
# <details><summary>Interview question: is <code>hist[v] += 1</code> safe if only one block is launched?</summary>No. Threads of one block run at the same time as well, and those of one warp even in the same instruction. <b>A weak answer says</b> "use syncthreads". <b>And then?</b> A barrier orders before and after; here all threads want the cell between two barriers. Either one thread owns the cell, or the update is atomic.</details>

# %%
q = exercise("atomics.histogram_global")
q.show()

# %% predict="histogram_global"
q.predict(atomic_hottest_cell=1025)


# %% solution="histogram_global"
@cuda.jit
def histogram_global(src, hist):
    """hist[v] += how often v occurs in src, one element per thread. src: (n,) uint8, hist: (256,) int32."""
    # about 3 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(hist, src[i], 1)  # equal bytes queue at one cell
    ### END SOLUTION


# %% check="histogram_global"
q = exercise("atomics.histogram_global")
q.check(histogram_global).points

# %% [markdown]
# ## 2. A histogram of its own for each block
#
# **Look back.** All threads of the GPU shared 256 cells of global memory. With equal bytes, your counters show all 1,025 additions at one cell, one after the other.
#
# **Privatise**: give each block counters of its own, in shared memory, which is close and which only its 256 threads use. Then add them to `hist`, once per bin and block.
# The word **contention** means threads that want the same cell at the same time. It has not gone, but a block now waits for itself only.
#
# A block's counters live in four steps, and a barrier stands between any two of them:
#
# | step | thread t | then |
# |---|---|---|
# | clear | `s[t] = 0` | barrier: nobody counts in a cell that is cleared later |
# | count | atomics on `s`, a grid-stride loop over `src` | barrier: all have counted |
# | merge | adds `s[t]` to `hist[t]`, atomically | |
#
# **Example.** Two blocks, the bytes `3 7 3 3 | 0 7 3 3`. Block 0 counts bin 3: 3, bin 7: 1. Block 1 counts bin 0: 1, bin 3: 2, bin 7: 1. Merging makes five additions that change something, whatever the number of bytes was.
# 256 threads and 256 bins: each thread clears and merges one.
#
# **Write** `histogram_shared(src, hist)`. **Predict** for 8,192 bytes and 3 blocks: how many atomic requests, one per warp, go to global memory?
#
# <details><summary>Interview question: why must merging be atomic, if each thread of a block owns one bin?</summary>Within its block it does; but thread 5 of every other block merges the same bin. <b>A weak answer says</b> "because histograms use atomics". <b>And then?</b> Without atomics: write one row per block to a matrix and add up the columns in a second kernel, which also gives the same order every time.</details>

# %%
q = exercise("atomics.histogram_shared")
q.show()

# %% predict="histogram_shared"
q.predict(global_atomic_requests=24)


# %% solution="histogram_shared"
@cuda.jit
def histogram_shared(src, hist):
    """hist[v] += how often v occurs in src, one private histogram per block of 256. src: (n,) uint8, hist: (256,) int32."""
    # about 8 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()  # every bin is cleared
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()  # everybody has counted
    cuda.atomic.add(hist, t, s[t])
    ### END SOLUTION


# %% check="histogram_shared"
q = exercise("atomics.histogram_shared")
q.check(histogram_shared).points

# %% [markdown]
# Walk through one block at its first barrier: which cells hold what, and who waits? Without an answer of yours, the cell steps through the careless kernel of rung 1.

# %%
try:
    q.step(histogram_shared)
except NotImplementedError:
    exercise("atomics.histogram_global").step(lost_updates)

# %% [markdown]
# ## 3. A copy for every lane
#
# **Look back.** One set of counters per block. If a whole image is black, the 32 lanes of a warp still want one cell of it; if it is not, some lanes of most warps still share a bank.
#
# So go on: 32 copies of the counters per block, one for each lane. Lane l counts value v in cell `32 * v + l`.
# Cell k lies in bank k % 32, so lane l always uses bank l. Whatever the data, 32 lanes use 32 banks: no contention within a warp, no conflict.
# Warps of the block share the copies, therefore counting stays atomic.
#
# **Example** with 4 lanes, 4 copies and 3 bins. Lanes 0 to 3 see the values 2, 2, 0, 2:
#
# | lane | value | cell 4 v + l | bank |
# |---|---|---|---|
# | 0 | 2 | 8 | 0 |
# | 1 | 2 | 9 | 1 |
# | 2 | 0 | 2 | 2 |
# | 3 | 2 | 11 | 3 |
#
# At the end bin 2 is the sum of cells 8, 9, 10 and 11. A thread that adds up the copies of bin t reads cells `32 * t + k`: if all lanes begin with copy 0, all are in bank 0. Let lane l begin with copy l: `32 * t + (k + l) % 32`.
#
# The bytes now come four in a word, so one load brings four of them: a warp asks for 128 bytes at a time. Byte b of a word is `(word >> 8 * b) & 255`.
#
# The cell below shows what packing looks like.

# %%
word = np.array([3, 7, 3, 255], np.uint8).view(np.uint32)[0]
print(hex(word), [int(word >> 8 * b) & 255 for b in range(4)])

# %% [markdown]
# **Write** `histogram_copies(words, hist)`: blocks of 512 threads, 32 copies of 256 int32 counters in shared memory, one atomic on `hist` per bin and block.
#
# **Predict** for equal bytes: how many lanes of a warp meet at one address?
#
# <details><summary>Interview question: what do 32 copies cost?</summary>32 KB of shared memory per block, and with it occupancy: count how many blocks of 512 still fit on a multiprocessor. Also clearing and adding up 8,192 cells per block, which pays only if a block counts many more bytes than that. <b>A weak answer says</b> "memory". <b>And then?</b> With 65,536 bins no copies fit: sort, or count in several passes, or let equal lanes of a warp agree first and add once.</details>

# %%
q = exercise("atomics.histogram_copies")
q.show()

# %% predict="histogram_copies"
q.predict(atomic_max_contention=1)


# %% solution="histogram_copies"
COPIES_THREADS = 512  # threads per block
CELLS = BINS * WARP  # 32 KB of counters


@cuda.jit
def histogram_copies(words, hist):
    """hist[v] += how often v occurs among the bytes of words. words: (n_words,) uint32, hist: (256,) int32."""
    # about 17 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    lane = t & 31  # t % 32, and the compiler sees that it is never negative
    for k in range(t, CELLS, COPIES_THREADS):
        s[k] = 0
    cuda.syncthreads()  # every copy is cleared
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        word = words[i]
        cuda.atomic.add(s, (word & 255) * WARP + lane, 1)  # lane l: bank l, whatever the data
        cuda.atomic.add(s, ((word >> 8) & 255) * WARP + lane, 1)
        cuda.atomic.add(s, ((word >> 16) & 255) * WARP + lane, 1)
        cuda.atomic.add(s, (word >> 24) * WARP + lane, 1)
    cuda.syncthreads()  # everybody has counted
    if t < BINS:
        count = int32(0)
        for k in range(WARP):
            count += s[t * WARP + (k + lane) % WARP]  # lanes begin in different banks
        cuda.atomic.add(hist, t, count)
    ### END SOLUTION


# %% check="histogram_copies"
q = exercise("atomics.histogram_copies")
q.check(histogram_copies).points

# %% race="histogram_copies"
q = exercise("atomics.histogram_copies")
q.race(histogram_copies).points

# %% [markdown]
# ## 4. An atomic of your own
#
# **Look back.** Adding is done by the hardware, and so are `max`, `min`, `exch`, `and_`, `or_`, `xor` on integers. What if your operation is not on the list?
#
# **Compare-and-swap** makes any of them: `seen = cuda.atomic.cas(array, index, expected, new)` stores `new` only if the cell still holds `expected`, and returns what the cell held.
# So: look, compute what should be there, and swap it in, unless somebody was faster. Then look at what they left and try again.
#
# **Example.** The cell holds 3. Thread A has 5, thread B has 9, and both have seen 3:
#
# | who | call | the cell held | result |
# |---|---|---|---|
# | A | `cas(cell, 0, 3, 5)` | 3 | stored, the cell is 5 |
# | B | `cas(cell, 0, 3, 9)` | 5 | not stored: B has seen 5 now, and 9 is larger |
# | B | `cas(cell, 0, 5, 9)` | 5 | stored, the cell is 9 |
#
# No thread ever waits for another that holds something: whenever a swap fails, somebody else's has succeeded. Such code is called **lock-free**.
#
# Compare-and-swap works on integers. A float32 has 32 bits, which can be read as an int32 and back:

# %%
x = np.array([-2.5], np.float32)
bits = x.view(np.int32)
print(bits, bits.view(np.float32))

# %% [markdown]
# In a kernel that is `cuda.libdevice.float_as_int(x)` and `cuda.libdevice.int_as_float(bits)`: no instruction is spent, the same register is read another way.
#
# **Write** `max_by_cas(src, best_bits)`, one thread per element. A NaN is never larger than anything, so it counts for nothing.
#
# **Predict aloud:** would `cuda.atomic.max(best_bits, 0, float_as_int(x))` do? Try -1 and -2 by hand.
#
# <details><summary>Interview question: how would you keep a value and its index together, without a lock?</summary>Put both into one 64-bit number, the value above and the index below, so that one compare-and-swap or one atomic max changes both. The value's bits must be turned into an order-preserving integer first. <b>A weak answer says</b> "two atomics". <b>And then?</b> Between the two another thread sees a new value with an old index.</details>

# %%
q = exercise("atomics.max_by_cas")
q.show()


# %% solution="max_by_cas"
@cuda.jit
def max_by_cas(src, best_bits):
    """best_bits[0] = the bits of the largest of src, by compare-and-swap. src: (n,) float32, best_bits: (1,) int32."""
    # about 10 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        seen = cuda.atomic.cas(best_bits, 0, 0, 0)  # looks, and changes nothing
        while x > cuda.libdevice.int_as_float(seen):
            found = cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(x))
            if found == seen:
                break  # nobody came between
            seen = found
    ### END SOLUTION


# %% check="max_by_cas"
q = exercise("atomics.max_by_cas")
q.check(max_by_cas).points

# %% [markdown]
# ## 5. Find the bug: a lock
#
# **Look back.** Compare-and-swap changes one cell of at most 64 bits. Sometimes several cells must change together: a value and the place where it was found.
#
# A **lock** is a cell: 0 is open, 1 is taken. Who swaps 0 for 1 has it, does the work, and writes 0. What lies between is the **critical section**: one thread at a time.
# Two fences belong to it. `cuda.threadfence()` keeps the memory accesses before it from being seen after those that follow: one after taking the lock, so that you read what the last owner wrote; one before opening it, so that the next owner reads what you wrote.
#
# The draft below is what works on a CPU. **Predict first:** which line never ends, and why? Then run the cell and read the verdict.


# %%
@cuda.jit
def draft(src, lock, value, index):
    """The largest of src and its index, under a lock that every thread takes. Wrong."""
    i = cuda.grid(1)
    if i < src.size:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        if src[i] > value[0] or (src[i] == value[0] and i < index[0]):
            value[0] = src[i]
            index[0] = i
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


q = exercise("atomics.best_under_lock")
q.check(draft);

# %% [markdown]
# 32 lanes run in step: one has the lock, 31 go round, and the one waits for the others to leave the loop. Nobody moves. So work **inside** the loop that takes the lock:
#
# ```python
# done = False
# while not done:
#     if cuda.atomic.cas(lock, 0, 0, 1) == 0:
#         ...  # fence, work, fence, open
#         done = True
# ```
#
# That ends, and is slow: n threads, one after the other, while the whole GPU looks on. Let each block find its own best first, in shared memory, and only then send one thread to the lock.
# **Example:** 1,025 elements, 5 blocks: five critical sections in place of 1,025.
#
# `block_best(x, i)` below does the block's part; every thread of a block of 256 must call it, and all get the block's best value and the lowest index that has it. A thread without an element brings minus infinity.


# %% tags=["setup"]
@cuda.jit(device=True)
def block_best(x, i):
    """(value, index) of the largest x of the block and the lowest i that has it; every one of 256 threads must call."""
    values = cuda.shared.array(THREADS, float32)
    indices = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    values[t], indices[t] = x, i
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            larger = values[t + d] > values[t]
            if larger or (values[t + d] == values[t] and indices[t + d] < indices[t]):
                values[t], indices[t] = values[t + d], indices[t + d]
        d //= 2
    cuda.syncthreads()
    return values[0], indices[0]


# %% [markdown]
# **Write** `best_under_lock(src, lock, value, index)`. One thread per block takes the lock, and works inside the loop that takes it.
#
# <details><summary>Interview question: may blocks wait for each other's locks at all?</summary>For a lock, yes: who holds it is running, and will open it without needing anybody else. Waiting for a block that may not have started is different: the waiting blocks can occupy the places that it needs. <b>A weak answer says</b> "blocks cannot communicate". <b>And then?</b> What does forward progress promise? Since Volta, threads of one warp that diverged all move on; before, even the spinning lane of one warp could starve the owner.</details>


# %% solution="best_under_lock"
@cuda.jit
def best_under_lock(src, lock, value, index):
    """value[0], index[0] = the largest of src, and its lowest index. src: (n,) float32; lock, value, index: (1,)."""
    # about 15 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        done = False
        while not done:
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                cuda.threadfence()  # reads below see what the last owner wrote
                if x > value[0] or (x == value[0] and at < index[0]):
                    value[0] = x
                    index[0] = at
                cuda.threadfence()  # what is written is seen before the lock is open
                cuda.atomic.exch(lock, 0, 0)
                done = True
    ### END SOLUTION


# %% check="best_under_lock"
q = exercise("atomics.best_under_lock")
q.check(best_under_lock).points

# %% [markdown]
# ## 6. Take the next one
#
# **Look back.** A lock makes others wait. A counter hands out work without one: whoever is free takes the next number, as in a queue with tickets.
#
# Work is often uneven: rows of different lengths, pixels that need many turns or few. With **equal shares** each warp gets as many rows as the others, and the one with the long rows decides when the launch ends.
# With a **work queue** a warp that is done draws the next row, `row = cuda.atomic.add(next_row, 0, 1)`, until none is left.
#
# **Example.** Eight rows that take 8, 4, 2, 2, 1, 1, 1, 1 steps, two warps:
#
# | | warp 0 | warp 1 | the launch ends after |
# |---|---|---|---|
# | equal shares | rows 0 to 3: 16 steps | rows 4 to 7: 4 steps | 16 |
# | queue | rows 0, 5, 7: 10 steps | rows 1, 2, 3, 4, 6: 10 steps | 10 |
#
# The launch has a fixed number of warps that stay, whatever there is to do. Such a kernel is called **persistent**.
# It is also what you use where a kernel would want to launch more work: numba.cuda has no **dynamic parallelism** (kernels that launch kernels), but a warp may put new work at the end of a queue.
#
# Only one lane draws, and the others must hear the number: `cuda.shfl_sync(mask, value, 0)` gives every lane the value of lane 0.

# %% [markdown]
# **Write** `warp_total` (five shuffles; unit 6 has it) and `work_queue(src, offsets, next_row, sums)`. Lanes of a warp read neighbours of its row; lane 0 writes the sum.
#
# **Predict** for 70 rows and 2 blocks of 256: how many draws in all? Each warp notices that the queue is empty by drawing once more.
#
# <details><summary>Interview question: when is a queue slower than equal shares?</summary>When the work is even: then a draw per item is pure cost, and each draw waits for the memory before the warp can begin. Draw several items at once, or draw the next one early. <b>A weak answer says</b> "never, it balances". <b>And then?</b> The GPU's own block scheduler is a queue, too: one block per item does the same, as long as items are large enough for a block.</details>

# %%
q = exercise("atomics.work_queue")
q.show()

# %% predict="work_queue"
q.predict(atomic_operations=86)


# %% solution="work_queue"
@cuda.jit(device=True)
def warp_total(value):
    """The sum of value over the 32 lanes of a warp, valid in lane 0. value: float32; every lane must call."""
    # about 5 lines
    ### BEGIN SOLUTION
    d = WARP // 2
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value
    ### END SOLUTION


@cuda.jit
def work_queue(src, offsets, next_row, sums):
    """sums[k] = the sum of src[offsets[k]:offsets[k + 1]], rows drawn from next_row. src, sums: float32; the others int32."""
    # about 14 lines
    ### BEGIN SOLUTION
    lane = cuda.threadIdx.x % WARP
    row = 0
    while row < sums.size:
        if lane == 0:
            row = cuda.atomic.add(next_row, 0, 1)
        row = cuda.shfl_sync(FULL_WARP, row, 0)  # all lanes hear what lane 0 drew
        if row < sums.size:
            acc = float32(0)
            for i in range(offsets[row] + lane, offsets[row + 1], WARP):
                acc += src[i]
            acc = warp_total(acc)
            if lane == 0:
                sums[row] = acc
    ### END SOLUTION


# %% check="work_queue"
q = exercise("atomics.work_queue")
q.check(work_queue).points

# %% race="work_queue"
q = exercise("atomics.work_queue")
q.race(work_queue).points

# %% [markdown]
# ## 7. The last one adds up
#
# **Look back.** In unit 6 a sum took two launches, or an atomic per block whose order changed from run to run.
#
# A counter can tell a block that it is the **last** to finish. Then everything is there, and that block may add up what the others left, in the same order every time: one launch, the same bits.
#
# Each block writes its sum, **then** counts itself. Other blocks must see the two in this order, and nothing promises that by itself: memory may show the counter first. `cuda.threadfence()` between the two does.
#
# **Example.** Three blocks, finishing in the order 1, 2, 0:
#
# | block | writes | fence | draws | is last? |
# |---|---|---|---|---|
# | 1 | `partial[1] = 4` | | 0 | no |
# | 2 | `partial[2] = 1` | | 1 | no |
# | 0 | `partial[0] = 7` | | 2 | yes: reads 7, 4, 1 and writes 12 |
#
# One thread draws, but the whole block must know: it leaves the answer in shared memory, and a barrier follows.
# The last block also puts the counter back to 0, or the next launch finds no last block. It does so with an atomic, `cuda.atomic.exch(finished, 0, 0)`: all accesses to a cell that others update atomically should be atomics.
#
# `block_sum(x)` below adds up one number per thread; every thread of a block of 256 must call it.


# %% tags=["setup"]
@cuda.jit(device=True)
def block_sum(x):
    """The sum of x over the 256 threads of a block, for all of them; every thread must call. x: float32."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    cuda.syncthreads()  # a former call is over
    s[t] = x
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    cuda.syncthreads()
    return s[0]


# %% [markdown]
# **Write** `last_block_sum(src, partial, finished, total)`. There are as many blocks as `partial` has cells. **Predict** the atomic operations for 5 blocks, the reset included.
#
# <details><summary>Interview question: what breaks without the fence, and when would you notice?</summary>The last block may read an old <code>partial</code> of another block: the counter's new value became visible before the sum did. It shows rarely, on some GPUs, under load. <b>A weak answer says</b> "syncthreads is enough". <b>And then?</b> A barrier orders the threads of one block; a fence orders one thread's writes for everybody. The reader's side needs order as well: here the atomic comes before the reads, with a barrier between.</details>

# %%
q = exercise("atomics.last_block_sum")
q.show()

# %% predict="last_block_sum"
q.predict(atomic_operations=6)


# %% solution="last_block_sum"
@cuda.jit
def last_block_sum(src, partial, finished, total):
    """total[0] = the sum of src; the last block adds up partial. src: (n,), partial: (blocks,), finished: (1,) int32."""
    # about 20 lines
    ### BEGIN SOLUTION
    is_last = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_sum(acc)
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()  # the sum is visible before the counter moves
        drawn = cuda.atomic.add(finished, 0, 1)
        is_last[0] = 1 if drawn == cuda.gridDim.x - 1 else 0
    cuda.syncthreads()  # is_last is written
    if is_last[0] == 1:  # all threads of the block agree, so barriers may follow
        acc = float32(0)
        for b in range(t, partial.size, THREADS):
            acc += partial[b]
        acc = block_sum(acc)
        if t == 0:
            total[0] = acc
            cuda.atomic.exch(finished, 0, 0)  # ready for the next launch
    ### END SOLUTION


# %% check="last_block_sum"
q = exercise("atomics.last_block_sum")
q.check(last_block_sum).points

# %% race="last_block_sum"
q = exercise("atomics.last_block_sum")
q.race(last_block_sum).points

# %% [markdown]
# ## What you have
#
# **Look back.** Every rung let threads meet less often: all at 256 cells, a block at its own, no two lanes at any.
# Where meeting cannot be avoided: one atomic if the hardware has it, compare-and-swap if it fits 64 bits, a lock if nothing else does, and then once per block.
#
# | you need | use | who waits |
# |---|---|---|
# | a count, a sum, a largest integer | an atomic | equal addresses, one after the other |
# | another operation on one cell | compare-and-swap | nobody; who loses tries again |
# | several cells at once | a lock, one thread per block | everybody else who wants it |
# | uneven work shared | a queue: an atomic counter | nobody |
# | a result of all blocks in one launch | last block done, with its fence | nobody: the last one goes on |
