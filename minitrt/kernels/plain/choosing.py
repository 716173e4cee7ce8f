"""Elements that their own place decides: triangles of matrices, and one hot element of a row."""

from __future__ import annotations

from numba import int64, types

from minitrt.backend import cuda
from minitrt.kernels.plain.elements import THREADS, UNSIGNED, array


def triangle(item_bytes: int, upper: bool) -> tuple:
    """(kernel, signature, threads): triangle(x, y, count, rows, columns, k): x on one side of the k-th diagonal, which
    belongs to it, and zeros elsewhere. Elements are bits."""
    UPPER, BITS = upper, UNSIGNED[item_bytes]

    def kernel(x, y, count, rows, columns, k):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            ahead = i % columns - i // columns % rows - k
            y[i] = x[i] if (ahead >= 0 if UPPER else ahead <= 0) else BITS(0)

    elements = types.Array(BITS, 1, "C")
    return kernel, types.void(elements, elements, *[types.int64] * 4), THREADS


def one_hot(item_bytes: int, index: str) -> tuple:
    """(kernel, signature, threads): one_hot(indices, values, y, count, depth, inner): y (outer, depth, inner) is
    values[1] where its place along the middle axis is the index, else values[0].

    Negative indices count from the end; one outside is nowhere.
    """

    def kernel(indices, values, y, count, depth, inner):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            at = int64(indices[i // inner // depth * inner + i % inner])
            at = at + depth if at < 0 else at
            y[i] = values[1] if at == i // inner % depth else values[0]

    elements = types.Array(UNSIGNED[item_bytes], 1, "C")
    return kernel, types.void(array(index), elements, elements, *[types.int64] * 3), THREADS
