"""Answers to matmul.matmul_int8."""

from numba import cuda, int8, int32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import commit_copies, copy16_async, ldmatrix, mma_int8, wait_copies

INT8_TILE = 128 * 64
INT8_TILES, TWO_TILES = 3 * INT8_TILE, 2 * INT8_TILE


@cuda.jit(device=True, forceinline=True)
def put(dst, row, col, x):
    """dst[row, col] = x, where there is such an element."""
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = x


@cuda.jit(device=True, forceinline=True)
def put_fragment(c, row, col, x):
    """One lane's four sums: c[row, col], c[row, col + 1], and the same eight rows further down."""
    put(c, row, col, x[0])
    put(c, row, col + 1, x[1])
    put(c, row + 8, col, x[2])
    put(c, row + 8, col + 1, x[3])


@cuda.jit(device=True, forceinline=True)
def put_fragments(c, row, col, x):
    """One lane's part of 16 rows of 64 columns."""
    put_fragment(c, row, col, x[0])
    put_fragment(c, row, col + 8, x[1])
    put_fragment(c, row, col + 16, x[2])
    put_fragment(c, row, col + 24, x[3])
    put_fragment(c, row, col + 32, x[4])
    put_fragment(c, row, col + 40, x[5])
    put_fragment(c, row, col + 48, x[6])
    put_fragment(c, row, col + 56, x[7])


@cuda.jit(device=True, forceinline=True)
def place(row, col):
    """Where element (row, col) of a tile of int8 lies: row by row, the pieces of 16 exchanged within a row."""
    return 64 * row + 16 * ((col // 16) ^ (row // 2 % 4)) + col % 16


@cuda.jit(device=True, forceinline=True)
def byte_at(src, row, col):
    """src[row, col], or 0 past an edge. src: 2D int8."""
    if row < src.shape[0] and col < src.shape[1]:
        return src[row, col]
    return int8(0)


@cuda.jit(device=True, forceinline=True)
def copy_bytes(tile, first, src, row0, k0):
    """Begin to copy 128 rows of 64 columns, from src[row0, k0] on, to tile[first]; past an edge, store zeros."""
    t = cuda.threadIdx.x
    n_rows, n_inner = src.shape
    if k0 < n_inner:
        if row0 + 128 <= n_rows and n_inner % 64 == 0:
            row, k = t // 4, 16 * (t % 4)
            for i in range(4):
                copy16_async(tile, first + place(row + 32 * i, k), src, (row0 + row + 32 * i, k0 + k))
        else:
            for e in range(t, INT8_TILE, 128):
                tile[first + place(e // 64, e % 64)] = byte_at(src, row0 + e // 64, k0 + e % 64)


@cuda.jit(device=True, forceinline=True)
def mma_int8_row(acc, a, y0, y1, y2, y3):
    """16 rows of 64 columns: eight fragments of c, from one of a and four pairs of b."""
    return (
        mma_int8(a, y0[:2], acc[0]),
        mma_int8(a, y0[2:], acc[1]),
        mma_int8(a, y1[:2], acc[2]),
        mma_int8(a, y1[2:], acc[3]),
        mma_int8(a, y2[:2], acc[4]),
        mma_int8(a, y2[2:], acc[5]),
        mma_int8(a, y3[:2], acc[6]),
        mma_int8(a, y3[2:], acc[7]),
    )


@right("fragments_of_a_first")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            x0 = ldmatrix(tile_a, now + place(row_a + 0, k + k_a))
            x1 = ldmatrix(tile_a, now + place(row_a + 16, k + k_a))
            x2 = ldmatrix(tile_a, now + place(row_a + 32, k + k_a))
            x3 = ldmatrix(tile_a, now + place(row_a + 48, k + k_a))
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], x0, y0, y1, y2, y3),
                mma_int8_row(acc[1], x1, y0, y1, y2, y3),
                mma_int8_row(acc[2], x2, y0, y1, y2, y3),
                mma_int8_row(acc[3], x3, y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("range_for_the_steps")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        for k in range(0, 64, 32):
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("addresses_worked_out_before")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            at_b = k + k_b
            y0 = ldmatrix(tile_b, now + place(row_b, at_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, at_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, at_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, at_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("two_steps_written_out")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        for step in range(2):
            k = 32 * step
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("a_row_at_a_time")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            r0 = mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a + 0, k + k_a)), y0, y1, y2, y3)
            r1 = mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3)
            r2 = mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3)
            r3 = mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3)
            acc = (r0, r1, r2, r3)
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("waits_for_all_copies")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(0)
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@right("steps_from_the_far_end")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 32
        while k >= 0:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k -= 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("barrier_before_the_wait", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        cuda.syncthreads()
        wait_copies(1)
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("half_of_the_depth", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 32:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("steps_of_16", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 48:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 16
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("fragments_of_b_as_of_a", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 16, 16 * (lane // 16)
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("pieces_not_exchanged", misconception="wrong_formula", says="c")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + 64 * row_a + k + k_a), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("waits_for_nothing_yet", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < a.shape[1]:
        wait_copies(2)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("only_the_first_tile", misconception="first_tile_only", says="first tile")
@cuda.jit(launch_bounds=(128, 2))
def matmul_int8(a, b, c):
    tile_a = cuda.shared.array(INT8_TILES, int8, alignment=128)
    tile_b = cuda.shared.array(INT8_TILES, int8, alignment=128)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row0, col0 = 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 16 * (lane // 16)  # what this lane names in an ldmatrix of a
    row_b, k_b = col_w + lane % 8 + 8 * (lane // 16), 16 * (lane // 8 % 2)  # and of b
    for stage in range(2):
        copy_bytes(tile_a, INT8_TILE * stage, a, row0, 64 * stage)
        copy_bytes(tile_b, INT8_TILE * stage, b, col0, 64 * stage)
        commit_copies()
    now, free = 0, 2 * INT8_TILE
    k0 = 0
    while k0 < 64:
        wait_copies(1)  # this tile is there, the next may be under way
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_bytes(tile_a, free, a, row0, k0 + 128)
        copy_bytes(tile_b, free, b, col0, k0 + 128)
        commit_copies()
        k = 0
        while k < 64:
            y0 = ldmatrix(tile_b, now + place(row_b, k + k_b))
            y1 = ldmatrix(tile_b, now + place(row_b + 16, k + k_b))
            y2 = ldmatrix(tile_b, now + place(row_b + 32, k + k_b))
            y3 = ldmatrix(tile_b, now + place(row_b + 48, k + k_b))
            acc = (
                mma_int8_row(acc[0], ldmatrix(tile_a, now + place(row_a, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[1], ldmatrix(tile_a, now + place(row_a + 16, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[2], ldmatrix(tile_a, now + place(row_a + 32, k + k_a)), y0, y1, y2, y3),
                mma_int8_row(acc[3], ldmatrix(tile_a, now + place(row_a + 48, k + k_a)), y0, y1, y2, y3),
            )
            k += 32
        free = now
        now = now + INT8_TILE if now < 2 * INT8_TILE else 0
        k0 += 64
    row, col = row0 + row_w + lane // 4, col0 + col_w + 2 * (lane % 4)
    put_fragments(c, row, col, acc[0])
    put_fragments(c, row + 16, col, acc[1])
    put_fragments(c, row + 32, col, acc[2])
    put_fragments(c, row + 48, col, acc[3])


@wrong("products_in_a_byte", misconception="narrow_type", says="every product was kept in an int8")
@cuda.jit
def matmul_int8(a, b, c):
    col = cuda.blockIdx.x * 128 + cuda.threadIdx.x
    for row in range(cuda.blockIdx.y * 128, min(c.shape[0], cuda.blockIdx.y * 128 + 128)):
        if col < c.shape[1]:
            acc = int32(0)
            for k in range(a.shape[1]):
                acc += int8(a[row, k] * b[col, k])
            c[row, col] = acc
