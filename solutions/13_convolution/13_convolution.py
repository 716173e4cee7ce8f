# %% [markdown]
# # Convolution
#
# **The promise:** you run one 3 x 3 layer in several ways, and can say before you measure, from its flops and its bytes, which of them wins and by about how much; the last cell puts your kernels beside the library's.
# A layer of convolutions is most of what a vision network computes, and there is no single best way to compute it: a library has several, and picks one for every shape.
#
# **Time:** about three and a half hours, 80 lines to write.
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
# A layer makes `n_out` new channels of the `n_in` that come in. For each pair of channels it has k x k weights, and an output is a sum over all channels that come in: k x k elements of each, every one times its weight.
# The middle weight meets the element at the output's own place. So windows at an edge reach beyond it, and what is not there counts as 0: that is **padding**, and it keeps the number of rows and columns.
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
# In mathematics a convolution flips the weights first; networks learn their weights, so nobody flips them.

# %% [markdown]
# **Write** `conv_direct(src, weights, dst)` for any odd k. `cuda.grid(3)` gives column, row and plane; plane n * n_out + o holds output channel o of image n. The check also launches other blocks, all of them one thread deep.
# Sum in a register, skip what lies outside, and store once.
#
# **Predict first**, for one image of 16 x 32, 4 channels in, 8 out, 3 x 3 weights: the load requests. A warp is 32 neighbours of a row. For each weight of each channel in, it asks for that weight and for an element, unless none of its lanes has an element there. So first: for how many pairs of an output's row and a row of weights is there a row of elements?
#
# <details><summary>Interview question: padding by a guard costs a comparison per load. What else could one do?</summary>Write a copy of the input with zeros around it, once, and convolve without a guard: one more pass over memory, and no branch. Or split the outputs: blocks inside need no guard, only those at the rim do. <b>A weak answer says</b> "leave the edges out", which changes the size of every layer. <b>And then?</b> Which of them do libraries take? The guard, as a predicate on the load: it costs an instruction, and the busy unit is a different one.</details>

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
# <details><summary>Interview question: how often does this kernel load one element of src?</summary>Up to k² n_out times: it lies in k² windows, and each of them is worked out for every output channel. <b>A weak answer says</b> "k² times". <b>And then?</b> And how often must it be loaded? Once. The next rung gets it down to once per block and eight output channels.</details>
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
# **Given:** `element(src, image, channel, row, col)` is 0 past an edge, a last channel or a last image, and `weight(weights, out, channel, w)` is weight w of nine, counted row by row, or 0 where there is no such output channel.
#
# **Write** `conv_tiled(src, weights, dst)`, for 3 x 3 weights. Channel by channel: fill the tile and 8 x 9 weights, wait, add nine elements times eight weights, wait. Block z is image * groups + group.
# A tile has 340 cells, the block 256 threads: some fill two.
#
# **Find the bug.** The draft below fills its tile in another way. **Predict** the line that its verdict will name, counted from the `@cuda.jit` of its cell, line 1.
# **Predict**, too, for one image of 16 x 64, 4 channels in and 8 out: the bytes loaded from global memory, the requests to shared memory, and the place in `dst` that thread 37 of block 1 writes first.
#
# <details><summary>Interview question: why eight output channels per thread, and not eight places of one channel?</summary>Both reuse something. Eight channels reuse the element, and their weights are the same for all lanes: one pass over the banks serves a warp. Eight places reuse the weight, and overlapping windows a part of the elements. <b>A weak answer says</b> "channels are independent", which places are, too. <b>And then?</b> Do both, as unit 12's square does with rows and columns: with s of each, 2s loads feed s² products. Rung 4 does.</details>

# %% tags=["setup"]
TILE_X, TILE_Y = 32, 8  # outputs of a block along x and y, a thread each
SPAN_X, SPAN_Y = TILE_X + 2, TILE_Y + 2  # elements that it needs of a channel
FILTERS = 8  # output channels of a thread


@cuda.jit(device=True, forceinline=True)
def element(src, image, channel, row, col):
    """src[image, channel, row, col], or 0 past an edge, the last channel or the last image."""
    if image < src.shape[0] and channel < src.shape[1]:
        if row >= 0 and row < src.shape[2] and col >= 0 and col < src.shape[3]:
            return src[image, channel, row, col]
    return float32(0)


@cuda.jit(device=True, forceinline=True)
def weight(weights, out, channel, w):
    """Weight w of a pair of channels, 0 to 8 row by row, or 0 past the last of them. weights: (n_out, n_in, 3, 3)."""
    if out < weights.shape[0] and channel < weights.shape[1]:
        return weights[out, channel, w // 3, w % 3]
    return float32(0)


# %%
q = exercise("convolution.conv_tiled")
q.show()

# %% predict="conv_tiled"
q = exercise("convolution.conv_tiled")
q.predict(line=15, global_load_bytes=23616, shared_load_requests=10368, index=101)


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
        cuda.syncthreads()  # no thread still reads them
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
# <details><summary>What was wrong with the draft?</summary>Each thread fills one cell, so 8 x 32 of the 10 x 34 are filled, and the halo, which the windows at the tile's edge read, is not. And of eight output channels it stores one. The verdict names the line that reads, since a cell that nobody wrote has no line of its own.</details>
#
# <details><summary>Interview question: what does a tile twice as high gain here?</summary>Less halo: 8 x 32 outputs need 10 x 34 elements, a third more than they are; 16 x 32 outputs need 18 x 34, a fifth more. <b>A weak answer says</b> "half of the loads". <b>And then?</b> What does gain half of them? Twice as many output channels per block: a tile of src is loaded once for each group of channels.</details>
#
# ## 3. A column for every output
#
# **Goal:** turn the layer into a matrix product, which is what a GPU does fastest.
#
# **Look back.** Your tile serves 8 channels and nine weights, and every other size of weights needs another kernel. Unit 12's products came close to the library's. Can a layer be one?
# An output is a sum of n_in k² products. Write the weights of an output channel in one row, and all the elements that they meet in one column: the output is row times column. A column for every output, a row for every output channel, and the layer is
#
# weights (n_out, 9 n_in) times cols (9 n_in, n_images n_rows n_cols).
#
# The matrix of columns has a name, **im2col**, image to columns. A matrix product is called GEMM in libraries, so this way is im2col and GEMM.
#
# **Example.** One channel of 2 x 2, with 9, 6 in its first row and 7, 9 in its second. Output p has row p // 2 and column p % 2; row 4 of cols is the middle weight's, so it holds the elements as they are. Rows 3 to 5, the weights' middle row:
#
# | p | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | row 3: one column left | 0 | 9 | 0 | 7 |
# | row 4: the place itself | 9 | 6 | 7 | 9 |
# | row 5: one column right | 6 | 0 | 9 | 0 |

# %% [markdown]
# **Write** `im2col(src, cols)`, one thread per element of cols. Row k of cols belongs to channel k // 9 and to weight k % 9 of it, whose row is k % 9 // 3 and whose column is k % 3. Column p belongs to an image, a row and a column, which // and % give in the same way. The check also launches other blocks.
# The verdict notes that // divides 64-bit integers, which takes a GPU a long sequence of instructions. Here it hardly matters: memory is what this kernel waits for. In the next rung it will.
#
# **Predict first**, for two images of 8 x 32 with 3 channels: the bytes that are stored; and the channel, the row and the column of the weight that row 100 of cols belongs to. Write these three into one string with blanks between, as `print` would.
#
# <details><summary>Interview question: a 1 x 1 layer. What does im2col do there?</summary>Nothing: every window is one element, and src itself is the matrix, one for each image. A 1 x 1 layer <i>is</i> a matrix product. <b>A weak answer says</b> "it copies src". <b>And then?</b> So where is its place on the roofline? That of a product with n_in as its inner size: it is bound by memory until there are enough channels.</details>

# %%
q = exercise("convolution.im2col")
q.show()

# %% predict="im2col"
q = exercise("convolution.im2col")
q.predict(global_store_bytes=55296, prints="11 0 1")


# %% solution="im2col"
@cuda.jit
def im2col(src, cols):
    """cols[k, p] = what weight k of 9 n_in meets at output p, 0 past the edges. src: (n_images, n_in, n_rows, n_cols),
    cols: (9 n_in, n_images n_rows n_cols), all float32."""
    p, k = cuda.grid(2)
    n_rows, n_cols = src.shape[2], src.shape[3]
    # about 5 lines
    ### BEGIN SOLUTION
    if k < cols.shape[0] and p < cols.shape[1]:
        image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
        cols[k, p] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
    ### END SOLUTION


# %% check="im2col"
q = exercise("convolution.im2col")
q.check(im2col).points

# %% [markdown]
# What remains is one matrix product. What does this way cost? Count bytes, for 32 images and 64 channels in and out: src and weights are read and dst is written in any case; cols is written, and read again.

# %%
for size in (112, 56, 28, 14):
    n_outputs = 32 * size * size
    arrays, cols_bytes = 4 * (64 * n_outputs + 64 * 64 * 9 + 64 * n_outputs), 4 * 9 * 64 * n_outputs
    flops = 2 * 64 * 64 * 9 * n_outputs
    print(f"{size:3} x {size:3}: {arrays / 1e6:6.1f} MB, and {2 * cols_bytes / 1e6:7.1f} MB for cols: ", end="")
    print(f"{flops / arrays:5.1f} flops per byte become {flops / (arrays + 2 * cols_bytes):4.1f}")

# %% [markdown]
# Ten times the bytes, whatever the size: 9 + 9 times src, beside src and dst themselves. With many output channels the product takes so long that nobody minds; with 64 the layer falls from the flat part of the roofline to where it bends.
#
# ## 4. A matrix that is nowhere
#
# **Goal:** the product of rung 3 without its matrix.
#
# **Look back.** cols is written once and read once, and each of its elements could be worked out from src at any time: two divisions, two comparisons, one load. So do it where the tile is filled. The product of unit 12 loads tiles of its right matrix into shared memory; let the same lines fill the tile *from src*, with the indices of rung 3.
# That is an **implicit GEMM**: a product with a matrix that never exists as a whole. It is what libraries do most, since the same kernel then serves every size of weights.
#
# **Example.** Iteration k0 = 16 of a layer with four channels: the tile has rows 16 to 31 of cols. Row 16 is weight 7 of channel 1 (16 = 9 + 7), rows 18 to 26 are channel 2, and 27 to 31 begin channel 3. A tile is 16 deep and a channel 9 rows: they need not fit, since // and % find the way.
#
# The divisions now stand in the loop that feeds the product. Two things keep them cheap: 9 and 3 are constants, for which the compiler multiplies and shifts; and the place p of a thread is the same in every iteration, so its image, row and column are worked out **once**, before the loop.
#
# The cell below fills one such tile and no more; step through it, and compare its rows with the table of rung 3.

# %% [markdown]
# **Given:** `element` and `weight` are 0 past the last channel as well; `put(dst, out, p, value)` stores output p of channel out, if there is one.
#
# **Write** the loop of `conv_implicit(src, weights, dst)`: 16 x 16 threads, 64 output channels, 64 places, tiles 16 deep, 4 x 4 sums per thread. It is unit 12's fifth rung, except for the fill.
# `tile_w` is (64, 16), a row for each output channel. `tile_x` is (16, 64): thread t fills column t % 64, whose place is p0 + t % 64, in rows t // 64, t // 64 + 4, and so on.
#
# **Predict first**, for one image of 8 x 16, 4 channels in and 64 out: the requests to shared memory, and the bytes loaded from global memory. 36 rows fill two tiles and a part of a third.
#
# <details><summary>Interview question: why does NHWC, channels last, suit an implicit GEMM better?</summary>With channels last, the elements of one window's place lie side by side for all channels. Let k count channels first, and a tile's column is a few runs of neighbours: loads of 16 bytes, and one test for an edge serves a whole run. <b>A weak answer says</b> "tensor cores need it". <b>And then?</b> What is the price? A network that stores channels first has to reorder its arrays, once before and once after, so frameworks keep the whole network in one order.</details>


# %% tags=["setup"]
@cuda.jit(device=True, forceinline=True)
def put(dst, out, p, value):
    """dst of output channel `out` at place p, which counts through images, rows and columns, if there is one."""
    n_images, n_out, n_rows, n_cols = dst.shape
    if out < n_out and p < n_images * n_rows * n_cols:
        dst[p // (n_rows * n_cols), out, p // n_cols % n_rows, p % n_cols] = value


# %%
@cuda.jit
def one_tile(src, weights, dst):
    """The first 4 rows and 16 columns of cols, in shared memory: step past the barrier, and look at what is there."""
    tile = cuda.shared.array((4, 16), float32)
    t = cuda.threadIdx.x + 16 * cuda.threadIdx.y
    k, p = t // 16, t % 16
    if k < 4:
        tile[k, p] = element(src, 0, k // 9, p // dst.shape[3] + k % 9 // 3 - 1, p % dst.shape[3] + k % 3 - 1)
    cuda.syncthreads()
    if t < dst.shape[3]:
        dst[0, 0, 0, t] = tile[0, t]


q = exercise("convolution.conv_implicit")
q.step(one_tile)

# %%
q = exercise("convolution.conv_implicit")
q.show()

# %% predict="conv_implicit"
q = exercise("convolution.conv_implicit")
q.predict(shared_load_requests=6144, global_load_bytes=34624)


# %% solution="conv_implicit"
@cuda.jit
def conv_implicit(src, weights, dst):
    """A layer of 3 x 3 weights as a product, a block of 16 x 16 threads for 64 output channels of 64 places, 4 x 4 per
    thread. All float32."""
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    # about 18 lines
    ### BEGIN SOLUTION
    p = p0 + t % 64  # the column of cols that this thread fills, in every iteration
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()  # both tiles are complete
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # no thread still reads them
    ### END SOLUTION
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


# %% check="conv_implicit"
q = exercise("convolution.conv_implicit")
q.check(conv_implicit).points

# %% race="conv_implicit"
q = exercise("convolution.conv_implicit")
q.race(conv_implicit).points

# %% [markdown]
# <details><summary>Interview question: the matrix of an implicit GEMM has 9 n_in rows. What if n_in is 3?</summary>Then it has 27, two tiles of 16 with five empty rows; the first layer of a network wastes a part of every tile. Libraries pad the channels to a multiple of what a tile takes, or have a kernel of their own for the first layer. <b>A weak answer says</b> "nothing". <b>And then?</b> And a depthwise layer, one channel in for each channel out? Nine rows and one column of weights: no product to speak of, and direct convolution wins.</details>
#
# ## 5. Sixteen products for thirty-six
#
# **Goal:** fewer products, not faster ones.
#
# **Look back.** Half a load per product, and tiles from nowhere: what is left is the products. Two neighbouring outputs of a filter (w0, w1, w2) take six of them, from four elements x0 to x3. Winograd found a way with four:
#
# | | | |
# |---|---|---|
# | m0 = (x0 - x2) · w0 | m1 = (x1 + x2) · (w0 + w1 + w2) / 2 | output 0 = m0 + m1 + m2 |
# | m3 = (x1 - x3) · w2 | m2 = (x2 - x1) · (w0 - w1 + w2) / 2 | output 1 = m1 - m2 - m3 |
#
# The four factors made of weights do not depend on the elements, so they are worked out once for a whole network. The name is **F(2, 3)**: two outputs, three weights.
#
# **Example.** Elements 9, 6, 7, 9 and weights (1, 2, 3). The weights become 1, 3, 1, 3. The elements become 9 - 7 = 2, 6 + 7 = 13, 7 - 6 = 1, 6 - 9 = -3. Products: 2, 39, 1, -9. Outputs: 2 + 39 + 1 = 42, and 39 - 1 + 9 = 47. The long way: 9 + 12 + 21 = 42, and 6 + 14 + 27 = 47.

# %% [markdown]
# In two dimensions the same is done along rows and then down columns: 4 x 4 elements and 4 x 4 transformed weights give 16 products, and these 2 x 2 outputs. That is F(2 x 2, 3 x 3), and it saves 36 / 16 = 2.25 times.
#
# But additions came in: 32 to spread the elements, 24 to collect the outputs. Two things make them rare. The elements are spread once for **several output channels**, here four. And since collecting is linear, the products are first added up over all channels that come in, each of the 16 places on its own, and collected **once**.
#
# **Write** `spread` and `collect`, and with them `conv_winograd(src, u, dst)`: one thread for 2 x 2 outputs of four output channels. `u` is given; the cell below works out one of its tiles, and shows that the result is right. n_out is a multiple of 4, rows and columns may be odd: `put_two(dst, image, out, row, col, left, right)` stores what there is. The check also launches other blocks, all of them one thread deep.
#
# **Predict first**, for one image of 16 x 64, 4 channels in and 4 out: the flops, and the place in `dst` that thread 37 of block 0 writes first. Without the transform it would be 279,680 flops.
#
# <details><summary>Interview question: 2.25 times fewer products. Why is Winograd not 2.25 times faster?</summary>The additions take their time, and so do the bytes: a transformed tile has 16 elements for 4 outputs, and libraries, which transform in a kernel of its own, write and read four times the input. <b>A weak answer says</b> "it is, for large layers". <b>And then?</b> And on tensor cores? Products are so cheap there that there is little to save, so libraries rarely pick it there.</details>

# %%
G = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], np.float32)  # three weights to four
BT = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]], np.float32)  # what `spread` does
AT = np.array([[1, 1, 1, 0], [0, 1, -1, -1]], np.float32)  # what `collect` does

some_weights = np.arange(1, 10, dtype=np.float32).reshape(3, 3)
some_tile = np.arange(16, dtype=np.float32).reshape(4, 4) % 7
u_of_them = G @ some_weights @ G.T
print(AT @ (u_of_them * (BT @ some_tile @ BT.T)) @ AT.T)
print([[float((some_tile[r : r + 3, c : c + 3] * some_weights).sum()) for c in range(2)] for r in range(2)])

# %%
q = exercise("convolution.conv_winograd")
q.show()

# %% predict="conv_winograd"
q = exercise("convolution.conv_winograd")
q.predict(float32_flops=188416, index=138)


# %% tags=["setup"]
@cuda.jit(device=True, forceinline=True)
def put_two(dst, image, out, row, col, left, right):
    """dst[image, out, row, col] and its right neighbour, as far as there are such outputs."""
    if row < dst.shape[2]:
        dst[image, out, row, col] = left
        if col + 1 < dst.shape[3]:
            dst[image, out, row, col + 1] = right


# %% solution="conv_winograd"
@cuda.jit(device=True, forceinline=True)
def spread(a, b, c, d):
    """The four factors of four neighbours."""
    # about 1 line
    ### BEGIN SOLUTION
    return a - c, b + c, c - b, b - d
    ### END SOLUTION


@cuda.jit(device=True, forceinline=True)
def collect(a, b, c, d):
    """The two outputs of four sums of products."""
    # about 1 line
    ### BEGIN SOLUTION
    return a + b + c, b - c - d
    ### END SOLUTION


@cuda.jit
def conv_winograd(src, u, dst):
    """A layer of 3 x 3 weights, 2 x 2 outputs of 4 output channels per thread. src: (n_images, n_in, n_rows, n_cols),
    u: (n_out, n_in, 4, 4) transformed weights, dst: (n_images, n_out, n_rows, n_cols), all float32."""
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)  # sums of products, by output channel
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    # about 18 lines
    ### BEGIN SOLUTION
    for channel in range(src.shape[1]):
        for i in range(4):  # along the rows
            r = row - 1 + i
            a, b = element(src, image, channel, r, col - 1), element(src, image, channel, r, col)
            c, d = element(src, image, channel, r, col + 1), element(src, image, channel, r, col + 2)
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):  # down the columns
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)
    ### END SOLUTION


# %% check="conv_winograd"
q = exercise("convolution.conv_winograd")
q.check(conv_winograd).points

# %% [markdown]
# Larger tiles save more: F(4, 3) takes 6 products for 12, F(6, 3) takes 8 for 18. They are made in the same way, but from more **points**, the numbers 0, 1, -1, 2, ... from whose powers the factors are built. Here is what that does to the results: the cell adds up 64 channels, in float32 and in float16, and prints the largest error beside that of the plain sum.
# **Before you run it:** which of the two types stays useful with six outputs?

# %%
def powers(points, n):
    """1, p, p², ... of every point, and of infinity."""
    return np.vstack([np.vander(points, n, increasing=True), np.eye(n)[-1:]])


drawn = np.random.default_rng(0)
for outputs, points in ((2, (0, 1, -1)), (4, (0, 1, -1, 2, -2)), (6, (0, 1, -1, 2, -2, 0.5, -0.5))):
    at, g, bt = powers(points, outputs).T, powers(points, 3), np.linalg.inv(powers(points, outputs + 2)).T
    x, w = drawn.uniform(-1, 1, (200, 64, outputs + 2)), drawn.uniform(-1, 1, (200, 64, 3))
    exact = np.stack([(x[..., i : i + 3] * w).sum(axis=(1, 2)) for i in range(outputs)], axis=-1)
    for name in ("float32", "float16"):
        factors = (x.astype(name) @ bt.T.astype(name)) * (w @ g.T).astype(name)
        plain = np.stack([(x[..., i : i + 3].astype(name) * w.astype(name)).sum((1, 2), dtype=name) for i in range(outputs)], -1)
        errors = [np.abs(got - exact).max() for got in (plain, factors.sum(axis=1, dtype=name) @ at.T.astype(name))]
        print(f"F({outputs}, 3) in {name}: plain sum {errors[0]:.1e}, transformed {errors[1]:.1e}")

# %% [markdown]
# F(2, 3) loses a little: sums of elements are multiplied with sums of weights, and roundings of larger numbers are larger. With more points come larger powers, whose sums cancel each other, so that only their rounding is left. Float32 can afford it. Float16 cannot: with six outputs only the first digit of a sum is left. So larger tiles are for float32, and their points are chosen with care.
#
# For larger filters there is a transform that fits them all: the **FFT**. Transformed pictures are multiplied element by element, whatever the filter's size, so its price does not grow with k; but the numbers are complex, and filters of 3 x 3 are blown up to the size of the picture. It wins for filters of 11 x 11 or so, which networks hardly have.

# %% [markdown]
# <details><summary>Interview question: why is u loaded by every thread, though it is the same for a whole warp?</summary>It need not be: a block could keep the weights of a channel in shared memory, as rung 2 does. Lanes that ask for one element are served in one pass, so what is lost is an instruction per product, not bytes. <b>A weak answer says</b> "the cache makes it free". <b>And then?</b> How do libraries avoid it? They turn it into a matrix product: for each of the 16 places, u (n_out, n_in) times the spread elements (n_in, tiles). Then everything of unit 12 applies.</details>

# %% [markdown]
# ## 6. What an output can see
#
# **Goal:** know how much of the picture a layer's output depends on.
#
# **Look back.** Five ways to compute one layer, and each output looks at 3 x 3 elements. A network stacks layers, and an output of the second looks at 3 x 3 outputs of the first, which look at 5 x 5 elements of the picture. What an output depends on is its **receptive field**.
# Two things make it grow. A layer with kernel k adds k - 1 steps. And a layer with **stride** s keeps only every s-th output, so from there on a step is s times as long: the **jump**, how many elements of the picture lie from one output to the next, is multiplied by s.
# A **dilation** d puts the weights d steps apart, so that k weights reach (k - 1) d steps.
#
# **Example.** 3 x 3, then pooling of 2 x 2 with stride 2, then 3 x 3 again. It begins with field 1 and jump 1:
#
# | layer | adds | field | jump |
# |---|---|---|---|
# | 3 x 3 | 2 steps of 1 | 3 | 1 |
# | 2 x 2, stride 2 | 1 step of 1 | 4 | 2 |
# | 3 x 3 | 2 steps of 2 | 8 | 2 |
#
# Pooling takes the largest of its elements and has no weights, but it looks at a window as well, so it counts like any layer.

# %% [markdown]
# **Write** `receptive_field(kernel, stride, dilation, field, jump)`, a host function: field and jump after one more layer, from those before it. A network is a loop over it, which the cells after the check have.
#
# **Predict** the field after ResNet's first two layers, 7 x 7 with stride 2 and then a 3 x 3 pooling with stride 2: what `receptive_field(3, 2, 1, 7, 2)` returns first.
#
# <details><summary>Interview question: two 3 x 3 layers or one 5 x 5?</summary>The same field, 5. Two of 3 x 3 have 18 weights per pair of channels in place of 25, so fewer flops, and a nonlinearity between them. <b>A weak answer says</b> "5 x 5 sees more". <b>And then?</b> What speaks for one layer? One pass over memory less: the array between the two is written and read. Small layers that wait for memory are fused for that reason.</details>

# %%
q = exercise("convolution.receptive_field")
q.show()

# %% predict="receptive_field"
q = exercise("convolution.receptive_field")
q.predict(field=11)


# %% solution="receptive_field"
def receptive_field(kernel, stride, dilation, field, jump):
    """Field and jump after one more layer, two integers. field, jump: before it, 1 and 1 for the picture itself."""
    # about 1 line
    ### BEGIN SOLUTION
    return field + (kernel - 1) * dilation * jump, jump * stride
    ### END SOLUTION


# %% check="receptive_field"
q = exercise("convolution.receptive_field")
q.check(receptive_field).points

# %% [markdown]
# Two networks for pictures of 224 x 224, layer by layer: your function, drawn. **Before you run it:** which of the two sees the whole picture at its end?

# %%
from matplotlib import pyplot as plt

pool, three, again = (2, 2, 1), (3, 1, 1), (3, 2, 1)  # kernel, stride, dilation; `again` begins a stage of ResNet
vgg_16 = [three, three, pool] * 2 + [three, three, three, pool] * 3
resnet_18 = [(7, 2, 1), again] + [three] * 4 + [again, three, three, three] * 3


def fields_of(layers):
    """Field and jump after each layer."""
    seen = [(1, 1)]
    for layer in layers:
        seen.append(receptive_field(*layer, *seen[-1]))
    return seen[1:]


try:
    figure, axes = plt.subplots(figsize=(7, 4))
    for name, layers in (("VGG-16", vgg_16), ("ResNet-18", resnet_18)):
        seen = fields_of(layers)
        axes.plot(range(1, len(seen) + 1), [field for field, _ in seen], "o-", label="{}: {}, jump {}".format(name, *seen[-1]))
    axes.axhline(224, color="gray", linestyle="--", label="the picture: 224")
    axes.set(xlabel="layer", ylabel="receptive field (elements)", title="ResNet-18 sees more than there is, VGG-16 nearly all")
    axes.legend()
except NotImplementedError:
    plt.close(figure)
    print("Nothing to draw yet: first write receptive_field.")

# %% [markdown]
# The strides do it. Until a stride comes, every layer adds the same two elements; after five strides a layer of 3 x 3 adds 64.
#
# But "depends on" says nothing of how much. There is one way from a corner of the field to the output, and there are very many from its middle. Every way adds a product of weights to what the element counts for, so the elements in the middle count for most: they are the **effective receptive field**. The cell counts the ways along one axis of VGG-16, and says how much of the field holds 95 % of them.

# %%
def ways_to_output(layers):
    """The share of all ways from each element of an axis to one output."""
    ways, jump = np.ones(1), 1
    for kernel, stride, dilation in layers:
        taps = np.zeros((kernel - 1) * dilation * jump + 1)
        taps[:: dilation * jump] = 1
        ways, jump = np.convolve(ways, taps), jump * stride
    return ways / ways.sum()


share = ways_to_output(vgg_16)
middle = min(n for n in range(1, len(share) + 1) if share[(len(share) - n) // 2 :][:n].sum() >= 0.95)
figure, axes = plt.subplots(figsize=(7, 3))
axes.fill_between(np.arange(len(share)) - len(share) // 2, share)
axes.set(xlabel="elements from the middle", ylabel="share of the ways", title=f"Of {len(share)} elements, the middle {middle} have 95 % of the ways");

# %% [markdown]
# The shape is nearly a bell, as sums of many independent steps are; its width grows with the root of the number of layers, where the field grows with the number itself. Training widens it, and skip connections, which bypass layers, narrow it.
#
# **And a transformer?** Attention lets every element see every other in its first layer: its field is the whole picture at once, and what it looks at is worked out from the data. It pays with n² products of n elements, and has to learn from data that neighbours belong together, which a convolution has built in. So convolutional networks get by with less data; transformers win where distant things matter and there is much to learn from. Unit 14 builds attention.

# %% [markdown]
# ## 7. Which way a library takes
#
# **Goal:** predict the winner from the shape, before anything runs.
#
# **Look back.** You have a layer in five ways. A library has them all, and picks one for each shape, from a table, from a model like this rung's, or by timing them once.
# Each way has flops, which the GPU computes at some rate, and bytes, which its memory moves at another. Both go on at once, so a way takes at least the longer of the two times: that is the roofline, read as a clock.
#
# | way | flops | bytes |
# |---|---|---|
# | 0, implicit GEMM | 2 k² · outputs · pairs | arrays |
# | 1, im2col and GEMM | the same | arrays + 8 k² · n_in · outputs |
# | 2, Winograd F(2 x 2, 3 x 3) | tiles · (32 n_in + 32 pairs + 24 n_out) | arrays + 128 · tiles · (n_in + n_out) |
#
# Here outputs = n_images · n_rows · n_cols, pairs = n_in · n_out, tiles = 2 x 2 tiles of all images, and arrays = the bytes of src, dst and weights.
# im2col's 8 bytes are an element of cols, written and read. Winograd's 128 bytes are 16 elements, written and read, for every tile and channel: this is the library's way, with transforms in kernels of their own and a matrix product for each of the 16 places between them.
#
# **Example.** 32 images of 56 x 56, 64 channels in and out, 3 x 3: 7.4 · 10⁹ flops and 51.5 · 10⁶ bytes the first way; 3.4 · 10⁹ flops and 463 · 10⁶ bytes by Winograd. At 60 · 10⁶ flops and 4 · 10⁶ bytes per microsecond that is 123 against 116 microseconds: Winograd, by a little, and it now waits for memory.

# %% [markdown]
# **Write** `pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us)`: the way of the least time, and that time. Winograd is for k = 3 only.
#
# **Predict** the flops per byte of layers with 64 channels in and out, weights aside, for 1 x 1, 3 x 3 and 5 x 5: three whole numbers in one string with blanks between, as `print` would write them. Which of them lies left of the ridge of an H200, near 14 flops per byte in unit 3?
#
# <details><summary>Interview question: a library times all its ways when a network starts. Why not use a model such as yours?</summary>A model knows neither how well each kernel is written for this GPU, nor what else it waits for; it is right where the ways are far apart and wrong where they are close. <b>A weak answer says</b> "models are inexact". <b>And then?</b> What does timing cost? Seconds at the start, for every new shape, and results that differ from run to run where two ways are nearly equal, since they round differently. So programs may ask for a fixed way.</details>

# %%
q = exercise("convolution.pick_algorithm")
q.show()

# %% predict="pick_algorithm"
q = exercise("convolution.pick_algorithm")
q.predict(prints="16 144 400")


# %% solution="pick_algorithm"
def pick_algorithm(n_images, n_in, n_out, n_rows, n_cols, k, flops_per_us, bytes_per_us):
    """The way of the least time, 0 to 2, and that time in microseconds. The rates are floats, all else integers."""
    outputs, pairs = n_images * n_rows * n_cols, n_in * n_out
    tiles = n_images * ((n_rows + 1) // 2) * ((n_cols + 1) // 2)
    arrays = 4 * (outputs * (n_in + n_out) + pairs * k * k)
    # about 9 lines
    ### BEGIN SOLUTION
    of_ways = [
        (2 * k * k * outputs * pairs, arrays),
        (2 * k * k * outputs * pairs, arrays + 8 * k * k * n_in * outputs),
        (tiles * (32 * n_in + 32 * pairs + 24 * n_out), arrays + 128 * tiles * (n_in + n_out)),
    ]
    times = [max(flops / flops_per_us, n_bytes / bytes_per_us) for flops, n_bytes in of_ways]
    if k != 3:
        times[2] = np.inf
    return times.index(min(times)), min(times)
    ### END SOLUTION


# %% check="pick_algorithm"
q = exercise("convolution.pick_algorithm")
q.check(pick_algorithm).points

# %% [markdown]
# What your function picks for layers that occur, with the two rates of this GPU, or of a named one without a GPU. **Before you run it:** which of the five will Winograd win?

# %%
from autograder.notebook.roof import roof

gpu, source = roof()
rates = gpu.flops_per_s("float32") / 1e6, gpu.memory_bytes_per_s / 1e6
shapes = [(32, 3, 64, 112, 112, 7), (32, 64, 64, 56, 56, 3), (32, 64, 256, 56, 56, 1), (32, 256, 256, 14, 14, 3)]
shapes += [(1, 512, 512, 7, 7, 3)]
print(f"{gpu.name}, {source}")
try:
    for shape in shapes:
        way, time_us = pick_algorithm(*shape, *rates)
        print(f"{str(shape):32} {('implicit GEMM', 'im2col', 'Winograd')[way]:14} {time_us:8.1f} us")
except NotImplementedError:
    print("Nothing to pick yet: first write pick_algorithm.")

# %% [markdown]
# The 3 x 3 layer with 256 channels is Winograd's: the more channels, the more products share the price of a transform. With 64 channels it is close, and decided by how fast a GPU's memory is beside its arithmetic. Layers of 7 x 7 and 1 x 1 have no choice. im2col is never picked: it saves nothing. It lives on where a product is all that a library has.
#
# And where do your own kernels stand? Under the roof, each as high as its counters allow. Look at the three points of `conv_direct`: more weights move it to the right, and not up.

# %%
from autograder.notebook.roof import roofline

sizes = dict(n_images=1, n_in=32, n_out=32, n_rows=8, n_cols=32)
roofline(
    ("direct 1 x 1", "convolution.conv_direct", conv_direct, sizes | dict(k=1)),
    ("direct 3 x 3", "convolution.conv_direct", conv_direct, sizes | dict(k=3)),
    ("direct 5 x 5", "convolution.conv_direct", conv_direct, sizes | dict(k=5)),
    ("tiled 3 x 3", "convolution.conv_tiled", conv_tiled, sizes | dict(k=3)),
    ("implicit 3 x 3", "convolution.conv_implicit", conv_implicit, sizes | dict(k=3)),
)

# %% [markdown]
# ## 8. Predicted, then measured
#
# **Look back.** One layer, 3 x 3, in five ways. The model of rung 7 gives all products the same time, wherever their numbers come from. The first table has a third time beside those of memory and arithmetic: that of the passes over L1 and shared memory, taken from the solutions' counters, as in unit 12; the product after im2col is a library's, and has none. The longest of the three decides.
#
# The second table is measured, with the library's time in the same run, where somebody has measured it.
# **Predict** before you look at it: the order of the five, and which of them will stay furthest from its time.

# %%
from autograder.exercises.u13_convolution.ways import RATES, predicted
from autograder.notebook import display

table = predicted()
display.text(f"{RATES.name}, with the rates that its maker publishes:")
display.table(table["columns"], [tuple(row) for row in table["rows"]])

# %%
from autograder.notebook.recorded import recorded

recorded("convolution");

# %% [markdown]
# <details><summary>What the model leaves out</summary><code>conv_direct</code> waits for L1: two loads for every product, as in unit 3. <code>conv_tiled</code> takes one load from shared memory for nearly every product, <code>conv_implicit</code> half a load. <code>conv_winograd</code> has the fewest products, and loads a weight for each of them. What no column has is the rest of the instructions: guards and indices, which the fills of rungs 2 and 4 are full of, and the waiting at barriers while a tile is on its way. <b>A weak answer</b> compares times only. <b>And then?</b> Where would you go on? Where unit 12 went: squares of 8 x 8 sums, 16 bytes per load, the next tile on its way; the fill of rung 4 stays as it is.</details>

# %% [markdown]
# **Read the profile.** Here is what a profiler says of four kernels of this unit, on one image of 16 x 64 with 8 channels in and 64 out. A barrier counts once for each block that passes it.
#
# | kernel | float32 flops | global load requests | sectors of those | shared load requests | barriers |
# |---|---|---|---|---|---|
# | A | 10,485,760 | 4,768 | 18,784 | 81,920 | 160 |
# | B | 8,949,760 | 282,624 | 753,664 | 0 | 0 |
# | C | 5,636,096 | 80,896 | 188,416 | 0 | 0 |
# | D | 9,437,184 | 3,328 | 18,368 | 165,888 | 512 |
#
# Before you open the answer: which rung is each? Why has A more flops than D, and B fewer, for the same layer? What does the table not show of B?
#
# <details><summary>The answer</summary>C has the fewest flops: Winograd, rung 5. B asks global memory for both factors of every product: rung 1. D and A have tiles, and A takes half a load per product from them: rung 4; D, with one, is rung 2, and its 512 barriers are two for each of 8 channels in 32 blocks. A has more flops since 72 rows fill four and a half tiles of 16, and it works out the fifth whole: 80 / 72 of D's. B has fewer, since its guard skips what lies past an edge, where D adds zeros. The table does not show the arithmetic of indices, on which B spends more instructions than on its sums. <b>A weak answer says</b> "B is fastest, it has no barrier". <b>And then?</b> Which column would a smaller halo change? The sectors of D.</details>

# %% [markdown]
# ## What you can do now
#
# You can write a layer of convolutions directly, from a tile, as a product of a matrix that exists and of one that does not, and with fewer products than it has weights; say of each way what it computes and what it moves, and so which one a library will take for a shape; and say how much of a picture an output sees.
#
# The table has the rungs of this session; where a GPU timed them, the library stands beside them.

# %%
from autograder import ladder

ladder("13_convolution")
