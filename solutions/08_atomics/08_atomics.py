# %% [markdown]
# # Count, lock, share work
#
# **The promise:** at the end you count the values of 268 million bytes at a speed that does not depend on the data, and you can say, for any cell that several threads change, what makes the result right and who waits for whom.
#
# **Time:** about five and a half hours in two sittings: eleven rungs, 142 lines to write. Every rung is a good place to stop; rungs 1 to 5 make the first sitting.
# **You need:** unit 4 (shared memory, barriers, banks) and unit 6 (trees, shuffles).
# Without a GPU everything is checked and counted; only times are missing.

# %% tags=["setup"]
import math

import numpy as np
from numba import cuda, float32, int32, int64

from autograder import exercise
from autograder.notebook.recorded import recorded

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
# The L2 cache, which all multiprocessors share, does the addition itself, so atomics on different cells need not wait for each other.
#
# **Write** `histogram_global(src, hist)`: one thread per element, one atomic per thread. `hist` holds zeros when the kernel starts.
#
# **Predict first:** all 1,025 bytes are equal, so one bin receives 1,025 additions. How many requests bring them, one for each warp that adds?
# And how many lanes of a request, at most, want the same cell?
#
# <details><summary>Interview question: is <code>hist[v] += 1</code> safe if only one block is launched?</summary>No. Threads of one block run at the same time as well, and those of one warp even in the same instruction. <b>A weak answer says</b> "use syncthreads". <b>And then?</b> Why is it not enough? A barrier orders before and after; here all threads want the cell between two barriers. Either one thread owns the cell, or the update is atomic.</details>

# %% predict="histogram_global"
q = exercise("atomics.histogram_global")
q.show()
q.predict(global_atomic_requests=33, atomic_max_contention=32)


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
# **Look back.** All threads of the GPU shared 256 cells of global memory. With equal bytes, all 32 lanes of a request wanted one cell, and 1,025 additions came to it, one after the other.
#
# **Privatise**: give each block counters of its own, in shared memory, which is close and which only its 256 threads use. Then add them to `hist`, once per bin and block.
# The word **contention** means threads that want the same cell at the same time. It is not gone, but now it stays within a block.
#
# A block's counters go through three steps, with a barrier between each and the next:
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
# The cell below counts the example block by block, and merges.
#
# **Write** `histogram_shared(src, hist)`. **Predict** for 8,192 bytes and 3 blocks: how many atomic requests, one per warp, go to global memory?
#
# <details><summary>Interview question: why must merging be atomic, if each thread of a block owns one bin?</summary>Within its block it does; but thread 5 of every other block merges the same bin. <b>A weak answer says</b> "because histograms use atomics". <b>And then?</b> Is there a way without them? Write one row per block to a matrix and add up the columns in a second kernel, which also gives the same order every time.</details>

# %%
blocks = np.array([[3, 7, 3, 3], [0, 7, 3, 3]])
private = np.array([np.bincount(block, minlength=8) for block in blocks])
print(private, "merged:", private.sum(axis=0), "in", np.count_nonzero(private), "additions")

# %% predict="histogram_shared"
q = exercise("atomics.histogram_shared")
q.show()
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
    cuda.syncthreads()  # all threads have counted
    cuda.atomic.add(hist, t, s[t])
    ### END SOLUTION


# %% check="histogram_shared"
q = exercise("atomics.histogram_shared")
q.check(histogram_shared).points

# %% [markdown]
# Walk through one block at its first barrier: which cells hold what, and who waits? Without an answer of yours, the cell steps through the careless kernel of rung 1.

# %%
try:
    walk = q.step(histogram_shared)
except NotImplementedError:
    walk = exercise("atomics.histogram_global").step(lost_updates)
walk

# %% [markdown]
# ## 3. A copy for every lane
#
# **Look back.** One set of counters per block. If a whole image is black, the 32 lanes of a warp still want one cell of it; if it is not, some lanes of most warps still share a bank.
#
# So go on: 32 copies of the counters per block, one for each lane. Lane l counts value v in cell `32 * v + l`.
# Cell k lies in bank k % 32, so lane l always uses bank l. Whatever the data, 32 lanes use 32 banks: no contention within a warp, no conflict.
# Warps of the block share the copies, so counting stays atomic.
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
# <details><summary>Interview question: what do 32 copies cost?</summary>32 KB of shared memory per block, and with it occupancy: count how many blocks of 512 still fit on a multiprocessor. Also clearing and adding up 8,192 cells per block, which pays only if a block counts many more bytes than that. <b>A weak answer says</b> "memory". <b>And then?</b> What do you do with 65,536 bins? No copies fit: sort, or count in several passes, or let equal lanes of a warp agree first and add once.</details>

# %% predict="histogram_copies"
q = exercise("atomics.histogram_copies")
q.show()
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
    cuda.syncthreads()  # all threads have counted
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
# ## 4. Adapt to what comes
#
# **Look back.** 32 copies of 256 counters fill 32 KB. With 4,096 bins they would need 512 KB, and no multiprocessor has that. One copy per block is left, 16 KB, and with it the old trouble: if all lanes of a warp hold one code, all want one cell.
#
# So let the data decide, iteration by iteration. The lanes compare their codes with that of lane 0. Whoever agrees leaves the adding to lane 0, which adds as many as agree; the others add 1 each.
# `cuda.shfl_sync(mask, code, 0)` gives every lane the code of lane 0, `cuda.ballot_sync(mask, same)` a number with a bit for each lane whose `same` is true, and `cuda.popc` counts those bits.
#
# **Example.** Eight lanes hold `5 5 9 5 5 5 2 5`, a background of 5 with two specks:
#
# | | lane 0 | lanes 1, 3, 4, 5, 7 | lane 2 | lane 6 |
# |---|---|---|---|---|
# | same as lane 0 | yes | yes | no | no |
# | adds | 6 to bin 5 | nothing | 1 to bin 9 | 1 to bin 2 |
#
# Three cells are changed by three lanes; one by one, six of the eight would have queued at bin 5. If all codes differ, nothing is gained, and a shuffle and a ballot are spent.
#
# All 32 lanes must take part in the shuffle and the ballot, also those past the end of the data: let them hold -1, a code that nobody counts, and let whole warps go round together.

# %%
@cuda.jit
def who_agrees(codes, out):
    """out[0] = the ballot of the lanes that agree with lane 0, out[1] = how many they are. codes: (32,), out: (2,) int32."""
    code = codes[cuda.threadIdx.x]
    agree = cuda.ballot_sync(FULL_WARP, code == cuda.shfl_sync(FULL_WARP, code, 0))
    if cuda.threadIdx.x == 0:
        out[0], out[1] = agree, cuda.popc(agree)


eight = np.full(WARP, 7, np.int32)
eight[:8] = 5, 5, 9, 5, 5, 5, 2, 5
votes = cuda.to_device(np.zeros(2, np.int32))
who_agrees[1, WARP](cuda.to_device(eight), votes)
ballot, how_many = votes.copy_to_host()
print(f"{ballot:08b} (lane 0 is the last digit), {how_many} lanes")

# %% [markdown]
# **Write** `histogram_adaptive(codes, hist)`: one copy of 4,096 counters per block of 256 threads, any number of blocks.
#
# **Predict** for 8,192 equal codes and three blocks: how many additions do threads make, in shared memory and in `hist` together? Decide first whether a block merges all of its counters or only those that are not 0.
#
# <details><summary>Interview question: why not <code>match_any_sync</code>, which finds all groups of equal lanes?</summary>It gives every group its leader, so it never adds one by one. It also takes longer the more groups there are, so it costs most where there is nothing to gain. <b>A weak answer says</b> "match is newer, so it is faster". <b>And then?</b> When does comparing with lane 0 fail? If half of the lanes hold 5, half 9: one group is joined, the other queues. Ask what your data look like before you choose.</details>

# %% predict="histogram_adaptive"
q = exercise("atomics.histogram_adaptive")
q.show()
q.predict(atomic_operations=12_544)


# %% solution="histogram_adaptive"
CODES = 4096  # 16 KB of counters


@cuda.jit
def histogram_adaptive(codes, hist):
    """hist[c] += how often c occurs in codes. codes: (n,) uint16, all below 4,096; hist: (4096,) int32."""
    # about 16 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(CODES, int32)
    t = cuda.threadIdx.x
    for k in range(t, CODES, THREADS):
        s[k] = 0
    cuda.syncthreads()  # every bin is cleared
    for first in range(cuda.blockIdx.x * THREADS, codes.size, cuda.gridsize(1)):  # the same for all lanes
        code = int32(codes[first + t]) if first + t < codes.size else int32(-1)
        same = code == cuda.shfl_sync(FULL_WARP, code, 0)
        agree = cuda.ballot_sync(FULL_WARP, same)
        if code >= 0 and t % WARP == 0:
            cuda.atomic.add(s, code, cuda.popc(agree))  # for all that agree
        elif code >= 0 and not same:
            cuda.atomic.add(s, code, 1)
    cuda.syncthreads()  # all threads have counted
    for k in range(t, CODES, THREADS):
        cuda.atomic.add(hist, k, s[k])
    ### END SOLUTION


# %% check="histogram_adaptive"
q = exercise("atomics.histogram_adaptive")
q.check(histogram_adaptive).points

# %% [markdown]
# **Read the profile.** The next cell shows what one GPU measured for these rungs and for other ways to count, each for bytes that are spread evenly and for bytes that are all equal, beside the library in the same run. Answer before you open the answers:
#
# 1. Which of your rungs slows down most when the bytes are no longer spread evenly but all equal, and which counter foretold it?
# 2. Your histogram per block does *not* lose, though the interpreter counted 32 lanes at one address. What may the hardware do that the counter does not know?
# 3. Two ways make the same atomics, and one is quicker: its threads load several words before they count any. Why does that help?
# 4. In the second table, does adapting pay on this GPU, and for which data?
#
# <details><summary>Answers</summary>(1) The global histogram: all 2^28 additions go to one cell, and <code>atomic_max_contention</code> said so in rung 1: 32 lanes at one cell. (2) Adding the literal 1 in shared memory is an instruction of its own, <code>ATOMS.POPC.INC</code> in the machine code: lanes with one address are counted and added at once. An amount that differs from lane to lane has no such help. (3) A load takes hundreds of nanoseconds. With one on its way per thread, too few bytes are on their way altogether to fill the memory; several loads first, then the counting, keep more in flight. Unit 11 puts numbers on it. (4) Compare the rows column by column: on the H200 on record it pays for none of them, and takes longer even where all codes are alike. Because of (2), the hardware joins equal lanes by itself where the amount is the literal 1, and your shuffle and ballot come on top. Where amounts differ, as in sums by key, nothing joins them but you. <b>A weak answer</b> names the kernel without a counter, or believes the counter against the clock.</details>

# %%
recorded("atomics", "bytes")
recorded("atomics", "codes");

# %% [markdown]
# ## 5. An atomic of your own
#
# **Look back.** Every rung so far added. The hardware does that by itself, and it also does `max`, `min`, `exch`, `and_`, `or_`, `xor` on integers. What if your operation is not on the list?
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
# **Write** `max_by_cas(src, best_bits)`, one thread per element. `best_bits[0]` holds the bits of minus infinity when the kernel starts. A NaN is never larger than anything, so it is passed over. The check also launches other blocks.
#
# **Predict** whether the bits are in the same order as the numbers, 1 for yes and 0 for no: `print(int(bits(2.0) > bits(1.0)), int(bits(-1.0) > bits(-2.0)))`, where `bits` is `float_as_int`. The highest bit of a float32 is its sign, and the others say how far from 0 it is.
# So would `cuda.atomic.max(best_bits, 0, float_as_int(x))` do?
#
# <details><summary>Interview question: your loop looks, computes and swaps. What does a thread know when its swap fails?</summary>That another thread's swap succeeded meanwhile: somebody always moves on, so the whole never stands still. <b>A weak answer says</b> "that the value was too small". <b>And then?</b> Is there a limit to how often one thread must try? None is promised; under heavy contention let a block agree on one value first, and send one thread.</details>

# %%
q = exercise("atomics.max_by_cas")
q.show()

# %% predict="max_by_cas"
q.predict(prints="1 0")


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
                break  # nobody got in between
            seen = found
    ### END SOLUTION


# %% check="max_by_cas"
q = exercise("atomics.max_by_cas")
q.check(max_by_cas).points

# %% [markdown]
# ## 6. Find the bug: a lock
#
# **Look back.** Compare-and-swap changes one cell of at most 64 bits. Sometimes several cells must change together: a value and the place where it was found.
#
# A **lock** is a cell: 0 is open, 1 is taken. Whoever swaps 0 for 1 has it, does the work, and writes 0. What lies between is the **critical section**: one thread at a time.
# Two **fences** belong to it. `cuda.threadfence()` makes sure that the memory accesses before it are seen before those that follow: one after taking the lock, so that you read what the last owner wrote; one before opening it, so that the next owner reads what you wrote.
#
# The draft below is what works on a CPU. **Predict** the line that never ends, counted from the `@cuda.jit` of its cell, and say aloud why. Then run the cell and read the verdict.

# %% predict="best_under_lock"
q = exercise("atomics.best_under_lock")
q.predict(line=6)


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
# Where 32 lanes run in step, one has the lock, 31 go round, and the one waits for the others to leave the loop: nobody moves. So it is in the interpreter, and on GPUs before Volta. Since then lanes that have parted can go on separately, so the draft may come to an end on yours; a lock should not depend on it. Work **inside** the loop that takes it:
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
# **Write** `best_under_lock(src, lock, value, index)`. One thread per block takes the lock, and works inside the loop that takes it. When the kernel starts, the lock is open, `value[0]` is minus infinity, and `index[0]` is the largest int32.
#
# <details><summary>Interview question: may blocks wait for each other's locks at all?</summary>For a lock, yes: who holds it is running, and will open it without needing anybody else. Waiting for a block that may not have started is different: the waiting blocks can occupy the places that it needs. <b>A weak answer says</b> "blocks cannot communicate". <b>And then?</b> What does forward progress promise? Since Volta, threads of one warp that diverged all move on; before, the spinning lanes of a warp could starve the owner beside them.</details>

# %%
q = exercise("atomics.best_under_lock")
q.show()


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
# ## 7. Two numbers in one word
#
# **Look back.** A lock lets one block in at a time, and each pays for a swap, two fences and an exchange. It was needed because a value and an index are two cells. Make them one.
#
# An int64 has room for both: the value in the upper 32 bits, the index in the lower ones. Then the larger word is the better pair, and one atomic changes both together.
# Two things stand in the way. The bits of negative floats have the wrong order: `in_order(x)` below flips 31 of their bits, which puts them right. And of equal values the *lower* index must win, so the word holds `2^31 - 1 - index`.
#
# **Example** with 4 bits below, and values that are whole numbers already. The index counts from 15 down:
#
# | value | index | word | |
# |---|---|---|---|
# | 3 | 2 | 3 * 16 + 13 = 61 | |
# | 7 | 9 | 7 * 16 + 6 = 118 | |
# | 7 | 4 | 7 * 16 + 11 = 123 | the largest: value 7, index 4 |


# %% tags=["setup"]
LAST = 0x7FFFFFFF  # 2^31 - 1


@cuda.jit(device=True)
def in_order(x):
    """The bits of x as an int32 that has the order of the floats. x: float32, no NaN."""
    bits = cuda.libdevice.float_as_int(x)
    return bits ^ ((bits >> 31) & LAST)  # bits >> 31 is all ones for a negative number


# %%
@cuda.jit
def show_order(src, out):
    """out[t] = in_order(src[t]). src: (n,) float32, out: (n,) int32."""
    out[cuda.threadIdx.x] = in_order(src[cuda.threadIdx.x])


ordered = cuda.to_device(np.zeros(4, np.int32))
show_order[1, 4](cuda.to_device(np.array([-2, -1, 1, 2], np.float32)), ordered)
print(ordered.copy_to_host())  # grows from left to right

# %% [markdown]
# **Write** `best_packed(src, best)`: each block finds its best with `block_best`, and one thread per block brings the word. `best[0]` holds the smallest int64 when the kernel starts, and `cuda.atomic.max` works on int64.
#
# **Predict** the atomic operations for 600 elements, three blocks.
#
# <details><summary>Interview question: when do you still need the lock?</summary>When what changes together does not fit 64 bits, or 128 on the newest GPUs. <b>A weak answer says</b> "locks are never needed". <b>And then?</b> What if it is larger? Often the cells can be copied: prepare a new record aside, then swap one pointer or index to it. What goes wrong if the old one is reused at once? A reader may still hold it, and a compare-and-swap cannot tell a pointer that came back from one that never left: the ABA problem.</details>

# %% predict="best_packed"
q = exercise("atomics.best_packed")
q.show()
q.predict(atomic_operations=3)


# %% solution="best_packed"
@cuda.jit
def best_packed(src, best):
    """best[0] = the word of the largest of src and its lowest index. src: (n,) float32, best: (1,) int64."""
    # about 4 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    x, at = block_best(src[i] if i < src.size else float32(-math.inf), i)
    if cuda.threadIdx.x == 0:
        cuda.atomic.max(best, 0, int64(in_order(x)) << 32 | (LAST - at))  # both change, or neither
    ### END SOLUTION


# %% check="best_packed"
q = exercise("atomics.best_packed")
q.check(best_packed).points

# %% [markdown]
# What the lock cost: both kernels find the best of the same numbers, as one GPU measured them. Compare how the time grows with the number of blocks.

# %%
recorded("atomics", "pairs");

# %% [markdown]
# ## 8. A table without a lock
#
# **Look back.** Every histogram had a bin for each value that may occur. If keys are any numbers below 2^31, most bins would stay empty; a **hash table** has places only for keys that do occur.
#
# A **hash** turns a key into the place where the search for it begins. If another key lies there, look at the next place, and so on round the table: **linear probing**. The search ends at the key, or at an empty place.
# Two threads may want the same empty place. Compare-and-swap decides: `seen = cuda.atomic.cas(table, place, EMPTY, key)` takes the place only if it is still empty, and says what was there.
#
# **Example.** Four places, keys 6, 9, 6, and both kinds begin at place 2:
#
# | thread | swap at | found | so |
# |---|---|---|---|
# | A, key 6 | 2 | empty | the place is its own; counts there |
# | B, key 9 | 2 | 6 | somebody else's: goes on to place 3 |
# | C, key 6 | 2 | 6 | its own key, counts there |
# | B, key 9 | 3 | empty | the place is its own; counts there |
#
# Keys are never taken out, so a place that holds a key holds it forever, and nobody ever needs to wait. It is taking keys out that makes such tables hard.
# `place_of` below is the hash; the number of places is a power of two, so `& (places - 1)` is the remainder.
# In a large table neighbouring keys begin far apart; in the small one of the next cell, 16 places, they begin side by side.


# %% tags=["setup"]
EMPTY = -1


@cuda.jit(device=True)
def place_of(key, places):
    """Where the search for a key begins. places: a power of two."""
    return ((key * 0x9E3779B1) >> 15) & (places - 1)  # in a large table neighbouring keys begin far apart


# %%
@cuda.jit
def show_places(out):
    """out[key] = where key begins in a table of 16 places. out: (8,) int32."""
    out[cuda.threadIdx.x] = place_of(cuda.threadIdx.x, 16)


places = cuda.to_device(np.zeros(8, np.int32))
show_places[1, 8](places)
print(places.copy_to_host())

# %% [markdown]
# **Write** two kernels and `count_keys(keys, asked, table, counts, found)`, which launches them. The second kernel begins when the first has ended, so it may read without atomics. The table always has an empty place.
#
# **Predict** for 1,025 keys that are all equal: how many atomics do the threads make, swaps and additions together? And aloud: which keys cost many probes, and why do they lie next to each other?
#
# <details><summary>Interview question: what happens as the table fills up?</summary>Runs of taken places grow together, and a search walks to the end of a run: at half full about 1.5 probes to find a key, at nine tenths over five, and a full table never ends a search for a key that is not there. <b>A weak answer says</b> "it gets slower". <b>And then?</b> What helps? Twice the places, another probing order, or a place of 32 neighbours that a warp looks at together.</details>

# %% predict="count_keys"
q = exercise("atomics.count_keys")
q.show()
q.predict(atomic_operations=2050)


# %% solution="count_keys"
@cuda.jit
def put_in(keys, table, counts):
    """Give each key its place in table, and count it there. keys: (n,), table, counts: (places,), all int32."""
    # about 9 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        while True:
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
            if seen == EMPTY or seen == keys[i]:
                break  # taken just now, or by an equal key
            place = (place + 1) & (table.size - 1)
        cuda.atomic.add(counts, place, 1)
    ### END SOLUTION


@cuda.jit
def look_up(asked, table, counts, found):
    """found[i] = how often asked[i] was put in, 0 for never. All int32."""
    # about 6 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < asked.size:
        place = place_of(asked[i], table.size)
        while table[place] != EMPTY and table[place] != asked[i]:
            place = (place + 1) & (table.size - 1)
        found[i] = counts[place] if table[place] == asked[i] else 0
    ### END SOLUTION


def count_keys(keys, asked, table, counts, found):
    """found[i] = how often asked[i] occurs in keys. Arrays on the device; table: EMPTY, counts: 0 before."""
    # about 2 lines
    ### BEGIN SOLUTION
    put_in[max(1, -(-keys.size // THREADS)), THREADS](keys, table, counts)
    look_up[max(1, -(-asked.size // THREADS)), THREADS](asked, table, counts, found)
    ### END SOLUTION


# %% check="count_keys"
q = exercise("atomics.count_keys")
q.check(count_keys).points

# %% [markdown]
# ## 9. Take the next one
#
# **Look back.** A lock makes others wait; a swap sends whoever lost away to try again. A counter hands out work and does neither: whoever is free takes the next number, as in a queue with tickets.
#
# Work is often uneven: rows of different lengths, whose sums are called a **segmented reduction**, pixels that need many iterations or few. With **equal shares** each warp gets as many rows as the others, and the one with the long rows decides when the launch ends.
# With a **work queue** a warp that is done draws the next row, `row = cuda.atomic.add(next_row, 0, 1)`, until none is left.
#
# **Example.** Eight rows that take 8, 4, 2, 2, 1, 1, 1, 1 steps, two warps:
#
# | | warp 0 | warp 1 | the launch ends after |
# |---|---|---|---|
# | equal shares | rows 0 to 3: 16 steps | rows 4 to 7: 4 steps | 16 |
# | queue | rows 0, 4, 6: 10 steps | rows 1, 2, 3, 5, 7: 10 steps | 10 |
#
# The launch has a fixed number of warps that stay, whatever there is to do. Such a kernel is called **persistent**.
# It is also what you use where a kernel would want to launch more work: numba.cuda has no **dynamic parallelism** (kernels that launch kernels), but a warp may put new work at the end of a queue.
#
# Only one lane draws, and the others must hear the number: `cuda.shfl_sync(mask, value, 0)` gives every lane the value of lane 0.

# %%
busy_until = [0, 0]  # of each warp
for row, steps in enumerate([8, 4, 2, 2, 1, 1, 1, 1]):
    warp = busy_until.index(min(busy_until))  # the one that is free first draws the next row
    busy_until[warp] += steps
    print(f"row {row} to warp {warp}, until step {busy_until[warp]}")

# %% [markdown]
# **Write** `warp_total` (five shuffles; unit 6 has it) and `work_queue(src, offsets, next_row, sums)`. `next_row[0]` is 0 when the kernel starts. Lanes of a warp read neighbours of its row; lane 0 writes the sum.
#
# **Predict** for 70 rows and 2 blocks of 256: how many draws in all? Each warp notices that the queue is empty by drawing once more.
#
# <details><summary>Interview question: when is a queue slower than equal shares?</summary>When the work is even: then a draw per item is pure cost, and each draw waits for the memory before the warp can begin. Draw several items at once, or draw the next one early. <b>A weak answer says</b> "never, it balances". <b>And then?</b> What if each item is large enough for a block? Launch one block per item: the GPU's own block scheduler is a queue, too.</details>

# %% predict="work_queue"
q = exercise("atomics.work_queue")
q.show()
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
# ## 10. The last one adds up
#
# **Look back.** In unit 6 a sum took two launches, or an atomic per block whose order changed from run to run.
#
# A counter can tell a block that it is the **last** to finish. Then everything is there, and that block may add up what the others left, in the same order every time: one launch, the same bits.
#
# Each block writes its sum, **then** counts itself. Other blocks must see the two in this order, and nothing promises that by itself: memory may show the counter first. `cuda.threadfence()` between the two makes sure of it.
# The last block has a side of its own: it must count first and read the others' sums after that. So a second fence follows the count.
#
# **Example.** Three blocks, finishing in the order 1, 2, 0:
#
# | block | writes, then a fence | draws, then a fence | is last? |
# |---|---|---|---|
# | 1 | `partial[1] = 4` | 0 | no |
# | 2 | `partial[2] = 1` | 1 | no |
# | 0 | `partial[0] = 7` | 2 | yes: reads 7, 4, 1 and writes 12 |
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
# <details><summary>Interview question: what breaks without the fence, and when would you notice?</summary>The last block may read an old <code>partial</code> of another block: the counter's new value became visible before the sum did. It shows rarely, on some GPUs, under load. <b>A weak answer says</b> "syncthreads is enough". <b>And then?</b> A barrier orders the threads of one block; a fence orders one thread's writes for everybody. Is the writer's fence enough? By the letter of CUDA's memory model, no: the reads must not come before the count either, so a second fence belongs after the atomic. The example in CUDA's own guide has a barrier there and no fence, which works on every GPU so far; the check takes both.</details>

# %% predict="last_block_sum"
q = exercise("atomics.last_block_sum")
q.show()
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
        cuda.threadfence()  # and what others wrote before they counted is read after it
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
# ## 11. All wait for all
#
# **Look back.** In rung 10 nobody waited: one block had work left, the last one, and the others had ended. If *every* block needs the total, for example to divide by it, all must wait for all.
#
# Two launches would do: the second begins when the first has ended. Within one launch, `cuda.cg.this_grid().sync()` is a **grid barrier**, from CUDA's **cooperative groups**: what any thread of the grid wrote before it, every thread of the grid sees after it. No counter, no fence.
#
# It has a price. A block that waits keeps its place on a multiprocessor, and a block that has no place yet cannot come to the barrier: the others would wait forever. So all blocks must be on the GPU at once. numba sees the call and makes the launch a **cooperative launch**, which is refused if the grid does not fit.
# How many blocks fit depends on the GPU, and on the registers and the shared memory that a block takes; numba says how many: `kernel.overloads[signature].max_cooperative_grid_blocks(256)`. Below, `n_fit` is that number. A grid-stride loop lets those few blocks do all the work.
#
# And every thread of every block must come: the barrier stands outside any `if`, as `cuda.syncthreads()` does.
#
# **Example.** Eight numbers, two blocks of four threads:
#
# | | block 0 | block 1 |
# |---|---|---|
# | its elements | 1, 3, 2, 0 | 4, 1, 2, 3 |
# | leaves in `partial` | 6 | 10 |
# | grid barrier | waits for block 1 | waits for block 0 |
# | adds up `partial` | 6 + 10 = 16 | 6 + 10 = 16 |
# | writes | 1/16, 3/16, 2/16, 0 | 4/16, 1/16, 2/16, 3/16 |
#
# In the cell below each block says a number and hears what the next block said. Then it launches a grid that fits on no GPU.


# %%
@cuda.jit
def hear_next(said, heard):
    """heard[b] = what block b + 1 said, and the last block hears the first. said, heard: (blocks,) int32."""
    b = cuda.blockIdx.x
    said[b] = 10 * b
    cuda.cg.this_grid().sync()  # all threads have spoken
    heard[b] = said[(b + 1) % cuda.gridDim.x]


for n_blocks in (3, 1 << 16):
    said, heard = (cuda.to_device(np.zeros(n_blocks, np.int32)) for _ in range(2))
    try:
        hear_next[n_blocks, 1](said, heard)
        print(heard.copy_to_host())
    except Exception as error:
        print("refused:", error)

# %% [markdown]
# **Write** the kernel `shares_in_one_launch` and the function `shares_of_sum(src, partial, n_fit, dst)`, which launches it. `block_sum` from rung 10 helps on both sides of the barrier. `partial` has more cells than there are blocks.
#
# **Predict** for 8,192 elements, where five blocks of 256 threads fit: how many threads take part?
#
# <details><summary>Interview question: one launch with a grid barrier, or two launches?</summary>Two launches take any grid, and cost one launch more. Across a grid barrier a thread keeps its registers and a block its shared memory, which is what one launch is for: many short steps on data that fits there. <b>A weak answer says</b> "one launch is always faster". <b>And then?</b> What does the barrier cost? The slowest block decides when all go on, and a grid that must fit may have too few threads to keep the memory busy.</details>

# %% predict="shares_of_sum"
q = exercise("atomics.shares_of_sum")
q.show()
q.predict(threads_at_work=1280)


# %% solution="shares_of_sum"
@cuda.jit
def shares_in_one_launch(src, partial, dst):
    """dst = src over the sum of src; all blocks wait for all. src, dst: (n,), partial: (room,), all float32."""
    # about 12 lines
    ### BEGIN SOLUTION
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_sum(acc)
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = acc
    cuda.cg.this_grid().sync()  # the sums of all blocks are written
    acc = float32(0)
    for b in range(cuda.threadIdx.x, cuda.gridDim.x, THREADS):
        acc += partial[b]
    acc = block_sum(acc)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        dst[i] = src[i] / acc
    ### END SOLUTION


def shares_of_sum(src, partial, n_fit, dst):
    """dst = src over the sum of src. Arrays on the device; n_fit: blocks of 256 threads that are on the GPU at once."""
    # about 1 line
    ### BEGIN SOLUTION
    shares_in_one_launch[n_fit, THREADS](src, partial, dst)
    ### END SOLUTION


# %% check="shares_of_sum"
q = exercise("atomics.shares_of_sum")
q.check(shares_of_sum).points

# %% [markdown]
# ## What you have
#
# **Look back.** Every rung let threads meet less often: all at 256 cells, a block at its own, no two lanes at any.
# Where meeting cannot be avoided: one atomic if the hardware has it, compare-and-swap if it fits 64 bits, a word that holds two numbers, a lock if nothing else does, and then once per block.
#
# | you need | use | who waits |
# |---|---|---|
# | a count, a sum, a largest integer | an atomic | equal addresses, one after the other |
# | another operation on one cell | compare-and-swap | nobody; whoever loses tries again |
# | two cells at once, 64 bits in all | one word that holds both | nobody |
# | more cells at once | a lock, one thread per block | whoever else wants it |
# | counts of unknown keys | a hash table, places taken by compare-and-swap | nobody; whoever loses goes on |
# | uneven work shared | a queue: an atomic counter | nobody |
# | a result of all blocks in one launch | last block done, with its fence | nobody: the last one goes on |
# | a result that all blocks go on with | a grid barrier, and a grid that fits | everybody |
