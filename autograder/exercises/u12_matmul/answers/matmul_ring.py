"""Answers to matmul.matmul_ring."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import commit_copies, copy16_async, copy_async, load16, store16, wait_copies


@cuda.jit(device=True, forceinline=True)
def at(src, row, col):
    if row < src.shape[0] and col < src.shape[1]:
        return src[row, col]
    return float32(0)


@cuda.jit(device=True, forceinline=True)
def put(dst, row, col, x):
    """dst[row, col] = x, where there is such an element."""
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = x


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
def copy4(dst, index, src, row, col):
    """Begin to copy four neighbours from src[row, col] on to dst[index]; past an edge, store zeros."""
    n_rows, n_cols = src.shape
    if row < n_rows and col + 4 <= n_cols and n_cols % 4 == 0:
        copy16_async(dst, index, src, (row, col))
    else:
        store16(dst, index, (at(src, row, col), at(src, row, col + 1), at(src, row, col + 2), at(src, row, col + 3)))


@cuda.jit(device=True, forceinline=True)
def copy1(dst, index, src, row, col):
    """The same for one element."""
    if row < src.shape[0] and col < src.shape[1]:
        copy_async(dst, index, src, (row, col))
    else:
        dst[index] = float32(0)


@cuda.jit(device=True, forceinline=True)
def copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, k0):
    """Begin to copy columns k0 to k0 + 7 of a, turned round, and these rows of b into one stage; close the group."""
    t = cuda.threadIdx.x
    if k0 < a.shape[1]:
        for i in range(8):
            k, row = t % 8, t // 8 + 16 * i
            copy1(tile_a, (stage, k, row), a, row0 + row, k0 + k)
        for i in range(2):
            k, col = t // 32 + 4 * i, 4 * (t % 32)
            copy4(tile_b, (stage, k, col), b, k0 + k, col0 + col)
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def add_tile(acc, tile_a, tile_b, stage, row, col):
    """The products of one stage: 8 rows of a with 16 columns of b, which are kept as two groups of eight."""
    k = 0
    while k < 8:
        x = load16(tile_a, (stage, k, row)) + load16(tile_a, (stage, k, row + 32))
        left = load16(tile_b, (stage, k, col)) + load16(tile_b, (stage, k, col + 16))
        right = load16(tile_b, (stage, k, col + 32)) + load16(tile_b, (stage, k, col + 48))
        acc = add_outer(acc[0], left, x), add_outer(acc[1], right, x)
        k += 1
    return acc


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


@right("stages_by_remainder")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    tile = 0
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, (tile + 2) % 3, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, tile % 3, row, col)
        tile += 1
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("range_over_tiles")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    for k0 in range(0, a.shape[1], 8):
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 2 else 0
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("copies_after_the_products")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 16)
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("three_names_for_three_stages")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, after, free = 0, 1, 2
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        now, after, free = after, free, now
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("four_stages")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((4, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((4, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(3):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 3
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(2)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 24)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 3 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("counts_its_turns")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    for turn in range((a.shape[1] + 7) // 8):
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, 8 * turn + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 2 else 0
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("waits_for_nothing_yet", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(2)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("waits_for_all", misconception="waits_at_once", says="nothing travels beside it")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("barrier_before_the_wait", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    k0 = 0
    while k0 < a.shape[1]:
        cuda.syncthreads()
        wait_copies(1)
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("copies_into_the_stage_that_is_read", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now = 0
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, now, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        now = now + 1 if now < 2 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    k0 = 0
    while k0 < min(8, a.shape[1]):
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 16)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("copies_one_tile_ahead_only", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tile_a = cuda.shared.array((3, 8, 132), float32, alignment=16)  # turned round; 4 more keep the banks apart
    tile_b = cuda.shared.array((3, 8, 128), float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row, col = 64 * (warp // 2) + 4 * (lane // 4), 64 * (warp % 2) + 4 * (lane % 4)  # this thread's first, of the tile
    for stage in range(2):
        copy_tiles(tile_a, tile_b, stage, a, b, row0, col0, 8 * stage)
    now, free = 0, 2
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_tiles(tile_a, tile_b, free, a, b, row0, col0, k0 + 8)
        acc = add_tile(acc, tile_a, tile_b, now, row, col)
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 8
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])
