"""Pooling over up to three space axes, one output element a thread, for any layout.

Max pooling keeps stored values. An average of int8 sums exactly and rounds once.
"""

from __future__ import annotations

import math

from numba import float32, float64, int64, types

from minitrt.backend import cuda
from minitrt.kernels.plain.elements import INFINITY, THREADS, array, larger, place_of_output, reader, writer

MODES = ("max", "average", "lp")
ONE = float32(1)


def pool_places(source: str) -> tuple:
    """(kernel, signature, threads): the largest of every window and its place, counted by steps through its plane and
    whole planes before it; the first of equals. Numbers as below; sizes y, x, then of windows."""
    read, write = reader(source), writer(source)

    def kernel(
        x, y, places, count, d, h, w, in_d, in_h, in_w, kd, kh, kw, sd, sh, sw, pd, ph, pw, ld, lh, lw, td, th, tw
    ):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            ow, oh, od, plane = i % w, i // w % h, i // w // h % d, i // w // h // d
            first, best, place = plane * in_d * in_h * in_w, -INFINITY, int64(-1)
            for a in range(kd):
                z = od * sd - pd + a * ld
                for b in range(kh):
                    row = oh * sh - ph + b * lh
                    for s in range(kw):
                        column = ow * sw - pw + s * lw
                        if z >= 0 and z < in_d and row >= 0 and row < in_h and column >= 0 and column < in_w:
                            v = read(x, first + (z * in_h + row) * in_w + column, ONE)
                            if place < 0 or v > best:
                                best, place = v, first + z * td + row * th + column * tw
            write(y, i, best, ONE)
            places[i] = place

    return kernel, types.void(array(source), array(source), array("int64"), *[types.int64] * 22), THREADS


def pool(mode: str, source: str, target: str) -> tuple:
    """(kernel, signature, threads): y = pooled x; numbers as below, strides in elements.

    multiplier: input scale over output scale in float64, since it is rounded once, after it is divided by the count.
    padded: count the padding in an average's divisor, up to the declared sizes pd + in_d + qd and so on. count:
    outputs, channels fastest.
    """
    read, write, MAX, LP = reader(source), writer(target), mode == "max", mode == "lp"

    def kernel(
        x, y, multiplier, p, padded, count, channels, d, h, w, in_d, in_h, in_w, kd, kh, kw, sd, sh, sw, pd, ph, pw,
        qd, qh, qw, ld, lh, lw, xn, xc, xd, xh, xw, yn, yc, yd, yh, yw,
    ):  # fmt: skip
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            image, channel, od, oh, ow = place_of_output(i, channels, d, h, w)
            plane = image * xn + channel * xc
            value, inside, declared = -INFINITY if MAX else float32(0), 0, 0
            for a in range(kd):
                z = od * sd - pd + a * ld
                for b in range(kh):
                    row = oh * sh - ph + b * lh
                    for s in range(kw):
                        column = ow * sw - pw + s * lw
                        if z >= 0 and z < in_d and row >= 0 and row < in_h and column >= 0 and column < in_w:
                            v = read(x, plane + z * xd + row * xh + column * xw, ONE)
                            value = larger(value, v) if MAX else value + (math.pow(abs(v), p) if LP else v)
                            inside += 1
                        if z < in_d + qd and row < in_h + qh and column < in_w + qw:
                            declared += 1
            if LP:
                value = math.pow(value, ONE / p) * float32(multiplier)
            elif not MAX:
                value = value * float32(multiplier / float64(max(declared if padded else inside, 1)))
            write(y, image * yn + channel * yc + od * yd + oh * yh + ow * yw, value, ONE)

    numbers = [types.float64, types.float32] + [types.int64] * 34
    return kernel, types.void(array(source), array(target), *numbers), THREADS
