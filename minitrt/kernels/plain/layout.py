"""Between LINEAR (N, C, space) and NHWC16 (N, space, C up to 16s): a transpose through a shared tile, with conversion.

Both sides are read and written along their fastest axis; the tile's odd pitch spreads a column over the banks.
"""

from __future__ import annotations

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.plain.elements import array, reader, writer

TILE, ROWS = 32, 8  # threads along x; along y, each of which copies TILE / ROWS rows
PITCH = TILE + 1


def transpose(source: str, target: str) -> tuple:
    """(kernel, signature, threads) for dtypes `source` and `target`.

    transpose(x, y, x_scale, y_scale, x_rows, x_columns, x_pitch, y_columns, y_pitch): for each image (blockIdx.z),
    y[column, row] = convert(x[row, column]) for row < x_rows and column < x_columns; y is zero for x_rows <= row <
    y_columns. Pitches: elements from one row to the next. An image of x has x_rows rows, one of y x_columns.
    """
    read, write = reader(source), writer(target)

    def kernel(x, y, x_scale, y_scale, x_rows, x_columns, x_pitch, y_columns, y_pitch):
        tile = cuda.shared.array((TILE, PITCH), types.float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        image = int64(cuda.blockIdx.z)
        column = cuda.blockIdx.x * TILE + tx
        for r in range(ty, TILE, ROWS):
            row = cuda.blockIdx.y * TILE + r
            inside = row < x_rows and column < x_columns
            tile[r, tx] = read(x, (image * x_rows + row) * x_pitch + column, x_scale) if inside else float32(0)
        cuda.syncthreads()  # every element of the tile is there
        row = cuda.blockIdx.y * TILE + tx
        for c in range(ty, TILE, ROWS):
            column = cuda.blockIdx.x * TILE + c
            if row < y_columns and column < x_columns:
                write(y, (image * x_columns + column) * y_pitch + row, tile[tx, c], y_scale)

    numbers = [types.float32] * 2 + [types.int64] * 5
    return kernel, types.void(array(source), array(target), *numbers), TILE * ROWS


def convert(source: str, target: str) -> tuple:
    """(kernel, signature, threads): convert(x, y, x_scales, y_scales, count, inner, axis), in the same order.

    Scales are arrays: element i uses scale i // inner % axis; axis is 1 for one scale.
    """
    read, write = reader(source), writer(target)

    def kernel(x, y, x_scales, y_scales, count, inner, axis):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            k = i // inner % axis
            write(y, i, read(x, i, x_scales[k]), y_scales[k])

    scales = array("float32")
    return kernel, types.void(array(source), array(target), scales, scales, *[types.int64] * 3), 256
