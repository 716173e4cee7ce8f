# %% [markdown]
# # Language models, one token at a time
#
# **The promise:** you write the kernels that produce a language model's next token, and for each you say from counted bytes how fast it could be, beside how fast it is. In the last section a small model speaks through them.
# A model writes its answer token by token. For each one it goes through all of its weights and through everything that it remembers of the text, and does hardly more than one multiplication with each number. So this unit asks one question: what must come through memory for the next token, and how near is a kernel to the time that these bytes take?
#
# **Time:** three sittings. Rungs 1 to 4: an hour and a half, 34 lines to write. Rungs 5 and 6: an hour and a half, 41 lines. Rungs 7 to 9: two hours, 55 lines.
# **You need:** units 1 to 6; unit 12 for loads of 16 bytes, unit 14 for softmax and attention, unit 17 for steps and scales.
# Without a GPU everything is checked and counted; only the times are missing.

# %% tags=["setup"]
import math

import numpy as np
from numba import cuda, float32, int32, uint32

from autograder import exercise
from autograder.notebook.intrinsics import bits16, halves, load16, store16

float16 = np.float16
WARP = 32
FULL_WARP = 0xFFFFFFFF  # a mask that names all 32 lanes
THREADS, WARPS = 128, 4  # of a block
EPS = float32(1e-5)


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    """The sum of x over a warp's 32 lanes, in all of them."""
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def block_sum(x):
    """The sum of x over a block's 128 threads, in all of them. Once per kernel: nobody may store into it again."""
    sums = cuda.shared.array(WARPS, float32)
    x = warp_sum(x)
    if cuda.threadIdx.x % WARP == 0:
        sums[cuda.threadIdx.x // WARP] = x
    cuda.syncthreads()  # the sums of all four warps
    return sums[0] + sums[1] + sums[2] + sums[3]


@cuda.jit(device=True, forceinline=True)
def eight(src, at):
    """Eight float16 neighbours from src[at] on, as float32: one load of 16 bytes."""
    words = load16(src, at)
    a, b = halves(words[0])
    c, d = halves(words[1])
    e, f = halves(words[2])
    g, h = halves(words[3])
    return a, b, c, d, e, f, g, h


@cuda.jit(device=True, forceinline=True)
def two(x, y):
    """Two float32 as two float16 in one word."""
    return bits16(float16(x)) | (bits16(float16(y)) << uint32(16))


@cuda.jit(device=True, forceinline=True)
def store8(dst, at, x):
    """Eight float32 as float16 to dst[at] and its neighbours: one store of 16 bytes."""
    store16(dst, at, (two(x[0], x[1]), two(x[2], x[3]), two(x[4], x[5]), two(x[6], x[7])))


@cuda.jit(device=True, forceinline=True)
def dot8(x, y):
    """The sum of eight products."""
    low = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3]
    return low + x[4] * y[4] + x[5] * y[5] + x[6] * y[6] + x[7] * y[7]


@cuda.jit(device=True, forceinline=True)
def times8(x, y):
    """Eight products."""
    return x[0] * y[0], x[1] * y[1], x[2] * y[2], x[3] * y[3], x[4] * y[4], x[5] * y[5], x[6] * y[6], x[7] * y[7]


@cuda.jit(device=True, forceinline=True)
def scaled8(x, scale):
    """Eight products with one number."""
    return times8(x, (scale, scale, scale, scale, scale, scale, scale, scale))


# %% [markdown]
# ## 1. A norm without a mean
#
# **Goal:** rows of float16 with a mean square of 1, at the speed of memory.
#
# Text reaches a model as **tokens**, words or pieces of them, each a whole number. A token becomes a row of some thousand numbers, and layer after layer adds something to that row. Before each layer the row is brought to one size, so that no layer has to cope with numbers that grew on the way.
# Unit 14's layer norm subtracted the mean and divided by the root of the variance. Recent models leave the mean in: they divide by the root of the mean of squares, and multiply by one learned number per column, gamma. That is the **RMS norm**: less to compute, one sum in place of two, and models are no worse for it.
#
# Weights and rows are kept in float16, two bytes each. A float16 keeps 11 significant bits, which is enough to store a result, but ends at 65,504, which is not enough to hold a sum of squares: the square of 256 is already past it. So **load float16, compute in float32, store float16**.
#
# **Example.** Eight elements, gamma 1 for all: mean square 200 / 8 = 25, its root 5.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | sum |
# |---|---|---|---|---|---|---|---|---|---|
# | src | 5 | -5 | 10 | 0 | 5 | 5 | 0 | 0 | |
# | src² | 25 | 25 | 100 | 0 | 25 | 25 | 0 | 0 | 200 |
# | dst | 1 | -1 | 2 | 0 | 1 | 1 | 0 | 0 | |
#
# A warp that loads one float16 per lane asks for 64 bytes; with 16 bytes per lane it asks for 512, in one request. `eight(src, (row, c))` loads eight neighbours and makes float32 of them, `store8` goes the other way, and `dot8`, `scaled8` and `times8` compute with eight numbers at a time. The cell below shows what a float16 holds.

# %%
for number in (255.0, 256.0):
    with np.errstate(over="ignore"):
        print(f"{number:.0f} squared: float16 {np.float16(number) * np.float16(number)}, float32 {number * number:.0f}")
print("the largest float16:", np.finfo(np.float16).max, "and its last places, at 2048:", np.spacing(np.float16(2048)))

# %% [markdown]
# **Write** `rms_norm(src, gamma, dst)`, a block of 128 threads per row. Thread t takes elements 8 t to 8 t + 7, then those 1,024 further on, and so on; `block_sum` adds up what its threads have, and gives the sum to all of them. Go through the row twice: first for the squares, then for the results. The second time the row comes from a cache.
# `EPS` is 1e-5 in float32. It is added to the mean under the root, so that a row of zeros stays zeros. The row's length is a 64-bit integer, so divide by `float32(n_cols)`.
#
# **Predict first**, for 4 rows of 1,040: the load requests to global memory, one per load and warp that has something to load.
#
# <details><summary>Interview question: why do language models use RMS norm in place of layer norm?</summary>It keeps what matters, the size of the row, and drops the step of subtracting the mean, which turned out to gain nothing. One sum is enough where layer norm needs a mean before it can take the variance, so there is one reduction, one learned vector and no cancellation. <b>A weak answer says</b> "it is faster". <b>And then?</b> Is it, for one token? Hardly: the row is a few KiB, and the launch takes longer than the norm. That is why engines fuse it with the layer before or after it.</details>

# Step through its first iteration: 128 threads, each with eight squares, and four warps whose sums meet at a barrier.

# %%
@cuda.jit
def first_turn(src, gamma, dst):
    """The sum of squares of each row's first 1,024 elements: step on, and watch four sums become one."""
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    acc = float32(0)
    if 8 * t < src.shape[1]:
        x = eight(src, (row, 8 * t))
        acc = dot8(x, x)
    total = block_sum(acc)
    if t == 0:
        dst[row, 0] = float16(total)


q = exercise("language_models.rms_norm")
q.step(first_turn)

# %%
q = exercise("language_models.rms_norm")
q.show()

# %% predict="rms_norm"
q = exercise("language_models.rms_norm")
q.predict(global_load_requests=60)


# %% solution="rms_norm"
@cuda.jit
def rms_norm(src, gamma, dst):
    """Each row with a mean square of 1, times gamma, a block per row. src, dst: (n_rows, n_cols), gamma: (n_cols,),
    all float16; n_cols is a multiple of 8."""
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, src.shape[1]
    # about 8 lines
    ### BEGIN SOLUTION
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = eight(src, (row, c))  # 512 bytes per request
        acc += dot8(x, x)
    scale = float32(1) / math.sqrt(block_sum(acc) / float32(n_cols) + EPS)
    for c in range(8 * t, n_cols, 8 * THREADS):
        x = scaled8(eight(src, (row, c)), scale)  # from a cache
        store8(dst, (row, c), times8(x, eight(gamma, c)))
    ### END SOLUTION


# %% check="rms_norm"
q = exercise("language_models.rms_norm")
q.check(rms_norm).points

# %% race="rms_norm"
q = exercise("language_models.rms_norm")
q.race(rms_norm).points

# %% [markdown]
# <details><summary>Interview question: where would you keep a sum of float16 numbers?</summary>In float32. In float16 a sum of ones stops at 2,048, where the next number it could hold is 2,050, and a sum of squares is soon infinite. <b>A weak answer says</b> "float16 is precise enough for networks". <b>And then?</b> What does the float32 sum cost? Nothing here: it lives in a register, and bytes of memory are what this kernel waits for.</details>
#
# ## 2. A position is an angle
#
# **Goal:** queries and keys that know where in the text they stand.
#
# **Look back.** A norm treats all tokens alike, and so does attention: a score is a query times a key, and the same two tokens give the same score wherever they stand. A model must be told that "dog bites man" is not "man bites dog".
# **Rotary positions** tell it without a single learned number. Take two numbers of a query as a point in a plane, and turn that point by an angle that grows with the token's place. Do the same with the key. The dot product of two turned points depends only on the difference of their angles, so a score depends on **how far apart** two tokens stand, wherever in the text that is.
#
# One speed would not do: after a full turn a place looks like an earlier one. So a head of 128 numbers has 64 pairs, and each pair has a speed of its own, from 1 radian per place down to about a ten-thousandth of that. Quick pairs tell neighbours apart and slow pairs tell chapters apart, like the hands of a clock.
# Which numbers form a pair is a convention. Here, as in most models today, number i goes with number i + 64. Others pair neighbours, and weights that were trained one way are worthless the other way.
#
# **Example.** A pair (3, 4) with a speed of a quarter turn per place. At place 2 that is half a turn, cos = -1 and sin = 0:
#
# | place | angle | a cos - b sin | b cos + a sin |
# |---|---|---|---|
# | 0 | 0 | 3 | 4 |
# | 1 | 1/4 turn | -4 | 3 |
# | 2 | 1/2 turn | -3 | -4 |
# | 3 | 3/4 turn | 4 | -3 |
#
# The length stays 5 throughout. The cell turns a query and a key at three pairs of places that lie equally far apart.

# %%
query, key = np.array([1.0, 2.0]), np.array([0.5, -1.0])


def turned(pair, angle):
    """A pair, turned by an angle in radians."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ pair


for at_query, at_key in ((5, 2), (105, 102), (9, 2)):
    score = turned(query, 0.3 * at_query) @ turned(key, 0.3 * at_key)
    print(f"places {at_query:3} and {at_key:3}, {at_query - at_key} apart: score {score:.6f}")

# %% [markdown]
# **Write** `rotate_pairs(src, places, speeds, dst)`: a block of 64 threads for each head of each token, thread i with numbers i and i + 64. The angle is `float32(places[token])` times `speeds[i]`, in radians. `dst` is float16, as the cache of rung 5 keeps it.
# Read both numbers before you use either.
#
# **Predict first**, for 3 tokens of 4 heads: the bytes that all threads load together, and the bytes stored.
#
# <details><summary>Interview question: a model was trained on texts of 8,000 tokens. What happens at token 20,000?</summary>Slow pairs reach angles that they never had in training, and scores go wrong. Speeds can be stretched: divide the angles so that 20,000 places fill the range of 8,000, more for slow pairs than for quick ones, and train a little. <b>A weak answer says</b> "it runs out of memory". <b>And then?</b> Why are quick pairs left alone? They tell neighbours apart, and they made many full turns in training, so none of their angles is new.</details>

# %%
q = exercise("language_models.rotate_pairs")
q.show()

# %% predict="rotate_pairs"
q = exercise("language_models.rotate_pairs")
q.predict(global_load_bytes=12288, global_store_bytes=3072)


# %% solution="rotate_pairs"
@cuda.jit
def rotate_pairs(src, places, speeds, dst):
    """src with numbers i and i + 64 of each head turned by places[token] * speeds[i], a block of 64 threads per head.
    src: (n_tokens, n_heads, 128) float32, places: (n_tokens,) int32, speeds: (64,) float32, dst: as src, float16."""
    i, head, token = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    # about 5 lines
    ### BEGIN SOLUTION
    angle = float32(places[token]) * speeds[i]
    cos, sin = math.cos(angle), math.sin(angle)
    a, b = src[token, head, i], src[token, head, i + 64]
    dst[token, head, i] = a * cos - b * sin
    dst[token, head, i + 64] = b * cos + a * sin
    ### END SOLUTION


# %% check="rotate_pairs"
q = exercise("language_models.rotate_pairs")
q.check(rotate_pairs).points

# %% [markdown]
# <details><summary>Interview question: are keys turned when they enter the cache, or whenever they are read?</summary>When they enter it: a key's place never changes, so it is turned once, and not again for every later token. <b>A weak answer says</b> "whenever they are read, because the distance changes". <b>And then?</b> What if the oldest tokens are dropped? Scores depend on differences, so nothing has to be turned again as long as the remaining tokens keep their places and new ones go on counting.</details>
#
# ## 3. Weights times one vector
#
# **Goal:** a product that takes as long as its weights take to arrive.
#
# **Look back.** Norms and rotations touch some thousand numbers per token. The weights are millions: a model of 8 billion has to bring all of them through memory for every token that it writes, 16 GB in float16. While it reads your question, many tokens go through each weight at once; that is called **prefill**, and it is a product of two matrices as in unit 12. While it answers, there is one token at a time, **decode**, and every weight is used once and has to come again for the next token.
#
# So a layer is a matrix times one vector: y[r] is row r of the weights times x. Count for one weight: 2 bytes, one multiplication, one addition. The tensor cores of an H200 could do several hundred operations in the time that 2 bytes take to arrive. The roofline of unit 3 says what follows: saving arithmetic does not help; more bytes in flight do.
#
# **Who does what.** A block of 128 threads has a row. A thread takes 8 neighbours, the next thread the next 8, and so 256 weights arrive with one request of a warp. x is needed by every row, and it is small: it stays in a cache. Every thread adds up in a register, and at the end `block_sum` adds up the threads.
# A warp per row would also work, and asks for the same bytes. But a row of 4,096 is 16 iterations for a warp and 4 for a block: with four warps on a row, four times as much of it is on its way at once.
#
# **Example.** A block of two threads, pieces of two weights, one row of six:
#
# | | thread 0 | thread 1 | thread 0 | |
# |---|---|---|---|---|
# | weights | 1 2 | 3 4 | 5 6 | |
# | x | 1 1 | 1 2 | 1 0 | |
# | products | 1 + 2 | 3 + 8 | 5 + 0 | |
# | in a register | 3 | 11 | 3 + 5 = 8 | 8 + 11 = 19 |
#
# Not every thread has something to do in the last iteration. That does no harm here: there is no barrier in the loop, and all threads meet after it.

# %%
for name, weights in (("a small model", 1.1e9), ("8 billion weights", 8.0e9), ("70 billion", 70e9)):
    times = [f"{bits} bits {weights * bits / 8 / 4.2e12 * 1e3:6.2f} ms" for bits in (16, 8, 4)]
    print(f"{name:18} at 4,200 GB/s, per token: " + ", ".join(times))

# %% [markdown]
# **Write** `half_product(weights, x, y)`. **Predict first**, for 6 rows of 1,040: the load requests, and the bytes loaded, of weights and x together.
#
# <details><summary>Interview question: a model of 8 billion weights in FP16 on a GPU with 4 TB/s. How many tokens per second can one user get?</summary>16 GB per token at 4 TB/s take 4 ms, so 250 at the very most, and fewer for a long text, since the cache has to be read as well. <b>A weak answer</b> divides flops by flops per second: 16 GFLOP over some hundred TFLOP/s would be tens of thousands. <b>And then?</b> How do servers get thousands of tokens per second out of the same GPU? With many users at a time: weights that have come once serve all of them, until arithmetic is the limit after all.</details>

# %%
q = exercise("language_models.half_product")
q.show()

# %% predict="half_product"
q = exercise("language_models.half_product")
q.predict(global_load_requests=60, global_load_bytes=24960)


# %% solution="half_product"
@cuda.jit
def half_product(weights, x, y):
    """y = weights x, a block per row. weights: (n_rows, n_cols), x: (n_cols,) float16, y: (n_rows,) float32;
    n_cols is a multiple of 8."""
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    # about 6 lines
    ### BEGIN SOLUTION
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        acc += dot8(eight(weights, (row, c)), eight(x, c))
    acc = block_sum(acc)
    if t == 0:
        y[row] = acc
    ### END SOLUTION


# %% check="half_product"
q = exercise("language_models.half_product")
q.check(half_product).points

# %% race="half_product"
q = exercise("language_models.half_product")
q.race(half_product).points

# %% [markdown]
# <details><summary>Interview question: would tensor cores make this product faster?</summary>No. They multiply faster, and the kernel does not wait for multiplications: it waits for weights, each of which is used once. <b>A weak answer says</b> "yes, they are made for it". <b>And then?</b> From how many tokens at a time do they pay? From where arithmetic without them would take longer than the bytes: an H200's FP32 units do about 16 operations per byte, so from about 16 tokens per weight of 2 bytes. Its tensor cores become the limit only at a few hundred.</details>
#
# **On the way to four bits: eight.** Unit 17 turned numbers into bytes, with a scale per channel. For weights times one vector, half of that is enough: **only the weights** become bytes, not the inputs, so there is nothing to calibrate. With a float16 scale for every **group** of 32 neighbours a weight takes 8.5 bits in place of 16.
# The kernel is rung 3's with a warp per row, 16 weights in each load of a lane, and one more multiplication for every 16: the sum times the group's scale. The cell prints the kernel for you to read, and compares its results with NumPy's.

# %%
import inspect

from autograder.exercises.u21_language_models.eight_bits import eight_bit_product

print(inspect.getsource(eight_bit_product.py_func))
rng = np.random.default_rng(0)
weights = rng.normal(0, 0.1, (8, 96)).astype(np.float32)
steps_of = np.abs(weights.reshape(8, 3, 32)).max(axis=2) / 127  # what a step of each group stands for
bytes_of = np.rint(weights.reshape(8, 3, 32) / steps_of[..., None]).astype(np.int8).reshape(8, 96)
x, y = rng.normal(0, 1, 96).astype(np.float16), np.zeros(8, np.float32)
eight_bit_product[2, 128](bytes_of, steps_of.astype(np.float16), x, y)
print("largest difference from float32 weights:", f"{np.abs(y - weights @ x.astype(np.float32)).max():.4f}")

# %% [markdown]
# ## 4. Four bits per weight
#
# **Goal:** little more than a quarter of the bytes, and to know where the rest of the time goes.
#
# **Look back.** Rung 3 takes as long as its weights take to arrive. To be faster still, bring less. One byte per weight was half; trained weights tolerate even 4 bits, 16 steps, if few of them share a scale. Here again a group of 32 neighbours in a row has one, in float16, so a weight takes 4.5 bits in all: 32 steps are 16 bytes, one load of a lane, and the scale is 2 more. Only the weights are stored like that. Arithmetic stays in float32, and x in float16: that is called **weight-only quantisation**.
#
# Steps are 0 to 15, and 8 stands for 0: a weight is (step - 8) times its group's scale. A byte has two of them, the first in its lower half; a word of 32 bits has eight. Step k of a word is `(word >> 4k) & 15`.
#
# **Example.** A word 0x7B2, so its eight steps are 2, 11, 7 and five zeros, with scale 0.5:
#
# | k | 0 | 1 | 2 | 3 to 7 |
# |---|---|---|---|---|
# | step | 2 | 11 | 7 | 0 |
# | step - 8 | -6 | 3 | -1 | -8 |
# | weight | -3 | 1.5 | -0.5 | -4 |
#
# The whole group has one scale, so multiply the group's sum by it once, not each weight.
#
# Something else becomes expensive. For 16 bytes of steps a lane needs 32 numbers of x, 64 bytes. They come from a cache, but a cache has a limit too, and x is now four times as many bytes as the weights that it is multiplied with. The cure is unit 12's: what was loaded serves several rows. A warp takes **two rows**: x is loaded and converted once, and multiplied by two groups.

# %%
word = 0x7B2
print("steps:  ", [word >> 4 * k & 15 for k in range(8)])
print("weights:", [0.5 * ((word >> 4 * k & 15) - 8) for k in range(8)])

# %% [markdown]
# **Given:** `step(word, k)` as float32. **Write** `steps8(word, x)`, the sum of a word's eight weights, unscaled, times eight numbers of x, and `four_bit_product(packed, scales, x, y)`. `load16(packed, (row, 16 * g))` gives the four words of group g. `n_rows` is even, so a warp has two rows or none.
#
# **Predict first**, for 8 rows of 1,056 weights, 33 groups per row: the bytes loaded, and the load requests. And what does `print(0xB2 & 15, 0xB2 >> 4, (0xB2 & 15) - 8, (0xB2 >> 4) - 8)` print?
#
# <details><summary>Interview question: why a scale for every 32 weights, and not one for a row?</summary>One large weight sets the scale of all that share it, and with 16 steps the others would be rounded to hardly anything. In a small group it spoils only its neighbours. <b>A weak answer says</b> "for better precision". <b>And then?</b> Why not every 8? The scale's 16 bits are shared by the group: 32 weights pay half a bit each, 8 would pay two, half as much as the weight itself.</details>

# %%
q = exercise("language_models.four_bit_product")
q.show()

# %% predict="four_bit_product"
q = exercise("language_models.four_bit_product")
q.predict(global_load_bytes=13200, global_load_requests=64, prints="2 11 -6 3")


# %% tags=["setup"]
@cuda.jit(device=True, forceinline=True)
def step(word, k):
    """Step k of a word's eight, minus 8, as float32. A step among zeros is a tiny float16, n times 2^-24, so one AND
    unpacks two of them, k and k + 4, and no integer is converted."""
    two_steps = halves((word >> uint32(4 * (k % 4))) & uint32(0x000F000F))
    return float32(2.0**24) * two_steps[k // 4] - float32(8)


# %% solution="four_bit_product"
@cuda.jit(device=True, forceinline=True)
def steps8(word, x):
    """The sum of eight steps, each minus 8, times eight numbers."""
    # about 2 lines
    ### BEGIN SOLUTION
    low = step(word, 0) * x[0] + step(word, 1) * x[1] + step(word, 2) * x[2] + step(word, 3) * x[3]
    return low + step(word, 4) * x[4] + step(word, 5) * x[5] + step(word, 6) * x[6] + step(word, 7) * x[7]
    ### END SOLUTION


@cuda.jit
def four_bit_product(packed, scales, x, y):
    """y = weights x, two rows per warp. packed: (n_rows, n_cols / 2) int8, scales: (n_rows, n_cols / 32) float16,
    x: (n_cols,) float16, y: (n_rows,) float32; n_rows is even."""
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    # about 13 lines
    ### BEGIN SOLUTION
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)  # serves both rows
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x1) + steps8(words[2], x2) + steps8(words[3], x3)
            acc[r] += float32(scales[first + r, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total
    ### END SOLUTION


# %% check="four_bit_product"
q = exercise("language_models.four_bit_product")
q.check(four_bit_product).points

# %% race="four_bit_product"
q = exercise("language_models.four_bit_product")
q.race(four_bit_product).points

# %% [markdown]
# <details><summary>Interview question: a quarter of the bytes, and yet not four times as fast. Where is the rest?</summary>Three places come to mind. Unpacking: half a shift and half a mask, a conversion and two multiplications with an addition for each weight, where float16 needs a conversion and one multiplication. Then x, four times as many bytes from a cache as the weights are. And a short kernel starts and ends as slowly as a long one. Which of them counts is measured and not guessed: section 10 says how. <b>A weak answer says</b> "the GPU has no 4-bit units". <b>And then?</b> What do libraries do about it? They reorder the steps when a model is loaded, so that two are unpacked at once, and multiply pairs in float16; or they make whole numbers of x, too, and multiply those.</details>
#
# ## 5. One query over a cache in pages
#
# **Goal:** attention of one token over everything before it, each key and each value loaded once.
#
# **Look back.** Weights are the same for every token; what was said is not. Attention needs the keys and values of all earlier tokens, and working them out again for every new one would be absurd. They are kept: that is the **KV cache**. It grows with every token, and it is read whole for every token.
# How large is it? A key and a value for each token, each head and each layer, 128 numbers each, 2 bytes per number. With 32 heads and 32 layers that is 512 KiB per token, 16 GiB for a text of 32,768: as much as the weights of a model of 8 billion.
#
# So models share: four heads of queries use one head of keys and values. This is **grouped-query attention**; the cache is a quarter as large. A kernel gains in another way, too: **a key, once loaded, serves four queries from registers**.
#
# Nobody knows how long a text will get. So the cache is kept in **pages** of 16 places, taken where there is room, and a table says which page comes next: place j is row j % 16 of page `pages[j // 16]`, and page p begins at row 16 p of the cache. An operating system manages memory in the same way, and a text wastes 15 places at most.
#
# One text, one query: where does the work for 132 multiprocessors come from? From the keys. Each block takes a **split** of 512 of them, for one shared head, and works as if there were no others: scores, softmax, sum of values. Rung 6 puts the splits together, and for that it needs one more number from each: the logarithm of the sum of exp of its scores, **log-sum-exp**.
#
# **Example.** Three scores of a split, 1, 2 and 3, with 2 in place of e (and log to base 2): the total is 2 + 4 + 8 = 14. With the maximum subtracted: 1/4 + 1/2 + 1 = 7/4, and 3 + log(7/4) = log(8 · 7/4) = log(14). The maximum drops out.
#
# **Who does what.** 256 threads are sixteen half warps of 16 lanes, and a key of 128 float16 is 16 times 16 bytes: a half warp loads a key, 8 numbers per lane, and computes four scores from it. It takes two keys per iteration, so that the second is on its way while it works on the first.
#
# | | lanes 0 to 15 | lanes 16 to 31 | next warp | | last half warp |
# |---|---|---|---|---|---|
# | first iteration | keys 0, 16 | keys 1, 17 | keys 2, 18 and 3, 19 | ... | keys 15, 31 |
# | second iteration | keys 32, 48 | keys 33, 49 | keys 34, 50 and 35, 51 | ... | keys 47, 63 |

# %%
for n_shared, n_layers, name in ((32, 32, "every head its own"), (8, 32, "four share one")):
    per_token = 2 * n_shared * 128 * n_layers * 2
    print(f"{name:18}: {per_token / 1024:.0f} KiB per token, {per_token * 32_768 / 2**30:.0f} GiB for 32,768 of them")

# %% [markdown]
# **Given:** `at_place(cache, pages, place, c)`, eight numbers of a place from c on; `scores(q, k)`, four scaled scores of a half warp's key; `add8(acc, p, x)`, eight sums; `shares(weights, n)`, in which warp h turns the first n scores of row h of `weights` into their softmax, fills the rest with 0 and returns log-sum-exp; and `put4`, which stores the results of four heads.
#
# **Write** `score_key`, which stores the four scores of key j, and `attention_pages(q, keys, values, pages, n_keys, parts, logs)`:
#
# 1. In each iteration of a loop, a half warp takes two keys, `begin + half` and the one 16 further on, and stores their scores.
# 2. A barrier. Each of warps 0 to 3 makes one row of scores its shares, and lane 0 stores the logarithm. A barrier.
# 3. In the same way through the values: four results of 8 numbers, in registers. Then each half warp puts them into `sums`; a barrier; and of the 512 results each of the 256 threads adds up two.
#
# Two traps. Shuffles need all lanes of a warp, and in the last iteration some half warps have no key: let them take the last key again, and store nothing. And what lies past the last key may be NaN, and NaN times a share of 0 is still NaN: so for values, too, take the last one again.
#
# **Predict first**, for 600 keys and two shared heads: the bytes stored to global memory, and the barriers, where each block that passes one counts.
#
# <details><summary>Interview question: why pages, and not one long array per text?</summary>An array must be as long as the text might become, and most texts end early: most of the memory would be reserved for nothing, and memory decides how many users fit. With pages a text holds what it uses, and on average half a page more. <b>A weak answer says</b> "memory gets fragmented". <b>And then?</b> What else do pages allow? Texts with the same beginning can share its pages, and pages can be moved out and in again.</details>

# %%
q = exercise("language_models.attention_pages")
q.show()

# %% predict="attention_pages"
q = exercise("language_models.attention_pages")
q.predict(global_store_bytes=8256, barriers=12)


# %% tags=["setup"]
SPLIT, PAGE, HEAD, SHARED = 512, 16, 128, 4  # keys of a block, places of a page, numbers of a head, heads that share
PARTS = 16  # half warps of a block
ROOT = float32(1 / math.sqrt(HEAD))
LOWEST = float32(-3.4028234663852886e38)  # the lowest finite float32


@cuda.jit(device=True, forceinline=True)
def warp_max(x):
    """The largest x of a warp's 32 lanes, in all of them."""
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def score(q, k):
    """A query times a key, scaled, by the 16 lanes of a half warp, each with eight numbers of both."""
    x = dot8(q, k)
    d = 8
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return ROOT * x


@cuda.jit(device=True, forceinline=True)
def scores(q, k):
    """Four scores of one key. q: eight numbers of each of four queries."""
    return score(q[0], k), score(q[1], k), score(q[2], k), score(q[3], k)


@cuda.jit(device=True, forceinline=True)
def at_place(cache, pages, place, c):
    """Eight numbers of a place, from c on. cache: (n_rows, 128) float16, of one shared head."""
    return eight(cache, (PAGE * pages[place // PAGE] + place % PAGE, c))


@cuda.jit(device=True, forceinline=True)
def add8(acc, p, x):
    """acc + p x, eight sums."""
    low = acc[0] + p * x[0], acc[1] + p * x[1], acc[2] + p * x[2], acc[3] + p * x[3]
    return low + (acc[4] + p * x[4], acc[5] + p * x[5], acc[6] + p * x[6], acc[7] + p * x[7])


@cuda.jit(device=True, forceinline=True)
def put8(dst, at, c, x):
    """Eight float32 to dst[at, c] and its neighbours. at: two indices."""
    store16(dst, (at[0], at[1], c), (x[0], x[1], x[2], x[3]))
    store16(dst, (at[0], at[1], c + 4), (x[4], x[5], x[6], x[7]))


@cuda.jit(device=True, forceinline=True)
def put4(sums, half, c, a, b, d, e):
    """Eight numbers of the results of four heads to where the others find them."""
    put8(sums, (half, 0), c, a)
    put8(sums, (half, 1), c, b)
    put8(sums, (half, 2), c, d)
    put8(sums, (half, 3), c, e)


@cuda.jit(device=True, forceinline=True)
def shares(weights, n):
    """Warp h makes the first n scores of row h their softmax, and the rest 0. Returns the logarithm of the sum of exp."""
    h, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    top, total = LOWEST, float32(0)
    for j in range(lane, n, WARP):
        top = max(top, weights[h, j])
    top = warp_max(top)
    for j in range(lane, n, WARP):
        total += math.exp(weights[h, j] - top)
    log = top + math.log(warp_sum(total))
    for j in range(lane, SPLIT, WARP):
        weights[h, j] = math.exp(weights[h, j] - log) if j < n else float32(0)
    return log


# %% solution="attention_pages"
@cuda.jit(device=True, forceinline=True)
def score_key(weights, j, n, c, q, k):
    """The four scores of key j to weights[0, j] to weights[3, j], by the first lane of a half warp and for j < n."""
    # about 3 lines
    ### BEGIN SOLUTION
    s = scores(q, k)  # all lanes take part in its shuffles
    if c == 0 and j < n:
        weights[0, j], weights[1, j], weights[2, j], weights[3, j] = s
    ### END SOLUTION


@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    """Attention over each split of 512 keys, a block per split and shared head. q: (4 n_shared, 128), keys, values:
    (n_shared, n_rows, 128) float16, pages: int32, parts: (n_splits, 4 n_shared, 128), logs: float32."""
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared  # this thread's half warp, first number, first head
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    # about 24 lines
    ### BEGIN SOLUTION
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)  # serves four heads
        other = at_place(keys, pages, first + min(j, n - 1), c)  # on its way meanwhile
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()  # all scores are there
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()  # and all shares
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()  # sixteen results of each head
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc
    ### END SOLUTION


# %% check="attention_pages"
q = exercise("language_models.attention_pages")
q.check(attention_pages).points

# %% race="attention_pages"
q = exercise("language_models.attention_pages")
q.race(attention_pages).points

# %% [markdown]
# <details><summary>Interview question: eight users, each with 4,000 tokens. Does this kernel still need splits?</summary>It has a block for each split and shared head of each user: without splits 8 x 8 blocks, fewer than an H200 has multiprocessors, so yes. With a hundred users the grid would be full without them, and splitting would only add the work of merging. <b>A weak answer says</b> "splits are always faster". <b>And then?</b> How does a server choose? By counting blocks: as many splits as it takes to fill the GPU, and no more.</details>
#
# ## 6. Splits put together
#
# **Goal:** one result from many, exact, in one short launch.
#
# **Look back.** Each split of rung 5 divided by its own total. The whole text needs one total for all. A split's log-sum-exp has kept it: exp(log) is the sum of its exp with no maximum subtracted, so it says how large a share of the whole this split is. The result is a weighted mean of the parts, and exp(log) are the weights:
#
# out = (e^log₀ part₀ + e^log₁ part₁ + ...) / (e^log₀ + e^log₁ + ...).
#
# That is unit 14's rung 4 once more: sums that are relative to different maxima are merged by rescaling them to a common one. Logs may be far above 88, so subtract the largest of them first.
#
# **Example.** Two splits with 2 in place of e: logs 1 and 3, so totals 2 and 8; parts 5 and 10. Relative to the larger log the weights are 1/4 and 1: (5/4 + 10) / (5/4) = 9. From the totals: (2 · 5 + 8 · 10) / 10 = 9.
#
# Small as this is, it must not be slow: a text of 32,768 has 64 splits, and if one thread went through them one after the other, their latencies would add up to what rung 5 had gained. So a block of 128 x 8 threads has a head: thread x has number x of the result, and the eight threads along y share the splits. Their sums meet in shared memory.

# %% [markdown]
# **Write** `merge_splits(parts, logs, out)`. Every warp can find the largest log by itself: 32 lanes look at 32 of them at a time.
#
# **Find the bug.** The draft below gives the right result nearly always. **Predict** the line that its verdict will name, where the `@cuda.jit` of its cell is line 1.
# **Predict**, too, for 20 splits and 3 heads: the load requests to global memory, and the barriers.
#
# <details><summary>Interview question: attention was split over keys and merged. Is the result the same?</summary>Up to rounding, yes: softmax divides one sum of exp by another, and sums may be taken in pieces, as long as all pieces are rescaled to the same maximum. <b>A weak answer says</b> "approximately, like flash attention", which is exact as well. <b>And then?</b> To the last bit? Only if the splits are the same: with another number of them, sums are rounded elsewhere, which is one reason why a server's answers vary with its load.</details>

# %%
q = exercise("language_models.merge_splits")
q.show()

# %% predict="merge_splits"
q = exercise("language_models.merge_splits")
q.predict(line=15, global_load_requests=576, barriers=3)


# %% tags=["setup"]
GROUPS = 8  # threads along y: each takes every eighth split


# %%
@cuda.jit
def draft(parts, logs, out):
    """Attention over all splits: the threads with y = 0 put the groups together."""
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    top = LOWEST
    for s in range(c % WARP, parts.shape[0], WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, parts.shape[0], GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncwarp()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total


q = exercise("language_models.merge_splits")
q.check(draft);


# %% solution="merge_splits"
@cuda.jit
def merge_splits(parts, logs, out):
    """Attention over all splits, a block of 128 x 8 threads per head. parts: (n_splits, n_heads, 128),
    logs: (n_splits, n_heads), out: (n_heads, 128), all float32."""
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)  # of parts by weights, and of weights
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    # about 14 lines
    ### BEGIN SOLUTION
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()  # the sums of all groups
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total
    ### END SOLUTION


# %% check="merge_splits"
q = exercise("language_models.merge_splits")
q.check(merge_splits).points

# %% [markdown]
# <details><summary>What was wrong with the draft?</summary>`syncwarp` waits for the 32 lanes of one warp, and the eight groups are different warps: threads with y = 0 read sums that other warps may not have written yet. `syncthreads` waits for the whole block.</details>
#
# <details><summary>Interview question: how would eight GPUs share one very long text?</summary>Each keeps the cache of an eighth of it, works out its part and its logarithm for every head, and sends both: 129 numbers per head. Any of them, or all, merge. <b>A weak answer says</b> "send the keys round". <b>And then?</b> How much is sent? With 32 heads about 16 KB per layer and GPU, however long the text: the cache itself never moves.</details>

# %% [markdown]
# ## 7. The next word, by chance
#
# **Goal:** one word out of a hundred thousand, drawn as three settings demand, with nothing sorted.
#
# **Look back.** Norms, products and attention end in one number for each word (token) that the model knows, a **logit**. Always taking the largest gives a dull text that soon goes round in circles. So a word is drawn: softmax turns logits into probabilities, and a random number, the **chance**, picks one.
# Three settings say how boldly. The **temperature** divides all logits: at 2 the probabilities become more alike, at 0.5 less. **top_k** leaves only the k most likely words. **top_p** leaves as few of these as together have a share p of their weight: many where the model hesitates, one where it is sure. A word's **weight** is its exp, not yet divided by the total.
#
# Ties need a rule, or two kernels that are both right say different things. Here a word that **ties with the last word kept stays**, and the chance goes through the words **by their number**, not by their likelihood.
#
# Sorting a hundred thousand words per token would answer far more than was asked: all that matters is a threshold. A word stays if its logit is large enough, so what is the largest threshold that keeps enough words? Read a float32 as 32 bits, in such a way that larger floats have larger bits; `rank` does that. Then find the threshold's bits one after the other, the highest first: **a bit stays 1 if enough words still pass**. That is 32 passes over the row, whatever its length.
# It works for any question whose answer changes just once, from yes to no, as the threshold rises: "do at least k words pass?", "do those that pass weigh enough?". It even finds the token: "do the words before this one weigh no more than the goal?" changes from yes to no as well.
#
# **Example.** Five words, k = 3, and logits as ranks of 4 bits: 5, 12, 9, 3, 12.
#
# | bit | tried | words that pass | at least 3? | threshold |
# |---|---|---|---|---|
# | 3 | 1000 = 8 | 12, 9, 12 | yes | 1000 |
# | 2 | 1100 = 12 | 12, 12 | no | 1000 |
# | 1 | 1010 = 10 | 12, 12 | no | 1000 |
# | 0 | 1001 = 9 | 12, 9, 12 | yes | 1001 = 9 |
#
# The third largest is 9. Say the three that stay, words 1, 2 and 4, weigh 1, 0.05 and 1, and top_p is 0.9. A second search finds 12: the two that tie have 2 of 2.05, which is enough. And a chance of 0.6 asks for 0.6 · 2 = 1.2: up to word 1 the weights add up to 1, up to word 4 to 2, so word 4 it is.

# %%
for x in (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0):
    bits = int(np.float32(x).view(np.int32))
    print(f"{x:5}: bits {bits & 0xFFFFFFFF:08x}, rank {(bits ^ (bits >> 31 | 0x80000000)) & 0xFFFFFFFF:08x}")

# %% [markdown]
# **Given:** `largest(row)`; `rank(x)`; `how_many(row, least)`, which counts what passes of the words that a thread has; and `block_total(x)`, the sum over a block, as often as you like. It gives all 256 threads the same number, so they all take the same path through your loops. Call it only in the kernel itself, as in `block_total(how_many(row, higher))`, and in no device function of yours: numba does not compile a function with a shared array that two others call.
#
# **Write** `weight_of(row, end, least, top, temperature)`, a thread's part of the sum of `exp((x - top) / temperature)` over those of the first `end` words whose rank is at least `least`; and `choose_token`, in three searches:
#
# 1. The threshold of top_k: the largest that at least k words pass.
# 2. The threshold of top_p, from 0 again: the largest that enough weight passes. Its goal is top_p times the weight that the first threshold left.
# 3. The token. Its goal is the chance times the weight that the second threshold left. `token + (1 << bit)` is kept if it is less than the number of words, and the words before it weigh no more than the goal. 17 bits are enough for 131,072 words.
#
# **Predict first**: what does `print(0b1000 | 1 << 2, 0b1000 | 1 << 1)` print, two bits tried one after the other?
#
# <details><summary>Interview question: top_k of 50 in a vocabulary of 128,000, on a GPU. How?</summary>Not by sorting. Find the 50th largest by its bits, here one bit per pass; with a histogram of 8 bits per pass it takes four passes, which is what a radix select does. <b>A weak answer says</b> "sort and take the first 50". <b>And then?</b> What do 32 passes cost? The row is half a megabyte and stays in a cache, so not memory: 64 barriers and 500 visits per thread and pass, as long as one block has a row.</details>

# %%
q = exercise("language_models.choose_token")
q.show()

# %% predict="choose_token"
q = exercise("language_models.choose_token")
q.predict(prints="12 10")


# %% tags=["setup"]
MANY, MANY_WARPS = 256, 8  # threads of a block that looks at all words of a text


@cuda.jit(device=True, forceinline=True)
def block_total(x):
    """The sum of x over a block's 256 threads, in all of them, as often as it is called."""
    sums = cuda.shared.array(MANY_WARPS, float32)
    lane = cuda.threadIdx.x % WARP
    x = warp_sum(x)
    cuda.syncthreads()  # all threads have read what an earlier call left there
    if lane == 0:
        sums[cuda.threadIdx.x // WARP] = x
    cuda.syncthreads()  # the sums of all eight warps
    return warp_sum(sums[lane] if lane < MANY_WARPS else float32(0))


@cuda.jit(device=True, forceinline=True)
def largest(row):
    """The largest number of a row, in all threads. Once per kernel."""
    tops = cuda.shared.array(MANY_WARPS, float32)
    top = LOWEST
    for j in range(cuda.threadIdx.x, row.size, MANY):
        top = max(top, row[j])
    top = warp_max(top)
    if cuda.threadIdx.x % WARP == 0:
        tops[cuda.threadIdx.x // WARP] = top
    cuda.syncthreads()  # the largest of all eight warps
    return warp_max(tops[cuda.threadIdx.x % MANY_WARPS])


@cuda.jit(device=True, forceinline=True)
def rank(x):
    """32 bits, as a number that is larger for a larger x."""
    bits = cuda.libdevice.float_as_int(x + float32(0))  # -0.0 becomes 0.0, with which it ties
    return uint32(bits ^ (bits >> 31 | int32(-2147483648)))


@cuda.jit(device=True, forceinline=True)
def how_many(row, least):
    """How many numbers that are this thread's have a rank of `least` or more. For `block_total`."""
    acc = float32(0)
    for j in range(cuda.threadIdx.x, row.size, MANY):
        if rank(row[j]) >= least:
            acc += float32(1)
    return acc


# %% solution="choose_token"
@cuda.jit(device=True, forceinline=True)
def weight_of(row, end, least, top, temperature):
    """The sum of exp((x - top) / temperature) of this thread's among the first `end` numbers, of rank `least` or more."""
    # about 6 lines
    ### BEGIN SOLUTION
    acc = float32(0)
    for j in range(cuda.threadIdx.x, end, MANY):
        x = row[j]
        if rank(x) >= least:
            acc += math.exp((x - top) / temperature)
    return acc
    ### END SOLUTION


@cuda.jit
def choose_token(logits, temperatures, top_ks, top_ps, chances, tokens):
    """A word for each text, a block of 256 threads for each. logits: (n_texts, n_words), temperatures, top_ps,
    chances: (n_texts,) float32, top_ks, tokens: (n_texts,) int32."""
    text, n = cuda.blockIdx.x, logits.shape[1]
    row, temperature, k = logits[text], temperatures[text], float32(top_ks[text])
    top = largest(row)
    # about 19 lines
    ### BEGIN SOLUTION
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(how_many(row, higher)) >= k:
            least = higher
    goal = top_ps[text] * block_total(weight_of(row, n, least, top, temperature))
    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight_of(row, n, higher, top, temperature)) >= goal:
            least = higher
    goal = chances[text] * block_total(weight_of(row, n, least, top, temperature))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n and block_total(weight_of(row, further, least, top, temperature)) <= goal:
            token = further
    if cuda.threadIdx.x == 0:
        tokens[text] = token
    ### END SOLUTION


# %% check="choose_token"
q = exercise("language_models.choose_token")
q.check(choose_token).points

# %% [markdown]
# <details><summary>Interview question: the same prompt, temperature 0, and two answers that differ. How?</summary>Temperature 0 means the largest logit, and two logits that nearly tie are told apart by their last bits. Those depend on the order of sums: on how many splits attention had, on how many users were in the batch. <b>A weak answer says</b> "the random numbers differ", but at temperature 0 none are drawn. <b>And then?</b> What would make it the same each time? Kernels whose order of sums does not depend on the batch, at some cost.</details>
#
# ## 8. Several words at once
#
# **Goal:** more than one word from one pass through the weights, drawn as if there had been a pass for each.
#
# **Look back.** A word costs one pass through all weights, and while they arrive the arithmetic units have little to do. Several words at once would cost the same bytes. But word 2 needs word 1 first, or a guess of it.
# So let a **small model** guess: it writes a **draft** of some words, one after the other, and is cheap. Then the large model, the **target**, goes through all of them in one pass, as through a prompt, and says for every place with which probability it would have written each word. Where the two agree, words come for free. That is **speculative decoding**.
#
# What if they agree only in part? The text must follow exactly the probabilities of the target alone. Let a word have probability q in the draft and p in the target. It stays with a probability of p/q, or always where p is larger. So a word that the draft writes too often is refused just often enough to make up for it. Where one is refused, a word is drawn from what the draft has too little of, **max(p - q, 0)**. Added up, the two ways give each word exactly the probability p, as the example shows.
# After the first refusal nothing stays: those words follow one that is not there. And after a draft that stays whole the target has said one word more, in the same pass, so that one is free, too.
#
# **Example.** A vocabulary of two words. The draft gives them the probabilities 0.8 and 0.2, the target 0.5 and 0.5.
#
# | | word 0 | word 1 |
# |---|---|---|
# | drafted | 0.8 | 0.2 |
# | stays with | 0.5 / 0.8 = 0.625 | 1 |
# | so drafted and kept | 0.5 | 0.2 |
# | refused, and what is left: max(p - q, 0) | 0 | 0.3, so all of it |
# | together | 0.5 | 0.2 + 0.3 = 0.5 |
#
# It takes no division: with a random number, the word's chance, chance < p/q is the same as chance · q < p. **Equal is refused**, so a word that the target never says does not stay, even where the chance is 0.

# %%
rng = np.random.default_rng(0)
p, q_draft = np.array([0.5, 0.5]), np.array([0.8, 0.2])
drafted = rng.choice(2, 100_000, p=q_draft)
stays = rng.random(100_000) * q_draft[drafted] < p[drafted]
print(f"stayed: {stays.mean():.3f}, word 0 in the end: {(np.where(stays, drafted, 1) == 0).mean():.3f}")

# %% [markdown]
# **Write** `left_of(target, draft, end, refused)`, a thread's part of the sum over the first `end` words of the target minus the draft, cut at 0, or of the target itself if no word was refused; and `check_draft`:
#
# 1. Lane i of every warp tests word i. Lane n, past the last word, refuses without a test, so that there is always a first refusal. `cuda.ballot_sync` gives a bit for each lane, and `cuda.ffs` the place of the lowest 1, counted from 1.
# 2. The rows of the first refusal: `target[text, kept]` and `draft[text, kept]`. The draft has one row fewer than the target: with all words kept there is none, and none is needed.
# 3. The added word, by the last chance and the third search of rung 7.
#
# **Predict first**: a hundred drafts of four words, each of which stays with a probability of 0.8. How many words come of them, the added ones included? Round to whole words; the prediction is a text.
#
# <details><summary>Interview question: speculative decoding makes one user faster. Does it help a full server?</summary>Hardly. It buys fewer passes through the weights with more arithmetic per pass, and a server with a hundred users has no arithmetic to spare: refused words are wasted work. <b>A weak answer says</b> "yes, it is 3 times faster". <b>And then?</b> What decides how long a draft should be? How often words stay: at 0.8 the fifth word is of use one time in three, at 0.5 one in thirty.</details>

# %%
q = exercise("language_models.check_draft")
q.show()

# %% predict="check_draft"
q = exercise("language_models.check_draft")
q.predict(prints="336")


# %% solution="check_draft"
@cuda.jit(device=True, forceinline=True)
def left_of(target, draft, end, refused):
    """The sum of max(target - draft, 0) of this thread's among the first `end` words, or of target if none was refused."""
    # about 5 lines
    ### BEGIN SOLUTION
    acc = float32(0)
    for j in range(cuda.threadIdx.x, end, MANY):
        taken = draft[j] if refused else float32(0)
        acc += max(target[j] - taken, float32(0))
    return acc
    ### END SOLUTION


@cuda.jit
def check_draft(target, draft, drafted, chances, n_kept, added):
    """How many words of each draft stay, and the word that follows, a block of 256 threads per text.
    target: (n_texts, n + 1, n_words), draft: (n_texts, n, n_words), chances: (n_texts, n + 1) float32,
    drafted: (n_texts, n), n_kept, added: (n_texts,) int32; n is 1 to 31."""
    t, text = cuda.threadIdx.x, cuda.blockIdx.x
    lane, n, n_words = t % WARP, drafted.shape[1], target.shape[2]
    # about 14 lines
    ### BEGIN SOLUTION
    refused = lane == n
    if lane < n:
        word = drafted[text, lane]
        refused = chances[text, lane] * draft[text, lane, word] >= target[text, lane, word]
    kept = cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1
    more, less = target[text, kept], draft[text, min(kept, n - 1)]
    goal = chances[text, n] * block_total(left_of(more, less, n_words, kept < n))
    token = 0
    for bit in range(16, -1, -1):
        further = token + (1 << bit)
        if further < n_words and block_total(left_of(more, less, further, kept < n)) <= goal:
            token = further
    if t == 0:
        n_kept[text], added[text] = kept, token
    ### END SOLUTION


# %% check="check_draft"
q = exercise("language_models.check_draft")
q.check(check_draft).points

# %% [markdown]
# <details><summary>Interview question: a draft of four words was refused at word 2. What must be undone in the cache?</summary>The target wrote keys and values for all four places. Those of word 2 and after belong to words that are not there: the text's length goes back to where they began, and the next pass writes over them. <b>A weak answer says</b> "recompute the cache". <b>And then?</b> With pages, what else? A page that was taken for refused words alone may be given back, or kept, since the next words will want it.</details>
#
# ## 9. Many texts, one batch
#
# **Goal:** a batch in which hardly a slot is empty, though its texts begin and end at different times.
#
# **Look back.** One user's token costs one pass through all weights, and so do the tokens of a hundred users together: rung 3 said why. So a server wants many texts in each step, one in each **slot** of the batch. But texts come at any time, and one writes five words, another five hundred. If a batch waits until all of its texts have ended, most slots stand empty for much of the time.
# So no text waits for the others: in every step each running text writes one token; one that has written its last token leaves, and **the next text takes the slot in the very next step**. That is **continuous batching**. The kernels need not know: rung 5 finds a text's keys through its pages, and slot 3 may have another text, with another table, in each step.
#
# Slots are not all that is scarce. The cache has only so many pages, and a text that finds none left half way would have to be stopped. So here a text begins only if there are pages for **its prompt and all that it will write**, a number that is given here. And **nobody overtakes**: if short texts could slip past a long one, there might never be enough pages for it.
#
# **Example.** Two slots, four pages of 16 places.
#
# | text | arrives | prompt + tokens | pages | begins | slot | runs in steps |
# |---|---|---|---|---|---|---|
# | 0 | 0 | 20 + 3 | 2 | 0 | 0 | 0, 1, 2 |
# | 1 | 0 | 14 + 2 | 1 | 0 | 1 | 0, 1 |
# | 2 | 1 | 40 + 4 | 3 | 3 | 0 | 3, 4, 5, 6 |
# | 3 | 1 | 5 + 2 | 1 | 3 | 1 | 3, 4 |
#
# Slot 1 is free from step 2 on, and text 2 needs three pages where two are free, so it waits until text 0 has left. Text 3 would fit in step 2, and does not go past text 2.

# %%
written = np.random.default_rng(1).geometric(1 / 40, (200, 8))  # eight slots, 200 batches, 40 tokens on average
print(f"slots in use, if a batch waits for its longest text: {written.sum() / (8 * written.max(axis=1).sum()):.0%}")

# %% [markdown]
# **Write** `share_batch(arrivals, lengths, n_slots, n_pages)`, a host function. It returns in which step each text begins, and in which slot, the lowest that is free. Arrivals never fall, so texts are in order already; go through them one by one, and let the step only grow.
#
# **Predict first**: in which step does text 2 of the example begin, if text 1 writes five tokens and not two?
#
# <details><summary>Interview question: nobody knows beforehand how long an answer gets. How can pages be promised?</summary>They can be promised only for the longest answer allowed, and that wastes most of them. So servers give a page when it is needed, and where none is left, they stop the text that began last: its pages are moved to the host, or dropped and worked out again later. <b>A weak answer says</b> "buy more memory". <b>And then?</b> Why the one that began last? It has the least to lose, and those before it are sure to end, so some text always makes progress.</details>

# %%
q = exercise("language_models.share_batch")
q.show()

# %% predict="share_batch"
q = exercise("language_models.share_batch")
q.predict(begins=5)


# %% solution="share_batch"
def share_batch(arrivals, lengths, n_slots, n_pages):
    """The step in which each text begins, and its slot, (n_texts,) int64 each. arrivals: (n_texts,), lengths:
    (n_texts, 2), of prompt and answer, int64."""
    begins, slots = np.zeros(len(arrivals), np.int64), np.zeros(len(arrivals), np.int64)
    step, running = 0, {}  # running: slot -> text
    # about 11 lines
    ### BEGIN SOLUTION
    pages = -(-lengths.sum(axis=1) // PAGE)
    for text in range(len(arrivals)):
        step = max(step, arrivals[text])
        while True:
            running = {slot: other for slot, other in running.items() if begins[other] + lengths[other, 1] > step}
            used = sum(pages[other] for other in running.values())
            if len(running) < n_slots and used + pages[text] <= n_pages:
                break
            step += 1
        begins[text], slots[text] = step, min(set(range(n_slots)) - running.keys())
        running[slots[text]] = text
    ### END SOLUTION
    return begins, slots


# %% check="share_batch"
q = exercise("language_models.share_batch")
q.check(share_batch).points

# %% [markdown]
# <details><summary>Interview question: a long prompt arrives. What do the other users notice, and what is done about it?</summary>A prompt of thousands of tokens goes through the weights in one step, as a product of matrices, and that step takes much longer: everybody's next word is late. So prompts are cut into pieces, and each step takes one piece beside everybody's token. <b>A weak answer says</b> "nothing, it is one step". <b>And then?</b> Which two times does a server promise? The time to the first token, which should be short, and the time between tokens, which should be even: a larger piece helps the first and harms the second.</details>
#
# ## 10. Counted
#
# **Look back.** The promise was to say from counted bytes how fast each kernel could be. The cell does it for a whole token of a model of 8 billion weights: every weight once, and the cache of the text so far once. Norms and rotations are thousandths of that.
# **Before you run it:** by how much do 4 bits per weight raise the bound at 1,024 places, and why by less at 32,768?

# %%
from autograder.exercises.u21_language_models.tokens import counted
from autograder.notebook import display

table = counted()
display.table(table["columns"], [tuple(row) for row in table["rows"]])

# %% [markdown]
# <details><summary>What the table says</summary>At 1,024 places nearly all bytes are weights, and 4.5 bits in place of 16 are 3.6 times fewer. At 32,768 the cache is as large as the weights of 4 bits, and it stays in float16: so the bound little more than doubles. Long texts need a small cache, short ones small weights. <b>A weak answer</b> divides 16 by 4. <b>And then?</b> What about eight users at once? Their weights are the same bytes, their caches are not: the more users, the more it is the caches that count.</details>
#
# And the kernels of this unit, each beside what a user of torch would call on the same GPU in the same run, where such figures are on record. The rate counts each byte that must come through memory once; attention is both launches.
# **Before you run it:** which of these kernels will come nearest to the rate of a copy, and which will stay furthest from it?

# %%
from autograder.notebook.recorded import recorded

recorded("language_models");

# %% [markdown]
# <details><summary>Interview question: bytes fell to a quarter, and the time did not. How do you find out what a kernel waits for, without a profiler?</summary>Change one thing at a time and see whether the time follows. Half of the bytes and the same time: not memory. The same loads and half of the unpacking, never mind the wrong results: if that is faster, it was arithmetic. More blocks at a time, or fewer: if that matters, it was latency. For 4 bits all of this was tried (`benchmarks/unpacking_kernels.py`): a kernel that only reads the same bytes has its row in the table, and is faster than any that computes, so memory is not what these wait for. Another has fewer instructions for a weight: it sums steps before it scales them back, and loads and adds up x once for four rows. It is faster for all three shapes, so arithmetic it was. A third has fewer still: it rounds x to whole numbers of 16 bits, the largest of each group 32,767, and then one instruction, `dp2a`, multiplies two of them by two steps that stay where they lie in their bytes (`benchmarks/integer_unpacking.py`). <b>A weak answer says</b> "decoding is memory-bound", of every kernel in it. <b>And then?</b> Why does attention stay further below the copy rate here than the products, and behind torch? In the table, four times as many places take only about half as long again, so it is not bytes that it waits for: each block goes through its keys, a softmax and its values one after the other with barriers between, and a second launch follows. More keys in flight and more than one stage at a time shorten that: `benchmarks/decode_kernels.py` has both products on tensor cores, copies of the next pages under way meanwhile, one large block on each multiprocessor, and no barrier until the sums of a block's warps meet. Its row stands in the table, too. And its launches need not wait for each other's end to begin: a block of the second stands ready and waits inside of itself, for what `griddepcontrol` tells it (`benchmarks/dependent_launch.py`).</details>

# %% [markdown]
# **Read the profile.** Here is what a profiler says of four kernels of this unit, each on small arrays. A barrier counts once for each block that passes it.
#
# | kernel | load requests | load bytes | store bytes | barriers |
# |---|---|---|---|---|
# | A | 64 | 32,768 | 32 | 8 |
# | B | 96 | 49,152 | 16,384 | 8 |
# | C | 32 | 12,800 | 32 | 0 |
# | D | 512 | 65,536 | 16,384 | 0 |
#
# Before you open the answer: the four are rungs 1 to 4; which is which? Two have a barrier for every row, two have none, and for different reasons.
#
# <details><summary>The answer</summary>A is the product in float16: it loads two arrays, stores 4 bytes per row, and has one barrier per row. B loads three arrays for what it stores, the row twice and gamma, with one barrier per row: the RMS norm. C loads far fewer bytes for the same 4 bytes per row: 4 bits; a warp has its rows alone, so nobody waits. D has many small requests, and stores as much as B: rotated pairs, where every thread is on its own. <b>A weak answer says</b> "D is slowest, it has the most requests". <b>And then?</b> Is it? It asks for 4 bytes per lane where the others ask for 16, but for few bytes in all: beside a layer's products nobody notices it.</details>
#
# ## 11. It speaks
#
# **Look back.** Seven of your eight kernels are all that one text needs. Here is one: 2.9 million weights of 4 bits in two layers, four heads of queries that share one head of keys and values, and a token for each character. It was trained on an H200 on the text of this course, units, hints and all; `benchmarks/train_decoder.py` shows how. (The course's engine runs it, too: `benchmarks/models/decoder_onnx.py` writes one token of it as an ONNX file whose caches are inputs and outputs, and the engine says the same tokens.) It has seen little, so it has learned how we write and not what we mean.
# Between your kernels run five short ones, a thread per number: a sum of two rows, a gate, a rounding, and the copies of a token's row and of a new key and value. A token is chosen with top_k = 1, the most likely one each time, so that all who run this read the same.
# **Before you run it:** how many launches does a token take, with two layers? And how long would its bytes take?

# %%
from autograder.exercises.u21_language_models.speaking import speak

speak(rms_norm, rotate_pairs, half_product, four_bit_product, attention_pages, merge_splits, choose_token)

# %% [markdown]
# <details><summary>What the bound leaves out</summary>40 launches: 18 for each layer, and four for the token, the last norm, its logits and the choice. The bytes would take less than half a microsecond, and all of them fit into the L2 cache, so it is not memory that a token waits for: it waits for launches, one after the other, and for the Python that makes each. Where a GPU ran the cell, divide a second by its tokens and by 40: that is one launch. A model of 8 billion weights has thousands of times the bytes and only fifteen times the launches, so once these cost little, the bound from bytes is what counts. <b>A weak answer says</b> "my kernels are slow". <b>And then?</b> What would an engine do? Fuse what stands side by side, such as the products for query, key and value, and replay all launches of a token as one graph.</details>
#
# ## What you can do now
#
# You can normalise rows of float16 without a sum that overflows; tell a network where its tokens stand; multiply weights by one vector near the rate of memory, and with little more than a quarter of the bytes; read a paged cache once for four heads, split over a GPU, and put the splits together exactly; draw a word without sorting; check a draft so that nobody can tell it was used; and keep a batch full while texts come and go. A small model speaks through what you wrote, and you can say of each kernel what it could reach.
#
# The table shows your rungs of this session; where a GPU timed them, the library stands beside them.

# %%
from autograder import ladder

ladder("21_language_models")
