# %% [markdown]
# # Convolution
#
# **The promise:** you run one 3 x 3 layer in several ways, and can say before you measure, from its flops and its bytes, which of them wins and by about how much; the last cell puts your kernels beside the library's.
# A layer of convolutions is most of what a vision network computes, and there is no single best way to compute it: a library has several, and picks one for every shape.
#
# **Time:** about an hour, 27 lines to write.
# **You need:** units 1 to 4, for guards, sectors, tiles and their halo; unit 12, whose tiles of a matrix product come back in rung 4.
# Without a GPU everything is checked and counted, and only times are not measured.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise

# %% [markdown]
# ## 1. One thread, one output
#
# **Goal:** a layer that is right for any size, edges included.
#
# A picture of a network is a stack of planes, its **channels**: three at the start, red, green and blue, and hundreds further on. A batch of them has four axes, image, channel, row and column, in this order in memory; the order has a name, **NCHW**.
# A layer makes `n_out` new channels of the `n_in` that come in. For each pair of channels it has k x k weights, and an output is the sum over all channels that come in of k x k elements times their weights.
# The middle weight meets the element at the output's own place. So windows at an edge reach beyond it, and what is not there counts as 0: that is **padding**, and it keeps the rows and columns as many as they were.
#
# **Example.** One channel, one row of weights (1, 2, 3), padded by one zero on either side:
#
# | | | | | | |
# |---|---|---|---|---|---|
# | elements | (0) | 9 | 6 | 7 | (0) |
# | output 0 | | 1·0 + 2·9 + 3·6 = 36 | | | |
# | output 1 | | | 1·9 + 2·6 + 3·7 = 42 | | |
# | output 2 | | | | 1·6 + 2·7 + 3·0 = 20 | |
#
# In mathematics a convolution turns the weights round first; networks learn them, so nobody does.

# %% [markdown]
# **Write** `conv_direct(src, weights, dst)` for any odd k. `cuda.grid(3)` gives column, row and plane; plane n * n_out + o holds output channel o of image n.
# Sum in a register, skip what lies outside, and store once.
#
# **Predict first**, for one image of 16 x 32, 4 channels in, 8 out, 3 x 3 weights: the load requests. A warp is 32 neighbours of a row. It asks for a weight and for an element, each time that at least one of its lanes has an element there. How many pairs of a row and a row of weights are inside?
#
# <details><summary>Interview question: padding by a guard costs a comparison per load. What else could one do?</summary>Write a copy of the input with zeros round it, once, and convolve without a guard: one more pass over memory, and no branch. Or split the outputs: blocks inside need no guard, only those at the rim do. <b>A weak answer says</b> "leave the edges out", which changes the size of every layer. <b>And then?</b> Which of them do libraries take? The guard, as a predicate on the load: it costs an instruction, and the unit that is busy is another one.</details>

# %%
q = exercise("convolution.conv_direct")
q.show()

# %% predict="conv_direct"
q = exercise("convolution.conv_direct")
q.predict(global_load_requests=8832)


# %% solution="conv_direct"
@cuda.jit
def conv_direct(src, weights, dst):
    """A layer: n_in channels to n_out, zeros past the edges. src: (n_images, n_in, n_rows, n_cols),
    weights: (n_out, n_in, k, k), dst: (n_images, n_out, n_rows, n_cols), all float32."""
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    # about 11 lines
    ### BEGIN SOLUTION
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc
    ### END SOLUTION


# %% check="conv_direct"
q = exercise("convolution.conv_direct")
q.check(conv_direct).points

# %% [markdown]
# <details><summary>Interview question: how often does this kernel load one element of src?</summary>Up to k² n_out times: it lies in k² windows, and each of them is worked out for every output channel. <b>A weak answer says</b> "k² times". <b>And then?</b> And how often must it be loaded? Once. The next rung comes down to once per block and eight output channels.</details>
#
# ## 2. A tile for nine weights and eight channels
#
# **Goal:** the same products from a hundredth of the loads.
#
# **Look back.** Two loads for every product, and for 16 x 64 outputs with 4 channels in and 8 out, that is more than two million bytes, for an input of 16 KiB.
# An element is needed again in two directions. Its neighbours need it: up to nine windows of a 3 x 3 layer hold it. And every output channel needs it.
#
# So let a block of 32 x 8 threads load what it needs of a channel once: its 8 x 32 elements and the halo, one more row or column on each side, 10 x 34 in all. That is unit 4's tile.
# The other direction is new. A thread works out **eight output channels** of its place, in eight registers: an element that it takes from the tile serves eight products.
#
# **Example.** Elements 9, 6, 7 in a row, weights (1, 2, 3) of one output channel and (1, 0, 1) of another. Load 9: sums 9 and 9. Load 6: sums 9 + 12 = 21 and 9. Load 7: sums 21 + 21 = 42 and 16. Three elements were loaded for six products.

# %% [markdown]
# **Given:** `element(src, image, channel, row, col)` is 0 past an edge, and `weight(weights, out, channel, w)` is weight w of nine, counted row by row, or 0 where there is no such output channel.
#
# **Write** `conv_tiled(src, weights, dst)`, for 3 x 3 weights. Channel by channel: fill the tile and 8 x 9 weights, wait, add nine elements times eight weights, wait. Block z is image * groups + group.
# A tile has 340 cells, the block 256 threads: some fill two.
#
# **Find the bug.** The draft below fills its tile in another way. **Predict** the line that its verdict will name, counted from the `@cuda.jit` of its cell, line 1.
# **Predict first**, too, for one image of 16 x 64, 4 channels in and 8 out: the bytes loaded from global memory, the requests to shared memory, and the place in `dst` that thread 37 of block 1 writes first.
#
# <details><summary>Interview question: why eight output channels per thread, and not eight places of one channel?</summary>Both reuse something. Eight channels reuse the element, and their weights are the same for all lanes: one pass over the banks serves a warp. Eight places reuse the weight, and overlapping windows a part of the elements. <b>A weak answer says</b> "channels are independent", which places are, too. <b>And then?</b> Do both, as unit 12's square does with rows and columns: with s of each, 2s loads feed s² products. Rung 4 does.</details>

# %% tags=["setup"]
TILE_X, TILE_Y = 32, 8  # outputs of a block along x and y, a thread each
SPAN_X, SPAN_Y = TILE_X + 2, TILE_Y + 2  # elements that it needs of a channel
FILTERS = 8  # output channels of a thread


@cuda.jit(device=True, forceinline=True)
def element(src, image, channel, row, col):
    """src[image, channel, row, col], or 0 past an edge."""
    if row >= 0 and row < src.shape[2] and col >= 0 and col < src.shape[3]:
        return src[image, channel, row, col]
    return float32(0)


@cuda.jit(device=True, forceinline=True)
def weight(weights, out, channel, w):
    """Weight w of a pair of channels, 0 to 8 row by row, or 0 past the last output channel. weights: (.., .., 3, 3)."""
    if out < weights.shape[0]:
        return weights[out, channel, w // 3, w % 3]
    return float32(0)


# %%
q = exercise("convolution.conv_tiled")
q.show()

# %% predict="conv_tiled"
q = exercise("convolution.conv_tiled")
q.predict(line=16, global_load_bytes=23616, shared_load_requests=10368, index=101)


# %%
@cuda.jit
def draft(src, weights, dst):
    """One output channel per block, and a tile that every thread fills one cell of."""
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = 32 * cuda.blockIdx.x + tx, 8 * cuda.blockIdx.y + ty
    groups = (dst.shape[1] + FILTERS - 1) // FILTERS
    image, out = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    acc = float32(0)
    for channel in range(src.shape[1]):
        tile[ty + 1, tx + 1] = element(src, image, channel, row, col)
        cuda.syncthreads()
        for w in range(9):
            x = weight(weights, out, channel, w)
            acc += x * tile[ty + w // 3, tx + w % 3]
        cuda.syncthreads()
    if row < dst.shape[2] and col < dst.shape[3]:
        dst[image, out, row, col] = acc


q = exercise("convolution.conv_tiled")
q.check(draft);


# %% solution="conv_tiled"
@cuda.jit
def conv_tiled(src, weights, dst):
    """A layer of 3 x 3 weights, a tile for each block and channel, 8 output channels per thread. All float32."""
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y  # of the block's outputs
    # about 16 lines
    ### BEGIN SOLUTION
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()  # tile and weights are whole
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]  # one load for eight products
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()  # nobody reads them any more
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]
    ### END SOLUTION


# %% check="conv_tiled"
q = exercise("convolution.conv_tiled")
q.check(conv_tiled).points

# %% race="conv_tiled"
q = exercise("convolution.conv_tiled")
q.race(conv_tiled).points

# %% [markdown]
# ## What you can do now
#
# The table has the rungs of this session; where a GPU timed them, the library stands beside them.

# %%
from autograder import ladder

ladder("13_convolution")
