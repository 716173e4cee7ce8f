"""Answers to matmul.matmul_tiled."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

TILE = 32


@cuda.jit(device=True)
def at(src, row, col):
    if row < src.shape[0] and col < src.shape[1]:
        return src[row, col]
    return float32(0)


@right("fill_with_if_and_else")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        if row < a.shape[0] and k0 + tx < a.shape[1]:
            tile_a[ty, tx] = a[row, k0 + tx]
        else:
            tile_a[ty, tx] = float32(0)
        if k0 + ty < b.shape[0] and col < b.shape[1]:
            tile_b[ty, tx] = b[k0 + ty, col]
        else:
            tile_b[ty, tx] = float32(0)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@right("while_over_tiles")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    k0 = 0
    while k0 < a.shape[1]:
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
        k0 += TILE
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@right("barrier_first")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        cuda.syncthreads()
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@right("conditional_expressions")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[row, k0 + tx] if row < a.shape[0] and k0 + tx < a.shape[1] else float32(0)
        tile_b[ty, tx] = b[k0 + ty, col] if k0 + ty < b.shape[0] and col < b.shape[1] else float32(0)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@right("counts_tiles")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for number in range((a.shape[1] + TILE - 1) // TILE):
        k0 = number * TILE
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@right("two_buffers")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((2, TILE, TILE), float32)
    tile_b = cuda.shared.array((2, TILE, TILE), float32)
    now = 0
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        tile_a[now, ty, tx] = at(a, row, k0 + tx)
        tile_b[now, ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[now, ty, k] * tile_b[now, k, tx]
        now = 1 - now
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@wrong("no_barrier_before_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@wrong("no_barrier_after_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, TILE, TILE):
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@wrong("whole_tiles_only", misconception="last_tile_missing", says="where they fill no whole tile")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1] // TILE * TILE, TILE):
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@wrong("b_without_guard", misconception="no_guard", says="outside")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = b[k0 + ty, col]
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@wrong("a_without_guard", misconception="no_guard", says="outside")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = float32(0)
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[row, k0 + tx]
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc


@wrong("barrier_for_those_inside", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k0 in range(0, a.shape[1], TILE):
            tile_a[ty, tx] = at(a, row, k0 + tx)
            tile_b[ty, tx] = at(b, k0 + ty, col)
            cuda.syncthreads()
            for k in range(TILE):
                acc += tile_a[ty, k] * tile_b[k, tx]
            cuda.syncthreads()
        c[row, col] = acc


@wrong("no_tile", misconception="work_repeated", says="repeat one another")
@cuda.jit
def matmul_tiled(a, b, c):
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc


@wrong("sum_begins_with_an_integer", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    acc = 0.0
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc
