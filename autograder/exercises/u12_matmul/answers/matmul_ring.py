"""Answers to matmul.matmul_ring."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import commit_copies, copy16_async, copy_async, load16, store16, wait_copies

B_TILE = 16 * 132
STAGE = B_TILE + 16 * 128
STAGES = 2 * STAGE


@cuda.jit(device=True, forceinline=True)
def at(src, row, col):
    """src[row, col], or 0 past an edge: a product with 0 changes no sum. src: 2D float32."""
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
    """What this thread copies of every stage: where to and from which row and column, of a and of b; whether every
    tile of the block is whole. Worked out once, ahead of the loop."""
    t = cuda.threadIdx.x
    n_inner, n_cols = b.shape
    whole = row0 + 128 <= a.shape[0] and col0 + 128 <= n_cols and n_inner % 16 == 0 and n_cols % 4 == 0
    k_a, row, k_b, col = t % 16, t // 16, t // 32, 4 * (t % 32)
    return 132 * k_a + row, row0 + row, k_a, B_TILE + 128 * k_b + col, k_b, col0 + col, whole


@cuda.jit(device=True, forceinline=True)
def copy_tiles(tiles, stage, a, b, k0, share):
    """Begin to copy columns k0 to k0 + 15 of a, turned round, and these rows of b into one stage; close the group."""
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
    """The products of one k."""
    x, left, right = loaded
    return add_outer(acc[0], left, x), add_outer(acc[1], right, x)


@cuda.jit(device=True, forceinline=True)
def add_two(acc, first, tiles, at_a, at_b):
    """The products of two k, of which the first is loaded; each next one is loaded ahead of a k's products."""
    second = load_k(tiles, at_a + 132, at_b + 128)
    acc = add_k(acc, first)
    third = load_k(tiles, at_a + 264, at_b + 256)
    return add_k(acc, second), third


@cuda.jit(device=True, forceinline=True)
def add_tile(acc, tiles, stage, row, col):
    """The products of one stage, four values of k in each iteration of the loop, and the last four behind it."""
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


@right("stages_by_remainder")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    tile = 0
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, STAGE * ((tile + 1) % 2), a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, STAGE * (tile % 2), row, col)
        tile += 1
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("range_over_tiles")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    for k0 in range(0, a.shape[1], 16):
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("the_other_is_what_is_left")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now = k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, STAGE - now, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now = STAGE - now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("turn_begins_with_the_next")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    k0 = now = 0
    while k0 < a.shape[1]:
        begun = k0 + 16
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, STAGE - now, a, b, begun, share)
        acc = add_tile(acc, tiles, now, row, col)
        now = STAGE - now
        k0 = begun
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("counts_its_turns")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    for turn in range((a.shape[1] + 15) // 16):
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, free, a, b, 16 * turn + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("first_tile_begun_in_the_loop_before")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    for stage in range(1):
        copy_tiles(tiles, STAGE * stage, a, b, 16 * stage, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@right("two_tiles_a_turn")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, STAGE, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, 0, row, col)
        wait_copies(0)
        cuda.syncthreads()
        copy_tiles(tiles, 0, a, b, k0 + 32, share)
        if k0 + 16 < a.shape[1]:
            acc = add_tile(acc, tiles, STAGE, row, col)
        k0 += 32
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("waits_for_nothing_yet", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("copies_after_the_products", misconception="waits_at_once", says="nothing travels beside")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        acc = add_tile(acc, tiles, now, row, col)
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("one_tile_after_the_other", misconception="waits_at_once", says="nothing travels beside")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        copy_tiles(tiles, now, a, b, k0, share)
        wait_copies(0)
        cuda.syncthreads()
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("barrier_before_the_wait", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        cuda.syncthreads()
        wait_copies(0)
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("copies_begin_ahead_of_the_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("copies_into_the_stage_that_is_read", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, now, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < 16:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("copies_the_same_tile_again", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, free, a, b, k0, share)
        acc = add_tile(acc, tiles, now, row, col)
        now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])


@wrong("stages_stop_taking_turns", misconception="fitted_to_cases", says="n_inner")
@cuda.jit(launch_bounds=(128, 2))
def matmul_ring(a, b, c):
    tiles = cuda.shared.array(STAGES, float32, alignment=16)
    z = float32(0)
    eight = (z, z, z, z, z, z, z, z)
    half = (eight, eight, eight, eight, eight, eight, eight, eight)
    acc = (half, half)  # two groups of eight columns, eight rows each
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row = 64 * (warp // 2) + lane // 8 * 8 + lane // 2 % 2 * 4  # this thread's first of the tile: its lanes lie
    col = 64 * (warp % 2) + lane // 4 % 2 * 8 + lane % 2 * 4  # in squares of two by two
    share = share_of(a, b, row0, col0)
    copy_tiles(tiles, 0, a, b, 0, share)
    now, free = 0, STAGE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)  # this tile is there
        cuda.syncthreads()  # for everybody, and nobody reads the other stage any more
        copy_tiles(tiles, free, a, b, k0 + 16, share)
        acc = add_tile(acc, tiles, now, row, col)
        if k0 < 160:
            now, free = free, now
        k0 += 16
    put_columns(c, row0 + row, col0 + col, acc[0])
    put_columns(c, row0 + row, col0 + col + 32, acc[1])
