# %% [markdown]
# # INT8 in the engine
#
# **The promise:** you quantise a layer with kernels of your own, and its INT8 result is the engine's, bit for bit; the last cell compares them, counts the bytes, a quarter of what they were, and measures what the layer lost.
#
# **Time:** about two and a half hours, 52 lines to write.
# **You need:** units 1 to 4 for guards and sectors; unit 6, whose tree of a block comes back in rung 2, and unit 8 for its histogram; unit 12 for products.
# Without a GPU everything is checked and counted, and only times are not measured.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32, int8, int32

from autograder import exercise

LOW, HIGH = float32(-128), float32(127)  # what int8 holds

# %% [markdown]
# ## 1. Steps in place of numbers
#
# **Goal:** a float32 in one byte, bit for bit as the engine stores it.
#
# A network that has been trained is a list of layers, and most of its time goes into moving and multiplying numbers of 32 bits. An **int8** has 8 of them: whole numbers from -128 to 127.
# It takes a quarter of the memory and a quarter of the traffic, and tensor cores multiply it at twice the rate of float16. What it lacks is a fraction, so somebody has to say what one step is worth.
#
# That is the **scale** s: a real number x is stored as the whole number q for which s · q comes nearest to x. To store x as q is to **quantise** it; to turn q back into s · q is to **dequantise** it. Engines write Q and DQ for the two.
# 0 is always stored as 0 here; such a quantisation is **symmetric**. Others add an offset, the **zero point**; this engine's INT8 layers take none.
#
# **Example**, with s = 0.25:
#
# | x | 0.3 | 0.625 | 0.875 | -0.625 | 31.75 | 40 | -40 | NaN |
# |---|---|---|---|---|---|---|---|---|
# | x / s | 1.2 | 2.5 | 3.5 | -2.5 | 127 | 160 | -160 | NaN |
# | q | 1 | 2 | 4 | -2 | 127 | 127 | -128 | 0 |
#
# 2.5 lies in the middle between 2 and 3, which is a **tie**, and the even one of the two is taken: **half to even**. Rounding ties up would make every tie half a step too large, and sums of many steps with it.
# What lies beyond the ends is cut: it **saturates**. NaN is not a number and has no nearest step; the engine stores 0.

# %% [markdown]
# What happens without the cut? A conversion keeps the low 8 bits, and asks nothing. **Before you run it:** what becomes of 128?

# %%
print(np.array([127, 128, 160, 300, -129]).astype(np.int8))

# %% [markdown]
# The largest numbers became the smallest, and no error tells of it.
#
# **Write** `quantise(real, scale, steps)`, one thread per element: divide, replace NaN, cut, round. `round` of a float32 goes half to even and gives a whole number. The check also launches other blocks.
# Cut before you convert; and compare float32 with float32, LOW and HIGH, since `min(v, 127)` is a float64.
#
# **Predict first**, for 1,025 numbers: the bytes loaded and the bytes stored; and what `print(round(0.5), round(1.5), round(2.5))` prints.
#
# <details><summary>Interview question: why is zero stored as exactly zero?</summary>Because zeros are everywhere: ReLU makes them, and padding is made of them. A padding of 0 must stay 0, and a product with 0 must add nothing. With a zero point z it would be q = z, and every sum of products needs correction terms. <b>A weak answer says</b> "it is simpler". <b>And then?</b> What does symmetry cost after a ReLU? Half of the steps: nothing there is negative.</details>

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
# **Goal:** steps of its own for a small channel, next to large ones.
#
# **Look back.** `quantise` takes a scale, and somebody has to choose it. For weights that is easy: all of them are known, and the largest magnitude can be looked up. Divided by 127 it is a scale under which nothing is cut.
# But which largest magnitude? A layer has a row of weights for each output channel, and their ranges differ, often by ten times and more.
#
# **Example.** Two rows, (0.3, -0.2, 0.1, 0.25) and (-63.5, 20, 10, 5). One scale for both, 63.5 / 127 = 0.5, is more than any weight of the first row: you will predict what is left of 0.3 and of -0.2.
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
# **Predict first**, for 8 rows of 576 weights: the load requests; and the steps of 0.3 and of -0.2 under the scale 0.5, two whole numbers in one string with a blank between.
#
# <details><summary>Interview question: why 127 and not 128, when int8 reaches -128?</summary>The same scale serves both sides, and the upper side ends at 127: with 128 the largest positive weight would be cut. -128 is used only by what lies beyond the range. <b>A weak answer says</b> "for symmetry", which is right but gives no reason. <b>And then?</b> Some engines keep weights from -127 on. What for? Two products of -128 and -128 are 32,768, one more than 16 bits hold: kernels that add pairs in 16 bits would overflow.</details>

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

# %% [markdown]
# <details><summary>Interview question: a transformer has a few input channels a hundred times as large as the rest. What can one do, when an input has one scale?</summary>Divide such a channel by a factor and multiply the weights that meet it by the same factor: no product changes, and the range is shared between the two: weights, which are more alike, can bear it. That is SmoothQuant. Or keep these channels in FP16. <b>A weak answer says</b> "per-channel scales for inputs, too". <b>And then?</b> Why not? The channels are added up within one sum, so their scales could not be taken out of it.</details>
#
# ## 3. Fold first, then quantise
#
# **Goal:** one layer in place of two, before its scales are chosen.
#
# **Look back.** Why do the rows of a layer differ so much? Often a **batch norm** follows the layer. It turns y, what the layer gives, into gamma (y - mean) / sqrt(variance + eps) + beta, with four numbers per channel that training has left behind, and eps for all.
# That multiplies a channel and adds to it, and so does the layer: one can do it for both. The layer's weights are multiplied by the factor f = gamma / sqrt(variance + eps), and its bias takes the rest. This is called **folding**, and every engine does it.
#
# **Example**, one channel: weights (2, -4), bias 10, gamma 3, mean 4, variance + eps = 4, beta 1. Then f = 3 / 2, weights (3, -6), bias (10 - 4) · 3 / 2 + 1 = 10.
# Try x = (1, 1): the layer gives 2 - 4 + 10 = 8, batch norm 3 · (8 - 4) / 2 + 1 = 7; the folded one 3 - 6 + 10 = 7.
#
# Fold first, then choose scales. A batch norm that is left between a layer and the Q after it keeps the two from becoming one INT8 layer. And f may be negative, which a scale may not: folded first, the weights take the sign.
# Nothing else of f reaches the steps. It changes the row's largest magnitude, so it goes into the row's scale.

# %%
row = np.array([2, -4, 1, 0.5], np.float32)
for factor in (1, 40, -40):
    folded_row = row * np.float32(factor)
    scale = np.abs(folded_row).max() / np.float32(127)
    print(f"factor {factor:3}: scale {scale:.4f}, steps {np.rint(folded_row / scale).astype(int)}")

# %% [markdown]
# **Write** `fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps)`, a host function: the weights and the bias of the layer that does both.
# The convolution's weights come as a matrix here, a row per output channel.
#
# **Predict** what the example's batch norm makes of y = 10, and what the factor f times 10 plus the folded bias of a layer without a bias comes to: two whole numbers in one string with a blank between.
#
# <details><summary>Interview question: when can a batch norm not be folded?</summary>When something stands between it and the layer, such as a ReLU; when another layer reads what is between them; and in training, where mean and variance are those of the batch. <b>A weak answer says</b> "always possible". <b>And then?</b> And a batch norm <i>in front of</i> a layer? Its factor goes into the columns of the weights; its addend into the bias, except where a window reaches into the padding: there the layer meets 0, and not what batch norm would have made of a number.</details>

# %%
q = exercise("engine_int8.fold_batch_norm")
q.show()

# %% predict="fold_batch_norm"
q = exercise("engine_int8.fold_batch_norm")
q.predict(prints="10 10")


# %% solution="fold_batch_norm"
def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    """Weights and bias of the layer that does a layer's work and its batch norm's. weights: (n_out, n_in), all else
    (n_out,), float32."""
    # about 2 lines
    ### BEGIN SOLUTION
    factor = gamma / np.sqrt(variance + eps)
    return weights * factor[:, None], (bias - mean) * factor + beta
    ### END SOLUTION


# %% check="fold_batch_norm"
q = exercise("engine_int8.fold_batch_norm")
q.check(fold_batch_norm).points

# %% [markdown]
# ## 4. A share of all magnitudes
#
# **Goal:** a range for numbers that nobody has seen yet.
#
# **Look back.** Weights can be looked at. What a layer gets at run time, its **activations**, depend on the picture, so the engine runs a few hundred typical inputs first, notes what magnitudes each tensor has, and picks a range: what lies beyond is cut. That is **calibration**, and the range over 127 is the scale.
# Quantising a network that is trained already, in this way, is called **PTQ**, post-training quantisation. It takes minutes and no labels.
#
# Keeping all numbers would take too much room; a **histogram** of magnitudes is enough: 2,048 bins of equal width, filled by unit 8's atomics. The kernel below does that.
#
# The first rule is the **largest** magnitude. Nothing is cut, but one outlier makes every step coarse. The second is a **percentile**: the range that, say, 99.99 % of all magnitudes lie below.
#
# **Example.** Counts 6, 2, 1, 0, 0, 1 in bins of 0.5. Added up 6, 8, 9, 9, 9, 10, and over the total 0.6, 0.8, 0.9, 0.9, 0.9, 1.0. A share of 0.9 is reached with bin 2, which begins at 2 · 0.5 = 1.0: that is the range. The largest lies in bin 5, between 2.5 and 3.
# This is the engine's rule: the lower edge of the bin.

# %% tags=["setup"]
@cuda.jit
def count_magnitudes(real, width, counts):
    """counts[b] += 1 for each |real[i]| from b * width on; the last bin takes what lies beyond, NaN and infinity none."""
    i = cuda.grid(1)
    if i < real.size:
        x = abs(real[i])
        if x < float32(np.inf):
            cuda.atomic.add(counts, int(min(x / width, float32(counts.size - 1))), 1)


# %%
rng = np.random.default_rng(17)
activations = np.maximum(rng.normal(size=2048), 0).astype(np.float32)  # after a ReLU: half of them are 0
activations[5] = 12  # an outlier
counts = cuda.to_device(np.zeros(96, np.int32))
count_magnitudes[8, 256](cuda.to_device(activations), np.float32(0.125), counts)
counts = counts.copy_to_host()
print(counts)

# %% [markdown]
# **Write** `percentile_range(counts, width, share)`, a host function: counts added up, over their total, and the first bin where that is at least the share.
#
# **Predict** what `percentile_range(np.array([6, 2, 1, 1]), 0.5, 0.9)` returns.
#
# <details><summary>Interview question: how many pictures does calibration need, and which?</summary>A few hundred, like those that will come: the same preprocessing, the same kinds. More change the histogram little. <b>A weak answer says</b> "the training set". <b>And then?</b> What goes wrong with random noise as input? Its activations are unlike those of pictures, so the ranges fit what never comes.</details>

# %%
q = exercise("engine_int8.percentile_range")
q.show()

# %% predict="percentile_range"
q = exercise("engine_int8.percentile_range")
q.predict(limit=1)


# %% solution="percentile_range"
def percentile_range(counts, width, share):
    """The lower edge of the first bin with which the share of all magnitudes is reached. counts: (n_bins,)."""
    # about 2 lines
    ### BEGIN SOLUTION
    reached = np.cumsum(counts) / np.sum(counts)
    return np.searchsorted(reached, share) * width
    ### END SOLUTION


# %% check="percentile_range"
q = exercise("engine_int8.percentile_range")
q.check(percentile_range).points

# %% [markdown]
# Your ranges for the histogram above, and the engine's. **Before you run it:** where will a range of 99 % lie, with one outlier at 12 and normal numbers below?

# %%
from minitrt.calibration import ranges
from minitrt.calibration.histogram import Histogram

seen = Histogram(counts.astype(np.int64), 0.125, float(activations.max()))
try:
    for share in (0.9, 0.99, 0.9999, 1.0):
        print(f"{share:7.2%} lies below {percentile_range(seen.counts, 0.125, share):6.3f}, the engine says {ranges.percentile(seen, share):6.3f}")
except NotImplementedError:
    print("Nothing to compare yet: first write percentile_range.")

# %% [markdown]
# ## 5. Rounding against clipping
#
# **Goal:** the range that loses least.
#
# **Look back.** A percentile is a rule of thumb: why 99.99 % and not 99.9 %? What a range does can be worked out. Inside, a number is rounded, and loses up to half a step; beyond, it is cut, and loses all that lies beyond. A large range has coarse steps, a small one cuts much, and somewhere between them the sum of both is least.
# What is compared is the sum of **squared errors**; over the number of magnitudes it is the **mean squared error**, MSE.
#
# **Example.** Forty magnitudes of 1 and one of 5, and for short 4 steps in place of 127:
#
# | range | step | 1 is stored as | 5 is stored as | squared errors |
# |---|---|---|---|---|
# | 5 | 1.25 | 1.25 | 5 | 40 · 0.0625 + 0 = 2.5 |
# | 4 | 1 | 1 | 4 | 0 + 1 = 1 |
# | 3 | 0.75 | 0.75 | 3 | 40 · 0.0625 + 4 = 6.5 |
#
# Cutting one number a little pays, since forty others are stored better. With 127 steps, rounding loses far less than here, so a good range cuts less, too.
#
# A histogram is enough again: every magnitude of a bin is taken for the bin's middle.
# Hundreds of ranges are to be tried, over thousands of bins, for every tensor of the network, and no range waits for another: this is work for a GPU.

# %% [markdown]
# **Given:** `add_up(cells, t)`, unit 6's tree over 128 cells, barriers included.
#
# **Write** `range_errors(counts, width, tried, errors)`, a block of 128 threads per range: each thread goes along the bins in steps of 128. For a bin: its middle, (b + 0.5) · width; what is stored for it, the nearest number of steps, at most 127, times the scale; and the square of the difference, counts[b] times.
# A count is an integer: convert it to float32 before you multiply.
#
# **Predict first**, for 8 ranges and 128 bins: the load requests.
#
# <details><summary>Interview question: why squares, and not the largest error?</summary>The largest error of any range below the largest magnitude is that of the outlier, so this rule would choose the largest magnitude every time. Squares weigh how large an error is against how many have it. <b>A weak answer says</b> "it is usual". <b>And then?</b> What would be better still? What the network's answers lose: run it with each range and compare accuracy. It takes a run per range and tensor, so it is done for the few tensors that matter.</details>

# %% tags=["setup"]
@cuda.jit(device=True)
def add_up(cells, t):
    """cells[0] = the sum of 128 cells. Every thread of the block must call it, after all have written."""
    d = 64
    while d > 0:
        if t < d:
            cells[t] += cells[t + d]
        cuda.syncthreads()  # this iteration's sums are there
        d //= 2


# %%
q = exercise("engine_int8.range_errors")
q.show()

# %% predict="range_errors"
q = exercise("engine_int8.range_errors")
q.predict(global_load_requests=64)


# %% solution="range_errors"
@cuda.jit
def range_errors(counts, width, tried, errors):
    """errors[r] = the squared errors of all magnitudes under range r. counts: int32, tried, errors: float32."""
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    # about 11 lines
    ### BEGIN SOLUTION
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()  # every thread's sum is there
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]
    ### END SOLUTION


# %% check="range_errors"
q = exercise("engine_int8.range_errors")
q.check(range_errors).points

# %% [markdown]
# Four rules, for four kinds of numbers. Your kernel tries 60 ranges for the **MSE** column. The last rule is **entropy**, the one that TensorRT is known for: it takes the range whose quantised histogram looks most like the real one.
# How alike is measured by the **KL divergence**, the sum of p · log(p / q) over the bins, for shares p of the real and q of the quantised histogram; 0 where they are equal. It does not ask how large an error is, only how improbable. The engine's code for it is `minitrt/calibration/ranges.py`.
#
# **Before you run it:** one of 8,193 numbers is ten times as large as the rest. Which rules will cut it off?

# %%
def noise_db(real, limit):
    """Signal over quantisation noise, in decibels: 6 more are one bit more."""
    scale = np.float32(limit / 127)
    stored = np.clip(np.rint(real / scale), -128, 127) * scale
    return 10 * np.log10(np.sum(real**2) / np.sum((stored - real) ** 2))


rng = np.random.default_rng(4)
normal, bell = rng.normal(size=8192).astype(np.float32), rng.laplace(size=8192).astype(np.float32)
outlier = np.append(normal, np.float32(40))
try:
    for name, real in (("normal", normal), ("Laplace", bell), ("one outlier", outlier), ("even", rng.uniform(-1, 1, 8192).astype(np.float32))):
        seen = Histogram()
        seen.add(real)
        tried = np.linspace(0.1, 1, 60, dtype=np.float32) * np.float32(seen.amax)
        errors = cuda.to_device(np.zeros(60, np.float32))
        range_errors[60, 128](cuda.to_device(seen.counts.astype(np.int32)), np.float32(seen.width), cuda.to_device(tried), errors)
        limits = seen.amax, percentile_range(seen.counts, seen.width, 0.9999), float(tried[errors.copy_to_host().argmin()]), ranges.entropy(seen)
        shown = (f"{rule} {limit:6.2f} ({noise_db(real, limit):4.1f} dB)" for rule, limit in zip(("max", "99.99 %", "MSE", "entropy"), limits, strict=True))
        print(f"{name:12}", "  ".join(shown))
except NotImplementedError:
    print("Nothing to compare yet: first write percentile_range and range_errors.")

# %% [markdown]
# The range of the least squared error has the least noise, as it must. Where numbers are spread evenly, nothing should be cut, and no rule does.
# The outlier divides the rules: its square is so large that MSE keeps nearly all of it, and all the others get coarse steps; entropy sees one improbable number, and cuts it off. Which is right? It depends on whether that number matters to what comes after, which no histogram knows.
# No rule is best for every network: one calibrates with several, and compares accuracy. The scales go into a text file, the **calibration cache**, a line per tensor, so that the next build needs no pictures.
# (TensorRT had these rules built in up to version 10. Since 11 a tool calibrates outside, and writes the scales into the network as Q and DQ.)
#
# <details><summary>Interview question: after calibration, accuracy falls from 76 % to 71 %. What do you do?</summary>Look for the layer: run with one layer in INT8 at a time, or with all but one, and compare each layer's output with the float network's. Then give that layer another range, another rule, or more bits; first and last layers are the usual ones. Are the weights' scales per channel? Were the calibration pictures preprocessed like the real ones? <b>A weak answer says</b> "train again". <b>And then?</b> When is training again right? When all layers lose a little and none stands out: rung 8.</details>
#
# ## 6. Four products per word
#
# **Goal:** exact sums, from a quarter of the loads.
#
# **Look back.** Weights and inputs are steps now. A layer is a sum of products, and sums of steps are whole numbers: s_a · s_b is a factor of every product, so it waits until the end.
#
# How large do sums get? Two steps make a product of up to 128 · 128 = 16,384, which 16 bits hold. Two such products are 32,768, and an int16 ends at 32,767. A float32 holds them longer, but beyond 2²⁴ it skips every other whole number, and 1,025 of the largest products are beyond. An **int32** holds 131,071 of the largest products, and no layer has so many. It is exact in any order, so two kernels that split a sum differently agree to the bit.
#
# And a load? A thread that loads an int8 gets 1 byte of an instruction that could bring 4. So steps are packed: four neighbours along k in one 32-bit word, the first in the lowest byte.
#
# **Example.** Steps 1, 2, -2, 4 are the bytes 01, 02, FE, 04, and the word 0x04FE0201. Shifted right by 16 bits it is 0x04FE; `int8()` keeps the low 8 bits, FE, and gives them their sign: -2.
# With 3, 0, 1, -1 in the other word the four products are 3 + 0 - 2 - 4 = -3.

# %% [markdown]
# **Write** `int8_products(a, b, sums)`, one thread per sum: x along the columns, y down the rows. Word by word, load one of each array, then add four products. The check also launches other blocks.
# b has a *column* per output channel, so that 32 neighbours read 32 neighbouring words. Where k is not a multiple of four, the last word is filled up with zeros.
#
# **Find the bug.** The draft below goes step by step. **Predict** the line that its verdict will name, counted from the `@cuda.jit` of its cell, line 1.
# **Predict**, too, for 16 rows, 8 words and 64 columns: the load requests; and what the second lowest byte of 0x04FEC801 is, first as a number without a sign, then as the step that it stands for: two numbers in one string with a blank between.
#
# <details><summary>Interview question: numba makes int64 of int8 times int8. What does that cost here?</summary>The result is the same. A GPU's registers have 32 bits, so a 64-bit sum takes two of them and two additions; the compiler narrows what it can prove. <b>A weak answer says</b> "nothing". <b>And then?</b> Which instruction would you like to have? dp4a: four products of bytes and the addition to an int32, all at once, from two words as they are. The verdict says whether the compiler found it in your loop.</details>

# %%
@cuda.jit
def one_word(a, b, sums):
    """The products of the first words: step on, and watch x stay as it is while its four steps come out of it."""
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        x, y = a[row, 0], b[0, col]
        acc = int32(0)
        for j in range(4):
            of_x, of_y = int8(x >> 8 * j), int8(y >> 8 * j)
            acc += of_x * of_y
        sums[row, col] = acc


q = exercise("engine_int8.int8_products")
q.step(one_word)

# %%
q = exercise("engine_int8.int8_products")
q.show()

# %% predict="int8_products"
q = exercise("engine_int8.int8_products")
q.predict(line=8, global_load_requests=512, prints="200 -56")


# %%
@cuda.jit
def draft(a, b, sums):
    """The sum over all steps k, each taken out of its word."""
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for k in range(4 * a.shape[1]):
            x = int8(a[row, k] >> 8 * (k % 4))
            y = int8(b[k, col] >> 8 * (k % 4))
            acc += x * y
        sums[row, col] = acc


q = exercise("engine_int8.int8_products")
q.check(draft);


# %% solution="int8_products"
@cuda.jit
def int8_products(a, b, sums):
    """sums[r, c] = the sum over k of a[r, k] * b[k, c]. a: (n_rows, n_words), b: (n_words, n_cols), sums: all int32."""
    col, row = cuda.grid(2)
    # about 7 lines
    ### BEGIN SOLUTION
    if row < sums.shape[0] and col < sums.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            x, y = a[row, w], b[w, col]  # 8 bytes for four products
            for j in range(4):
                acc += int8(x >> 8 * j) * int8(y >> 8 * j)
        sums[row, col] = acc
    ### END SOLUTION


# %% check="int8_products"
q = exercise("engine_int8.int8_products")
q.check(int8_products).points

# %% race="int8_products"
q = exercise("engine_int8.int8_products")
q.race(int8_products).points

# %% [markdown]
# The loop over the four steps has a length that the compiler knows, so it writes the four out. Loads that stand inside it are then merged into one; the interpreter counts what you wrote, and finds four.
#
# <details><summary>What was wrong with the draft?</summary>k counts steps, and a row of a has words, a quarter as many: step k lies in word k // 4. With that repaired it is right, but it loads every word four times.</details>
#
# <details><summary>Interview question: a float32 would be added faster than an int64. Why not add in one?</summary>It is exact up to 2²⁴ only, and from then on the sum depends on the order: two kernels that split k differently no longer agree to the bit. <b>A weak answer says</b> "floats are slow". <b>And then?</b> What does numba make of <code>acc = float32(0)</code> and <code>acc += int8(x) * int8(y)</code>? A float64, since a whole number does not fit into a float32: exact, and at a small share of the rate on most GPUs.</details>
#
# ## 7. A layer in one kernel
#
# **Goal:** one byte stored per output, and nothing in between.
#
# **Look back.** `int8_products` stores sums of 4 bytes, and they are not a layer yet: scale, bias, activation, and the steps of the next layer are missing. As kernels of their own, each reads and writes an array. After the sum, in the same kernel, they cost a few instructions: that is a fused **epilogue**.
#
# The sum counts in steps of s_a · s_b, the output in steps of s_y. So one factor does both, s_a · s_b / s_y, the **multiplier**, one per output channel, since s_b is. The bias over s_y is the **addend**. To turn sums into steps again is to **requantise** them.
# Deep networks add an earlier layer's output to a later one's, the **residual**. It comes in steps of its own scale, so it has a multiplier, too.
# A ReLU is a cut at 0; a ReLU6 is one at 6, which is 6 / s_y steps. Both are a `low` and a `high`, in steps.
#
# **Example.** Sum 1,500, multiplier 0.02, addend -2.5, residual 9 steps of 0.5 output steps, ReLU: 30 - 2.5 + 4.5 = 32, cut to 0 and above, 32 is stored. With a sum of -1,500: -30 - 2.5 + 4.5 = -28, and the ReLU stores 0.
#
# Round once, at the very end. Requantised before the residual is added, the sum has lost up to half a step, and where it was cut, everything beyond.

# %% [markdown]
# **Given:** `dot4(x, y)`, the four products of two words, added up.
#
# **Write** `int8_layer(...)`: rung 6's loop over words, and after it scale and addend, residual, activation, rounding, cut. Everything after the loop is float32. The check also launches other blocks.
#
# **Predict first**, for 16 rows, 8 words and 64 columns: the bytes stored and the load requests; and what `print(round(0.5) + round(0.5), round(0.5 + 0.5))` prints.
#
# <details><summary>Interview question: where may an engine move Q and DQ in a graph?</summary>Over whatever commutes with a positive scale: max pooling, reshapes, transposes, a ReLU. Q moves towards the inputs, so that more of the graph is INT8, DQ towards the outputs. DQ, layer, Q then fuse into one kernel such as yours. <b>A weak answer says</b> "anywhere, they cancel". <b>And then?</b> Why not over a sigmoid, or an average? sigmoid(s x) is not s sigmoid(x). An average of rounded numbers is not the rounded average: it is added up in int32 and rounded once.</details>

# %% tags=["setup"]
@cuda.jit(device=True, forceinline=True)
def dot4(x, y):
    """The sum of four products: of the steps in two words."""
    total = int32(0)
    for j in range(4):
        total += int8(x >> 8 * j) * int8(y >> 8 * j)
    return total


# %%
q = exercise("engine_int8.int8_layer")
q.show()

# %% predict="int8_layer"
q = exercise("engine_int8.int8_layer")
q.predict(global_store_bytes=1024, global_load_requests=608, prints="0 1")


# %% solution="int8_layer"
@cuda.jit
def int8_layer(a, b, multiplier, addend, residual, residual_multiplier, low, high, steps):
    """A layer from steps to steps. a, b: int32 words, multiplier, addend: (n_cols,) float32, the rest of it numbers;
    residual, steps: (n_rows, n_cols) int8."""
    col, row = cuda.grid(2)
    # about 8 lines
    ### BEGIN SOLUTION
    if row < steps.shape[0] and col < steps.shape[1]:
        acc = int32(0)
        for w in range(a.shape[1]):
            acc += dot4(a[row, w], b[w, col])
        v = float32(acc) * multiplier[col] + addend[col]  # steps of the output from here on
        v += float32(residual[row, col]) * residual_multiplier
        v = min(max(v, low), high)
        steps[row, col] = int8(round(min(max(v, LOW), HIGH)))  # rounded once, 1 byte
    ### END SOLUTION


# %% check="int8_layer"
q = exercise("engine_int8.int8_layer")
q.check(int8_layer).points

# %% [markdown]
# What did fusing save? Here is the count for each way, with kernels of their own for the product, the scale with its bias, the residual, the activation and Q, in float32 between them.

# %%
n_outputs = 16 * 64
apart = {"sums": 4, "scale and bias": 8, "residual": 9, "activation": 8, "Q": 5}  # bytes read and written per output, weights aside
print(f"one by one: {sum(apart.values())} bytes per output, {sum(apart.values()) * n_outputs:,} in all")
print(f"fused:       {1 + 1} bytes per output, {2 * n_outputs:,} in all: the residual is read, the result written")

# %% [markdown]
# <details><summary>Interview question: a residual is added in INT8. Which of its two inputs must be quantised?</summary>Both: the fused layer reads the residual as steps. If only one branch has Q and DQ, the addition stays a float32 layer of its own, with its traffic. <b>A weak answer says</b> "the engine handles that". <b>And then?</b> What does one measure? Layers and time: a network whose skip connections have no Q and DQ can be slower in INT8 than in FP16.</details>
#
# ## 8. Train with rounded weights
#
# **Goal:** weights that do not mind being rounded.
#
# **Look back.** Everything so far was PTQ: the network is trained, and rounded afterwards, every weight to its nearest step. But weights work together. If one is rounded up, another could go down to make up for it, and nearest steps know nothing of that.
# In **QAT**, quantisation-aware training, the loss sees the rounded weights. The weights stay float32; in each step of training they pass through Q and DQ, which is called **fake quantisation**: float32 numbers that are whole steps.
#
# One thing is in the way. The slope of a staircase is 0, and where it jumps it has none, so a gradient that goes back through the rounding is 0 everywhere: nothing is learnt. The **straight-through estimator** takes the slope of the line that the stairs climb along, which is 1.
# Beyond the ends of int8 the stairs are over: a weight that is cut stays cut if it moves a little, and its gradient is 0.
#
# **Example**, with s = 0.25 and a gradient of 3 from above:
#
# | real | 0.3 | 0.625 | 31.8 | 31.9 | -32.2 |
# |---|---|---|---|---|---|
# | real / s | 1.2 | 2.5 | 127.2 | 127.6 | -128.8 |
# | rounded | 1 | 2 | 127 | 128 | -129 |
# | fake | 0.25 | 0.5 | 31.75 | 31.75 | -32 |
# | gradient | 3 | 3 | 3 | 0 | 0 |

# %% [markdown]
# **Write** `fake_quantise(real, scale, upstream, fake, gradient)`, forward and backward in one kernel. Decide by the rounded step whether something was cut. The check also launches other blocks.
#
# **Predict first**, for 1,025 weights: the bytes stored; and what `print(round(127.4), round(127.5))` prints.
#
# <details><summary>Interview question: PTQ or QAT?</summary>PTQ first: minutes, no labels. With scales per channel and a good calibration most vision networks lose little. QAT when that is not enough: small networks with depthwise layers, or 4 bits. It takes labels, the training setup, and a part of the time that training took. <b>A weak answer says</b> "QAT is more accurate". <b>And then?</b> Can the scale be trained, too? Yes, with a gradient of its own: that is LSQ.</details>

# %%
q = exercise("engine_int8.fake_quantise")
q.show()

# %% predict="fake_quantise"
q = exercise("engine_int8.fake_quantise")
q.predict(global_store_bytes=8200, prints="127 128")


# %% solution="fake_quantise"
@cuda.jit
def fake_quantise(real, scale, upstream, fake, gradient):
    """Q and DQ of real, and upstream where nothing was cut. Four times (n,) float32."""
    i = cuda.grid(1)
    # about 4 lines
    ### BEGIN SOLUTION
    if i < real.size:
        q = float32(round(real[i] / scale))
        fake[i] = min(max(q, LOW), HIGH) * scale
        gradient[i] = upstream[i] if LOW <= q <= HIGH else float32(0)
    ### END SOLUTION


# %% check="fake_quantise"
q = exercise("engine_int8.fake_quantise")
q.check(fake_quantise).points

# %% [markdown]
# A small network to see it: one layer of 24 weights, which has to give what another one gives, whose weights are not whole steps. Steps are coarse here, 0.5, as they would be with 3 bits. PTQ rounds the trained weights; QAT goes on training from them, through your kernel.
# **Before you run it:** the rounded weights are the nearest ones. Can others, further away, give less error?

# %%
rng = np.random.default_rng(8)
inputs = rng.normal(size=(64, 24)).astype(np.float32) + 1  # columns that are alike: weights can make up for each other
trained = rng.uniform(-1.5, 1.5, 24).astype(np.float32)
wanted, scale = inputs @ trained, np.float32(0.5)


def forward_and_backward(weights):
    """Fake weights, the loss with them, and the gradient of weights."""
    fake, gradient = cuda.to_device(np.zeros(24, np.float32)), cuda.to_device(np.zeros(24, np.float32))
    d_weights, upstream = cuda.to_device(weights), cuda.to_device(np.zeros(24, np.float32))
    fake_quantise[1, 32](d_weights, scale, upstream, fake, gradient)
    apart = inputs @ fake.copy_to_host() - wanted
    upstream = cuda.to_device((2 / len(wanted) * inputs.T @ apart).astype(np.float32))
    fake_quantise[1, 32](d_weights, scale, upstream, fake, gradient)
    return fake.copy_to_host(), float(np.mean(apart**2)), gradient.copy_to_host()


try:
    fake, ptq, _ = forward_and_backward(trained)
    weights, best = trained.copy(), ptq
    for _turn in range(60):
        fake, loss, gradient = forward_and_backward(weights)
        best = min(best, loss)
        weights -= np.float32(0.01) * gradient
    print(f"mean squared error: {ptq:.3f} with rounded weights (PTQ), {best:.3f} trained with rounding (QAT)")
except NotImplementedError:
    print("Nothing to train yet: first write fake_quantise.")

# %% [markdown]
# The rounded weights are further from the trained ones than the nearest steps, and the network is closer to what it should give. The loss does not fall evenly: a weight jumps by a whole step when it crosses the middle between two, so the best weights seen are kept.
#
# ## 9. The engine's layer, and yours
#
# **Look back.** That was the promise: a layer in INT8 by your kernels, and the engine's, bit for bit. Here is the layer as an exporter writes it: float32, with Q and DQ around everything. The engine moves and fuses them.
# **Before you run it:** the network below has two Q and two DQ for its input and its result, the weights' pair, a product, an addition and a ReLU. How many kernels will be left of these nine?

# %%
import minitrt as trt
from minitrt.runtime.session import Session

rng = np.random.default_rng(9)
pictures = rng.normal(size=(16, 64)).astype(np.float32)
weights = (rng.normal(size=(32, 64)) * 10 ** rng.uniform(-1, 0.5, (32, 1))).astype(np.float32)
bias = rng.normal(size=32).astype(np.float32)
real = np.maximum(pictures @ weights.T + bias, 0)  # the layer in float32
x_scale, y_scale = (np.float32(np.abs(each).max() / 127) for each in (pictures, real))


# %%
def there_and_back(network, tensor, scale, axis=None):
    """Q and DQ of a tensor by a constant scale, one number or one per channel along an axis."""
    scale = network.add_constant(scale.shape, scale).get_output(0)
    stored = network.add_quantize(tensor, scale)
    real = network.add_dequantize(stored.get_output(0), scale)
    if axis is not None:
        stored.axis = real.axis = axis
    return real.get_output(0)


# %%
builder = trt.Builder(logger := trt.Logger(trt.Logger.ERROR))
config = builder.create_builder_config()
config.builder_optimization_level = 0  # the first kernel that can; by default a build times several
network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
scales = np.abs(weights).max(axis=1) / np.float32(127)
x = there_and_back(network, network.add_input("x", trt.float32, pictures.shape), x_scale)
w = there_and_back(network, network.add_constant(weights.shape, weights).get_output(0), scales, axis=0)
y = network.add_matrix_multiply(x, trt.MatrixOperation.NONE, w, trt.MatrixOperation.TRANSPOSE).get_output(0)
added = network.add_constant((1, 32), bias.reshape(1, 32)).get_output(0)
y = network.add_elementwise(y, added, trt.ElementWiseOperation.SUM).get_output(0)
y = network.add_activation(y, trt.ActivationType.RELU).get_output(0)
network.mark_output(there_and_back(network, y, y_scale))

# %%
plan = builder.build_serialized_network(network, config)
engine = trt.Runtime(logger).deserialize_cuda_engine(plan)
(of_engine,) = Session(engine).run({"x": pictures}).values()
print(f"{network.num_layers} layers in the network, constants among them; {engine.num_layers} in the engine")

# %% [markdown]
# Three are left: Q of the input, the layer, and DQ of its result. The weights were quantised when the engine was built.
# Now yours. The weights are divided by their row's scale, so that `quantise` with a scale of 1 makes their steps.

# %%
def packed(steps):
    """Four steps along the last axis in each word."""
    return np.ascontiguousarray(steps).view(np.int32)


def steps_of(real, scale):
    """`quantise` on any array."""
    steps = cuda.to_device(np.zeros(real.size, np.int8))
    quantise[-(-real.size // 256), 256](cuda.to_device(real.ravel()), scale, steps)
    return steps.copy_to_host().reshape(real.shape)


def layer_of_mine():
    """The layer's steps, by kernels of this unit."""
    d_scales, steps = cuda.to_device(np.zeros(32, np.float32)), cuda.to_device(np.zeros((16, 32), np.int8))
    channel_scales[32, 128](cuda.to_device(weights), d_scales)
    mine = d_scales.copy_to_host()
    a, b = packed(steps_of(pictures, x_scale)), packed(steps_of(weights / mine[:, None], np.float32(1)))
    multiplier = (np.float64(x_scale) * mine / np.float64(y_scale)).astype(np.float32)
    addend, nothing = (bias / np.float64(y_scale)).astype(np.float32), cuda.to_device(np.zeros((16, 32), np.int8))
    arrays = [cuda.to_device(np.ascontiguousarray(array)) for array in (a, b.T, multiplier, addend)]
    int8_layer[(1, 2), (32, 8)](*arrays, nothing, np.float32(0), np.float32(0), np.float32(np.inf), steps)
    return steps.copy_to_host()


# %%
try:
    mine = layer_of_mine()
    differing = int(np.count_nonzero(mine * y_scale != of_engine))
    noise = 10 * np.log10(np.sum(real**2) / np.sum((mine * y_scale - real) ** 2))
    largest_error = np.abs(mine * y_scale - real).max() / real.max()
    in_float32 = pictures.nbytes + weights.nbytes + real.nbytes
    print(f"{differing} of {mine.size} outputs differ from the engine's")
    print(f"{in_float32:,} bytes of input, weights and result in float32, {in_float32 // 4:,} in INT8")
    print(f"{noise:.1f} dB of signal over noise; the largest error is {largest_error:.1%} of the largest output")
except NotImplementedError:
    print("Nothing to compare yet: first write quantise, channel_scales and int8_layer.")

# %% [markdown]
# A scale per channel comes on top, four bytes for each row of weights, and is left out of the count. Half a step of the output is 0.5 / 127 of the largest, 0.4 %; whatever the largest error has beyond that comes from rounding the input and the weights.
#
# <details><summary>Interview question: your layer is a quarter of the bytes. Is it four times as fast?</summary>Only if it waited for memory, and if the quarter is what it moves: scales, residuals and the last layer's float32 remain. What waits for arithmetic gains from tensor cores, which multiply int8 at twice the rate of float16. Small layers wait for neither, but for their launch. <b>A weak answer says</b> "yes, four times". <b>And then?</b> How much accuracy may that cost? That is for the network's users to say; measure it on the real task, not in decibels.</details>

# %% [markdown]
# **Read the profile.** Here is what a profiler says of four kernels of this unit. Each has 1,024 results: 16 rows of 64, with 8 words along k where there are any.
#
# | kernel | global load requests | sectors of those | bytes stored | sectors of those |
# |---|---|---|---|---|
# | A | 512 | 1,280 | 4,096 | 128 |
# | B | 608 | 1,568 | 1,024 | 32 |
# | C | 32 | 128 | 1,024 | 32 |
# | D | 64 | 256 | 8,192 | 256 |
#
# Before you open the answer: which rung is each? What would have to come after A to do the work of B? Which of the four would gain most from a larger tile, as in unit 12?
#
# <details><summary>The answer</summary>C loads a number and stores a byte per thread: rung 1. D loads two numbers and stores two: rung 8. A and B load a word of each array for four products, 16 requests for each of 32 warps; A stores sums of 4 bytes, rung 6, and B one byte, rung 7, whose three extra loads are two constants and a residual. After A, a kernel would read these 4,096 bytes again and store 1,024: B saves both. A and B would gain: they load every word of a 64 times, once per column. <b>A weak answer says</b> "B loads more than A, so it is worse". <b>And then?</b> Why does a request of A take 2.5 sectors on average? A word of a is one for the whole warp, 1 sector; 32 words of b are 4.</details>

# %% [markdown]
# ## What you can do now
#
# You can turn numbers into steps as an engine does, to the bit; choose scales for weights per channel, and ranges for activations in four ways, and say what each of them loses; fold a batch norm; multiply steps exactly, four to a word, and finish a layer in the same kernel with one rounding; and train weights that are to be rounded.
#
# The table has the rungs of this session.

# %%
from autograder import ladder

ladder("17_engine_int8")
