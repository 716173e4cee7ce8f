"""Reading elements at indices: whole slices along an axis, one element for each index, or what lies at a position.

Negative indices count from the end; one outside is brought to the nearest end, so that no memory is read that is not
x's.
"""

from __future__ import annotations

from numba import int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import THREADS, UNSIGNED, array


@inline
def brought_inside(index, size):
    """An index along an axis, counted from the end where it is negative."""
    at = int64(index)
    return min(max(at + size if at < 0 else at, int64(0)), size - 1)


def gather(mode: str, item_bytes: int, index: str) -> tuple:
    """(kernel, signature, threads): gather(x, indices, y, count, axis_size, index_count, inner).

    x is (outer, axis_size, inner). "default": y (outer, index_count, inner) = x[:, indices]; "element": indices have
    y's shape, and each says where along the axis its element comes from.
    """
    WHOLE = mode == "default"

    def kernel(x, indices, y, count, axis_size, index_count, inner):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            outer, place, rest = i // inner // index_count, i // inner % index_count, i % inner
            at = brought_inside(indices[place if WHOLE else i], axis_size)
            y[i] = x[(outer * axis_size + at) * inner + rest]

    elements = types.Array(UNSIGNED[item_bytes], 1, "C")
    return kernel, types.void(elements, array(index), elements, *[types.int64] * 4), THREADS


def gather_elements(item_bytes: int, index: str) -> tuple:
    """(kernel, signature, threads): gather_elements(x, indices, y, shape, strides, count, rank, axis, axis_size).

    As "element" above, where indices are smaller than x along other axes, too. shape: of indices and y; strides: of x.
    """

    def kernel(x, indices, y, shape, strides, count, rank, axis, axis_size):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            rest, at = i, brought_inside(indices[i], axis_size) * strides[axis]
            for back in range(rank):
                d = rank - 1 - back
                if d != axis:
                    at += rest % shape[d] * strides[d]
                rest //= shape[d]
            y[i] = x[at]

    elements = types.Array(UNSIGNED[item_bytes], 1, "C")
    numbers = array("int64")
    return kernel, types.void(elements, array(index), elements, numbers, numbers, *[types.int64] * 4), THREADS


def gather_nd(item_bytes: int, index: str) -> tuple:
    """(kernel, signature, threads): gather_nd(x, indices, y, sizes, strides, count, depth, inner, rows, batch_stride).

    Each row of `depth` indices is a position along as many axes of x, of these sizes and strides; y has the `inner`
    elements that lie there. rows: of indices to an image, whose elements are batch_stride apart.
    """

    def kernel(x, indices, y, sizes, strides, count, depth, inner, rows, batch_stride):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            row = i // inner
            at = row // rows * batch_stride + i % inner
            for d in range(depth):
                at += brought_inside(indices[row * depth + d], sizes[d]) * strides[d]
            y[i] = x[at]

    elements = types.Array(UNSIGNED[item_bytes], 1, "C")
    numbers = array("int64")
    return kernel, types.void(elements, array(index), elements, numbers, numbers, *[types.int64] * 5), THREADS
