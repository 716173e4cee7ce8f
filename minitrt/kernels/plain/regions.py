"""RoiAlign: a thread an output, which interpolates its samples one after another; geometry in float64, as the
reference has it, since a rounding there is another pixel."""

from __future__ import annotations

import math
from typing import Any

from numba import float32, float64, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import THREADS, array, larger, reader, writer
from minitrt.kernels.plain.rows import plus

ONE = float32(1)


@inline
def neighbour(place, size):
    """(lower pixel, its weight, upper pixel, its weight) of a place along an axis; weights 0 for one outside."""
    inside = float64(1) if place >= -1.0 and place <= size else float64(0)
    clipped = min(max(place, float64(0)), float64(size - 1))
    low = min(int64(math.floor(clipped)), size - 1)
    part = clipped - low
    return low, (1 - part) * inside, min(low + 1, size - 1), part * inside


@inline
def bin_of(begin, end, count, place, ratio, at_least):
    """(first place, distance, number) of the samples of bin `place` of `count` along an axis."""
    size = max(end - begin, at_least) / count
    samples = ratio if ratio > 0 else max(int64(math.ceil(size)), int64(1))
    return begin + (place * samples + 0.5) * size / samples, size / samples, samples


def roi_align(source: str, target: str, regions: str, index: str, mode: str, half_pixel: bool) -> tuple:
    """(kernel, signature, threads) of roi_align(x, regions, images, y, x_scale, y_scale, scale, count, batch, channels,
    height, width, rows, columns, ratio).

    x: (batch, channels, height, width); regions: (n, 4) as x1, y1, x2, y2; images: (n,), one outside is brought to the
    nearest end; y: (n, channels, rows, columns), `count` elements.
    """
    read, read_region, write = reader(source), reader(regions), writer(target)
    combined, LARGEST = combine(mode), mode == "max"
    SHIFT, LEAST, NONE = 0.5 if half_pixel else 0.0, -math.inf if half_pixel else 1.0, -math.inf if LARGEST else 0.0

    def kernel(
        x, regions, images, y, x_scale, y_scale, scale, count, batch, channels, height, width, rows, columns, ratio
    ):
        i = int64(cuda.grid(1))
        if i < count:
            column, row = i % columns, i // columns % rows
            channel, region = i // columns // rows % channels, i // columns // rows // channels
            image = int64(images[region])
            image = min(max(image + batch if image < 0 else image, int64(0)), batch - 1)
            x1 = float64(read_region(regions, region * 4, ONE)) * scale - SHIFT
            y1 = float64(read_region(regions, region * 4 + 1, ONE)) * scale - SHIFT
            x2 = float64(read_region(regions, region * 4 + 2, ONE)) * scale - SHIFT
            y2 = float64(read_region(regions, region * 4 + 3, ONE)) * scale - SHIFT
            top, down, high = bin_of(y1, y2, rows, row, ratio, LEAST)
            left, right, wide = bin_of(x1, x2, columns, column, ratio, LEAST)
            first, total = (image * channels + channel) * height * width, float64(NONE)
            for dy in range(high):
                upper, a, lower, b = neighbour(top + dy * down, height)
                for dx in range(wide):
                    near, c, far, d = neighbour(left + dx * right, width)
                    total = combined(total, read(x, first + upper * width + near, x_scale) * a * c)
                    total = combined(total, read(x, first + upper * width + far, x_scale) * a * d)
                    total = combined(total, read(x, first + lower * width + near, x_scale) * b * c)
                    total = combined(total, read(x, first + lower * width + far, x_scale) * b * d)
            write(y, i, float32(total if LARGEST else total / (high * wide)), y_scale)

    arrays = [array(source), array(regions), array(index), array(target)]
    numbers = [types.float32, types.float32, types.float64, *[types.int64] * 8]
    return kernel, types.void(*arrays, *numbers), THREADS


def combine(mode: str) -> Any:
    """What becomes of a total and one more product: the larger one, or their sum."""
    return larger if mode == "max" else plus
