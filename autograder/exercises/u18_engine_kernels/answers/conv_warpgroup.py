"""Answers to engine_kernels.conv_warpgroup."""

from numba import cuda, float32, int8, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import commit_copies, copy16_async, load16, store16, wait_copies
from autograder.notebook.warpgroups import show_tiles, wait_products, warpgroup_mma_int8, zero_sums_int8

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
def fragments_of(s):
    """32 sums as eight fragments."""
    return s[:4], s[4:8], s[8:12], s[12:16], s[16:20], s[20:24], s[24:28], s[28:]


@right("one_loop_over_taps")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(1)  # this block of channels is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        cuda.syncthreads()  # for everybody
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for tap in range(9):
            begin = at + 32 * (tap // 3 * pitch + tap % 3)
            upper = warpgroup_mma_int8(tiles, begin, at_b + 2048 * tap, upper)
            lower = warpgroup_mma_int8(tiles, begin + 2048, at_b + 2048 * tap, lower)
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, order(row_w))
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)


@right("waits_for_all_copies")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        cuda.syncthreads()  # for everybody
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                upper = warpgroup_mma_int8(tiles, at + 32 * col, at_b, upper)
                lower = warpgroup_mma_int8(tiles, at + 32 * col + 2048, at_b, lower)
                at_b += 2048  # the weights of the next tap
            at += 32 * pitch
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, order(row_w))
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)


@wrong("two_rows_of_taps", misconception="tap_missing", says="the last row of taps")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(1)  # this block of channels is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        cuda.syncthreads()  # for everybody
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for _ in range(2):
            for col in range(3):
                upper = warpgroup_mma_int8(tiles, at + 32 * col, at_b, upper)
                lower = warpgroup_mma_int8(tiles, at + 32 * col + 2048, at_b, lower)
                at_b += 2048  # the weights of the next tap
            at += 32 * pitch
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, order(row_w))
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)


@wrong("no_pitch", misconception="no_pitch", says="a pitch further on")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(1)  # this block of channels is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        cuda.syncthreads()  # for everybody
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                upper = warpgroup_mma_int8(tiles, at + 32 * col, at_b, upper)
                lower = warpgroup_mma_int8(tiles, at + 32 * col + 2048, at_b, lower)
                at_b += 2048  # the weights of the next tap
            at += 96
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, order(row_w))
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)


@wrong("same_weights", misconception="same_weights", says="weights of tap 0")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(1)  # this block of channels is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        cuda.syncthreads()  # for everybody
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                upper = warpgroup_mma_int8(tiles, at + 32 * col, at_b, upper)
                lower = warpgroup_mma_int8(tiles, at + 32 * col + 2048, at_b, lower)
            at += 32 * pitch
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, order(row_w))
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)


@wrong("tiles_not_shown", misconception="tile_not_shown", says="show_tiles")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(1)  # this block of channels is there, the next may be under way
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        cuda.syncthreads()  # for everybody
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                upper = warpgroup_mma_int8(tiles, at + 32 * col, at_b, upper)
                lower = warpgroup_mma_int8(tiles, at + 32 * col + 2048, at_b, lower)
                at_b += 2048  # the weights of the next tap
            at += 32 * pitch
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, order(row_w))
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)


@wrong("weights_as_they_are", misconception="no_order", says="order(row_w)")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, row_w)
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(1)  # this block of channels is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        cuda.syncthreads()  # for everybody
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                upper = warpgroup_mma_int8(tiles, at + 32 * col, at_b, upper)
                lower = warpgroup_mma_int8(tiles, at + 32 * col + 2048, at_b, lower)
                at_b += 2048  # the weights of the next tap
            at += 32 * pitch
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, row_w)
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)


@wrong("copies_never_waited_for", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        show_tiles()  # to the tensor cores as well
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        cuda.syncthreads()  # for everybody
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                upper = warpgroup_mma_int8(tiles, at + 32 * col, at_b, upper)
                lower = warpgroup_mma_int8(tiles, at + 32 * col + 2048, at_b, lower)
                at_b += 2048  # the weights of the next tap
            at += 32 * pitch
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, order(row_w))
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(256, 2))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    t = cuda.threadIdx.x
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, t // 2 % 64
    upper, lower = zero_sums_int8(), zero_sums_int8()
    n_rows = rows_of_run(pitch) + WEIGHTS
    now, free = 0, 2 * n_rows
    copy_block(tiles, 0, src, weights, 0, first, pitch, out0 + row_w, order(row_w))
    copy_block(tiles, n_rows, src, weights, 1, first, pitch, out0 + row_w, order(row_w))
    for block in range(src.shape[0]):
        wait_copies(1)  # this block of channels is there, the next may be under way
        show_tiles()  # to the tensor cores as well
        upper, lower = wait_products(upper, 0), wait_products(lower, 0)  # those before: their stage is `free`
        at, at_b = 32 * (now + t // 128 * 128), 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                upper = warpgroup_mma_int8(tiles, at + 32 * col, at_b, upper)
                lower = warpgroup_mma_int8(tiles, at + 32 * col + 2048, at_b, lower)
                at_b += 2048  # the weights of the next tap
            at += 32 * pitch
        copy_block(tiles, free, src, weights, block + 2, first, pitch, out0 + row_w, order(row_w))
        free = now
        now = now + n_rows if now < 2 * n_rows else 0
    upper, lower = wait_products(upper, 0), wait_products(lower, 0)
    cell, out = cell0 + t // 128 * 128 + t // 32 % 4 * 16 + t % 32 // 4, out0 + 16 * (t % 4)
    up, down, numbers = fragments_of(upper), fragments_of(lower), (residual_multiplier, low, high)
    finish(dst, cell, 64, out, up, down, pitch, height, multiplier, addend, residual, numbers)
