"""Answers to shared_memory.transpose_fast."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WIDE, DEPTH = 64, 4
WIDE_PITCH = WIDE + 1
WIDE_CELLS = WIDE * WIDE


@right("whole_tiles_and_ragged_ones")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array((WIDE, WIDE_PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * WIDE, cuda.blockIdx.x * WIDE
    whole = top + WIDE <= src.shape[0] and left + WIDE <= src.shape[1]
    if whole:
        for y in range(ty, WIDE, DEPTH):
            tile[y, tx] = src[top + y, left + tx]
    else:
        for y in range(ty, WIDE, DEPTH):
            if top + y < src.shape[0] and left + tx < src.shape[1]:
                tile[y, tx] = src[top + y, left + tx]
    cuda.syncthreads()
    if whole:
        for y in range(ty, WIDE, DEPTH):
            dst[left + y, top + tx] = tile[tx, y]
    else:
        for y in range(ty, WIDE, DEPTH):
            if left + y < dst.shape[0] and top + tx < dst.shape[1]:
                dst[left + y, top + tx] = tile[tx, y]


@wrong("swizzled_with_a_question_a_turn", misconception="loads_wait", says="ask once for the column")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array(WIDE_CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[(ty + k) * WIDE + (tx ^ (ty + k))] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx * WIDE + (tx ^ (ty + k))]


@right("swizzled_with_one_question")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array(WIDE_CELLS, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    top, left = cuda.blockIdx.y * WIDE, cuda.blockIdx.x * WIDE
    rows, cols = src.shape[0] - top, src.shape[1] - left  # of src, from this tile on
    if tx < cols:
        if rows >= WIDE:
            for k in range(0, WIDE, DEPTH):
                tile[(ty + k) * WIDE + (tx ^ (ty + k))] = src[top + ty + k, left + tx]
        else:
            for k in range(0, WIDE, DEPTH):
                if ty + k < rows:
                    tile[(ty + k) * WIDE + (tx ^ (ty + k))] = src[top + ty + k, left + tx]
    cuda.syncthreads()
    if tx < rows:
        if cols >= WIDE:
            for k in range(0, WIDE, DEPTH):
                dst[left + ty + k, top + tx] = tile[tx * WIDE + (tx ^ (ty + k))]
        else:
            for k in range(0, WIDE, DEPTH):
                if ty + k < cols:
                    dst[left + ty + k, top + tx] = tile[tx * WIDE + (tx ^ (ty + k))]


@wrong("first_row_asked_for_all", misconception="no_guard", says="outside")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array((WIDE, WIDE_PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx
    if row < src.shape[0] and col < src.shape[1]:
        for k in range(0, WIDE, DEPTH):
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx
    if row < dst.shape[0] and col < dst.shape[1]:
        for k in range(0, WIDE, DEPTH):
            dst[row + k, col] = tile[tx, ty + k]


@wrong("ragged_tiles_forgotten", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array((WIDE, WIDE_PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx
    if row + WIDE - DEPTH < src.shape[0] and col < src.shape[1]:
        for k in range(0, WIDE, DEPTH):
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx
    if row + WIDE - DEPTH < dst.shape[0] and col < dst.shape[1]:
        for k in range(0, WIDE, DEPTH):
            dst[row + k, col] = tile[tx, ty + k]


@wrong("unpadded", misconception="bank_conflicts", says="one bank")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array((WIDE, WIDE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("barrier_in_both_branches", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array((WIDE, WIDE_PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx
    if row + WIDE - DEPTH < src.shape[0] and col < src.shape[1]:
        for k in range(0, WIDE, DEPTH):
            tile[ty + k, tx] = src[row + k, col]
        cuda.syncthreads()
    elif col < src.shape[1]:
        for k in range(0, WIDE, DEPTH):
            if row + k < src.shape[0]:
                tile[ty + k, tx] = src[row + k, col]
        cuda.syncthreads()
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads() after line")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array((WIDE, WIDE_PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("loop_of_the_last_rung", misconception="missing_tail", says="never written")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array((WIDE, WIDE_PITCH), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx
    for k in range(0, WIDE // 2, DEPTH):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx
    for k in range(0, WIDE // 2, DEPTH):
        if row + k < dst.shape[0] and col < dst.shape[1] and tx < WIDE // 2:
            dst[row + k, col] = tile[tx, ty + k]


@wrong("stores_down_columns", misconception="uncoalesced", says="a sector of its own")
@cuda.jit
def transpose_fast(src, dst):
    row, col = cuda.blockIdx.y * WIDE + cuda.threadIdx.y, cuda.blockIdx.x * WIDE + cuda.threadIdx.x
    for k in range(0, WIDE, DEPTH):
        if row + k < src.shape[0] and col < src.shape[1]:
            dst[col, row + k] = src[row + k, col]


@wrong("sum_inside_the_shape", misconception="shared_shape", says="WIDE_PLUS_1 = WIDE + 1")
@cuda.jit
def transpose_fast(src, dst):
    tile = cuda.shared.array((WIDE, WIDE + 1), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * WIDE + ty, cuda.blockIdx.x * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * WIDE + ty, cuda.blockIdx.y * WIDE + tx
    for k in range(0, WIDE, DEPTH):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]
