"""Atomics on global memory: every operation, result used or not, from no contention to one hot cell."""

from __future__ import annotations

from numba import cuda

from tests.zoo.entry import Entry, drawn, floats, numbers, shuffled, zeros

BINS = 64


def add(cells, where, x):
    i = cuda.grid(1)
    cuda.atomic.add(cells, where[i], x[i])


def add_used(cells, where, x, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.add(cells, where[i], x[i])


def add_one(cells, where):
    i = cuda.grid(1)
    cuda.atomic.add(cells, where[i], 1)


def subtract(cells, where, x):
    i = cuda.grid(1)
    cuda.atomic.sub(cells, where[i], x[i])


def maximum(cells, where, x):
    i = cuda.grid(1)
    cuda.atomic.max(cells, where[i], x[i])


def minimum_used(cells, where, x, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.min(cells, where[i], x[i])


def bits_or(cells, where, x):
    i = cuda.grid(1)
    cuda.atomic.or_(cells, where[i], x[i])


def exchange(cells, where, x, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.exch(cells, where[i], x[i])


def compare_and_swap(cells, where, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.cas(cells, where[i], 0, i)


def increment(cells, where):
    i = cuda.grid(1)
    cuda.atomic.inc(cells, where[i], 1000)


def add_where_even(cells, x):
    i = cuda.grid(1)
    if x[i] % 2 == 0:
        cuda.atomic.add(cells, x[i], 2)


def first_lane_adds(total, x):
    i = cuda.grid(1)
    if cuda.laneid == 0:
        cuda.atomic.add(total, 0, x[i])


def one_cell_add(total, x):
    cuda.atomic.add(total, 0, x[cuda.grid(1)])


def one_cell_add_one(total, x):
    if x[cuda.grid(1)] > 2:
        cuda.atomic.add(total, 0, 1)


def one_cell_add_used(total, x, out):
    out[cuda.grid(1)] = cuda.atomic.add(total, 0, x[cuda.grid(1)])


def one_cell_maximum(total, x):
    cuda.atomic.max(total, 0, x[cuda.grid(1)])


def cell_of_the_block_add(totals, x):
    cuda.atomic.add(totals, cuda.blockIdx.x, x[cuda.grid(1)])


def cell_by_argument_add(totals, x, cell):
    cuda.atomic.add(totals, cell, x[cuda.grid(1)])


def cell_of_the_warp_add(totals, x):
    cuda.atomic.add(totals, cuda.threadIdx.x // 32, x[cuda.grid(1)])


def matrix_columns_add(bins, x):
    col, row = cuda.grid(2)
    cuda.atomic.add(bins, (col % 8, row), x[row, col])


CONTENTION = (
    ("own", "a cell each", lambda: shuffled(512, 1)),
    ("neighbours", "neighbouring cells", lambda: shuffled(512, 1) * 0 + range(512)),
    ("drawn", "64 cells", lambda: drawn(512, BINS, 2)),
    ("few", "3 cells", lambda: drawn(512, 3, 3)),
    ("one", "one cell", lambda: drawn(512, 1)),
)


def _adds():
    for dtype in ("int32", "float32", "int64", "float64"):
        for name, about, where in CONTENTION:
            yield Entry(
                f"atomic_add_{dtype}_{name}",
                f"add of {dtype} to {about}",
                add,
                lambda dtype=dtype, where=where: [zeros(512, dtype=dtype), where(), numbers(512, dtype)],
            )
    for dtype in ("int32", "float32"):
        for name, about, where in CONTENTION[2:]:
            yield Entry(
                f"atomic_add_used_{dtype}_{name}",
                f"add of {dtype} to {about}, result used",
                add_used,
                lambda dtype=dtype, where=where: [
                    zeros(512, dtype=dtype),
                    where(),
                    numbers(512, dtype),
                    zeros(512, dtype=dtype),
                ],
            )
    for name, about, where in CONTENTION[2:]:
        yield Entry(
            f"atomic_add_one_{name}",
            f"add of 1 to {about}",
            add_one,
            lambda where=where: [zeros(512, dtype="int32"), where()],
        )


def _other_operations():
    where = CONTENTION[2][2]
    for kernel in (subtract, maximum, bits_or):
        yield Entry(
            f"atomic_{kernel.__name__}",
            f"{kernel.__name__.replace('_', ' ')} on 64 cells",
            kernel,
            lambda: [zeros(512, dtype="uint32"), where(), numbers(512, "uint32")],
        )
    for kernel in (minimum_used, exchange):
        yield Entry(
            f"atomic_{kernel.__name__}",
            f"{kernel.__name__.replace('_', ' ')} on 64 cells",
            kernel,
            lambda: [zeros(512, dtype="int32"), where(), numbers(512, "int32"), zeros(512, dtype="int32")],
        )
    for name, about, cells in CONTENTION[2:]:
        yield Entry(
            f"atomic_compare_and_swap_{name}",
            f"compare and swap on {about}",
            compare_and_swap,
            lambda cells=cells: [zeros(512, dtype="int32"), cells(), zeros(512, dtype="int32")],
        )
    yield Entry("atomic_increment", "wrapping increment", increment, lambda: [zeros(512, dtype="uint32"), where()])
    yield Entry(
        "atomic_maximum_float32",
        "maximum of floats, a loop of compare and swap",
        maximum,
        lambda: [zeros(512), where(), floats(512)],
    )
    yield Entry(
        "atomic_add_where_even",
        "add by the lanes whose element is even",
        add_where_even,
        lambda: [zeros(64, dtype="int32"), drawn(512, 64, 9)],
    )
    yield Entry("atomic_first_lane_adds", "one add a warp", first_lane_adds, lambda: [zeros(1), floats(512)])


def _one_cell():
    for dtype in ("int32", "int64", "float32", "float64"):
        yield Entry(
            f"one_cell_add_{dtype}",
            f"add of {dtype} to cell 0 by name",
            one_cell_add,
            lambda dtype=dtype: [zeros(1, dtype=dtype), numbers(512, dtype)],
        )
    for kernel in (one_cell_add_one, one_cell_maximum, cell_of_the_block_add, cell_of_the_warp_add):
        yield Entry(
            kernel.__name__,
            f"{kernel.__name__.replace('_', ' ')}, int32",
            kernel,
            lambda: [zeros(4, dtype="int32"), numbers(512, "int32")],
        )
    yield Entry(
        "one_cell_add_used",
        "add to cell 0 by name, result used",
        one_cell_add_used,
        lambda: [zeros(1, dtype="int32"), numbers(512, "int32"), zeros(512, dtype="int32")],
    )
    yield Entry(
        "matrix_columns_add",
        "add to columns of a matrix",
        matrix_columns_add,
        lambda: [zeros(8, 16, dtype="int32"), numbers(512, "int32").reshape(16, 32)],
        grid=(1, 2),
        block=(32, 8),
    )
    yield Entry(
        "cell_by_argument_add",
        "add to the cell that an argument names",
        cell_by_argument_add,
        lambda: [zeros(4, dtype="int32"), numbers(512, "int32"), 2],
    )


ENTRIES = (*_adds(), *_other_operations(), *_one_cell())
