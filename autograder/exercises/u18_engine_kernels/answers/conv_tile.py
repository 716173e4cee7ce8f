"""Answers to engine_kernels.conv_tile."""

from numba import cuda, int8, int32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import ldmatrix, load16, mma_int8, store16

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
def fill(tiles, src, weights, block, first, out0, pitch):
    """Load the run of cells from `first` on, and the weights of 64 outputs; zeros where there is none."""
    half, row = cuda.threadIdx.x % 2, cuda.threadIdx.x // 2
    z = uint32(0)
    for r in range(row, 256 + 2 * pitch + 2, 128):
        x = (z, z, z, z)
        if 0 <= first + r < src.shape[1]:
            x = load16(src, (block, first + r, 16 * half))
        store16(tiles, place(r, half), x)
    for r in range(row, WEIGHTS, 128):
        x = (z, z, z, z)
        if out0 + r % 64 < weights.shape[2]:
            x = load16(weights, (block, r // 64, out0 + r % 64, 16 * half))
        store16(tiles, place(rows_of_run(pitch) + r, half), x)


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


@right("rows_of_taps_apart")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(9):
            down, along = tap // 3, tap % 3
            at = row_a + down * pitch + along
            at_b = row_b + 192 * down + 64 * along
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@right("taps_from_the_last")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(8, -1, -1):
            at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@right("cells_first")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(9):
            at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
            x0, x1 = ldmatrix(tiles, place(at, half_a)), ldmatrix(tiles, place(at + 16, half_a))
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], x0, y0, y1, y2, y3),
                mma_row(acc[1], x1, y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("eight_taps", misconception="tap_missing", says="the last tap")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(8):
            at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("taps_exchanged", misconception="taps_exchanged", says="rows and columns of taps")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(9):
            at, at_b = row_a + tap % 3 * pitch + tap // 3, row_b + 64 * tap
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("filter_turned", misconception="filter_turned", says="opposite")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(9):
            at, at_b = row_a + (8 - tap) // 3 * pitch + (8 - tap) % 3, row_b + 64 * tap
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("same_weights", misconception="same_weights", says="weights of tap 0")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(9):
            at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("run_from_the_first_cell", misconception="run_shifted", says="cell0 - pitch - 1")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(9):
            at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        for tap in range(9):
            at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
        cuda.syncthreads()  # nobody reads them any more
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])


@wrong("one_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def conv_tile(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)  # rows of 32 bytes: what the launch gives
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    row_a, half_a = 32 * warp + lane % 16, lane // 16  # what this lane names in an ldmatrix of cells
    row_b, half_b = rows_of_run(pitch) + lane % 8 + lane // 16 * 8, lane // 8 % 2  # and of weights
    for block in range(src.shape[0]):
        fill(tiles, src, weights, block, cell0 - pitch - 1, out0, pitch)
        cuda.syncthreads()  # the run and the weights are there
        for tap in range(9):
            at, at_b = row_a + tap // 3 * pitch + tap % 3, row_b + 64 * tap
            y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
            y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
            acc = (
                mma_row(acc[0], ldmatrix(tiles, place(at, half_a)), y0, y1, y2, y3),
                mma_row(acc[1], ldmatrix(tiles, place(at + 16, half_a)), y0, y1, y2, y3),
            )
    cell, out = cell0 + 32 * warp + lane // 4, out0 + 2 * (lane % 4)
    put_row(sums, cell, out, acc[0])
    put_row(sums, cell + 16, out, acc[1])
