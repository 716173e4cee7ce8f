"""Answers to matmul.matmul_column."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def at(src, row, col):
    if row < src.shape[0] and col < src.shape[1]:
        return src[row, col]
    return float32(0)


@right("eight_variables")
@cuda.jit
def matmul_column(a, b, c):
    tile_a = cuda.shared.array((64, 8), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    for k0 in range(0, a.shape[1], 8):
        tile_a[t // 8, t % 8] = at(a, row0 + t // 8, k0 + t % 8)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()
        for k in range(8):
            y = tile_b[k, tx]
            a0 += tile_a[8 * ty, k] * y
            a1 += tile_a[8 * ty + 1, k] * y
            a2 += tile_a[8 * ty + 2, k] * y
            a3 += tile_a[8 * ty + 3, k] * y
            a4 += tile_a[8 * ty + 4, k] * y
            a5 += tile_a[8 * ty + 5, k] * y
            a6 += tile_a[8 * ty + 6, k] * y
            a7 += tile_a[8 * ty + 7, k] * y
        cuda.syncthreads()
    for i, x in enumerate((a0, a1, a2, a3, a4, a5, a6, a7)):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = x


@right("rows_eight_apart")
@cuda.jit
def matmul_column(a, b, c):
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
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[ty + 8 * i, k] * y
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + ty + 8 * i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@right("tile_turned_round")
@cuda.jit
def matmul_column(a, b, c):
    tile_a = cuda.shared.array((8, 64), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    acc = cuda.local.array(8, float32)
    for i in range(8):
        acc[i] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    for k0 in range(0, a.shape[1], 8):
        tile_a[t % 8, t // 8] = at(a, row0 + t // 8, k0 + t % 8)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[k, 8 * ty + i] * y
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@right("barrier_first")
@cuda.jit
def matmul_column(a, b, c):
    tile_a = cuda.shared.array((64, 8), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    acc = cuda.local.array(8, float32)
    for i in range(8):
        acc[i] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    for k0 in range(0, a.shape[1], 8):
        cuda.syncthreads()
        tile_a[t // 8, t % 8] = at(a, row0 + t // 8, k0 + t % 8)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@right("while_over_tiles")
@cuda.jit
def matmul_column(a, b, c):
    tile_a = cuda.shared.array((64, 8), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    acc = cuda.local.array(8, float32)
    for i in range(8):
        acc[i] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    k0 = 0
    while k0 < a.shape[1]:
        tile_a[t // 8, t % 8] = at(a, row0 + t // 8, k0 + t % 8)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # nobody reads them any more
        k0 += 8
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@right("early_return_at_the_end")
@cuda.jit
def matmul_column(a, b, c):
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
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # nobody reads them any more
    if col >= c.shape[1]:
        return
    last = min(8, c.shape[0] - row0 - 8 * ty)
    for i in range(last):
        c[row0 + 8 * ty + i, col] = acc[i]


@wrong("no_barrier_before_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def matmul_column(a, b, c):
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
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@wrong("no_barrier_after_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def matmul_column(a, b, c):
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
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit
def matmul_column(a, b, c):
    tile_a = cuda.shared.array((64, 8), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    acc = cuda.local.array(8, float32)
    for i in range(8):
        acc[i] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    for k0 in range(0, 8, 8):
        tile_a[t // 8, t % 8] = at(a, row0 + t // 8, k0 + t % 8)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@wrong("whole_tiles_only", misconception="last_tile_missing", says="where they fill no whole tile")
@cuda.jit
def matmul_column(a, b, c):
    tile_a = cuda.shared.array((64, 8), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    acc = cuda.local.array(8, float32)
    for i in range(8):
        acc[i] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    for k0 in range(0, a.shape[1] // 8 * 8, 8):
        tile_a[t // 8, t % 8] = at(a, row0 + t // 8, k0 + t % 8)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@wrong("b_without_guard", misconception="no_guard", says="outside")
@cuda.jit
def matmul_column(a, b, c):
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
        tile_b[ty, tx] = b[k0 + ty, col]
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@wrong("a_without_guard", misconception="no_guard", says="outside")
@cuda.jit
def matmul_column(a, b, c):
    tile_a = cuda.shared.array((64, 8), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    acc = cuda.local.array(8, float32)
    for i in range(8):
        acc[i] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    for k0 in range(0, a.shape[1], 8):
        tile_a[t // 8, t % 8] = a[row0 + t // 8, k0 + t % 8]
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@wrong("b_loaded_for_every_result", misconception="too_many_shared_loads", says="shared")
@cuda.jit
def matmul_column(a, b, c):
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
        cuda.syncthreads()  # both tiles are whole
        for i in range(8):
            for k in range(8):
                acc[i] += tile_a[8 * ty + i, k] * tile_b[k, tx]
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]


@wrong("sums_not_set_to_0", misconception="uninitialised_read", says="acc")
@cuda.jit
def matmul_column(a, b, c):
    tile_a = cuda.shared.array((64, 8), float32)
    tile_b = cuda.shared.array((8, 64), float32)
    acc = cuda.local.array(8, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 64 * ty + tx
    row0, col = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x + tx
    for k0 in range(0, a.shape[1], 8):
        tile_a[t // 8, t % 8] = at(a, row0 + t // 8, k0 + t % 8)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are whole
        for k in range(8):
            y = tile_b[k, tx]  # one load for eight products
            for i in range(8):
                acc[i] += tile_a[8 * ty + i, k] * y
        cuda.syncthreads()  # nobody reads them any more
    for i in range(8):
        row = row0 + 8 * ty + i
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc[i]
