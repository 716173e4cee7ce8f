# %% [markdown]
# # Indexing
#
# **The promise:** at the end you can cover any shape with any grid, in one, two or three dimensions, and say which thread touches which element, and at what price.
# No new hardware in this unit: only numbers, and what follows from them.
#
# **Time:** an hour and a half: seven rungs, 28 lines to write. Every rung is a good place to stop.
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
# x is the fast axis: threads are numbered along x first, so in a block that is 32 wide the 32 threads of a warp are neighbours along x.
# An array's fast axis is its last one: `a[row, col]` and `a[row, col + 1]` are neighbours in memory.
# So x is the column and y the row, and they change places on the way into the brackets: `a[y, x]`. Below, each thread of one small block signs where it is.
#
# **Write** `invert(src, dst)`: `dst[row, col] = 255 - src[row, col]`.
# Blocks of 32 x 8 threads cover the picture. They stick out on *two* sides now.
# The check also launches other blocks.
#
# **Example.** In the picture below, 3 rows of 4 pixels, thread (x = 1, y = 0) owns row 0, column 1: 255 - 67 = 188. The first row:
#
# | x | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | `src` | 0 | 67 | 28 | 76 |
# | `dst` | 255 | 188 | 227 | 179 |
#
# A block of 8 x 4 threads over it leaves threads with x from 4 to 7, and those with y = 3, without a pixel.
# **Predict:** the pixels are single bytes. How many sectors of 32 bytes does one load of a warp touch?
#
# <details><summary>Interview question: your kernel guards with <code>i &lt; src.size</code>, where i is row times columns plus column. Why is that not enough?</summary>A thread right of the last column computes the index of a pixel in the next row, which exists: it passes the guard and does that pixel's work a second time. <b>A weak answer says</b> "it is enough, no index is outside". <b>And then?</b> When is it harmless? Where both threads write the same number; with <code>+=</code> or in place, the pixel is changed twice.</details>


# %%
@cuda.jit
def sign(places):
    """places[row, col] = 10 * y + x, written by thread (x, y). places: int32, one element per thread."""
    x, y = cuda.grid(2)
    places[y, x] = 10 * y + x


places = cuda.to_device(np.zeros((3, 6), np.int32))
sign[(1, 1), (6, 3)](places)
print(places.copy_to_host())

# %%
q = exercise("indexing.invert")
q.show()

# %% predict="invert"
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

# %%
q.photograph(invert)

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
# **Example.** With a margin of 1, thread (x = 2, y = 1) owns `dst[1, 2]` and reads `src[0, 1]` = 6; thread (x = 5, y = 1) would read `src[0, 4]`, which does not exist, and writes 0.
# The first two rows of the padded picture below:
#
# | column | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | row 0 | 0 | 0 | 0 | 0 | 0 | 0 |
# | row 1 | 0 | 9 | 6 | 7 | 9 | 0 |
#
# **Write** `pad(src, margin, dst)`. The check also launches other blocks.
#
# **Predict first**, for a `src` of 8 x 32 elements, a margin of 1 and blocks of 32 x 8 threads: the load requests of all warps, where the loads of all lanes at one line are one **request**. A warp in which no lane loads makes none.
#
# <details><summary>Interview question: one thread per input element or one per output element?</summary>Per output element, as a rule. Then each element is written once, by one thread, and no two threads want the same place; reading twice is harmless. <b>A weak answer says</b> "it makes no difference". <b>And then?</b> When would you choose the input? When only it knows where its results go, as in counting; two threads may then want the same place, and unit 8 says what to do.</details>


# %%
@cuda.jit
def left_of_the_first(src, out):
    """out[0] = src[-1]: quietly the last element. src: (n,), out: (1,) float32."""
    i = cuda.grid(1) - 1
    out[0] = src[i]


found = cuda.to_device(np.zeros(1, np.float32))
left_of_the_first[1, 1](cuda.to_device(np.float32([10, 20, 30])), found)
print(found.copy_to_host())

# %%
q = exercise("indexing.pad")
q.show()

# %% predict="pad"
q.predict(global_load_requests=16)


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
# ## 3. Find the bug: round the end, on purpose
#
# **Look back.** A guard asks about every index that is about to be used, at both of its ends.
#
# Sometimes going round is what you want. `np.roll(a, 1)` moves every element one place to the right and the last one to the front.
# The owner of `dst[i]` has to find where its value comes from, for a shift that may be negative or larger than the array.
# `%` is made for that: in a numba kernel, as in Python, `-1 % 5` is 4. (In CUDA C++ it is -1, which catches out many who port a kernel.)
#
# **Example.** A shift of 3: element 1 of `dst` comes from (1 - 3) % 8 = 6, and holds 8.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `dst` | 7 | 8 | 3 | 9 | 6 | 7 | 9 | 6 |
#
# The draft below is right for some shifts. **Predict first:** for which shifts does it read outside `src`? Then run the cell.
#
# **Write** `roll(src, shift, dst)`: the draft, repaired. The check also launches other blocks.
#
# <details><summary>Interview question: why did the kernel that indexes with <code>i - shift</code> pass its first test?</summary>The shift was between 0 and n, and there a negative index wraps round once by itself. A larger shift goes past the front a second time, and a negative one past the end at once. Test with shifts that are negative, zero and larger than n. <b>A weak answer says</b> "negative indices are an error". <b>And then?</b> And in CUDA C++? There nothing wraps: the read lies before the array and finds whatever is there.</details>

# %%
q = exercise("indexing.roll")
q.show()


# %%
@cuda.jit
def draft(src, shift, dst):
    """dst[(i + shift) % n] = src[i]. src, dst: (n,) float32; shift: int."""
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i - shift]


q.check(draft);

# %% [markdown]
# The repair needs a remainder that is never negative. **Predict** what this line prints in a kernel, then write `roll`: `print((2 - 5) % 8, (2 - 5) // 8)`.

# %% predict="roll"
q.predict(prints="5 -1")


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
# **Example.** Two slices of 2 x 3 elements, with the weights 9 and 1. The 3 threads of slice 0 in its first row write 9 x 9, 6 x 9 and 7 x 9; all read `weight[0]`. Slice 1 keeps its numbers.
#
# | slice, row | x = 0 | x = 1 | x = 2 |
# |---|---|---|---|
# | `volume`, 0, 0 | 9 | 6 | 7 |
# | `out`, 0, 0 | 81 | 54 | 63 |
#
# A thread's place in its warp, 0 to 31, is its **lane**.
# The second picture shows what the lanes of one warp touch in a draft, on a volume of 32 slices, 4 rows and 32 columns.
# Each lane sits in a slice of its own, 512 bytes from its neighbour's. For other shapes the draft even leaves elements out.
#
# **Write** `fade(volume, weight, out)`. Blocks have 32 x 4 x 2 threads along x, y and z. The check also launches other blocks.
# **Predict** the sectors per load request for the same volume, on average over its two loads.
#
# <details><summary>Interview question: in NumPy, <code>weight[:, None, None] * volume</code> never stores the repeated weights. What does a kernel pay for the repetition?</summary>One request per warp for the weight, and one sector, since all lanes read one address; a cache answers most of them. <b>A weak answer says</b> "nothing, broadcasting is free". <b>And then?</b> Can a thread save that? It is still one load instruction per thread: where a thread handles many elements of a slice, it loads the weight once, before the loop.</details>

# %%
q = exercise("indexing.fade")
q.show()


# %%
@cuda.jit
def fade_draft(volume, weight, out):
    """Right only where there are as many slices as columns, and slow even there. All float32."""
    i, j, k = cuda.grid(3)
    if i < out.shape[0] and j < out.shape[1] and k < out.shape[2]:
        out[i, j, k] = volume[i, j, k] * weight[i]


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
# Any grid is then right, even one block; you choose the grid for speed, and a thread can keep values from one iteration to the next.
#
# The other way to share out n elements looks just as natural: the first stretch to thread 0, the next to thread 1.
# The second picture shows what one warp touches at a time if you do.
#
# **Example.** Eight elements, four threads in all, so `cuda.gridsize(1)` is 4. With alpha = 3, element 5 is the second iteration of thread 1: 3 x 7 + 1 = 22.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | thread, grid-stride | 0 | 1 | 2 | 3 | 0 | 1 | 2 | 3 |
# | thread, by stretches | 0 | 0 | 1 | 1 | 2 | 2 | 3 | 3 |
# | `x` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `y` | 1 | 3 | 3 | 8 | 9 | 1 | 5 | 8 |
# | `y` after | 28 | 21 | 24 | 35 | 27 | 22 | 29 | 17 |
#
# **Write** `saxpy(alpha, x, y)`: `y = alpha * x + y`. The check launches 4 blocks of 256 threads, whatever the length, and then a few other grids.
# **Predict** the sectors per load request, when every iteration is done the grid-stride way.
#
# <details><summary>Interview question: why not simply launch one thread per element?</summary>You often may. A grid-stride loop lets you pick the number of blocks that fills the GPU, so fewer blocks have to be started, and it lets a thread keep values from iteration to iteration. It also works for arrays larger than the largest grid. <b>A weak answer says</b> "a loop is slower than none". <b>And then?</b> How many blocks, then? Enough to fill the GPU; more of them only wait for their turn.</details>

# %%
q = exercise("indexing.saxpy")
q.show()


# %%
@cuda.jit
def saxpy_stretches(alpha, x, y):
    """y = alpha x + y, a stretch of neighbouring elements for every thread. x, y: (n,) float32."""
    per_thread = (y.size + cuda.gridsize(1) - 1) // cuda.gridsize(1)
    first = cuda.grid(1) * per_thread
    for i in range(first, min(first + per_thread, y.size)):
        y[i] = alpha * x[i] + y[i]


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
        y[i] = alpha * x[i] + y[i]  # in every iteration neighbours take neighbours: 4 sectors
    ### END SOLUTION


# %% check="saxpy"
q = exercise("indexing.saxpy")
q.check(saxpy).points

# %% [markdown]
# Step through a block, line by line, and watch `i` of one thread from iteration to iteration: by how much does it grow? Until you have written `saxpy`, the cell steps through the stretches.

# %%
try:
    walk = q.step(saxpy)
except NotImplementedError:
    walk = q.step(saxpy_stretches)
walk

# %% [markdown]
# ## 6. Whose neighbour is next?
#
# **Look back.** The same elements, the same threads, in a different order: that alone decides how many sectors each request takes.
#
# A picture in colour often comes **interleaved**: red, green, blue of pixel 0, then of pixel 1, and so on. That is an **array of structures**.
# Kernels like **planes** better, all red, then all green, then all blue: a **structure of arrays**, where neighbours hold the same thing.
# `split_channels` turns one into the other. There are `3 * n` threads, one for each value, and a thread's number t can be split in two ways:
# along the pixels (`t // 3`, `t % 3`) or along the planes (`t // n`, `t % n`). Both are right.
#
# **Write** `split_channels(pixels, planes)` so that neighbouring threads *write* neighbours. The check also launches other blocks.
#
# **Example.** Eight pixels, 24 threads. Thread 9 along the planes is c = 9 // 8 = 1, i = 9 % 8 = 1: green of pixel 1. The red plane:
#
# | pixel | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | read at place | 0 | 3 | 6 | 9 | 12 | 15 | 18 | 21 |
# | `planes` | 9 | 9 | 8 | 3 | 9 | 8 | 2 | 3 |
#
# **Predict** sectors per request, for the loads and for the stores. How far apart are two neighbouring lanes in `pixels`, and how far in `planes`?
#
# <details><summary>Interview question: array of structures or structure of arrays, which is better on a GPU?</summary>A structure of arrays when a kernel uses a field of every element: neighbouring lanes then read neighbours. With interleaved data the other fields come along in every sector, unused, unless the kernel uses all fields and loads them together. <b>A weak answer says</b> "a structure of arrays, always". <b>And then?</b> When is interleaved data fine? When each thread needs all fields of its element and loads them in one wide piece, as in unit 3.</details>

# %% [markdown]
# The two ways to number the threads, for four pixels: which plane and which pixel threads 0 to 11 take.

# %%
t = np.arange(12)
print("along the pixels: plane", t % 3, "pixel", t // 3)
print("along the planes: plane", t // 4, "pixel", t % 4)

# %%
q = exercise("indexing.split_channels")
q.show()

# %% predict="split_channels"
q.predict(global_load_sectors_per_request=12, global_store_sectors_per_request=4)


# %% solution="split_channels"
@cuda.jit
def split_channels(pixels, planes):
    """planes[c, i] = pixels[i, c]. pixels: (n, 3), planes: (3, n), float32; one thread per value."""
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
# **Look back.** One side of the exchange stays spread out, whatever you do. [Shared memory](../04_shared_memory/04_shared_memory.ipynb) will fix that.
#
# The last rung puts everything together. `dst[i, j] = row[j] + col[i]` is an **outer sum**: every row value meets every column value.
# **Example.** Three rows, four columns: `dst[1, 2]` is `row[2]` + `col[1]` = 7 + 7 = 14. The thread of column 2 writes 13, 14 and 15, one below the other, and needs `row[2]` once.
#
# | column | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | `row` | 9 | 6 | 7 | 9 |
# | `dst`, row 0: `col[0]` = 6 | 15 | 12 | 13 | 15 |
# | `dst`, row 1: `col[1]` = 7 | 16 | 13 | 14 | 16 |
#
# Nearly all the bytes that have to move are stores. Yet with one thread per element, each thread loads two numbers to write one.
# So along y there are now fewer blocks than rows: thread (x, y) keeps its column and walks down in steps of `cuda.gridDim.y`.
# `row[j]` never changes on that walk, and a local variable costs no traffic at all: it lives in a **register**, storage on the chip that belongs to one thread.
#
# **Write** `broadcast_add(row, col, dst)`; blocks have 256 x 1 threads, and the check also tries others, with any number of rows of blocks.
# **Predict** the load requests of the whole launch for 61 rows and 67 columns.
# There are 4 rows of blocks. In each, how many warps have a column at all, how often do they load from `row`, and how often from `col`?
# And which was faster on the GPU whose times are on record: a walk like yours, or the library's `torch.add`? Answer "mine" or "library".
#
# <details><summary>Interview question: the compiler could keep <code>row[j]</code> in a register by itself. Why does it not?</summary>It would have to know that storing to dst never changes row. Arrays may overlap, so a load after a store has to be repeated. A local variable says what you know and the compiler does not. <b>A weak answer says</b> "compilers are not clever enough". <b>And then?</b> Can you promise it? In CUDA C++ with <code>__restrict__</code>. numba has no word for it, so the local variable is the way.</details>

# %% [markdown]
# Who takes which rows, for three rows of blocks over seven rows of the matrix:

# %%
for block_y in range(3):
    print(f"blockIdx.y = {block_y} takes rows", list(range(block_y, 7, 3)))

# %%
q = exercise("indexing.broadcast_add")
q.show()

# %% predict="broadcast_add"
q.predict(global_load_requests=195, faster="mine")


# %% solution="broadcast_add"
@cuda.jit
def broadcast_add(row, col, dst):
    """dst[i, j] = row[j] + col[i]. row: (n_cols,), col: (n_rows,), dst: (n_rows, n_cols), all float32."""
    # about 5 lines
    ### BEGIN SOLUTION
    j = cuda.grid(1)
    if j < dst.shape[1]:
        along = row[j]  # once per thread, then it stays in a register
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
# **Look back.** A value that does not change belongs before the loop, where a register keeps it.
#
# You can lay any grid over any array: guard every axis at both ends, go round on purpose, walk in grid strides, broadcast.
# And you can tell from an index expression what a warp's request will cost, before anything runs.
#
# Where a GPU timed them, the table shows your rungs beside the library and this GPU's copy rate. Half of a copy's bytes are reads, and `broadcast_add` hardly reads at all: for it the copy rate is a yardstick, not a measured limit.
#
# <details><summary>Interview question: given <code>a[i, j]</code> with <code>i, j = cuda.grid(2)</code>. What is wrong, and how do you see it without running it?</summary>Nothing, except speed. x varies fastest between lanes and here it is the row, so neighbouring lanes are a whole row apart in memory: 32 sectors per request instead of 4 for float32. Swap the names on the left: <code>j, i = cuda.grid(2)</code>. <b>A weak answer says</b> "nothing, x is the first axis". <b>And then?</b> For which arrays is it right as it stands? For those in Fortran order, whose first axis is the fast one.</details>

# %%
from autograder import ladder

ladder("02_indexing")
