"""What ResNet-50 needs on lines besides unit 18's convolutions: one tap, every second place, pools, the first window.

The convolutions of one tap are made of conv_warpgroup's parts, and of conv_split's; the others move bytes.
"""

from __future__ import annotations

from numba import cuda, float32, int8, int32, uint32

from autograder.notebook.intrinsics import commit_copies, copy16_async, ldmatrix, load16, store16, wait_copies
from autograder.notebook.warpgroups import show_tiles, wait_products, warpgroup_mma_int8, zero_sums_int8
from benchmarks.capstone.course import part_of

WARPGROUP = "engine_kernels.conv_warpgroup"
place, finish_turned = part_of(WARPGROUP, "place"), part_of(WARPGROUP, "finish_turned")
in_pairs, word = part_of(WARPGROUP, "in_pairs"), part_of("engine_kernels.pack_int8", "word")
STAGE = 256 + 64  # rows: 256 cells, and the weights of 64 outputs
RING = 4  # stages
SPLIT = "engine_kernels.conv_split"
mma_row, add_row = part_of(SPLIT, "mma_row"), part_of(SPLIT, "add_row")
LAST = (RING - 1) * STAGE
AHEAD = RING - 2
POINT_BYTES = 32 * RING * STAGE
FIRST_TAPS, FIRST_CHANNELS = 7, 3  # of the first window, whose rows and columns become channels
FIRST_DEEP = FIRST_TAPS * FIRST_TAPS * FIRST_CHANNELS
FIRST_REACH = FIRST_TAPS // 2


@cuda.jit(device=True, forceinline=True)
def copy_point(tiles, stage, src, weights, block, cell0, channel, row_w):
    """Begin to copy 256 cells and 64 rows of weights of one block of channels; close the group."""
    half, row, z = cuda.threadIdx.x % 2, cuda.threadIdx.x // 2, uint32(0)
    if block < src.shape[0]:
        to, cell = int32(32 * stage + place(row, half)), int32(cell0 + row)
        for _ in range(4):
            if cell < src.shape[1]:
                copy16_async(tiles, to, src, (block, cell, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
            to += int32(64 * 32)
            cell += int32(64)
        to = int32(32 * (stage + 256) + place(row_w, half))
        if channel < weights.shape[2]:
            copy16_async(tiles, to, weights, (block, 0, channel, 16 * half))
        else:
            store16(tiles, to, (z, z, z, z))
    commit_copies()


@cuda.jit(launch_bounds=(128, 3))
def point_warpgroup(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    """conv_warpgroup with one tap: weights are (n_blocks, 1, n_out, 32). x counts 64 outputs, y 256 cells."""
    tiles = cuda.shared.array(0, int8)
    cell0, out0, row_w = 256 * cuda.blockIdx.y, 64 * cuda.blockIdx.x, cuda.threadIdx.x // 2
    sums = zero_sums_int8()
    for ahead in range(RING - 1):
        copy_point(tiles, ahead * STAGE, src, weights, ahead, cell0, out0 + row_w, in_pairs(row_w))
    now, free = 0, LAST
    for block in range(src.shape[0]):
        wait_copies(AHEAD)  # this block of channels is there
        show_tiles()
        sums = wait_products(sums, 0)
        cuda.syncthreads()  # for everybody, and nobody reads the stage before it any more
        copy_point(tiles, free, src, weights, block + RING - 1, cell0, out0 + row_w, in_pairs(row_w))
        sums = warpgroup_mma_int8(tiles, 32 * (now + 256), 32 * now, sums)
        free = now
        now = now + STAGE if now < LAST else 0
    sums = wait_products(sums, 0)
    cuda.syncthreads()  # no warp reads a stage any more
    numbers = (residual_multiplier, low, high)
    finish_turned(tiles, 0, sums, cell0, out0, pitch, height, multiplier, addend, residual, numbers, dst)


@cuda.jit(device=True, forceinline=True)
def copy_share(tiles, stage, src, weights, block, cell0, channel):
    """Begin to copy the same by 256 threads; close the group."""
    half, row, z = cuda.threadIdx.x % 2, cuda.threadIdx.x // 2, uint32(0)
    if block < src.shape[0]:
        for more in range(0, 256, 128):
            to = int32(32 * stage + place(row + more, half))
            if cell0 + row + more < src.shape[1]:
                copy16_async(tiles, to, src, (block, cell0 + row + more, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
        if row < 64:
            to = int32(32 * (stage + 256) + place(row, half))
            if channel < weights.shape[2]:
                copy16_async(tiles, to, weights, (block, 0, channel, 16 * half))
            else:
                store16(tiles, to, (z, z, z, z))
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def add_point(acc, tiles, stage):
    """The products of one stage: one tap, 32 cells of 64 channels per warp."""
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    at, half = stage + 32 * warp + lane % 16, lane // 16
    at_b, half_b = stage + 256 + lane % 8 + lane // 16 * 8, lane // 8 % 2
    y0, y1 = ldmatrix(tiles, place(at_b, half_b)), ldmatrix(tiles, place(at_b + 16, half_b))
    y2, y3 = ldmatrix(tiles, place(at_b + 32, half_b)), ldmatrix(tiles, place(at_b + 48, half_b))
    return (
        mma_row(acc[0], ldmatrix(tiles, place(at, half)), y0, y1, y2, y3),
        mma_row(acc[1], ldmatrix(tiles, place(at + 16, half)), y0, y1, y2, y3),
    )


@cuda.jit(launch_bounds=(256, 2))
def point_split(src, weights, sums):
    """conv_split with one tap: the sums, added up by gridDim.z blocks per tile. weights: (n_blocks, 1, n_out, 32);
    sums: (n_cells, n_out) int32, 0 before."""
    tiles = cuda.shared.array(0, int8)
    z = int32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row)
    t, share, shares = cuda.threadIdx.x, cuda.blockIdx.z, cuda.gridDim.z
    cell0, out0 = 256 * cuda.blockIdx.x, 64 * cuda.blockIdx.y
    for ahead in range(RING - 1):
        copy_share(tiles, ahead * STAGE, src, weights, share + ahead * shares, cell0, out0 + t // 2)
    now, free = 0, LAST
    for block in range(share, src.shape[0], shares):
        wait_copies(AHEAD)  # this block of channels is there
        cuda.syncthreads()  # for everybody, and nobody multiplies the stage before it any more
        copy_share(tiles, free, src, weights, block + (RING - 1) * shares, cell0, out0 + t // 2)
        acc = add_point(acc, tiles, now)
        free = now
        now = now + STAGE if now < LAST else 0
    cell, out = cell0 + t // 32 * 32 + t % 32 // 4, out0 + 2 * (t % 4)
    add_row(sums, cell, out, acc[0])
    add_row(sums, cell + 16, out, acc[1])


@cuda.jit
def clear(sums):
    """sums = 0, before shares are added. sums: (n_cells, n_out) int32."""
    col, row = cuda.grid(2)
    if row < sums.shape[0] and col < sums.shape[1]:
        sums[row, col] = 0


@cuda.jit
def finish_sums(sums, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    """The rest of a layer, once all shares are added: x of the grid counts channels, y cells."""
    out, cell = cuda.grid(2)
    if cell < dst.shape[1] and out < 32 * dst.shape[0]:
        v = float32(0)
        if out < sums.shape[1] and cell % pitch != 0 and cell // pitch % height != 0:
            v = float32(sums[cell, out]) * multiplier[out] + addend[out]
            if residual_multiplier != float32(0):
                v += float32(residual[out // 32, cell, out % 32]) * residual_multiplier
            v = min(max(v, low), high)
        dst[out // 32, cell, out % 32] = int8(round(min(max(v, float32(-128)), float32(127))))


@cuda.jit(device=True, forceinline=True)
def pixel_of(cell, pitch, height):
    """(image, row, column) of a cell; row or column -1 for a zero cell."""
    row = cell // pitch
    return row // height, row % height - 1, cell % pitch - 1


@cuda.jit
def every_second(src, pitch, height, n_images, dst, dst_pitch, dst_height):
    """Rows and columns 0, 2, 4, ... of a line as a line: x of the grid counts cells of dst, y halves of 32 channels."""
    cell, half = cuda.grid(2)
    if cell < dst.shape[1]:
        image, row, col = pixel_of(cell, dst_pitch, dst_height)
        z = uint32(0)
        words = (z, z, z, z)
        if image < n_images and row >= 0 and col >= 0:
            at = (image * height + 1 + 2 * row) * pitch + 1 + 2 * col
            words = load16(src, (half // 2, at, 16 * (half % 2)))
        store16(dst, (half // 2, cell, 16 * (half % 2)), words)


@cuda.jit(device=True, forceinline=True)
def larger(a, b):
    """The larger of each of four steps in two words."""
    most = uint32(0)
    for k in range(4):
        most |= (uint32(max(int8(a >> uint32(8 * k)), int8(b >> uint32(8 * k)))) & uint32(255)) << uint32(8 * k)
    return most


@cuda.jit
def largest_of_nine(src, pitch, height, n_images, n_rows, n_cols, dst, dst_pitch, dst_height):
    """A max pool of 3 x 3 with a stride of 2 and one place of padding, from line to line, 16 channels a thread."""
    cell, half = cuda.grid(2)
    if cell < dst.shape[1]:
        image, row, col = pixel_of(cell, dst_pitch, dst_height)
        z, least = uint32(0), uint32(0x80808080)
        w0 = w1 = w2 = w3 = z
        if image < n_images and row >= 0 and col >= 0:
            w0 = w1 = w2 = w3 = least
            for a in range(max(2 * row - 1, 0), min(2 * row + 2, n_rows)):
                for b in range(max(2 * col - 1, 0), min(2 * col + 2, n_cols)):
                    at = (image * height + 1 + a) * pitch + 1 + b
                    x0, x1, x2, x3 = load16(src, (half // 2, at, 16 * (half % 2)))
                    w0, w1, w2, w3 = larger(w0, x0), larger(w1, x1), larger(w2, x2), larger(w3, x3)
        store16(dst, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))


@cuda.jit(device=True, forceinline=True)
def step_of_window(src, image, row, col, at):
    """Channel `at` of a window, 0 past its last one and past an edge: tap after tap, three channels each."""
    tap = at // FIRST_CHANNELS
    a, b = 2 * row + tap // FIRST_TAPS - FIRST_REACH, 2 * col + tap % FIRST_TAPS - FIRST_REACH
    if at < FIRST_DEEP and 0 <= a < src.shape[2] and 0 <= b < src.shape[3]:
        return int32(src[image, at % FIRST_CHANNELS, a, b])
    return int32(0)


@cuda.jit(device=True, forceinline=True)
def word_of_window(src, image, row, col, at):
    """Four of them."""
    return word(
        step_of_window(src, image, row, col, at),
        step_of_window(src, image, row, col, at + 1),
        step_of_window(src, image, row, col, at + 2),
        step_of_window(src, image, row, col, at + 3),
    )


@cuda.jit
def first_window(src, n_images, dst, dst_pitch, dst_height):
    """Each window of the first layer, 7 x 7 of 3 channels with a stride of 2, as the channels of one cell. src: int8,
    (images, 3, rows, columns); x of the grid counts cells, y halves of 32 channels."""
    cell, half = cuda.grid(2)
    if cell < dst.shape[1]:
        image, row, col = pixel_of(cell, dst_pitch, dst_height)
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_of_window(src, image, row, col, 16 * half)
            w1 = word_of_window(src, image, row, col, 16 * half + 4)
            w2 = word_of_window(src, image, row, col, 16 * half + 8)
            w3 = word_of_window(src, image, row, col, 16 * half + 12)
        store16(dst, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))


@cuda.jit
def average(src, pitch, height, n_rows, n_cols, multiplier, dst):
    """The average of a picture's places, in steps of dst: x of the grid counts channels, y images. dst: (images,
    channels)."""
    channel, image = cuda.grid(2)
    if channel < dst.shape[1]:
        total = int32(0)
        for row in range(n_rows):
            for col in range(n_cols):
                total += int32(src[channel // 32, (image * height + 1 + row) * pitch + 1 + col, channel % 32])
        v = float32(total) * multiplier
        dst[image, channel] = int8(round(min(max(v, float32(-128)), float32(127))))


@cuda.jit
def in_real_units(sums, multiplier, addend, dst):
    """sums of the last product as numbers: (rows, columns), with a multiplier and an addend per column."""
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[row, col] = float32(sums[row, col]) * multiplier[col] + addend[col]
