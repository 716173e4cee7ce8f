"""Answers to engine_kernels.conv_split."""

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
def add(dst, row, col, x):
    """dst[row, col] += x, where there is such an element; no other block's addition is lost."""
    if row < dst.shape[0] and col < dst.shape[1]:
        cuda.atomic.add(dst, (row, col), x)


@cuda.jit(device=True, forceinline=True)
def add_fragment(dst, row, col, x):
    """One lane's four sums: dst[row, col], dst[row, col + 1], and the same eight rows further down."""
    add(dst, row, col, x[0])
    add(dst, row, col + 1, x[1])
    add(dst, row + 8, col, x[2])
    add(dst, row + 8, col + 1, x[3])


@cuda.jit(device=True, forceinline=True)
def add_row(dst, row, col, x):
    """One lane's part of 16 cells of 64 channels."""
    add_fragment(dst, row, col, x[0])
    add_fragment(dst, row, col + 8, x[1])
    add_fragment(dst, row, col + 16, x[2])
    add_fragment(dst, row, col + 24, x[3])
    add_fragment(dst, row, col + 32, x[4])
    add_fragment(dst, row, col + 40, x[5])
    add_fragment(dst, row, col + 48, x[6])
    add_fragment(dst, row, col + 56, x[7])


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


@right("shares_in_a_row")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    share, shares = cuda.blockIdx.z, cuda.gridDim.z
    begin, end = share * src.shape[0] // shares, (share + 1) * src.shape[0] // shares
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@right("only_who_has_a_share_adds")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    share, shares = cuda.blockIdx.z, cuda.gridDim.z
    begin, end = share * src.shape[0] // shares, (share + 1) * src.shape[0] // shares
    if begin == end:
        return
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@right("rounded_up")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    each = (src.shape[0] + cuda.gridDim.z - 1) // cuda.gridDim.z
    begin = each * cuda.blockIdx.z
    end = min(begin + each, src.shape[0])
    copy_block(tiles, now, src, weights, begin, first, pitch, out0 + row_w, row_w)
    block = begin
    while block < end:
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        following = block + 1
        if following == end:
            following = src.shape[0]  # the share is at its end: an empty group
        copy_block(tiles, free, src, weights, following, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
        block = block + 1
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@wrong("everybody_adds_everything", misconception="whole_sum_each", says="gridDim.z times as large")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
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
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@wrong("rounded_down", misconception="remainder_missing", says="left over")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    each = src.shape[0] // cuda.gridDim.z
    begin, end = each * cuda.blockIdx.z, each * (cuda.blockIdx.z + 1)
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@wrong("ends_taken_twice", misconception="shares_overlap", says="overlap")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    share, shares = cuda.blockIdx.z, cuda.gridDim.z
    begin, end = share * src.shape[0] // shares, min((share + 1) * src.shape[0] // shares + 1, src.shape[0])
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@wrong("one_block_does_its_share", misconception="one_share_alone", says="only the first share")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    share, shares = cuda.blockIdx.z, cuda.gridDim.z
    begin, end = share * src.shape[0] // shares, (share + 1) * src.shape[0] // shares
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    if share > 0:
        return
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    share, shares = cuda.blockIdx.z, cuda.gridDim.z
    begin, end = share * src.shape[0] // shares, (share + 1) * src.shape[0] // shares
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        wait_copies(0)  # this block of channels is there
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@wrong("not_waited", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    share, shares = cuda.blockIdx.z, cuda.gridDim.z
    begin, end = share * src.shape[0] // shares, (share + 1) * src.shape[0] // shares
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@wrong("copies_when_needed", misconception="waits_at_once", says="async copies ahead")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    share, shares = cuda.blockIdx.z, cuda.gridDim.z
    begin, end = share * src.shape[0] // shares, (share + 1) * src.shape[0] // shares
    mine, factors = src[begin:end], weights[begin:end]
    for block in range(end - begin):
        copy_block(tiles, now, mine, factors, block, first, pitch, out0 + row_w, row_w)
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@cuda.jit(device=True, forceinline=True)
def add_plainly(dst, row, col, x):
    for i in range(8):
        for j in range(4):
            r, c = row + 8 * (j // 2), col + 8 * i + j % 2
            if r < dst.shape[0] and c < dst.shape[1]:
                dst[r, c] += x[i][j]


@wrong("no_atomic", misconception="lost_update", says="without an atomic")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    share, shares = cuda.blockIdx.z, cuda.gridDim.z
    begin, end = share * src.shape[0] // shares, (share + 1) * src.shape[0] // shares
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_plainly(sums, cell, out, acc[0])
    add_plainly(sums, cell + 16, out, acc[1])


@wrong("one_block_for_all", misconception="few_threads", says="does the work of")
@cuda.jit(launch_bounds=(256, 2))
def conv_split(src, weights, pitch, sums):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    if cuda.blockIdx.z > 0:
        return
    begin, end = 0, src.shape[0]
    mine, factors = src[begin:end], weights[begin:end]
    copy_block(tiles, now, mine, factors, 0, first, pitch, out0 + row_w, row_w)
    for block in range(end - begin):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, mine, factors, block + 1, first, pitch, out0 + row_w, row_w)
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])
