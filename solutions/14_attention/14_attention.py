# %% [markdown]
# # Attention
#
# **The promise:** you run attention over a sequence without ever storing its n x n matrix, and say from counted bytes what each step on the way there saved.
# The pieces of a transformer are softmax, normalisation, a product and a few operations per element. None of them computes much for what it loads, so the whole unit is about one question: what must go through memory?
#
# **Time:** about three hours.
# **You need:** units 1 to 6: guards, sectors, shared memory, shuffles and what a warp adds up; unit 12 for tiles.
# Without a GPU everything is checked and counted, and only times are not measured.

# %% tags=["setup"]
import math

import numpy as np
from numba import cuda, float32

from autograder import exercise

WARP = 32
FULL_WARP = 0xFFFFFFFF  # a mask that names all 32 lanes
THREADS, WARPS = 128, 4  # of a block
LOWEST = float32(np.finfo(np.float32).min)  # below every other finite float32


@cuda.jit(device=True, forceinline=True)
def warp_max(x):
    """The largest x of a warp's 32 lanes, in all of them."""
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    """The sum of x over a warp's 32 lanes, in all of them."""
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


# %% [markdown]
# ## 1. A softmax that cannot overflow
#
# **Goal:** shares that add up to 1, for numbers of any size.
#
# A network says how much it cares for each of several things by a number per thing, a **logit**. Logits may be anything; what is wanted are shares, positive and 1 in sum. **Softmax** makes them: the exponential of each, divided by the sum of all of a row.
#
# The formula as it stands fails on a computer. exp(89) is more than a float32 holds, so a row with an 89 has an infinite sum, and infinity over infinity is NaN. A row of numbers near -200 fails at the other end: every exp is 0, and so is the sum.
# The cure is to subtract the row's maximum first. Each share keeps its value, since exp(x - m) is exp(x) times one factor that stands above and below the line. The largest exponent is now 0, so nothing overflows, and the sum is at least 1.
#
# **Example.** A row of eight, as whole powers of two in place of e, so that it can be done by hand; m = 9:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | sum |
# |---|---|---|---|---|---|---|---|---|---|
# | x | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 6 | |
# | x - m | 0 | -3 | -2 | 0 | -3 | -2 | -1 | -3 | |
# | power | 1 | 1/8 | 1/4 | 1 | 1/8 | 1/4 | 1/2 | 1/8 | 27/8 |
# | share | 8/27 | 1/27 | 2/27 | 8/27 | 1/27 | 2/27 | 4/27 | 1/27 | 1 |
#
# An element may be minus infinity: that is how networks **mask** a thing that must not count. Its exp is 0, and so is its share.

# %%
row = np.array([89, 88, -np.inf], np.float32)
with np.errstate(over="ignore", invalid="ignore"):
    print("as the formula says:  ", np.exp(row) / np.exp(row).sum())
print("maximum subtracted:   ", np.exp(row - row.max()) / np.exp(row - row.max()).sum())

# %% [markdown]
# **Given:** `warp_max(x)` and `warp_sum(x)`, unit 6's shuffles, with `shfl_xor_sync` in place of `shfl_down_sync`: lane l exchanges with lane l ^ d, so that all lanes end up with the result, not lane 0 alone.
#
# **Write** `softmax_safe(src, dst)`, a block of 128 threads per row. Three loops over the row, thread t taking elements t, t + 128, and so on: maximum, sum, result. After each of the first two, warps combine what their lanes found, and four numbers in shared memory combine the warps.
#
# **Find the bug.** The draft below does that with one shared array for both. Its results are right here, again and again. **Predict** the line that its verdict will name, counted from the `@cuda.jit` of its cell, line 1.
# **Predict first**, too, for 3 rows of 300: the bytes loaded from global memory, and the barriers. A barrier counts once for each block that passes it.
#
# <details><summary>Interview question: why does softmax subtract the maximum, and not the mean?</summary>The mean keeps numbers small only if they lie close together: one element 100 above it overflows all the same. With the maximum subtracted no exponent is above 0, and one is exactly 0, so the sum is neither infinite nor 0. <b>A weak answer says</b> "for numerical stability". <b>And then?</b> Do small elements suffer? Those more than about 100 below the maximum become 0, and their true share is less than 10⁻⁴³.</details>

# %%
q = exercise("attention.softmax_safe")
q.show()

# %% predict="softmax_safe"
q = exercise("attention.softmax_safe")
q.predict(line=19, global_load_bytes=10800, barriers=6)


# %%
@cuda.jit
def draft(src, dst):
    """Softmax of each row; four cells of shared memory for the maxima of the warps, and then for their sums."""
    room = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        room[t // WARP] = top
    cuda.syncthreads()
    top = max(max(room[0], room[1]), max(room[2], room[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        room[t // WARP] = total
    cuda.syncthreads()
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / (room[0] + room[1] + room[2] + room[3])


q = exercise("attention.softmax_safe")
q.check(draft);


# %% solution="softmax_safe"
@cuda.jit
def softmax_safe(src, dst):
    """Softmax of each row, a block of 128 threads per row. src, dst: (n_rows, n_cols) float32."""
    tops = cuda.shared.array(WARPS, float32)
    totals = cuda.shared.array(WARPS, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    # about 16 lines
    ### BEGIN SOLUTION
    top = float32(-math.inf)
    for c in range(t, src.shape[1], THREADS):
        top = max(top, src[row, c])
    top = warp_max(top)
    if t % WARP == 0:
        tops[t // WARP] = top
    cuda.syncthreads()  # the maxima of all four warps are there
    top = max(max(tops[0], tops[1]), max(tops[2], tops[3]))
    total = float32(0)
    for c in range(t, src.shape[1], THREADS):
        total += math.exp(src[row, c] - top)
    total = warp_sum(total)
    if t % WARP == 0:
        totals[t // WARP] = total
    cuda.syncthreads()  # and their sums
    total = totals[0] + totals[1] + totals[2] + totals[3]
    for c in range(t, src.shape[1], THREADS):
        dst[row, c] = math.exp(src[row, c] - top) / total
    ### END SOLUTION


# %% check="softmax_safe"
q = exercise("attention.softmax_safe")
q.check(softmax_safe).points

# %% [markdown]
# <details><summary>What was wrong with the draft?</summary>A warp that is done with the first loops writes its sum over its maximum, while another warp has yet to read the four maxima. Nothing orders the read of one warp and the write of another: the barrier between them would have to stand after the read. Two arrays, as in the solution, need no third barrier.</details>
#
# <details><summary>Interview question: one block per row or one warp per row?</summary>By the row's length. A warp needs no shared memory and no barrier, and a block of four has four rows under way; a row of many thousands keeps a warp busy for long, and few rows leave the GPU empty. <b>A weak answer says</b> "a block, it has more threads". <b>And then?</b> And a matrix of one row with millions of elements? Several blocks per row, each with a maximum and a sum of its own, and a second launch that puts them together. How to put them together is the next rung.</details>
#
# ## 2. Maximum and sum in one pass
#
# **Goal:** read a row twice, not three times.
#
# **Look back.** Three loads of each element and one store, where one of each is the least. The second load is there since the sum needs the maximum of the whole row before its first term.
# Does it? Suppose the sum of exp(x - m) is known for the maximum m so far, and a larger m' turns up. Every term has to be multiplied by the same factor, exp(m - m'), and so the sum can be corrected as a whole:
#
# total · exp(m - m') + exp(x - m').
#
# That is the **online softmax**. A pair of maximum and sum says all about the elements that it has seen; and two pairs, of two lanes or two halves of a row, merge in the same way: the larger of the maxima, and both sums brought below it. An element is a pair, too: its maximum is x and its sum is 1.
#
# **Example**, with powers of two again. Elements 6, 7, 9, 9 come one after the other:
#
# | | 6 | 7 | 9 | 9 |
# |---|---|---|---|---|
# | maximum | 6 | 7 | 9 | 9 |
# | sum so far, rescaled | | 1 · 1/2 | 3/2 · 1/4 | 11/8 · 1 |
# | sum | 1 | 3/2 | 11/8 | 19/8 |
#
# All at once: 1/8 + 1/4 + 1 + 1 = 19/8.
#
# **One trap.** A lane that has seen nothing has the maximum minus infinity, and two of them merge to exp(-inf - -inf). So let lanes begin with `LOWEST`, the lowest finite float32, in place of minus infinity: then every exp is a number, and a sum of 0 stays 0.

# %% [markdown]
# **Write** `merge(top, total, other_top, other_total)`, and with it `softmax_online(src, dst)`, a warp per row: merge each element of a lane into its pair, merge lanes by five shuffles, and store.
#
# **Predict first**, for 3 rows of 300: the bytes loaded from global memory; and what `print(-1e300 * 1e300, 1e300 * 1e300 - 1e300 * 1e300)` prints.
#
# <details><summary>Interview question: how do two pairs of maximum and sum merge, and why may it be done in any order?</summary>The maximum of both; each sum times exp of its own maximum less that, added. The result is the pair of all elements together, whichever way they were split. <b>A weak answer says</b> "add the sums". <b>And then?</b> Is the result the same to the last bit? No: every rescale rounds. It differs by a few roundings, as float sums in another order do.</details>


# %%
@cuda.jit
def two_lanes(src, dst):
    """Lanes 0 and 16 exchange maxima and sums: step past the shuffles, and look at what the two lanes hold."""
    row, lane = cuda.blockIdx.x, cuda.threadIdx.x % WARP
    top, total = LOWEST, float32(0)
    if lane < src.shape[1]:
        top, total = src[row, lane], float32(1)
    other_top = cuda.shfl_xor_sync(FULL_WARP, top, 16)
    other_total = cuda.shfl_xor_sync(FULL_WARP, total, 16)
    higher = max(top, other_top)
    total = total * math.exp(top - higher) + other_total * math.exp(other_top - higher)
    if cuda.threadIdx.x < src.shape[1]:
        dst[row, lane] = total


q = exercise("attention.softmax_online")
q.step(two_lanes)

# %%
q = exercise("attention.softmax_online")
q.show()

# %% predict="softmax_online"
q = exercise("attention.softmax_online")
q.predict(global_load_bytes=7200, prints="-inf nan")


# %% solution="softmax_online"
@cuda.jit(device=True, forceinline=True)
def merge(top, total, other_top, other_total):
    """The maximum of two pairs, and the sum of both below it."""
    # about 2 lines
    ### BEGIN SOLUTION
    higher = max(top, other_top)
    return higher, total * math.exp(top - higher) + other_total * math.exp(other_top - higher)
    ### END SOLUTION


@cuda.jit
def softmax_online(src, dst):
    """Softmax of each row, a warp per row. src, dst: (n_rows, n_cols) float32."""
    row, lane = cuda.grid(1) // WARP, cuda.threadIdx.x % WARP
    if row >= src.shape[0]:
        return  # the whole warp leaves
    # about 11 lines
    ### BEGIN SOLUTION
    top, total = LOWEST, float32(0)
    for c in range(lane, src.shape[1], WARP):
        top, total = merge(top, total, src[row, c], float32(1))
    d = 16
    while d > 0:
        other_top = cuda.shfl_xor_sync(FULL_WARP, top, d)
        other_total = cuda.shfl_xor_sync(FULL_WARP, total, d)
        top, total = merge(top, total, other_top, other_total)
        d //= 2
    for c in range(lane, src.shape[1], WARP):
        dst[row, c] = math.exp(src[row, c] - top) / total
    ### END SOLUTION


# %% check="softmax_online"
q = exercise("attention.softmax_online")
q.check(softmax_online).points

# %% race="softmax_online"
q = exercise("attention.softmax_online")
q.race(softmax_online).points

# %% [markdown]
# <details><summary>Interview question: your loop calls exp twice per element. Can it do with one?</summary>Yes: of top - higher and x - higher, one is 0. With a branch on x > top a lane calls exp once; the maximum grows only a few times in a row of random numbers, so nearly all turns take the same side. <b>A weak answer says</b> "exp is fast". <b>And then?</b> When does it matter? While memory is the limit it hardly does; inside attention, where the numbers never leave the chip, exp is a part of the time.</details>

# %%
from autograder import ladder

ladder("14_attention")
