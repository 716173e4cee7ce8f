# %% [markdown]
# # INT8 in the engine
#
# **The promise:** you quantise a layer with kernels of your own, and its INT8 result is the engine's, bit for bit; the last cell compares them, counts the bytes, a quarter of what they were, and measures what the layer lost.
#
# **Time:** about two and a half hours, 50 lines to write.
# **You need:** units 1 to 4 for guards and sectors; unit 6, whose tree of a block comes back in rung 2, and unit 8 for its histogram; unit 12 for products.
# Without a GPU everything is checked and counted, and only times are not measured.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32, int8

from autograder import exercise

LOW, HIGH = float32(-128), float32(127)  # what int8 holds

# %% [markdown]
# ## 1. Steps in place of numbers
#
# **Goal:** a float32 in one byte, to the bit as the engine stores it.
#
# A network that has been trained is a list of layers, and most of its time goes into moving and multiplying numbers of 32 bits. An **int8** has 8 of them: whole numbers from -128 to 127.
# It takes a quarter of the memory and a quarter of the traffic, and tensor cores multiply it faster than anything else. What it lacks is a fraction, so somebody has to say what one step is worth.
#
# That is the **scale** s: a real number x is stored as the whole number q for which s · q comes nearest to x. To store it is to **quantise** it; to take s · q in its place again is to **dequantise** it. Engines write Q and DQ for the two.
# 0 is always stored as 0 here; such a quantisation is **symmetric**. Others add an offset, the **zero point**, and no kernel of this engine takes one.
#
# **Example**, with s = 0.25:
#
# | x | 0.3 | 0.625 | 0.875 | -0.625 | 31.75 | 40 | -40 | NaN |
# |---|---|---|---|---|---|---|---|---|
# | x / s | 1.2 | 2.5 | 3.5 | -2.5 | 127 | 160 | -160 | NaN |
# | q | 1 | 2 | 4 | -2 | 127 | 127 | -128 | 0 |
#
# 2.5 lies in the middle between 2 and 3, which is a **tie**, and the even one of the two is taken: **half to even**. Rounding ties up would make every tie half a step too large, and sums of many steps with it.
# What lies beyond the ends is cut: it **saturates**. NaN is no number and has no nearest step; the engine stores 0.

# %% [markdown]
# What happens without the cut? A conversion keeps the low 8 bits, and asks nothing. **Before you run it:** what becomes of 128?

# %%
print(np.array([127, 128, 160, 300, -129]).astype(np.int8))

# %% [markdown]
# A bright pixel turns black, and no error tells of it.
#
# **Write** `quantise(real, scale, steps)`, one thread per element: divide, replace NaN, cut, round. `round` of a float32 goes half to even and gives a whole number.
# Cut before you convert; and compare float32 with float32, LOW and HIGH, since `min(v, 127)` makes a float64 of it.
#
# **Predict first**, for 1,025 numbers: the bytes loaded and the bytes stored; and what `print(round(0.5), round(1.5), round(2.5))` prints.
#
# <details><summary>Interview question: why is zero stored as exactly zero?</summary>Since zeros are everywhere: ReLU makes them, and padding is made of them. A padding of 0 must stay 0, and a product with 0 must add nothing. With a zero point z it would be q = z, and every sum of products needs correction terms. <b>A weak answer says</b> "it is simpler". <b>And then?</b> What does symmetry cost behind a ReLU? Half of the steps: nothing there is negative.</details>

# %%
q = exercise("engine_int8.quantise")
q.show()

# %% predict="quantise"
q = exercise("engine_int8.quantise")
q.predict(global_load_bytes=4100, global_store_bytes=1025, prints="0 2 2")


# %% solution="quantise"
@cuda.jit
def quantise(real, scale, steps):
    """steps = real / scale, half to even, cut to -128 to 127, NaN as 0. real: (n,) float32, steps: (n,) int8."""
    i = cuda.grid(1)
    # about 5 lines
    ### BEGIN SOLUTION
    if i < steps.size:
        v = real[i] / scale
        if v != v:
            v = float32(0)  # NaN has no nearest step
        steps[i] = int8(round(min(max(v, LOW), HIGH)))  # 1 byte stored for 4 loaded
    ### END SOLUTION


# %% check="quantise"
q = exercise("engine_int8.quantise")
q.check(quantise).points

# %% [markdown]
# <details><summary>Interview question: a division takes many instructions. Why not multiply by 1 / scale?</summary>The reciprocal is rounded, and the product is rounded again, so next to a tie the step may be one off. Here the engine divides, so whoever wants its bits divides, too; and this kernel waits for memory in any case. <b>A weak answer says</b> "it is the same in floating point". <b>And then?</b> When is it the same? When the scale is a power of two: then the reciprocal is exact.</details>
#
# ## 2. A scale for each output channel
#
# **Goal:** the steps of a small channel are not those of a large one.
#
# **Look back.** `quantise` takes a scale, and somebody has to choose it. For weights that is easy: they lie there, all of them, and the largest magnitude can be looked up. Divided by 127 it is a scale under which nothing is cut.
# But which largest magnitude? A layer has a row of weights for each output channel, and their ranges differ, often by ten times and more.
#
# **Example.** Two rows, (0.3, -0.2, 0.1, 0.25) and (-63.5, 20, 10, 5). One scale for both, 63.5 / 127 = 0.5, makes (1, 0, 0, 0) of the first row: its largest weight is stored as 0.5, and the others are gone.
# A scale of its own, 0.3 / 127, makes (127, -85, 42, 106) of it.
#
# The first way is called **per tensor**, the second **per channel**. Per channel costs nothing where the weights are used: the scale of row k is a factor of every product in sum k, so the whole sum is multiplied once, at its end.
# An input's channels are different: they are added up *within* a sum, so a scale of each could not be taken out of it. Inputs have one scale per tensor.

# %%
rows = np.array([[0.3, -0.2, 0.1, 0.25], [-63.5, 20, 10, 5]], np.float32)
for name, axis in (("per tensor", None), ("per channel", 1)):
    scales = np.abs(rows).max(axis=axis, keepdims=True) / np.float32(127)
    errors = np.abs(np.rint(rows / scales) * scales - rows)
    print(f"{name:12} largest error of each row, as a share of its largest weight:", (errors / np.abs(rows).max(axis=1, keepdims=True)).max(axis=1))

# %% [markdown]
# **Write** `channel_scales(weights, scales)`, a block of 128 threads per row: each thread keeps the largest magnitude that it meets, going on in steps of 128, and a tree in shared memory finds the largest of 128, as in unit 6 with max in place of a sum.
# A row that is all zeros, as training leaves some, has scale 1: 0 / 127 would be a scale that nobody can divide by.
#
# **Predict first**, for 8 rows of 576 weights: the load requests; and what `print(round(0.3 / 0.5), round(-0.2 / 0.5))` prints.
#
# <details><summary>Interview question: why 127 and not 128, when int8 reaches -128?</summary>The same scale serves both sides, and the upper side ends at 127: with 128 the largest positive weight would be cut. -128 is used only by what lies beyond the range. <b>A weak answer says</b> "for symmetry", which is right and says no reason. <b>And then?</b> Some engines keep weights from -127 on. What for? Two products of -128 and -128 are 32,768, one more than 16 bits hold: kernels that add pairs in 16 bits would overflow.</details>

# %%
q = exercise("engine_int8.channel_scales")
q.show()

# %% predict="channel_scales"
q = exercise("engine_int8.channel_scales")
q.predict(global_load_requests=144, prints="1 0")


# %% solution="channel_scales"
@cuda.jit
def channel_scales(weights, scales):
    """scales[k] = the largest magnitude of row k over 127, or 1 for a row of zeros. weights: (n_out, n_in), float32."""
    cells = cuda.shared.array(128, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    # about 13 lines
    ### BEGIN SOLUTION
    largest = float32(0)
    for k in range(t, weights.shape[1], 128):
        largest = max(largest, abs(weights[row, k]))
    cells[t] = largest
    cuda.syncthreads()  # what every thread found is there
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()  # the upper half has been read
        d //= 2
    if t == 0:
        scales[row] = cells[0] / float32(127) if cells[0] > 0 else float32(1)
    ### END SOLUTION


# %% check="channel_scales"
q = exercise("engine_int8.channel_scales")
q.check(channel_scales).points
