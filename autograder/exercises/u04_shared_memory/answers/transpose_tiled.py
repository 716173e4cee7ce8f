"""Answers to shared_memory.transpose_tiled."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

TILE, ROWS = 32, 8


@right("turned_while_filling")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array(shape=(TILE, TILE), dtype=float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * TILE + tx, cuda.blockIdx.y * TILE + ty
    if x < src.shape[1]:
        for k in range(0, min(TILE, src.shape[0] - y), ROWS):
            tile[tx, ty + k] = src[y + k, x]
    cuda.syncthreads()
    x, y = cuda.blockIdx.y * TILE + tx, cuda.blockIdx.x * TILE + ty
    if x < dst.shape[1]:
        for k in range(0, min(TILE, dst.shape[0] - y), ROWS):
            dst[y + k, x] = tile[ty + k, tx]


@right("flat_tile_and_while")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array(1024, float32)
    n_rows, n_cols = src.shape
    top, left = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    y = cuda.threadIdx.y
    while y < TILE:
        if top + y < n_rows and left + cuda.threadIdx.x < n_cols:
            tile[y * TILE + cuda.threadIdx.x] = src[top + y, left + cuda.threadIdx.x]
        y += cuda.blockDim.y
    cuda.syncthreads()
    y = cuda.threadIdx.y
    while y < TILE:
        if left + y < n_cols and top + cuda.threadIdx.x < n_rows:
            dst[left + y, top + cuda.threadIdx.x] = tile[cuda.threadIdx.x * TILE + y]
        y += cuda.blockDim.y


@right("already_padded")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, 33), float32)
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


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads() after line")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("barrier_inside_the_guard", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    if row < src.shape[0] and col < src.shape[1]:
        for k in range(0, min(TILE, src.shape[0] - row), ROWS):
            tile[ty + k, tx] = src[row + k, col]
        cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        dst[row + k, col] = tile[tx, ty + k]


@wrong("guard_asks_the_first_row_only", misconception="no_guard", says="outside")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    if row < src.shape[0] and col < src.shape[1]:
        for k in range(0, TILE, ROWS):
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    if row < dst.shape[0] and col < dst.shape[1]:
        for k in range(0, TILE, ROWS):
            dst[row + k, col] = tile[tx, ty + k]


@wrong("tile_moved_but_not_turned", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def transpose_tiled(src, dst):
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
            dst[row + k, col] = tile[ty + k, tx]


@wrong("turned_but_not_moved", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("stores_down_columns", misconception="uncoalesced", says="a sector of its own")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            dst[col, row + k] = tile[ty + k, tx]


@wrong("x_for_rows", misconception="uncoalesced", says="a sector of its own")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + tx, cuda.blockIdx.x * TILE + ty
    for k in range(0, TILE, ROWS):
        if row < src.shape[0] and col + k < src.shape[1]:
            tile[tx, ty + k] = src[row, col + k]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("one_element_a_thread", misconception="missing_tail", says="never written")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = tile[tx, ty]


@wrong("shape_of_the_matrix", misconception="shared_shape", says="constant")
@cuda.jit
def transpose_tiled(src, dst):
    side = cuda.blockDim.x
    tile = cuda.shared.array((side, side), float32)
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


@cuda.jit(device=True)
def fetch_guarded_helpers(src, r, c):
    if r < src.shape[0] and c < src.shape[1]:
        return src[r, c]
    return float32(0)


@style("guarded_helpers")
@cuda.jit
def transpose_tiled(src, dst):
    s = cuda.shared.array((32, 32), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * 32, cuda.blockIdx.x * 32
    s[y, x] = fetch_guarded_helpers(src, top + y, left + x)
    s[y + 8, x] = fetch_guarded_helpers(src, top + y + 8, left + x)
    s[y + 16, x] = fetch_guarded_helpers(src, top + y + 16, left + x)
    s[y + 24, x] = fetch_guarded_helpers(src, top + y + 24, left + x)
    cuda.syncthreads()
    for j in range(y, 32, 8):
        if left + j < dst.shape[0] and top + x < dst.shape[1]:
            dst[left + j, top + x] = s[x, j]


@style("turned_on_the_way_in")
@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    bx, by = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
    j = ty
    while j < TILE:
        if by + j < src.shape[0]:
            if bx + tx < src.shape[1]:
                tile[tx, j] = src[by + j, bx + tx]
        j += cuda.blockDim.y
    cuda.syncthreads()
    j = ty
    while j < TILE:
        if bx + j < dst.shape[0]:
            if by + tx < dst.shape[1]:
                dst[bx + j, by + tx] = tile[j, tx]
        j += cuda.blockDim.y
