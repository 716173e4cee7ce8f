"""Answers to engine_kernels.pack_int8."""

import math

from numba import cuda, float32, int8, int32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import store16

LOW, HIGH = float32(-128), float32(127)


@cuda.jit(device=True, forceinline=True)
def word(s0, s1, s2, s3):
    """Four steps in a word, the first in its lowest byte. Each: a whole number from -128 to 127."""
    low = uint32(int32(s0) & 255) | uint32(int32(s1) & 255) << uint32(8)
    return low | uint32(int32(s2) & 255) << uint32(16) | uint32(int32(s3) & 255) << uint32(24)


@cuda.jit(device=True, forceinline=True)
def step_at(real, image, channel, row, col, scale):
    """The step of one number, 0 past the last channel."""
    if channel >= real.shape[1]:
        return int32(0)
    v = real[image, channel, row, col] / scale
    if v != v:
        v = float32(0)  # NaN has no nearest step
    return int32(round(min(max(v, LOW), HIGH)))


@cuda.jit(device=True, forceinline=True)
def word_at(real, image, channel, row, col, scale):
    """The steps of four neighbouring channels as a word."""
    return word(
        step_at(real, image, channel, row, col, scale),
        step_at(real, image, channel + 1, row, col, scale),
        step_at(real, image, channel + 2, row, col, scale),
        step_at(real, image, channel + 3, row, col, scale),
    )


@cuda.jit(device=True, forceinline=True)
def step_at_limits_by_branches(real, image, channel, row, col, scale):
    if channel >= real.shape[1]:
        return int32(0)
    v = real[image, channel, row, col] / scale
    if v != v:
        v = float32(0)  # NaN has no nearest step
    if v > HIGH:
        v = HIGH
    if v < LOW:
        v = LOW
    return int32(round(v))


@cuda.jit(device=True, forceinline=True)
def word_at_limits_by_branches(real, image, channel, row, col, scale):
    return word(
        step_at_limits_by_branches(real, image, channel, row, col, scale),
        step_at_limits_by_branches(real, image, channel + 1, row, col, scale),
        step_at_limits_by_branches(real, image, channel + 2, row, col, scale),
        step_at_limits_by_branches(real, image, channel + 3, row, col, scale),
    )


@right("limits_by_branches")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at_limits_by_branches(real, image, 16 * half, row, col, scale)
            w1 = word_at_limits_by_branches(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at_limits_by_branches(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at_limits_by_branches(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@right("leaves_early")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell >= packed.shape[1]:
        return
    if True:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at(real, image, 16 * half, row, col, scale)
            w1 = word_at(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@right("first_channel_named")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        first = 16 * half
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at(real, image, first, row, col, scale)
            w1 = word_at(real, image, first + 4, row, col, scale)
            w2 = word_at(real, image, first + 8, row, col, scale)
            w3 = word_at(real, image, first + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@cuda.jit(device=True, forceinline=True)
def step_at_cut_off(real, image, channel, row, col, scale):
    if channel >= real.shape[1]:
        return int32(0)
    v = real[image, channel, row, col] / scale
    if v != v:
        v = float32(0)  # NaN has no nearest step
    return int32(min(max(v, LOW), HIGH))


@cuda.jit(device=True, forceinline=True)
def word_at_cut_off(real, image, channel, row, col, scale):
    return word(
        step_at_cut_off(real, image, channel, row, col, scale),
        step_at_cut_off(real, image, channel + 1, row, col, scale),
        step_at_cut_off(real, image, channel + 2, row, col, scale),
        step_at_cut_off(real, image, channel + 3, row, col, scale),
    )


@wrong("cut_off", misconception="truncated", says="cut off")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at_cut_off(real, image, 16 * half, row, col, scale)
            w1 = word_at_cut_off(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at_cut_off(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at_cut_off(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@cuda.jit(device=True, forceinline=True)
def step_at_half_up(real, image, channel, row, col, scale):
    if channel >= real.shape[1]:
        return int32(0)
    v = real[image, channel, row, col] / scale
    if v != v:
        v = float32(0)  # NaN has no nearest step
    return int32(min(max(math.floor(v + float32(0.5)), LOW), HIGH))


@cuda.jit(device=True, forceinline=True)
def word_at_half_up(real, image, channel, row, col, scale):
    return word(
        step_at_half_up(real, image, channel, row, col, scale),
        step_at_half_up(real, image, channel + 1, row, col, scale),
        step_at_half_up(real, image, channel + 2, row, col, scale),
        step_at_half_up(real, image, channel + 3, row, col, scale),
    )


@wrong("half_up", misconception="half_up", says="half to even")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at_half_up(real, image, 16 * half, row, col, scale)
            w1 = word_at_half_up(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at_half_up(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at_half_up(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@cuda.jit(device=True, forceinline=True)
def step_at_cut_at_minus_127(real, image, channel, row, col, scale):
    if channel >= real.shape[1]:
        return int32(0)
    v = real[image, channel, row, col] / scale
    if v != v:
        v = float32(0)  # NaN has no nearest step
    return int32(round(min(max(v, float32(-127)), HIGH)))


@cuda.jit(device=True, forceinline=True)
def word_at_cut_at_minus_127(real, image, channel, row, col, scale):
    return word(
        step_at_cut_at_minus_127(real, image, channel, row, col, scale),
        step_at_cut_at_minus_127(real, image, channel + 1, row, col, scale),
        step_at_cut_at_minus_127(real, image, channel + 2, row, col, scale),
        step_at_cut_at_minus_127(real, image, channel + 3, row, col, scale),
    )


@wrong("cut_at_minus_127", misconception="lowest_missing", says="smallest step is -127")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at_cut_at_minus_127(real, image, 16 * half, row, col, scale)
            w1 = word_at_cut_at_minus_127(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at_cut_at_minus_127(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at_cut_at_minus_127(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@cuda.jit(device=True, forceinline=True)
def step_at_by_reciprocal(real, image, channel, row, col, scale):
    if channel >= real.shape[1]:
        return int32(0)
    v = real[image, channel, row, col] * (float32(1) / scale)
    if v != v:
        v = float32(0)  # NaN has no nearest step
    return int32(round(min(max(v, LOW), HIGH)))


@cuda.jit(device=True, forceinline=True)
def word_at_by_reciprocal(real, image, channel, row, col, scale):
    return word(
        step_at_by_reciprocal(real, image, channel, row, col, scale),
        step_at_by_reciprocal(real, image, channel + 1, row, col, scale),
        step_at_by_reciprocal(real, image, channel + 2, row, col, scale),
        step_at_by_reciprocal(real, image, channel + 3, row, col, scale),
    )


@wrong("by_reciprocal", misconception="reciprocal", says="one off")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at_by_reciprocal(real, image, 16 * half, row, col, scale)
            w1 = word_at_by_reciprocal(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at_by_reciprocal(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at_by_reciprocal(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@wrong("halves_exchanged", misconception="halves_exchanged", says="the other way round")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at(real, image, 16 * half, row, col, scale)
            w1 = word_at(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (1 - half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@wrong("no_rows_between", misconception="no_row_between", says="n_rows + 1 rows")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        row = row - 1
        image = row // n_rows if row >= 0 else 0
        row = row % n_rows if row >= 0 else -1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at(real, image, 16 * half, row, col, scale)
            w1 = word_at(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@wrong("same_half", misconception="same_half", says="channels 0 to 15")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at(real, image, 32 * (half // 2), row, col, scale)
            w1 = word_at(real, image, 32 * (half // 2) + 4, row, col, scale)
            w2 = word_at(real, image, 32 * (half // 2) + 8, row, col, scale)
            w3 = word_at(real, image, 32 * (half // 2) + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@cuda.jit(device=True, forceinline=True)
def word_at_bytes_turned(real, image, channel, row, col, scale):
    return word(
        step_at(real, image, channel + 3, row, col, scale),
        step_at(real, image, channel + 2, row, col, scale),
        step_at(real, image, channel + 1, row, col, scale),
        step_at(real, image, channel, row, col, scale),
    )


@wrong("bytes_turned", misconception="bytes_turned", says="opposite order")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at_bytes_turned(real, image, 16 * half, row, col, scale)
            w1 = word_at_bytes_turned(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at_bytes_turned(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at_bytes_turned(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane


@wrong("byte_by_byte", misconception="narrow_stores", says="global store requests")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if cell < packed.shape[1]:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at(real, image, 16 * half, row, col, scale)
            w1 = word_at(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at(real, image, 16 * half + 12, row, col, scale)
        for i in range(4):
            packed[half // 2, cell, 16 * (half % 2) + i] = int8(w0 >> 8 * i)
            packed[half // 2, cell, 16 * (half % 2) + 4 + i] = int8(w1 >> 8 * i)
            packed[half // 2, cell, 16 * (half % 2) + 8 + i] = int8(w2 >> 8 * i)
            packed[half // 2, cell, 16 * (half % 2) + 12 + i] = int8(w3 >> 8 * i)  # 16 bytes per lane


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def pack_int8(real, scale, packed):
    cell, half = cuda.grid(2)
    n_images, n_channels, n_rows, n_cols = real.shape
    if True:
        row, col = cell // (n_cols + 1), cell % (n_cols + 1) - 1
        image, row = row // (n_rows + 1), row % (n_rows + 1) - 1
        w0 = w1 = w2 = w3 = uint32(0)
        if image < n_images and row >= 0 and col >= 0:
            w0 = word_at(real, image, 16 * half, row, col, scale)
            w1 = word_at(real, image, 16 * half + 4, row, col, scale)
            w2 = word_at(real, image, 16 * half + 8, row, col, scale)
            w3 = word_at(real, image, 16 * half + 12, row, col, scale)
        store16(packed, (half // 2, cell, 16 * (half % 2)), (w0, w1, w2, w3))  # 16 bytes per lane
