"""Resizing along one axis: each output is a weighted sum of a few inputs, which a table names."""

from __future__ import annotations

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.plain.elements import THREADS, array, reader, writer


def interpolate(source: str, target: str) -> tuple:
    """(kernel, signature, threads): y[outer, o, inner] = sum over t of weights[o, t] * x[outer, places[o, t], inner].

    interpolate(x, places, weights, y, x_scale, y_scale, count, out_size, in_size, inner, taps).
    """
    read, write = reader(source), writer(target)

    def kernel(x, places, weights, y, x_scale, y_scale, count, out_size, in_size, inner, taps):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            outer, o, rest = i // inner // out_size, i // inner % out_size, i % inner
            total = float32(0)
            for t in range(taps):
                at = (outer * in_size + places[o * taps + t]) * inner + rest
                total += weights[o * taps + t] * read(x, at, x_scale)
            write(y, i, total, y_scale)

    numbers = [types.float32] * 2 + [types.int64] * 5
    tables = (array("int32"), array("float32"))
    return kernel, types.void(array(source), *tables, array(target), *numbers), THREADS
