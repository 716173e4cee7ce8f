"""Moving elements: slices, transposes, repeats, padding and concatenation are one kernel with different numbers.

Output element (c0, ..., c5) is input element start_k + c_k * step_k along each axis; what lies outside is filled,
wrapped, clamped or reflected.
"""

from __future__ import annotations

from typing import Any

from numba import int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import THREADS, UNSIGNED

AXES = 6
MODES = ("inside", "fill", "wrap", "clamp", "reflect")


def make_place(mode: str) -> Any:
    """place(index, size) -> the index to read, or -1 for the fill value."""
    if mode == "inside":
        return inline(lambda index, size: index)
    if mode == "fill":
        return inline(lambda index, size: index if index >= 0 and index < size else int64(-1))
    if mode == "wrap":
        return inline(lambda index, size: (index % size + size) % size)
    if mode == "clamp":
        return inline(lambda index, size: min(max(index, int64(0)), size - 1))

    @inline
    def reflect(index, size):
        period = max(2 * size - 2, int64(1))
        folded = abs(index) % period
        return min(folded, 2 * size - 2 - folded) if size > 1 else int64(0)

    return reflect


def move(mode: str, item_bytes: int) -> tuple:
    """(kernel, signature, threads): y[...] = x[...]; elements are moved as bits.

    move(x, y, fill, count, y_offset, then for each of six axes: output size, y stride, start, step, x size, x stride).
    count: output elements. The last axis varies fastest from thread to thread.
    """
    place = make_place(mode)

    @inline
    def along(rest, size, y_stride, start, step, x_size, x_stride):
        """(what is left of the index, offset into y, offset into x or -1)."""
        c = rest % size
        at = place(start + c * step, x_size)
        return rest // size, c * y_stride, at * x_stride if at >= 0 else int64(-1)

    def kernel(
        x, y, fill, count, y_offset,
        n0, t0, a0, s0, m0, u0, n1, t1, a1, s1, m1, u1, n2, t2, a2, s2, m2, u2,
        n3, t3, a3, s3, m3, u3, n4, t4, a4, s4, m4, u4, n5, t5, a5, s5, m5, u5,
    ):  # fmt: skip
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            i, y5, x5 = along(i, n5, t5, a5, s5, m5, u5)
            i, y4, x4 = along(i, n4, t4, a4, s4, m4, u4)
            i, y3, x3 = along(i, n3, t3, a3, s3, m3, u3)
            i, y2, x2 = along(i, n2, t2, a2, s2, m2, u2)
            i, y1, x1 = along(i, n1, t1, a1, s1, m1, u1)
            i, y0, x0 = along(i, n0, t0, a0, s0, m0, u0)
            to = y_offset + y0 + y1 + y2 + y3 + y4 + y5
            if min(x0, x1, x2, x3, x4, x5) < 0:
                y[to] = fill
            else:
                y[to] = x[x0 + x1 + x2 + x3 + x4 + x5]

    bits = UNSIGNED[item_bytes]
    elements = types.Array(bits, 1, "C")
    return kernel, types.void(elements, elements, bits, *[types.int64] * (2 + 6 * AXES)), THREADS
