"""Answers to shared_memory.transpose_padded."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

TILE, ROWS = 32, 8
PITCH = TILE + 1


@right("turned_while_filling")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, PITCH), dtype=float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * TILE + tx, cuda.blockIdx.y * TILE + ty
    for k in range(0, TILE, ROWS):
        if x < src.shape[1] and y + k < src.shape[0]:
            tile[tx, ty + k] = src[y + k, x]
    cuda.syncthreads()
    x, y = cuda.blockIdx.y * TILE + tx, cuda.blockIdx.x * TILE + ty
    for k in range(0, TILE, ROWS):
        if x < dst.shape[1] and y + k < dst.shape[0]:
            dst[y + k, x] = tile[ty + k, tx]


@right("thirty_five_words_a_row")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((32, 35), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for y in range(ty, TILE, ROWS):
        if top + y < src.shape[0] and left + tx < src.shape[1]:
            tile[y, tx] = src[top + y, left + tx]
    cuda.syncthreads()
    for y in range(ty, TILE, ROWS):
        if left + y < dst.shape[0] and top + tx < dst.shape[1]:
            dst[left + y, top + tx] = tile[tx, y]


@wrong("unpadded", misconception="bank_conflicts", says="one bank")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("a_spare_row", misconception="bank_conflicts", says="one bank")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((PITCH, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("two_spare_columns", misconception="bank_conflicts", says="one bank")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, 34), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("sum_inside_the_shape", misconception="shared_shape", says="TILE_PLUS_1 = TILE + 1")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, TILE + 1), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("conflicts_avoided_in_global_memory", misconception="uncoalesced", says="a sector of its own")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            dst[col, row + k] = tile[ty + k, tx]


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads() after line")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("shape_of_src_for_dst", misconception="swapped_axes", says="outside")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


PITCH_FLAT_TILE = 33
WORDS_FLAT_TILE = 32 * 33


@style("flat_tile")
@cuda.jit
def transpose_padded(src, dst):
    s = cuda.shared.array(WORDS_FLAT_TILE, float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    bx, by = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
    rows, cols = src.shape
    for j in range(y, TILE, ROWS):
        if by + j < rows and bx + x < cols:
            s[j * PITCH_FLAT_TILE + x] = src[by + j, bx + x]
    cuda.syncthreads()
    for j in range(y, TILE, ROWS):
        if bx + j < cols and by + x < rows:
            dst[bx + j, by + x] = s[x * PITCH_FLAT_TILE + j]


WIDE_TILE_COLUMN_IN = TILE + 1


@style("column_in")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, WIDE_TILE_COLUMN_IN), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    c, r = cuda.blockIdx.x * TILE + tx, cuda.blockIdx.y * TILE + ty
    for k in range(4):
        inside = c < src.shape[1] and r + k * ROWS < src.shape[0]
        tile[tx, ty + k * ROWS] = src[r + k * ROWS, c] if inside else float32(0)
    cuda.syncthreads()
    c, r = cuda.blockIdx.y * TILE + tx, cuda.blockIdx.x * TILE + ty
    for k in range(4):
        if c < dst.shape[1] and r + k * ROWS < dst.shape[0]:
            dst[r + k * ROWS, c] = tile[ty + k * ROWS, tx]


@wrong("guard_of_src_for_dst", misconception="swapped_axes", says="col_to < dst.shape[1]")
@cuda.jit
def transpose_padded(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, 8):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row_to, col_to = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, 8):
        if row_to + k < src.shape[0] and col_to < src.shape[1]:
            dst[row_to + k, col_to] = tile[tx, ty + k]
