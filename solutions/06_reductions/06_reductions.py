# %% [markdown]
# # Reductions
#
# **The promise:** your `device_sum` keeps within 2 % of the library's speed, and you can say what each rung on the way there removed.
# A **reduction** makes one number of many: a sum, a maximum. It reads everything once and writes almost nothing, so the memory sets the limit, and whatever is slower than that is our own doing.
#
# **Time:** two sittings. Rungs 1 to 5: a little over two hours, 53 lines to write. Rungs 6 to 8: a little over three hours, 84 lines. Every rung is a good place to stop.
# **You need:** units 1, 2 and 4: indices and guards, grid-stride loops, sectors, shared memory, its banks and its barrier.
# Without a GPU everything is checked and counted; only times are not measured.

# %% tags=["setup"]
import math

import numpy as np
from numba import cuda, float32, int32

from autograder import exercise

THREADS = 256  # threads per block, unless an exercise lets you choose
WARP = 32  # lanes per warp
FULL_WARP = 0xFFFFFFFF  # a mask that names all 32 lanes


def ceil_div(a, b):
    """Blocks of b that cover a."""
    return -(-a // b)


# %% [markdown]
# ## 1. Everybody adds to one cell
#
# A sum is the first job in this course whose threads need each other's results.
# The shortest program lets every thread add its element to one cell of global memory.
# But `total[0] += x` is three steps: read, add, write, and thousands of threads would read the same old value.
# An **atomic** does the three steps as one, and whoever comes second waits.
#
# **Example.** Eight threads and one cell. Without an atomic, threads 0 and 1 may both read 0; thread 0 writes 9, thread 1 writes 6, and the 9 is lost.
# With an atomic, each thread finds what the one before it left, in whatever order they come:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | cell 0 after, in this order | 9 | 15 | 22 | 31 | 37 | 44 | 52 | 55 |
#
# The cell below does it both ways with the 32 threads of one **warp**, each adding 1. In a warp, threads are called **lanes** and numbered 0 to 31.
#
# **Write** `sum_atomic(src, total)`. `total[0]` holds 0 when the kernel starts.
#
# **Predict first:** how many of one warp's additions queue at the same address?

# %%
@cuda.jit
def two_ways(cells):
    """Each thread adds 1 to cells[0] in three steps, and to cells[1] in one. cells: (2,) float32."""
    cells[0] = cells[0] + float32(1)  # all lanes read before any of them writes
    cuda.atomic.add(cells, 1, float32(1))


cells = cuda.to_device(np.zeros(2, np.float32))
two_ways[1, 32](cells)
print(cells.copy_to_host())

# %%
q = exercise("reductions.sum_atomic")
q.show()

# %% predict="sum_atomic"
q.predict(atomic_max_contention=32)


# %% solution="sum_atomic"
@cuda.jit
def sum_atomic(src, total):
    """total[0] += sum of src, one element per thread. src: (n,), total: (1,), both float32."""
    # about 3 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(total, 0, src[i])  # 32 lanes, one address: served one after the other
    ### END SOLUTION


# %% check="sum_atomic"
q = exercise("reductions.sum_atomic")
q.check(sum_atomic).points

# %% [markdown]
# ## 2. A tree in shared memory
#
# **Look back.** Each addition waited for the one before, all over the GPU: 256 elements took 256 additions in a row at one cell.
# Pairs do not have to wait: 128 threads add 128 pairs at once, then 64 add the results, and after 8 iterations one number is left.
# A block can do that in shared memory, and leaves one number behind.
#
# **Write** `block_sum_interleaved(src, partial)`: `partial[b]` is the sum of block b's 256 elements.
# In iteration d = 1, 2, 4, ... thread t adds cell `2*d*t + d` to cell `2*d*t`, as long as there is one.
# Cells without an element hold 0, and no thread may start an iteration before all have ended the last one.
#
# **Example.** Eight cells, iterations d = 1, 2, 4; the cells that changed are in bold, and the sum is in cell 0:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | after d = 1 | **15** | 6 | **16** | 9 | **13** | 7 | **11** | 3 |
# | after d = 2 | **31** | 6 | 16 | 9 | **24** | 7 | 11 | 3 |
# | after d = 4 | **55** | 6 | 16 | 9 | 24 | 7 | 11 | 3 |
#
# The cell after the picture shows one iteration alone, step by step: watch which threads wait at the barrier, and what the pair reads after it.
#
# **Predict first:** cell i lies in bank i % 32. Where several lanes of one load want different cells of one bank, the load takes that many passes, called **wavefronts**. How many extra wavefronts do the loads of one block's tree cost?
# In iteration d = 1 each of four warps loads twice, and each load finds two lanes on every bank it uses: 4 x 2 x 1 = 8 extra. Go through the other iterations in the same way: half as many threads work in each as in the one before, and their cells lie 2 d words apart.
#
# <details><summary>Interview question: why does a float sum change from run to run with atomics, and not with a tree?</summary>Float addition rounds, so its order matters. Atomics add in the order of arrival; a tree always adds the same pairs. <b>A weak answer says</b> "atomics lose an update now and then". <b>And then?</b> Is the tree also more exact? As a rule: it adds numbers of similar size, so less is rounded away.</details>

# %%
q = exercise("reductions.block_sum_interleaved")
q.show()


# %%
@cuda.jit
def one_turn(src, partial):
    """The first iteration alone, and the sum of one pair per block. src: (n,), partial: (blocks,), both float32."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = src[cuda.grid(1)] if cuda.grid(1) < src.size else float32(0)
    cuda.syncthreads()  # nobody passes before all 256 cells are filled
    if t == 0:
        partial[cuda.blockIdx.x] = s[0] + s[1]  # thread 1 filled s[1]


q.step(one_turn)

# %% predict="block_sum_interleaved"
q.predict(shared_load_bank_conflicts=70)


# %% solution="block_sum_interleaved"
@cuda.jit
def block_sum_interleaved(src, partial):
    """partial[b] = sum of block b's 256 elements. src: (n,), partial: (ceil_div(n, 256),), both float32."""
    # about 13 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()  # the fill, or the iteration before, is visible
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]  # lanes 2 * d cells apart: they share banks
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]  # thread 0 wrote s[0] itself
    ### END SOLUTION


# %% check="block_sum_interleaved"
q = exercise("reductions.block_sum_interleaved")
q.check(block_sum_interleaved).points

# %% [markdown]
# ## 3. Find the bug, then: neighbours stay neighbours
#
# **Look back.** Eight iterations instead of 256, but your counters show conflicts: the partners move apart, and 2, 4, then 8 lanes queue at one bank.
# The sum does not care who is paired with whom.
# Pair thread t with cell t + d, d = 128, 64, ... 1, and let the threads t < d work: now 32 lanes use 32 neighbouring cells, one in each bank.
#
# **Example.** The same eight cells, iterations d = 4, 2, 1. In each iteration the working threads are 0 to d - 1:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | after d = 4 | **15** | **13** | **15** | **12** | 6 | 7 | 8 | 3 |
# | after d = 2 | **30** | **25** | 15 | 12 | 6 | 7 | 8 | 3 |
# | after d = 1 | **55** | 25 | 15 | 12 | 6 | 7 | 8 | 3 |
#
# The second picture shows one warp reading every eighth cell, as your iteration d = 4 did: find the lanes that share a bank.
#
# **Find the bug.** The draft after it is a tree of the last rung in which somebody moved one line. It may be right on your GPU today.
# Which line races with which, and why does it not show in every run? **Predict** the line that the verdict will name first, counted from the `@cuda.jit` of the draft's cell, then run the cell and read the verdict.
#
# **Write** `block_sum_sequential`, with the same arguments and the same result, without a single conflict, and without the draft's race.
#
# <details><summary>Interview question: many first trees ask <code>t % (2 * d) == 0</code>. Half of the threads work in their first iteration, as in yours. Why are they slower?</summary>Every second lane works, so all eight warps stay busy, each with half of its lanes idle. An idle lane still occupies its place in the warp's instruction; an idle warp issues nothing. With t &lt; d, four of the eight warps are out at once. <b>A weak answer says</b> "<code>%</code> is slow". <b>And then?</b> It is, and a bit mask would do instead. What would stay? The half-empty warps.</details>

# %%
q = exercise("reductions.block_sum_sequential")
q.show()


# %%
@cuda.jit
def every_eighth(src, partial):
    """One warp of each block reads cells 0, 8, 16, ... of shared memory; lane 0 writes what it read."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = float32(t)
    cuda.syncthreads()
    if t < WARP:
        x = s[8 * t]
        if t == 0:
            partial[cuda.blockIdx.x] = x


q.show(every_eighth)

# %% predict="block_sum_sequential"
q = exercise("reductions.block_sum_sequential")
q.predict(line=13)


# %%
@cuda.jit
def draft(src, partial):
    """partial[b] = sum of block b's 256 elements. src: (n,), partial: (ceil_div(n, 256),), both float32."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


q.check(draft);


# %% solution="block_sum_sequential"
@cuda.jit
def block_sum_sequential(src, partial):
    """partial[b] = sum of block b's 256 elements. src: (n,), partial: (ceil_div(n, 256),), both float32."""
    # about 12 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()  # the fill, or the iteration before, is visible
        if t < d:
            s[t] += s[t + d]  # 32 lanes, 32 banks
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
    ### END SOLUTION


# %% check="block_sum_sequential"
q = exercise("reductions.block_sum_sequential")
q.check(block_sum_sequential).points

# %% [markdown]
# ## 4. Add first, then climb one tree
#
# **Look back.** No conflicts are left, and still each block loads one element per thread, then spends eight iterations and their barriers on it.
# While its tree runs, a block asks the memory for nothing.
# So give each thread more to add before the tree: a **grid-stride loop** with the sum in a register, where adding costs no barrier.
# The grid now has fewer threads than `src` has elements: enough blocks to fill the GPU, whatever n is.
#
# **Write** `many_per_thread(src, partial)`: thread k of the grid adds up elements k, k + grid size, k + 2 * grid size, and so on; then the tree you have.
#
# **Example.** Eight elements, one block of four threads: four partial sums in registers, then a tree of four cells, two iterations in place of three.
#
# | thread | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | adds elements | 0, 4 | 1, 5 | 2, 6 | 3, 7 |
# | register | 9 + 6 = 15 | 6 + 7 = 13 | 7 + 8 = 15 | 9 + 3 = 12 |
# | after d = 2 | 30 | 25 | 15 | 12 |
# | after d = 1 | 55 | 25 | 15 | 12 |
#
# Mind the type of the register: `0` is an int64, and an int64 plus a float32 is a float64.
#
# **Predict first**, for 8,192 elements and 3 blocks: how many load requests for global memory, and how many stores to shared memory?
#
# <details><summary>Interview question: how many blocks should a grid-stride kernel launch?</summary>Enough to fill every multiprocessor, and a small multiple of that so that no multiprocessor ends long before the others: multiprocessors times blocks that fit on one, times two to four. More only adds partial sums. <b>A weak answer says</b> "one for every 256 elements". <b>And then?</b> How many fit on one multiprocessor? Registers, shared memory and threads per block decide: unit 11 works it out.</details>

# %%
print("int + float32 in NumPy's rules for arrays, and in a kernel:", np.result_type(np.int64, np.float32))

# %%
q = exercise("reductions.many_per_thread")
q.show()

# %% predict="many_per_thread"
q.predict(global_load_requests=256, shared_store_requests=60)


# %% solution="many_per_thread"
@cuda.jit
def many_per_thread(src, partial):
    """partial[b] = sum of what block b's threads visit. src: (n,), partial: (blocks,), both float32."""
    # about 14 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]  # 4 sectors per warp, no barrier
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()  # the fill, or the iteration before, is visible
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
    ### END SOLUTION


# %% check="many_per_thread"
q = exercise("reductions.many_per_thread")
q.check(many_per_thread).points

# %% race="many_per_thread"
q = exercise("reductions.many_per_thread")
q.race(many_per_thread).points

# %% [markdown]
# ## 5. Registers talk to registers
#
# **Look back.** The same bytes, but the tree runs once per block instead of once for every 256 elements.
# What is left of it can shrink too: the 32 lanes of a warp can read each other's registers.
# `cuda.shfl_down_sync(mask, value, d)` returns the value of the lane d above, for all lanes of the mask at once: no shared memory, no barrier.
# The **mask** names the lanes that take part, one bit for each; `FULL_WARP`, from the first cell, names all 32.
#
# The cell below shows one shuffle.
# The last lanes have nobody above them and get their own value back, so after the whole tree only lane 0 can be trusted.
#
# **Example.** A warp of eight lanes, d = 4, 2, 1: every lane adds what it hears. Lane 0 ends with the sum, and the others with sums of whatever they heard:
#
# | lane | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | value | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | after d = 4 | **15** | 13 | 15 | 12 | 12 | 14 | 16 | 6 |
# | after d = 2 | **30** | 25 | 27 | 26 | 28 | 20 | 32 | 12 |
# | after d = 1 | **55** | 52 | 53 | 54 | 48 | 52 | 44 | 24 |
#
# **Write** `warp_total(value)`, five shuffles with d = 16, 8, 4, 2, 1, and `warp_sum(src, partial)`: the loop of the last rung, then `partial[w]` for warp w of the grid. The check also launches other blocks, of whole warps.
#
# **Predict** the place in `partial` to which thread 96 of block 2 stores, in blocks of 256.
#
# <details><summary>Interview question: which lanes of the mask must reach a shuffle?</summary>All of them, converged on the same instruction. A lane that returned early, or waits in another branch, makes the result undefined, and may hang the warp. <b>A weak answer says</b> "lane 0, which gets the sum". <b>And then?</b> And the spare lanes at the end of an array? They come, too, and bring 0.</details>


# %%
@cuda.jit
def one_shuffle(out):
    """out[lane] = the number of the lane that lane heard. out: (32,) int32."""
    lane = cuda.threadIdx.x
    out[lane] = cuda.shfl_down_sync(FULL_WARP, lane, 16)


heard = cuda.to_device(np.zeros(WARP, np.int32))
one_shuffle[1, WARP](heard)
print(heard.copy_to_host())

# %% predict="warp_sum"
q = exercise("reductions.warp_sum")
q.show()
q.predict(index=19)


# %% solution="warp_sum"
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
def warp_sum(src, partial):
    """partial[w] = sum of what warp w's lanes visit. src: (n,), partial: (warps of the grid,), both float32."""
    # about 6 lines
    ### BEGIN SOLUTION
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total(acc)  # outside any branch, so that every lane arrives
    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = acc
    ### END SOLUTION


# %% check="warp_sum"
q = exercise("reductions.warp_sum")
q.check(warp_sum).points

# %% race="warp_sum"
q = exercise("reductions.warp_sum")
q.race(warp_sum).points

# %% [markdown]
# **Read the profile.** A profiler counts what you have counted by hand. These are rungs 1 to 5 in a different order, each adding up 8,192 elements: in 32 blocks, or in 4 where a thread adds more than one element. A barrier counts once for each block that passes it.
#
# | kernel | global load requests | shared load requests | wavefronts of those | barriers | atomic additions |
# |---|---|---|---|---|---|
# | A | 256 | 800 | 800 | 256 | 0 |
# | B | 256 | 0 | 0 | 0 | 0 |
# | C | 256 | 800 | 3,040 | 256 | 0 |
# | D | 256 | 0 | 0 | 0 | 8,192 |
# | E | 256 | 100 | 100 | 32 | 0 |
#
# Before you open the answer: which rung is which kernel? And why do five kernels that load the same not take the same time?
#
# <details><summary>The answer</summary>D is rung 1, the only one with atomics: each of its additions goes to one address. C and A are the trees of rungs 2 and 3, with eight barriers in each of 32 blocks; C takes 3,040 wavefronts for 800 requests, so its lanes share banks, and A takes one for each. E climbs four trees in place of 32: rung 4. B has neither shared memory nor barriers: the shuffles of rung 5. All load 32,768 bytes in 256 requests of 4 sectors; what differs is how long a block asks the memory for nothing, because its threads wait for a barrier, a bank, or their turn at one address. <b>A weak answer says</b> "they read the same, so they take the same time". <b>And then?</b> Which column do you look at first? The one in which wavefronts outnumber requests: it is waste, whatever the kernel is for.</details>

# %% [markdown]
# ---
# **A place to stop.** The first sitting ends here: you have the tree, and know what its conflicts, its barriers and its shared memory cost.
# To start the second one, run the first cell, and the cell with `warp_total`: rungs 6 and 8 call it.
#
# ---
# ## 6. One call for any n
#
# **Look back.** No shared memory and no barrier is left. On record, rungs 4 and 5 stay below the library's speed, and this rung reaches it.
# It differs from them in its loop, in the threads per block and in a second launch, all at once; which of these gained how much was not measured one by one.
#
# What the loop changes can be read in the machine code. Every load takes long to arrive, so what matters is **bytes in flight**: the loads that are under way at the same time, of all warps together. Many warps on a multiprocessor supply them, and so can each thread.
# With one accumulator, the register in which a thread adds up, the compiler takes four iterations together: four loads go out, then come four additions to *one* register, each waiting for the one before.
# Several accumulators are as many chains of additions that do not wait for each other. The cell below counts both, for one accumulator and for four; you will write eight.
#
# Now put everything together.
# Nothing orders the blocks of one launch, so the partial sums need a second launch, which sees all that the first one wrote.
# The alternative, one atomic per block, needs `total` set to 0 in a launch of its own, and adds in a different order every time: it is not **deterministic**.
#
# **Write** the kernel `sum_pass` and the host function `device_sum(src, partial, total)`; all three are device arrays, and `partial` is your only scratch space.
# Blocks of 512 threads give each of 16 warps one cell of shared memory to leave its sum in.
#
# **Predict** the bytes that both launches together load from global memory, for 8,192 elements and 4 blocks.
#
# **Example.** Eight elements, two blocks of four threads with two lanes per warp, so that there is something of each kind:
#
# | | block 0 | block 1 |
# |---|---|---|
# | elements | 9, 6, 7, 9 | 6, 7, 8, 3 |
# | each warp's sum, in shared memory | 15, 16 | 13, 11 |
# | first launch leaves in `partial` | 31 | 24 |
# | second launch, one block, leaves in `total` | 55 | |
#
# <details><summary>Interview question: can all blocks wait for each other inside one launch?</summary>Only if all of them are on the GPU at once: <code>cuda.cg.this_grid().sync()</code> makes the launch a <b>cooperative launch</b>, and that refuses a grid that does not fit. A home-made barrier, a counter and a loop, hangs instead: the waiting blocks occupy the multiprocessors that the missing ones need. Two launches work for any grid. <b>A weak answer says</b> "yes, with syncthreads". <b>And then?</b> That barrier joins one block only. What does the cooperative launch cost? The grid may have only as many blocks as fit at once; unit 8 has a rung on it.</details>
#
# <details><summary>Interview question: a loop adds one float per iteration to one register. What limits it, and why do eight registers help?</summary>Each addition needs the result of the last, so loads that the compiler did not move ahead wait too. Eight chains do not wait for each other, so up to eight times as many bytes can be under way (Little's law: bytes in flight = rate times latency). <b>A weak answer says</b> "too many iterations". <b>And then?</b> Why does the compiler not do it? It would change the order of the additions, and with it the rounding.</details>

# %%
from autograder.lint import lint, signature_of


@cuda.jit
def one_accumulator(src, out):
    """out[thread] = the sum of what the thread visits. src: (n,), out: (threads,), both float32."""
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    out[cuda.grid(1)] = acc


@cuda.jit
def four_accumulators(src, out):
    """The same, where n is a multiple of four times the threads."""
    a = b = c = d = float32(0)
    step = cuda.gridsize(1)
    for i in range(cuda.grid(1), src.size, 4 * step):
        a, b = a + src[i], b + src[i + step]
        c, d = c + src[i + 2 * step], d + src[i + 3 * step]
    out[cuda.grid(1)] = (a + b) + (c + d)


for kernel in (one_accumulator, four_accumulators):
    code = lint(kernel, signature_of((np.zeros(8, np.float32),) * 2)).code
    if code:  # there is no compiler in a browser
        at_once = code["loads_in_flight"], code["independent_operations"]
        print(f"{kernel.__name__}: loads under way {at_once[0]:g}, additions that do not wait for each other {at_once[1]:g}")

# %% predict="device_sum"
q = exercise("reductions.device_sum")
q.show()
q.predict(global_load_bytes=32784)


# %% solution="device_sum"
SUM_THREADS = 512  # threads per block
SUM_WARPS = SUM_THREADS // WARP


@cuda.jit
def sum_pass(src, out):
    """out[b] = sum of what block b's 512 threads visit. src: (n,), out: (blocks,), both float32."""
    # about 24 lines
    ### BEGIN SOLUTION
    s = cuda.shared.array(SUM_WARPS, float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    step = cuda.gridsize(1)
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = float32(0)
    i = cuda.grid(1)
    while i + 7 * step < src.size:
        a0 += src[i]  # eight loads that do not wait for each other
        a1 += src[i + step]
        a2 += src[i + 2 * step]
        a3 += src[i + 3 * step]
        a4 += src[i + 4 * step]
        a5 += src[i + 5 * step]
        a6 += src[i + 6 * step]
        a7 += src[i + 7 * step]
        i += 8 * step
    while i < src.size:  # at most seven iterations are left
        a0 += src[i]
        i += step
    acc = warp_total(((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7)))
    if lane == 0:
        s[warp] = acc
    cuda.syncthreads()  # the sums of all 16 warps are visible
    if warp == 0:
        acc = warp_total(s[lane] if lane < SUM_WARPS else float32(0))
        if lane == 0:
            out[cuda.blockIdx.x] = acc
    ### END SOLUTION


def device_sum(src, partial, total):
    """total[0] = sum of src. src: (n,), partial: (most blocks,) scratch, total: (1,): float32 device arrays."""
    # about 3 lines
    ### BEGIN SOLUTION
    n_blocks = max(1, min(partial.size, ceil_div(src.size, SUM_THREADS)))
    sum_pass[n_blocks, SUM_THREADS](src, partial)
    sum_pass[1, SUM_THREADS](partial[:n_blocks], total)  # sees what the first launch wrote
    ### END SOLUTION


# %% check="device_sum"
q = exercise("reductions.device_sum")
q.check(device_sum).points

# %% race="device_sum"
q = exercise("reductions.device_sum")
q.race(device_sum).points

# %% [markdown]
# ## Before rung 7: a maximum without its place
#
# **Look back.** That was the promise: compare your rate with the library's and with the copy rate of this GPU. And it gives the same bits every time.
#
# A maximum climbs the same tree as a sum: `max` stands where `+` stood. Two things are new, and it is easier to meet them alone.
# A lane without an element needs a number that never wins: for a sum that was 0, for a maximum it is -infinity.
# And NaN: every comparison with it is false, so `if x > best` passes it over. NumPy's `max` returns NaN if there is one, since nobody can say which number is the largest then.
#
# **Example.** Four lanes, one of which holds NaN, d = 2, then d = 1; the test is `not (x <= best)`, which NaN passes:
#
# | lane | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | holds | 9 | 6 | NaN | 3 |
# | after d = 2 | NaN | 6 | | |
# | after d = 1 | 6 | | | |
#
# In the last iteration lane 0 asks whether 6 beats NaN: `not (6 <= NaN)` is true as well, and the NaN is gone. So NaN must be held on to, and that takes a second test, `best == best`, which only NaN fails.
# The cell runs both tests on a warp with a NaN in lane 2. Nothing here is graded; change the numbers.


# %%
@cuda.jit
def warp_max(src, out):
    """out[0] = the largest of 32 numbers by one test, out[1] = by two. src: (32,), out: (2,), both float32."""
    lane = cuda.threadIdx.x
    one = two = src[lane]
    d = WARP // 2
    while d > 0:
        heard = cuda.shfl_down_sync(FULL_WARP, one, d)
        one = heard if not (heard <= one) else one  # NaN wins, and then loses again
        heard = cuda.shfl_down_sync(FULL_WARP, two, d)
        two = heard if not (heard <= two) and two == two else two  # what is NaN stays NaN
        d //= 2
    if lane == 0:
        out[0], out[1] = one, two


numbers = np.full(WARP, -np.inf, np.float32)
numbers[:4] = 9, 6, np.nan, 3
largest = cuda.to_device(np.zeros(2, np.float32))
warp_max[1, WARP](cuda.to_device(numbers), largest)
print("one test:", largest.copy_to_host()[0], "  two tests:", largest.copy_to_host()[1], "  NumPy:", numbers.max())

# %% [markdown]
# ## 7. Carry the place along
#
# **Look back.** The tree, the shuffles and the two tests for NaN are there. What is left is the place.
#
# The place of the maximum needs a pair, value and index, that travels together.
# Two things need a decision, or the schedule decides: of equal elements the lowest index wins, and NaN counts as largest, as in NumPy.
#
# A sum spends one addition on an element; a test with all these cases can take so many instructions that the memory waits for it.
# But one thread walks upwards, so an equal element that it meets later never wins, and most of the test is not needed: `not (x <= best)` is true for larger ones and for NaN, in one comparison.
# Only in the shuffles do places meet in any order; there every case has to be considered.
#
# **Example.** The largest of these is 9, at places 0 and 3. Four lanes walk in strides of 4, then two shuffles compare pairs; the lower place wins:
#
# | lane | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | visits | 9, 6 | 6, 7 | 7, 8 | 9, 3 |
# | its best, (value, place) | (9, 0) | (7, 5) | (8, 6) | (9, 3) |
# | after d = 2 | (9, 0) | (9, 3) | | |
# | after d = 1 | (9, 0) | | | |
#
# The cell below shows what comparisons say of NaN, in Python as in a kernel: all are false, so `not (x <= best)` is true.
#
# **Write** `overtakes(x, best)` for the walk, `beats(v, i, w, j)` for the shuffles, true when the pair (v, i) replaces (w, j), and the middle of `argmax(src, value, index)`, one pair per warp: the start of the walk and the stores are given. The check also launches other blocks, of whole warps.
# Load four elements before you look at the first.
# A warp that visits nothing reports -inf and n; one that finds nothing but -inf reports the first of those.
#
# **Predict** the load requests for 8,192 elements and 3 blocks.
#
# <details><summary>Interview question: why is "the first lane wins" not the same as "the lowest index wins"?</summary>After a grid-stride loop, lane 5 may hold an element from its fourth iteration and lane 6 one from its first. Lanes are not in index order; only comparing indices is. <b>A weak answer says</b> "lanes are in order". <b>And then?</b> Does it matter for a maximum without its place? No: of equal numbers any will do.</details>

# %%
nan = float("nan")
print("nan > 9:", nan > 9, " nan <= 9:", nan <= 9, " not (nan <= 9):", not (nan <= 9), " nan == nan:", nan == nan)

# %% predict="argmax"
q = exercise("reductions.argmax")
q.show()
q.predict(global_load_requests=256)


# %% solution="argmax"
@cuda.jit(device=True)
def beats(v, i, w, j):
    """True when element v at index i replaces w at index j: larger, or equal and earlier; NaN is largest."""
    # about 5 lines
    ### BEGIN SOLUTION
    if math.isnan(v) != math.isnan(w):
        return math.isnan(v)
    if v == w or math.isnan(v):
        return i < j
    return v > w
    ### END SOLUTION


@cuda.jit(device=True)
def overtakes(x, best):
    """True when x replaces best, which stands earlier in src: larger, or the first NaN. Equal ones come too late."""
    # about 1 line
    ### BEGIN SOLUTION
    return not (x <= best) and best == best
    ### END SOLUTION


@cuda.jit
def argmax(src, value, index):
    """value[w], index[w] = the largest of what warp w visits, and where. src, value: float32; index: int32."""
    best, at = float32(-math.inf), int32(src.size)  # for a thread without elements
    i, step = cuda.grid(1), cuda.gridsize(1)
    if i < src.size:
        best, at = src[i], int32(i)  # the first element counts, even when it is -inf
        i += step
    # about 22 lines
    ### BEGIN SOLUTION
    while i + 3 * step < src.size:
        x0, x1, x2, x3 = src[i], src[i + step], src[i + 2 * step], src[i + 3 * step]  # four loads under way
        if overtakes(x0, best):
            best, at = x0, int32(i)
        if overtakes(x1, best):
            best, at = x1, int32(i + step)
        if overtakes(x2, best):
            best, at = x2, int32(i + 2 * step)
        if overtakes(x3, best):
            best, at = x3, int32(i + 3 * step)
        i += 4 * step
    while i < src.size:
        x0 = src[i]
        if overtakes(x0, best):
            best, at = x0, int32(i)
        i += step
    d = WARP // 2
    while d > 0:
        other, j = cuda.shfl_down_sync(FULL_WARP, best, d), cuda.shfl_down_sync(FULL_WARP, at, d)
        if beats(other, j, best, at):  # no shuffle in here: every lane has made both
            best, at = other, j
        d //= 2
    ### END SOLUTION
    if cuda.grid(1) % WARP == 0:
        value[cuda.grid(1) // WARP] = best
        index[cuda.grid(1) // WARP] = at


# %% check="argmax"
q = exercise("reductions.argmax")
q.check(argmax).points

# %% race="argmax"
q = exercise("reductions.argmax")
q.race(argmax).points

# %% [markdown]
# ## 8. Rows or columns: who reads neighbours?
#
# **Look back.** The index cost no byte of memory traffic: it was the loop variable.
#
# Sums along an axis look like many small sums, and the natural program gives each thread one row.
# In C order the elements of a row lie side by side, so 32 threads on 32 rows touch 32 sectors at a time and use 4 bytes of each.
# Let a warp share a row instead.
#
# For the columns it is the other way round: one lane per column reads neighbours.
# But a few thousand columns are a few thousand threads, far too few bytes in flight. So share out the rows as well: to the 8 warps of a block, which meet in shared memory, and to up to 32 blocks (`blockIdx.y`), which meet in `col_sums` by one atomic each.
#
# **Example.** Three rows, four columns:
#
# | | column 0 | 1 | 2 | 3 | row sum |
# |---|---|---|---|---|---|
# | row 0 | 9 | 6 | 7 | 9 | 31 |
# | row 1 | 6 | 7 | 8 | 3 | 24 |
# | row 2 | 1 | 3 | 3 | 8 | 15 |
# | column sum | 16 | 16 | 18 | 20 | |
#
# Element (r, c) lies at place 4 r + c. Lanes on the four columns of a row read places 0 to 3; lanes on the three rows of a column read 0, 4 and 8.
#
# The first rung had every thread at one address; here at most 32 blocks come to each, and the price is the order of the additions.
#
# **Write** `sum_columns(src, col_sums)` and `axis_sums(src, row_sums, col_sums)` on device arrays. `clear` and `sum_rows` are given; `sum_rows` is rungs 4 and 5 with a row in place of the whole array. Read it first, since your columns need the same walk, four elements at a time.
#
# **Predict** the sectors per load request for 64 x 96 elements, on average over both kernels.
#
# <details><summary>Interview question: a matrix is reduced along its rows at full speed, and its transpose, a view, far below it. Why?</summary>The view changes which index is contiguous. Lanes that were neighbours are now a row apart, and each uses 4 bytes of a 32-byte sector. <b>A weak answer says</b> "the view is copied first". <b>And then?</b> What do you do? Exchange the two kernels: the rows of the view are the columns of the matrix.</details>

# %%
place = np.arange(32 * 4096).reshape(32, 4096)  # of each element of a matrix, in memory
for who, places in (("32 lanes along one row", place[0, :32]), ("one lane per row", place[:, 0])):
    print(f"{who}: {len(set(places * 4 // 32))} sectors")

# %% predict="axis_sums"
q = exercise("reductions.axis_sums")
q.show()
q.predict(global_load_sectors_per_request=4)

# %% solution="axis_sums"
ROWS = 8  # rows per block, one for each warp
SHARES = 32  # most blocks that share the rows of a column, so most atomics on one address


@cuda.jit
def clear(out):
    """out[i] = 0 for every i. out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(0)


@cuda.jit
def sum_rows(src, row_sums):
    """row_sums[r] = sum of row r, one warp per row. src: (n_rows, n_cols), row_sums: (n_rows,), both float32."""
    row, col = cuda.blockIdx.x * ROWS + cuda.threadIdx.y, cuda.threadIdx.x  # one row for all lanes of a warp
    a0 = a1 = a2 = a3 = float32(0)
    if row < src.shape[0]:
        while col + 3 * WARP < src.shape[1]:
            a0 += src[row, col]  # 32 lanes, 32 neighbours: 4 sectors
            a1 += src[row, col + WARP]
            a2 += src[row, col + 2 * WARP]
            a3 += src[row, col + 3 * WARP]
            col += 4 * WARP
        while col < src.shape[1]:
            a0 += src[row, col]
            col += WARP
    acc = warp_total((a0 + a1) + (a2 + a3))  # outside the guard, so that every lane arrives
    if cuda.threadIdx.x == 0 and row < src.shape[0]:
        row_sums[row] = acc


@cuda.jit
def sum_columns(src, col_sums):
    """col_sums[c] += this block's share of column c, one lane per column. src: (n_rows, n_cols), col_sums: (n_cols,)."""
    # about 24 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array((ROWS, WARP), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, step = cuda.blockIdx.x * WARP + tx, cuda.gridDim.y * ROWS
    a0 = a1 = a2 = a3 = float32(0)
    if col < src.shape[1]:
        row = cuda.blockIdx.y * ROWS + ty
        while row + 3 * step < src.shape[0]:
            a0 += src[row, col]  # neighbours again
            a1 += src[row + step, col]
            a2 += src[row + 2 * step, col]
            a3 += src[row + 3 * step, col]
            row += 4 * step
        while row < src.shape[0]:
            a0 += src[row, col]
            row += step
    tile[ty, tx] = (a0 + a1) + (a2 + a3)
    cuda.syncthreads()  # all 8 warps have left their share
    if ty == 0 and col < src.shape[1]:
        acc = tile[0, tx]
        for k in range(1, ROWS):
            acc += tile[k, tx]  # 32 lanes, 32 banks
        cuda.atomic.add(col_sums, col, acc)  # 32 lanes, 32 addresses: nobody in this warp waits
    ### END SOLUTION


def axis_sums(src, row_sums, col_sums):
    """Both sums of a matrix. src: (n_rows, n_cols), row_sums: (n_rows,), col_sums: (n_cols,): float32, on the device."""
    # about 5 lines
    ### BEGIN SOLUTION
    n_rows, n_cols = src.shape
    sum_rows[ceil_div(n_rows, ROWS), (WARP, ROWS)](src, row_sums)
    clear[ceil_div(n_cols, THREADS), THREADS](col_sums)
    shares = min(SHARES, ceil_div(n_rows, ROWS))
    sum_columns[(ceil_div(n_cols, WARP), shares), (WARP, ROWS)](src, col_sums)  # starts when clear has ended
    ### END SOLUTION


# %% check="axis_sums"
q = exercise("reductions.axis_sums")
q.check(axis_sums).points

# %% race="axis_sums"
q = exercise("reductions.axis_sums")
q.race(axis_sums).points

# %% [markdown]
# ## What you can do now
#
# You can take any operation whose terms may be grouped in any way (an **associative** one) from one slow cell to the speed of the memory, and name what each rung removed: waiting at one address, conflicts in shared memory, trees that ran too often, shared memory itself, additions that waited for each other, tests that were not needed.
# You also decided what a fast sum may cost: a tree with two launches gives the same bits every time, atomics do not, but a few of them are cheap.
#
# The table has the rungs of this session; where a GPU timed them, the library and the copy rate of that GPU stand beside them.
# `axis_sums` reads the matrix twice, once for each of its two results, and its rate counts it once: so half of the copy rate is all that it can reach.
# The next unit keeps all the partial sums instead of only the last one: a scan.
#
# <details><summary>Interview question: your sum reads at the full rate of the memory. How do you make it faster?</summary>Not by tuning the kernel: only fewer bytes help. Narrower numbers; or <b>fuse</b> the sum with the kernel that produces them, so that they are never read again. <b>A weak answer says</b> "more threads". <b>And then?</b> And if they cannot be fused? Sum each piece right after it was written, while the L2 cache still holds it.</details>

# %%
from autograder import ladder

ladder("06_reductions")
