# %% [markdown]
# # The engine's kernels
#
# **The promise:** your INT8 convolution runs ResNet-50's 3 x 3 layer with the largest pictures faster than the library's FP16, and you can say how an engine chooses between kernels.
# The last cells show both: the layer's times beside the library and the engine, and a choice that a second build repeats without measuring anything.
#
# **Time:** a little over four hours, 107 lines to write; rung 4 is a good place for a break.
# **You need:** unit 12 from its rung 7 on: copies that run beside the threads, `ldmatrix`, `mma_int8`, and for rung 5 its last rung; unit 13 for what a convolution is; unit 17 for steps, scales and rounding.
# Without a GPU everything is checked and counted; only the times are missing. Rung 5 uses instructions that an H100 and an H200 have: on other GPUs it is interpreted, and rung 4's kernel is the one that runs.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32, int8, int32, uint32

from autograder import exercise
from autograder.notebook.intrinsics import commit_copies, copy16_async, ldmatrix, ldmatrix_transposed, load16, mma_int8
from autograder.notebook.intrinsics import store16, wait_copies
from autograder.notebook.warpgroups import show_tiles, stmatrix_transposed, wait_products, warpgroup_mma_int8, zero_sums_int8

LOW, HIGH = float32(-128), float32(127)  # what int8 holds

# %% [markdown]
# ## 1. A line of cells
#
# **Goal:** float32 pictures in, steps out (the int8 numbers of unit 17), laid out so that every later rung can load 16 bytes at a time.
#
# A network gets its pictures as float32, channel after channel: (images, channels, rows, columns). A tensor core wants int8, and the channels of one place (one pixel's position) side by side, since it adds over channels. So an engine's first kernel changes type and order in one pass: one read, one write.
#
# Channels are packed in blocks of 32. A place has 32 bytes in each block, a **cell**, which is one sector of memory. TensorRT calls this format kCHW32.
#
# One thing is added here. A 3 x 3 window reaches past the picture's edges, where it meets zeros. If those zeros lie in memory, no kernel has to test for an edge. So the pictures of a batch are put on a **line**: a zero cell to the left of each row, a row of zero cells above each picture, and one more such row and one more cell at the end.
#
# **Example:** two pictures of 2 x 3. A row takes 1 + 3 = 4 cells, which is the **pitch**, and a picture 1 + 2 = 3 rows:
#
# | cells 0 to 3 | 4 to 7 | 8 to 11 | 12 to 15 | 16 to 19 | 20 to 23 | 24 to 27, 28 |
# |---|---|---|---|---|---|---|
# | zeros | a zero, row 0 of picture 0 | a zero, row 1 | zeros | a zero, row 0 of picture 1 | a zero, row 1 | zeros |
#
# The neighbours of cell u are u - 1 and u + 1, u - 4 and u + 4. The zero to the right of a row is the one to the left of the next. For 56 x 56 pictures the zeros are 3.5 % of the line.

# %%
pitch, height = 3 + 1, 2 + 1
for cell in (0, 4, 5, 11, 12, 17):
    row, col = cell // pitch, cell % pitch
    inside = col > 0 and row % height > 0
    print(cell, f"picture {row // height}, row {row % height - 1}, column {col - 1}" if inside else "zero")

# %% [markdown]
# **Write** `pack_int8(real, scale, packed)`: a thread for each cell (the grid's x) and each half cell of 16 channels (the grid's y). Half h holds channels 16 h to 16 h + 15 and lies in block h // 2. `packed` is (blocks, cells, 32). The check also launches other blocks.
# A thread reads 16 numbers, makes 16 steps and stores them with one `store16`: four words of four steps, the first in the lowest byte. Past the last channel, and in zero cells, the steps are 0.
# `round` takes ties to even; NaN becomes 0; cut to -128 and 127 before you convert, all as in unit 17.
#
# **Given:** `word(s0, s1, s2, s3)` puts four steps into a word.
#
# **Predict first**, for two pictures of 7 x 9 with 40 channels, whose line has 171 cells: the bytes loaded, and the store requests. 171 cells are 6 warps.
#
# <details><summary>Interview question: why blocks of 32 channels, and not all channels of a place side by side?</summary>A cell of 32 bytes is a sector, and one int8 instruction of a tensor core adds over 32 channels; neighbouring cells of one block lie side by side, so a kernel copies a run of them in one piece. With all channels side by side (NHWC), a run of places for 32 channels has gaps. <b>A weak answer says</b> "it is faster". <b>And then?</b> What does padding to 32 cost a first layer with 3 channels? More than ten times its bytes, so engines give it a format, and a kernel, of its own.</details>


# %% tags=["setup"]
@cuda.jit(device=True, forceinline=True)
def word(s0, s1, s2, s3):
    """Four steps in a word, the first in its lowest byte. Each: a whole number from -128 to 127."""
    low = uint32(int32(s0) & 255) | uint32(int32(s1) & 255) << uint32(8)
    return low | uint32(int32(s2) & 255) << uint32(16) | uint32(int32(s3) & 255) << uint32(24)


# %%
q = exercise("engine_kernels.pack_int8")
q.show()

# %% predict="pack_int8"
q = exercise("engine_kernels.pack_int8")
q.predict(global_load_bytes=20160, global_store_requests=24)


# %% solution="pack_int8"
@cuda.jit(device=True, forceinline=True)
def step_at(real, image, channel, row, col, scale):
    """The step of one number, 0 past the last channel."""
    # about 6 lines
    ### BEGIN SOLUTION
    if channel >= real.shape[1]:
        return int32(0)
    v = real[image, channel, row, col] / scale
    if v != v:
        v = float32(0)  # NaN has no nearest step
    return int32(round(min(max(v, LOW), HIGH)))
    ### END SOLUTION


@cuda.jit(device=True, forceinline=True)
def word_at(real, image, channel, row, col, scale):
    """The steps of four neighbouring channels as a word."""
    return word(
        step_at(real, image, channel, row, col, scale),
        step_at(real, image, channel + 1, row, col, scale),
        step_at(real, image, channel + 2, row, col, scale),
        step_at(real, image, channel + 3, row, col, scale),
    )


@cuda.jit
def pack_int8(real, scale, packed):
    """real as a line of steps. real: (n_images, n_channels, n_rows, n_cols) float32; packed: (n_blocks, n_cells, 32)
    int8."""
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    # about 11 lines
    ### BEGIN SOLUTION
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at(real, image, 16 * half, row, col, scale)
            w1 = word_at(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane
    ### END SOLUTION


# %% check="pack_int8"
q = exercise("engine_kernels.pack_int8")
q.check(pack_int8).points

# %% race="pack_int8"
q = exercise("engine_kernels.pack_int8")
q.race(pack_int8).points

# %% [markdown]
# ## 2. A product whose matrix is never stored
#
# **Goal:** a convolution on int8 tensor cores.
#
# **Look back.** Unit 13 turned a layer into a matrix product. A 3 x 3 window has nine places, its **taps**: an output is the sum over nine taps, and each tap's part is a sum over channels. Unit 13's matrix was worked out element by element, with `//` and `%` and a test at every edge. On a line all of that is gone. With `u` for a cell, `o` for an output channel, and tap (a, b) in row a and column b of the window,
#
# sums[u, o] = the sum over taps (a, b) and channels of weights[a, b, o] · line[u + (a - 1) · pitch + b - 1].
#
# So for 256 cells in a row the left factor of tap (a, b) is a run of 256 cells. For the next tap it is the same run, one cell further on; for the next row of taps, one pitch further on. A block loads **one** run of 256 + 2 · pitch + 2 cells, and nine products read it, each from another cell on. The matrix with nine times as many cells is never stored anywhere.
#
# **Example:** pitch 4, the cells from 5 on. Their run begins at cell 5 - 4 - 1 = 0, which is row 0 of the run. Tap (0, 0) of cell 5 is row 0, tap (0, 1) row 1, tap (1, 0) row 4, tap (1, 1), the cell itself, row 5, and tap (2, 2) row 2 · 4 + 2 = 10.
#
# In shared memory each cell is a row of 32 bytes. `ldmatrix` reads 16 bytes of each of eight rows; four rows of 32 bytes fill all 32 banks, so row 4 would use the banks of row 0 again, row 5 those of row 1, and so on. So in rows 4 to 7 of every eight the two halves swap places: `place(row, half)` says where a half lies. It depends on the row's number alone, so a product may begin at any row.
#
# Weights come as (blocks, 9, outputs, 32): a row of 32 channels for each tap and output, which is what `mma_int8` wants as its right factor. In shared memory they lie after the run: nine taps of 64 rows each.

# %%
run, taps = np.arange(256 + 2 * 4 + 2), [(a, b) for a in range(3) for b in range(3)]
for a, b in taps[:4]:
    print(f"tap ({a}, {b}): rows {run[4 * a + b]} to {run[4 * a + b + 255]} of the run")
print(f"{len(run)} rows loaded, {9 * 256} read")

# %% [markdown]
# **Given:** `fill` loads a block of channels: the run from row 0 on, and the weights from row `rows_of_run(pitch)` on, tap after tap, 64 rows each, with zeros where there is nothing. `mma_row` multiplies 16 cells with 64 channels.
#
# **Write** the loop of `conv_tile(src, weights, pitch, sums)`: eight warps, 256 cells, 64 output channels; a warp has 32 cells, two rows of fragments. For each block of channels: fill, barrier, nine taps, barrier.
# A tap takes four `ldmatrix` of weights, 16 output channels each, and two of cells, 16 cells each. In both, a lane names a row and a half: `row_a` and `half_a` for the warp's first 16 cells at tap (0, 0), `row_b` and `half_b` for the first 16 output channels of that tap. For other taps, cells and channels the row lies further on.
#
# **Predict first** the shared load requests for 256 cells, 32 channels in and 64 out.


# %% tags=["setup"]
WEIGHTS = 9 * 64  # rows of weights that a block of channels has


@cuda.jit(device=True, forceinline=True)
def place(row, half):
    """Where half a row of shared memory lies: in rows 4 to 7 of every eight, the halves have changed places."""
    return 32 * row + 16 * (half ^ (row // 4 % 2))


@cuda.jit(device=True, forceinline=True)
def rows_of_run(pitch):
    """Rows of shared memory for 256 cells and what their taps reach: a multiple of 8. The weights begin there."""
    return (256 + 2 * pitch + 2 + 7) // 8 * 8


@cuda.jit(device=True, forceinline=True)
def fill(tiles, src, weights, block, first, out0, pitch):
    """Load the run of cells from `first` on, and the weights of 64 outputs; zeros where there is none."""
    half, row = cuda.threadIdx.x % 2, cuda.threadIdx.x // 2
    z = uint32(0)
    for r in range(row, 256 + 2 * pitch + 2, 128):
        x = (z, z, z, z)
        if 0 <= first + r < src.shape[1]:
            x = load16(src, (block, first + r, 16 * half))
        store16(tiles, place(r, half), x)
    for r in range(row, WEIGHTS, 128):
        x = (z, z, z, z)
        if out0 + r % 64 < weights.shape[2]:
            x = load16(weights, (block, r // 64, out0 + r % 64, 16 * half))
        store16(tiles, place(rows_of_run(pitch) + r, half), x)


@cuda.jit(device=True, forceinline=True)
def mma_row(acc, a, y0, y1, y2, y3):
    """16 cells of 64 channels: eight fragments of sums, from one of cells and four pairs of weights."""
    return (
        mma_int8(a, y0[:2], acc[0]),
        mma_int8(a, y0[2:], acc[1]),
        mma_int8(a, y1[:2], acc[2]),
        mma_int8(a, y1[2:], acc[3]),
        mma_int8(a, y2[:2], acc[4]),
        mma_int8(a, y2[2:], acc[5]),
        mma_int8(a, y3[:2], acc[6]),
        mma_int8(a, y3[2:], acc[7]),
    )


@cuda.jit(device=True, forceinline=True)
def put(dst, row, col, x):
    """dst[row, col] = x, if there is such an element."""
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = x


@cuda.jit(device=True, forceinline=True)
def put_fragment(dst, row, col, x):
    """One lane's four sums: dst[row, col], dst[row, col + 1], and the same eight rows further down."""
    put(dst, row, col, x[0])
    put(dst, row, col + 1, x[1])
    put(dst, row + 8, col, x[2])
    put(dst, row + 8, col + 1, x[3])


@cuda.jit(device=True, forceinline=True)
def put_row(dst, row, col, x):
    """One lane's part of 16 cells of 64 channels."""
    put_fragment(dst, row, col, x[0])
    put_fragment(dst, row, col + 8, x[1])
    put_fragment(dst, row, col + 16, x[2])
    put_fragment(dst, row, col + 24, x[3])
    put_fragment(dst, row, col + 32, x[4])
    put_fragment(dst, row, col + 40, x[5])
    put_fragment(dst, row, col + 48, x[6])
    put_fragment(dst, row, col + 56, x[7])


# %% [markdown]
# The kernel below fills one run and multiplies nothing. Step past the barrier and look at rows 4 to 7 of `tiles`: which half of a cell comes first in them?

# %%
@cuda.jit
def one_run(src, weights, pitch, sums):
    """The run and the weights of a block in shared memory, and one byte of the run for each output."""
    tiles = cuda.shared.array(0, int8)
    fill(tiles, src, weights, 0, 256 * cuda.blockIdx.x - pitch - 1, 64 * cuda.blockIdx.y, pitch)
    cuda.syncthreads()
    if cuda.threadIdx.x < sums.shape[1]:
        sums[0, cuda.threadIdx.x] = tiles[place(cuda.threadIdx.x, 0)]


q = exercise("engine_kernels.conv_tile")
q.step(one_run)

# %%
q = exercise("engine_kernels.conv_tile")
q.show()

# %% predict="conv_tile"
q = exercise("engine_kernels.conv_tile")
q.predict(shared_load_requests=432)


# %% solution="conv_tile"
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    """Sums of nine taps, a block of 8 warps for 256 cells of 64 outputs. src: (n_blocks, n_cells, 32), weights:
    (n_blocks, 9, n_out, 32) int8, sums: (n_cells, n_out) int32."""
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # the row and column that this lane gives ldmatrix for cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and for weights
    # about 15 lines
    ### BEGIN SOLUTION
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(9):
            at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # no thread still reads them
    ### END SOLUTION
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


# %% check="conv_tile"
q = exercise("engine_kernels.conv_tile")
q.check(conv_tile).points

# %% [markdown]
# <details><summary>Interview question: the sums of zero cells are worked out, too, and thrown away. Why is that cheaper than leaving them out?</summary>They are few, and a tile without gaps needs no tests: each tap is the same rows, a fixed distance further on. Leaving them out would bring back a division for each cell. <b>A weak answer says</b> "the compiler removes them". <b>And then?</b> When is it not cheaper? With pictures of 7 x 7, zero cells are nearly a quarter of the line, and with a stride of 2 three of four sums would be thrown away: then rows are gathered one by one.</details>
#
# ## 3. The next block of channels, on its way
#
# **Goal:** tensor cores that do not wait for memory.
#
# **Look back.** `conv_tile` loads, waits at a barrier, multiplies, waits again. While it loads, the tensor cores stand still; while it multiplies, no load is under way. Unit 12 has the cure: `copy16_async` and a ring of stages. Here a **stage** is a run and its weights: all that one block of channels needs.
#
# Two stages are enough, since nine taps take long against the latency of memory:
#
# | iteration | waits for | begins to copy | multiplies |
# |---|---|---|---|
# | before | | block 0 into stage 0 | |
# | 0 | block 0 | block 1 into stage 1 | stage 0 |
# | 1 | block 1 | block 2 into stage 0 | stage 1 |
#
# The barrier stands between the wait and the copy. It makes what *other* threads copied visible to all, and no thread passes it while another still multiplies the stage that is filled next.
#
# **Example:** three blocks of channels. Copies of blocks 0, 1 and 2 begin before iteration 0, in iteration 0 and in iteration 1; iteration 2 begins none, and its group is empty. So two of the three blocks arrive while products are worked out.
#
# **Given:** `copy_block(tiles, stage, src, weights, block, first, pitch, channel, row_w)` begins the copies of one block of channels into the stage from row `stage` on, and closes their group; past the last block the group is empty. `channel` is the output whose weights this thread copies, and `row_w` says into which of a tap's 64 rows; here they are out0 + t // 2 % 64 and t // 2 % 64. `add_taps` multiplies a stage: it is the middle of rung 2's loop.
#
# **Write** the loop of `conv_ring(src, weights, pitch, sums)`. A stage has `rows_of_run(pitch) + WEIGHTS` rows.
#
# **Predict first** the copies that begin, for 256 cells, 64 channels in and 64 out with a pitch of 9. As in unit 12, a warp's copy counts once for each element of a lane: here 16 times, since 16 bytes are 16 elements. A warp copies 16 rows at a time: the 276 rows of the run take 18 such copies, but the last one would hold only cells past the end of the line, so it never begins.


# %% tags=["setup"]
@cuda.jit(device=True, forceinline=True)
def copy_block(tiles, stage, src, weights, block, first, pitch, channel, row_w):
    """Begin to copy the run from `first` on and the weights of one block of channels; close the group."""
    half, row, z = cuda.threadIdx.x % 2, cuda.threadIdx.x // 2, uint32(0)
    if block < src.shape[0]:
        to, cell = 32 * stage + place(row, half), first + row
        for _ in range(row, 256 + 2 * pitch + 2, 128):
            if 0 <= cell < src.shape[1]:
                copy16_async(tiles, to, src, (block, cell, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
            to += 128 * 32
            cell += 128
        to = 32 * (stage + rows_of_run(pitch) + row // 64 * 64) + place(row_w, half)
        for tap in range(row // 64, 9, 2):
            if channel < weights.shape[2]:
                copy16_async(tiles, to, weights, (block, tap, channel, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
            to += 128 * 32
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def add_taps(acc, tiles, stage, pitch):
    """The products of one stage: nine taps, 32 cells of 64 channels per warp."""
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    row_a, half_a = stage + 32 * warp + lane % 16, lane // 16
    row_b, half_b = stage + rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2
    for tap in range(9):
        at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
        y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
        y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
        acc = (
            mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
            mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
        )
    return acc


# %%
q = exercise("engine_kernels.conv_ring")
q.show()

# %% predict="conv_ring"
q = exercise("engine_kernels.conv_ring")
q.predict(async_copy_requests=1696)


# %% solution="conv_ring"
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    """The same sums from two stages. src: (n_blocks, n_cells, 32), weights: (n_blocks, 9, n_out, 32) int8, sums:
    (n_cells, n_out) int32."""
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    # about 8 lines
    ### BEGIN SOLUTION
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels has arrived
        cuda.syncthreads()  # for all threads; none still multiplies the other stage
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    ### END SOLUTION
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


# %% check="conv_ring"
q = exercise("engine_kernels.conv_ring")
q.check(conv_ring).points

# %% [markdown]
# **Find the bug.** Somebody moved the loop's barrier to its end, since "everybody has multiplied by then". With luck the sums still come out right.
# Which line reads bytes that another thread's copy may not have brought yet? Name it before you run the cell, then read the verdict.

# %%
@cuda.jit(launch_bounds=(256, 2))
def draft(src, weights, pitch, sums):
    """The sums from two stages. Wrong."""
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
        cuda.syncthreads()
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


q.check(draft);

# %% [markdown]
# <details><summary>Answer</summary><code>wait_copies</code> waits for the copies of its own thread. In <code>add_taps</code>, <code>ldmatrix</code> reads rows that other threads copied, and no barrier stands between their wait and this read. The barrier at the end comes too late for block 0, and for every later one it stands before the wait. It belongs after the wait.</details>
#
# ## 4. The rest of the layer, before anything is stored
#
# **Goal:** one byte stored per output, where rung 3 stores four and leaves the rest to others.
#
# **Look back.** `conv_ring` stores sums, 4 bytes each. A second kernel would have to read them all again, scale them, add a bias and a residual, cut them and round them. Unit 17's `int8_layer` did that in registers; here it is the end of a kernel on tensor cores, its **epilogue**.
#
# The obstacle is which lane holds which channels. A lane has two neighbouring channels, then none of the next six, then two more: pieces of 2 bytes. But which channel a column of the product *is* depends on the weights: column j belongs to row j of the weights in shared memory. So their rows are copied there in another **order**: channel n goes to row 8 (n % 16 // 2) + 2 (n // 16) + n % 2. Then lane t of four holds channels 16 t to 16 t + 15, all neighbours: 16 bytes, one store. It costs nothing, since every row has to be copied somewhere.
#
# **Example:** lane 1 of four holds columns 2, 3, 10, 11, 18, 19 and so on. Channel 16 goes to row 0 + 2 + 0 = 2, channel 17 to row 3, channel 18 to row 8 + 2 + 0 = 10.
#
# There is a trick for rounding as well. A float32 keeps 24 significant bits. A number near 1.5 · 2²³ has none left for a fraction, so with `WHOLE` = 12,582,912, which is 1.5 · 2²³, the addition `v + WHOLE` itself rounds v to a whole number, ties to even, and the lowest 8 bits of the result are the step. One addition replaces a conversion, which is a slow instruction.

# %%
for v in (0.5, 1.5, 2.5, -2.5, 127.0):
    bits = (np.float32(v) + np.float32(12582912)).view(np.int32)
    print(v, np.int8(bits & 255 if bits & 255 < 128 else (bits & 255) - 256))

# %% [markdown]
# **Given:** `order(channel)`; `byte(v)`, the rounding above; `residual_at` loads 16 steps of the residual, or zeros where its multiplier is 0; `put_cell` stores 16 bytes, zeros in zero cells; `four_channels` calls your `steps_of_four` for four cells with the same constants.
#
# **Write** `steps_of_four(x0, x1, i, m, a, residual, numbers)`: four channels of one cell. Their sums are x0[i], x0[i + 1], x1[i], x1[i + 1]; `m` and `a` hold four multipliers and four addends, `residual` is a word of four steps, and `numbers` = (residual_multiplier, low, high). Work in steps of the output: sum times multiplier plus addend, plus the residual's step times its multiplier, unless that is 0. Cut to low and high and to what int8 holds, round once, and return a word. `int8(residual >> 8)` is the residual's second step, with its sign. Then write the loop of `conv_layer`: it is rung 3's, with `order(row_w)` for the row.
#
# **Predict first** how many store requests the block's 8 warps make for 256 cells of 64 outputs.
#
# <details><summary>Interview question: why is the residual not added to the sum before it is scaled?</summary>The sum is in steps of input times weight, which differ for each channel; the residual is in steps of another tensor. They meet in steps of the output, where both are real numbers. <b>A weak answer says</b> "it does not matter". <b>And then?</b> Why not round the sum to int8 first? Two roundings differ from one, and what was cut cannot be brought back by the residual.</details>


# %% tags=["setup"]
WHOLE = float32(12582912)  # 1.5 * 2^23: float32 has no fractions from here on


@cuda.jit(device=True, forceinline=True)
def order(channel):
    """The row of 64 where a channel's weights go, so that each lane gets 16 neighbouring channels."""
    return 8 * (channel % 16 // 2) + 2 * (channel // 16) + channel % 2


@cuda.jit(device=True, forceinline=True)
def byte(v):
    """v rounded to a whole number, half to even, as a byte. v: float32 from -128 to 127."""
    return uint32(cuda.libdevice.float_as_int(v + WHOLE)) & uint32(255)


@cuda.jit(device=True, forceinline=True)
def residual_at(residual, cell, out, residual_multiplier):
    """16 steps of a cell from channel `out` on, as four words; zeros where there is none, or nothing is added."""
    z = uint32(0)
    if residual_multiplier == float32(0) or cell >= residual.shape[1] or out >= 32 * residual.shape[0]:
        return z, z, z, z
    return load16(residual, (out // 32, cell, out % 32))


@cuda.jit(device=True, forceinline=True)
def put_cell(dst, cell, out, pitch, height, words):
    """16 steps of a cell from channel `out` on; in a zero cell, zeros."""
    if cell < dst.shape[1] and out < 32 * dst.shape[0]:
        row = uint32(cell) // uint32(pitch)
        z = uint32(0)
        if uint32(cell) == row * uint32(pitch) or row % uint32(height) == z:
            words = (z, z, z, z)
        store16(dst, (out // 32, cell, out % 32), words)


# %%
q = exercise("engine_kernels.conv_layer")
q.show()

# %% predict="conv_layer"
q = exercise("engine_kernels.conv_layer")
q.predict(global_store_requests=32)


# %% solution="conv_layer"
@cuda.jit(device=True, forceinline=True)
def steps_of_four(x0, x1, i, m, a, residual, numbers):
    """Four channels of a cell as a word of steps. x0, x1: fragments; m, a: four float32; residual: a word."""
    residual_multiplier, low, high = numbers
    # about 10 lines
    ### BEGIN SOLUTION
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each
    ### END SOLUTION


@cuda.jit(device=True, forceinline=True)
def four_channels(upper, lower, out, multiplier, addend, r, numbers):
    """Channels out to out + 3 of four cells, a word for each. upper, lower: two fragments each; r: a word per cell."""
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish(dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers):
    """The epilogue of a lane: 16 channels of cells cell, cell + 8, cell + apart and cell + apart + 8."""
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels(upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers)
    c1 = four_channels(upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers)
    c2 = four_channels(upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers)
    c3 = four_channels(upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers)
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    """A layer from line to line. src, residual, dst: lines; weights: (n_blocks, 9, n_out, 32) int8; multiplier, addend:
    float32, a number per channel of dst."""
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    # about 8 lines
    ### BEGIN SOLUTION
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels has arrived
        cuda.syncthreads()  # for all threads; none still multiplies the other stage
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    ### END SOLUTION
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


# %% check="conv_layer"
q = exercise("engine_kernels.conv_layer")
q.check(conv_layer).points

# %% race="conv_layer"
q = exercise("engine_kernels.conv_layer")
q.race(conv_layer).points

# %% [markdown]
# ## 5. Products that run beside the threads
#
# **Goal:** the tensor cores read the run straight from shared memory.
#
# **Look back.** In rung 4 every product waits for fragments in registers: 54 `ldmatrix` and 144 `mma_int8` per warp for each block of channels. Unit 12's last rung had the cure for float16: four warps, a **warpgroup**, ask for a whole product with one instruction, and the tensor cores take both factors from shared memory.
#
# For int8 it is `warpgroup_mma_int8(tiles, first_a, first_b, sums)`: 64 rows of 32 bytes from byte `first_a` on, times 256 rows from `first_b` on. It begins the product and returns; each thread holds 128 sums. It expects the halves swapped in rows 4 to 7 of every eight, counted from the start of shared memory, just as `place` lays them. So here, too, a tap is only another starting row in the same run, and not a byte is moved for it.
#
# Which factor is the left one? Until now the cells were. But 64 rows of cells with 64 rows of weights are 4,096 bytes of shared memory for 64 · 64 sums, and shared memory gives 128 bytes per clock: that takes 32 clocks, as long as the tensor cores need for the product itself. So the **weights** are the left factor, 64 rows, and all 256 cells of the block the right one: 10,240 bytes, 80 clocks, for 64 · 256 sums, which take the tensor cores 128. One warpgroup, 128 threads, is now the whole block, and a block of channels takes nine products.
#
# **Example:** pitch 9, stage at row 0. The run has 256 + 20 rows, so the weights begin at row 280, byte 8,960. Tap (0, 0) multiplies them by the run from byte 0 on; tap (1, 2) begins at row 9 + 2 = 11 of the run, byte 352, and its weights 5 · 64 rows further on, at byte 19,200.
#
# The stages are rung 4's, and so is the loop, with two more lines, as in unit 12: `show_tiles()` between the wait for the copies and the barrier, and before the barrier also `sums = wait_products(sums, 0)`, which waits until none of this warpgroup's products is under way. After that barrier nothing reads the other stage any more:
#
# | iteration | waits for | begins to copy | multiplies |
# |---|---|---|---|
# | 0 | block 0 | block 1 into stage 1 | block 0 in stage 0 |
# | 1 | block 1, and the products of block 0 | block 2 into stage 0 | block 1 in stage 1 |
#
# Since rows are channels now, a thread has two channels of 64 cells: their constants are four numbers, loaded once. But the bytes of one cell are now spread over eight lanes. `in_pairs` makes a lane's two channels neighbours, `stmatrix_transposed` transposes 8 x 8 such pairs on their way to shared memory, and from there a thread stores 16 channels of a cell, as before.

# %%
pitch = 9
for tap in (0, 1, 5, 8):
    row = tap // 3 * pitch + tap % 3
    print(f"tap ({tap // 3}, {tap % 3}): run from byte {32 * row}, weights from byte {32 * (280 + 64 * tap)}")

# %% [markdown]
# **Given:** `copy_stage` is `copy_block` for 128 threads, with 32-bit indices; `in_pairs` takes the place of `order`; `finish_turned` does the rest of the layer with your `steps_of_four`, in the stage `now`, which is free after your last exchange.
#
# **Write** the loop of `conv_warpgroup`. Write the nine taps as two nested loops of three, without `//` and `%`. The run begins at byte 32 · `now` of `tiles`; the weights of a tap are 2,048 bytes. No H100 or H200 here? `q.check` interprets your kernel and compiles it for one, and says so; only its time is missing.
#
# **Predict first** how many copies begin, counted as in rung 3, for 256 cells with a pitch of 9, 160 channels in and 64 out.


# %% tags=["setup"]
@cuda.jit(device=True, forceinline=True)
def in_pairs(channel):
    """The row of 64 where a channel's weights go, so that a lane's rows r and r + 8 are neighbouring channels."""
    return channel // 16 * 16 + channel % 16 // 2 + channel % 2 * 8


@cuda.jit(device=True, forceinline=True)
def copy_stage(tiles, stage, src, weights, block, first, pitch, channel, row_w):
    """`copy_block` for 128 threads: row_w is the row of 64 where weights of `channel` go, of every tap."""
    half, row, z = cuda.threadIdx.x % 2, cuda.threadIdx.x // 2, uint32(0)
    if block < src.shape[0]:
        to, cell = int32(32 * stage + place(row, half)), int32(first + row)
        end, n_cells = int32(first + 256 + 2 * pitch + 2), uint32(src.shape[1])
        while cell < end:
            if uint32(cell) < n_cells:  # below 0 is very large
                copy16_async(tiles, to, src, (block, cell, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
            to += int32(64 * 32)
            cell += int32(64)
        to = int32(32 * (stage + rows_of_run(pitch)) + place(row_w, half))
        for tap in range(9):
            if channel < weights.shape[2]:
                copy16_async(tiles, to + 2048 * tap, weights, (block, tap, channel, 16 * half))
            else:
                store16(tiles, to + 2048 * tap, (z, z, z, z))
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def two_channels(s, m, a, r, numbers):
    """Two channels of two neighbouring cells as a word. s: four sums; r: the same of the residual."""
    return steps_of_four((s[0], s[2]), (s[1], s[3]), 0, m, a, r, numbers)


@cuda.jit(device=True, forceinline=True)
def turn(tiles, at, s, m, a, numbers):
    """16 sums of a lane as steps: a warp's 16 channels of 32 cells, each cell's side by side. They replace the
    residual, whose row of this lane is at `at`."""
    r = (uint32(0), uint32(0), uint32(0), uint32(0))
    if numbers[0] != float32(0):
        r = ldmatrix_transposed(tiles, at)
    w0, w1 = two_channels(s[:4], m, a, r[0], numbers), two_channels(s[4:8], m, a, r[1], numbers)
    w2, w3 = two_channels(s[8:12], m, a, r[2], numbers), two_channels(s[12:], m, a, r[3], numbers)
    stmatrix_transposed(tiles, at, (w0, w1, w2, w3))


@cuda.jit(device=True, forceinline=True)
def put_tile(dst, tiles, slot, cell0, out0, pitch, height):
    """256 cells of 64 channels from shared memory, 16 at a time; zeros in zero cells. Row and column of a thread's
    first cell take the only divisions: from there on they are followed, 64 cells at a time."""
    half, z, one = cuda.threadIdx.x % 2, uint32(0), uint32(1)
    cell = uint32(cell0 + cuda.threadIdx.x // 2)
    col, row = cell % uint32(pitch), cell // uint32(pitch) % uint32(height)
    for r in range(cuda.threadIdx.x // 2, 256, 64):
        for part in range(2):
            out = out0 + 32 * part + 16 * half
            if cell < uint32(dst.shape[1]) and out < 32 * dst.shape[0]:
                words = load16(tiles, slot + place(r + 256 * part, half))
                if col == z or row == z:
                    words = (z, z, z, z)
                store16(dst, (out // 32, cell, out % 32), words)
        cell += uint32(64)
        col += uint32(64)
        while col >= uint32(pitch):
            col -= uint32(pitch)
            row = row + one if row + one < uint32(height) else z


@cuda.jit(device=True, forceinline=True)
def finish_turned(tiles, slot, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst):
    """The rest of the layer for 256 cells of 64 channels, through 512 rows of shared memory from byte `slot` on."""
    t, z = cuda.threadIdx.x, float32(0)
    half, warp, lane = t % 2, t // 32, t % 32
    channel = out0 + 16 * warp + lane // 4 * 2
    m = a = (z, z, z, z)
    if channel < multiplier.size:
        m0, m1, a0, a1 = multiplier[channel], multiplier[channel + 1], addend[channel], addend[channel + 1]
        m, a = (m0, m1, m0, m1), (a0, a1, a0, a1)
    if numbers[0] != z:
        for row in range(t // 2, 512, 64):
            out = out0 + row // 256 * 32 + 16 * half
            store16(tiles, slot + place(row, half), residual_at(residual, cell0 + row % 256, out, numbers[0]))
        cuda.syncthreads()  # every lane's residual is there
    at = slot + place(warp // 2 * 256 + lane, warp % 2)
    turn(tiles, at, sums[:16], m, a, numbers)
    turn(tiles, at + 1024, sums[16:32], m, a, numbers)
    turn(tiles, at + 2048, sums[32:48], m, a, numbers)
    turn(tiles, at + 3072, sums[48:64], m, a, numbers)
    turn(tiles, at + 4096, sums[64:80], m, a, numbers)
    turn(tiles, at + 5120, sums[80:96], m, a, numbers)
    turn(tiles, at + 6144, sums[96:112], m, a, numbers)
    turn(tiles, at + 7168, sums[112:], m, a, numbers)
    cuda.syncthreads()  # every lane's steps are there
    put_tile(dst, tiles, slot, cell0, out0, pitch, height)


# %%
q = exercise("engine_kernels.conv_warpgroup")
q.show()

# %% predict="conv_warpgroup"
q = exercise("engine_kernels.conv_warpgroup")
q.predict(async_copy_requests=4240)


# %% solution="conv_warpgroup"
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    """The same layer, by one warpgroup for 256 cells of 64 outputs, from two stages."""
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    # about 16 lines
    ### BEGIN SOLUTION
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels has arrived
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the previous block: nothing still reads its stage
        cuda.syncthreads()  # for all threads
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    ### END SOLUTION
    numbers = (residual_multiplier, low, high)  # nothing reads stage `now` any longer
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


# %% check="conv_warpgroup"
q = exercise("engine_kernels.conv_warpgroup")
q.check(conv_warpgroup).points

# %% race="conv_warpgroup"
q = exercise("engine_kernels.conv_warpgroup")
q.race(conv_warpgroup).points

# %% [markdown]
# **What the engine does that this rung does not.** In yours, 128 threads begin copies of 16 bytes, more than a dozen each per block of channels, and finish 128 outputs each; meanwhile the tensor cores are idle: compare the TOPS of rung 9's table with the engine's. The work between products is what costs: `put_tile` divides once for its row and column and counts on from there, since two divisions for every store showed in the kernel's time. In the engine's kernel one warp does nothing but begin copies, and one instruction copies a whole tile, by the **tensor memory accelerator**. Two other warpgroups take turns: one multiplies while the other is in its epilogue. Its blocks stay and take tile after tile, so the next tile is on its way before the last one is stored.
#
# <details><summary>Interview question: your tensor cores are idle for much of the time. What do you look at first?</summary>At what the warps wait for. Here they wait for copies, for each other at barriers, and for their own instructions: three blocks of four warps are too few to hide that. So either each instruction does more, as with bulk copies, or the stages of a tile overlap, as with warps that have one job each. <b>A weak answer says</b> "occupancy is low, so use more threads". <b>And then?</b> Why not more threads? Sums alone take 128 registers of each: with a fourth block per multiprocessor, 128 would be all that a thread may have.</details>

# %% [markdown]
# ## 6. Few tiles, many blocks
#
# **Goal:** one picture that keeps the whole GPU at work.
#
# **Look back.** Rungs 2 to 5 give each tile to one block. With 128 pictures there are hundreds of tiles. But a request is often one picture, and ResNet-50's last layers have 7 x 7 places of 512 channels: 73 cells, which is one tile along the line, times eight tiles of 64 outputs. So eight blocks run, and each adds up 16 blocks of channels, one after the other, while most of an H200's 132 multiprocessors have nothing to do.
#
# There are no more tiles, but the sum can be cut into parts. Let several blocks have the same tile, told apart by `blockIdx.z`. Each takes a **share** of the blocks of channels, and their partial sums are added up. For products that is called **split-K**, since k is the index one sums over.
#
# Which share takes which block of channels? Share z takes z, z + `gridDim.z`, z + 2 · `gridDim.z` and so on, as a grid-stride loop takes elements. Then `copy_block` needs no new test: past the last block of channels it begins nothing.
#
# And how are the shares put together? Each adds to `sums`, which are 0 before, with atomics. That costs: every sum is read and written again in L2. int32 adds exactly, so it does not matter who comes first, and every run gives the same bytes. With float32 the order would matter: there an engine lets each share store sums of its own, and another kernel adds them in a fixed order.
#
# **Example:** five blocks of channels and three shares: share 0 has blocks 0 and 3, share 1 has 1 and 4, share 2 has 2 alone.

# %%
for batch in (1, 8, 128):
    cells = batch * 8 * 8 + 8 + 1
    tiles = -(-cells // 256) * (512 // 64)
    print(f"batch {batch:3}: {tiles:3} tiles, so {-(-132 // tiles):2} blocks per tile for 132 multiprocessors")

# %% [markdown]
# **Write** `add(dst, row, col, x)`, which is `put` with an atomic, and the loop of `conv_split(src, weights, pitch, sums)`, which is rung 3's for the blocks of channels of this share.
#
# **Predict first** the atomic requests of the whole launch for 256 cells with 64 outputs and three shares: each lane has 64 sums, whatever its share.
#
# <details><summary>Interview question: why not always split?</summary>Every share adds all sums of its tile, 4 bytes each, and they have to be set to 0 first; the steps of the output cannot be worked out in the same kernel, since no block has the whole sum. Where tiles fill the GPU anyway, that is only more traffic. <b>A weak answer says</b> "atomics are slow". <b>And then?</b> How could the last block to arrive finish the layer in the same launch? Each block counts itself in with an atomic after a fence; the one that completes the count reads the sums and stores the steps, as unit 8's last block does.</details>

# %%
q = exercise("engine_kernels.conv_split")
q.show()

# %% predict="conv_split"
q = exercise("engine_kernels.conv_split")
q.predict(global_atomic_requests=1536)


# %% solution="conv_split"
@cuda.jit(device=True, forceinline=True)
def add(dst, row, col, x):
    """dst[row, col] += x, if there is such an element; no other block's addition is lost."""
    # about 2 lines
    ### BEGIN SOLUTION
    if row < dst.shape[0] and col < dst.shape[1]:
        cuda.atomic.add(dst, (row, col), x)
    ### END SOLUTION


@cuda.jit(device=True, forceinline=True)
def add_fragment(dst, row, col, x):
    """One lane's four sums: dst[row, col], dst[row, col + 1], and the same eight rows further down."""
    add(dst, row, col, x[0])
    add(dst, row, col + 1, x[1])
    add(dst, row + 8, col, x[2])
    add(dst, row + 8, col + 1, x[3])


@cuda.jit(device=True, forceinline=True)
def add_row(dst, row, col, x):
    """One lane's part of 16 cells of 64 channels."""
    add_fragment(dst, row, col, x[0])
    add_fragment(dst, row, col + 8, x[1])
    add_fragment(dst, row, col + 16, x[2])
    add_fragment(dst, row, col + 24, x[3])
    add_fragment(dst, row, col + 32, x[4])
    add_fragment(dst, row, col + 40, x[5])
    add_fragment(dst, row, col + 48, x[6])
    add_fragment(dst, row, col + 56, x[7])


@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    """The sums of rung 3, added up by gridDim.z blocks per tile. sums: (n_cells, n_out) int32, 0 before."""
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t, share, shares = cuda.threadIdx.x, cuda.blockIdx.z, cuda.gridDim.z
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    # about 8 lines
    ### BEGIN SOLUTION
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, share, first, pitch, out0 + row_w, row_w)
    for block in range(share, src.shape[0], shares):
        wait_copies(0)  # this block of channels has arrived
        cuda.syncthreads()  # for all threads; none still multiplies the other stage
        copy_block(tiles, free, src, weights, block + shares, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    ### END SOLUTION
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


# %% check="conv_split"
q = exercise("engine_kernels.conv_split")
q.check(conv_split).points

# %% [markdown]
# What does it gain? Here are the times of that layer's sums, for one picture; setting `sums` to 0 is part of the time. **Before you run it:** will 16 shares, one block of channels each, be the fastest?

# %%
from autograder.notebook.recorded import recorded

recorded("engine_kernels", "one picture");

# %% [markdown]
# ## 7. A time you can trust
#
# **Goal:** times of several kernels that can be compared.
#
# **Look back.** For one layer you now have several kernels that give the same bytes. Which is fastest depends on the layer, so an engine does not guess: it runs every candidate, called a **tactic**, on the GPU it builds for, and takes the best. A wrong time makes an engine slow for as long as it is used, so timing is done with care. Five things go wrong:
#
# - **Launches return at once.** A clock that is read without waiting measures the launch.
# - **The first launch does more:** it compiles, loads the code, wakes the GPU. So every kernel runs once before anything is timed.
# - **The cache is warm.** Run twice, a kernel finds its inputs in L2, where in a network the layer before left other things. So the cache is filled with something else first, outside of what is timed.
# - **The GPU drifts.** It gets warm and slows down. Time all runs of one kernel, then all of the next, and you compare a cool GPU with a warm one. So kernels take turns, in **rounds**.
# - **Something interrupts.** Now and then a launch takes many times as long. So the **median** of the rounds counts, not the mean. With an even number of rounds it is the mean of the two in the middle.
#
# **Example:** rounds of 20, 21, 20, 420, 22 microseconds. Mean 100.6, median 21.

# %%
rounds = np.array([20, 21, 20, 420, 22])
print(rounds.mean(), np.median(rounds), rounds.min())

# %% [markdown]
# **Write** `time_kernels(device, n_kernels, rounds)`, a host function that returns the median time of each kernel, in microseconds, as an array of float64.
# The judge holds the device and its clock: `device.launch(k)` starts kernel k and returns at once; `device.wait()` returns when all work is done; `device.clock()` is the time now, in microseconds; `device.flush()` starts to fill the L2 cache with other data, and returns at once, too. So the same answer has the same times everywhere, and no GPU is needed. `device.launch` costs the host 5 microseconds; a launch that is waited for lasts at least that long.
#
# **Predict**, as a text with a space between them: how many launches do 3 kernels and 5 rounds take in all, and how many flushes?
#
# <details><summary>Interview question: your benchmark says 20 microseconds, the profile of the whole network says 31 for the same kernel. Why?</summary>In the benchmark its inputs lay in L2, or the GPU was cool and clocked higher, or launches followed each other without a gap. Measure as it will run: cold inputs, a GPU under load, inside a graph. <b>A weak answer says</b> "the profiler is slow". <b>And then?</b> Which of the two decides between kernels? The one that resembles the network; a kernel that wins in a warm cache may lose in a cold one.</details>

# %% predict="time_kernels"
q = exercise("engine_kernels.time_kernels")
q.predict(prints="18 15")


# %% solution="time_kernels"
def time_kernels(device, n_kernels, rounds):
    """The median time of kernels 0 to n_kernels - 1, in microseconds: (n_kernels,) float64."""
    # about 11 lines
    ### BEGIN SOLUTION
    for k in range(n_kernels):
        device.launch(k)  # compiles it
    times = np.zeros((rounds, n_kernels))
    for r in range(rounds):
        for k in range(n_kernels):  # all of them in each round: they share the drift
            device.flush()
            device.wait()
            begin = device.clock()
            device.launch(k)
            device.wait()
            times[r, k] = device.clock() - begin
    return np.median(times, axis=0)
    ### END SOLUTION


# %% check="time_kernels"
q = exercise("engine_kernels.time_kernels")
q.check(time_kernels).points

# %% [markdown]
# ## 8. Which kernel, and how long the choice holds
#
# **Goal:** a choice that is made once, and made again only where it may come out differently.
#
# **Look back.** Timing many candidates for every layer takes long, and ResNet-50 has 53 convolutions. But many are alike, and tomorrow's build asks the same again. So times go into a **timing cache**, and a build that finds its question there measures nothing.
#
# The question is the **key**. It must hold everything that a time depends on: the layer's shape with its batch, its type, the GPU, and the version of the kernels. A key that lacks one of them gives the times of another case, and nobody notices. A key that holds too much, such as the layer's name, is never wrong but seldom finds anything. This is also why an engine is bound to a GPU and a version: its choices rest on times measured there.
#
# **Ties.** Two kernels within 2 % of each other change places from run to run. If the faster one were always taken, two builds would differ, in time and in their last bits. So all within 2 % of the fastest count as equal, and of these the kernel with the lowest number is taken. A kernel that cannot run the layer has NaN for its time; where none can, the choice is -1.
#
# **Example:** times 20.3, 20.0, 26.1: kernel 1 is fastest, but 20.3 lies within 20.0 · 1.02 = 20.4, so kernel 0 is taken. If kernel 0 took 20.5, kernel 1 would be.

# %%
times = np.array([20.3, 20.0, 26.1])
print(times <= 1.02 * times.min(), int(np.flatnonzero(times <= 1.02 * times.min())[0]))

# %% [markdown]
# **Write** `choose_kernels(requests, times)`, a host function. Row i of `requests` is what a build asks: (name, batch, shape, type, device, version), as numbers that stand for them. Row i of `times` is what a measurement would give **now**, in microseconds, with a column per kernel; noise makes it differ from an earlier measurement of the same question.
# A build goes through its requests in order. Return two arrays: `chosen`, the kernel for each request, and `measured`, 1 where it had to be measured and 0 where the cache had it. Equal questions get equal answers, whatever a second measurement would say.
#
# **Predict** which of kernels 0, 1 and 2 is chosen if they take 20.5, 20.0 and 20.3.
#
# <details><summary>Interview question: a plan built on one H100 runs on another one. May it run on an H200?</summary>Its machine code would: both have compute capability 9.0. But its choices rest on times with another memory, so it may be slower than one built there, and an engine warns or refuses. <b>A weak answer says</b> "no, never". <b>And then?</b> What would you ship to customers with unknown GPUs? The network with a timing cache for each known GPU, or a hardware-compatible plan: kernels that run on several architectures, at the price of those that only one of them has.</details>

# %%
q = exercise("engine_kernels.choose_kernels")
q.show()

# %% predict="choose_kernels"
q = exercise("engine_kernels.choose_kernels")
q.predict(kernel=1)


# %% solution="choose_kernels"
def choose_kernels(requests, times):
    """The kernel of each request, and whether it was measured. requests: (n, 6) int64; times: (n, n_kernels) float64;
    both results: (n,) int64."""
    # about 12 lines
    ### BEGIN SOLUTION
    cache = {}
    chosen, measured = np.zeros(len(requests), np.int64), np.zeros(len(requests), np.int64)
    for i, (_name, *question) in enumerate(requests.tolist()):
        key = tuple(question)  # all that a time depends on
        if key not in cache:
            measured[i] = 1
            runs = times[i][~np.isnan(times[i])]
            least = runs.min() if runs.size else 0
            equal = np.flatnonzero(times[i] <= 1.02 * least)  # NaN is never less
            cache[key] = int(equal[0]) if runs.size else -1
        chosen[i] = cache[key]
    return chosen, measured
    ### END SOLUTION


# %% check="choose_kernels"
q = exercise("engine_kernels.choose_kernels")
q.check(choose_kernels).points

# %% [markdown]
# ## 9. A layer of ResNet-50
#
# **Look back.** Here are three layers of ResNet-50 with 3 x 3 weights, batch 128. The promise was about the first, which has the largest pictures; in the other two the library's FP16 is about as fast as yours. Each kernel is timed as rung 7 says: inputs that L2 does not hold, launches inside a graph, the median of several rounds. Beside yours stand the library's convolution, cuDNN with FP16 and channels last, and the engine's own choice, all in the same run. The lines below the table compare `conv_warpgroup` with the two.
# **Before you run it:** all three layers do equally many multiplications. Which of them gains most from INT8, and why?

# %%
from autograder.notebook.recorded import document_of

recorded("engine_kernels", "measured")
print(*document_of("engine_kernels").get("goals", ()), sep="\n")

# %% [markdown]
# <details><summary>Answer</summary>The one with 64 channels and 56 x 56 places. It has the most places for its products, so the library moves most bytes for it, and INT8 halves them. With 256 channels nearly all the time goes into products, where two kernels that both use tensor cores lie closer. <b>A weak answer says</b> "the one with the most weights". <b>And then?</b> What would you try for the other two? More channels per block: each run would serve 128 outputs in place of 64.</details>

# %% [markdown]
# **Read the profile.** The interpreter counted what four kernels of this unit ask for, on a line of 256 cells with a pitch of 9, 64 channels in and 64 out, and a residual.
#
# | kernel | global load bytes | bytes stored | shared load requests | copies that begin |
# |---|---|---|---|---|
# | A | 53,248 | 65,536 | 864 | 0 |
# | B | 53,248 | 65,536 | 864 | 1,696 |
# | C | 102,400 | 16,384 | 864 | 1,696 |
# | D | 71,680 | 16,384 | 64 | 1,696 |
#
# Before you open the answer: which rung is each? Why do C and D load more than B, yet store a quarter as much? Why does D load less than C? How do A and B differ, and does it show in the bytes?
#
# <details><summary>The answer</summary>A loads with requests of its own and begins no copies: rung 2. B is rung 3, with the same bytes: only *when* they come has changed. C and D store one byte per output in place of four: rungs 4 and 5. They load a residual, a byte per output, and constants: C 128 bytes per thread, D 16, since its threads have two channels each in place of 16, and half as many threads ask. D's 64 requests are for the residual and the results, since the tensor cores read the run straight from shared memory. <b>A weak answer says</b> "C loads nearly twice as much, so it is slower". <b>And then?</b> Where do the constants come from? From the L1 cache, after the first load of each: they are 512 bytes for the whole block.</details>
#
# ## What you can do now
#
# You can lay pictures out so that a convolution is nine products from one run; feed int8 tensor cores from it, with copies that run beside them, and on Hopper with products that run beside the threads; finish a layer before it is stored; split a sum over blocks where tiles are few; time kernels so that the times can be compared; and say how long a choice between them holds.
#
# The table shows your rungs of this session.

# %%
from autograder import ladder

ladder("18_engine_kernels")
