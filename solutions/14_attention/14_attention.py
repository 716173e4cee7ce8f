# %% [markdown]
# # Attention
#
# **The promise:** you run attention over a sequence without ever storing its n x n matrix, and say from counted bytes what each step on the way there saved.
# The pieces of a transformer are softmax, normalisation, a product and a few operations per element. All of them do little arithmetic per byte that they load, so the whole unit is about one question: what must go through memory?
#
# **Time:** two sittings. Rungs 1 to 4: two hours, 45 lines to write. Rungs 5 to 8: three hours, 89 lines.
# **You need:** units 1 to 6: guards, sectors, shared memory, shuffles and what a warp adds up; unit 12 for tiles, and for the tensor cores of rung 8.
# Without a GPU everything is checked and counted, and only times are not measured.

# %% tags=["setup"]
import math

import numpy as np
from numba import cuda, float32

from autograder import exercise

WARP = 32
FULL_WARP = 0xFFFFFFFF  # a mask that names all 32 lanes
THREADS, WARPS = 128, 4  # of a block
LOWEST = float32(-3.4028234663852886e38)  # the lowest finite float32
MOST_COLUMNS = 1024  # of a row in shared memory
EPS = float32(1e-5)
ROOT_HALF = float32(1 / math.sqrt(2))
SCALE = float32(1 / math.sqrt(32))  # of scores: 1 over the square root of how long a query is


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
# ## 1. Three kernels in one
#
# **Goal:** a chain of steps that goes through memory once.
#
# A matrix product is followed by small steps: add a **bias**, one number per column; apply an **activation**, a curve that makes the network more than one large product; add a **residual**, the layer's own input carried around it, so that the layer only has to learn what to change.
# Transformers take **GELU** as their activation: x times the share of a normal distribution that lies below x. A large x stays as it is, a very negative one becomes 0, and between them the curve is smooth. With the error function of the mathematics library:
#
# gelu(x) = 0.5 x (1 + erf(x / √2)).
#
# Written as three kernels, each reads what the one before it stored. The steps are a handful of operations, so each kernel takes as long as its bytes take. In one kernel, each step hands its result to the next in a register. That is **fusion**, and it is the first thing that an inference engine does to a network.
#
# **Example.** Eight elements of src, bias 1 for all, residual 2 for all; gelu to two digits:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | src | -4 | -3 | -2 | -1 | 0 | 1 | 2 | 3 |
# | + bias | -3 | -2 | -1 | 0 | 1 | 2 | 3 | 4 |
# | gelu | -0.00 | -0.05 | -0.16 | 0 | 0.84 | 1.95 | 3.00 | 4.00 |
# | + residual | 2.00 | 1.95 | 1.84 | 2 | 2.84 | 3.95 | 5.00 | 6.00 |
#
# The cell runs the three kernels and adds up what they ask of global memory, for 4 rows of 300.

# %%
import simt


@cuda.jit
def add_rows(src, bias, dst):
    """dst = src + bias, one number of bias per column."""
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        dst[cuda.blockIdx.x, c] = src[cuda.blockIdx.x, c] + bias[c]


@cuda.jit
def gelu_of(src, dst):
    """dst = gelu(src)."""
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[cuda.blockIdx.x, c]
        dst[cuda.blockIdx.x, c] = float32(0.5) * x * (float32(1) + math.erf(x * ROOT_HALF))


@cuda.jit
def add(src, residual, dst):
    """dst = src + residual."""
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        dst[cuda.blockIdx.x, c] = src[cuda.blockIdx.x, c] + residual[cuda.blockIdx.x, c]


x, y, bias = np.ones((4, 300), np.float32), np.zeros((4, 300), np.float32), np.ones(300, np.float32)
loaded = stored = 0
for kernel, arguments in ((add_rows, (x, bias, y)), (gelu_of, (y, y)), (add, (y, x, y))):
    counters = simt.trace(kernel, 4, THREADS, *arguments).counters
    loaded, stored = loaded + counters["global_load_bytes"], stored + counters["global_store_bytes"]
print(f"three kernels: {loaded:,} bytes loaded, {stored:,} bytes stored")

# %% [markdown]
# **Write** `bias_gelu_residual(src, bias, residual, dst)`, a block of 128 threads per row, which loads each element once and stores once.
# Mind the constants: `0.5` and `math.sqrt(2)` are double precision in a kernel, and so is everything that they touch. `ROOT_HALF` is 1 / √2 in float32.
#
# **Predict first**, for 4 rows of 300: the bytes loaded and the bytes stored, beside those of the three kernels.
#
# <details><summary>Interview question: what does fusion save, and what does it not save?</summary>Bytes between the steps, and launches. Not the arithmetic, which is the same. So it pays where kernels wait for memory, as elementwise ones do, and little after a large product, but there it is nearly free: the product's results are in registers when they are finished, and the steps can be done before they are stored. That is called an <b>epilogue</b>. <b>A weak answer says</b> "fewer kernels are faster". <b>And then?</b> What stops an engine from fusing everything? A step that needs all of a row or all of a matrix, as a softmax does, has to wait for it; and a result that two others need must be stored or computed twice.</details>

# %%
q = exercise("attention.bias_gelu_residual")
q.show()

# %% predict="bias_gelu_residual"
q = exercise("attention.bias_gelu_residual")
q.predict(global_load_bytes=14400, global_store_bytes=4800)


# %% solution="bias_gelu_residual"
@cuda.jit
def bias_gelu_residual(src, bias, residual, dst):
    """dst = gelu(src + bias) + residual, a block per row. bias: (n_cols,), all others (n_rows, n_cols), float32."""
    row = cuda.blockIdx.x
    # about 3 lines
    ### BEGIN SOLUTION
    for c in range(cuda.threadIdx.x, src.shape[1], THREADS):
        x = src[row, c] + bias[c]  # stays in a register
        dst[row, c] = float32(0.5) * x * (float32(1) + math.erf(x * ROOT_HALF)) + residual[row, c]
    ### END SOLUTION


# %% check="bias_gelu_residual"
q = exercise("attention.bias_gelu_residual")
q.check(bias_gelu_residual).points

# %% [markdown]
# <details><summary>Interview question: GELU by erf or by tanh?</summary>They are two functions, which differ by up to about 0.0005. tanh was an approximation from when erf was slow; some networks were trained with it, and those must be run with it. <b>A weak answer says</b> "tanh is faster, so take it". <b>And then?</b> Does its speed matter here? Not while the kernel waits for bytes.</details>
#
# ## 2. Mean and variance from one read
#
# **Goal:** a normalised row, read once, and right even where its mean is large.
#
# **Look back.** A fused chain loads each element once and needs nothing of its neighbours. A **layer norm** does: it shifts and scales each row so that its mean is 0 and its variance 1, and then gives each column a factor **gamma** and a summand **beta**, which the network has learned. Without it the numbers of a deep network grow or shrink from layer to layer.
#
# Three passes seem to be needed: the mean, then the variance, the mean of (x - mean)², then the result. One formula promises two: the variance is the mean of x² minus the square of the mean, and both sums come from one pass.
# It is true, and useless in float32 where the mean is large: two nearly equal numbers are subtracted, and what is left is their rounding. Mathematicians call it **cancellation**.
#
# **Example.** Four elements 8191, 8193, 8191, 8193: mean 8192, variance 1.
#
# | | exact | float32 |
# |---|---|---|
# | 8191² | 67,092,481 | 67,092,480 |
# | 8193² | 67,125,249 | 67,125,248 |
# | mean of squares | 67,108,865 | 67,108,864 |
# | minus 8192² = 67,108,864 | **1** | **0** |
#
# So keep the differences, and save the reads in another way: a row of 1,024 floats is 4 KiB, and fits into shared memory. Pass one loads it from global memory and keeps it; passes two and three find it there. A lane reads back only what it stored itself, so no barrier is needed.
#
# A row of equal elements has variance 0. A small **eps** is added before the root is taken, so that nothing is divided by 0.

# %% [markdown]
# **Write** `layer_norm(src, gamma, beta, dst)`, a warp per row, four rows per block. `warp_sum(x)` is unit 6's, with `shfl_xor_sync` in place of `shfl_down_sync`: lane l exchanges with lane l ^ d, so that all lanes end up with the sum, not lane 0 alone.
# `EPS` is 1e-5 in float32. The row's length is an integer of 64 bits: a float32 divided by it is a float64, so divide by `float32(n_cols)`.
#
# **Predict first**, for 4 rows of 300: the bytes loaded from global memory, and the load requests to shared memory, one per warp and iteration. And how far do the exact squares of 8193 and of 8191 lie from that of 8192? Write the two whole numbers into one string with a blank between, and ask yourself what is left of them in steps of 8 and 4.
#
# <details><summary>Interview question: mean and variance of a row in one pass. Which ways are there?</summary>Sum and sum of squares: one pass, but it cancels where the mean is large. Welford: mean and squared deviations are corrected with each element, stable, at the price of a division per element; two partial results merge, with their counts. Or two passes over a row that stays on the chip, which memory sees as one. <b>A weak answer says</b> "E[x²] - E[x]²". <b>And then?</b> When is Welford the one to take? Where the row does not fit, or arrives piece by piece.</details>

# %%
q = exercise("attention.layer_norm")
q.show()

# %% predict="layer_norm"
q = exercise("attention.layer_norm")
q.predict(global_load_bytes=14400, shared_load_requests=80, prints="16385 -16383")


# %% solution="layer_norm"
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    """Each row with mean 0 and variance 1, times gamma plus beta, a warp per row. src, dst: (n_rows, n_cols),
    gamma, beta: (n_cols,), all float32; n_cols is at most 1,024."""
    rows = cuda.shared.array((WARPS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = WARPS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return  # the whole warp leaves, and there is no barrier to miss
    # about 13 lines
    ### BEGIN SOLUTION
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x  # this lane alone reads it again
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    scale = float32(1) / math.sqrt(warp_sum(acc) / float32(n_cols) + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]
    ### END SOLUTION


# %% check="layer_norm"
q = exercise("attention.layer_norm")
q.check(layer_norm).points

# %% race="layer_norm"
q = exercise("attention.layer_norm")
q.race(layer_norm).points

# %% [markdown]
# <details><summary>Interview question: the residual of rung 1 is usually followed by a layer norm. Fuse them?</summary>Yes: the row that the norm reads is what the chain stores. A warp that has a whole row can add bias and residual on the way in. <b>A weak answer says</b> "they are different layers". <b>And then?</b> What must still be stored? The sum itself, as the next residual; but it is not read again by the norm.</details>
#
# ## 3. A softmax that cannot overflow
#
# **Goal:** shares that add up to 1, for numbers of any size.
#
# **Look back.** A layer norm needs two numbers of a row before it can store anything. The next step of a transformer needs two as well, and one of them is only there to keep the other from breaking.
# A network says how much it cares for each of several things by a number per thing, a **logit**. Logits may be anything; what is wanted are shares, positive and 1 in sum. **Softmax** makes them: the exponential of each, divided by the sum of all of a row.
#
# The formula as it stands fails on a computer. exp(89) is more than a float32 holds, so a row with an 89 has an infinite sum, and infinity over infinity is NaN. A row of numbers near -200 fails at the other end: every exp is 0, and so is the sum.
# The cure is to subtract the row's maximum first. Each share keeps its value, since exp(x - m) is exp(x) times one factor, which cancels: it is in the numerator and in the denominator. The largest exponent is now 0, so nothing overflows, and the sum is at least 1.
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
# **Given:** `warp_max(x)` beside `warp_sum(x)`.
#
# **Write** `softmax_safe(src, dst)`, a block of 128 threads per row. Three loops over the row, thread t taking elements t, t + 128, and so on: maximum, sum, result. After each of the first two, warps combine what their lanes found, and four numbers in shared memory combine the warps.
#
# **Find the bug.** The draft below does that with one shared array for both. Its results are right here, again and again. **Predict** the line that its verdict will name, counted from the `@cuda.jit` of its cell, line 1.
# **Predict**, too, for 3 rows of 300: the bytes loaded from global memory, and the barriers. A barrier counts once for each block that passes it.
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
# ## 4. Maximum and sum in one pass
#
# **Goal:** read a row twice, not three times.
#
# **Look back.** Three loads of each element and one store, where one of each is the least. The second load is there because the sum needs the maximum of the whole row before its first term.
# Does it? Suppose the sum of exp(x - m) is known for the maximum m so far, and a larger m' turns up. Every term has to be multiplied by the same factor, exp(m - m'), and so the sum can be corrected as a whole:
#
# total · exp(m - m') + exp(x - m').
#
# That is the **online softmax**. A pair of maximum and sum says all about the elements that it has seen; and two pairs, of two lanes or two halves of a row, merge in the same way: take the larger maximum, rescale both sums to it, and add them. An element is a pair, too: its maximum is x and its sum is 1.
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
# **One trap.** A lane that has seen nothing has the maximum minus infinity, and merging two of them asks for exp(-inf - -inf), which is NaN. So let lanes begin with `LOWEST`, the lowest finite float32, in place of minus infinity: then every exp is a number, and a sum of 0 stays 0.

# %% [markdown]
# **Write** `merge(top, total, other_top, other_total)`, and with it `softmax_online(src, dst)`, a warp per row: merge each element of a lane into its pair, merge lanes by five shuffles, and store.
#
# **Predict first**, for 3 rows of 300: the bytes loaded from global memory; and what `print(-1e300 * 1e300, 1e300 * 1e300 - 1e300 * 1e300)` prints.
#
# <details><summary>Interview question: how do two pairs of maximum and sum merge, and why may it be done in any order?</summary>Take the larger maximum, multiply each sum by exp(its own maximum - the larger one), and add the two. The result is the pair of all elements together, whichever way they were split. <b>A weak answer says</b> "add the sums". <b>And then?</b> Is the result the same to the last bit? No: every rescale rounds. It differs by a few roundings, as float sums in a different order do.</details>


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
# <details><summary>Interview question: your loop calls exp twice per element. Is one call enough?</summary>Yes: of top - higher and x - higher, one is 0. With a branch on x > top a lane calls exp once; the maximum grows only a few times in a row of random numbers, so nearly all iterations take the same side. <b>A weak answer says</b> "exp is fast". <b>And then?</b> When does it matter? While memory is the limit it hardly does; inside attention, where the numbers never leave the chip, exp is a part of the time.</details>

# %% [markdown]
# ## 5. Attention in three launches
#
# **Goal:** know what attention computes, and what it costs as it stands in the textbook.
#
# A sequence has n places, say the words of a text. **Attention** lets each place collect something from all others, and learns what is worth collecting. A network makes three vectors for each place: a **query**, what it looks for; a **key**, what it offers; a **value**, what it hands over.
# Query i times key j, number by number and added up, is a **score**: how well they fit. The scores of one query are a row, its softmax are shares, here called weights, and the result is the mean of all values by these weights.
# Scores are sums of 32 products, whose spread grows with the square root of 32; dividing by that root brings it back, so that softmax neither sees equal numbers nor puts all on one.
# A network does this several times side by side, with vectors of their own; each is a **head**. All arrays here have three axes: the head, the place, and the number within its vector.
#
# **Example.** Vectors of one number, two places, scale left out; powers of two again. Queries 1, 2; keys 0, 1; values 6, 9:
#
# | | scores | powers | weights | result |
# |---|---|---|---|---|
# | query 0 | 0, 1 | 1, 2 | 1/3, 2/3 | 6/3 + 18/3 = 8 |
# | query 1 | 0, 2 | 1, 4 | 1/5, 4/5 | 6/5 + 36/5 = 8.4 |
#
# So attention is a product, a softmax and a product: three launches, and between them a matrix with a row for each query and a column for each key. It is written once as scores, read twice by the softmax, written as weights, and read by the last product: **five times** through memory, and n² of it per head, while queries, keys, values and results are 4 · 32 · n numbers.

# %%
for n in (512, 2048, 8192, 32768):
    arrays, matrix = 4 * 32 * n * 4, 5 * n * n * 4
    print(f"n = {n:6,}: arrays {arrays / 1e6:6.1f} MB, the matrix five times {matrix / 1e6:9.1f} MB, {matrix / arrays:6.0f} times as much")

# %% [markdown]
# **Write** two kernels and `attention_naive(q, k, v, scores, out)`, which launches three. `scores_kernel`: a thread per score; row r of `scores` is query r % n of head r // n. Blocks of 32 x 4 threads: within a block, x counts keys and y counts rows. In the grid it is the other way round: blocks of rows go along x, which may be long, and blocks of keys along y. `weigh`: a thread per number of out. Between the two, your `softmax_online` makes the rows of `scores` weights, in place: each lane stores only where it has read before.
#
# **Predict first**, for 2 heads and n = 42: the launches, and the bytes stored to global memory by all of them.
#
# <details><summary>Interview question: what grows how with the length of the sequence?</summary>Flops with n²: two products of n² · 32 each per head. The matrix with n², in bytes and in traffic. Queries, keys, values and results with n. <b>A weak answer says</b> "attention is quadratic". <b>And then?</b> Which of the two squares can be avoided without changing the result? The memory, not the flops: the next rung.</details>

# %%
q = exercise("attention.attention_naive")
q.show()

# %% predict="attention_naive"
q = exercise("attention.attention_naive")
q.predict(kernel_launches=3, global_store_bytes=38976)


# %% solution="attention_naive"
@cuda.jit
def scores_kernel(q, k, scores):
    """scores[h n + i, j] = q[h, i] times k[h, j], scaled. q, k: (n_heads, n, 32), scores: (n_heads n, n), float32."""
    j = cuda.blockIdx.y * WARP + cuda.threadIdx.x
    row = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    # about 6 lines
    ### BEGIN SOLUTION
    n = q.shape[1]
    if row < scores.shape[0] and j < n:
        acc = float32(0)
        for c in range(32):
            acc += q[row // n, row % n, c] * k[row // n, j, c]
        scores[row, j] = SCALE * acc
    ### END SOLUTION


@cuda.jit
def weigh(weights, v, out):
    """out[h, i] = the sum over j of weights[h n + i, j] v[h, j]. v, out: (n_heads, n, 32), float32."""
    c, row = cuda.threadIdx.x, cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    # about 6 lines
    ### BEGIN SOLUTION
    n = v.shape[1]
    if row < weights.shape[0]:
        acc = float32(0)
        for j in range(n):
            acc += weights[row, j] * v[row // n, j, c]
        out[row // n, row % n, c] = acc
    ### END SOLUTION


def attention_naive(q, k, v, scores, out):
    """Attention by three launches. q, k, v, out: (n_heads, n, 32), scores: (n_heads n, n), all float32 on the device."""
    n_rows, n = scores.shape
    # about 4 lines
    ### BEGIN SOLUTION
    blocks = (n_rows + 3) // 4
    scores_kernel[(blocks, (n + 31) // 32), (32, 4)](q, k, scores)
    softmax_online[blocks, THREADS](scores, scores)
    weigh[blocks, (32, 4)](scores, v, out)
    ### END SOLUTION


# %% check="attention_naive"
q = exercise("attention.attention_naive")
q.check(attention_naive).points

# %% [markdown]
# <details><summary>Interview question: why divide by the square root of the dimension?</summary>A score is a sum of d products of numbers that are about 1 in size and have either sign: its spread is the square root of d. Large scores make the softmax put nearly everything on one key, and then the others learn nothing. <b>A weak answer says</b> "to normalise". <b>And then?</b> Where is the cheapest place for that factor? On the query, once per query, in place of once per score.</details>
#
# ## 6. The matrix that is never stored
#
# **Goal:** the same result, and no n x n matrix anywhere.
#
# **Look back.** The online softmax needs no whole row: a pair of maximum and total says all about the keys so far. Attention needs one more sum: that of the *values*, each times its power. But that sum is relative to the same maximum, so the same factor corrects it. So keep three things for a query: the maximum, the total, and the result so far, 32 numbers.
# Take 32 keys and their values at a time. Their scores give a new maximum; total and result shrink by exp(old - new); then the tile's weights go into both. After the last tile, divide. That is **flash attention**. It is exact: nothing is left out, and only the order of the work changes.
#
# **Who does what.** A warp has a query. In a tile of 32 keys, lane l works out the score of key l. For the result the lanes swap roles: lane c has number c of the result, and needs all 32 weights, one after the other; `cuda.shfl_sync(FULL_WARP, p, j)` gives every lane what lane j holds. Eight warps, eight queries, share the tiles of keys and values in shared memory.
#
# **Example.** Query 1 of rung 5 and one more key: scores 0, 2 in the first tile and 3 in the second; values 6, 9, 4; powers of two:
#
# | | maximum | total | result so far |
# |---|---|---|---|
# | first tile | 2 | 1/4 + 1 = 5/4 | 6/4 + 9 = 42/4 |
# | shrink by 1/2 | 3 | 5/8 | 42/8 |
# | second tile | 3 | 5/8 + 1 = 13/8 | 42/8 + 4 = 74/8 |
#
# Divided: 74/13. All at once: (6 · 1 + 9 · 4 + 4 · 8) / 13 = 74/13.

# %% [markdown]
# Three traps, all in the last tile, where n is not a multiple of 32. A key that does not exist must have no share: give it the score `LOWEST`, not 0. Its value is multiplied by 0 all the same, and 0 times whatever was in shared memory may be NaN: so fill those rows with 0. And warps without a query must not leave, since they help to fill and the barriers wait for them.
#
# The cell does it for one query and one number of its values, tile after tile. Then **write** `attention_flash(q, k, v, out)`. The tile of keys has rows of 33 numbers, of which 32 are used: lanes read down a column, and in rows of 32 all of them would meet in one bank, as in unit 4.
#
# **Predict first**, for 2 heads and n = 42: the bytes loaded from global memory, by 12 blocks, and the bytes stored. Compare the latter with rung 5.
#
# <details><summary>Interview question: is flash attention an approximation?</summary>No: every score is computed, every weight is used, and the rescaling is exact except for rounding. <b>A weak answer says</b> "it approximates attention". <b>And then?</b> Why does it save nothing on the flops? All n² scores are still worked out; what has changed is where they live. It computes a little more, for the rescaling, and that is cheap beside the traffic.</details>

# %%
drawn = np.random.default_rng(1)
scores = drawn.normal(np.repeat((0, 2, 4), 32), 1).round(1)  # of one query and three tiles of keys
values = drawn.integers(-9, 10, 96)  # one number of each value
top, total, acc = -np.inf, 0.0, 0.0
for tile in range(3):
    s, v = scores[32 * tile : 32 * tile + 32], values[32 * tile : 32 * tile + 32]
    higher = max(top, s.max())
    shrink, p = np.exp(top - higher), np.exp(s - higher)
    top, total, acc = higher, total * shrink + p.sum(), acc * shrink + (p * v).sum()
    print(f"tile {tile}: maximum {top:.1f}, factor {shrink:.3f}, total {total:.3f}, result so far {acc:7.3f}")
weights = np.exp(scores - scores.max())
print(f"divided: {acc / total:.6f}; all at once: {(weights * values).sum() / weights.sum():.6f}")

# %%
q = exercise("attention.attention_flash")
q.show()

# %% predict="attention_flash"
q = exercise("attention.attention_flash")
q.predict(global_load_bytes=139776, global_store_bytes=10752)


# %% tags=["setup"]
DIM, KEYS, QUERIES = 32, 32, 8  # numbers of a vector, keys of a tile, queries of a block
PITCH = KEYS + 1  # no bank conflict down a column
ROOT = float32(1 / math.sqrt(DIM))


@cuda.jit(device=True, forceinline=True)
def fill(tile, src, head, first):
    """Rows of a tile: those of src from `first` on, and zeros past the last. By a block of 32 x 8 threads."""
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    for j in range(w, KEYS, QUERIES):
        if first + j < src.shape[1]:
            tile[j, lane] = src[head, first + j, lane]
        else:
            tile[j, lane] = float32(0)


# %% solution="attention_flash"
@cuda.jit
def attention_flash(q, k, v, out):
    """Attention, a warp per query. q, k, v, out: (n_heads, n, 32) float32."""
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = ROOT * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    # about 21 lines
    ### BEGIN SOLUTION
    for first in range(0, n, KEYS):
        fill(tile_k, k, head, first)
        fill(tile_v, v, head, first)
        cuda.syncthreads()  # both tiles are complete
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink, p = math.exp(top - higher), math.exp(s - higher)
        total = total * shrink + p  # of this lane's keys
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()  # no thread still reads the tiles
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total
    ### END SOLUTION


# %% check="attention_flash"
q = exercise("attention.attention_flash")
q.check(attention_flash).points

# %% race="attention_flash"
q = exercise("attention.attention_flash")
q.race(attention_flash).points

# %% [markdown]
# <details><summary>Interview question: eight queries share a tile. What would 64 change?</summary>Keys and values are loaded once per block, so from global memory they would come an eighth as often. <b>A weak answer says</b> "it would be eight times as fast". <b>And then?</b> What is the limit after that? A load from shared memory for every product, as in unit 12's first tiles: let a warp work on several queries at once, so that what it loads serves several products; then tensor cores, for which scores and weights are small matrix products.</details>

# %% [markdown]
# ## 7. Only what came before
#
# **Goal:** half of the tiles, where half of the weights are 0 anyway.
#
# **Look back.** Every query met every key. A network that continues a text must not: while it learns, place i has to guess place i + 1, so it may see places 0 to i and nothing after. Attention with that rule is called **causal**.
#
# Whoever works with a matrix of scores writes minus infinity above its diagonal and computes the rest as before. Half of the work is then for nothing. Here the scores come tile by tile, and a tile whose keys all come after every query of a block need not even be loaded. So there are three kinds of tile: those before the block's queries, whole; those at the diagonal, masked key by key; and those after them, which the loop never reaches.
#
# Where may the loop end? All warps of a block fill tiles together and meet at barriers, so they need one end for all: the block's last query.
#
# **Example.** Tiles of 2 keys, blocks of 2 queries, 6 places; a number is how many keys of the tile a query sees, a dash is a tile that is not loaded:
#
# | | tile 0 | tile 1 | tile 2 |
# |---|---|---|---|
# | block 0: queries 0, 1 | 1, 2 | - | - |
# | block 1: queries 2, 3 | 2, 2 | 1, 2 | - |
# | block 2: queries 4, 5 | 2, 2 | 2, 2 | 1, 2 |
#
# 6 tiles of 9, and for a long sequence nearly half. The cell draws every fourth block of two sequences.

# %% [markdown]
# **Write** `attention_causal(q, k, v, out)`: your `attention_flash` with a different condition on a lane's key and a different end of the loop.
#
# **Predict first**, for 2 heads and n = 42: the bytes loaded from global memory. Six blocks of a head go through 1, 1, 1, 1, 2 and 2 tiles, and the second tile has only 10 keys.
#
# <details><summary>Interview question: why must the mask come before the softmax, and not after?</summary>Masked after it, the weights of what is seen would add up to less than 1, since the total has the others in it; and the maximum might be one of theirs, far above everything that is seen. Masked scores are in neither. <b>A weak answer says</b> "to avoid NaN". <b>And then?</b> When does a mask give NaN? Where a query sees nothing at all: the maximum is minus infinity, and so is the score. A row of padding is such a case, and libraries define its result.</details>

# %%
for n in (42, 256):
    tiles = [-(-min(n, first + 8) // 32) for first in range(0, n, 8)]  # of each block of 8 queries
    print(f"n = {n}: {sum(tiles)} tiles of {len(tiles) * -(-n // 32)}")
    print("\n".join("#" * of_block + "." * (-(-n // 32) - of_block) for of_block in tiles[::4]))

# %%
q = exercise("attention.attention_causal")
q.show()

# %% predict="attention_causal"
q = exercise("attention.attention_causal")
q.predict(global_load_bytes=119296)


# %% solution="attention_causal"
@cuda.jit
def attention_causal(q, k, v, out):
    """Attention over the keys up to a query's own place, a warp per query. q, k, v, out: (n_heads, n, 32) float32."""
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = ROOT * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    # about 22 lines
    ### BEGIN SOLUTION
    end = min(n, QUERIES * (cuda.blockIdx.x + 1))  # the same for all warps, which meet at the barriers
    for first in range(0, end, KEYS):
        fill(tile_k, k, head, first)
        fill(tile_v, v, head, first)
        cuda.syncthreads()  # both tiles are complete
        s = LOWEST
        if first + lane <= i:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink, p = math.exp(top - higher), math.exp(s - higher)
        total = total * shrink + p  # of this lane's keys
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()  # no thread still reads the tiles
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total
    ### END SOLUTION


# %% check="attention_causal"
q = exercise("attention.attention_causal")
q.check(attention_causal).points

# %% race="attention_causal"
q = exercise("attention.attention_causal")
q.race(attention_causal).points

# %% [markdown]
# <details><summary>Interview question: blocks now have between one tile and all of them. What does that do to the time?</summary>Late blocks take longest, and if they start last, the GPU waits for a few of them at the end. Start them first: let block b take the queries from the end. <b>A weak answer says</b> "half of the tiles, half of the time". <b>And then?</b> What helps where the sequence is short and there are few blocks? Split the keys of a query over several blocks, each with a maximum, a total and a result of its own, and merge them in the end: rung 4's merge, with 32 more numbers.</details>
#
# ## 8. Weights that never leave a register
#
# **Goal:** both products of attention on tensor cores, and nothing stored in between.
#
# **Look back.** No matrix goes through memory any more, and still a lane loads two numbers from shared memory for each product. Unit 12 took its products to tensor cores: one `mma` multiplies 16 x 16 by 16 x 8, and each lane holds a piece of every factor and of the result. Attention is two such products with a softmax between them: queries times keys, then weights times values.
#
# So the result of the first product has to become a factor of the second. Through shared memory that would be a store, a barrier and a load. Look at who holds what instead:
#
# | | lane l has |
# |---|---|
# | of a result, 16 x 8 | row l // 4: columns 2 (l % 4) and the next; then the same of row l // 4 + 8 |
# | of a factor, 16 x 16, as four words of two float16 | row l // 4: columns 2 (l % 4) and the next; the same of row l // 4 + 8; then both again, 8 columns further |
#
# **Two results side by side are laid out as one factor is, so every lane already has its part.** It only rounds its numbers to float16, two to a word.
#
# The softmax gets cheaper, too. A warp has 16 queries, and a row of scores lies in four lanes, with 16 of 64 keys each: a lane goes through its own, and two shuffles do the rest, over 1 and over 2.
#
# **Example.** Lane 5 has rows 1 and 9 and columns 2 and 3. Of the scores of keys 0 to 7 it holds query 1 with keys 2 and 3, and query 9 with the same; of the scores of keys 8 to 15, query 1 with keys 10 and 11, and query 9 with those. Of the weights of keys 0 to 15 it needs: query 1, keys 2 and 3; query 9, keys 2 and 3; query 1, keys 10 and 11; query 9, keys 10 and 11. That is what it has, in this order.
#
# One more thing costs time where products are that cheap: exp. Hardware has no power of e, only one of 2, so `math.exp` multiplies first. e to the power of x is 2 to the power of x · log2(e), and scores are multiplied anyway: `PER_SCORE` has both factors, and `math.exp2` does the rest.

# %%
for lane in (0, 1, 5, 31):
    row, column = lane // 4, 2 * (lane % 4)
    print(f"lane {lane:2}: queries {row} and {row + 8}, keys {column} and {column + 1}, {column + 8} and {column + 9}, ... {column + 56} and {column + 57}")

# %% [markdown]
# All arrays are float16 now, and vectors have 64 numbers. A block of 4 warps has 64 queries of one head. The frame copies as unit 10 does, beside the threads: the values of a tile come while its scores are worked out, the keys of the next one while the values are added up.
#
# The small arrays `a`, `s` and `acc` take no memory: each of their indices is a constant once the loops are unrolled, so they become registers, as unit 10's nine pixels did. `four(s, j)` is row j as a tuple, `keep(s, j, x)` stores one, and `word(x, y)` rounds two numbers into a word.
#
# **Write** the two gaps of `attention_tensor(q, k, v, out)`. First the scores: for each 8 keys, j from 0 to 7, begin with four zeros; an `ldmatrix` of the tile of keys gives `y[:2]` and `y[2:]` for two of the four factors in `a`, if lane l names row 8 j + l % 8 and number 16 c + 8 (l // 8), for c = 0 and 2. A key is a row in memory and a column of the product, so nothing has to be transposed.
# After the mask: for both rows r that a lane has, the maximum, the factor, and weights in place of scores; elements 2 r and 2 r + 1 of every row of `s` and `acc` belong to row r. Then, when the values are there: for each 16 keys the factor of four words, and for each 16 numbers an `ldmatrix_transposed` in which lane l names row 16 c + l % 16 and number 8 j + 8 (l // 16).
#
# **Predict first** the shared load requests for 2 heads and n = 72: 4 blocks of 4 warps, which load 4 matrices of queries once, and for each of 2 tiles 16 of keys and 16 of values.
#
# <details><summary>Interview question: how does FlashAttention-2 differ from the first one, and 3 from 2?</summary>The second gives a warp queries of its own and all keys, as here, where the first split the keys over warps and had to add up through shared memory; it divides once at the end, and has blocks along the sequence, too. The third is for Hopper: warpgroup products that run beside the threads, copies by a unit of their own, one warpgroup's softmax while the other's products run, and FP8. <b>A weak answer says</b> "each is faster". <b>And then?</b> Why is exp the trouble? A multiprocessor does thousands of products per clock on tensor cores and 16 powers: with 64 numbers in a vector a score costs 256 flops and one power, and both take about as long.</details>

# %%
q = exercise("attention.attention_tensor")
q.show()

# %% predict="attention_tensor"
q = exercise("attention.attention_tensor")
q.predict(shared_load_requests=1088)


# %% tags=["setup"]
from numba import uint32

from autograder.notebook.intrinsics import bits16, commit_copies, copy16_async, ldmatrix, ldmatrix_transposed, mma, store16, wait_copies

float16 = np.float16
SIDE, TILE = 64, 64 * 64  # numbers of a vector, queries of a block, keys of a tile
OF_KEYS, OF_VALUES, TILES = TILE, 3 * TILE, 5 * TILE  # a tile of queries, two of keys, two of values
PER_SCORE = float32(math.log2(math.e) / math.sqrt(SIDE))


@cuda.jit(device=True, forceinline=True)
def place(row, c):
    """Where number c of a row lies in its tile: pieces of 8 are exchanged, so that 8 rows of a column meet 8 banks."""
    return SIDE * row + 8 * ((c // 8) ^ (row % 8)) + c % 8


@cuda.jit(device=True, forceinline=True)
def copy_rows(tiles, start, src, head, first):
    """Begin to copy a tile of 64 rows of src, if there is one, with zeros past the last row, and close the group."""
    row, c = cuda.threadIdx.x // 8, 8 * (cuda.threadIdx.x % 8)
    if first < src.shape[1]:
        for r in range(row, SIDE, 16):
            if first + r < src.shape[1]:
                copy16_async(tiles, start + place(r, c), src, (head, first + r, c))
            else:
                store16(tiles, start + place(r, c), (uint32(0), uint32(0), uint32(0), uint32(0)))
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def four(x, i):
    """Row i of a small array of four columns, as a tuple."""
    return x[i, 0], x[i, 1], x[i, 2], x[i, 3]


@cuda.jit(device=True, forceinline=True)
def keep(x, i, numbers):
    """Store a tuple of four as row i."""
    x[i, 0], x[i, 1], x[i, 2], x[i, 3] = numbers


@cuda.jit(device=True, forceinline=True)
def word(x, y):
    """Two numbers, rounded to float16, in a word: x in its lower half."""
    return bits16(float16(x)) | bits16(float16(y)) << uint32(16)


@cuda.jit(device=True, forceinline=True)
def mask_end(s, first, n, lane):
    """Keys past the last get the lowest score."""
    if first + SIDE > n:
        for j in range(8):
            for e in range(4):
                if first + 8 * j + 2 * (lane % 4) + e % 2 >= n:
                    s[j, e] = LOWEST


@cuda.jit(device=True, forceinline=True)
def put_rows(out, head, i, lane, acc, total):
    """Divide, and store what a lane has of rows i and i + 8."""
    for r in range(2):
        if i + 8 * r < out.shape[1]:
            for j in range(8):
                for e in range(2):
                    out[head, i + 8 * r, 8 * j + 2 * (lane % 4) + e] = float16(acc[j, 2 * r + e] / total[r])


# %% solution="attention_tensor"
@cuda.jit(launch_bounds=(128, 2))
def attention_tensor(q, k, v, out):
    """Attention, a warp for 16 queries and a block for 64. q, k, v, out: (n_heads, n, 64) float16."""
    tiles = cuda.shared.array(TILES, float16, alignment=128)
    a = cuda.local.array((4, 4), uint32)  # this warp's queries: four factors of 16 x 16
    s = cuda.local.array((8, 4), float32)  # scores of 64 keys, then their weights
    acc = cuda.local.array((8, 4), float32)  # the result so far: 64 numbers of 16 queries
    top = cuda.local.array(2, float32)  # of this lane's two rows
    total = cuda.local.array(2, float32)  # and of its own columns alone
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    head, n, i0 = cuda.blockIdx.y, q.shape[1], SIDE * cuda.blockIdx.x
    nothing = (float32(0), float32(0), float32(0), float32(0))
    for j in range(8):
        keep(acc, j, nothing)
    for r in range(2):
        top[r], total[r] = LOWEST, float32(0)
    copy_rows(tiles, 0, q, head, i0)
    copy_rows(tiles, OF_KEYS, k, head, 0)
    copy_rows(tiles, OF_VALUES, v, head, 0)
    wait_copies(2)
    cuda.syncthreads()  # the queries are there
    for c in range(4):
        keep(a, c, ldmatrix(tiles, place(16 * w + lane % 16, 16 * c + 8 * (lane // 16))))
    now, free = 0, TILE
    for first in range(0, n, SIDE):
        wait_copies(1)
        cuda.syncthreads()  # the keys are there
        copy_rows(tiles, OF_KEYS + free, k, head, first + SIDE)
        # about 6 lines: the scores
        ### BEGIN SOLUTION
        for j in range(8):
            x = nothing
            for c in range(0, 4, 2):
                y = ldmatrix(tiles, OF_KEYS + now + place(8 * j + lane % 8, 16 * c + 8 * (lane // 8)))
                x = mma(four(a, c + 1), y[2:], mma(four(a, c), y[:2], x))
            keep(s, j, x)
        ### END SOLUTION
        mask_end(s, first, n, lane)
        # about 14 lines: maxima and factors, weights in place of scores
        ### BEGIN SOLUTION
        for r in range(2):
            higher = top[r]
            for j in range(8):
                higher = max(higher, max(s[j, 2 * r], s[j, 2 * r + 1]))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 1))
            higher = max(higher, cuda.shfl_xor_sync(FULL_WARP, higher, 2))
            shrink = math.exp2(PER_SCORE * (top[r] - higher))
            top[r] = higher
            total[r] *= shrink
            for j in range(8):
                for e in range(2 * r, 2 * r + 2):
                    acc[j, e] *= shrink
                    s[j, e] = math.exp2(PER_SCORE * (s[j, e] - higher))
                    total[r] += s[j, e]
        ### END SOLUTION
        wait_copies(1)
        cuda.syncthreads()  # the values are there
        copy_rows(tiles, OF_VALUES + free, v, head, first + SIDE)
        # about 7 lines: weights times values
        ### BEGIN SOLUTION
        for c in range(4):
            x, y = four(s, 2 * c), four(s, 2 * c + 1)
            weights = word(x[0], x[1]), word(x[2], x[3]), word(y[0], y[1]), word(y[2], y[3])
            for j in range(0, 8, 2):
                z = ldmatrix_transposed(tiles, OF_VALUES + now + place(16 * c + lane % 16, 8 * j + 8 * (lane // 16)))
                keep(acc, j, mma(weights, z[:2], four(acc, j)))
                keep(acc, j + 1, mma(weights, z[2:], four(acc, j + 1)))
        ### END SOLUTION
        now, free = free, now
    # about 3 lines: the totals of whole rows
    ### BEGIN SOLUTION
    for r in range(2):
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 1)
        total[r] += cuda.shfl_xor_sync(FULL_WARP, total[r], 2)
    ### END SOLUTION
    put_rows(out, head, i0 + 16 * w + lane // 4, lane, acc, total)


# %% check="attention_tensor"
q = exercise("attention.attention_tensor")
q.check(attention_tensor).points

# %% race="attention_tensor"
q = exercise("attention.attention_tensor")
q.race(attention_tensor).points

# %% [markdown]
# <details><summary>Interview question: the library is still faster. What does it do on a Hopper GPU that your kernel does not?</summary>Its products are <code>wgmma</code>: four warps together, which read keys and values from shared memory by themselves, at a rate that <code>mma</code> does not reach there; and they run beside the threads, so that one warpgroup works out powers while the other's products go on. In your loop a warp does one after the other, and only other warps fill the gaps. <b>A weak answer says</b> "it is written in C++". <b>And then?</b> What would you do first? Let two halves of a tile take turns, so that the scores of the next half are under way during the softmax of this one: unit 12's last rung has the instructions.</details>
#
# ## 9. Counted
#
# **Look back.** The promise was attention without its matrix, and bytes that say what each step saved. The cell works out both ways from the contracts of rungs 5, 6 and 7: what the tiled kernels ask of global memory, and what the matrix costs beside it. Blocks ask for the same keys again and again, and most of those requests are answered by the caches; the matrix, written by one launch and read by the next, is too large for them.
# **Before you run it:** from which length on does the matrix alone cost more than everything that `attention_flash` asks for?

# %%
from autograder.exercises.u14_attention.ways import counted
from autograder.notebook import display

table = counted()
display.table(table["columns"], [tuple(row) for row in table["rows"]])

# %% [markdown]
# <details><summary>What the table says</summary>The middle column of bytes is what decides, since memory is the slow part: queries, keys, values and results once, and for the three launches the matrix five times beside them. It grows with n², the arrays with n, so the distance between the two ways doubles whenever n does. What is asked for beyond that is answered by the caches, for which one head's keys and values are small; but it is not free, and there flash asks for less as well, since eight queries share a tile. <b>A weak answer</b> reads the first column alone. <b>And then?</b> What does causal save? Tiles, so requests and flops; the arrays must come through memory all the same.</details>

# %% [markdown]
# **Read the profile.** Here is what a profiler says of four kernels of this unit, each on 8 rows of 1,000 numbers. Functions are exp, erf and roots, one per lane that asks for one; a barrier counts once for each block that passes it.
#
# | kernel | global load bytes | shared load requests | barriers | functions |
# |---|---|---|---|---|
# | A | 96,000 | 256 | 16 | 16,000 |
# | B | 64,000 | 0 | 0 | 26,560 |
# | C | 96,000 | 0 | 0 | 8,000 |
# | D | 96,000 | 512 | 0 | 256 |
#
# Before you open the answer: which rung is each? Three of them load the same bytes: of how many arrays, and how often? Where do B's last 2,560 functions come from?
#
# <details><summary>The answer</summary>A has barriers, two per row: the softmax with a block per row, rung 3, which loads one array three times. B loads it twice and needs no shared memory: rung 4. C and D load three arrays once: one function per element is the erf of rung 1, and one per lane and row is a layer norm's root, whose row waits in shared memory, rung 2. B calls exp twice for each element that it merges and once for each result, 24,000 times; the rest is 8 rows of 32 lanes, which merge five times with two calls each. <b>A weak answer says</b> "B is slowest, it has the most functions". <b>And then?</b> When would that be true? Where the row comes from a cache: then exp is what the kernel waits for, and one call per element is worth a branch.</details>

# %% [markdown]
# ## What you can do now
#
# You can fuse a chain of steps and say which bytes it saves; normalise a row from one read, without the difference that cancels; write a softmax that cannot overflow, in three reads of a row and in two; and run attention, causal or not, without its matrix ever being stored, exact to rounding.
#
# The table has the rungs of this session; where a GPU timed them, the library stands beside them. Unit 13 left one question open, how attention pays for seeing everything at once: with n² products, and no longer with n² bytes.

# %%
from autograder import ladder

ladder("14_attention")
