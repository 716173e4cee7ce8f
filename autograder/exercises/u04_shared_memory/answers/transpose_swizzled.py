"""Answers to shared_memory.transpose_swizzled."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

TILE, ROWS = 32, 8
CELLS, PITCH = TILE * TILE, TILE + 1


@cuda.jit(device=True)
def turned(row, col):
    """Each row one place further round than the one above it."""
    return TILE * row + (row + col) % TILE


@right("rows_turned_round")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[turned(ty + k, tx)] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[turned(tx, ty + k)]


@right("two_axes_and_xor_in_the_brackets")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array((32, 32), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for y in range(ty, TILE, ROWS):
        if top + y < src.shape[0] and left + tx < src.shape[1]:
            tile[y, tx ^ y] = src[top + y, left + tx]
    cuda.syncthreads()
    for y in range(ty, TILE, ROWS):
        if left + y < dst.shape[0] and top + tx < dst.shape[1]:
            dst[left + y, top + tx] = tile[tx, y ^ tx]


@wrong("row_after_row", misconception="bank_conflicts", says="one bank")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[(ty + k) * TILE + tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx * TILE + ty + k]


@wrong("three_bits_of_the_row", misconception="bank_conflicts", says="one bank")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[(ty + k) * TILE + (tx ^ ((ty + k) % 8))] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx * TILE + ((ty + k) ^ (tx % 8))]


@wrong("padded_in_1024_words", misconception="off_by_one", says="outside")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[(ty + k) * PITCH + tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx * PITCH + ty + k]


@wrong("whole_place_exchanged", misconception="lost_update", says="both write")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[(ty + k + tx) % TILE * TILE + ((ty + k) ^ tx)] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[(tx + ty + k) % TILE * TILE + (tx ^ (ty + k))]


@wrong("swizzled_on_one_side_only", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[(ty + k) * TILE + (tx ^ (ty + k))] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx * TILE + ty + k]


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads() after line")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[(ty + k) * TILE + (tx ^ (ty + k))] = src[row + k, col]
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx * TILE + ((ty + k) ^ tx)]


@wrong("still_padded", misconception="padded_tile", says="4,224 shared bytes, at most 4,096 allowed")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array((TILE, PITCH), float32)
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


CELLS_PLUS_MOD = TILE * TILE


@cuda.jit(device=True)
def place_plus_mod(row, col):
    return row * TILE + (col + row) % TILE


@style("plus_mod")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(CELLS_PLUS_MOD, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    y0, x0 = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for r in range(ty, TILE, ROWS):
        if y0 + r < src.shape[0] and x0 + tx < src.shape[1]:
            tile[place_plus_mod(r, tx)] = src[y0 + r, x0 + tx]
    cuda.syncthreads()
    for r in range(ty, TILE, ROWS):
        if x0 + r < dst.shape[0] and y0 + tx < dst.shape[1]:
            dst[x0 + r, y0 + tx] = tile[place_plus_mod(tx, r)]


@cuda.jit(device=True)
def place_minus_and_mask(row, col):
    return (row << 5) | ((col - row) & 31)


@style("minus_and_mask")
@cuda.jit
def transpose_swizzled(src, dst):
    tile = cuda.shared.array(1024, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    y0, x0 = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    r = ty
    while r < TILE:
        value = float32(0)
        if y0 + r < src.shape[0] and x0 + tx < src.shape[1]:
            value = src[y0 + r, x0 + tx]
        tile[place_minus_and_mask(tx, r)] = value
        r += ROWS
    cuda.syncthreads()
    r = ty
    while r < TILE:
        if x0 + r < dst.shape[0] and y0 + tx < dst.shape[1]:
            dst[x0 + r, y0 + tx] = tile[place_minus_and_mask(r, tx)]
        r += ROWS
