"""Einstein sums: a thread an output, which adds products over every index that the output has not."""

from __future__ import annotations

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import THREADS, array, reader, writer

ONE = float32(1)


def einsum(a: str, b: str, target: str, single: bool) -> tuple:
    """(kernel, signature, threads) of einsum(a, b, y, sizes, a_strides, b_strides, a_scale, b_scale, y_scale, count,
    terms, kept, indices).

    sizes: of `kept` indices of the output in order, then of those summed over; strides: elements of a (b) from one of
    an index to the next, 0 where it has none of it, so that diagonals and broadcasts are strides as well. terms:
    products an output adds. single: there is no b.
    """
    read_a, read_b, write, SINGLE = reader(a), reader(b), writer(target), single

    @inline
    def places(number, sizes, a_strides, b_strides, first, after):
        """Offsets in a and b of combination `number` of the indices first to after, the last of them fastest."""
        at, bt = int64(0), int64(0)
        for back in range(after - first):
            d = after - 1 - back
            index = number % sizes[d]
            number //= sizes[d]
            at += index * a_strides[d]
            bt += index * b_strides[d]
        return at, bt

    def kernel(a, b, y, sizes, a_strides, b_strides, a_scale, b_scale, y_scale, count, terms, kept, indices):
        i = int64(cuda.grid(1))
        if i < count:
            at, bt = places(i, sizes, a_strides, b_strides, int64(0), kept)
            total = float32(0)
            for term in range(terms):
                da, db = places(int64(term), sizes, a_strides, b_strides, kept, indices)
                v = read_a(a, at + da, a_scale)
                total += v if SINGLE else v * read_b(b, bt + db, b_scale)
            write(y, i, total, y_scale)

    numbers = array("int64")
    scalars = [types.float32] * 3 + [types.int64] * 4
    return kernel, types.void(array(a), array(b), array(target), numbers, numbers, numbers, *scalars), THREADS
