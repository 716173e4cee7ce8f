"""Where the largest or smallest element of a row is: a warp a row, the better of two by shuffles."""

from __future__ import annotations

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import INFINITY, THREADS, array, reader
from minitrt.kernels.plain.rows import EVERYBODY, WARP, first_of_row
from minitrt.kernels.plain.whole_rows import SMALLEST

ONE = float32(1)


@inline
def whole_number(x, i, scale):
    """An integer as it is: as float32 large ones would be equal."""
    return int64(x[i])


def arg(source: str, largest: bool, last: bool) -> tuple:
    """(kernel, signature, threads): arg(x, y, rows, length, stride), y int64; of equals the first, or the last.

    A NaN counts as the extreme, as in NumPy.
    """
    LARGEST, LAST, whole = largest, last, source in SMALLEST
    read = whole_number if whole else reader(source)
    WORST = int64(0) if whole else -INFINITY if largest else INFINITY  # its place says that it is none

    @inline
    def better(a, at_a, b, at_b):
        """True where a at place at_a is to be taken before b at at_b; a place below 0 is none."""
        if at_a < 0 or at_b < 0:
            return at_a >= 0
        if a == b or a != a and b != b:
            return at_a > at_b if LAST else at_a < at_b
        if a != a or b != b:
            return a != a
        return a > b if LARGEST else a < b

    def kernel(x, y, rows, length, stride):
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:  # the same for a whole warp
            first, best, place = first_of_row(row, length, stride), WORST, int64(-1)
            for j in range(lane, length, WARP):
                value = read(x, first + j * stride, ONE)
                if better(value, int64(j), best, place):
                    best, place = value, int64(j)
            for distance in (16, 8, 4, 2, 1):
                other, there = (
                    cuda.shfl_xor_sync(EVERYBODY, best, distance),
                    cuda.shfl_xor_sync(EVERYBODY, place, distance),
                )
                if better(other, there, best, place):
                    best, place = other, there
            if lane == 0:
                y[row] = place

    return kernel, types.void(array(source), array("int64"), *[types.int64] * 3), THREADS
