"""What `simt.analyses.costs.codegen` says of the compiler, in forms measured only after its rules were written."""

from __future__ import annotations

import numpy as np
from numba import complex64, cuda, int32, int64

from tests.zoo.entry import Entry, drawn, floats, numbers, zeros

CELLS = 64
PACKED = np.dtype([("energy", "f8"), ("mass", "f4"), ("kind", "i4")])


def one_cell_subtract(total, x):
    cuda.atomic.sub(total, 0, x[cuda.grid(1)])


def one_cell_minimum(total, x):
    cuda.atomic.min(total, 0, x[cuda.grid(1)])


def one_cell_xor(total, x):
    cuda.atomic.xor(total, 0, x[cuda.grid(1)])


def one_cell_and(total, x):
    value = x[cuda.grid(1)]
    if value != 3:
        cuda.atomic.and_(total, 0, value)


def one_cell_increment(total, x):
    cuda.atomic.inc(total, 0, x[cuda.grid(1)])


def one_cell_exchange(total, x, out):
    out[cuda.grid(1)] = cuda.atomic.exch(total, 0, x[cuda.grid(1)])


def one_cell_compare_and_swap(total, x, out):
    out[cuda.grid(1)] = cuda.atomic.cas(total, 0, 0, x[cuda.grid(1)])


def one_cell_several_times(total, x):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(total, 0, x[i])


def one_cell_of_a_matrix(totals, x):
    cuda.atomic.add(totals, (1, cuda.blockIdx.x), x[cuda.grid(1)])


def shared_cell_of_the_block(x, out):
    s = cuda.shared.array(4, int32)
    t = cuda.threadIdx.x
    if t < 4:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.max(s, cuda.blockIdx.x % 4, x[cuda.grid(1)])
    cuda.syncthreads()
    out[cuda.grid(1)] = s[t % 4]


def shared_add_two(where, out):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    if t < CELLS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, where[cuda.grid(1)], 2)
    cuda.syncthreads()
    if t < CELLS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_wide_compare_and_swap(where, out):
    s = cuda.shared.array(CELLS, int64)
    t = cuda.threadIdx.x
    if t < CELLS:
        s[t] = 0
    cuda.syncthreads()
    out[cuda.grid(1)] = cuda.atomic.cas(s, where[cuda.grid(1)], 0, t + 1)


def shared_complex_strided(x, out):
    s = cuda.shared.array(512, complex64)
    t = cuda.threadIdx.x
    s[3 * t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[3 * (127 - t)]


def complex_gathered(x, where, out):
    i = cuda.grid(1)
    if i % 5 > 0:
        out[i] = x[where[i]]


def packed_fields(records, out):
    i = cuda.grid(1)
    out[i] = records[i]["energy"] + records[i]["kind"]


def packed_update(x, records):
    i = cuda.grid(1)
    if i % 2 == 0:
        records[3 * i]["mass"] = x[i]


def _one_cell():
    for kernel in (one_cell_subtract, one_cell_minimum, one_cell_xor, one_cell_and, one_cell_increment):
        yield Entry(
            kernel.__name__,
            kernel.__name__.replace("_", " "),
            kernel,
            lambda: [zeros(1, dtype="uint32"), numbers(512, "uint32")],
        )
    for kernel in (one_cell_exchange, one_cell_compare_and_swap):
        yield Entry(
            kernel.__name__,
            kernel.__name__.replace("_", " "),
            kernel,
            lambda: [zeros(1, dtype="int32"), numbers(512, "int32"), zeros(512, dtype="int32")],
        )


ENTRIES = (
    *_one_cell(),
    Entry(
        "one_cell_several_times",
        "add to one cell in a loop",
        one_cell_several_times,
        lambda: [zeros(1, dtype="int32"), numbers(1024, "int32")],
    ),
    Entry(
        "one_cell_of_a_matrix",
        "a cell of each block in a matrix",
        one_cell_of_a_matrix,
        lambda: [zeros(2, 4, dtype="int32"), numbers(512, "int32")],
    ),
    Entry(
        "shared_cell_of_the_block",
        "maximum in one cell of four",
        shared_cell_of_the_block,
        lambda: [numbers(512, "int32"), zeros(512, dtype="int32")],
    ),
    Entry(
        "shared_add_two",
        "add of 2, which is not counting",
        shared_add_two,
        lambda: [drawn(512, CELLS, 51), zeros(4, CELLS, dtype="int32")],
    ),
    Entry(
        "shared_wide_compare_and_swap",
        "compare and swap of 64 bits",
        shared_wide_compare_and_swap,
        lambda: [drawn(512, CELLS, 52), zeros(512, dtype="int64")],
    ),
    Entry(
        "shared_complex_strided",
        "complex numbers, 3 from lane to lane",
        shared_complex_strided,
        lambda: [numbers(128, "complex64"), zeros(512, dtype="complex64")],
    ),
    Entry(
        "complex_gathered",
        "complex numbers by index, four lanes of five",
        complex_gathered,
        lambda: [numbers(300, "complex128"), drawn(512, 300, 53), zeros(512, dtype="complex128")],
    ),
    Entry(
        "packed_fields",
        "two fields of a packed record",
        packed_fields,
        lambda: [np.ones(512, PACKED), zeros(512, dtype="float64")],
    ),
    Entry(
        "packed_update",
        "a field of every third packed record",
        packed_update,
        lambda: [floats(512), np.zeros(1536, PACKED)],
    ),
)
