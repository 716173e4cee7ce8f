"""Answers to matmul.matmul_wide."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import load16, store16


@cuda.jit(device=True)
def at(src, row, col):
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
    """dst[row, col] = x, where there is such an element."""
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = x


@cuda.jit(device=True, forceinline=True)
def put4(dst, row, col, x):
    """dst[row, col] to dst[row, col + 3] = x, as far as there is a dst: one store of 16 bytes where possible."""
    n_rows, n_cols = dst.shape
    if row < n_rows and col + 4 <= n_cols and n_cols % 4 == 0:
        store16(dst, (row, col), x)
    else:
        put(dst, row, col, x[0])
        put(dst, row, col + 1, x[1])
        put(dst, row, col + 2, x[2])
        put(dst, row, col + 3, x[3])


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
    """Four rows of eight sums to dst[row, col] and below: the second four of each belong 64 columns further on."""
    put4(dst, row, col, four[0][:4])
    put4(dst, row, col + 64, four[0][4:])
    put4(dst, row + 1, col, four[1][:4])
    put4(dst, row + 1, col + 64, four[1][4:])
    put4(dst, row + 2, col, four[2][:4])
    put4(dst, row + 2, col + 64, four[2][4:])
    put4(dst, row + 3, col, four[3][:4])
    put4(dst, row + 3, col + 64, four[3][4:])


@right("one_buffer_two_barriers")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((1, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((1, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k0 += 8
        next_a = fetch4(a, row0 + row_a, k0 + k_a)  # on its way while we multiply
        next_b = fetch4(b, k0 + k_b, col0 + col_b)
        k = 0
        while k < 8:
            x = load16(tile_a, (now, k, ty)) + load16(tile_a, (now, k, ty + 64))
            y = load16(tile_b, (now, k, tx)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
            k += 1
        cuda.syncthreads()
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])


@right("range_for_the_inner_loop")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k0 += 8
        next_a = fetch4(a, row0 + row_a, k0 + k_a)  # on its way while we multiply
        next_b = fetch4(b, k0 + k_b, col0 + col_b)
        for k in range(8):
            x = load16(tile_a, (now, k, ty)) + load16(tile_a, (now, k, ty + 64))
            y = load16(tile_b, (now, k, tx)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
        now = 1 - now
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])


@right("no_prefetch_but_right")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
    t = cuda.threadIdx.x
    tx, ty = 4 * (t % 16), 4 * (t // 16)
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_a, k_a = t // 2, 4 * (t % 2)  # the four elements of a that this thread fetches, and of b
    k_b, col_b = t // 32, 4 * (t % 32)
    now = k0 = 0
    while k0 < a.shape[1]:
        next_a = fetch4(a, row0 + row_a, k0 + k_a)
        next_b = fetch4(b, k0 + k_b, col0 + col_b)
        tile_a[now, k_a, row_a] = next_a[0]
        tile_a[now, k_a + 1, row_a] = next_a[1]
        tile_a[now, k_a + 2, row_a] = next_a[2]
        tile_a[now, k_a + 3, row_a] = next_a[3]
        store16(tile_b, (now, k_b, col_b), next_b)
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k0 += 8
        k = 0
        while k < 8:
            x = load16(tile_a, (now, k, ty)) + load16(tile_a, (now, k, ty + 64))
            y = load16(tile_b, (now, k, tx)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
            k += 1
        now = 1 - now
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])


@right("buffer_by_parity")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
    t = cuda.threadIdx.x
    tx, ty = 4 * (t % 16), 4 * (t // 16)
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_a, k_a = t // 2, 4 * (t % 2)  # the four elements of a that this thread fetches, and of b
    k_b, col_b = t // 32, 4 * (t % 32)
    next_a = fetch4(a, row0 + row_a, k_a)
    next_b = fetch4(b, k_b, col0 + col_b)
    k0 = 0
    while k0 < a.shape[1]:
        now = k0 // 8 % 2
        tile_a[now, k_a, row_a] = next_a[0]
        tile_a[now, k_a + 1, row_a] = next_a[1]
        tile_a[now, k_a + 2, row_a] = next_a[2]
        tile_a[now, k_a + 3, row_a] = next_a[3]
        store16(tile_b, (now, k_b, col_b), next_b)
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k0 += 8
        next_a = fetch4(a, row0 + row_a, k0 + k_a)  # on its way while we multiply
        next_b = fetch4(b, k0 + k_b, col0 + col_b)
        k = 0
        while k < 8:
            x = load16(tile_a, (now, k, ty)) + load16(tile_a, (now, k, ty + 64))
            y = load16(tile_b, (now, k, tx)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
            k += 1
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])


@right("unpacked_store")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
    t = cuda.threadIdx.x
    tx, ty = 4 * (t % 16), 4 * (t // 16)
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_a, k_a = t // 2, 4 * (t % 2)  # the four elements of a that this thread fetches, and of b
    k_b, col_b = t // 32, 4 * (t % 32)
    next_a = fetch4(a, row0 + row_a, k_a)
    next_b = fetch4(b, k_b, col0 + col_b)
    now = k0 = 0
    while k0 < a.shape[1]:
        tile_a[now, k_a, row_a], tile_a[now, k_a + 1, row_a] = next_a[:2]
        tile_a[now, k_a + 2, row_a], tile_a[now, k_a + 3, row_a] = next_a[2:]
        store16(tile_b, (now, k_b, col_b), next_b)
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
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


@right("no_launch_bounds")
@cuda.jit
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
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


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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


@wrong("one_buffer_one_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k0 += 8
        next_a = fetch4(a, row0 + row_a, k0 + k_a)  # on its way while we multiply
        next_b = fetch4(b, k0 + k_b, col0 + col_b)
        k = 0
        while k < 8:
            x = load16(tile_a, (now, k, ty)) + load16(tile_a, (now, k, ty + 64))
            y = load16(tile_b, (now, k, tx)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
            k += 1
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
    t = cuda.threadIdx.x
    tx, ty = 4 * (t % 16), 4 * (t // 16)
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_a, k_a = t // 2, 4 * (t % 2)  # the four elements of a that this thread fetches, and of b
    k_b, col_b = t // 32, 4 * (t % 32)
    next_a = fetch4(a, row0 + row_a, k_a)
    next_b = fetch4(b, k_b, col0 + col_b)
    now = k0 = 0
    while k0 < 8:
        tile_a[now, k_a, row_a] = next_a[0]
        tile_a[now, k_a + 1, row_a] = next_a[1]
        tile_a[now, k_a + 2, row_a] = next_a[2]
        tile_a[now, k_a + 3, row_a] = next_a[3]
        store16(tile_b, (now, k_b, col_b), next_b)
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
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


@wrong("narrow_loads_from_the_tiles", misconception="narrow_loads", says="requests")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k0 += 8
        next_a = fetch4(a, row0 + row_a, k0 + k_a)  # on its way while we multiply
        next_b = fetch4(b, k0 + k_b, col0 + col_b)
        k = 0
        while k < 8:
            x = (
                tile_a[now, k, ty],
                tile_a[now, k, ty + 1],
                tile_a[now, k, ty + 2],
                tile_a[now, k, ty + 3],
                tile_a[now, k, ty + 64],
                tile_a[now, k, ty + 65],
                tile_a[now, k, ty + 66],
                tile_a[now, k, ty + 67],
            )
            y = load16(tile_b, (now, k, tx)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
            k += 1
        now = 1 - now
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])


@wrong("fetch_without_moving_on", misconception="never_read", says="is never read")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k0 += 8
        next_a = fetch4(a, row0 + row_a, k0 + k_a)  # on its way while we multiply
        next_b = fetch4(b, k_b, col0 + col_b)
        k = 0
        while k < 8:
            x = load16(tile_a, (now, k, ty)) + load16(tile_a, (now, k, ty + 64))
            y = load16(tile_b, (now, k, tx)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
            k += 1
        now = 1 - now
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])


@wrong("misaligned", misconception="misaligned", says="multiple of 16")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
        k0 += 8
        next_a = fetch4(a, row0 + row_a, k0 + k_a)  # on its way while we multiply
        next_b = fetch4(b, k0 + k_b, col0 + col_b)
        k = 0
        while k < 8:
            x = load16(tile_a, (now, k, ty)) + load16(tile_a, (now, k, ty + 64))
            y = load16(tile_b, (now, k, tx + 1)) + load16(tile_b, (now, k, tx + 64))
            acc = add_outer(acc, x, y)  # 64 products from 4 requests
            k += 1
        now = 1 - now
    put_rows(c, row0 + ty, col0 + tx, acc[:4])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[4:])


@wrong("halves_exchanged", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        cuda.syncthreads()  # this buffer is whole, and nobody reads the other any more
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
    put_rows(c, row0 + ty, col0 + tx, acc[4:])
    put_rows(c, row0 + ty + 64, col0 + tx, acc[:4])


@wrong("barrier_in_early_iterations", misconception="missing_barrier", says="no barrier between them")
@cuda.jit(launch_bounds=(256, 2))
def matmul_wide(a, b, c):
    tile_a = cuda.shared.array((2, 8, 128), float32, alignment=16)  # turned round: tile_a[buffer, k, row]
    tile_b = cuda.shared.array((2, 8, 128), float32, alignment=16)
    z = float32(0)
    row = (z, z, z, z, z, z, z, z)
    acc = (row, row, row, row, row, row, row, row)
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
        if k0 < 256:
            cuda.syncthreads()
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
