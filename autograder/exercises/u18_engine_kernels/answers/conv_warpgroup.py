"""Answers to engine_kernels.conv_warpgroup."""

from numba import cuda, float32, int8, int32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import (
    commit_copies,
    copy16_async,
    ldmatrix_transposed,
    load16,
    store16,
    wait_copies,
)
from autograder.notebook.warpgroups import (
    show_tiles,
    stmatrix_transposed,
    wait_products,
    warpgroup_mma_int8,
    zero_sums_int8,
)

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
def in_pairs(channel):
    """The row of 64 where a channel's weights go, so that a lane's rows r and r + 8 are neighbouring channels."""
    return channel // 16 * 16 + channel % 16 // 2 + channel % 2 * 8


@cuda.jit(device=True, forceinline=True)
def copy_stage(tiles, stage, src, weights, block, first, pitch, channel, row_w):
    """`copy_block` for 128 threads: row_w is the row of 64 where weights of `channel` go, of every tap."""
    half, row, z = cuda.threadIdx.x % 2, cuda.threadIdx.x // 2, uint32(0)
    if block < src.shape[0]:
        to, cell = int32(32 * stage + place(row, half)), int32(first + row)
        end, n_cells = int32(first + 256 + 2 * pitch + 2), uint32(src.shape[1])
        while cell < end:
            if uint32(cell) < n_cells:  # below 0 is very large
                copy16_async(tiles, to, src, (block, cell, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
            to += int32(64 * 32)
            cell += int32(64)
        to = int32(32 * (stage + rows_of_run(pitch)) + place(row_w, half))
        for tap in range(9):
            if channel < weights.shape[2]:
                copy16_async(tiles, to + 2048 * tap, weights, (block, tap, channel, 16 * half))
            else:
                store16(tiles, to + 2048 * tap, (z, z, z, z))
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def two_channels(s, m, a, r, numbers):
    """Two channels of two neighbouring cells as a word. s: four sums; r: the same of the residual."""
    return steps_of_four((s[0], s[2]), (s[1], s[3]), 0, m, a, r, numbers)


@cuda.jit(device=True, forceinline=True)
def turn(tiles, at, s, m, a, numbers):
    """16 sums of a lane as steps: a warp's 16 channels of 32 cells, each cell's side by side. They replace the
    residual, whose row of this lane is at `at`."""
    r = (uint32(0), uint32(0), uint32(0), uint32(0))
    if numbers[0] != float32(0):
        r = ldmatrix_transposed(tiles, at)
    w0, w1 = two_channels(s[:4], m, a, r[0], numbers), two_channels(s[4:8], m, a, r[1], numbers)
    w2, w3 = two_channels(s[8:12], m, a, r[2], numbers), two_channels(s[12:], m, a, r[3], numbers)
    stmatrix_transposed(tiles, at, (w0, w1, w2, w3))


@cuda.jit(device=True, forceinline=True)
def put_tile(dst, tiles, slot, cell0, out0, pitch, height):
    """256 cells of 64 channels from shared memory, 16 at a time; zeros in zero cells. Row and column of a thread's
    first cell take the only divisions: from there on they are followed, 64 cells at a time."""
    half, z, one = cuda.threadIdx.x % 2, uint32(0), uint32(1)
    cell = uint32(cell0 + cuda.threadIdx.x // 2)
    col, row = cell % uint32(pitch), cell // uint32(pitch) % uint32(height)
    for r in range(cuda.threadIdx.x // 2, 256, 64):
        for part in range(2):
            out = out0 + 32 * part + 16 * half
            if cell < uint32(dst.shape[1]) and out < 32 * dst.shape[0]:
                words = load16(tiles, slot + place(r + 256 * part, half))
                if col == z or row == z:
                    words = (z, z, z, z)
                store16(dst, (out // 32, cell, out % 32), words)
        cell += uint32(64)
        col += uint32(64)
        while col >= uint32(pitch):
            col -= uint32(pitch)
            row = row + one if row + one < uint32(height) else z


@cuda.jit(device=True, forceinline=True)
def finish_turned(tiles, slot, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst):
    """The rest of the layer for 256 cells of 64 channels, through 512 rows of shared memory from byte `slot` on."""
    t, z = cuda.threadIdx.x, float32(0)
    half, warp, lane = t % 2, t // 32, t % 32
    channel = out0 + 16 * warp + lane // 4 * 2
    m = a = (z, z, z, z)
    if channel < multiplier.size:
        m = (multiplier[channel], multiplier[channel + 1], multiplier[channel], multiplier[channel + 1])
        a = (addend[channel], addend[channel + 1], addend[channel], addend[channel + 1])
    if numbers[0] != z:
        for row in range(t // 2, 512, 64):
            out = out0 + row // 256 * 32 + 16 * half
            store16(tiles, slot + place(row, half), residual_at(residual, cell0 + row % 256, out, numbers[0]))
        cuda.syncthreads()  # every lane's residual is there
    at = slot + place(warp // 2 * 256 + lane, warp % 2)
    turn(tiles, at, sums[:16], m, a, numbers)
    turn(tiles, at + 1024, sums[16:32], m, a, numbers)
    turn(tiles, at + 2048, sums[32:48], m, a, numbers)
    turn(tiles, at + 3072, sums[48:64], m, a, numbers)
    turn(tiles, at + 4096, sums[64:80], m, a, numbers)
    turn(tiles, at + 5120, sums[80:96], m, a, numbers)
    turn(tiles, at + 6144, sums[96:112], m, a, numbers)
    turn(tiles, at + 7168, sums[112:], m, a, numbers)
    cuda.syncthreads()  # every lane's steps are there
    put_tile(dst, tiles, slot, cell0, out0, pitch, height)


@right("one_loop_over_taps")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for tap in range(9):
            begin = at + 32 * (tap // 3 * pitch + tap % 3)
            sums = warpgroup_mma_int8(tiles, at_w + 2048 * tap, begin, sums)
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@right("products_waited_for_first")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("two_rows_of_taps", misconception="tap_missing", says="the last row of taps")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(2):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("no_pitch", misconception="no_pitch", says="a pitch further on")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 96
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("same_weights", misconception="same_weights", says="weights of tap 0")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("tiles_not_shown", misconception="tile_not_shown", says="show_tiles")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("weights_as_they_are", misconception="no_order", says="in_pairs(row_w)")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, row_w)
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, row_w)
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("copies_never_waited_for", misconception="copy_not_waited", says="wait_copies")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("no_barrier", misconception="missing_barrier", says="syncthreads")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("products_not_waited_for", misconception="product_under_way", says="wait_products")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("sums_used_at_once", misconception="product_under_way", says="wait_products")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@wrong("copies_waited_for_at_once", misconception="waits_at_once", says="on its way")
@cuda.jit(launch_bounds=(128, 3))
def conv_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    tiles = cuda.shared.array(0, int8)
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    first, row_w = cell0 - pitch - 1, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    now, free = 0, rows_of_run(pitch) + WEIGHTS
    copy_stage(tiles, now, src, weights, 0, first, pitch, out0 + row_w, in_pairs(row_w))
    for block in range(src.shape[0]):
        wait_copies(0)  # this block of channels is there
        show_tiles()  # to the tensor cores as well
        sums = wait_products(sums, 0)  # of the block before: nobody reads its stage any more
        cuda.syncthreads()  # for everybody
        copy_stage(tiles, free, src, weights, block + 1, first, pitch, out0 + row_w, in_pairs(row_w))
        wait_copies(0)
        show_tiles()
        at, at_w = 32 * now, 32 * (now + rows_of_run(pitch))
        for _ in range(3):
            for col in range(3):
                sums = warpgroup_mma_int8(tiles, at_w, at + 32 * col, sums)
                at_w += 2048  # the weights of the next tap
            at += 32 * pitch
        now, free = free, now
    sums = wait_products(sums, 0)
    numbers = (residual_multiplier, low, high)  # `now` is the stage that nobody reads any more
    finish_turned(tiles, 32 * now, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)
