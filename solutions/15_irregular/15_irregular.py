# %% [markdown]
# # Irregular work
#
# **The promise:** you can say of an uneven task, before anything is timed, how many of a warp's 32 lanes will have work and how much longer the busiest worker takes than the average one; and you know what to do about each. The last cell counts both for your own kernels.
# So far every thread had as much to do as its neighbour. Here it does not: rows of a sparse matrix are long or short, pixels of a fractal take two iterations or hundreds, and random numbers have to come from somewhere that a million threads can share.
#
# **Time:** about three hours, 75 lines to write.
# **You need:** units 1 to 5, for guards, sectors, tiles and lanes; unit 6 for sums of a warp and of a block; unit 8 for atomics and its work queue.
# Without a GPU everything is checked and counted, and only times are not measured.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32, int32, uint32, uint64

from autograder import exercise

# %% [markdown]
# ## 1. A sparse row for each thread
#
# **Goal:** multiply a matrix that is nearly all zeros, without its zeros.
#
# A matrix is **sparse** if most of its elements are 0: who links to whom on the web, which nodes of a mesh touch. A matrix of a million by a million float32 would take 4 TB, though all that it says is a few million nonzeros.
# The usual way to store them has a name, **CSR**, compressed sparse rows. It has three arrays. `values` holds the **nonzeros**, row after row; `columns` says in which column each of them stands; and `starts` says where each row begins. Row r is everything from `starts[r]` up to but not including `starts[r + 1]`: so `starts` has one element more than there are rows.
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
# **Write** `spmv_rows(starts, columns, values, x, y)`, one thread per row. An empty row has a result as well: 0. The check also launches other blocks.
#
# How long does a warp take? Its 32 lanes work on 32 rows and go through the loop together, so the loop ends when the **longest** of the 32 rows does. Lanes with shorter rows wait.
#
# **Predict first**, for 128 rows: in each 32 of them one row has 64 nonzeros, and the others have 8 at most. How many load requests do the warps make? Before the loop a lane loads two ends of its row; each iteration loads a nonzero, its column, and an element of x.
#
# <details><summary>Interview question: what limits a sparse product?</summary>Memory. Each nonzero is 8 bytes, value and column, for two flops, and only x is ever used again. The reads of x are scattered, so a good deal depends on how much of it a cache holds. <b>A weak answer says</b> "multiplying by zeros", which are not stored. <b>And then?</b> What would you store in place of an int32 column? 16 bits where the matrix is narrow enough, or differences from the column before: fewer bytes per nonzero is the one thing that makes it faster.</details>

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
# <details><summary>Interview question: how would you count the lanes that were lost?</summary>Iterations of the warp times 32, minus the sum of what its lanes needed. Here a warp takes 64 iterations, room for 2,048 nonzeros, and its rows have 178. <b>A weak answer says</b> "half of them are idle", without a count. <b>And then?</b> Would it help to sort the rows by their length? Yes: then neighbours are alike, and few warps are long. It costs a sort, once per matrix, and a table that says which row is whose.</details>
#
# ## 2. A sparse row for each warp
#
# **Goal:** no lane waits for another lane's row.
#
# **Look back.** In rung 1, 32 rows took 64 iterations, since one of them had 64 nonzeros. And there is a second loss that a count of iterations does not show: lanes of a warp read at 32 different places, one in each row, so a request for values touches up to 32 sectors.
#
# Both go away if a **warp** takes a row. Lane l takes nonzeros l, l + 32, l + 64 of that row: neighbours read neighbours, and 64 nonzeros are two iterations. Each lane ends with a part of the sum; the warp adds up its 32 parts with the shuffles of unit 6, in `warp_sum`.
# What does it cost? There are 32 times as many warps, and a row with three nonzeros uses three lanes. So a warp per row is for rows of about 32 nonzeros and more. For shorter rows libraries let 2, 4, 8 or 16 lanes share one, chosen by the mean length.
#
# **Example.** Lanes of a warp of 4, to keep it short, and a row with 6 products:
#
# | lane | iteration 0 | iteration 1 | its sum | after the shuffles |
# |---|---|---|---|---|
# | 0 | 5 | 2 | 7 | 7 + 4 + 1 + 3 = 15 |
# | 1 | 1 | 3 | 4 | not used |
# | 2 | 1 | | 1 | not used |
# | 3 | 3 | | 3 | not used |
#
# After the last iteration all lanes must take part in the shuffles, even those that had nothing to add: they bring their 0.

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
# **Look back.** In a sparse matrix the lengths of rows are known before the kernel starts. Often they are not. The **Mandelbrot set** is the best known picture of that kind. Each pixel stands for a complex number c. Begin with z = 0, and work out z = z · z + c again and again. For some c, z stays small forever: c is inside the set. For others it **escapes**: once |z| is above 2 it never comes back. The picture shows after how many iterations that happens, and nobody knows before.
#
# A complex number is a pair (zr, zi) with i · i = -1, so the square has the parts zr · zr - zi · zi and 2 · zr · zi. To save the root, compare |z|² = zr · zr + zi · zi with 4.
#
# **Example.** Three pixels, with at most 6 iterations:
#
# | c | z after iteration 1, 2, 3, ... | turns |
# |---|---|---|
# | 1 | 1, 2, 5 | 3: 5 is beyond 2 |
# | -2 | -2, 2, 2, 2, 2, 2 | 6: \|z\| is 2, and never above it |
# | i | i, -1 + i, -i, -1 + i, -i, -1 + i | 6 |
#
# A warp goes on until its last lane has escaped or reached the limit. So the shape of a warp matters: of 32 pixels in a long row some lie inside and some outside, wherever the border of the set runs across that row. A patch of 8 x 4 pixels is crossed less often, since its pixels lie closer together.
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
# **Write** `escape(cr, ci, limit)`, the iterations of one pixel, and `mandelbrot(re, im, limit, turns)`. A block has 256 threads in one row and a tile of 16 x 16 pixels. Warp w takes 8 x 4 of them: two warps side by side, four below each other. Lanes 0 to 7 have the first row of the eight columns, lanes 8 to 15 the second, and so on.
# Both parts of the new z need the old zr and the old zi: assign them together. And write the 2 as a float32, or add zr · zi twice: `2 * zr` is an int64 times a float32, which is double precision.
#
# **Predict first** for a picture of 64 x 64: to which place in `turns` does thread 42 of block 1 store? And how many sectors does a warp's store touch: more than the 4 of a warp on one row?
#
# <details><summary>Interview question: why not sort the pixels by their turns?</summary>Because the number of iterations is the result. All that is known before is that neighbours are alike, so the shape of a warp is all that one can choose. <b>A weak answer says</b> "sorting is too slow". <b>And then?</b> And if the same picture is drawn again, a little further on, as in a film? Then the last picture's turns are a good guess: order the tiles by them, long ones first.</details>

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

# %% [markdown]
# The picture that your kernel makes, larger, and with the lanes that it lost: a dark warp waited for one of its lanes. **Before you run it:** where will the dark ones lie?

# %%
from matplotlib import pyplot as plt

re, im = np.linspace(-2.2, 0.8, 192, dtype=np.float32), np.linspace(-1.2, 1.2, 128, dtype=np.float32)
turns = np.zeros((128, 192), np.int32)
mandelbrot[(12, 8), 256](re, im, 48, turns)
if turns.any():
    warps = turns.reshape(32, 4, 24, 8).swapaxes(1, 2).reshape(32, 24, 32)
    at_work = warps.mean(axis=2) / warps.max(axis=2)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2))
    left.imshow(np.log2(turns), cmap="magma")
    left.set(title="turns, on a scale of powers of two", xlabel="column", ylabel="row")
    right.imshow(32 * at_work, cmap="gray", vmin=0, vmax=32, extent=(0, 192, 128, 0))
    right.set(title=f"lanes at work: {32 * warps.sum() / (32 * warps.max(axis=2)).sum():.1f} of 32 over all", xlabel="column")
else:
    print("Nothing to show yet: first write mandelbrot.")

# %% [markdown]
# Along the border, and nowhere else: inside and far outside neighbours agree.
#
# <details><summary>Interview question: would a warp of 16 x 2, or of 1 x 32, be better for a picture of a coastline?</summary>Both have a longer edge than 8 x 4 for the same number of pixels, so a border crosses more of them. 8 x 4 is as close to a square as 32 comes and still fills sectors. <b>A weak answer says</b> "long rows, for coalescing": rows of 8 elements of 4 bytes fill sectors, too. <b>And then?</b> And with elements of one byte? Then 8 of a row are a quarter of a sector, and a warp of 32 x 1 stores four times as well: which loss is larger has to be counted.</details>
#
# ## 4. Find the bug: tiles by ticket
#
# **Goal:** no block waits for another block's tile.
#
# **Look back.** Lanes that are alike sit together now. Blocks are not alike: a tile inside the set takes `limit` iterations everywhere, a tile far outside two or three. How are tiles to be dealt out to blocks, if there are fewer blocks than tiles?
#
# | way | who does what | known |
# |---|---|---|
# | runs | block b takes the b-th run of neighbouring tiles | before the launch |
# | interleaved | block b takes tiles b, b + blocks, b + 2 blocks and so on, as in a grid-stride loop | before the launch |
# | by ticket | a block draws the next tile when it is done with the last one | while it runs |
#
# The first two are **loop partitioning**: cut the loop over the tiles into shares, and nobody has to ask anybody. Interleaving helps because neighbours are alike, and so a run is all quick or all slow. The third is unit 8's work queue; there a warp drew a row, here a **block** draws a tile.
#
# The cell deals out the 96 tiles of a picture of its own to five blocks. The busiest block says when the launch ends.

# %%
from matplotlib import pyplot as plt


def busiest_blocks(costs, blocks):
    """Turns of the busiest of some blocks that share tiles, over those of an average one: way -> number."""
    runs = [run.sum() for run in np.array_split(costs, blocks)]
    interleaved = [costs[block::blocks].sum() for block in range(blocks)]
    ticket = [0] * blocks
    for cost in costs:  # in the order of the queue, to the block that is free first
        ticket[ticket.index(min(ticket))] += cost
    ways = {"runs": runs, "interleaved": interleaved, "by ticket": ticket}
    return {way: max(sums) * blocks / costs.sum() for way, sums in ways.items()}


sample = turns_in_numpy(np.linspace(-2.2, 0.8, 192), np.linspace(-1.2, 1.2, 128), 48)
tile_costs = sample.reshape(8, 16, 12, 16).max(axis=(1, 3)).ravel() * 1.0  # a block is done with its slowest pixel
ways = busiest_blocks(tile_costs, 5)
figure, axes = plt.subplots(figsize=(6, 2))
axes.barh(list(ways), list(ways.values()))
axes.axvline(1, color="gray", linestyle="--")
axes.set(xlabel="busiest block, over the average block", title="Whoever draws is never far behind", xlim=(0, None))
axes.invert_yaxis()
for way, over in ways.items():
    print(f"{way:12} {over:.2f}")

# %% [markdown]
# The block's ticket has to reach 256 threads. In unit 8 lane 0 told its warp by a shuffle; here thread 0 tells its block through **one cell in shared memory**. Thread 0 draws, and writes the number into the cell; a barrier; everybody reads it.
#
# **Example.** Two blocks, five tiles that take 9, 1, 1, 1, 1 iterations:
#
# | | block 0 | block 1 |
# |---|---|---|
# | draws | tile 0, 9 iterations | tile 1, then 2, 3 and 4: 4 iterations |
# | draws again | 5: none is left | 6: none is left |
#
# The cell below draws twice and no more. Step through it, and look at `ticket` before and after each barrier.

# %%
@cuda.jit
def two_draws(re, im, limit, next_tile, turns):
    """Two draws of a block: its cell is written, read by all, and written again."""
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    for _ in range(2):
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()
        tile = ticket[0]
        cuda.syncthreads()
        if tile == 0 and t < turns.shape[1]:
            turns[0, t] = tile


q = exercise("irregular.mandelbrot_queue")
q.step(two_draws)

# %% [markdown]
# **Given:** `pixel_of(turns, tile, t)` is the row and the column that thread t of a block has in a tile, a warp for 8 x 4 of them as in rung 3, and `n_tiles_of(turns)` the number of tiles.
#
# **Write** `mandelbrot_queue(re, im, limit, next_tile, turns)`, with `escape` from rung 3.
#
# **Find the bug.** The draft below draws its tiles correctly, but has only one barrier for each draw. **Predict** the line that its verdict will name, counted from the `@cuda.jit` of its cell, line 1: of the two lines that race, the one that writes.
# **Predict**, too, for a picture of 64 x 64 and five blocks: how many draws are there, and how many barriers do the five blocks pass, added up?
#
# <details><summary>Interview question: the GPU's own scheduler hands out blocks as places become free. Why draw tiles at all?</summary>With a block for each tile, as in rung 3, the hardware is the queue, and that is often all one needs. A persistent block pays where starting it costs something: a table that it loads into shared memory once, registers and barriers to set up, or tiles so small that a block each would be mostly start. <b>A weak answer says</b> "the scheduler is slow". <b>And then?</b> In which order would you put the tiles into the queue? The long ones first, if you can guess which they are: then what is left at the end is short.</details>


# %% tags=["setup"]
@cuda.jit(device=True)
def n_tiles_of(turns):
    """How many tiles of 16 x 16 cover the picture."""
    return ((turns.shape[0] + TILE - 1) // TILE) * ((turns.shape[1] + TILE - 1) // TILE)


@cuda.jit(device=True)
def pixel_of(turns, tile, t):
    """Row and column of thread t in a tile: a warp has 8 x 4 pixels. They may lie beyond the picture."""
    across = (turns.shape[1] + TILE - 1) // TILE
    warp, lane = t // WARP, t % WARP
    row = TILE * (tile // across) + 4 * (warp // 2) + lane // 8
    col = TILE * (tile % across) + 8 * (warp % 2) + lane % 8
    return row, col


# %%
q = exercise("irregular.mandelbrot_queue")
q.show()

# %% predict="mandelbrot_queue"
q = exercise("irregular.mandelbrot_queue")
q.predict(line=10, atomic_operations=21, barriers=42)


# %%
@cuda.jit
def draft(re, im, limit, next_tile, turns):
    """Draws tiles, and writes the tile's number in place of the turns."""
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()
        tile = ticket[0]
        if tile < n_tiles:
            row, col = pixel_of(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = tile


q = exercise("irregular.mandelbrot_queue")
q.check(draft);


# %% solution="mandelbrot_queue"
@cuda.jit
def mandelbrot_queue(re, im, limit, next_tile, turns):
    """The turns of each pixel, by blocks that draw tiles. re: (n_cols,), im: (n_rows,), both float32; next_tile: (1,)
    int32, 0 before; turns: (n_rows, n_cols) int32."""
    ticket = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    # about 12 lines
    ### BEGIN SOLUTION
    n_tiles = n_tiles_of(turns)
    tile = 0
    while tile < n_tiles:
        if t == 0:
            ticket[0] = cuda.atomic.add(next_tile, 0, 1)
        cuda.syncthreads()  # the ticket is written
        tile = ticket[0]
        cuda.syncthreads()  # all threads have read it
        if tile < n_tiles:
            row, col = pixel_of(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)
    ### END SOLUTION


# %% check="mandelbrot_queue"
q = exercise("irregular.mandelbrot_queue")
q.check(mandelbrot_queue).points

# %% [markdown]
# <details><summary>What was wrong with the draft?</summary>Thread 0 may be done with its pixel early, since it escaped at once. It draws again and writes the next number into the cell, while a slow warp has not yet read the last one: that warp skips a tile, and nobody else does it. With the draft's one barrier it happens where warps of a block differ, which is the case that the queue was made for. The second barrier, after the reads, makes thread 0 wait.</details>
#
# <details><summary>Interview question: both barriers hold up the whole block for every tile. Is one enough?</summary>Yes, with two cells that alternate: draw k writes cell k % 2, so the next write goes elsewhere, and the write after that comes after the next barrier, which nobody passes before reading. <b>A weak answer says</b> "leave out the second, it works", which it does until it does not. <b>And then?</b> And with none? Let each warp draw for itself and tell its lanes by a shuffle, as in unit 8: no barrier, and eight times as many draws.</details>

# %% [markdown]
# ## 5. A number for each counter
#
# **Goal:** random numbers for a million threads, where no thread waits for another.
#
# **Look back.** Work can be uneven because the data are, as in rungs 1 to 4. It can also be left to chance, and then somebody has to supply the chance. The generator that NumPy users know has a **state**: each number is made from the state that the last one left behind. A million threads would queue for it.
# So give each thread a state of its own, begun with a **seed** of its own? The cell does that with a well-known simple generator and the seeds 0 to 7, and prints the first number of each.

# %%
def first_number(seed):
    """The first number, from 0 to 1, of a generator of the kind x = a x + c."""
    return (1664525 * seed + 1013904223) % 2**32 / 2**32


print([round(first_number(seed), 4) for seed in range(8)])

# %% [markdown]
# Each is 0.0004 above the last: neighbouring threads would have nearly the same luck. And all those states lie in memory, and are loaded and stored for every number.
#
# A **counter-based** generator has no state. It is a function that stirs a **counter** so thoroughly that neighbouring counters have nothing in common any more: number i is f(i). Whoever wants number 1,000,000 works it out at once, without any number before it. A second argument, the **key**, chooses another function, so it plays the part of the seed.
# **Philox** is the best known of them; libraries for GPUs have it. Here is its smallest form. The counter has two words of 32 bits: the left one begins as i, the right one as the number of a **stream**, so that there are 2³² sequences of 2³² numbers. (The word has nothing to do with the streams of unit 9.) There are ten rounds, and in each:
#
# | | |
# |---|---|
# | 1 | product = 0xD256D193 · left, all 64 bits of it |
# | 2 | new left = upper 32 bits of the product ^ key ^ right |
# | 3 | new right = lower 32 bits of the product |
# | 4 | key = lower 32 bits of key + 0x9E3779B9 |
#
# `^` is exclusive or, bit by bit. The number is the left word after ten rounds.
#
# **Example.** One round with words of 4 bits and 13 for a multiplier: left 5, right 2, key 9. The product is 65 = 4 · 16 + 1. New left: 4 ^ 9 ^ 2 = 15. New right: 1.
#
# **Number the numbers, not the threads.** If i is the place in the output, any launch gives the same numbers: more blocks, another GPU, a part today and the rest tomorrow. That is what makes a simulation repeatable.

# %% [markdown]
# **Write** `philox(i, stream, seed)` and `random_numbers(seed, stream, numbers)`. There are a quarter as many threads as numbers, so let each thread make several by a grid stride.
# Mind the types: numba gives `uint32 + uint32` 64 bits, so wrap what should stay at 32 in `uint32(...)`; and an unsigned number that meets a plain int64 may become a float64. `MULTIPLIER` and `KEY_STEP` have the right types.
#
# **Predict first**, for 2,600 numbers, which makes three blocks of 256: which is the second place that thread 37 of block 1 stores to? And by hand, one round with words of 4 bits and 11 for a multiplier: left 7, right 1, key 5. What are the new left and the new right? Write both numbers into one string with a blank between.
#
# <details><summary>Interview question: how do you make a simulation give the same result with any number of GPUs?</summary>Number the samples, and make sample s from counters that only s determines. Then it does not matter who works it out, or when. What still may differ is the order of a sum of floats; whole numbers, or a sum in a fixed order, fix that. <b>A weak answer says</b> "use the same seed everywhere", which gives every GPU the same numbers. <b>And then?</b> And with generators that have a state? Then each needs a jump: a way to reach the state after 2⁶⁴ numbers at once, one jump for each thread.</details>


# %% tags=["setup"]
MULTIPLIER = np.uint64(0xD256D193)
KEY_STEP = np.uint32(0x9E3779B9)

# %%
q = exercise("irregular.random_numbers")
q.show()

# %% predict="random_numbers"
q = exercise("irregular.random_numbers")
q.predict(index=1061, prints="0 13")


# %% solution="random_numbers"
@cuda.jit(device=True)
def philox(i, stream, seed):
    """The first word that ten rounds of Philox 2 x 32 make of the counter (i, stream) under the key seed."""
    left, right, key = uint32(i), uint32(stream), uint32(seed)
    # about 5 lines
    ### BEGIN SOLUTION
    for _ in range(10):
        product = MULTIPLIER * left
        left, right = uint32(product >> 32) ^ key ^ right, uint32(product)
        key = uint32(key + KEY_STEP)
    return left
    ### END SOLUTION


@cuda.jit
def random_numbers(seed, stream, numbers):
    """numbers[i] = number i of a stream. seed, stream: uint32; numbers: (n,) uint32."""
    # about 2 lines
    ### BEGIN SOLUTION
    for i in range(cuda.grid(1), numbers.size, cuda.gridsize(1)):
        numbers[i] = philox(i, stream, seed)
    ### END SOLUTION


# %% check="random_numbers"
q = exercise("irregular.random_numbers")
q.check(random_numbers).points

# %% [markdown]
# Do they look like chance? Pairs of neighbours as points: left, from the simple generator with a seed for each thread; right, from yours.

# %%
from matplotlib import pyplot as plt

numbers = np.zeros(4000, np.uint32)
random_numbers[4, 256](np.uint32(7), np.uint32(0), numbers)
if numbers.any():
    simple = np.array([first_number(seed) for seed in range(0, 4000 * 977, 977)])
    figure, axes = plt.subplots(1, 2, figsize=(7, 3.4))
    for i, (name, x) in enumerate((("a seed for each", simple), ("a counter for each", numbers / 2**32))):
        axes[i].plot(x[::2], x[1::2], ".", markersize=2)
        axes[i].set(title=name, xlabel="number 2 j", ylabel="number 2 j + 1", aspect="equal")
    figure.tight_layout()
else:
    print("Nothing to show yet: first write random_numbers.")

# %% [markdown]
# <details><summary>Interview question: a counter of 32 bits and a stream of 32 bits. When do numbers repeat?</summary>Never within a key, as long as no pair of counter and stream comes twice: the rounds are a bijection of 64 bits, so different counters give different pairs of words. <b>A weak answer says</b> "after 2³² numbers". <b>And then?</b> We keep one word of the two. Can that word repeat? Yes, and it should: if none of 2³² numbers ever came twice, one could tell that they are not random.</details>
#
# ## 6. A lane that is done goes on
#
# **Goal:** samples of uneven length, and no lane that waits for another lane's sample.
#
# A **Monte Carlo** computation works out an average by trying. Here is one with a famous answer. Draw numbers from 0 to 1 until they add up to 1 or more, and note how many it took; that is one **sample**. The average over many samples is e = 2.71828...
# With a million samples the error is about a thousandth, and a hundred times as many give one more digit: it falls with the root of their number. So one takes many samples, and a GPU is made for that.
#
# **Example.** Draws 0.3, 0.5, 0.4 add up to 1.2: 3 draws. The next sample: 0.9, 0.2: 2 draws. Average: 2.5.
#
# In whole numbers: a draw is a share of 2³², so go on until the sum is 2³² or more. It then has 33 bits or more, so keep it in 64. Draw k of sample s is `philox(k, s, seed)`: the sample is the stream.
#
# The plain way has two loops, one over a thread's samples and inside it one over the draws of a sample. Then a warp needs as many iterations for its 32 samples as the longest of them has draws, about 5.5, where the average is 2.7: half of the lanes wait, and they do so in every sample.
# But why should they wait? The inner loop is the same for all samples. Make **one loop** of the two, in which every iteration draws one number: a lane whose sum has reached 1 notes its draws, and begins its next sample **in the same loop**. Sums over many samples differ far less than samples do, so the lanes finish nearly together.

# %%
def turns_of_warps(draws):
    """Turns of a warp with two loops and with one, and of its average lane. draws: (samples of a lane, 32)."""
    return int(draws.max(axis=1).sum()), int(draws.sum(axis=0).max()), float(draws.sum(axis=0).mean())


uniform = np.random.default_rng(1).random((16 * 32, 24))
draws = ((uniform.cumsum(axis=1) < 1).sum(axis=1) + 1).reshape(16, 32)
print("16 samples per lane: two loops take {} turns, one loop {}; the average lane has {:.1f}".format(*turns_of_warps(draws)))

# %% [markdown]
# **Given:** `block_sum(x)`, the sum of x over the 128 threads of a block, for all of them; every thread must call it.
#
# **Write** `count_draws(seed, n_samples, total)`: two blocks of 128 threads, a thread takes sample `cuda.grid(1)` first and then every `cuda.gridsize(1)`-th. A thread adds up its own draws in a register; its block adds up those of its threads; one atomic per block adds that to `total`.
#
# **Predict first**, for 1,024 samples: the atomic operations.
#
# <details><summary>Interview question: how would you compute pi by Monte Carlo, and how good is it?</summary>Draw points in a square and count those inside a quarter of a circle: the share is pi / 4. A thread counts in a register, a block adds up, one atomic per block. The error falls with the root of the number of points: a million gives about three digits. <b>A weak answer</b> adds atomically for each point, or draws all points with one seed per thread. <b>And then?</b> Is it uneven work? No, every point costs the same. It would be if points outside were drawn anew, as in rejection sampling: then this rung's loop helps.</details>


# %% tags=["setup"]
SAMPLERS = 128  # threads of a block
ONE = 1 << 32  # what a draw is a share of


@cuda.jit(device=True)
def block_sum(x):
    """The sum of x over the 128 threads of a block, for all of them; every thread must call. x: int32."""
    s = cuda.shared.array(SAMPLERS, int32)
    t = cuda.threadIdx.x
    s[t] = x
    d = SAMPLERS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    cuda.syncthreads()
    return s[0]


# %%
q = exercise("irregular.count_draws")
q.show()

# %% predict="count_draws"
q = exercise("irregular.count_draws")
q.predict(atomic_operations=2)


# %% solution="count_draws"
@cuda.jit
def count_draws(seed, n_samples, total):
    """total[0] += the draws of all samples. seed: uint32; total: (1,) int32."""
    # about 12 lines
    ### BEGIN SOLUTION
    sample, k, acc, draws = cuda.grid(1), 0, uint64(0), 0
    while sample < n_samples:  # every iteration draws one number, for whichever sample the lane is at
        acc += philox(k, sample, seed)
        k += 1
        if acc >= ONE:
            draws += k
            sample += cuda.gridsize(1)
            k, acc = 0, uint64(0)
    draws = block_sum(draws)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, draws)
    ### END SOLUTION


# %% check="count_draws"
q = exercise("irregular.count_draws")
q.check(count_draws).points

# %% [markdown]
# Your average for more and more samples, beside e and beside the error that one may expect.

# %%
for n_samples in (64, 512, 4096, 16384):
    total = np.zeros(1, np.int32)
    count_draws[2, 128](np.uint32(2), n_samples, total)
    average = total[0] / n_samples
    print(f"{n_samples:6,} samples: {average:.4f}, off by {abs(average - np.e):.4f}; expected about {0.875 / n_samples**0.5:.4f}")
if not total[0]:
    print("Nothing was counted: first write count_draws.")

# %% [markdown]
# <details><summary>Interview question: ray tracers have this problem on a large scale: rays bounce twice or fifty times. What do they do?</summary>The same, in two forms. A lane whose ray has ended takes the next one from a queue, as here from its own share. Or all rays that are still under way are packed together after every bounce, with a compaction (unit 7), so that whole warps are busy or gone. <b>A weak answer says</b> "limit the bounces". <b>And then?</b> What does packing cost? A pass over memory per bounce, with the state of each ray; so it pays where a bounce is much work.</details>
#
# ## 7. All with all
#
# **Goal:** n² pairs of work, from n loads per block.
#
# **Look back.** In every rung so far work was uneven, and few threads wanted the same data. Here is the other end, the **n-body** problem: n bodies that attract each other, stars or charges. Each is pulled by all others, so every thread has the same n terms, and all threads want the same n bodies.
# Body j pulls at body i with mass[j] / d², in the direction from i to j. The arrow (dx, dy) from i to j is d long itself, so dx and dy are multiplied by mass[j] / d³. With a **softening** in d² = dx² + dy² + soft, bodies that come close do not fly apart, and a body's pull on itself is 0 in place of 0 / 0.
#
# Done the plain way, a thread loads three numbers for each pair, and there are n² pairs: 12 n² bytes. But all threads of a block go through the bodies in the same order. So let the block take a **tile** of 64 bodies into shared memory, each thread one, wait, and let every thread take all 64 from there; then the next tile. It is the tile of unit 4, with a whole block that reads the same cell: one pass over the banks serves a warp.
#
# **Example.** Three bodies on a line, at 0, 1 and 3, with masses 2, 4 and 8, without softening. On body 0: 4 · 1 / 1³ + 8 · 3 / 3³ = 4.89. On body 1: 2 · (-1) / 1³ + 8 · 2 / 2³ = 0: here the two pulls cancel. On body 2: 2 · (-3) / 3³ + 4 · (-2) / 2³ = -1.22.
#
# The last tile is rarely full. A guard inside the loop would cost a comparison per pair. But a body with **mass 0** pulls nobody: fill the cells past the end with it.

# %%
def pull(x, mass):
    """The pull on each of some bodies on a line."""
    way = x - x[:, None]
    d = np.abs(way) + np.eye(len(x))  # the way to itself is 0, whatever it is divided by
    return (mass * way / d**3).sum(axis=1)


print("three bodies:              ", pull(np.array([0.0, 1, 3]), np.array([2.0, 4, 8])))
print("and one of mass 0 anywhere:", pull(np.array([0.0, 1, 3, 2]), np.array([2.0, 4, 8, 0]))[:3])

# %% [markdown]
# **Write** `n_body(x, y, mass, soft, pull_x, pull_y)`: blocks of 64 threads, tiles of 64 bodies. Threads without a body of their own load for the others, and reach every barrier.
# Mind the types: `1 / math.sqrt(...)` divides an int by a float32, which is a float64. Write `float32(1)`.
#
# **Predict first**, for 160 bodies in three blocks: how many barriers do the three blocks pass, added up? And how many bytes are loaded from global memory? Without tiles a thread would load 12 bytes for each of 160 bodies: about 307,000.
#
# <details><summary>Interview question: by Newton's third law the pull of j on i is that of i on j. Why not work out each pair once?</summary>Then two threads would add to one body, so it takes atomics, or a second pass over n² / 2 results; and the tile, whose order all threads share, falls apart. Twice the arithmetic without any conflict is faster. <b>A weak answer says</b> "because of rounding". <b>And then?</b> What does one do for a million bodies? Not n² at all: far groups are treated as one body, in a tree. There the work is uneven again: how deep a thread goes depends on where its body is.</details>

# %%
q = exercise("irregular.n_body")
q.show()

# %% tags=["setup"]
import math

BODIES = 64  # of a tile, and threads of a block

# %% predict="n_body"
q = exercise("irregular.n_body")
q.predict(barriers=18, global_load_bytes=7040)


# %% solution="n_body"
@cuda.jit
def n_body(x, y, mass, soft, pull_x, pull_y):
    """What all bodies do to each, a tile of 64 at a time. soft: float32, above 0; all others: (n,) float32."""
    tile_x = cuda.shared.array(BODIES, float32)
    tile_y = cuda.shared.array(BODIES, float32)
    tile_m = cuda.shared.array(BODIES, float32)
    i, t, n = cuda.grid(1), cuda.threadIdx.x, x.size
    # about 21 lines
    ### BEGIN SOLUTION
    xi = yi = sum_x = sum_y = float32(0)
    if i < n:
        xi, yi = x[i], y[i]
    for first in range(0, n, BODIES):
        tile_x[t] = tile_y[t] = tile_m[t] = float32(0)  # mass 0 past the end: it pulls nobody
        if first + t < n:
            tile_x[t], tile_y[t], tile_m[t] = x[first + t], y[first + t], mass[first + t]
        cuda.syncthreads()  # the tile is complete
        for k in range(BODIES):
            dx, dy = tile_x[k] - xi, tile_y[k] - yi
            inverse = float32(1) / math.sqrt(dx * dx + dy * dy + soft)
            factor = tile_m[k] * inverse * inverse * inverse
            sum_x += factor * dx
            sum_y += factor * dy
        cuda.syncthreads()  # no thread still reads it
    if i < n:
        pull_x[i] = sum_x
        pull_y[i] = sum_y
    ### END SOLUTION


# %% check="n_body"
q = exercise("irregular.n_body")
q.check(n_body).points

# %% [markdown]
# Two clouds of bodies that start at rest and fall towards each other, by your kernel. **Before you run it:** will they stop when they meet?

# %%
from matplotlib import pyplot as plt

rng = np.random.default_rng(15)
place = rng.normal(0, 0.15, (2, 96)).astype(np.float32)
place[0] += np.where(np.arange(96) < 48, -1, 1)
speed = np.zeros_like(place)
mass, pulls, soft, step = np.full(96, 1 / 96, np.float32), np.zeros_like(place), np.float32(0.02), np.float32(0.14)
n_body[2, 64](place[0], place[1], mass, soft, pulls[0], pulls[1])
if pulls.any():
    figure, axes = plt.subplots(1, 4, figsize=(9, 2.4), sharex=True, sharey=True)
    for moment in range(28):
        if moment % 9 == 0:
            axes[moment // 9].plot(*place, ".", markersize=3)
            axes[moment // 9].set(title=f"after {moment} steps", aspect="equal", xlim=(-1.6, 1.6), ylim=(-1, 1))
        n_body[2, 64](place[0], place[1], mass, soft, pulls[0], pulls[1])
        speed += step * pulls
        place += step * speed
else:
    print("Nothing to show yet: first write n_body.")

# %% [markdown]
# <details><summary>Interview question: where is this kernel on the roofline?</summary>A block of 64 does 64 · 13 flops for the 12 bytes of a body, about 70 flops per byte from global memory: far right of the ridge, bound by arithmetic, roots and divisions above all. <b>A weak answer says</b> "memory, it reads everything again in each block". <b>And then?</b> What would make it faster? A reciprocal root in one instruction, as fastmath allows; and two bodies per thread, so that a body taken from the tile serves two.</details>
#
# ## 8. Counted before it is timed
#
# **Look back.** The promise was to say how many of 32 lanes have work, and how much longer the busiest worker takes than the average one, before anything is timed. The cell counts both for your kernels, on the sizes that your predictions were about: lanes at work over all lines of the kernel, and the busiest thread's accesses to memory over those of an average thread.

# %%
from autograder.exercises.u15_irregular.balance import balance
from autograder.notebook import display

kernels = {"irregular.spmv_rows": spmv_rows, "irregular.spmv_warps": spmv_warps, "irregular.mandelbrot": mandelbrot}
kernels |= {"irregular.mandelbrot_queue": mandelbrot_queue, "irregular.count_draws": count_draws, "irregular.n_body": n_body}
display.table(("kernel", "lanes at work, of 32", "busiest thread over the average"), balance(kernels))

# %% [markdown]
# <details><summary>Read the table</summary><code>spmv_rows</code> has both losses at once: most lanes wait for one, and that one has many times the average. In <code>spmv_warps</code> nearly all lanes work, and its busiest thread is one of a long row: other warps are done earlier, and make room. <code>mandelbrot</code> waits along the border of the set. In <code>mandelbrot_queue</code> some threads have twice the average, and that is as it should be: their blocks had quick tiles, and drew more of them. <code>count_draws</code> loses what is left at the end; its busiest thread is thread 0 in the tree of <code>block_sum</code>. <code>n_body</code> loses nothing: every body takes the same work. <b>A weak answer</b> looks at one column. <b>And then?</b> Which loss does neither column show? That of whole blocks that end early; only the chart of rung 4 showed it.</details>

# %% [markdown]
# **Read the profile.** Here is what a profiler says of three products with one matrix of 64 rows: two of them have 512 nonzeros, and the others 64 at most. One kernel belongs to neither rung: a warp per row, in which each lane takes a run of neighbouring nonzeros.
#
# | kernel | global load requests | sectors of those | warp instructions | thread instructions |
# |---|---|---|---|---|
# | A | 410 | 4,544 | 1,566 | 47,136 |
# | B | 3,076 | 5,925 | 1,038 | 2,464 |
# | C | 410 | 2,304 | 1,438 | 43,040 |
#
# Before you open the answer: which is which? Which two columns tell of uneven rows, and which two of scattered reads?
#
# <details><summary>The answer</summary>B has the fewest instructions and is the slowest. Its 2,464 thread instructions come from 1,038 warp instructions: 2.4 of 32 lanes are at work. That is a thread per row, rung 1, and its requests, one after the other in two long rows, say how long it takes. A and C have a warp per row and ask equally often. C needs half the sectors: its lanes read neighbours, rung 2. In A a lane's run lies beside its neighbour's run, so that a request touches many sectors and takes a part of each. <b>A weak answer says</b> "B is best, it has the fewest instructions". <b>And then?</b> Why do A and C have so many thread instructions? Every lane loads both ends of its row and takes part in five shuffles, whether it had a nonzero or not.</details>
#
# ## What you can do now
#
# You can multiply a sparse matrix, and say from the lengths of its rows which kernel suits it; put work that is alike into one warp; deal out work that nobody can foresee, by shares or by ticket; make random numbers that need no memory and do not depend on the launch; keep the lanes of a warp busy with samples of uneven length; and let a block share what all of its threads need.
#
# The table has the rungs of this session.

# %%
from autograder import ladder

ladder("15_irregular")
