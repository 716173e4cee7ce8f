"""The largest or smallest elements of a row, and running sums along one."""

from __future__ import annotations

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import THREADS, array, float16
from minitrt.kernels.plain.rows import EVERYBODY, WARP, first_of_row


def topk(dtype: str, largest: bool) -> tuple:
    """(kernel, signature, threads): topk(x, values, places, count, length, stride, k): a thread an element of x, which
    counts those of its row that come before it: its own place in the sorted row.

    Equal elements keep their order, and NaN comes last, as in the reference.
    """
    LARGEST, number = largest, inline(lambda v: float32(v)) if dtype == "float16" else inline(lambda v: v)

    @inline
    def before(a, b):
        """True where a is sorted before an unequal b."""
        if b != b:
            return a == a
        return a > b if LARGEST else a < b

    def kernel(x, values, places, count, length, stride, k):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            inner, outer = i % stride, i // stride // length
            own, place, first = number(x[i]), i // stride % length, outer * length * stride + inner
            rank = int64(0)
            for j in range(length):
                other = number(x[first + j * stride])
                same = other == own or other != other and own != own
                if before(other, own) or same and j < place:
                    rank += 1
            if rank < k:
                to = (outer * k + rank) * stride + inner
                values[to] = x[i]
                places[to] = place

    arrays = array(dtype), array(dtype), array("int64")
    return kernel, types.void(*arrays, *[types.int64] * 4), THREADS


def cumulative(dtype: str, exclusive: bool, reverse: bool) -> tuple:
    """(kernel, signature, threads): cumulative(x, y, rows, length, stride): a warp a row, 32 elements at a time.

    Sums have the type of the elements; halves are added as float32.
    """
    ZERO, EXCLUSIVE, REVERSE = float32(0) if dtype[:5] == "float" else int64(0), exclusive, reverse
    HALF, NUMBER = dtype == "float16", float32 if dtype[:5] == "float" else int64

    def kernel(x, y, rows, length, stride):
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:  # the same for a whole warp
            first, before = first_of_row(row, length, stride), ZERO
            for begin in range(0, length, WARP):
                j = begin + lane
                at = first + (length - 1 - j if REVERSE else j) * stride
                own = NUMBER(x[at]) if j < length else ZERO
                total = own
                for distance in (1, 2, 4, 8, 16):
                    lower = cuda.shfl_up_sync(EVERYBODY, total, distance)
                    if lane >= distance:
                        total += lower
                total += before
                before = cuda.shfl_sync(EVERYBODY, total, WARP - 1)
                if j < length:
                    result = total - own if EXCLUSIVE else total
                    y[at] = float16(result) if HALF else result

    return kernel, types.void(array(dtype), array(dtype), *[types.int64] * 3), THREADS
