"""Answers to matmul.matmul_square."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def at(src, row, col):
    if row < src.shape[0] and col < src.shape[1]:
        return src[row, col]
    return float32(0)


@right("four_neighbours_each")
@cuda.jit
def matmul_square(a, b, c):
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
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[4 * ty + i, k]
                y[i] = tile_b[k, 4 * tx + i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + 4 * ty + i, col0 + 4 * tx + j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@right("flat_sums")
@cuda.jit
def matmul_square(a, b, c):
    tile_a = cuda.shared.array((64, 16), float32)
    tile_b = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array(16, float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[4 * i + j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    row0, col0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    for k0 in range(0, a.shape[1], 16):
        for i in range(4):
            tile_a[ty + 16 * i, tx] = at(a, row0 + ty + 16 * i, k0 + tx)
            tile_b[t // 64 + 4 * i, t % 64] = at(b, k0 + t // 64 + 4 * i, col0 + t % 64)
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[4 * i + j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[4 * i + j]


@right("row_in_a_register")
@cuda.jit
def matmul_square(a, b, c):
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
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                left = x[i]
                for j in range(4):
                    acc[i, j] = acc[i, j] + left * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@right("barrier_first")
@cuda.jit
def matmul_square(a, b, c):
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
        cuda.syncthreads()
        for i in range(4):
            tile_a[ty + 16 * i, tx] = at(a, row0 + ty + 16 * i, k0 + tx)
            tile_b[t // 64 + 4 * i, t % 64] = at(b, k0 + t // 64 + 4 * i, col0 + t % 64)
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@right("while_over_tiles")
@cuda.jit
def matmul_square(a, b, c):
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
    k0 = 0
    while k0 < a.shape[1]:
        for i in range(4):
            tile_a[ty + 16 * i, tx] = at(a, row0 + ty + 16 * i, k0 + tx)
            tile_b[t // 64 + 4 * i, t % 64] = at(b, k0 + t // 64 + 4 * i, col0 + t % 64)
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
        k0 += 16
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@right("guards_rows_first")
@cuda.jit
def matmul_square(a, b, c):
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
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        row = row0 + ty + 16 * i
        if row < c.shape[0]:
            for j in range(4):
                col = col0 + tx + 16 * j
                if col < c.shape[1]:
                    c[row, col] = acc[i, j]


@wrong("no_barrier_before_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def matmul_square(a, b, c):
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
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@wrong("no_barrier_after_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def matmul_square(a, b, c):
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
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit
def matmul_square(a, b, c):
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
    for k0 in range(0, 16, 16):
        for i in range(4):
            tile_a[ty + 16 * i, tx] = at(a, row0 + ty + 16 * i, k0 + tx)
            tile_b[t // 64 + 4 * i, t % 64] = at(b, k0 + t // 64 + 4 * i, col0 + t % 64)
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@wrong("whole_tiles_only", misconception="last_tile_missing", says="where they fill no whole tile")
@cuda.jit
def matmul_square(a, b, c):
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
    for k0 in range(0, a.shape[1] // 16 * 16, 16):
        for i in range(4):
            tile_a[ty + 16 * i, tx] = at(a, row0 + ty + 16 * i, k0 + tx)
            tile_b[t // 64 + 4 * i, t % 64] = at(b, k0 + t // 64 + 4 * i, col0 + t % 64)
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@wrong("b_without_guard", misconception="no_guard", says="outside")
@cuda.jit
def matmul_square(a, b, c):
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
            tile_b[t // 64 + 4 * i, t % 64] = b[k0 + t // 64 + 4 * i, col0 + t % 64]
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@wrong("a_without_guard", misconception="no_guard", says="outside")
@cuda.jit
def matmul_square(a, b, c):
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
            tile_a[ty + 16 * i, tx] = a[row0 + ty + 16 * i, k0 + tx]
            tile_b[t // 64 + 4 * i, t % 64] = at(b, k0 + t // 64 + 4 * i, col0 + t % 64)
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@wrong("loads_for_every_product", misconception="too_many_shared_loads", says="shared")
@cuda.jit
def matmul_square(a, b, c):
    tile_a = cuda.shared.array((64, 16), float32)
    tile_b = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
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
        cuda.syncthreads()  # both tiles are whole
        for i in range(4):
            for j in range(4):
                for k in range(16):
                    acc[i, j] += tile_a[ty + 16 * i, k] * tile_b[k, tx + 16 * j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]


@wrong("sums_not_set_to_0", misconception="uninitialised_read", says="acc")
@cuda.jit
def matmul_square(a, b, c):
    tile_a = cuda.shared.array((64, 16), float32)
    tile_b = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    row0, col0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    for k0 in range(0, a.shape[1], 16):
        for i in range(4):
            tile_a[ty + 16 * i, tx] = at(a, row0 + ty + 16 * i, k0 + tx)
            tile_b[t // 64 + 4 * i, t % 64] = at(b, k0 + t // 64 + 4 * i, col0 + t % 64)
        cuda.syncthreads()  # both tiles are whole
        for k in range(16):
            for i in range(4):
                x[i] = tile_a[ty + 16 * i, k]
                y[i] = tile_b[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]  # 16 products from 8 loads
        cuda.syncthreads()  # nobody reads them any more
    for i in range(4):
        for j in range(4):
            row, col = row0 + ty + 16 * i, col0 + tx + 16 * j
            if row < c.shape[0] and col < c.shape[1]:
                c[row, col] = acc[i, j]
