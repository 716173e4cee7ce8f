# %% [markdown]
# # Think in lanes
#
# **The promise:** at the end 32 lanes of yours search a row, add it up, transpose a matrix and count keys without shared memory and without a barrier, and you can say, for any line of a kernel, which lanes run it.
#
# **Time:** about three and a half hours: seven rungs, 86 lines to write. Every rung is a good place to stop; rungs 1 to 4 make a first sitting.
# **You need:** units 1 to 4: guards, sectors, shared memory and barriers.
# Without a GPU everything is checked and counted; only times are missing.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise

WARP = 32  # lanes per warp
FULL_WARP = 0xFFFFFFFF  # a mask that names all 32 lanes
STEPS = 12  # that a number takes in rungs 1 and 2

# %% [markdown]
# ## 1. Choose numbers, not paths
#
# The threads of a block are cut into **warps** of 32, in the order of their numbers: threads 0 to 31, 32 to 63, and so on. A thread's place in its warp is its **lane**, 0 to 31.
# The hardware does not run threads, it runs warps: one instruction is issued for all 32 lanes at once. That is why neighbouring loads could share sectors.
#
# Now let lanes disagree: `if x < 0: A else: B`. There is one instruction at a time, so the warp runs A with the lanes that want it, while the others wait, then B with the others. That is **divergence**. It costs the time of both sides, though an `if` whose sides are short costs almost nothing: the compiler turns it into **predicated** instructions, which all lanes execute but only some keep, or into a **select**, which computes both and keeps one.
#
# **Example.** Eight lanes, each side a loop of 12 iterations, two lines per iteration. Lanes 1, 2 and 6 hold negative numbers:
#
# | | lanes at work | lines the warp runs |
# |---|---|---|
# | loop A | 1, 2, 6 | 24 |
# | loop B | 0, 3, 4, 5, 7 | 24 |
# | together | 4 of 8 on average | 48 |
# | one loop, with numbers chosen before | all 8 | 24 |
#
# The counter **lanes at work** is the mean number of active lanes per line that a warp runs; NVIDIA's profiler, Nsight Compute, calls it *Avg. Active Threads Per Warp*. 32 is the best.
# The next cell measures it for a kernel in which lanes go round 1 to 32 times.

# %%
import simt


@cuda.jit
def uneven(out):
    """out[lane] = lane, by counting: lane l goes round l times. out: (32,) int32."""
    lane = cuda.threadIdx.x
    turns = 0
    while turns < lane:
        turns += 1
    out[lane] = turns


counters = simt.trace(uneven, 1, WARP, np.zeros(WARP, np.int32)).counters
print(f"{counters['thread_instructions'] / counters['warp_instructions']:.1f} lanes at work of {WARP}")

# %% [markdown]
# And this is what the compiler makes of a short `if` and of a long one. Look for `selp`, the select, and for `bra`, the jump.

# %%
from autograder.notebook.compiled import branch_instructions


@cuda.jit
def short_sides(src, out):
    """out[i] = src[i] halved, with the opposite sign where it is not negative. src, out: (n,) float32."""
    i = cuda.grid(1)
    if src[i] < 0:
        a = float32(0.5)
    else:
        a = float32(-0.5)
    out[i] = a * src[i]


@cuda.jit
def long_sides(src, out):
    """A loop on each side. src, out: (n,) float32."""
    i = cuda.grid(1)
    x = src[i]
    if x < 0:
        for _ in range(1000):
            x = float32(0.5) * x + float32(3)
    else:
        for _ in range(1000):
            x = float32(-0.5) * x + float32(1)
    out[i] = x


numbers = np.zeros(8, np.float32)
branch_instructions(short_sides, numbers, numbers)
branch_instructions(long_sides, numbers, numbers);

# %% [markdown]
# **Write** `one_path(src, out)`: each number takes twelve steps, `x = 0.5 x + 3` where `src[i]` is negative, and `x = -0.5 x + 1` elsewhere. Both are `x = a x + b`: choose `a` and `b`, then go through one loop. The check also launches other blocks.
#
# **Predict** the flops that 8,192 numbers of either sign take: a multiplication is one, an addition another, and each lane that does one counts, even if its result is thrown away.
#
# <details><summary>Interview question: what does <code>if</code> cost on a GPU?</summary>Nothing extra if all lanes of the warp agree, whatever other warps do. If they disagree, the sum of both sides. <b>A weak answer says</b> "branches are slow on GPUs, avoid them". <b>And then?</b> Which branches do hurt? A guard at the end of an array splits one warp of the whole grid, and short sides become selects anyway. A long loop that few lanes need is what hurts.</details>

# %%
q = exercise("warps.one_path")
q.show()

# %% predict="one_path"
q.predict(float32_flops=196_608)


# %% solution="one_path"
@cuda.jit
def one_path(src, out):
    """out[i] = src[i] after twelve steps of the recipe that its sign chooses. src, out: (n,) float32."""
    # about 8 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        a = float32(0.5) if x < 0 else float32(-0.5)  # a select: no lane goes another way
        b = float32(3) if x < 0 else float32(1)
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x
    ### END SOLUTION


# %% check="one_path"
q = exercise("warps.one_path")
q.check(one_path).points

# %% [markdown]
# ## 2. Whole warps on one side
#
# **Look back.** Both recipes had one form, so numbers could be chosen. Two functions that have nothing in common leave only one way: let the lanes of a warp agree.
#
# Which element a thread takes is up to you. If an element's *place* decides which function it takes, as in two interleaved sound channels, then give even places to one warp and odd places to the next.
#
# **Example** with four lanes per warp and eight elements. Thread by thread, each warp holds both kinds:
#
# | | warp 0 | warp 1 |
# |---|---|---|
# | element = thread | 0 1 2 3: both functions | 4 5 6 7: both functions |
# | rearranged | 0 2 4 6: even ones only | 1 3 5 7: odd ones only |
#
# With 32 lanes two warps share 64 elements: thread t belongs to pair `t // 64` of warps, and takes one of its even places if `t % 64` is less than 32, else one of the odd ones.
# The price is paid in sectors: lanes now read every second element.

# %% tags=["setup"]
@cuda.jit(device=True)
def halve(x):
    """x after twelve steps of x / 2 + 3. x: float32."""
    for _ in range(STEPS):
        x = float32(0.5) * x + float32(3)
    return x


@cuda.jit(device=True)
def distances(x):
    """How far x is from 0, 1, ... 11, added up. x: float32."""
    total = float32(0)
    for k in range(STEPS):
        total += abs(x - float32(k))
    return total


# %% [markdown]
# **Write** `by_warp(src, out)`: `halve` for the elements at even places, `distances` for those at odd places, one element per thread. The launch has one thread per element in whole blocks of 256. The check also launches other blocks, of whole warps.
#
# **Predict** the sectors per load request: 32 lanes, every second float32. And which element does thread 37 of block 1 write?
#
# <details><summary>Interview question: when is rearranging not worth it?</summary>When the sides are short, or when the memory is the limit: twice as many sectors per request can cost more than the divergence did. <b>A weak answer says</b> "divergence must always go". <b>And then?</b> Can you have both? Sort or partition the work once, so that equal kinds are neighbours and both problems are gone; that pays if the data is used more than once.</details>

# %%
q = exercise("warps.by_warp")
q.show()

# %% predict="by_warp"
q.predict(global_load_sectors_per_request=8, index=267)


# %% solution="by_warp"
@cuda.jit
def by_warp(src, out):
    """out[i] = halve(src[i]) at even places, distances(src[i]) at odd ones. src, out: (n,) float32."""
    # about 9 lines
    ### BEGIN SOLUTION
    t = cuda.grid(1)
    odd = t // WARP % 2  # the same for all lanes of a warp
    i = t // (2 * WARP) * (2 * WARP) + 2 * (t % WARP) + odd
    if i < src.size:
        if odd == 1:
            out[i] = distances(src[i])
        else:
            out[i] = halve(src[i])
    ### END SOLUTION


# %% check="by_warp"
q = exercise("warps.by_warp")
q.check(by_warp).points

# %% [markdown]
# ## 3. Thirty-two answers in one word
#
# **Look back.** Lanes that disagree cost time. But a warp can also *ask* its lanes, in one instruction, and then all of them know.
#
# A **vote** takes a condition from each lane:
#
# | call | every lane gets |
# |---|---|
# | `cuda.ballot_sync(mask, condition)` | a number whose bit l says what lane l answered |
# | `cuda.any_sync(mask, condition)` | whether one of them said yes |
# | `cuda.all_sync(mask, condition)` | whether all of them did |
#
# `mask` names the lanes that take part, bit l for lane l; all 32 are `0xFFFFFFFF`, here `FULL_WARP`.
# **Every lane that the mask names must come to this very call.** The hardware waits for them. If one of them sits in another branch, the result is undefined, or the warp hangs.
#
# **Example.** Four lanes hold 5, 1, 7, 6, and the condition is `x > 4`. Lanes 0, 2 and 3 say yes: the ballot is `0b1101` = 13 in all four lanes.
#
# The cell below asks 32 lanes whether their number is odd, whether any is 31, and whether all are below 32.


# %%
@cuda.jit
def three_votes(out):
    """out: (3,) uint32: the lanes with odd numbers, whether any is lane 31, whether all are below 32."""
    lane = cuda.threadIdx.x
    odd = cuda.ballot_sync(FULL_WARP, lane % 2 == 1)
    last = cuda.any_sync(FULL_WARP, lane == 31)
    small = cuda.all_sync(FULL_WARP, lane < 32)
    if lane == 0:
        out[0], out[1], out[2] = odd, last, small


votes = cuda.to_device(np.zeros(3, np.uint32))
three_votes[1, WARP](votes)
print([hex(vote) for vote in votes.copy_to_host()])

# %% [markdown]
# **Write** `pack_bits(src, limit, words)`: bit l of `words[w]` says whether `src[32 w + l] > limit`. A bitmap like this marks missing values in a table, at 1/32 of the space. The check also launches other blocks, of whole warps.
# The last warp may have lanes past the end of `src`. They vote, too, and they vote no.
#
# **Predict** the bytes stored for 8,192 elements.
#
# <details><summary>Interview question: the guard <code>if i &gt;= n: return</code> comes first in many kernels. Why not before a vote?</summary>Lanes that have returned are not waited for, so this vote would even work. But a shuffle that reads a register of such a lane gets an undefined value, and lanes that merely sit in another branch are waited for, perhaps forever. <b>A weak answer says</b> "it works on my GPU". <b>And then?</b> Where does the guard go instead? Compute it as a value, let every lane reach the call, and put the <code>if</code> around what follows.</details>

# %%
q = exercise("warps.pack_bits")
q.show()

# %% predict="pack_bits"
q.predict(global_store_bytes=1024)


# %% solution="pack_bits"
@cuda.jit
def pack_bits(src, limit, words):
    """Bit l of words[w] = src[32 w + l] > limit. src: (n,) float32, limit: float32, words: (n / 32 rounded up,) uint32."""
    # about 5 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    above = i < src.size and src[i] > limit  # past the end: no
    bits = cuda.ballot_sync(FULL_WARP, above)  # outside any branch: all 32 lanes are here
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits
    ### END SOLUTION


# %% check="pack_bits"
q = exercise("warps.pack_bits")
q.check(pack_bits).points

# %% [markdown]
# ## 4. Stop together
#
# **Look back.** One vote, one answer. The next step is a loop whose end the lanes decide together.
#
# Let **a warp be the worker**: one warp per row, lane l looks at columns l, l + 32, l + 64 and so on, so that each iteration of the loop loads 32 neighbours.
# After a vote all lanes hold the same word, so `if votes != 0: break` takes all of them out, or none. A condition that is the same for all lanes of a warp is called **uniform**; a loop with a uniform end can hold votes and shuffles, since nobody leaves early.
#
# The lowest bit that is set tells the lowest lane that said yes. `cuda.ffs(word)`, find first set, counts bits from 1 and returns 0 for no bit at all; `cuda.popc(word)` counts the bits that are set.
#
# **Example.** Four lanes per warp, a row of ten, limit 4, row `1 3 2 0 | 4 1 9 6 | 8 2`:
#
# | iteration | lanes look at | ballot | |
# |---|---|---|---|
# | columns 0 to 3 | 1 3 2 0 | `0000` | go on |
# | columns 4 to 7 | 4 1 9 6 | `1100` | `ffs` is 3, so lane 2: column 4 + 2 = 6 |
#
# Columns 8 and 9 are never read.
#
# **Find the bug.** Below is a draft. One of its lines lets lanes leave one at a time, and another line then needs lanes that have left. **Predict** the line that the verdict will name, the second of the two, counted from the `@cuda.jit` of the draft's cell. Say aloud which lanes are missing, then run the cell and read the verdict.

# %%
q = exercise("warps.first_above")
q.show()

# %% predict="first_above"
q.predict(line=10)


# %%
@cuda.jit
def draft(src, limit, first):
    """first[row] = the first column above limit. Wrong."""
    row = cuda.grid(1) // WARP
    lane = cuda.threadIdx.x % WARP
    n_cols = src.shape[1]
    if row < src.shape[0]:
        found = n_cols
        for col in range(lane, n_cols, WARP):
            votes = cuda.ballot_sync(FULL_WARP, src[row, col] > limit)
            if votes != 0:
                found = col - lane + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found


q.check(draft);

# %% [markdown]
# **Write** `first_above(src, limit, first)`, one warp per row, any number of columns. Let the loop count where an iteration *begins*, which is the same for all lanes. The check also launches other blocks, of whole warps.
#
# For 40 rows of 700 columns, where four rows in five have a hit in the first 32 columns and the others have none, 208 load requests are enough: 1 for each of 32 rows, and 22 for each of 8.
#
# <details><summary>Interview question: row < n_rows is an <code>if</code> around votes. Why is that allowed here?</summary>All lanes of a warp have the same row, so the condition is uniform: a warp goes in whole or stays out whole. <b>A weak answer says</b> "the if comes before the loop". <b>And then?</b> When would it not be? With blocks of 48 threads, or rows of 16 lanes, warps would hold two rows, and the mask would have to name 16 lanes.</details>


# %% solution="first_above"
@cuda.jit
def first_above(src, limit, first):
    """first[row] = the first column with src[row, column] > limit, or n_cols. src: (n_rows, n_cols), first: (n_rows,) int32."""
    # about 13 lines
    ### BEGIN SOLUTION
    row = cuda.grid(1) // WARP
    lane = cuda.threadIdx.x % WARP
    n_cols = src.shape[1]
    if row < src.shape[0]:  # uniform: a warp has one row
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            if votes != 0:  # the same word in all lanes: they leave together
                found = begin + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found
    ### END SOLUTION


# %% check="first_above"
q = exercise("warps.first_above")
q.check(first_above).points

# %% [markdown]
# ## 5. Running sums without memory
#
# **Look back.** A vote carries one bit per lane. A **shuffle** carries a whole register:
#
# | call | lane l gets the value of |
# |---|---|
# | `cuda.shfl_sync(mask, value, k)` | lane k |
# | `cuda.shfl_up_sync(mask, value, d)` | lane l - d; the lowest d lanes get their own back |
# | `cuda.shfl_down_sync(mask, value, d)` | lane l + d; the highest d lanes get their own back |
# | `cuda.shfl_xor_sync(mask, value, d)` | lane l ^ d |
#
# A **running sum** (a scan, or prefix sum) gives each element the sum of all up to it. In a warp it takes five steps: in step d = 1, 2, 4, 8, 16 each lane adds what lane l - d holds.
# After the step with distance d, a lane holds the sum of the last 2 d elements. Lanes with l < d have nobody there, and must not add.
#
# **Example.** Eight lanes:
#
# | lane | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | value | 3 | 1 | 4 | 1 | 5 | 9 | 2 | 6 |
# | after d = 1 | 3 | 4 | 5 | 5 | 6 | 14 | 11 | 8 |
# | after d = 2 | 3 | 4 | 8 | 9 | 11 | 19 | 17 | 22 |
# | after d = 4 | 3 | 4 | 8 | 9 | 14 | 23 | 25 | 31 |
#
# A row longer than 32 is done 32 columns at a time. What came before is the **carry**: lane 31's sum, which `shfl_sync` with lane 31 tells everybody.
#
# All lanes must fetch the value from below; only some of them add it. A shuffle inside `if lane >= d` names lanes that are not there. The cell below shows one step.


# %%
@cuda.jit
def one_step(out):
    """out[lane] = the number of the lane that lane heard, three lanes below. out: (32,) int32."""
    lane = cuda.threadIdx.x
    out[lane] = cuda.shfl_up_sync(FULL_WARP, lane, 3)


heard = cuda.to_device(np.zeros(WARP, np.int32))
one_step[1, WARP](heard)
print(heard.copy_to_host())

# %% [markdown]
# **Write** `warp_scan(value)` and `scan_rows(src, dst)`, one warp per row. Lanes past the end of the row bring 0 and take part in every shuffle. The check also launches other blocks, of whole warps.
#
# **Predict** how many shuffles all warps execute together, for 45 rows of 70 columns, if the carry takes a shuffle in every iteration, the last one too.
#
# <details><summary>Interview question: do lanes of a warp run in step, so that shared memory needs no barrier among them?</summary>No. Since Volta each lane has a program counter of its own (independent thread scheduling), and the hardware may run part of a warp ahead. What orders lanes is a call with <code>_sync</code> in its name: shuffles and votes wait for the lanes of their mask, and <code>cuda.syncwarp()</code> also orders memory. <b>A weak answer says</b> "32 threads always move together". <b>And then?</b> What did code without <code>_sync</code> rely on? On lanes that move in step, as older GPUs had them. It breaks where the compiler or the hardware lets some of them run ahead, so it may pass all of today's tests.</details>

# %%
q = exercise("warps.scan_rows")
q.show()

# %% predict="scan_rows"
q.predict(warp_syncs=810)


# %% solution="scan_rows"
@cuda.jit(device=True)
def warp_scan(value):
    """The sum of value over the lanes up to this one. value: float32; every lane must call."""
    # about 7 lines
    ### BEGIN SOLUTION
    d = 1
    while d < WARP:
        heard = cuda.shfl_up_sync(FULL_WARP, value, d)  # all lanes ask ...
        if cuda.laneid >= d:
            value += heard  # ... and those add that have somebody there
        d *= 2
    return value
    ### END SOLUTION


@cuda.jit
def scan_rows(src, dst):
    """dst[row, c] = the sum of src[row, 0] to src[row, c], one warp per row. src, dst: (n_rows, n_cols) float32."""
    # about 12 lines
    ### BEGIN SOLUTION
    row = cuda.grid(1) // WARP
    if row < src.shape[0]:  # uniform: a warp has one row
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            col = begin + cuda.laneid
            value = src[row, col] if col < src.shape[1] else float32(0)
            value = warp_scan(value) + carry
            if col < src.shape[1]:
                dst[row, col] = value
            carry = cuda.shfl_sync(FULL_WARP, value, WARP - 1)  # lane 31 has the sum so far
    ### END SOLUTION


# %% check="scan_rows"
q = exercise("warps.scan_rows")
q.check(scan_rows).points

# %% [markdown]
# Walk through a warp at its first shuffle: who hears whom? Without an answer of yours, the cell steps through the shuffle above.

# %%
try:
    walk = q.step(scan_rows)
except NotImplementedError:
    walk = simt.step(one_step, 1, WARP, np.zeros(WARP, np.int32))
walk

# %% [markdown]
# ## 6. Eight lanes turn a matrix
#
# **Look back.** Values moved along a line. Now they change places.
#
# In unit 4 a transpose went through shared memory: rows in, barrier, columns out. A sector holds eight float32. If eight lanes store eight neighbours, the store fills whole sectors, so pieces of 8 x 8 are large enough, and 8 x 8 numbers fit into the registers of eight lanes: register k of lane l holds row k, column l. Afterwards it must hold row l, column k.
#
# That takes three rounds of **exchanges**. In the round with distance d = 4, 2, 1, lanes l and l ^ d swap: where `k & d` is 0, the lower of the two lanes gives its register k + d and gets the upper lane's register k for it.
#
# **Example**, 2 x 2 and one round with d = 1. Lane 0 holds column 0, lane 1 column 1:
#
# | | lane 0 | lane 1 | | lane 0 | lane 1 |
# |---|---|---|---|---|---|
# | register 0 | a | b | after the exchange | a | c |
# | register 1 | c | d | | b | d |
#
# Lane 0 gave c and got b. One shuffle does it for both lanes: each gives the number it does not keep.
#
# A local array whose indices are all known when the kernel is compiled lives in registers: write the three rounds as three loops with constant bounds, and the compiler unrolls them.

# %% [markdown]
# **Write** `exchange(low, high, d)` and `transpose_by_lanes(src, dst)`. A warp has 8 rows and 32 columns, one column per lane: `col, strip = cuda.grid(2)`, and its first row is 8 times `strip`. Lanes past an edge bring 0 and take part.
#
# **Predict** how many shuffles all warps execute together for 64 x 96, with one shuffle per exchange: how many warps are there, and how many exchanges does each of them make?
#
# <details><summary>Interview question: shared memory or shuffles?</summary>Shuffles need no barrier and no memory, but move 4 bytes per lane and instruction, and only within a warp; both use the same data path. A 32 x 32 transpose by shuffles takes 80 of them per warp. <b>A weak answer says</b> "shuffles are always faster". <b>And then?</b> What decides? Shuffles leave shared memory to others, and with it occupancy; when several warps use the data, shared memory is the only way.</details>

# %%
q = exercise("warps.transpose_by_lanes")
q.show()

# %% predict="transpose_by_lanes"
q.predict(warp_syncs=288)


# %% solution="transpose_by_lanes"
SIDE = 8  # rows and columns of a piece


@cuda.jit(device=True)
def exchange(low, high, d):
    """(low, high) after lanes l and l ^ d have swapped high of the lower lane and low of the upper one. float32."""
    # about 5 lines
    ### BEGIN SOLUTION
    upper = cuda.laneid & d
    heard = cuda.shfl_xor_sync(FULL_WARP, low if upper else high, d)  # each gives what it does not keep
    if upper:
        return heard, high
    return low, heard
    ### END SOLUTION


@cuda.jit
def transpose_by_lanes(src, dst):
    """dst = src.T, eight rows and 32 columns per warp. src: (n_rows, n_cols), dst: (n_cols, n_rows), both float32."""
    # about 20 lines
    ### BEGIN SOLUTION
    a = cuda.local.array(SIDE, float32)
    col, strip = cuda.grid(2)
    row = SIDE * strip
    for k in range(SIDE):
        inside = row + k < src.shape[0] and col < src.shape[1]
        a[k] = src[row + k, col] if inside else float32(0)  # 4 sectors per request
    for k in range(SIDE):
        if k & 4 == 0:
            a[k], a[k + 4] = exchange(a[k], a[k + 4], 4)
    for k in range(SIDE):
        if k & 2 == 0:
            a[k], a[k + 2] = exchange(a[k], a[k + 2], 2)
    for k in range(SIDE):
        if k & 1 == 0:
            a[k], a[k + 1] = exchange(a[k], a[k + 1], 1)
    row += col % SIDE  # lane l of eight now holds row l ...
    col -= col % SIDE  # ... and its eight columns
    for k in range(SIDE):
        if row < src.shape[0] and col + k < src.shape[1]:
            dst[col + k, row] = a[k]  # eight lanes, one sector
    ### END SOLUTION


# %% check="transpose_by_lanes"
q = exercise("warps.transpose_by_lanes")
q.check(transpose_by_lanes).points

# %% race="transpose_by_lanes"
q = exercise("warps.transpose_by_lanes")
q.race(transpose_by_lanes).points

# %% [markdown]
# ## 7. One atomic for all that agree
#
# **Look back.** So far a lane compared its value with a constant, or took that of a lane at a known distance. The last question is: which lanes hold the same key as this one?
#
# `cuda.match_any_sync(mask, key)` is a **match**: it gives each lane a word with a bit for every lane of the mask that holds the same key, its own included. Lanes with one key get one word, so they are a **group**, and one of them can act for all: the lowest, the group's **leader**.
#
# Counting is where it pays. `cuda.atomic.add(hist, key, 1)`, an **atomic**, adds one to a cell of global memory so that no update is lost, and lanes with one key queue at one cell (unit 8 is about atomics). If the leader adds the size of its group, the warp makes one atomic per key: its atomics are **aggregated**.
#
# **Example.** Six lanes with the keys 7 2 7 7 2 5:
#
# | lane | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | key | 7 | 2 | 7 | 7 | 2 | 5 |
# | group | `001101` | `010010` | `001101` | `001101` | `010010` | `100000` |
# | leader? | yes: adds 3 | yes: adds 2 | | | | yes: adds 1 |
#
# Three atomics in place of six. `cuda.popc(group)` is the size of a group; the leader is the lane with no member below it: `group & cuda.lanemask_lt()` is 0, where `lanemask_lt()` has the bits of all lanes below.
#
# **Which lanes must the mask name?** In the last warp some lanes have no key. Ask first: `mask = cuda.ballot_sync(FULL_WARP, i < n)` is computed by all lanes, and names exactly those that go on. `cuda.activemask()` looks like the same thing and is not: it says who happens to be here now, and lanes that belong here may come later.

# %%
@cuda.jit
def groups(keys, out):
    """out[lane] = the lanes that hold the same key as this one. keys: (6,) int32, out: (6,) uint32."""
    lane = cuda.threadIdx.x
    out[lane] = cuda.match_any_sync(0b111111, keys[lane])


same = cuda.to_device(np.zeros(6, np.uint32))
groups[1, 6](cuda.to_device(np.array([7, 2, 7, 7, 2, 5], np.int32)), same)
print([f"{group:06b}" for group in same.copy_to_host()])  # lane 0 is the last digit

# %% [markdown]
# **Write** `count_matched(keys, hist)`, one key per thread. **Predict** the atomic operations for 1,025 equal keys, and what `print(cuda.popc(26), cuda.ffs(26))` prints in a kernel.
#
# <details><summary>Interview question: when does aggregating gain nothing?</summary>When keys rarely agree: nearly every lane leads a group of its own, and as many atomics remain. <b>A weak answer says</b> "fewer atomics are always faster". <b>And then?</b> What else can help? If all lanes add to the same cell and the compiler can see it, some compilers aggregate by themselves; for counters that fit shared memory, privatising (unit 8) beats both.</details>

# %%
q = exercise("warps.count_matched")
q.show()

# %% predict="count_matched"
q.predict(atomic_operations=33, prints="3 2")


# %% solution="count_matched"
@cuda.jit
def count_matched(keys, hist):
    """hist[k] += how often k occurs in keys, one atomic per warp and key. keys: (n,) int32, hist: (n_keys,) int32."""
    # about 7 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    mask = cuda.ballot_sync(FULL_WARP, i < keys.size)  # who goes on: asked while all are here
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(mask, key)
        if group & cuda.lanemask_lt() == 0:  # the lowest lane of its group
            cuda.atomic.add(hist, key, cuda.popc(group))
    ### END SOLUTION


# %% check="count_matched"
q = exercise("warps.count_matched")
q.check(count_matched).points

# %% race="count_matched"
q = exercise("warps.count_matched")
q.race(count_matched).points

# %% [markdown]
# ## Read the profile
#
# The next cell shows what one H200 measured: rungs 1 and 2 with loops of 12 and of 1,000 iterations, then votes, shuffles and matches, each beside what a library does in the same run.
# A profile is read with a question. Answer these three before you open the answers:
#
# 1. *Lanes at work* differ by a factor of about two between neighbouring rows. With how many iterations do the times differ as well, and what are the kernels waiting for otherwise?
# 2. Two transposes have the same sectors per store request, and one has eight times as many. Which counter would you look at next to tell the two apart?
# 3. For how many different keys does it pay to match first, and what do the atomics per warp say about it?
#
# <details><summary>Answers</summary>(1) A kernel takes as long as the slowest thing it waits for. With few iterations that is the memory: the loops of both sides fit into the time in which the next numbers arrive, so nobody notices that half of the lanes idle. With many iterations the loops are the time, and running both costs their sum. (2) Barriers and shared memory requests: one of the two transposes has both, the other has shuffles instead. Their sectors are the same, and their times are close. (3) The fewer of the 32 atomics per warp are left, the more it pays. With a thousand keys nearly every lane leads a group of its own, and nothing is gained. <b>A weak answer</b> names a counter and not what it makes wait.</details>

# %%
from autograder.notebook.recorded import recorded

recorded("warps");

# %% [markdown]
# ## What you have
#
# **Look back.** A warp is one worker with 32 hands. Disagreement costs time; agreement is one instruction away.
#
# | you need | use | who must be there |
# |---|---|---|
# | one of two formulas | numbers chosen before, one path | |
# | two kinds of work | warps of one kind each | |
# | a yes or no of each lane | `ballot_sync`, `any_sync`, `all_sync` | every lane of the mask |
# | a neighbour's value | `shfl_up_sync`, `shfl_down_sync` | every lane of the mask, and the lane that is read |
# | one lane's value for all | `shfl_sync` | the same |
# | partners that swap | `shfl_xor_sync` | the same |
# | lanes with equal keys | `match_any_sync` | every lane of the mask |
# | lanes ordered, memory included | `syncwarp` | every lane of the mask |
