"""Answers to engine_kernels.conv_layer."""

from numba import cuda, float32, int8, int32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import commit_copies, copy16_async, ldmatrix, load16, mma_int8, store16, wait_copies

LOW, HIGH, WHOLE, WEIGHTS = float32(-128), float32(127), float32(12582912), 9 * 64


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


@cuda.jit(device=True, forceinline=True)
def order(channel):
    """The row of 64 where a channel's weights go, so that each lane gets 16 neighbouring channels."""
    return 8 * (channel % 16 // 2) + 2 * (channel // 16) + channel % 2


@cuda.jit(device=True, forceinline=True)
def byte(v):
    """v rounded to a whole number, half to even, as a byte. v: float32 from -128 to 127."""
    return uint32(cuda.libdevice.float_as_int(v + WHOLE)) & uint32(255)


@cuda.jit(device=True, forceinline=True)
def residual_at(residual, cell, out, residual_multiplier):
    """16 steps of a cell from channel `out` on, as four words; zeros where there is none, or nothing is added."""
    z = uint32(0)
    if residual_multiplier == float32(0) or cell >= residual.shape[1] or out >= 32 * residual.shape[0]:
        return z, z, z, z
    return load16(residual, (out // 32, cell, out % 32))


@cuda.jit(device=True, forceinline=True)
def put_cell(dst, cell, out, pitch, height, words):
    """16 steps of a cell from channel `out` on; in a zero cell, zeros."""
    if cell < dst.shape[1] and out < 32 * dst.shape[0]:
        row = uint32(cell) // uint32(pitch)
        z = uint32(0)
        if uint32(cell) == row * uint32(pitch) or row % uint32(height) == z:
            words = (z, z, z, z)
        store16(dst, (out // 32, cell, out % 32), words)


@cuda.jit(device=True, forceinline=True)
def steps_of_four(x0, x1, i, m, a, residual, numbers):
    """Four channels of a cell as a word of steps. x0, x1: fragments; m, a: four float32; residual: a word."""
    residual_multiplier, low, high = numbers
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels(upper, lower, out, multiplier, addend, r, numbers):
    """Channels out to out + 3 of four cells, a word for each. upper, lower: two fragments each; r: a word per cell."""
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish(dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers):
    """The epilogue of a lane: 16 channels of cells cell, cell + 8, cell + apart and cell + apart + 8."""
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels(upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers)
    c1 = four_channels(upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers)
    c2 = four_channels(upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers)
    c3 = four_channels(upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers)
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@cuda.jit(device=True, forceinline=True)
def steps_of_four_limits_where_they_are_used(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0, b1 = byte(min(max(min(max(v0, low), high), LOW), HIGH)), byte(min(max(min(max(v1, low), high), LOW), HIGH))
    b2, b3 = byte(min(max(min(max(v2, low), high), LOW), HIGH)), byte(min(max(min(max(v3, low), high), LOW), HIGH))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_limits_where_they_are_used(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_limits_where_they_are_used(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_limits_where_they_are_used(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_limits_where_they_are_used(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_limits_where_they_are_used(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_limits_where_they_are_used(
    dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers
):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_limits_where_they_are_used(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_limits_where_they_are_used(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_limits_where_they_are_used(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_limits_where_they_are_used(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@right("limits_where_they_are_used")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_limits_where_they_are_used(
        dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers
    )


@cuda.jit(device=True, forceinline=True)
def steps_of_four_rounded_by_round(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0 = uint32(int32(round(min(max(v0, low), high))) & 255)
    b1 = uint32(int32(round(min(max(v1, low), high))) & 255)
    b2 = uint32(int32(round(min(max(v2, low), high))) & 255)
    b3 = uint32(int32(round(min(max(v3, low), high))) & 255)
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_rounded_by_round(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_rounded_by_round(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_rounded_by_round(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_rounded_by_round(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_rounded_by_round(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_rounded_by_round(dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_rounded_by_round(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_rounded_by_round(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_rounded_by_round(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_rounded_by_round(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@right("rounded_by_round")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_rounded_by_round(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


@cuda.jit(device=True, forceinline=True)
def steps_of_four_residual_always_added(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if True:
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_residual_always_added(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_residual_always_added(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_residual_always_added(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_residual_always_added(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_residual_always_added(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_residual_always_added(
    dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers
):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_residual_always_added(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_residual_always_added(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_residual_always_added(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_residual_always_added(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@right("residual_always_added")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_residual_always_added(
        dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers
    )


@cuda.jit(device=True, forceinline=True)
def steps_of_four_sum_rounded_first(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    v0, v1 = min(max(v0, LOW), HIGH) + WHOLE - WHOLE, min(max(v1, LOW), HIGH) + WHOLE - WHOLE
    v2, v3 = min(max(v2, LOW), HIGH) + WHOLE - WHOLE, min(max(v3, LOW), HIGH) + WHOLE - WHOLE
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_sum_rounded_first(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_sum_rounded_first(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_sum_rounded_first(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_sum_rounded_first(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_sum_rounded_first(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_sum_rounded_first(dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_sum_rounded_first(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_sum_rounded_first(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_sum_rounded_first(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_sum_rounded_first(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@wrong("sum_rounded_first", misconception="rounded_twice", says="at the very end")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_sum_rounded_first(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


@cuda.jit(device=True, forceinline=True)
def steps_of_four_residual_without_sign(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if residual_multiplier != float32(0):
        v0 += float32(residual & uint32(255)) * residual_multiplier
        v1 += float32(residual >> 8 & uint32(255)) * residual_multiplier
        v2 += float32(residual >> 16 & uint32(255)) * residual_multiplier
        v3 += float32(residual >> 24 & uint32(255)) * residual_multiplier
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_residual_without_sign(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_residual_without_sign(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_residual_without_sign(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_residual_without_sign(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_residual_without_sign(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_residual_without_sign(
    dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers
):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_residual_without_sign(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_residual_without_sign(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_residual_without_sign(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_residual_without_sign(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@wrong("residual_without_sign", misconception="without_sign", says="int8()")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_residual_without_sign(
        dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers
    )


@cuda.jit(device=True, forceinline=True)
def steps_of_four_residual_unscaled(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual))
        v1 += float32(int8(residual >> 8))
        v2 += float32(int8(residual >> 16))
        v3 += float32(int8(residual >> 24))
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_residual_unscaled(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_residual_unscaled(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_residual_unscaled(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_residual_unscaled(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_residual_unscaled(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_residual_unscaled(dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_residual_unscaled(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_residual_unscaled(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_residual_unscaled(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_residual_unscaled(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@wrong("residual_unscaled", misconception="residual_unscaled", says="added as they are")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_residual_unscaled(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


@cuda.jit(device=True, forceinline=True)
def steps_of_four_not_cut_to_int8(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_not_cut_to_int8(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_not_cut_to_int8(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_not_cut_to_int8(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_not_cut_to_int8(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_not_cut_to_int8(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_not_cut_to_int8(dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_not_cut_to_int8(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_not_cut_to_int8(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_not_cut_to_int8(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_not_cut_to_int8(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@wrong("not_cut_to_int8", misconception="wraps_round", says="change their sign")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_not_cut_to_int8(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


@cuda.jit(device=True, forceinline=True)
def steps_of_four_one_channel_for_four(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[0] + a[0]
    v2, v3 = float32(x1[i]) * m[0] + a[0], float32(x1[i + 1]) * m[0] + a[0]
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b0 | b1 << uint32(8) | b2 << uint32(16) | b3 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_one_channel_for_four(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_one_channel_for_four(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_one_channel_for_four(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_one_channel_for_four(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_one_channel_for_four(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_one_channel_for_four(
    dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers
):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_one_channel_for_four(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_one_channel_for_four(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_one_channel_for_four(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_one_channel_for_four(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@wrong("one_channel_for_four", misconception="one_channel_for_four", says="constants of the first")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_one_channel_for_four(
        dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers
    )


@cuda.jit(device=True, forceinline=True)
def steps_of_four_bytes_turned(x0, x1, i, m, a, residual, numbers):
    residual_multiplier, low, high = numbers
    low, high = max(low, LOW), min(high, HIGH)
    v0, v1 = float32(x0[i]) * m[0] + a[0], float32(x0[i + 1]) * m[1] + a[1]
    v2, v3 = float32(x1[i]) * m[2] + a[2], float32(x1[i + 1]) * m[3] + a[3]
    if residual_multiplier != float32(0):
        v0 += float32(int8(residual)) * residual_multiplier
        v1 += float32(int8(residual >> 8)) * residual_multiplier
        v2 += float32(int8(residual >> 16)) * residual_multiplier
        v3 += float32(int8(residual >> 24)) * residual_multiplier
    b0, b1 = byte(min(max(v0, low), high)), byte(min(max(v1, low), high))
    b2, b3 = byte(min(max(v2, low), high)), byte(min(max(v3, low), high))
    return b3 | b2 << uint32(8) | b1 << uint32(16) | b0 << uint32(24)  # rounded once, 1 byte each


@cuda.jit(device=True, forceinline=True)
def four_channels_bytes_turned(upper, lower, out, multiplier, addend, r, numbers):
    z = float32(0)
    m = a = (z, z, z, z)
    if out < multiplier.size:
        m, a = load16(multiplier, (out,)), load16(addend, (out,))
    return (
        steps_of_four_bytes_turned(upper[0], upper[1], 0, m, a, r[0], numbers),
        steps_of_four_bytes_turned(upper[0], upper[1], 2, m, a, r[1], numbers),
        steps_of_four_bytes_turned(lower[0], lower[1], 0, m, a, r[2], numbers),
        steps_of_four_bytes_turned(lower[0], lower[1], 2, m, a, r[3], numbers),
    )


@cuda.jit(device=True, forceinline=True)
def finish_bytes_turned(dst, cell, apart, out, upper, lower, pitch, height, multiplier, addend, residual, numbers):
    r0 = residual_at(residual, cell, out, numbers[0])
    r1 = residual_at(residual, cell + 8, out, numbers[0])
    r2 = residual_at(residual, cell + apart, out, numbers[0])
    r3 = residual_at(residual, cell + apart + 8, out, numbers[0])
    c0 = four_channels_bytes_turned(
        upper[:2], lower[:2], out, multiplier, addend, (r0[0], r1[0], r2[0], r3[0]), numbers
    )
    c1 = four_channels_bytes_turned(
        upper[2:4], lower[2:4], out + 4, multiplier, addend, (r0[1], r1[1], r2[1], r3[1]), numbers
    )
    c2 = four_channels_bytes_turned(
        upper[4:6], lower[4:6], out + 8, multiplier, addend, (r0[2], r1[2], r2[2], r3[2]), numbers
    )
    c3 = four_channels_bytes_turned(
        upper[6:], lower[6:], out + 12, multiplier, addend, (r0[3], r1[3], r2[3], r3[3]), numbers
    )
    put_cell(dst, cell, out, pitch, height, (c0[0], c1[0], c2[0], c3[0]))
    put_cell(dst, cell + 8, out, pitch, height, (c0[1], c1[1], c2[1], c3[1]))
    put_cell(dst, cell + apart, out, pitch, height, (c0[2], c1[2], c2[2], c3[2]))
    put_cell(dst, cell + apart + 8, out, pitch, height, (c0[3], c1[3], c2[3], c3[3]))


@wrong("bytes_turned", misconception="bytes_turned", says="opposite order")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish_bytes_turned(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


@wrong("weights_as_they_are", misconception="no_order", says="order(row_w)")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
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
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


@wrong("not_waited", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_block(tiles, now, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        copy_block(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, order(row_w))
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)


@wrong("copies_when_needed", misconception="waits_at_once", says="async copies ahead")
@cuda.jit(launch_bounds=(256, 2))
def conv_layer(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
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
        copy_block(tiles, now, src, weights, block, first, pitch, out0 + row_w, order(row_w))
        wait_copies(0)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the other stage any more
        acc = add_taps(acc, tiles, now, pitch)
        now, free = free, now
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 16 * (t % 4)
    numbers = (residual_multiplier, low, high)
    finish(dst, cell, 16, out, acc[0], acc[1], pitch, height, multiplier, addend, residual, numbers)
