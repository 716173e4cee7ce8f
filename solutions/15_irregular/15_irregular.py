# %% [markdown]
# # Irregular work
#
# **The promise:** you can say of an uneven task, before anything is timed, how many of a warp's 32 lanes will have work and how much longer the busiest worker takes than the average one; and you know what to do about each. The last cell counts both for your own kernels.
# So far every thread had as much to do as its neighbour. Here they have not: rows of a sparse matrix are long or short, pixels of a fractal take two turns or hundreds, and random numbers have to come from somewhere that a million threads can share.
#
# **Time:** about three and a half hours, 75 lines to write.
# **You need:** units 1 to 5, for guards, sectors, tiles and lanes; unit 6 for sums of a warp and of a block; unit 8 for atomics and its work queue.
# Without a GPU everything is checked and counted, and only times are not measured.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise

# %% [markdown]
# ## 1. A sparse row for each thread
#
# **Goal:** multiply a matrix that is nearly all zeros, without its zeros.
#
# A matrix is **sparse** if most of its elements are 0: who links to whom on the web, which nodes of a mesh touch. A million by a million of float32 would take 4 TB, and a few million nonzeros are all that it says.
# The usual way to store them has a name, **CSR**, compressed sparse rows. It has three arrays. `values` holds the **nonzeros**, row after row; `columns` says in which column each of them stands; and `starts` says where each row begins. Row r is everything from `starts[r]` up to, and without, `starts[r + 1]`: so `starts` has one element more than there are rows.
# The product with a vector, **SpMV**, is then a sum over each row: `y[r]` adds up `values[k] * x[columns[k]]`.
#
# **Example.** Four rows, six nonzeros; row 2 has none:
#
# | row | as a matrix | values | columns | starts | y for x = (1, 2, 3, 4) |
# |---|---|---|---|---|---|
# | 0 | 5 0 0 1 | 5 1 | 0 3 | 0 | 5·1 + 1·4 = 9 |
# | 1 | 0 2 0 0 | 2 | 1 | 2 | 2·2 = 4 |
# | 2 | 0 0 0 0 | | | 3 | 0 |
# | 3 | 1 0 4 3 | 1 4 3 | 0 2 3 | 3, and 6 at the end | 1·1 + 4·3 + 3·4 = 25 |
#
# The cell builds the three arrays of this matrix from its zeros and nonzeros.

# %%
dense = np.array([[5, 0, 0, 1], [0, 2, 0, 0], [0, 0, 0, 0], [1, 0, 4, 3]], np.float32)
row_numbers, columns = np.nonzero(dense)
starts = np.searchsorted(row_numbers, np.arange(5))
print("values ", dense[row_numbers, columns])
print("columns", columns)
print("starts ", starts, " lengths of the rows", np.diff(starts))

# %% [markdown]
# **Write** `spmv_rows(starts, columns, values, x, y)`, one thread per row. An empty row has a result as well: 0.
#
# How long does a warp take? Its 32 lanes work on 32 rows and go through the loop together, so the loop ends when the **longest** of the 32 rows does. Lanes with shorter rows wait.
#
# **Predict first**, for 128 rows: in each 32 of them one row has 64 nonzeros, and the others have 8 at most. How many load requests do the warps make? Before the loop a lane loads two ends of its row; each turn loads a nonzero, its column, and an element of x.
#
# <details><summary>Interview question: what limits a sparse product?</summary>Memory. Each nonzero is 8 bytes, value and column, for two flops, and nothing is used twice but x. The reads of x are scattered, so how much of it a cache holds decides a good part. <b>A weak answer says</b> "multiplying by zeros", which are not stored. <b>And then?</b> What would you store in place of an int32 column? 16 bits where the matrix is narrow enough, or differences to the column before: fewer bytes per nonzero is the one thing that makes it faster.</details>

# %%
q = exercise("irregular.spmv_rows")
q.show()

# %% predict="spmv_rows"
q = exercise("irregular.spmv_rows")
q.predict(global_load_requests=776)


# %% solution="spmv_rows"
@cuda.jit
def spmv_rows(starts, columns, values, x, y):
    """y = a CSR matrix times x. starts: (n_rows + 1,), columns: (nnz,), both int32; values: (nnz,), x: (n_cols,),
    y: (n_rows,), all float32."""
    row = cuda.grid(1)
    # about 5 lines
    ### BEGIN SOLUTION
    if row < y.size:
        acc = float32(0)
        for k in range(starts[row], starts[row + 1]):
            acc += values[k] * x[columns[k]]
        y[row] = acc
    ### END SOLUTION


# %% check="spmv_rows"
q = exercise("irregular.spmv_rows")
q.check(spmv_rows).points

# %% [markdown]
# <details><summary>Interview question: how would you count the lanes that were lost?</summary>Turns of the warp times 32, less the sum of what its lanes did. Here a warp takes 64 turns, room for 2,048 nonzeros, and its rows have 178. <b>A weak answer says</b> "half of them are idle", without a count. <b>And then?</b> Would it help to sort the rows by their length? Yes: then neighbours are alike, and few warps are long. It costs a sort, once per matrix, and a table that says which row is whose.</details>
#
# ## 2. A sparse row for each warp
#
# **Goal:** no lane waits for another lane's row.
#
# **Look back.** In rung 1, 32 rows took 64 turns, since one of them had 64 nonzeros. And there is a second loss that a count of turns does not show: lanes of a warp read at 32 different places, one in each row, so a request for values touches up to 32 sectors.
#
# Both go away if a **warp** takes a row. Lane l takes nonzeros l, l + 32, l + 64 of that row: neighbours read neighbours, and 64 nonzeros are two turns. Each lane ends with a part of the sum; the warp adds up its 32 parts with the shuffles of unit 6, in `warp_sum`.
# What does it cost? There are 32 times as many warps, and a row with three nonzeros uses three lanes. So a warp per row is for rows of about 32 nonzeros and more. For shorter rows libraries let 2, 4, 8 or 16 lanes share one, chosen by the mean length.
#
# **Example.** Lanes of a warp of 4, to keep it short, and a row with 6 products:
#
# | lane | turn 0 | turn 1 | its sum | after the shuffles |
# |---|---|---|---|---|
# | 0 | 5 | 2 | 7 | 7 + 4 + 1 + 3 = 15 |
# | 1 | 1 | 3 | 4 | of no use |
# | 2 | 1 | | 1 | of no use |
# | 3 | 3 | | 3 | of no use |
#
# After the last turn all lanes must take part in the shuffles, those that had nothing to add as well: they bring their 0.

# %% [markdown]
# **Given:** `warp_sum(value)`, valid in lane 0; all 32 lanes must call it.
#
# **Write** `spmv_warps(starts, columns, values, x, y)`: blocks of 128 threads, four warps, four rows.
#
# **Predict first**, for the same 128 rows as before: how many accesses to memory does the busiest thread make, loads and stores together? In rung 1 it was 2 + 3 x 64 + 1 = 195. And which element of `y` does thread 64 of block 3 store?
#
# <details><summary>Interview question: one row has a million nonzeros, and the others have ten. What now?</summary>A warp per row leaves that row to 32 lanes while everything else is done. Share out the nonzeros and not the rows: each warp takes as many nonzeros as any other, finds by binary search in <code>starts</code> which row it begins in, and adds its part of a row that it shares with others by an atomic. Or treat rows by class: long ones get a block, short ones a thread. <b>A weak answer says</b> "a block per row", which moves the problem. <b>And then?</b> What does the equal share cost? A search per warp, and a second pass or atomics for the rows that were cut.</details>


# %% tags=["setup"]
WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(value):
    """The sum of value over the 32 lanes of a warp, valid in lane 0. value: float32; every lane must call."""
    d = WARP // 2
    while d > 0:
        value += cuda.shfl_down_sync(FULL_WARP, value, d)
        d //= 2
    return value


# %%
q = exercise("irregular.spmv_warps")
q.show()

# %% predict="spmv_warps"
q = exercise("irregular.spmv_warps")
q.predict(busiest_thread_accesses=9, index=14)


# %% solution="spmv_warps"
@cuda.jit
def spmv_warps(starts, columns, values, x, y):
    """y = a CSR matrix times x, one warp per row. starts: (n_rows + 1,), columns: (nnz,), both int32; values: (nnz,),
    x: (n_cols,), y: (n_rows,), all float32."""
    lane = cuda.threadIdx.x % WARP
    # about 8 lines
    ### BEGIN SOLUTION
    row = cuda.grid(1) // WARP
    if row < y.size:  # the same for all lanes of a warp
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]  # neighbours read neighbours
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc
    ### END SOLUTION


# %% check="spmv_warps"
q = exercise("irregular.spmv_warps")
q.check(spmv_warps).points

# %% race="spmv_warps"
q = exercise("irregular.spmv_warps")
q.race(spmv_warps).points

# %% [markdown]
# <details><summary>Interview question: when is a thread per row the better kernel?</summary>When rows are short and about equally long: a warp per row would leave most lanes without a nonzero. <b>A weak answer says</b> "never". <b>And then?</b> Rows of exactly five nonzeros, as on a regular grid: store them column by column, padded, which is called ELL. Then a thread per row reads neighbours of its neighbours, and needs no <code>starts</code>.</details>
#
# ## 3. Neighbours in a warp
#
# **Goal:** put lanes together that will be done together.
#
# **Look back.** In a sparse matrix the lengths of rows are known before the kernel starts. Often they are not. The **Mandelbrot set** is the best known picture of that kind. Each pixel stands for a complex number c. Begin with z = 0, and work out z = z · z + c again and again. For some c, z stays small for ever: c is inside the set. For others it **escapes**: once |z| is above 2 it never comes back. The picture shows after how many turns that happens, and nobody knows before.
#
# A complex number is a pair (zr, zi) with i · i = -1, so the square has the parts zr · zr - zi · zi and 2 · zr · zi. To save the root, compare |z|² = zr · zr + zi · zi with 4.
#
# **Example.** Three pixels, with at most 6 turns:
#
# | c | z after turn 1, 2, 3, ... | turns |
# |---|---|---|
# | 1 | 1, 2, 5 | 3: 5 is beyond 2 |
# | -2 | -2, 2, 2, 2, 2, 2 | 6: \|z\| is 2, and never above it |
# | i | i, -1 + i, -i, -1 + i, -i, -1 + i | 6 |
#
# A warp goes on until its last lane has escaped or reached the limit. So the shape of a warp matters: of 32 pixels in a long row some lie inside and some outside, wherever the border of the set runs across that row. Of 8 x 4 pixels fewer do, since they lie closer together.
# The cell counts what that means for a picture of 64 x 64.

# %%
def turns_in_numpy(re, im, limit):
    """Turns of every pixel. re: (n_cols,), im: (n_rows,)."""
    c = re + 1j * im[:, None]
    z, turns = np.zeros_like(c), np.zeros(c.shape, np.int64)
    for _ in range(limit):
        inside = np.abs(z) <= 2
        turns += inside
        z = np.where(inside, z * z + c, z)
    return turns


turns = turns_in_numpy(np.linspace(-2.2, 0.8, 64), np.linspace(-1.2, 1.2, 64), 64)
for high, wide in ((1, 32), (2, 16), (4, 8)):
    warps = turns.reshape(64 // high, high, 64 // wide, wide).swapaxes(1, 2).reshape(-1, 32)
    print(f"{wide:2} x {high}: a warp takes {warps.max(axis=1).mean():4.1f} turns, ", end="")
    print(f"and {32 * warps.sum() / (32 * warps.max(axis=1)).sum():4.1f} of 32 lanes are at work")

# %% [markdown]
# **Write** `escape(cr, ci, limit)`, the turns of one pixel, and `mandelbrot(re, im, limit, turns)`. A block has 256 threads in one row and a tile of 16 x 16 pixels. Warp w takes 8 x 4 of them: two warps side by side, four below each other. Lanes 0 to 7 have the first row of the eight columns, lanes 8 to 15 the second, and so on.
# Both parts of the new z need the old zr and the old zi: assign them together. And write the 2 as a float32, or add zr · zi twice: `2 * zr` is an int64 times a float32, which is double precision.
#
# **Predict first** for a picture of 64 x 64: to which place in `turns` does thread 42 of block 1 store? And how many sectors is a store of a warp: more than the 4 of a warp on one row?
#
# <details><summary>Interview question: why not sort the pixels by their turns?</summary>Because the turns are the result. What is known before is only that neighbours are alike, so the shape of a warp is all that one can choose. <b>A weak answer says</b> "sorting is too slow". <b>And then?</b> And if the same picture is drawn again, a little further on, as in a film? Then the last picture's turns are a good guess: order the tiles by them, long ones first.</details>

# %%
q = exercise("irregular.mandelbrot")
q.show()

# %% tags=["setup"]
TILE = 16  # pixels of a block along x and along y

# %% predict="mandelbrot"
q = exercise("irregular.mandelbrot")
q.predict(index=90, global_store_sectors_per_request=4)


# %% solution="mandelbrot"
@cuda.jit(device=True)
def escape(cr, ci, limit):
    """How often z = z * z + c is worked out, from z = 0, until |z| squared is above 4; limit at most. cr, ci: float32."""
    # about 6 lines
    ### BEGIN SOLUTION
    zr, zi = float32(0), float32(0)
    n = 0
    while n < limit and zr * zr + zi * zi <= float32(4):
        zr, zi = zr * zr - zi * zi + cr, zr * zi + zr * zi + ci
        n += 1
    return n
    ### END SOLUTION


@cuda.jit
def mandelbrot(re, im, limit, turns):
    """The turns of each pixel, a warp for each 8 x 4 of them. re: (n_cols,), im: (n_rows,), both float32;
    turns: (n_rows, n_cols) int32."""
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    # about 4 lines
    ### BEGIN SOLUTION
    row = TILE * cuda.blockIdx.y + 4 * (warp // 2) + lane // 8
    col = TILE * cuda.blockIdx.x + 8 * (warp % 2) + lane % 8
    if row < turns.shape[0] and col < turns.shape[1]:
        turns[row, col] = escape(re[col], im[row], limit)
    ### END SOLUTION


# %% check="mandelbrot"
q = exercise("irregular.mandelbrot")
q.check(mandelbrot).points
