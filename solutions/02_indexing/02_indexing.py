# %% [markdown]
# # Indexing
#
# **The promise:** at the end you can cover any shape with any grid, in one, two or three dimensions, and say which thread touches which element, and at what price.
# No new hardware in this unit: only numbers, and what follows from them.
#
# **Time:** about an hour.
# **You need:** [Vector add](../01_vector_add/01_vector_add.ipynb): launches, guards, `cuda.grid(1)`.
#
# Stuck? `q.hint()` answers the mistake that the last check found, gently first.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise

# %% [markdown]
# ## 1. Two axes
#
# A picture has rows and columns, and a grid can have two dimensions, too: `kernel[(blocks_x, blocks_y), (threads_x, threads_y)](...)`.
# `cuda.grid(2)` gives a thread its place: **x first, then y**.
# x is the fast axis: the 32 threads of a warp are neighbours along x.
# An array's fast axis is its last one: `a[row, col]` and `a[row, col + 1]` are neighbours in memory.
# So x is the column, and the order turns round on the way into the brackets. Below, each thread of one small block signs where it is.
#
# **Write** `invert(src, dst)`: `dst[row, col] = 255 - src[row, col]`.
# Blocks of 32 x 8 threads cover the picture. They stick out on *two* sides now.
# **Predict:** the pixels are single bytes. How many sectors of 32 bytes does a warp load?


# %%
@cuda.jit
def sign(places):
    """places[row, col] = 10 * y + x, written by thread (x, y). places: int32, one element a thread."""
    x, y = cuda.grid(2)
    places[y, x] = 10 * y + x


places = cuda.to_device(np.zeros((3, 6), np.int32))
sign[(1, 1), (6, 3)](places)
print(places.copy_to_host())

# %% predict="invert"
q = exercise("indexing.invert")
q.predict(global_load_sectors_per_request=1)


# %% solution="invert"
@cuda.jit
def invert(src, dst):
    """dst = 255 - src. src, dst: (n_rows, n_cols) uint8."""
    # about 3 lines
    ### BEGIN SOLUTION
    col, row = cuda.grid(2)  # x is the column
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = 255 - src[row, col]  # 32 lanes, 32 neighbouring bytes: 1 sector
    ### END SOLUTION


# %% check="invert"
q = exercise("indexing.invert")
q.check(invert).points

# %% [markdown]
# ## 2. Two shapes
#
# **Look back.** One `if`, two questions: each axis has its own end.
#
# Now input and output differ in shape. `pad` puts a frame of zeros round a picture: `dst` is larger than `src` by `margin` on each side.
# One thread owns one element of `dst`. Whether it has anything to read is another matter, and that question has *four* parts.
#
# Two of them are easy to forget. In a kernel, as in Python, index -1 means the last element.
# The next cell reads one place before the first element, and nobody complains. The check does.
#
# **Write** `pad(src, margin, dst)`.
#
# <details><summary>Interview question: one thread per input element or one per output element?</summary>Per output element, as a rule. Then each element is written once, by one thread, and nobody has to wait or to add atomically; reading twice is harmless.</details>


# %%
@cuda.jit
def left_of_the_first(src, out):
    """out[0] = src[-1]: quietly the last element. src: (n,), out: (1,) float32."""
    i = cuda.grid(1) - 1
    out[0] = src[i]


found = cuda.to_device(np.zeros(1, np.float32))
left_of_the_first[1, 1](cuda.to_device(np.float32([10, 20, 30])), found)
print(found.copy_to_host())


# %% solution="pad"
@cuda.jit
def pad(src, margin, dst):
    """dst = src with a frame of zeros. src: (n_rows, n_cols), dst: margin more on every side, both float32."""
    # about 7 lines
    ### BEGIN SOLUTION
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r, c = row - margin, col - margin
        if 0 <= r < src.shape[0] and 0 <= c < src.shape[1]:  # both ends of both axes
            dst[row, col] = src[r, c]
        else:
            dst[row, col] = float32(0)
    ### END SOLUTION


# %% check="pad"
q = exercise("indexing.pad")
q.check(pad).points

# %% [markdown]
# ## 3. Round the end, on purpose
#
# **Look back.** A guard asks about every index that is about to be used, at both of its ends.
#
# Sometimes going round is what you want. `np.roll(a, 1)` moves every element one place to the right and the last one to the front.
# The owner of `dst[i]` has to find where its value comes from, for a shift that may be negative or larger than the array.
# `%` is made for that: in a numba kernel, as in Python, `-1 % 5` is 4. (In CUDA C++ it is -1, which catches many who port a kernel.)
#
# **Write** `roll(src, shift, dst)`.
#
# <details><summary>Interview question: why did the kernel that indexes with <code>i - shift</code> pass its first test?</summary>The shift was small, and a negative index wraps round once by itself. A shift larger than n goes past the other end. Test with shifts that are negative, zero and larger than n.</details>


# %% solution="roll"
@cuda.jit
def roll(src, shift, dst):
    """dst[(i + shift) % n] = src[i], for any shift. src, dst: (n,) float32; shift: int."""
    # about 3 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[(i - shift) % dst.size]  # the result of % has the sign of dst.size: never negative
    ### END SOLUTION


# %% check="roll"
q = exercise("indexing.roll")
q.check(roll).points

# %% [markdown]
# ## 4. Three axes
#
# **Look back.** Two kinds of index now: where a thread writes, which is its own, and where it reads, which it computes.
#
# A volume is a stack of slices: `volume[z, y, x]`. A grid has up to three dimensions, and `cuda.grid(3)` gives x, y, z.
# `fade` multiplies each slice by a number of its own, `weight[z]`.
# All threads of a slice read the same weight: NumPy calls that **broadcasting**, and here it is nothing but an index with fewer axes.
#
# The picture shows what the lanes of one warp touch in a draft, on a volume of 32 slices, 4 rows and 32 columns.
# Each lane sits in a slice of its own, 512 bytes from its neighbour's. For other shapes the draft even leaves elements out.
#
# **Write** `fade(volume, weight, out)`. Blocks have 32 x 4 x 2 threads along x, y and z.
# **Predict** the sectors of a load for the same volume: the average of 32 neighbours of `volume` and one `weight` for the whole warp.


# %%
@cuda.jit
def fade_draft(volume, weight, out):
    """Right only where there are as many slices as columns, and slow even there. All float32."""
    i, j, k = cuda.grid(3)
    if i < out.shape[0] and j < out.shape[1] and k < out.shape[2]:
        out[i, j, k] = volume[i, j, k] * weight[i]


q = exercise("indexing.fade")
q.show(fade_draft)

# %% predict="fade"
q.predict(global_load_sectors_per_request=2.5)


# %% solution="fade"
@cuda.jit
def fade(volume, weight, out):
    """out[z, y, x] = volume[z, y, x] * weight[z]. volume, out: (n_z, n_y, n_x), weight: (n_z,), all float32."""
    # about 3 lines
    ### BEGIN SOLUTION
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = volume[z, y, x] * weight[z]  # 4 sectors, and 1 for the weight that all lanes share
    ### END SOLUTION


# %% check="fade"
q = exercise("indexing.fade")
q.check(fade).points

# %% [markdown]
# ## 5. Any length with any grid
#
# **Look back.** Lanes that read one and the same address cost one sector: broadcasting is cheap.
#
# So far the grid grew with the data. It need not: a thread that is done with one element can take another.
# The **grid-stride loop** starts at `cuda.grid(1)` and goes on by `cuda.gridsize(1)`, the number of all threads.
# Any grid is then right, even one block; you choose the grid for speed, and the kernel can keep something between turns.
#
# The other way to share out n elements looks just as natural: the first stretch to thread 0, the next to thread 1.
# The picture shows what one warp touches at a time if you do.
#
# **Write** `saxpy(alpha, x, y)`: `y = alpha * x + y`. The check gives you 4 blocks of 256 threads, whatever the length.
# **Predict** the sectors of a load, when every turn is done the grid-stride way.
#
# <details><summary>Interview question: why not simply launch one thread per element?</summary>You often may. A grid-stride loop lets you pick the number of blocks that fills the GPU, so fewer blocks have to be started, and it lets a thread keep values from turn to turn. It also works for arrays larger than the largest grid.</details>


# %%
@cuda.jit
def saxpy_stretches(alpha, x, y):
    """y = alpha x + y, a stretch of neighbouring elements for every thread. x, y: (n,) float32."""
    per_thread = (y.size + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    first = cuda.grid(1) * per_thread
    for i in range(first, min(first + per_thread, y.size)):
        y[i] = alpha * x[i] + y[i]


q = exercise("indexing.saxpy")
q.show(saxpy_stretches)

# %% predict="saxpy"
q.predict(global_load_sectors_per_request=4)


# %% solution="saxpy"
@cuda.jit
def saxpy(alpha, x, y):
    """y = alpha x + y, with any grid. alpha: float32; x, y: (n,) float32."""
    # about 2 lines
    ### BEGIN SOLUTION
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):  # guard and loop in one
        y[i] = alpha * x[i] + y[i]  # in every turn neighbours take neighbours: 4 sectors
    ### END SOLUTION


# %% check="saxpy"
q = exercise("indexing.saxpy")
q.check(saxpy).points

# %% [markdown]
# ## 6. Whose neighbour is next?
#
# **Look back.** The same elements, the same threads, another order: that alone decides how many sectors a request takes.
#
# A picture in colour often comes **interleaved**: red, green, blue of pixel 0, then of pixel 1, and so on: an array of structures.
# Kernels like **planes** better, all red, then all green, then all blue: a structure of arrays, where neighbours hold the same thing.
# `split_channels` turns one into the other. There are `3 * n` threads, one for each value, and their number can be read in two ways:
# along the pixels (`t // 3`, `t % 3`) or along the planes (`t // n`, `t % n`). Both are right.
#
# **Write** `split_channels(pixels, planes)` so that neighbouring threads *write* neighbours.
# **Predict** sectors a request, for the loads and for the stores: lanes that read every third value reach over three times the bytes.
#
# <details><summary>Interview question: array of structures or structure of arrays, which is better on a GPU?</summary>A structure of arrays when a kernel uses a field of every element: neighbouring lanes then read neighbours. Interleaved data wastes the sectors' other fields, unless the kernel uses all fields and loads them together.</details>

# %% predict="split_channels"
q = exercise("indexing.split_channels")
q.predict(global_load_sectors_per_request=12, global_store_sectors_per_request=4)


# %% solution="split_channels"
@cuda.jit
def split_channels(pixels, planes):
    """planes[c, i] = pixels[i, c]. pixels: (n, 3), planes: (3, n), float32; one thread a value."""
    # about 5 lines
    ### BEGIN SOLUTION
    t = cuda.grid(1)
    n = pixels.shape[0]
    if t < pixels.size:
        c, i = t // n, t % n  # along the planes: neighbours share c and differ in i
        planes[c, i] = pixels[i, c]  # a load over 12 sectors, a store to 4
    ### END SOLUTION


# %% check="split_channels"
q = exercise("indexing.split_channels")
q.check(split_channels).points

# %% [markdown]
# ## 7. Load once, use down the column
#
# **Look back.** One side of the exchange stays spread out, whatever you do. [Shared memory](../04_shared_memory/04_shared_memory.ipynb) will mend that.
#
# The last rung takes everything together. `dst[i, j] = row[j] + col[i]` is an **outer sum**: every row value meets every column value.
# Nearly all of its traffic is stores. Yet one thread per element loads two numbers for each one it writes.
# Along y there are now fewer blocks than rows: thread (x, y) keeps its column and walks down in steps of `cuda.gridDim.y`.
# `row[j]` never changes on that walk, and a local variable costs no traffic at all.
#
# **Write** `broadcast_add(row, col, dst)`; blocks have 256 x 1 threads.
# **Predict** the load requests of the whole launch for 61 rows and 67 columns.
# The 67 columns take 3 warps of one block, and there are 4 rows of blocks: count one load of `row` for each warp, and one load of `col` for each warp and row.
#
# <details><summary>Interview question: the compiler could keep <code>row[j]</code> in a register by itself. Why does it not?</summary>It would have to know that storing to dst never changes row. Arrays may overlap, so a load after a store has to be repeated. A local variable says what you know and the compiler does not.</details>

# %% predict="broadcast_add"
q = exercise("indexing.broadcast_add")
q.predict(global_load_requests=195)


# %% solution="broadcast_add"
@cuda.jit
def broadcast_add(row, col, dst):
    """dst[i, j] = row[j] + col[i]. row: (n_cols,), col: (n_rows,), dst: (n_rows, n_cols), all float32."""
    # about 5 lines
    ### BEGIN SOLUTION
    j = cuda.grid(1)
    if j < dst.shape[1]:
        along = row[j]  # once a thread, then it stays in a register
        for i in range(cuda.blockIdx.y, dst.shape[0], cuda.gridDim.y):
            dst[i, j] = along + col[i]  # one value of col for the whole warp: 1 sector
    ### END SOLUTION


# %% check="broadcast_add"
q = exercise("indexing.broadcast_add")
q.check(broadcast_add).points

# %% race="broadcast_add"
q = exercise("indexing.broadcast_add")
q.race(broadcast_add).points

# %% [markdown]
# ## What you can do now
#
# **Look back.** A value that does not change belongs in front of the loop, where a register keeps it.
#
# You can lay any grid over any array: guard every axis at both ends, go round on purpose, walk in grid strides, broadcast.
# And you can tell from an index expression what a warp's request will cost, before anything runs.
#
# Where a GPU timed them, the table shows your rungs beside the library and this GPU's copy rate. A kernel that hardly reads can pass a copy: half of a copy's bytes are reads.
#
# <details><summary>Interview question: given <code>a[i, j]</code> with <code>i, j = cuda.grid(2)</code>. What is wrong, and how do you see it without running it?</summary>Nothing, except speed. x varies fastest between lanes and here it is the row, so neighbouring lanes are a whole row apart in memory: 32 sectors a request instead of 4 for float32. Swap the names on the left: <code>j, i = cuda.grid(2)</code>.</details>

# %%
from autograder import ladder

ladder("02_indexing")
