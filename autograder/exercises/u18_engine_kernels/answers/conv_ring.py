"""Answers to engine_kernels.conv_ring."""

from numba import cuda, int8, int32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import commit_copies, copy16_async, ldmatrix, mma_int8, store16, wait_copies

WEIGHTS = 9 * 64


@cuda.jit(device=True, forceinline=True)
def place(row, half):
    """Where half a row of shared memory lies: in rows 4 to 7 of every eight, the halves have changed places."""
    return 32 * row + 16 * (half ^ (row // 4 % 2))


@cuda.jit(device=True, forceinline=True)
def rows_of_run(pitch):
    """Rows of shared memory for 256 cells and what their taps reach: a multiple of 8. The weights begin there."""
    return (256 + 2 * pitch + 2 + 7) // 8 * 8


@cuda.jit(device=True, forceinline=True)
def mma_row(acc, a, y0, y1, y2, y3):
    """16 cells of 64 channels: eight fragments of sums, from one of cells and four pairs of weights."""
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


@cuda.jit(device=True, forceinline=True)
def put(dst, row, col, x):
    """dst[row, col] = x, where there is such an element."""
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = x


@cuda.jit(device=True, forceinline=True)
def put_fragment(dst, row, col, x):
    """One lane's four sums: dst[row, col], dst[row, col + 1], and the same eight rows further down."""
    put(dst, row, col, x[0])
    put(dst, row, col + 1, x[1])
    put(dst, row + 8, col, x[2])
    put(dst, row + 8, col + 1, x[3])


@cuda.jit(device=True, forceinline=True)
def put_row(dst, row, col, x):
    """One lane's part of 16 cells of 64 channels."""
    put_fragment(dst, row, col, x[0])
    put_fragment(dst, row, col + 8, x[1])
    put_fragment(dst, row, col + 16, x[2])
    put_fragment(dst, row, col + 24, x[3])
    put_fragment(dst, row, col + 32, x[4])
    put_fragment(dst, row, col + 40, x[5])
    put_fragment(dst, row, col + 48, x[6])
    put_fragment(dst, row, col + 56, x[7])


@cuda.jit(device=True, forceinline=True)
def copy_block(tiles, stage, src, weights, block, first, pitch, channel, row_w):
    """Begin to copy the run from `first` on and the weights of one block of channels; close the group."""
    half, row, z = cuda.threadIdx.x % 2, cuda.threadIdx.x // 2, uint32(0)
    if block < src.shape[0]:
        to, cell = 32 * stage + place(row, half), first + row
        for _ in range(row, 256 + 2 * pitch + 2, 128):
            if 0 <= cell < src.shape[1]:
                copy16_async(tiles, to, src, (block, cell, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
            to += 128 * 32
            cell += 128
        to = 32 * (stage + rows_of_run(pitch) + row // 64 * 64) + place(row_w, half)
        for tap in range(row // 64, 9, 2):
            if channel < weights.shape[2]:
                copy16_async(tiles, to, weights, (block, tap, channel, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
            to += 128 * 32
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def add_taps(acc, tiles, stage, pitch):
    """The products of one stage: nine taps, 32 cells of 64 channels per warp."""
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    row_a, half_a = stage + 32 * warp + lane % 16, lane // 16
    row_b, half_b = stage + rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2
    for tap in range(9):
        at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
        y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
        y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
        acc = (
            mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
            mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
        )
    return acc


@right("stage_by_number")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    n_rows = rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, n_rows * ((block + 1) % 2), src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, n_rows * (block % 2), pitch)
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@right("while_for_the_blocks")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    block = 0
    while block < src.shape[0]:
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
        block += 1
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@right("barrier_at_both_ends")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        cuda.syncthreads()
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("not_waited", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("copies_when_needed", misconception="waits_at_once", says="async copies ahead")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    for block in range(src.shape[0]):
        copy_block(tiles, now, src, weights, block, first, pitch, out0 + row_w, row_w)
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("first_block_again", misconception="first_block_twice", says="the first block of channels")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("run_from_the_first_cell", misconception="run_shifted", says="cell0 - pitch - 1")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("stages_overlap", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def conv_ring(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])
