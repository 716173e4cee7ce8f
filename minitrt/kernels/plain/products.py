"""Matrix product and convolution as plain loops: exact int32 sums for int8, float32 sums otherwise, any epilogue.

v = fma(sum, multiplier[k], addend[k]); v += bias; v = fma(residual, residual_multiplier, v); y = activation(v)
"""

from __future__ import annotations

from typing import Any

from numba import float32, int32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.activations import activation
from minitrt.kernels.plain.elements import THREADS, array, place_of_output, reader, saturate, writer

TILE = 16
ONE = float32(1)
# multiplier and addend (arrays), residual, its multiplier, activation's alpha and beta, limits, scale of the output
EPILOGUE = [array("float32"), array("float32"), *[types.float32] * 6]


def summed(dtype: str) -> tuple[Any, Any]:
    """(element as a factor, an empty sum): int8 counts in int32, everything else in float32."""
    if dtype == "int8":
        return inline(lambda x, i: int32(x[i])), int32(0)
    return inline(lambda x, i: float32(x[i])), float32(0)


def make_finish(residual: str, output: str, name: str) -> Any:
    """finish(sum, k, i, y, multiplier, addend, r, ...): the epilogue of one output element i of channel k."""
    RESIDUAL, read, activate, write = residual != "none", reader(residual), activation(name), writer(output)
    QUANTISED = output == "int8"

    @inline
    def finish(total, k, i, y, multiplier, addend, residual_multiplier, alpha, beta, low, high, y_scale, r):
        v = float32(total) * multiplier[k] + addend[k]
        if RESIDUAL:
            v = read(r, i, ONE) * residual_multiplier + v
        v = activate(min(max(v, low), high) if v == v else v, alpha, beta)
        if QUANTISED:
            y[i] = saturate(v / y_scale)
        else:
            write(y, i, v, ONE)

    return finish


def matmul(a: str, b: str, output: str, residual: str, name: str) -> tuple:
    """(kernel, signature, threads): y[batch, m, n] = epilogue(sum over k of a[batch, m, k] * b[batch, k, n]).

    A block of 16 x 16 threads computes a tile of y from tiles of a and b in shared memory. Batches have two axes;
    blockIdx.z counts both. Strides in elements.
    """
    (left, ZERO), (right, _) = summed(a), summed(b)
    finish, KIND = make_finish(residual, output, name), types.int32 if a == "int8" else types.float32

    def kernel(
        x, w, y, r, multiplier, addend, residual_multiplier, alpha, beta, low, high, y_scale,
        rows, columns, terms, inner_batches, a0, a1, a_row, a_term, b0, b1, b_term, b_column,
    ):  # fmt: skip
        tile_a = cuda.shared.array((TILE, TILE), KIND)
        tile_b = cuda.shared.array((TILE, TILE), KIND)
        tx, ty, batch = cuda.threadIdx.x, cuda.threadIdx.y, int64(cuda.blockIdx.z)
        row, column = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
        outer, inner = batch // inner_batches, batch % inner_batches
        from_a, from_b, total = outer * a0 + inner * a1, outer * b0 + inner * b1, ZERO
        for first in range(0, terms, TILE):
            k = first + tx
            tile_a[ty, tx] = left(x, from_a + row * a_row + k * a_term) if row < rows and k < terms else ZERO
            k = first + ty
            at = from_b + k * b_term + column * b_column
            tile_b[ty, tx] = right(w, at) if column < columns and k < terms else ZERO
            cuda.syncthreads()  # both tiles are there
            for j in range(TILE):
                total += tile_a[ty, j] * tile_b[j, tx]
            cuda.syncthreads()  # both tiles are read
        if row < rows and column < columns:
            i = (batch * rows + row) * columns + column
            finish(total, column, i, y, multiplier, addend, residual_multiplier, alpha, beta, low, high, y_scale, r)

    r = array(residual if residual != "none" else "float32")
    return kernel, types.void(array(a), array(b), array(output), r, *EPILOGUE, *[types.int64] * 12), TILE * TILE


def convolution(x: str, w: str, output: str, residual: str, name: str) -> tuple:
    """(kernel, signature, threads): a convolution over three space axes (missing: size 1), one output a thread.

    Weights are (K, C / groups, kernel). Strides in elements: of x for image, channel and the three axes; of y likewise.
    """
    (left, ZERO), (right, _) = summed(x), summed(w)
    finish = make_finish(residual, output, name)

    def kernel(
        x, w, y, r, multiplier, addend, residual_multiplier, alpha, beta, low, high, y_scale,
        count, out_channels, d, h, ww, groups, group_channels, in_d, in_h, in_w, kd, kh, kw, sd, sh, sw, pd, ph, pw,
        ld, lh, lw, xn, xc, xd, xh, xw, yn, yc, yd, yh, yw,
    ):  # fmt: skip
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            image, channel, od, oh, ow = place_of_output(i, out_channels, d, h, ww)
            group = channel // (out_channels // groups)
            total, at_w = ZERO, channel * group_channels * kd * kh * kw
            for c in range(group_channels):
                plane = image * xn + (group * group_channels + c) * xc
                for a in range(kd):
                    z = od * sd - pd + a * ld
                    for b in range(kh):
                        row = oh * sh - ph + b * lh
                        for s in range(kw):
                            column = ow * sw - pw + s * lw
                            if z >= 0 and z < in_d and row >= 0 and row < in_h and column >= 0 and column < in_w:
                                total += left(x, plane + z * xd + row * xh + column * xw) * right(w, at_w)
                            at_w += 1
            to = image * yn + channel * yc + od * yd + oh * yh + ow * yw
            finish(total, channel, to, y, multiplier, addend, residual_multiplier, alpha, beta, low, high, y_scale, r)

    r = array(residual if residual != "none" else "float32")
    return kernel, types.void(array(x), array(w), array(output), r, *EPILOGUE, *[types.int64] * 32), THREADS


def deconvolution(x: str, w: str, output: str, residual: str, name: str) -> tuple:
    """(kernel, signature, threads): the transposed convolution, with the arguments of `convolution`.

    Each output element gathers the inputs that reach it. Weights are (C, K / groups, kernel).
    """
    (left, ZERO), (right, _) = summed(x), summed(w)
    finish = make_finish(residual, output, name)

    def kernel(
        x, w, y, r, multiplier, addend, residual_multiplier, alpha, beta, low, high, y_scale,
        count, out_channels, d, h, ww, groups, group_channels, in_d, in_h, in_w, kd, kh, kw, sd, sh, sw, pd, ph, pw,
        ld, lh, lw, xn, xc, xd, xh, xw, yn, yc, yd, yh, yw,
    ):  # fmt: skip
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            image, channel, od, oh, ow = place_of_output(i, out_channels, d, h, ww)
            per_group = out_channels // groups
            group, own = channel // per_group, channel % per_group
            total = ZERO
            for a in range(kd):
                z = od + pd - a * ld
                for b in range(kh):
                    row = oh + ph - b * lh
                    for s in range(kw):
                        column = ow + pw - s * lw
                        hits = z % sd == 0 and row % sh == 0 and column % sw == 0
                        inside = z >= 0 and z < in_d * sd and row >= 0 and row < in_h * sh
                        if hits and inside and column >= 0 and column < in_w * sw:
                            at = image * xn + z // sd * xd + row // sh * xh + column // sw * xw
                            for c in range(group_channels):
                                source = group * group_channels + c
                                at_w = (((source * per_group + own) * kd + a) * kh + b) * kw + s
                                total += left(x, at + source * xc) * right(w, at_w)
            to = image * yn + channel * yc + od * yd + oh * yh + ow * yw
            finish(total, channel, to, y, multiplier, addend, residual_multiplier, alpha, beta, low, high, y_scale, r)

    r = array(residual if residual != "none" else "float32")
    return kernel, types.void(array(x), array(w), array(output), r, *EPILOGUE, *[types.int64] * 32), THREADS
