# %% [markdown]
# # Shared memory
#
# **The promise:** at the end you can tile anything, a transpose, a stencil, a blur, and remove every bank conflict from it.
# A tile is a copy that a whole block can see: it turns scattered accesses into rows, and repeated loads into one.
#
# **Time:** two sittings. Rungs 1 to 5: about two and a half hours, 61 lines to write. Rungs 6 to 10: nearly four hours, 104 lines. Every rung is a good place to stop.
# **You need:** units 1 to 3: launches, guards on two axes, requests and sectors, registers and caches.
# Without a GPU everything is checked and counted; only times are not measured.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise
from autograder.notebook.intrinsics import load16, store16

THREADS = 256  # threads per block in one dimension
TILE = 32  # elements along each edge of a tile; also threads along x
ROWS = 8  # threads along y: each moves TILE // ROWS elements of its column
TAPS = np.array([1, 4, 6, 4, 1], np.float32) / np.float32(16)  # weights of a blur along one axis; they add up to 1
GAUSS = np.outer(TAPS, TAPS)  # and along both: (5, 5) float32
REACH = 2  # neighbours that a blur takes on each side
SPAN_X, SPAN_Y = TILE + 2 * REACH, ROWS + 2 * REACH  # pixels that a block of it needs: 36 columns, 12 rows
STRIP = 32  # rows that one thread writes where it walks down a column

# %% [markdown]
# ## 1. A tile that the whole block can see
#
# A register belongs to one thread, **global memory**, where arrays lie, to everybody.
# Between them lies **shared memory**: small, fast, one piece for each block, gone when the block ends.
# `cuda.shared.array(THREADS, float32)` asks for 256 cells; every thread of the block gets the same ones, and nobody has set them to anything. A piece of an array that a block copies there is a **tile**.
#
# The threads of a block do not run in step. If one reads a cell that another writes, and nothing orders the two, that is a **race**: the reader may get the old value or the new one.
# `cuda.syncthreads()` is a **barrier**, a line at which they wait for each other: when *all* threads of the block have arrived, all go on, and each can read what the others wrote before.
# It orders one block only, never two.
#
# **Example.** One block of eight. Thread 2 loads 7 into cell 2, waits, and stores what is in cell 7 - 2 = 5, which thread 5 loaded:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `data` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | the tile, after the barrier | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | read from cell | 7 | 6 | 5 | 4 | 3 | 2 | 1 | 0 |
# | `data` | 3 | 8 | 7 | 6 | 9 | 7 | 6 | 9 |
#
# The cell after the picture goes through a smaller kernel step by step: every thread takes its right neighbour's element. Watch the threads arrive at the barrier, and what one of them reads after it.
#
# **Write** `reverse_blocks(data)`: block b reverses its own 256 elements, in place.
# In place means that a thread would overwrite what another still has to read; so all of them go through a tile.
# The last block may own fewer elements, and its spare threads should reach the barrier as well.
# (CUDA defines a barrier only where every thread arrives. GPUs since Volta do not wait for threads that have returned, so the check lets an early `return` pass, with a note.)
#
# **Predict first** the barriers for 1,025 elements; each block that passes a barrier counts as one.
#
# <details><summary>Interview question: is there a way without the tile?</summary>Two. Half of the threads swap two elements each; or each thread loads its mirror's element into a register, all wait at a barrier, then each stores. One value per thread needs no tile. As soon as a thread needs what several others loaded, you need the tile. <b>A weak answer says</b> "no, the threads would overwrite each other". <b>And then?</b> Why does the swap need no barrier? Each pair of elements belongs to one thread alone.</details>

# %%
q = exercise("shared_memory.reverse_blocks")
q.show()


# %%
@cuda.jit
def pass_left(data):
    """Each element of a block moves one place to the left, and its last one stays. data: (n,) float32."""
    cells = cuda.shared.array(THREADS, float32)
    t, here = cuda.threadIdx.x, cuda.grid(1)
    if here < data.size:
        cells[t] = data[here]
    cuda.syncthreads()  # outside the if: all 256 threads arrive, those without an element, too
    if here + 1 < data.size and t + 1 < THREADS:
        data[here] = cells[t + 1]  # the neighbour filled it


q.step(pass_left)

# %% predict="reverse_blocks"
q.predict(barriers=5)


# %% solution="reverse_blocks"
@cuda.jit
def reverse_blocks(data):
    """Each 256 elements of data backwards, in place, the last and shorter stretch too. data: (n,) float32."""
    # about 9 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    first = cuda.blockIdx.x * THREADS
    count = min(THREADS, data.size - first)  # elements of this block
    if i < data.size:
        tile[t] = data[i]
    cuda.syncthreads()  # outside the guard: every thread arrives, and the whole stretch is in the tile
    if i < data.size:
        data[i] = tile[count - 1 - t]
    ### END SOLUTION


# %% check="reverse_blocks"
q = exercise("shared_memory.reverse_blocks")
q.check(reverse_blocks).points

# %% [markdown]
# ## 2. Turn round in the tile
#
# **Look back.** One load, one barrier, one store: that pattern carries this whole unit.
#
# Now a transpose. The kernel below loads along rows and stores down columns; the second picture shows one store of one warp, whose 32 threads are its **lanes**.
# Loading down columns instead would only move the damage to the other side.
# With a tile, global memory is walked along rows *both* times, and the turn happens in shared memory, which has no sectors.
#
# **Write** `transpose_tiled(src, dst)`. A block owns the 32 x 32 tile of `src` at row `blockIdx.y`, column `blockIdx.x`, and has 32 x 8 threads, so each moves four elements: rows ty, ty + 8, ty + 16, ty + 24.
# After the barrier the same block writes the tile at row `blockIdx.x`, column `blockIdx.y` of `dst`.
#
# **Example.** Three rows of four become four rows of three. `src[1, 2]` = 8 goes to `dst[2, 1]`. In memory it moves from place 1 x 4 + 2 = 6 to place 2 x 3 + 1 = 7.
#
# | place | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 |
# |---|---|---|---|---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 | 1 | 3 | 3 | 8 |
# | `dst` | 9 | 6 | 1 | 6 | 7 | 3 | 7 | 8 | 3 | 9 | 3 | 8 |
#
# Shared memory is a row of words of 4 bytes, a float32 each, and has 32 **banks**: word w lies in bank w % 32, and a bank serves one word per pass. Lanes that want different words of one bank need extra passes: a **bank conflict**.
#
# **Predict first:** the sectors per store request once both sides walk along rows; and the extra passes that each load from the tile takes when a warp reads down one of its columns.
#
# <details><summary>Interview question: why 32 x 8 threads for a tile of 32 x 32, and not 32 x 32?</summary>A multiprocessor holds at most two blocks of 1,024 threads: while one waits at its barrier, there is little else to run, and each thread has one load under way. With 256 threads more blocks fit beside each other, and each thread has four independent loads. <b>A weak answer says</b> "1,024 threads are not allowed". <b>And then?</b> Why not 32 x 1? A multiprocessor takes only so many blocks, and with one warp each many of its places for warps stay empty.</details>

# %%
q = exercise("shared_memory.transpose_tiled")
q.show()


# %%
@cuda.jit
def transpose_naive(src, dst):
    """dst = src.T straight through global memory. src: (n_rows, n_cols), dst: (n_cols, n_rows), both float32."""
    col = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            dst[col, row + k] = src[row + k, col]


q.show(transpose_naive)

# %% predict="transpose_tiled"
q = exercise("shared_memory.transpose_tiled")
q.predict(global_store_sectors_per_request=4, shared_load_conflicts_per_request=31)


# %% solution="transpose_tiled"
@cuda.jit
def transpose_tiled(src, dst):
    """dst = src.T through a shared tile. src: (n_rows, n_cols), dst: (n_cols, n_rows), both float32."""
    # about 11 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx  # in src
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]  # 32 lanes, 32 neighbours: 4 sectors
    cuda.syncthreads()  # the tile is filled, as far as src reaches
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx  # in dst
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]  # neighbours again; the lanes walk down the tile
    ### END SOLUTION


# %% check="transpose_tiled"
q = exercise("shared_memory.transpose_tiled")
q.check(transpose_tiled).points

# %% [markdown]
# ## 3. One spare column
#
# **Look back.** Four sectors on either side. But look at what the tile pays for it: below is one load of your own kernel, over the 32 banks.
# Every cell of a column lies 32 words after the one above it, so all 32 lanes want the same bank, and the bank serves them one after the other.
#
# The cure is to make rows longer by one word that nobody uses. The words from the start of one row to the start of the next are the tile's **pitch**: 33 in place of 32.
#
# **Example.** Eight banks and a tile of 8 x 8. The bank of the cells of column 2, row by row, with rows of 8 words and with rows of 9:
#
# | row | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | (8 row + 2) % 8 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 |
# | (9 row + 2) % 8 | 2 | 3 | 4 | 5 | 6 | 7 | 0 | 1 |
#
# Cell (r, c) is then word 33 r + c, and a step down is a step to the next bank.
# The shape of a shared array must be known when the kernel is compiled, and numba takes plain constants only: it refuses `(TILE, TILE + 1)` and accepts a name defined above the kernel, as in the draft below.
#
# **Find the bug.** The draft below has a spare word per *column*: a spare row. Its result is right. What does its verdict say? Work out the bank of cell (r, 2) in it first, then run the cell.
#
# **Write** `transpose_padded`, with the same arguments and the same result. The check now allows no conflict, neither for loads nor for stores.
#
# **Predict first:** in which bank does cell (8, 0) lie, the first of row 8, if rows have 33 words, and if they have 36, so that each still begins at a multiple of 16 bytes? Give the two numbers as a kernel would print them, with a space between; then say how many cells of a column share a bank in either case.
#
# <details><summary>Interview question: would two spare columns do as well?</summary>Not quite. With rows of 34 words a step down moves two banks on, so the lanes of a column use only the 16 even or the 16 odd ones, two lanes each: one extra pass per request. Any odd length works. <b>A weak answer says</b> "more padding is safer". <b>And then?</b> And three? Rows of 35 words are odd again: as good as one spare column, for three times the space.</details>

# %%
q = exercise("shared_memory.transpose_tiled")
q.show(transpose_tiled)

# %%
TALL = TILE + 1  # rows of the draft's tile


@cuda.jit
def draft(src, dst):
    """dst = src.T through a shared tile with a spare row. src: (n_rows, n_cols), dst: (n_cols, n_rows), both float32."""
    tile = cuda.shared.array((TALL, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE  # of the tile, in src
    for k in range(y, TILE, ROWS):
        if top + k < src.shape[0] and left + x < src.shape[1]:
            tile[k, x] = src[top + k, left + x]
    cuda.syncthreads()
    for k in range(y, TILE, ROWS):
        if left + k < dst.shape[0] and top + x < dst.shape[1]:
            dst[left + k, top + x] = tile[x, k]


q = exercise("shared_memory.transpose_padded")
q.check(draft);

# %%
q = exercise("shared_memory.transpose_padded")
q.show()

# %% predict="transpose_padded"
q = exercise("shared_memory.transpose_padded")
q.predict(prints="8 0")

# %% solution="transpose_padded"
PITCH = TILE + 1  # words per row of the tile; 33 = 1 (mod 32), so a step down is a step of one bank


@cuda.jit
def transpose_padded(src, dst):
    """dst = src.T through a shared tile with a spare column. src: (n_rows, n_cols), dst: (n_cols, n_rows), float32."""
    # about 11 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx  # in src
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()  # the tile is filled, as far as src reaches
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx  # in dst
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]  # a column of the tile: 32 lanes, 32 banks
    ### END SOLUTION


# %% check="transpose_padded"
q = exercise("shared_memory.transpose_padded")
q.check(transpose_padded).points

# %% race="transpose_padded"
q = exercise("shared_memory.transpose_padded")
q.race(transpose_padded).points

# %% [markdown]
# ## 4. No spare column
#
# **Look back.** One spare word per row, and every conflict is gone. But a spare column is not always possible: it breaks the alignment that wide loads need, the copy engines of newer GPUs lay tiles out without it, and where tiles fill the shared memory there is no word to spare.
#
# Then keep rows of 32 words and **swizzle** them: store each row in an order of its own.
# Element `col` of row `row` goes to place `col ^ row` of its row; the cell below prints these places for a tile of 8 x 8. `^` is XOR, the exclusive or: a bit of the result is 1 where the two numbers' bits differ.
# XOR with a fixed number only exchanges places, so every row still has room for its 32 elements; and down a column `row` takes 32 values, so `col ^ row` takes 32, too: every bank once.
#
# **Example.** A tile of 8 x 8: element (3, 5) goes to place 5 ^ 3 = 6 of row 3 (101 XOR 011 = 110 in binary). Column 5 of all rows lies in places 5, 4, 7, 6, 1, 0, 3, 2: every bank once.
#
# **Write** `place(row, col)`, the word of a tile of 32 rows in which an element lies, and `transpose_swizzled`, which uses it for both accesses.
# `place` is a **device function**: kernels call it, and it is compiled into them.
# The tile is one-dimensional, 1,024 words and not one more.
#
# **Predict** what `print(12 ^ 9)` prints: the place in its row of element (9, 12).
#
# <details><summary>Interview question: why XOR, and not (col + row) % 32?</summary>Both are free of conflicts here. XOR is one instruction without a carry, it is its own inverse, and applied to the upper bits alone it keeps groups of neighbours together, which is what wide accesses want: layouts of tensor-core tiles are XOR swizzles. <b>A weak answer says</b> "XOR spreads at random". <b>And then?</b> Does it still work with rows of 64 words? Yes: the lowest five bits of the place choose the bank, and down a column they still take 32 values.</details>

# %%
edge = np.arange(8)
print(edge[:, None] ^ edge)  # down each column, and along each row: every place once

# %% predict="transpose_swizzled"
q = exercise("shared_memory.transpose_swizzled")
q.show()
q.predict(prints="5")

# %% solution="transpose_swizzled"
CELLS = TILE * TILE  # words of the tile: no room for a spare column


@cuda.jit(device=True)
def place(row, col):
    """The word of the tile in which element (row, col) lies: 0 to 1,023. row, col: 0 to 31."""
    # about 1 line
    ### BEGIN SOLUTION
    return row * TILE + (col ^ row)
    ### END SOLUTION


@cuda.jit
def transpose_swizzled(src, dst):
    """dst = src.T through a swizzled tile. src: (n_rows, n_cols), dst: (n_cols, n_rows), both float32."""
    tile = cuda.shared.array(CELLS, float32)
    # about 10 lines
    ### BEGIN SOLUTION
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx  # in src
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[place(ty + k, tx)] = src[row + k, col]  # one row: its 32 words in another order
    cuda.syncthreads()  # the tile is filled, as far as src reaches
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx  # in dst
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[place(tx, ty + k)]  # one column: 32 rows, 32 banks
    ### END SOLUTION


# %% check="transpose_swizzled"
q = exercise("shared_memory.transpose_swizzled")
q.check(transpose_swizzled).points

# %% [markdown]
# ## 5. One question per tile
#
# **Look back.** Sectors and conflicts are at their minimum. Speed is not at its maximum.
# What counts now is how many bytes are under way at once. In the loops above a question, an `if`, stands before every load, and the compiler keeps each load after its question, so they go out one by one.
#
# Most tiles lie wholly inside the matrix, and there one question is enough for all elements of a thread: does the *last* row of my column exist?
# Then the loop has no question in it: the compiler unrolls it, and its loads go out together.
# The ragged tiles at the edges take another branch, and keep the question.
#
# **Example.** A matrix of 100 rows has two rows of tiles. In the upper one, a thread with ty = 3 moves rows 3, 7, ... 63: row 63 exists, so all sixteen do, and one question was enough. In the lower one its rows are 67, 71, ... 127: row 127 does not exist, and nine of the sixteen do (67 to 99).
#
# **Write** `transpose_fast`: tiles of 64 x 64, blocks of 64 x 4 threads, sixteen elements per thread, one question for a whole column. Still no conflicts.
#
# **Predict** for 128 x 64 elements, two tiles one below the other: to which place of `dst`, counted row by row from 0, does thread 70 of block 1 store first? It is the thread with tx = 6 and ty = 1.
#
# <details><summary>Interview question: the counters of two kernels are equal, and one is faster. What do you look at?</summary>At what is under way at once: independent loads per thread (instructions between a load and its first use), and the warps that a multiprocessor holds at once, which are called <b>resident</b> (registers and shared memory per block decide how many; their share of the most it could hold is its <b>occupancy</b>). Counters of traffic say how much is asked for, not how much of it overlaps. <b>A weak answer says</b> "noise". <b>And then?</b> How do you tell the two causes apart? Ask for more shared memory than the kernel uses: fewer blocks are resident, and each thread loads as before. If the time hardly changes, it was not the number of warps.</details>

# %% [markdown]
# Four loads with a question before each, and four after a single question: how many does the compiler send out before it waits?

# %%
from autograder.lint import lint, signature_of


@cuda.jit
def a_question_each(src, out):
    """Four rows of src into shared memory, each if it exists; out takes the last. src: (n, 32), out: (32,) float32."""
    cells = cuda.shared.array((4, TILE), float32)
    x = cuda.threadIdx.x
    for k in range(4):
        if k < src.shape[0]:
            cells[k, x] = src[k, x]
    out[x] = cells[3, x]


@cuda.jit
def one_question(src, out):
    """The same, if all four exist."""
    cells = cuda.shared.array((4, TILE), float32)
    x = cuda.threadIdx.x
    if 3 < src.shape[0]:
        for k in range(4):
            cells[k, x] = src[k, x]
    out[x] = cells[3, x]


for kernel in (a_question_each, one_question):
    code = lint(kernel, signature_of((np.zeros((4, TILE), np.float32), np.zeros(TILE, np.float32)))).code
    if code:  # there is no compiler in a browser
        print(f"{kernel.__name__}: loads under way {code['loads_in_flight']:g}")

# %% predict="transpose_fast"
q = exercise("shared_memory.transpose_fast")
q.show()
q.predict(index=198)

# %% solution="transpose_fast"
WIDE = 64  # elements along each edge of the tile; also threads along x
DEPTH = 4  # threads along y
WIDE_PITCH = WIDE + 1  # words per row of the tile


@cuda.jit
def transpose_fast(src, dst):
    """dst = src.T, sixteen elements per thread. src: (n_rows, n_cols), dst: (n_cols, n_rows), both float32."""
    # about 19 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array((WIDE, WIDE_PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx  # in src
    if row + WIDE - DEPTH < src.shape[0] and col < src.shape[1]:
        for k in range(0, WIDE, DEPTH):
            tile[ty + k, tx] = src[row + k, col]  # no question between the loads: sixteen in flight
    elif col < src.shape[1]:
        for k in range(0, WIDE, DEPTH):  # the bottom edge, element by element
            if row + k < src.shape[0]:
                tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()  # the tile is filled, as far as src reaches
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx  # in dst
    if row + WIDE - DEPTH < dst.shape[0] and col < dst.shape[1]:
        for k in range(0, WIDE, DEPTH):
            dst[row + k, col] = tile[tx, ty + k]
    elif col < dst.shape[1]:
        for k in range(0, WIDE, DEPTH):
            if row + k < dst.shape[0]:
                dst[row + k, col] = tile[tx, ty + k]
    ### END SOLUTION


# %% check="transpose_fast"
q = exercise("shared_memory.transpose_fast")
q.check(transpose_fast).points

# %% race="transpose_fast"
q = exercise("shared_memory.transpose_fast")
q.race(transpose_fast).points

# %% [markdown]
# **Read the profile.** Here is what a profiler says of four transposes of 256 x 256 elements from this unit. A barrier counts once for each block that passes it.
#
# | kernel | global store requests | sectors of those | shared load requests | passes of those | barriers |
# |---|---|---|---|---|---|
# | A | 2,048 | 8,192 | 2,048 | 65,536 | 64 |
# | B | 2,048 | 65,536 | 0 | 0 | 0 |
# | C | 2,048 | 8,192 | 2,048 | 2,048 | 16 |
# | D | 2,048 | 8,192 | 2,048 | 2,048 | 64 |
#
# Before you open the answer: which is the kernel without a tile, which are rungs 2 and 5, and which two rungs may D be? What does this table not show of C and D?
#
# <details><summary>The answer</summary>B stores down columns, 32 sectors per request, and uses no shared memory: the kernel without a tile. A has 4 sectors on both sides, and pays 32 passes for each load from its tile: rung 2. C and D have no conflict left. C has 16 barriers, so 16 blocks, and tiles of 64 x 64: rung 5. D is rung 3 or rung 4: padded or swizzled, the counters are the same, and only the size of the tile in shared memory tells the two apart. The table does not show how many loads are under way at once, and that is what C gained. <b>A weak answer says</b> "equal counters, equal speed". <b>And then?</b> Where would a profiler show the difference? In what the warps wait for: with fewer loads under way, they wait longer for each.</details>

# %% [markdown]
# ---
# **A place to stop.** The first sitting ends here: a tile, a barrier, and no conflict. Of its code, the rest of the unit needs only the cell of imports and constants at the top.
#
# ---
# ## 6. The neighbours of the block
#
# **Look back.** A transpose uses each element once; the tile only changed the order.
# In a **stencil** each element is used several times, by neighbouring threads, and the tile saves loads.
#
# `dst[i]` is the sum of the seven elements from `src[i - 3]` to `src[i + 3]`. Without a tile every element is asked for seven times.
# A block that writes 256 elements needs 262: its own, and three on either side that belong to the neighbouring blocks. Those are the **halo**.
# Beyond the ends of the array there is nothing; here the end element is repeated: `src[0]` stands in for everything to its left.
# Mind that `src[-1]` is no error in a kernel: it is the last element.
#
# **Example.** The eight elements of the picture, three neighbours on each side. The tile holds 14 cells: three times 9, the eight, three times 3.
#
# | cell | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 |
# |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
# | holds | 9 | 9 | 9 | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 | 3 | 3 | 3 |
#
# Element 0 is the sum of cells 0 to 6, 9 + 9 + 9 + 9 + 6 + 7 + 9 = 58; element 1, of cells 1 to 7, 55:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `dst` | 58 | 55 | 53 | 52 | 46 | 43 | 39 | 33 |
#
# **Write** `stencil_1d(src, dst)`. **Predict** the bytes that all blocks together ask of global memory, for 1,025 elements, where every block loads all 262, the last one too.
#
# <details><summary>Interview question: the L1 cache would catch the repeated loads too. Why a tile?</summary>A cache saves the trip to memory, not the request: each repeated load is still an instruction with its own address, and may find its line evicted. A tile is a cache that you fill on purpose, and what is in it stays until you say otherwise. <b>A weak answer says</b> "shared memory is faster": both are parts of one memory on the chip. <b>And then?</b> When is the cache enough? When neighbours read the same within a few instructions: rung 9 does without a tile.</details>

# %% [markdown]
# The example in NumPy: the 14 cells, and the eight sums over seven of them.

# %%
cells = np.pad(np.float32([9, 6, 7, 9, 6, 7, 8, 3]), 3, mode="edge")
print(cells)
print([float(cells[k : k + 7].sum()) for k in range(8)])

# %%
q = exercise("shared_memory.stencil_1d")
q.show()

# %% predict="stencil_1d"
q.predict(global_load_bytes=5240)

# %% solution="stencil_1d"
RADIUS = 3  # neighbours on each side
SPAN = THREADS + 2 * RADIUS  # elements that a block needs: 262


@cuda.jit
def stencil_1d(src, dst):
    """dst[i] = src[i - 3] + ... + src[i + 3], ends repeated. src, dst: (n,) float32, n at least 1."""
    # about 12 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * THREADS
    for k in range(t, SPAN, THREADS):  # six threads come round again, for the right halo
        i = first - RADIUS + k
        tile[k] = src[min(max(i, 0), src.size - 1)]
    cuda.syncthreads()  # all 262 elements are there, whoever loaded them
    if first + t < dst.size:
        acc = tile[t]
        for k in range(1, 2 * RADIUS + 1):
            acc += tile[t + k]  # 32 lanes, 32 neighbouring words: 32 banks
        dst[first + t] = acc
    ### END SOLUTION


# %% check="stencil_1d"
q = exercise("shared_memory.stencil_1d")
q.check(stencil_1d).points

# %% [markdown]
# ## 7. A halo on four sides, weights for everybody
#
# **Look back.** 262 loads for 256 results instead of seven each. In two dimensions a 5 x 5 neighbourhood asks for each pixel 25 times, so there is more to save, and the halo is wider: a block of 8 rows of 32 pixels needs 12 rows of 36.
#
# Number these 432 cells along the rows, and let thread number t fill cell t, and cell t + 256 if there is one: `//` and `%` by 36 give row and column, and neighbouring threads get neighbouring pixels.
#
# The weights are the same for all threads. `cuda.const.array_like(GAUSS)` puts a NumPy array into **constant memory**, whose cache hands one word to all lanes of a warp at once. `GAUSS` is float32; NumPy's default would be float64, and the whole sum with it.
#
# **Example.** Cell 100 of the 432 is row 100 // 36 = 2, column 100 % 36 = 28: it belongs to the block itself, since the halo is rows 0, 1, 10, 11 and columns 0, 1, 34, 35.
# On a picture of 3 x 4 pixels, all of it lies within reach of the middle; above the first row, the first row is repeated.
#
# **Write** `blur_5x5(src, dst)`; beyond an edge, the nearest pixel inside is repeated.
# **Predict**, for 16 x 96 pixels in six blocks: the bytes loaded, and the load requests to the tile.
#
# <details><summary>Interview question: when is constant memory a bad place?</summary>When the lanes of a warp want different words: its cache serves one address at a time, so 32 different ones take 32 passes. It is made for values that are the same for everybody, and holds 64 KB. <b>A weak answer says</b> "when it is full". <b>And then?</b> Where do 32 different words belong? In shared memory, whose banks serve them side by side, or behind L1: unit 10 compares the three.</details>


# %%
@cuda.jit
def middle_weight(out):
    """out[lane] = the weight in the middle: one word for the whole warp. out: (32,) float32."""
    weights = cuda.const.array_like(GAUSS)
    out[cuda.threadIdx.x] = weights[REACH, REACH]


weight = cuda.to_device(np.zeros(32, np.float32))
middle_weight[1, 32](weight)
print("every lane has", set(weight.copy_to_host().tolist()), "which is 36 / 256 =", 36 / 256)

# %%
q = exercise("shared_memory.blur_5x5")
q.show()

# %% predict="blur_5x5"
q.predict(global_load_bytes=10368, shared_load_requests=1200)


# %% solution="blur_5x5"
@cuda.jit
def blur_5x5(src, dst):
    """dst = src blurred with GAUSS, edges repeated. src, dst: (n_rows, n_cols) float32."""
    # about 19 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH  # of the tile, in src
    for first in range(0, SPAN_Y * SPAN_X, TILE * ROWS):  # constant bounds: unrolled
        k = first + ty * TILE + tx
        if k < SPAN_Y * SPAN_X:
            y, x = k // SPAN_X, k % SPAN_X
            r = min(max(top + y, 0), src.shape[0] - 1)
            c = min(max(left + x, 0), src.shape[1] - 1)
            tile[y, x] = src[r, c]  # neighbouring lanes, neighbouring pixels
    cuda.syncthreads()  # all 12 x 36 pixels are there
    row, col = cuda.blockIdx.y * ROWS + ty, cuda.blockIdx.x * TILE + tx
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(2 * REACH + 1):
            for j in range(2 * REACH + 1):
                acc += weights[i, j] * tile[ty + i, tx + j]  # one weight for all lanes, 32 banks
        dst[row, col] = acc
    ### END SOLUTION


# %% check="blur_5x5"
q = exercise("shared_memory.blur_5x5")
q.check(blur_5x5).points

# %% race="blur_5x5"
q = exercise("shared_memory.blur_5x5")
q.race(blur_5x5).points

# %% [markdown]
# ## 8. Two passes of five
#
# **Look back.** Global memory is now asked less than twice for each pixel; the 25 loads fall on the tile.
# But `GAUSS[i, j]` is `TAPS[i] * TAPS[j]`: blurring with it is blurring along the rows, then down the columns. Five products and five more, instead of 25.
#
# Both passes fit into one kernel. Fill the tile as before; blur its 12 rows into a second tile of 12 x 32 sums; then each thread adds five of those, one below the other.
# Three steps, and each needs all of the one before: two barriers.
#
# **Example.** The middle of a 5 x 5 patch that is 0 except for a 16 in its centre. Along the rows, the centre row becomes 1, 4, 6, 4, 1. Down the columns, the pixel in the centre becomes 6 x 6 / 16 = 2.25, as `GAUSS[2, 2]` x 16 = 36 / 256 x 16 says. The next cell does both.
#
# **Write** `blur_separable(src, dst)`. **Predict** the load requests to shared memory for the same six blocks. How many warps does each of the two passes keep busy, and how often does each of them load?
#
# <details><summary>Interview question: how do you see whether a filter is separable?</summary>Its matrix of weights has rank 1: all rows are multiples of one row. A Gaussian and a box are; most learned 5 x 5 filters are not, though the singular value decomposition gives a sum of a few that are. <b>A weak answer says</b> "if it is symmetric". <b>And then?</b> What does it save for k x k weights? 2 k products in place of k squared, as long as the sums in between stay on the chip.</details>

# %%
patch = np.zeros((5, 5), np.float32)
patch[2, 2] = 16
along = np.array([np.convolve(row, TAPS, "same") for row in patch])
print(along[2], "then the centre:", (along * TAPS[:, None]).sum(0)[2], "and at once:", (patch * GAUSS).sum())

# %%
q = exercise("shared_memory.blur_separable")
q.show()

# %% predict="blur_separable"
q.predict(shared_load_requests=600)


# %% solution="blur_separable"
@cuda.jit
def blur_separable(src, dst):
    """dst = src blurred with TAPS along rows, then down columns. src, dst: (n_rows, n_cols) float32."""
    # about 27 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    mid = cuda.shared.array((SPAN_Y, TILE), float32)
    taps = cuda.const.array_like(TAPS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * ROWS - REACH, cuda.blockIdx.x * TILE - REACH  # of the tile, in src
    for first in range(0, SPAN_Y * SPAN_X, TILE * ROWS):  # constant bounds: unrolled
        k = first + ty * TILE + tx
        if k < SPAN_Y * SPAN_X:
            y, x = k // SPAN_X, k % SPAN_X
            r = min(max(top + y, 0), src.shape[0] - 1)
            c = min(max(left + x, 0), src.shape[1] - 1)
            tile[y, x] = src[r, c]
    cuda.syncthreads()  # all pixels are there
    for first in range(0, SPAN_Y, ROWS):  # 12 rows for 8 rows of threads: half of them take a second row
        y = first + ty
        if y < SPAN_Y:
            acc = float32(0)
            for j in range(2 * REACH + 1):
                acc += taps[j] * tile[y, tx + j]
            mid[y, tx] = acc
    cuda.syncthreads()  # all row sums are there
    row, col = cuda.blockIdx.y * ROWS + ty, cuda.blockIdx.x * TILE + tx
    if row < dst.shape[0] and col < dst.shape[1]:
        acc = float32(0)
        for i in range(2 * REACH + 1):
            acc += taps[i] * mid[ty + i, tx]
        dst[row, col] = acc
    ### END SOLUTION


# %% check="blur_separable"
q = exercise("shared_memory.blur_separable")
q.check(blur_separable).points

# %% race="blur_separable"
q = exercise("shared_memory.blur_separable")
q.race(blur_separable).points

# %% [markdown]
# ## 9. Down the column, in registers
#
# **Look back.** Half of the products, halo rows included, and the race hardly noticed: neither the products nor the memory held you back.
# What did is everything around them: a division to find a cell of the tile, two barriers, a dozen loads from shared memory, for *one* pixel per thread.
#
# So let a thread do more, and keep what it knows. Thread `x` owns column `x`, and walks down 32 rows of it.
# A row sum, five neighbouring pixels times `TAPS`, serves five pixels, one below the other: the thread keeps its last four in registers, and each row costs it one new row sum.
# The five loads of a row sum overlap with the neighbours' loads; the L1 cache answers them, so they need no tile, and without a tile there is nothing to wait for.
#
# One thing is left from rung 5: **bytes in flight**. A loop that loads one row and then stores one pixel keeps one row under way.
# So the thread takes four rows at a time: it computes four row sums, and only then stores four pixels.
#
# A small array that belongs to one thread is `cuda.local.array(8, float32)`. Where every index into it is known when the kernel is compiled, as in an unrolled loop, its elements live in registers.
# The cell below has one thread that adds three neighbours and carries two of them along, so that it loads each number once.
#
# **Example.** A column, its row sums s0, s1, s2, ... with `TAPS` at 1, 4, 6, 4, 1 sixteenths. Pixel 2 is (s0 + 4 s1 + 6 s2 + 4 s3 + s4) / 16, and pixel 3 needs s1 to s5: four of them are there already.
# Above the first row, the first row is repeated, so pixel 0 is (s0 + 4 s0 + 6 s0 + 4 s1 + s2) / 16.
#
# | iteration | carried | new | stored |
# |---|---|---|---|
# | before the loop | | sums of rows -2, -1, 0, 1 | |
# | 1 | -2, -1, 0, 1 | 2, 3, 4, 5 | pixels 0, 1, 2, 3 |
# | 2 | 2, 3, 4, 5 | 6, 7, 8, 9 | pixels 4, 5, 6, 7 |
#
# **Write** the device function `row_sum(src, row, col)` and the kernel `blur_column(src, dst)`; a block is 128 threads, side by side, and 32 rows tall.
# **Predict** the bytes loaded for the 16 x 96 pixels: how many row sums does a column of 16 pixels need, if none is computed twice?
#
# <details><summary>Interview question: registers, shared memory or the cache: where do you keep what is used again?</summary>In registers, where the same thread uses it again: nothing is faster, and nobody has to wait. In shared memory, where another thread needs it and the order matters, or where it would fall out of the cache before its time. In the cache, where neighbours read the same within a few instructions: it costs no code. <b>A weak answer says</b> "shared memory, always". <b>And then?</b> How would you know which of them limits a kernel? A profiler shows which of the units is busy: if none is, the kernel waits, and the place was not the trouble.</details>


# %%
@cuda.jit
def three_neighbours(src, dst):
    """dst[i] = src[i] + src[i + 1] + src[i + 2], by one thread. src: (n,), dst: (n - 2,), both float32."""
    carried = cuda.local.array(2, float32)
    carried[0], carried[1] = src[0], src[1]
    for i in range(dst.size):
        new = src[i + 2]  # the only load of this iteration
        dst[i] = carried[0] + carried[1] + new
        carried[0], carried[1] = carried[1], new


sums = cuda.to_device(np.zeros(6, np.float32))
three_neighbours[1, 1](cuda.to_device(np.float32([9, 6, 7, 9, 6, 7, 8, 3])), sums)
print(sums.copy_to_host())

# %%
q = exercise("shared_memory.blur_column")
q.show()

# %% predict="blur_column"
q.predict(global_load_bytes=38400)


# %% solution="blur_column"
BATCH = 4  # rows whose pixels are loaded before any of them is stored
SUMS = BATCH + 2 * REACH  # row sums that four pixels below each other need


@cuda.jit(device=True)
def row_sum(src, row, col):
    """Five pixels of a row times TAPS; beyond an edge, the nearest pixel is repeated."""
    # about 6 lines
    ### BEGIN SOLUTION
    taps = cuda.const.array_like(TAPS)
    r = min(max(row, 0), src.shape[0] - 1)
    acc = float32(0)
    for j in range(2 * REACH + 1):
        c = min(max(col + j - REACH, 0), src.shape[1] - 1)
        acc += taps[j] * src[r, c]  # the neighbours' loads, too: L1 has it
    return acc
    ### END SOLUTION


@cuda.jit
def blur_column(src, dst):
    """dst = src blurred with TAPS along rows, then down columns. src, dst: (n_rows, n_cols) float32."""
    # about 17 lines
    ### BEGIN SOLUTION
    taps = cuda.const.array_like(TAPS)
    sums = cuda.local.array(SUMS, float32)  # every index is a constant: registers
    col, first = cuda.grid(1), cuda.blockIdx.y * STRIP
    if col >= dst.shape[1]:
        return
    for i in range(2 * REACH):
        sums[i] = row_sum(src, first + i - REACH, col)
    for row in range(first, min(first + STRIP, dst.shape[0]), BATCH):
        for k in range(BATCH):  # all loads of this iteration, before any store
            sums[2 * REACH + k] = row_sum(src, row + k + REACH, col)
        for k in range(BATCH):
            if row + k < dst.shape[0]:
                acc = float32(0)
                for i in range(2 * REACH + 1):
                    acc += taps[i] * sums[k + i]
                dst[row + k, col] = acc
        for i in range(2 * REACH):
            sums[i] = sums[BATCH + i]  # four row sums serve the next iteration, too
    ### END SOLUTION


# %% check="blur_column"
q = exercise("shared_memory.blur_column")
q.check(blur_column).points

# %% race="blur_column"
q = exercise("shared_memory.blur_column")
q.race(blur_column).points

# %%
q.photograph(blur_column)

# %% [markdown]
# ## 10. Four columns at a time
#
# **Look back.** No division, no barrier, no tile. But a pixel still costs five loads, and each load an address: the row times its pitch, the column, the end of the row.
# Numbers that say *where* outnumber those that say *what*.
#
# Let one address serve four pixels. `load16(src, (row, col))` brings `src[row, col]` to `src[row, col + 3]` in one instruction, as a tuple of four; `store16(dst, (row, col), four)` writes as many.
# The address must be a multiple of 16 bytes. It is, if `col` is a multiple of 4 and every row has a multiple of four columns, which is promised here.
#
# Four row sums side by side need eight pixels: the four, two to their left and two to their right. That is one wide load and four single ones, which the neighbouring lane has loaded, too.
#
# **Example.** Columns 4 to 7 of a row, with `TAPS` at 1, 4, 6, 4, 1: the wide load brings p4 to p7, the single ones p2, p3, p8 and p9. The sum for column 4 takes p2 to p6, and the sum for column 7 takes p5 to p9.
# Eight pixels loaded for four sums: two per pixel in place of five, with five addresses in place of twenty.
#
# A tuple of four needs no array: `t = row_sums(src, row, col)`, and `p, q, r, s = r, s, t, u` carries sums along by name.
#
# **Write** `row_sums(src, row, col)`, which returns the four row sums, and `blur_wide(src, dst)`. A block is 128 threads, 512 columns wide and 32 rows tall.
# **Predict** for 16 x 96 pixels, whose 24 threads are one warp: the load requests and the store requests.
#
# <details><summary>Interview question: your kernel moves few bytes and still does not reach the memory's speed. What is left?</summary>Instructions: count those of one iteration of the loop, and divide by what the multiprocessor issues in a second. Addresses, guards and conversions often outnumber the arithmetic. Wide accesses, several elements per thread, and 32-bit indices in place of 64-bit ones bring them down. <b>A weak answer says</b> "more threads". <b>And then?</b> What would a profiler show? Issue slots that are busy nearly all of the time, and few warps that wait for memory.</details>


# %%
@cuda.jit
def four_at_once(src, dst):
    """A row of 32 from src to dst by eight threads, four elements each. src, dst: (1, 32) float32."""
    col = 4 * cuda.threadIdx.x
    store16(dst, (0, col), load16(src, (0, col)))


wide = cuda.to_device(np.zeros((1, 32), np.float32))
four_at_once[1, 8](cuda.to_device(np.arange(32, dtype=np.float32)[None]), wide)
print(wide.copy_to_host()[0])

# %%
q = exercise("shared_memory.blur_wide")
q.show()

# %% predict="blur_wide"
q = exercise("shared_memory.blur_wide")
q.predict(global_load_requests=100, global_store_requests=16)


# %% solution="blur_wide"
@cuda.jit(device=True)
def weigh(a, b, c, d, e):
    """Five numbers times TAPS, added up."""
    taps = cuda.const.array_like(TAPS)
    return taps[0] * (a + e) + taps[1] * (b + d) + taps[2] * c


@cuda.jit(device=True)
def row_sums(src, row, col):
    """The row sums of columns col to col + 3, as a tuple; beyond an edge, the nearest pixel is repeated."""
    # about 10 lines
    ### BEGIN SOLUTION
    r, end = min(max(row, 0), src.shape[0] - 1), src.shape[1] - 1
    a, b, c, d = load16(src, (r, col))
    left, near_left = src[r, max(col - 2, 0)], src[r, max(col - 1, 0)]
    near_right, right = src[r, min(col + 4, end)], src[r, min(col + 5, end)]
    return (
        weigh(left, near_left, a, b, c),
        weigh(near_left, a, b, c, d),
        weigh(a, b, c, d, near_right),
        weigh(b, c, d, near_right, right),
    )
    ### END SOLUTION


@cuda.jit(device=True)
def weigh_rows(a, b, c, d, e):
    """The same for five rows of four."""
    return (
        weigh(a[0], b[0], c[0], d[0], e[0]),
        weigh(a[1], b[1], c[1], d[1], e[1]),
        weigh(a[2], b[2], c[2], d[2], e[2]),
        weigh(a[3], b[3], c[3], d[3], e[3]),
    )


@cuda.jit
def blur_wide(src, dst):
    """dst = src blurred with TAPS, four columns per thread. src, dst: (n_rows, a multiple of 4) float32."""
    # about 13 lines
    ### BEGIN SOLUTION
    col, first = 4 * cuda.grid(1), cuda.blockIdx.y * STRIP
    if col >= dst.shape[1]:
        return
    p, q = row_sums(src, first - 2, col), row_sums(src, first - 1, col)
    r, s = row_sums(src, first, col), row_sums(src, first + 1, col)
    for row in range(first, min(first + STRIP, dst.shape[0]), 2):
        t, u = row_sums(src, row + 2, col), row_sums(src, row + 3, col)  # 32 bytes per thread are under way
        store16(dst, (row, col), weigh_rows(p, q, r, s, t))
        if row + 1 < dst.shape[0]:
            store16(dst, (row + 1, col), weigh_rows(q, r, s, t, u))
        p, q, r, s = r, s, t, u
    ### END SOLUTION


# %% check="blur_wide"
q = exercise("shared_memory.blur_wide")
q.check(blur_wide).points

# %% race="blur_wide"
q = exercise("shared_memory.blur_wide")
q.race(blur_wide).points

# %% [markdown]
# ## What you can do now
#
# You can stage data in a tile, order the block with a barrier that everybody reaches, load a halo, walk a tile in either direction without a conflict, padded or swizzled, and keep many loads in flight.
# That is the toolbox of every fast matrix kernel; a matrix multiplication is this unit with a sum in it.
#
# The table has the rungs of this session; where a GPU timed them, the library and the copy rate of that GPU stand beside them.
# The next unit looks inside the warp, where threads can do without shared memory.
#
# <details><summary>Interview question: a tiled kernel gives wrong results now and then, only on large inputs. What do you suspect first?</summary>A missing or misplaced barrier: between filling and reading, or between reading and the next fill when a loop reuses the tile. It goes unnoticed while the warps happen to run in order. Compute-sanitizer's racecheck, or an interpreter that tracks accesses, names both lines. <b>A weak answer says</b> "rounding". <b>And then?</b> How do you tell a race from rounding? Run it twice on the same data: a fixed order rounds the same way every time.</details>

# %%
from autograder import ladder

ladder("04_shared_memory")
