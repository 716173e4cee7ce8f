"""Global memory in whole kernels: rows and columns, several elements a thread, repeated accesses, records."""

from __future__ import annotations

import numpy as np
from numba import cuda, float32

from tests.zoo.entry import Entry, floats, zeros

POINT = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4")], align=True)
PACKED_POINT = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4")])
MIXED = np.dtype([("id", "i4"), ("mass", "f8"), ("kind", "u1")], align=True)


def copy_2d(src, dst):
    col, row = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        dst[row, col] = src[row, col]


def copy_2d_swapped(src, dst):
    row, col = cuda.grid(2)
    if row < src.shape[0] and col < src.shape[1]:
        dst[row, col] = src[row, col]


def copy_3d(src, dst):
    col, row, plane = cuda.grid(3)
    if plane < src.shape[0] and row < src.shape[1] and col < src.shape[2]:
        dst[plane, row, col] = src[plane, row, col]


def row_sums(src, out):
    row = cuda.grid(1)
    if row < src.shape[0]:
        acc = float32(0)
        for col in range(src.shape[1]):
            acc += src[row, col]
        out[row] = acc


def column_sums(src, out):
    col = cuda.grid(1)
    if col < src.shape[1]:
        acc = float32(0)
        for row in range(src.shape[0]):
            acc += src[row, col]
        out[col] = acc


def grid_stride(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = x[i] * float32(2)


def four_neighbours_each(x, out):
    i = cuda.grid(1) * 4
    for k in range(4):
        out[i + k] = x[i + k]


def four_apart_each(x, out):
    i = cuda.grid(1)
    n_threads = cuda.gridsize(1)
    for k in range(4):
        out[i + k * n_threads] = x[i + k * n_threads]


def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


def update_in_place(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * float32(3)


def read_twice(x, out):
    i = cuda.grid(1)
    out[i] = x[i] * x[i]


def write_then_add(x, out):
    i = cuda.grid(1)
    out[i] = x[i]
    out[i] += float32(1)


def record_one_field(points, out):
    i = cuda.grid(1)
    out[i] = points[i]["x"]


def record_all_fields(points, out):
    i = cuda.grid(1)
    out[i] = points[i]["x"] + points[i]["y"] + points[i]["z"] + points[i]["w"]


def record_store(x, points):
    i = cuda.grid(1)
    points[i]["y"] = x[i]


def record_mixed(records, out):
    i = cuda.grid(1)
    out[i] = records[i]["mass"] + records[i]["id"]


def structure_of_arrays(xs, ys, zs, ws, out):
    i = cuda.grid(1)
    out[i] = xs[i] + ys[i] + zs[i] + ws[i]


def stencil_3(x, out):
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        out[i] = x[i - 1] + x[i] + x[i + 1]


def stencil_5_point(src, dst):
    col, row = cuda.grid(2)
    if 0 < row < src.shape[0] - 1 and 0 < col < src.shape[1] - 1:
        dst[row, col] = src[row - 1, col] + src[row + 1, col] + src[row, col - 1] + src[row, col + 1] - src[row, col]


def every_other_view(x, out):
    i = cuda.grid(1)
    view = x[::2]
    out[i] = view[i]


def transpose_naive(src, dst):
    col, row = cuda.grid(2)
    dst[col, row] = src[row, col]


def _shapes():
    for block in ((32, 8), (16, 16), (8, 8), (1, 64)):
        name = "x".join(map(str, block))
        grid = (-(-70 // block[0]), -(-37 // block[1]))
        yield Entry(
            f"copy_2d_{name}",
            f"matrix copy, blocks of {name}",
            copy_2d,
            lambda: [floats(37, 70), zeros(37, 70)],
            grid=grid,
            block=block,
        )
    yield Entry(
        "copy_2d_swapped",
        "matrix copy with x along the rows",
        copy_2d_swapped,
        lambda: [floats(37, 70), zeros(37, 70)],
        grid=(2, 9),
        block=(32, 8),
    )
    yield Entry(
        "copy_2d_fortran",
        "matrix copy, both in Fortran order",
        copy_2d,
        lambda: [np.asfortranarray(floats(37, 70)), np.asfortranarray(zeros(37, 70))],
        grid=(3, 5),
        block=(32, 8),
    )
    yield Entry(
        "copy_3d",
        "volume copy, blocks of 8x4x4",
        copy_3d,
        lambda: [floats(7, 10, 20), zeros(7, 10, 20)],
        grid=(3, 3, 2),
        block=(8, 4, 4),
    )
    yield Entry("row_sums", "a thread a row", row_sums, lambda: [floats(100, 33), zeros(100)], grid=2, block=64)
    yield Entry(
        "column_sums", "a thread a column", column_sums, lambda: [floats(33, 100), zeros(100)], grid=2, block=64
    )
    yield Entry(
        "transpose_naive",
        "transpose with strided stores",
        transpose_naive,
        lambda: [floats(64, 64), zeros(64, 64)],
        grid=(2, 8),
        block=(32, 8),
    )
    yield Entry("stencil_3", "three neighbours", stencil_3, lambda: [floats(500), zeros(500)])
    yield Entry(
        "stencil_5_point",
        "five-point stencil",
        stencil_5_point,
        lambda: [floats(40, 70), zeros(40, 70)],
        grid=(3, 5),
        block=(32, 8),
    )


def _several():
    yield Entry(
        "grid_stride", "grid-stride loop with a ragged end", grid_stride, lambda: [floats(1000), zeros(1000)], grid=2
    )
    yield Entry(
        "four_neighbours_each",
        "four neighbouring elements a thread",
        four_neighbours_each,
        lambda: [floats(512), zeros(512)],
        grid=2,
        block=64,
    )
    yield Entry(
        "four_apart_each",
        "four elements per thread, a grid apart",
        four_apart_each,
        lambda: [floats(512), zeros(512)],
        grid=2,
        block=64,
    )
    yield Entry("add", "two loads and a store", add, lambda: [floats(500), floats(500), zeros(500)])
    yield Entry("update_in_place", "load and store of one array", update_in_place, lambda: [floats(500)])
    yield Entry("read_twice", "one element named twice in a line", read_twice, lambda: [floats(512), zeros(512)])
    yield Entry(
        "write_then_add", "an element stored and updated at once", write_then_add, lambda: [floats(512), zeros(512)]
    )
    yield Entry(
        "every_other_view",
        "load through a view of every other element",
        every_other_view,
        lambda: [floats(1024), zeros(512)],
    )


def _records():
    yield Entry(
        "record_one_field",
        "array of structures, one of four fields",
        record_one_field,
        lambda: [np.ones(512, POINT), zeros(512)],
    )
    yield Entry(
        "record_packed",
        "one field of a record whose dtype lacks align=True",
        record_one_field,
        lambda: [np.ones(512, PACKED_POINT), zeros(512)],
    )
    yield Entry(
        "record_packed_store",
        "store to a field of such a record",
        record_store,
        lambda: [floats(512), np.zeros(512, PACKED_POINT)],
    )
    yield Entry(
        "record_all_fields",
        "array of structures, all four fields",
        record_all_fields,
        lambda: [np.ones(512, POINT), zeros(512)],
    )
    yield Entry("record_store", "store to one field of four", record_store, lambda: [floats(512), np.zeros(512, POINT)])
    yield Entry(
        "record_mixed",
        "fields of several sizes in 24 bytes",
        record_mixed,
        lambda: [np.ones(512, MIXED), zeros(512, dtype="float64")],
    )
    yield Entry(
        "structure_of_arrays",
        "four arrays in place of four fields",
        structure_of_arrays,
        lambda: [floats(512), floats(512), floats(512), floats(512), zeros(512)],
    )


ENTRIES = (*_shapes(), *_several(), *_records())
