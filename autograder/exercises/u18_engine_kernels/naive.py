"""What speed in unit 18 is measured against: a thread per byte, and a layer that multiplies one pair at a time."""

from __future__ import annotations

from numba import float32, int8, int32

from autograder.backend import cuda


@cuda.jit
def pack_byte_by_byte(real, scale, packed):
    """The same line, a thread per byte: neighbouring lanes have neighbouring channels."""
    i = cuda.grid(1)
    if i < packed.size:
        cell, k = i // 32 % packed.shape[1], i % 32
        channel = i // 32 // packed.shape[1] * 32 + k
        row, col = cell // (real.shape[3] + 1), cell % (real.shape[3] + 1) - 1
        image, row = row // (real.shape[2] + 1), row % (real.shape[2] + 1) - 1
        v = float32(0)
        if image < real.shape[0] and channel < real.shape[1] and row >= 0 and col >= 0:
            v = real[image, channel, row, col] / scale
        if v != v:
            v = float32(0)
        packed[i // 32 // packed.shape[1], cell, k] = int8(round(min(max(v, float32(-128)), float32(127))))


@cuda.jit
def layer_one_each(src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst):
    """The same layer, a thread per output: x counts channels, y cells."""
    out, cell = cuda.grid(2)
    if cell < dst.shape[1] and out < 32 * dst.shape[0]:
        v = float32(0)
        if cell % pitch != 0 and cell // pitch % height != 0:
            acc = int32(0)
            for block in range(src.shape[0]):
                for tap in range(9):
                    at = cell + (tap // 3 - 1) * pitch + tap % 3 - 1
                    if 0 <= at < src.shape[1] and out < weights.shape[2]:
                        for k in range(32):
                            acc += int32(src[block, at, k]) * int32(weights[block, tap, out, k])
            v = float32(acc) * multiplier[out] + addend[out]
            v += float32(residual[out // 32, cell, out % 32]) * residual_multiplier
            v = min(max(v, low), high)
        dst[out // 32, cell, out % 32] = int8(round(min(max(v, float32(-128)), float32(127))))
