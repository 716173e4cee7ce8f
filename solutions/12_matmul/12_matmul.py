# %% [markdown]
# # Matrix multiplication
#
# **The promise:** you climb from a few percent of the library's speed to most of it, in float32 and on the tensor cores, and can say, before you measure, which counter each rung will change and by how much.
# The product of two n x n matrices takes 2n³ flops on 3n² numbers, so every number is used n times. Whoever keeps it close wins; everything in this unit is about keeping it closer.
#
# **Time:** a little over six hours, 162 lines to write; every rung is a good place to stop, and rungs 4 and 7 are good places for a night's sleep.
# **You need:** units 1 to 4: guards on two axes, sectors, shared memory and its banks; from rung 7 on also unit 10, whose copies run beside the threads.
# Without a GPU everything is checked and counted, and only times are not measured. The last rung uses instructions that an H100 and an H200 have: elsewhere it is interpreted, and rung 8 is what runs.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32, int8, int32, uint32

from autograder import exercise
from autograder.notebook.intrinsics import bits16, ldmatrix, ldmatrix_transposed, load16, mma, mma_int8, store16
from autograder.notebook.intrinsics import commit_copies, copy16_async, copy_async, wait_copies
from autograder.notebook.warpgroups import show_tiles, store_sums, wait_products, warpgroup_mma, zero_sums

float16 = np.float16
TILE = 32  # elements along each edge of a tile, rung 3


@cuda.jit(device=True, forceinline=True)
def at(src, row, col):
    """src[row, col], or 0 past an edge: a product with 0 changes no sum. src: 2D float32."""
    if row < src.shape[0] and col < src.shape[1]:
        return src[row, col]
    return float32(0)


@cuda.jit(device=True, forceinline=True)
def fetch4(src, row, col):
    """src[row, col] to src[row, col + 3], 0 past an edge: one load of 16 bytes where the four are whole and aligned."""
    n_rows, n_cols = src.shape
    if row < n_rows and col + 4 <= n_cols and n_cols % 4 == 0:
        return load16(src, (row, col))
    return at(src, row, col), at(src, row, col + 1), at(src, row, col + 2), at(src, row, col + 3)


@cuda.jit(device=True, forceinline=True)
def put(dst, row, col, x):
    """dst[row, col] = x, if there is such an element."""
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = x


@cuda.jit(device=True, forceinline=True)
def put4(dst, row, col, x):
    """dst[row, col] to dst[row, col + 3] = x, as far as dst reaches: one store of 16 bytes where possible."""
    n_rows, n_cols = dst.shape
    if row < n_rows and col + 4 <= n_cols and n_cols % 4 == 0:
        store16(dst, (row, col), x)
    else:
        put(dst, row, col, x[0])
        put(dst, row, col + 1, x[1])
        put(dst, row, col + 2, x[2])
        put(dst, row, col + 3, x[3])


@cuda.jit(device=True, forceinline=True)
def word_at(src, row, col):
    """Two neighbours of a float16 matrix in one word of 32 bits, the first in the lower half; 0 past an edge."""
    low = high = uint32(0)
    if row < src.shape[0]:
        if col < src.shape[1]:
            low = bits16(src[row, col])
        if col + 1 < src.shape[1]:
            high = bits16(src[row, col + 1])
    return low | (high << uint32(16))


@cuda.jit(device=True, forceinline=True)
def fetch8(src, row, col):
    """Eight float16 neighbours from src[row, col] on, as four words: 16 bytes, as `fetch4` does it."""
    n_rows, n_cols = src.shape
    if row < n_rows and col + 8 <= n_cols and n_cols % 8 == 0:
        return load16(src, (row, col))
    return word_at(src, row, col), word_at(src, row, col + 2), word_at(src, row, col + 4), word_at(src, row, col + 6)


# %% [markdown]
# ## 1. One thread, one element
#
# **Goal:** a product that is right for any three sizes.
#
# Element (row, col) of c is the sum of `a[row, k] * b[k, col]` over all k: row `row` of a, read from left to right, against column `col` of b, read from top to bottom.
# With a row (1, 2, 3) and a column (4, 5, 6) that is 1·4 + 2·5 + 3·6 = 32: three products, two additions.
# No element needs another, so each gets a thread. The picture shows who reads what.
#
# **Write** `matmul_naive(a, b, c)`. The first number of `cuda.grid(2)` is the row, the second the column, as one writes them; the grid covers c and a little more. The check also launches other blocks.
# Sum in a register, and mind its type: `0` and a float32 make a float64.
#
# **Predict first**, for 64 x 64 matrices and blocks of 16 x 16: the 32 lanes of a warp differ in x first. Lanes 0 to 15 have 16 rows of one column, lanes 16 to 31 the same rows of the next.
# How many sectors does a load request touch, on average over the requests for a and those for b?

# %%
q = exercise("matmul.matmul_naive")
q.show()

# %% predict="matmul_naive"
q = exercise("matmul.matmul_naive")
q.predict(global_load_sectors_per_request=8.5)


# %% solution="matmul_naive"
@cuda.jit
def matmul_naive(a, b, c):
    """c = a b. a: (n_rows, n_inner), b: (n_inner, n_cols), c: (n_rows, n_cols), all float32."""
    # about 6 lines
    ### BEGIN SOLUTION
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc
    ### END SOLUTION


# %% check="matmul_naive"
q = exercise("matmul.matmul_naive")
q.check(matmul_naive).points

# %% [markdown]
# <details><summary>Interview question: how often does this kernel read each element of a?</summary>n_cols times: once for every element of its row of c. A weak answer stops at "too often". The follow-up: and how often must it be read? Once, if everything that needs it were at hand; the rest of the unit is about the way from n to 1.</details>
#
# ## 2. Neighbours along a row
#
# **Goal:** the same loads, fewer sectors.
#
# **Look back.** Your 16 lanes read 16 rows of a at the same k: 16 sectors for 16 numbers, each sector for 4 bytes of its 32.
# b cost one sector, because lanes with one column read the same element.
# Swap the two: let neighbouring lanes have neighbouring *columns*.
# Then all lanes of a warp read one element of a, which takes one sector, and 32 neighbours of a row of b, which take 4.
#
# **Write** `matmul_coalesced(a, b, c)`: the same kernel with x along the columns. The launch has blocks of 32 x 8, so a warp is one row of a block.
#
# In the picture, three elements of one row of c need the same row of a, and each a column of b of its own.
#
# **Predict first** the sectors per load request.

# %%
q = exercise("matmul.matmul_coalesced")
q.show()

# %% predict="matmul_coalesced"
q = exercise("matmul.matmul_coalesced")
q.predict(global_load_sectors_per_request=2.5)


# %% solution="matmul_coalesced"
@cuda.jit
def matmul_coalesced(a, b, c):
    """c = a b. a: (n_rows, n_inner), b: (n_inner, n_cols), c: (n_rows, n_cols), all float32."""
    # about 6 lines
    ### BEGIN SOLUTION
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]  # 1 sector for the warp, then 4
        c[row, col] = acc
    ### END SOLUTION


# %% check="matmul_coalesced"
q = exercise("matmul.matmul_coalesced")
q.check(matmul_coalesced).points

# %% [markdown]
# <details><summary>Interview question: both kernels load the same number of bytes per thread. Why is one faster?</summary>Memory is moved in sectors of 32 bytes, in passes of up to 128 bytes that lie side by side: 16 rows of a take 16 passes, 32 neighbours of b take one. A weak answer says "the cache". The follow-up: does a cache make the first kernel as good? No: it holds the other 28 bytes of each sector for later, but a request for 16 sectors still takes 16 look-ups.</details>
#
# ## 3. Load a tile once for the whole block
#
# **Goal:** 32 times fewer loads from global memory.
#
# **Look back.** 2.5 sectors per request is good, but there are two requests for every product: 8 bytes loaded for 2 flops, and the 32 warps of neighbouring rows load the same rows of b again.
# A block of 32 x 32 threads needs 32 rows of a and 32 columns of b. Cut them into **tiles** of 32 x 32: each thread loads one element of each tile into shared memory, and then all 1,024 threads use all of it.
# Every element that is loaded serves 32 products instead of one.
#
# In the picture below, every row of a is needed by two elements of c, and every column of b, too: a tile is loaded once for all of them.
# With tiles of 2 x 2 and a row (1, 2, 3, 4) against a column (5, 6, 7, 8): first tile 1·5 + 2·6 = 17, second tile 3·7 + 4·8 = 53, together 70. The sum stays in the register from tile to tile.
#
# Two barriers per tile: one before it is read, so that it is whole; one before it is filled again, so that nobody still reads it.
# Past the edges put 0: `at(src, row, col)` above gives you that. Both tiles need it at the same k: a guard's 0 times an infinity of the other matrix is NaN.
#
# **Predict first**, for 64 x 64 matrices: load requests to global memory, and load requests to shared memory (32 products need 32 loads from each tile, per warp).


# %%
@cuda.jit
def fill_then_read(a, b, c):
    """Loads a tile of a and multiplies nothing: step up to the barrier and past it, and watch the tile fill up."""
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = at(a, ty, tx)
    cuda.syncthreads()
    if ty < c.shape[0] and tx < c.shape[1]:
        c[ty, tx] = tile[ty, 0]


q = exercise("matmul.matmul_tiled")
q.step(fill_then_read)

# %%
q = exercise("matmul.matmul_tiled")
q.show()

# %% predict="matmul_tiled"
q = exercise("matmul.matmul_tiled")
q.predict(global_load_requests=512, shared_load_requests=16384)


# %% solution="matmul_tiled"
@cuda.jit
def matmul_tiled(a, b, c):
    """c = a b, a block of 32 x 32 threads for each 32 x 32 elements of c. All float32."""
    # about 15 lines
    ### BEGIN SOLUTION
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are complete
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # no thread still reads them
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc
    ### END SOLUTION


# %% check="matmul_tiled"
q = exercise("matmul.matmul_tiled")
q.check(matmul_tiled).points

# %% [markdown]
# <details><summary>Interview question: what does a tile twice as wide gain?</summary>Half of the loads from global memory: each element serves twice as many products. A weak answer says "it is faster". The follow-up: and what does it cost? Four times the shared memory, and with one thread per element four times the threads, more than a block may have. That is the next rung.</details>
#
# ## 4. Eight results per thread, in registers
#
# **Goal:** nearly half of the loads from shared memory.
#
# **Look back.** Global memory rests: 512 requests. But every product still takes two loads, now from shared memory, and a multiprocessor does far more products than shared loads in the same time.
# The fastest memory is the register. Let a thread work out eight elements of one column: then it loads an element of tile_b once and uses it eight times. Nine loads feed eight products, where it was sixteen.
#
# By hand, two results per thread, column (5, 6), rows (1, 2) and (3, 4): load 5, then 1 and 3: sums 5 and 15; load 6, then 2 and 4: sums 17 and 39. Six loads for four products instead of eight.
#
# In the picture below, eight elements of one column of c need one column of b: they are one thread's.
#
# `cuda.local.array(8, float32)` is private to the thread. When every index is known to the compiler, as in a loop over `range(8)` that it unrolls, the eight cells become eight registers.
#
# **Write** `matmul_column(a, b, c)`. A block of 64 x 8 threads works out 64 x 64 elements; `tile_a` is (64, 8), `tile_b` (8, 64), so that each thread loads one element of each.
# Number the threads t = 64 ty + tx: row t // 8 and column t % 8 of `tile_a` give each thread an element of its own. Thread (tx, ty) has rows 8 ty to 8 ty + 7 of column tx.
#
# **Predict first** the shared load requests for 64 x 64 matrices: 16 warps, 64 values of k, nine loads.

# %%
q = exercise("matmul.matmul_column")
q.show()

# %% predict="matmul_column"
q = exercise("matmul.matmul_column")
q.predict(shared_load_requests=9216)


# %% solution="matmul_column"
@cuda.jit
def matmul_column(a, b, c):
    """c = a b, a block of 64 x 8 threads for each 64 x 64 elements of c, 8 of one column per thread. All float32."""
    # about 24 lines
    ### BEGIN SOLUTION
    tile_a = cuda.shared.array((64, 8), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    acc = cuda.local.array(8, float32)
    for i in range(8):
        acc[i] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    for k0 in range(0, a.shape[1], 8):
        tile_a[t // 8, t % 8] = at(a, row0 + t // 8, k0 + t % 8)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are complete
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # no thread still reads them
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]
    ### END SOLUTION


# %% check="matmul_column"
q = exercise("matmul.matmul_column")
q.check(matmul_column).points

# %% [markdown]
# <details><summary>Interview question: fewer threads now do the same work. Is that not less parallel?</summary>Fewer threads, but no less parallel work: the eight sums of a thread do not wait for each other, so they hide latency as eight threads would (instruction-level parallelism). A weak answer says "more threads are always better". The follow-up: what limits it? Registers: the more of them per thread, the fewer warps per multiprocessor.</details>
#
# ## 5. A square of results per thread
#
# **Goal:** half a load for each product.
#
# **Look back.** 9 loads for 8 products: the column reuses b, and loads a anew each time. A square reuses both: 4 elements of a and 4 of b are 8 loads, and every pair of them is a product, 16 in all.
# With s x s results it is 2s loads for s² products: 2/s each. A square of 8 needs a quarter, and 64 registers for its sums.
#
# By hand, 2 x 2: x = (1, 3), y = (5, 6). Four loads, four products: 5, 6, 15, 18. This is an **outer product**, and a matrix product is the sum of one for every k: of two in the picture below.
#
# **Write** `matmul_square(a, b, c)`. A block of 16 x 16 threads works out 64 x 64 elements with tiles 16 deep; each thread loads four elements of each tile.
# Let thread (tx, ty) have rows ty, ty + 16, ty + 32, ty + 48 and columns tx, tx + 16, ...: then neighbouring lanes read neighbouring cells, and no bank is asked for two words.
#
# **Predict first** the shared load requests, for 64 x 64 again: 8 warps, 64 values of k. And where in c, counted through its rows of 64 columns, does thread 37 of the block write first?

# %%
q = exercise("matmul.matmul_square")
q.show()

# %% predict="matmul_square"
q = exercise("matmul.matmul_square")
q.predict(shared_load_requests=4096, index=133)


# %% solution="matmul_square"
@cuda.jit
def matmul_square(a, b, c):
    """c = a b, a block of 16 x 16 threads for each 64 x 64 elements of c, 4 x 4 per thread. All float32."""
    # about 29 lines
    ### BEGIN SOLUTION
    tile_a = cuda.shared.array((64, 16), float32)
    tile_b = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    row0, col0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    for k0 in range(0, a.shape[1], 16):
        for i in range(4):
            tile_a[ty + 16 * i, tx] = at(a, row0 + ty + 16 * i, k0 + tx)
            tile_b[t // 64 + 4 * i, t % 64] = at(b, k0 + t // 64 + 4 * i, col0 + t % 64)
        cuda.syncthreads()  # both tiles are complete
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # no thread still reads them
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]
    ### END SOLUTION


# %% check="matmul_square"
q = exercise("matmul.matmul_square")
q.check(matmul_square).points

# %% race="matmul_square"
q = exercise("matmul.matmul_square")
q.race(matmul_square).points

# %% [markdown]
# <details><summary>Interview question: why a square, and not 2 x 8, which has the same 16 sums?</summary>2 x 8 takes 10 loads for 16 products, 4 x 4 takes 8: of all rectangles with one area the square has the shortest edge. A weak answer says "symmetry". The follow-up: the same question for the tile of the block, where the edge is what comes from global memory.</details>
#
# ## 6. 16 bytes at a time, and the next tile on its way
#
# **Goal:** an eighth of the requests, and no waiting for global memory.
#
# **Look back.** Half a load per product. A square of 8 x 8 halves that, and a lane can load 16 bytes, four of them, with one request: `load16(tile, (k, col))` gives four float32 neighbours as a tuple, `store16` writes four. The address must be a multiple of 16 bytes.
# In the picture below, four neighbours of a row of b are one such load.
# Four neighbours in a *column* of a are not neighbours in memory, so transpose the tile of a while you fill it: `tile_a[k, row]`.
#
# And while a block waits for its next tile, it computes nothing. So fetch it **before** you multiply, into registers, and put it into a second buffer afterwards: `tile_a` is (2, 8, 128), and `now = 1 - now` switches to the other buffer.
# With two buffers one barrier per tile is enough: whoever fills buffer 1 has passed the barrier that everybody reached after reading buffer 1 the last time.
#
# A tuple holds the sums: 8 rows of 8, `acc[i][j]`. The compiler knows every index into a tuple, so all of it stays in registers; `add_outer` below gives you a new one.
#
# **Write** `matmul_wide(a, b, c)`: 256 threads, 128 x 128 elements, tiles 8 deep. With tx = 4 (t % 16) and ty = 4 (t // 16), a thread has rows ty to ty + 3 and ty + 64 to ty + 67, and columns likewise from tx.
# Thread t fetches four elements of row t // 2 of a from column 4 (t % 2) on, and of row t // 32 of b from column 4 (t % 32) on. `fetch4` and `put_rows` take care of the edges.
#
# Two hints for the compiler: `range` in numba hides its counter, so write the inner loop with `while`; and `launch_bounds=(256, 2)` asks for two blocks on a multiprocessor, which caps a thread's registers at 128.
#
# **Predict first** the shared load requests for (128, 16) times (16, 128): 8 warps, 16 values of k.


# %%
@cuda.jit
def four_at_once(src, out):
    """Lane t moves four neighbours with one load and one store. src, out: (128,) float32."""
    first = 4 * cuda.threadIdx.x
    store16(out, (first,), load16(src, (first,)))


moved = cuda.to_device(np.zeros(128, np.float32))
four_at_once[1, 32](cuda.to_device(np.arange(128, dtype=np.float32)), moved)
print(moved.copy_to_host()[:8])

# %%
q = exercise("matmul.matmul_wide")
q.show()

# %% predict="matmul_wide"
q = exercise("matmul.matmul_wide")
q.predict(shared_load_requests=512)


# %% solution="matmul_wide"
@cuda.jit(device=True, forceinline=True)
def add_scaled(row, x, y):
    """row + x y, eight sums. row, y: 8 float32; x: float32."""
    return (
        row[0] + x * y[0],
        row[1] + x * y[1],
        row[2] + x * y[2],
        row[3] + x * y[3],
        row[4] + x * y[4],
        row[5] + x * y[5],
        row[6] + x * y[6],
        row[7] + x * y[7],
    )


@cuda.jit(device=True, forceinline=True)
def add_outer(acc, x, y):
    """acc[i][j] + x[i] y[j]. acc: 8 rows of 8 float32; x, y: 8 float32."""
    return (
        add_scaled(acc[0], x[0], y),
        add_scaled(acc[1], x[1], y),
        add_scaled(acc[2], x[2], y),
        add_scaled(acc[3], x[3], y),
        add_scaled(acc[4], x[4], y),
        add_scaled(acc[5], x[5], y),
        add_scaled(acc[6], x[6], y),
        add_scaled(acc[7], x[7], y),
    )


@cuda.jit(device=True, forceinline=True)
def put_rows(dst, row, col, four):
    """Four rows of eight sums to dst[row, col] and below: the second four of each go 64 columns further on."""
    put4(dst, row, col, four[0][:4])
    put4(dst, row, col + 64, four[0][4:])
    put4(dst, row + 1, col, four[1][:4])
    put4(dst, row + 1, col + 64, four[1][4:])
    put4(dst, row + 2, col, four[2][:4])
    put4(dst, row + 2, col + 64, four[2][4:])
    put4(dst, row + 3, col, four[3][:4])
    put4(dst, row + 3, col + 64, four[3][4:])


@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    """c = a b, a block of 256 threads for each 128 x 128 elements of c, 8 x 8 per thread. All float32."""
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # transposed: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
    # about 30 lines
    ### BEGIN SOLUTION
    t = cuda.threadIdx.x
    tx, ty = 4 * (t % 16), 4 * (t // 16)
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_a, k_a = t // 2, 4 * (t % 2)  # the four elements of a that this thread fetches, and of b
    k_b, col_b = t // 32, 4 * (t % 32)
    next_a = fetch4(a, row0 + row_a, k_a)
    next_b = fetch4(b, k_b, col0 + col_b)
    now = k0 = 0
    while k0 < a.shape[1]:
        tile_a[now, k_a, row_a] = next_a[0]
        tile_a[now, k_a + 1, row_a] = next_a[1]
        tile_a[now, k_a + 2, row_a] = next_a[2]
        tile_a[now, k_a + 3, row_a] = next_a[3]
        store16(tile_b, (now, k_b, col_b), next_b)
        cuda.syncthreads()  # this buffer is complete, and no thread still reads the other
        k0 += 8
        next_a = fetch4(a, row0 + row_a, k0 + k_a)  # on its way while we multiply
        next_b = fetch4(b, k0 + k_b, col0 + col_b)
        k = 0
        while k < 8:
            x = load16(tile_a, (now, k, ty)) + load16(tile_a, (now, k, ty + 64))
            y = load16(tile_b, (now, k, tx)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
            k += 1
        now = 1 - now
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])
    ### END SOLUTION


# %% check="matmul_wide"
q = exercise("matmul.matmul_wide")
q.check(matmul_wide).points

# %% race="matmul_wide"
q = exercise("matmul.matmul_wide")
q.race(matmul_wide).points

# %% [markdown]
# <details><summary>Interview question: your kernel reaches most of the library's speed with few warps on each multiprocessor. Is low occupancy not a fault?</summary>Occupancy hides latency, and 64 sums that do not wait for each other hide it as well. A weak answer wants 100 % occupancy. The follow-up: what would more warps cost here? Registers, so smaller squares, so more loads per product.</details>
#
# ## 7. Two tiles, copied beside the threads
#
# **Goal:** nearly every instruction is a product.
#
# **Look back.** A multiprocessor starts one instruction per cycle for each of its four parts, and only the products count. The rest is overhead: the loads from the tiles and, every 8 columns, moving the next tile through registers and stores.
#
# Three changes. First, `copy_async` and `copy16_async` from unit 10: the next tile travels to shared memory by itself, without a register and without a store. Row by row for b, 16 bytes at a time; element by element for a, which is transposed on the way.
# Second, the registers that this frees hold more sums: 128 threads, each with 8 x 16 results. For one k that is 2 requests for a, 4 for b, and 128 products. The lanes of a warp lie in squares of two by two, so that in each request neighbours ask for the same 16 bytes: it takes two passes over the banks, not four.
# Third, tiles 16 deep: half as many iterations, so half as many barriers and half the arithmetic of addresses. And a block tests once whether all its tiles are whole; if so, no single copy has to.
#
# Two **stages** take turns, each with a tile of a and a tile of b:
#
# | iteration | waits for | begins to copy | multiplies |
# |---|---|---|---|
# | before | | tile 0 into stage 0 | |
# | 0 | tile 0 | tile 1 into stage 1 | stage 0 |
# | 1 | tile 1 | tile 2 into stage 0 | stage 1 |
#
# One barrier per iteration does two things. It makes visible what *other* threads copied, so it stands after the wait. And all have passed it only when all have multiplied the stage before, so it stands ahead of the copy into that stage.
#
# **Given:** `share_of(a, b, row0, col0)` works out, once, what a thread copies of every stage; `copy_tiles(tiles, stage, a, b, k0, share)` begins the copies of one stage and closes their group, an empty one past the end of a; `add_tile` multiplies a stage: it loads what the next k needs ahead of the products of this one. Both stages lie in one array: `stage` is where one begins, 0 or `STAGE`.
#
# **Write** the loop of `matmul_ring(a, b, c)`.
#
# **Predict first** the copies that begin for (128, 48) times (48, 128), counted per warp and element: a copy of 16 bytes counts as four. There are 4 warps and 3 tiles, and a thread copies 16 elements of a and 16 of b for each tile.

# %%
q = exercise("matmul.matmul_ring")
q.show()

# %% predict="matmul_ring"
q = exercise("matmul.matmul_ring")
q.predict(async_copy_requests=384)


# %% solution="matmul_ring"
B_TILE = 16 * 132  # where the tile of b begins in a stage; that of a has rows of 132, so that banks stay apart
STAGE = B_TILE + 16 * 128
STAGES = 2 * STAGE


@cuda.jit(device=True, forceinline=True)
def copy1(dst, index, src, row, col):
    """Begin to copy src[row, col] to dst[index]; past an edge, store a zero."""
    if row < src.shape[0] and col < src.shape[1]:
        copy_async(dst, index, src, (row, col))
    else:
        dst[index] = float32(0)


@cuda.jit(device=True, forceinline=True)
def copy4(dst, index, src, row, col):
    """The same for four neighbours."""
    n_rows, n_cols = src.shape
    if row < n_rows and col + 4 <= n_cols and n_cols % 4 == 0:
        copy16_async(dst, index, src, (row, col))
    else:
        store16(dst, index, (at(src, row, col), at(src, row, col + 1), at(src, row, col + 2), at(src, row, col + 3)))


@cuda.jit(device=True, forceinline=True)
def share_of(a, b, row0, col0):
    """This thread's share of each stage's copies: where to, and from which row and column of a and of b; whether every
    tile of the block lies inside. Worked out once, before the loop."""
    t = cuda.threadIdx.x
    n_inner, n_cols = b.shape
    whole = row0 + 128 <= a.shape[0] and col0 + 128 <= n_cols and n_inner % 16 == 0 and n_cols % 4 == 0
    k_a, row, k_b, col = t % 16, t // 16, t // 32, 4 * (t % 32)
    return 132 * k_a + row, row0 + row, k_a, B_TILE + 128 * k_b + col, k_b, col0 + col, whole


@cuda.jit(device=True, forceinline=True)
def copy_tiles(tiles, stage, a, b, k0, share):
    """Begin to copy columns k0 to k0 + 15 of a, transposed, and these rows of b into one stage; close the group."""
    to_a, row, k_a, to_b, k_b, col, whole = share
    if k0 < a.shape[1]:
        if whole:
            for i in range(16):
                copy_async(tiles, stage + to_a + 8 * i, a, (row + 8 * i, k0 + k_a))
            for i in range(4):
                copy16_async(tiles, stage + to_b + 512 * i, b, (k0 + k_b + 4 * i, col))
        else:
            for i in range(16):
                copy1(tiles, stage + to_a + 8 * i, a, row + 8 * i, k0 + k_a)
            for i in range(4):
                copy4(tiles, stage + to_b + 512 * i, b, k0 + k_b + 4 * i, col)
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def load_k(tiles, at_a, at_b):
    """What one k needs: 8 rows of a, and 16 columns of b in two groups of eight."""
    x = load16(tiles, at_a) + load16(tiles, at_a + 32)
    left = load16(tiles, at_b) + load16(tiles, at_b + 16)
    right = load16(tiles, at_b + 32) + load16(tiles, at_b + 48)
    return x, left, right


@cuda.jit(device=True, forceinline=True)
def add_k(acc, loaded):
    """The products for one value of k."""
    x, left, right = loaded
    return add_outer(acc[0], left, x), add_outer(acc[1], right, x)


@cuda.jit(device=True, forceinline=True)
def add_two(acc, first, tiles, at_a, at_b):
    """The products of two values of k, the first of which is loaded: each next one is loaded before this one's products."""
    second = load_k(tiles, at_a + 132, at_b + 128)
    acc = add_k(acc, first)
    third = load_k(tiles, at_a + 264, at_b + 256)
    return add_k(acc, second), third


@cuda.jit(device=True, forceinline=True)
def add_tile(acc, tiles, stage, row, col):
    """The products of one stage, four values of k in each iteration of the loop, and the last four after it."""
    at_a, at_b = stage + row, stage + B_TILE + col
    loaded = load_k(tiles, at_a, at_b)
    k = 0
    while k < 12:
        acc, loaded = add_two(acc, loaded, tiles, at_a, at_b)
        acc, loaded = add_two(acc, loaded, tiles, at_a + 264, at_b + 256)
        at_a += 528
        at_b += 512
        k += 4
    acc, loaded = add_two(acc, loaded, tiles, at_a, at_b)
    last = load_k(tiles, at_a + 396, at_b + 384)
    return add_k(add_k(acc, loaded), last)


@cuda.jit(device=True, forceinline=True)
def put_column(c, row, col, x):
    """Eight sums of one column: four neighbours, and four 32 rows further down."""
    put(c, row, col, x[0])
    put(c, row + 1, col, x[1])
    put(c, row + 2, col, x[2])
    put(c, row + 3, col, x[3])
    put(c, row + 32, col, x[4])
    put(c, row + 33, col, x[5])
    put(c, row + 34, col, x[6])
    put(c, row + 35, col, x[7])


@cuda.jit(device=True, forceinline=True)
def put_columns(c, row, col, x):
    """Eight columns: four neighbours, and four 16 columns further on."""
    put_column(c, row, col, x[0])
    put_column(c, row, col + 1, x[1])
    put_column(c, row, col + 2, x[2])
    put_column(c, row, col + 3, x[3])
    put_column(c, row, col + 16, x[4])
    put_column(c, row, col + 17, x[5])
    put_column(c, row, col + 18, x[6])
    put_column(c, row, col + 19, x[7])


@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    """c = a b, a block of 128 threads for each 128 x 128 elements of c, 8 x 16 per thread. All float32."""
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first row of the tile, and its first
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # column: a warp's lanes form squares of two by two
    # about 11 lines
    ### BEGIN SOLUTION
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile has arrived
        cuda.syncthreads()  # for all threads; none still reads the other stage
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    ### END SOLUTION
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


# %% check="matmul_ring"
q = exercise("matmul.matmul_ring")
q.check(matmul_ring).points

# %% race="matmul_ring"
q = exercise("matmul.matmul_ring")
q.race(matmul_ring).points

# %% [markdown]
# **Find the bug.** In the draft below somebody moved one line of the loop, so that the copies begin as early as possible. On your GPU it may be right today.
# Which line races with which, and which threads? Name both lines before you run the cell, and say why the order of the last rung, with its two buffers, did not have this trouble; then read the verdict.

# %%
@cuda.jit(launch_bounds=(128, 2))
def draft(a, b, c):
    """c = a b, a block of 128 threads for each 128 x 128 elements of c, 8 x 16 per thread. Wrong."""
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first row of the tile, and its first
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # column: a warp's lanes form squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        cuda.syncthreads()
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


q.check(draft);

# %% [markdown]
# <details><summary>Answer</summary>The copy into a stage begins ahead of the barrier, while a slower warp may still multiply from that stage: <code>copy_tiles</code> writes what <code>add_tile</code> of the iteration before reads. The wait does not help, since each thread waits for its own copies only. With registers in between, the store into the other buffer came after the products of the iteration before last, and one barrier lay between them; here the copy is one iteration earlier.</details>
#
# <details><summary>Interview question: why are two stages enough here, and when would you want four?</summary>A copy begins a whole iteration before its tile is needed, and an iteration of 16 x 128 products per thread is long against the latency of memory. <b>A weak answer says</b> "more overlap is better". <b>And then?</b> A deeper ring pays when an iteration is short against that latency, or when the readers of a stage are done late: with the tensor cores of the last rung, both. It costs shared memory, and with it blocks per multiprocessor.</details>
#
# ## 8. Tensor cores
#
# **Goal:** a different unit of the multiprocessor does the products.
#
# **Look back.** 128 products from 6 requests. What is left is the products themselves: each takes a lane one instruction.
# A **tensor core** takes a whole warp's request at once: `mma(a, b, acc)` multiplies 16 x 16 by 16 x 8 and adds 16 x 8, 2,048 products in one instruction. The inputs are float16, the sums float32.
#
# The 32 lanes hold the matrices in pieces, called **fragments**: of the result, lane l has row l // 4, columns 2 (l % 4) and the next, and the same columns of row l // 4 + 8. The cell below prints who has what.
# `ldmatrix(tile, (row, col))` deals 16 x 16 elements out to the lanes: lane l names row l % 16, column 8 (l // 16). For b use `ldmatrix_transposed`; its four words are two fragments of 16 x 8: `y[:2]` and `y[2:]`.
# Eight lanes of an `ldmatrix` read eight rows at once: with rows of 32 elements they would meet in the same banks, so the rows are 40 long, and those of b 136.
#
# **Write** the middle of `matmul_tensor(a, b, c)`: 4 warps, 64 x 64 elements each, 32 deep. The frame is given: two buffers, as in rung 6, but without its fetch ahead.
#
# **Predict first** the shared load requests for (128, 32) times (32, 128): 4 warps, 2 steps of 16, one `ldmatrix` for each 16 rows of a and each 16 columns of b.

# %%
for lane in (0, 1, 4, 31):
    row, col = lane // 4, 2 * (lane % 4)
    print(f"lane {lane}: c[{row}, {col}], c[{row}, {col + 1}], c[{row + 8}, {col}], c[{row + 8}, {col + 1}]")

# %%
q = exercise("matmul.matmul_tensor")
q.show()

# %% predict="matmul_tensor"
q = exercise("matmul.matmul_tensor")
q.predict(shared_load_requests=64)


# %% solution="matmul_tensor"
@cuda.jit(device=True, forceinline=True)
def mma_row(acc, a, y0, y1, y2, y3):
    """16 rows of 64 columns: eight fragments of c, from one of a and four pairs of b."""
    return (
        mma(a, y0[:2], acc[0]),
        mma(a, y0[2:], acc[1]),
        mma(a, y1[:2], acc[2]),
        mma(a, y1[2:], acc[3]),
        mma(a, y2[:2], acc[4]),
        mma(a, y2[2:], acc[5]),
        mma(a, y3[:2], acc[6]),
        mma(a, y3[2:], acc[7]),
    )


@cuda.jit(device=True, forceinline=True)
def put_fragment(c, row, col, x):
    """One lane's four sums: c[row, col], c[row, col + 1], and the same eight rows further down."""
    put(c, row, col, x[0])
    put(c, row, col + 1, x[1])
    put(c, row + 8, col, x[2])
    put(c, row + 8, col + 1, x[3])


@cuda.jit(device=True, forceinline=True)
def put_fragments(c, row, col, x):
    """One lane's part of 16 rows of 64 columns."""
    put_fragment(c, row, col, x[0])
    put_fragment(c, row, col + 8, x[1])
    put_fragment(c, row, col + 16, x[2])
    put_fragment(c, row, col + 24, x[3])
    put_fragment(c, row, col + 32, x[4])
    put_fragment(c, row, col + 40, x[5])
    put_fragment(c, row, col + 48, x[6])
    put_fragment(c, row, col + 56, x[7])


@cuda.jit
def matmul_tensor(a, b, c):
    """c = a b, a block of 4 warps for each 128 x 128 elements of c, 64 x 64 per warp. a, b: float16; c: float32."""
    tile_a = cuda.shared.array((2, 128, 40), float16, alignment=16)  # 32 columns, and 8 that keep banks apart
    tile_b = cuda.shared.array((2, 32, 136), float16, alignment=16)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0 = 128 * cuda.blockIdx.y
    col0 = 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = t // 4, 8 * (t % 4)  # where the first of this thread's four eights of a begins
    k_b, col_b = t // 16, 8 * (t % 16)  # and of b
    row_l, col_l = lane % 16, 8 * (lane // 16)  # the row and column that this lane gives ldmatrix
    now = k0 = 0
    while k0 < a.shape[1]:
        i = 0
        while i < 4:
            store16(tile_a, (now, row_a + 32 * i, k_a), fetch8(a, row0 + row_a + 32 * i, k0 + k_a))
            store16(tile_b, (now, k_b + 8 * i, col_b), fetch8(b, k0 + k_b + 8 * i, col0 + col_b))
            i += 1
        cuda.syncthreads()  # this buffer is complete, and no thread still reads the other
        # about 12 lines: for k = 0 and 16, four pairs of fragments of b, then four of a, and a row of acc for each
        ### BEGIN SOLUTION
        k = 0
        while k < 32:
            y0 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + col_l))
            y1 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 16 + col_l))
            y2 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 32 + col_l))
            y3 = ldmatrix_transposed(tile_b, (now, k + row_l, col_w + 48 + col_l))
            acc = (
                mma_row(acc[0], ldmatrix(tile_a, (now, row_w + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tile_a, (now, row_w + 16 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[2], ldmatrix(tile_a, (now, row_w + 32 + row_l, k + col_l)), y0, y1, y2, y3),
                mma_row(acc[3], ldmatrix(tile_a, (now, row_w + 48 + row_l, k + col_l)), y0, y1, y2, y3),
            )
            k += 16
        ### END SOLUTION
        now = 1 - now
        k0 += 32
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


# %% check="matmul_tensor"
q = exercise("matmul.matmul_tensor")
q.check(matmul_tensor).points

# %% race="matmul_tensor"
q = exercise("matmul.matmul_tensor")
q.race(matmul_tensor).points

# %% [markdown]
# <details><summary>Interview question: how exact is a product on tensor cores?</summary>float16 inputs have 11 bits, their products are exact in float32, and the sums are kept in float32, rounded towards zero. A weak answer says "16 bits". The follow-up: which loses more, the inputs or the sums? The inputs, unless they fitted into 11 bits.</details>
#
# ## 9. Tensor cores on int8
#
# **Goal:** twice the products per instruction, and not one rounding.
#
# **Look back.** An `mma` of float16 is 16 deep: 2,048 products from 16 bytes per lane of a and 8 of b. Networks that were **quantised** hold their weights and activations in int8, one byte each. From the same bytes `mma_int8(a, b, acc)` makes products 32 deep: 4,096 of them, added up in int32, exact.
#
# One thing is the other way round. A lane's word holds four neighbours along k. Of a they are neighbours in memory, since a row of a runs along k. Of b they would lie one row apart, and there is no `ldmatrix_transposed` for bytes. So b comes **transposed**, as networks store their weights: row j of `b` is column j, and `ldmatrix` serves both.
#
# By hand: a = (1, -2, 3), column j of b = (4, 5, -6), which is row j here: 4 - 10 - 18 = -24. The largest sum of this unit, 4,096 times -128 · -128, is 2²⁶, so nothing overflows.
#
# A row of the tile has 64 bytes. `ldmatrix` reads 16 bytes of eight rows at once, and with rows of 64 bytes every second one begins in the same bank. Rung 8 kept them apart by longer rows. Here the pieces of 16 are **exchanged** instead: `place(row, col)` gives where an element lies, and costs no memory.
#
# **Given:** the frame, the copies, and `mma_int8_row`, which works as `mma_row` does.
# **Write** the middle: for k = 0 and 32, four pairs of fragments of b, then four of a, and a row of acc for each. For `y` the lane names row `row_b` of the pair's 16 and byte `k + k_b`.
#
# **Predict first** the shared load requests for (128, 192) times (192, 128): 4 warps, 6 steps of 32, and one `ldmatrix` for each 16 rows of a and each 16 columns of b.

# %%
q = exercise("matmul.matmul_int8")
q.show()

# %% predict="matmul_int8"
q = exercise("matmul.matmul_int8")
q.predict(shared_load_requests=192)


# %% solution="matmul_int8"
INT8_TILE = 128 * 64  # bytes, of a and of b
INT8_TILES = 3 * INT8_TILE


@cuda.jit(device=True, forceinline=True)
def place(row, col):
    """Where element (row, col) of a tile of int8 lies: row by row, the pieces of 16 permuted within each row."""
    return 64 * row + 16 * ((col // 16) ^ (row // 2 % 4)) + col % 16


@cuda.jit(device=True, forceinline=True)
def byte_at(src, row, col):
    """src[row, col], or 0 past an edge. src: 2D int8."""
    if row < src.shape[0] and col < src.shape[1]:
        return src[row, col]
    return int8(0)


@cuda.jit(device=True, forceinline=True)
def copy_bytes(tile, first, src, row0, k0):
    """Begin to copy 128 rows of 64 columns, from src[row0, k0] on, to tile[first]; past an edge, store zeros."""
    t = cuda.threadIdx.x
    n_rows, n_inner = src.shape
    if k0 < n_inner:
        if row0 + 128 <= n_rows and n_inner % 64 == 0:
            row, k = t // 4, 16 * (t % 4)
            for i in range(4):
                copy16_async(tile, first + place(row + 32 * i, k), src, (row0 + row + 32 * i, k0 + k))
        else:
            for e in range(t, INT8_TILE, 128):
                tile[first + place(e // 64, e % 64)] = byte_at(src, row0 + e // 64, k0 + e % 64)


@cuda.jit(device=True, forceinline=True)
def mma_int8_row(acc, a, y0, y1, y2, y3):
    """16 rows of 64 columns: eight fragments of c, from one of a and four pairs of b."""
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


@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    """c = a b, b transposed, a block of 4 warps for each 128 x 128 elements of c. a, b: int8; c: int32."""
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # the row and column that this lane gives ldmatrix for a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and for b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile has arrived; the next may still be on its way
        cuda.syncthreads()  # for all threads; none still reads the stage before it
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        # about 13 lines: for k = 0 and 32, as in rung 8, from tile_a[now + place(...)] and tile_b[now + place(...)]
        ### BEGIN SOLUTION
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        ### END SOLUTION
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


# %% check="matmul_int8"
q = exercise("matmul.matmul_int8")
q.check(matmul_int8).points

# %% race="matmul_int8"
q = exercise("matmul.matmul_int8")
q.race(matmul_int8).points

# %% [markdown]
# <details><summary>Interview question: a layer is quantised to int8. Where do its floats come back?</summary>After the product: each row and column of a and b has a scale, and the int32 sum times both scales is the float. <b>A weak answer says</b> "they do not". <b>And then?</b> Why not scale before adding? Because whole sums are exact, whatever their order, and a multiplication per sum is cheaper than one per product.</details>
#
# ## 10. Four warps, whole tiles at once
#
# **Goal:** the tensor cores never wait for an instruction.
#
# **Look back.** Each `mma` of rung 8 needs its fragments in registers, and `ldmatrix` brings them. A warp starts hundreds of instructions per tile, and waits for most of them, so the tensor cores stand still for much of the time.
# From the H100 on they read the tiles from shared memory **by themselves**. Four warps in a row, a **warpgroup**, make one request together: `warpgroup_mma(tiles, first_a, first_b, sums)` begins 64 x 64 times 64 x 256, a million products, and returns at once. Each thread holds 128 of the sums.
#
# Three things follow from *begins*:
# - `wait_products(sums, n)` waits until at most n products are under way. With 0, the sums are complete. With 1, the last product still runs, and the tiles of all earlier ones are free.
# - The tensor cores read shared memory by a path of their own, not the threads'. `show_tiles()` makes visible to them what this thread's copies brought. It stands between the wait for the copies and the barrier.
# - Copies and products both run beside the threads, so a stage is busy for longer. Four stages: one is multiplied, one may still be, two are being filled.
#
# | iteration | waits for | multiplies | begins to copy into |
# |---|---|---|---|
# | 2 | tile 2, and product 0 | stage 2 | stage 0, free since product 0 ended |
# | 3 | tile 3, and product 1 | stage 3 | stage 1 |
#
# That is 196,608 bytes of shared memory. Arrays of a fixed size may take 48 KiB per block. For more, `cuda.shared.array(0, float16)` takes what the launch gives as its fourth number; the course's launch does so, and raises the limit beforehand.
#
# **Given:** `copy_halves(tiles, stage, a, b, row0, col0, k0)`, which works as `copy_tiles` does; the tile of b begins `HALVES_B` elements after the start of its stage. Group g multiplies rows 64 g to 64 g + 63 of the tile of a, which begin 4,096 elements further on for each g.
# **Write** `matmul_warpgroup(a, b, c)`. `store_sums(c, row, col, sums)` knows who has which sums, and takes care of the edges.
#
# No H100 or H200 here? `q.check` interprets your kernel and compiles it for one, and says so; only its time is not measured.
#
# **Predict first** the copies that begin for (128, 320) times (320, 256), counted per warp and element as in rung 7, and the shared load requests.

# %%
q = exercise("matmul.matmul_warpgroup")
q.show()

# %% predict="matmul_warpgroup"
q = exercise("matmul.matmul_warpgroup")
q.predict(async_copy_requests=3840, shared_load_requests=0)


# %% solution="matmul_warpgroup"
HALVES_B = 128 * 64  # where the tile of b begins in a stage, in elements
HALVES = HALVES_B + 64 * 256  # elements of a stage


@cuda.jit(device=True, forceinline=True)
def piece(row, col):
    """Where the eight elements from (row, col) on lie in a tile 64 columns wide: pieces of 8, permuted in each row."""
    return 64 * row + 8 * ((col // 8) ^ (row % 8))


@cuda.jit(device=True, forceinline=True)
def copy_whole(tiles, stage, a, b, row0, col0, k0):
    """Begin to copy 128 x 64 elements of a and 64 x 256 of b; four panels of 64 columns make the tile of b."""
    t = cuda.threadIdx.x
    row, k = t // 8, 8 * (t % 8)
    first = stage + piece(row, k)
    for i in range(4):
        copy16_async(tiles, first + 2048 * i, a, (row0 + row + 32 * i, k0 + k))
    k, col = t // 32, 8 * (t % 32)
    first = stage + HALVES_B + 4096 * (col // 64) + piece(k, col % 64)
    for i in range(8):
        copy16_async(tiles, first + 512 * i, b, (k0 + k + 8 * i, col0 + col))


@cuda.jit(device=True, forceinline=True)
def fill_ragged(tiles, stage, a, b, row0, col0, k0):
    """The same at the edges: store, and zeros past them."""
    for e in range(cuda.threadIdx.x, 1024, 256):
        row, k = e // 8, 8 * (e % 8)
        store16(tiles, stage + piece(row, k), fetch8(a, row0 + row, k0 + k))
    for e in range(cuda.threadIdx.x, 2048, 256):
        k, col = e // 32, 8 * (e % 32)
        to = stage + HALVES_B + 4096 * (col // 64) + piece(k, col % 64)
        store16(tiles, to, fetch8(b, k0 + k, col0 + col))


@cuda.jit(device=True, forceinline=True)
def copy_halves(tiles, stage, a, b, row0, col0, k0):
    """Begin to copy columns k0 to k0 + 63 of a and these rows of b into one stage; close the group."""
    n_inner, n_cols = b.shape
    if row0 + 128 <= a.shape[0] and col0 + 256 <= n_cols and n_cols % 8 == 0 and n_inner % 64 == 0:
        if k0 < n_inner:
            copy_whole(tiles, stage, a, b, row0, col0, k0)
    elif k0 < n_inner:
        fill_ragged(tiles, stage, a, b, row0, col0, k0)
    commit_copies()


@cuda.jit(launch_bounds=(256, 1))
def matmul_warpgroup(a, b, c):
    """c = a b, a block of two warpgroups for each 128 x 256 elements of c. a, b: float16; c: float32."""
    tiles = cuda.shared.array(0, float16)  # four stages of HALVES elements: what the launch gives
    row0, col0 = 128 * cuda.blockIdx.y, 256 * cuda.blockIdx.x
    group = cuda.threadIdx.x // 128
    sums = zero_sums()
    # about 16 lines
    ### BEGIN SOLUTION
    for stage in range(2):
        copy_halves(tiles, HALVES * stage, a, b, row0, col0, 64 * stage)
    now, free = 0, 2 * HALVES
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile has arrived; the next may still be on its way
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 1)  # the product before the last is done: its stage is `free`
        cuda.syncthreads()  # for all threads
        sums = warpgroup_mma(tiles, now + 4096 * group, now + HALVES_B, sums)
        copy_halves(tiles, free, a, b, row0, col0, k0 + 128)
        now = now + HALVES if now < 3 * HALVES else 0
        free = free + HALVES if free < 3 * HALVES else 0
        k0 += 64
    sums = wait_products(sums, 0)
    ### END SOLUTION
    store_sums(c, row0 + 64 * group, col0, sums)


# %% check="matmul_warpgroup"
q = exercise("matmul.matmul_warpgroup")
q.check(matmul_warpgroup).points

# %% race="matmul_warpgroup"
q = exercise("matmul.matmul_warpgroup")
q.race(matmul_warpgroup).points

# %% [markdown]
# <details><summary>Interview question: your block fills a multiprocessor alone, with eight warps. What hides its latencies?</summary>What runs by itself needs no hiding: copies and products begin long before anybody needs them. <b>A weak answer</b> wants more warps. <b>And then?</b> What would you still take from the threads? The copies: a tensor memory accelerator brings a whole tile for one instruction of one thread, and the warps that are left over only wait and multiply. That is how the library does it.</details>
#
# ## 11. Predicted, then measured
#
# **Look back.** Every product asks for three things: passes of the L1 cache, passes over the banks of shared memory, and time of an arithmetic unit. Each has a rate: one pass per clock and multiprocessor, 128 bytes each, for either memory; 128 products in float32, 2,048 on tensor cores in float16, 4,096 in int8.
#
# So a rung's counters say, before anything runs, how fast it *may* be. By hand, for rung 3: a warp's 32 products take 2 requests to shared memory, 2 passes. 1,000 products take 62.5, and a few more to fill the tiles: 64.5 clocks. 132 multiprocessors at 1.98 GHz make 4.05 · 10¹² products per second of that: two flops each, 8.1 TFLOP/s.
#
# The first table has these clocks per 1,000 products, and the gain that follows from one rung to the next. The library's row is missing on purpose.
#
# **Predict** before you look at the second table: which rung gains much more than the first table promises, and which much less? What do its counters leave out?

# %%
from autograder.notebook.recorded import recorded

recorded("matmul", "predicted");

# %%
from autograder.notebook.recorded import document_of

recorded("matmul", "measured")
print(*document_of("matmul").get("goals", ()), sep="\n")

# %% [markdown]
# <details><summary>Answers</summary>Rung 3 gains far more than promised. Its counters only move the load from one memory to the other, but rung 2 waits: each product of a thread needs two loads that come from far away, and the next product waits for them. Counters of passes say nothing of latency. From rung 3 on the tiles are near: rungs 5 and 6 gain about what was promised, rung 4 less. Rung 8 gains far less than promised: its tiles arrive through registers, and nothing else happens meanwhile, a fault that rung 6 had cured; rung 9 has copies beside the threads again, and gains more than its share. Rung 7 has the same bound as rung 6 and is faster, because its overhead is smaller: instructions that are not products appear in none of the three columns. Rung 10 is back at the rate of float16, half that of int8, and is no slower than rung 9: it comes nearer to its bound, since hardly an instruction stands between two products.</details>
#
# Ragged sizes cost a lot in the kernels that move 16 bytes at once, those from rung 6 on: rows of 4,003 or 4,005 elements do not begin at multiples of 16 bytes, so everything is copied one element at a time. The rungs before have nothing to lose. The library pays for it, too, but less: it has kernels for such sizes. In a program you would rather pad the matrices once.
#
# **Read the profile.** Nsight Compute looked at five products of 4096 x 4096 matrices, named A to E. Two are the library's. Read the table with three questions, and answer them before you open the answers:
#
# 1. Which two kernels multiply in float32, and why is B faster than A, though both keep the same units busy with the same products?
# 2. C uses tensor cores. What does it wait for, and which idea of an earlier rung does it lack?
# 3. D and E do the same work. E starts half as many instructions and waits more per instruction. Why is it not slower?

# %%
from autograder.exercises.u12_matmul.profiles import DATE, DEVICE, MEANINGS, PROFILES
from autograder.notebook import display

display.text(f"Nsight Compute, {DEVICE}, {DATE}")
display.table(("", *PROFILES), [(what, *(row[i] for row in PROFILES.values())) for i, what in enumerate(MEANINGS)])

# %% [markdown]
# <details><summary>Answers</summary>(1) A and B: their FMA units are busy, their tensor cores are not. More of B's instructions are products, 76.6 of 86.5 against 57.6 of 69.2, and it starts more of them: its 254 registers hold 128 sums per thread, A's 128 registers hold 64. A is rung 6, B the library. (2) For global memory: 15 of 20 clocks. It fetches a tile, stores it, and only then multiplies; rung 6 fetched the next tile first, rung 7 copied it beside the threads. C is rung 8. (3) Waiting costs nothing where somebody else works: E's tensor cores are busy for 90 % of the time, D's for 76 %. Its few warps begin copies and products, and then stand at barriers. D, rung 10, lets all its warps work out addresses and copy. <b>A weak answer</b> wants to remove the longest wait of the table. <b>And then?</b> Ask first which unit is to be busy, and whether it is.</details>
#
# ## What you can do now
#
# You can say for any matrix product how many loads each product takes at each level: sectors from global memory, requests to shared memory, registers, and which of them holds a kernel back.
# You climbed by one idea each time: neighbours, tiles, columns, squares, wide requests, the next tile on its way, another unit for the products, and products that run beside the threads.
#
# The table has the rungs of this session; where a GPU timed them, the library stands beside them.

# %%
from autograder import ladder

ladder("12_matmul")
