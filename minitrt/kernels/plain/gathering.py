"""Reading elements at indices: whole slices along an axis, or one element for each index."""

from __future__ import annotations

from numba import int64, types

from minitrt.backend import cuda
from minitrt.kernels.plain.elements import THREADS, UNSIGNED, array


def gather(mode: str, item_bytes: int, index: str) -> tuple:
    """(kernel, signature, threads): gather(x, indices, y, count, axis_size, index_count, inner).

    x is (outer, axis_size, inner). "default": y (outer, index_count, inner) = x[:, indices]; "element": indices have
    y's shape, and each says where along the axis its element comes from. Negative indices count from the end; one
    outside is brought to the nearest end, so that no memory is read that is not x's.
    """
    WHOLE = mode == "default"

    def kernel(x, indices, y, count, axis_size, index_count, inner):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            outer, place, rest = i // inner // index_count, i // inner % index_count, i % inner
            at = int64(indices[place if WHOLE else i])
            at = min(max(at + axis_size if at < 0 else at, int64(0)), axis_size - 1)
            y[i] = x[(outer * axis_size + at) * inner + rest]

    elements = types.Array(UNSIGNED[item_bytes], 1, "C")
    return kernel, types.void(elements, array(index), elements, *[types.int64] * 4), THREADS
