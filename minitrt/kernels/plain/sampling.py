"""Elements of images at places that a grid names, and responses divided by their neighbours': a thread an output."""

from __future__ import annotations

import math
from typing import Any

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import THREADS, array, reader, writer

ONE, TWO, HALF_PIXEL = float32(1), float32(2), float32(0.5)
LEAST_SPAN = float32(1e-9)  # of a reflected axis of one pixel


def placed(reflect: bool, align: bool) -> Any:
    """place_of(g, size): where along an axis of `size` pixels a coordinate in [-1, 1] lies."""
    REFLECT, ALIGN = reflect, align

    @inline
    def place_of(g, size):
        whole = float32(size)
        place = (g + ONE) / TWO * (whole - ONE) if ALIGN else ((g + ONE) * whole - ONE) / TWO
        if REFLECT:
            low = float32(0) if ALIGN else -HALF_PIXEL
            span = max((whole - ONE if ALIGN else whole), LEAST_SPAN)
            back = abs(place - low) % (TWO * span)
            place = low + min(back, TWO * span - back)
        return place

    return place_of


def pixel_of(read: Any, fill: bool) -> Any:
    """pixel(x, plane, row, column, height, width, scale): an element by whole numbers as floats; outside it is 0 with
    `fill`, else the nearest edge's."""
    FILL = fill

    @inline
    def pixel(x, plane, row, column, height, width, scale):
        inside = row >= 0 and row < height and column >= 0 and column < width
        i, j = min(max(int64(row), int64(0)), height - 1), min(max(int64(column), int64(0)), width - 1)
        value = read(x, plane + i * width + j, scale)
        return value if inside or not FILL else float32(0)

    return pixel


def grid_sample(source: str, target: str, places: str, mode: str, padding: str, align: bool) -> tuple:
    """(kernel, signature, threads) of grid_sample(x, grid, y, x_scale, y_scale, count, channels, height, width, rows,
    columns).

    x: (batch, channels, height, width); grid: (batch, rows, columns, 2) of (x, y) in [-1, 1], of type `places`; y:
    (batch, channels, rows, columns), `count` elements. mode: linear, nearest; padding: fill (zeros), clamp, reflect;
    align: -1 and 1 are the centres of the first and the last pixel, not their outer edges.
    """
    read, read_grid, write = reader(source), reader(places), writer(target)
    NEAREST = mode == "nearest"
    place_of, pixel = placed(padding == "reflect", align), pixel_of(read, padding == "fill")

    def kernel(x, grid, y, x_scale, y_scale, count, channels, height, width, rows, columns):
        i = int64(cuda.grid(1))
        if i < count:
            plane, rest = i // (rows * columns), i % (rows * columns)
            at = (plane // channels * rows * columns + rest) * 2
            px, py = place_of(read_grid(grid, at, ONE), width), place_of(read_grid(grid, at + 1, ONE), height)
            first = plane * height * width
            if NEAREST:
                value = pixel(x, first, float32(round(py)), float32(round(px)), height, width, x_scale)
            else:
                x0, y0 = float32(math.floor(px)), float32(math.floor(py))
                fx, fy = px - x0, py - y0
                top = pixel(x, first, y0, x0, height, width, x_scale) * (ONE - fx)
                top += pixel(x, first, y0, x0 + ONE, height, width, x_scale) * fx
                bottom = pixel(x, first, y0 + ONE, x0, height, width, x_scale) * (ONE - fx)
                bottom += pixel(x, first, y0 + ONE, x0 + ONE, height, width, x_scale) * fx
                value = top * (ONE - fy) + bottom * fy
            write(y, i, value, y_scale)

    arrays, numbers = [array(source), array(places), array(target)], [types.float32] * 2 + [types.int64] * 6
    return kernel, types.void(*arrays, *numbers), THREADS


def local_response(source: str, target: str) -> tuple:
    """(kernel, signature, threads) of local_response(x, y, x_scale, y_scale, factor, beta, k, count, channels, inner,
    before, after).

    y = x / (k + factor * the sum of squares of the channels from `before` before to `after` after) ** beta; inner:
    elements of one channel of an image.
    """
    read, write = reader(source), writer(target)

    def kernel(x, y, x_scale, y_scale, factor, beta, k, count, channels, inner, before, after):
        i = int64(cuda.grid(1))
        if i < count:
            channel, total = i // inner % channels, float32(0)
            first = i - channel * inner
            for c in range(max(channel - before, int64(0)), min(channel + after + 1, channels)):
                v = read(x, first + c * inner, x_scale)
                total += v * v
            write(y, i, read(x, i, x_scale) / math.pow(k + factor * total, beta), y_scale)

    numbers = [types.float32] * 5 + [types.int64] * 5
    return kernel, types.void(array(source), array(target), *numbers), THREADS
