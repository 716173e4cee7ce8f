"""Loads and stores of global memory by one warp: strides, offsets, orders, masks, sizes of element."""

from __future__ import annotations

from numba import cuda

from tests.zoo.entry import Entry, drawn, floats, numbers, shuffled, zeros


def copy(x, out):
    i = cuda.grid(1)
    out[i] = x[i]


def load_stride(x, out, stride):
    i = cuda.grid(1)
    out[i] = x[i * stride]


def store_stride(x, out, stride):
    i = cuda.grid(1)
    out[i * stride] = x[i]


def load_offset(x, out, offset):
    i = cuda.grid(1)
    out[i] = x[i + offset]


def store_offset(x, out, offset):
    i = cuda.grid(1)
    out[i + offset] = x[i]


def load_reversed(x, out):
    i = cuda.grid(1)
    out[i] = x[x.size - 1 - i]


def broadcast_all(x, out):
    i = cuda.grid(1)
    out[i] = x[0]


def broadcast_groups(x, out, group):
    i = cuda.grid(1)
    out[i] = x[i // group]


def gather(x, index, out):
    i = cuda.grid(1)
    out[i] = x[index[i]]


def scatter(x, index, out):
    i = cuda.grid(1)
    out[index[i]] = x[i]


def guarded(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i]


def even_lanes(x, out):
    i = cuda.grid(1)
    if i % 2 == 0:
        out[i] = x[i]


def first_lanes(x, out, n_lanes):
    i = cuda.grid(1)
    if cuda.laneid < n_lanes:
        out[i] = x[i]


def where_flagged(x, flags, out):
    i = cuda.grid(1)
    if flags[i] == 0:
        out[i] = x[i]


def reversed_within_warp(x, out):
    i = cuda.grid(1)
    out[i] = x[i ^ 31]


def _strides():
    for stride in (2, 3, 4, 8, 9, 16, 32, 33):
        yield Entry(
            f"load_stride_{stride}",
            f"load, {stride} floats from lane to lane",
            load_stride,
            lambda stride=stride: [floats(512 * stride), zeros(512), stride],
        )
    for stride in (2, 5, 32):
        yield Entry(
            f"store_stride_{stride}",
            f"store, {stride} floats from lane to lane",
            store_stride,
            lambda stride=stride: [floats(512), zeros(512 * stride), stride],
        )
    for offset in (1, 7, 8, 31):
        yield Entry(
            f"load_offset_{offset}",
            f"load that starts {offset} floats late",
            load_offset,
            lambda offset=offset: [floats(512 + offset), zeros(512), offset],
        )
    yield Entry("store_offset_3", "store that starts 3 floats late", store_offset, lambda: [floats(512), zeros(515), 3])


def _sizes():
    for dtype in ("uint8", "int16", "float16", "int32", "float64", "complex64", "complex128"):
        yield Entry(
            f"copy_{dtype}",
            f"copy of neighbouring {dtype}",
            copy,
            lambda dtype=dtype: [numbers(512, dtype), zeros(512, dtype=dtype)],
        )
    for dtype in ("uint8", "int16", "float64", "complex128"):
        yield Entry(
            f"load_stride_3_{dtype}",
            f"load of {dtype}, 3 elements from lane to lane",
            load_stride,
            lambda dtype=dtype: [numbers(1536, dtype), zeros(512, dtype=dtype), 3],
        )
    for dtype in ("uint8", "float64"):
        yield Entry(
            f"load_offset_1_{dtype}",
            f"load of {dtype}, one element late",
            load_offset,
            lambda dtype=dtype: [numbers(513, dtype), zeros(512, dtype=dtype), 1],
        )


def _orders():
    yield Entry("load_reversed", "load from the end to the start", load_reversed, lambda: [floats(512), zeros(512)])
    yield Entry(
        "reversed_within_warp",
        "load with lanes swapped end for end",
        reversed_within_warp,
        lambda: [floats(512), zeros(512)],
    )
    yield Entry("broadcast_all", "every thread loads one element", broadcast_all, lambda: [floats(512), zeros(512)])
    for group in (4, 24):
        yield Entry(
            f"broadcast_groups_{group}",
            f"{group} neighbouring lanes load one element",
            broadcast_groups,
            lambda group=group: [floats(512), zeros(512), group],
        )
    yield Entry("gather_shuffled", "gather by a permutation", gather, lambda: [floats(512), shuffled(512), zeros(512)])
    yield Entry(
        "gather_drawn", "gather with repeats from 64 elements", gather, lambda: [floats(64), drawn(512, 64), zeros(512)]
    )
    yield Entry(
        "gather_drawn_far",
        "gather from 100,000 elements",
        gather,
        lambda: [floats(100_000), drawn(512, 100_000), zeros(512)],
    )
    yield Entry(
        "gather_float64",
        "gather of doubles",
        gather,
        lambda: [numbers(512, "float64"), drawn(512, 512, 1), zeros(512, dtype="float64")],
    )
    yield Entry(
        "gather_uint8",
        "gather of bytes from 256",
        gather,
        lambda: [numbers(256, "uint8"), drawn(512, 256, 2), zeros(512, dtype="uint8")],
    )
    yield Entry(
        "scatter_shuffled", "scatter by a permutation", scatter, lambda: [floats(512), shuffled(512, 3), zeros(512)]
    )


def _masks():
    yield Entry("guarded_ragged", "guarded copy, last warp part full", guarded, lambda: [floats(397), zeros(397)])
    yield Entry(
        "block_of_100",
        "blocks of 100 threads: last warp has 4",
        copy,
        lambda: [floats(500), zeros(500)],
        grid=5,
        block=100,
    )
    yield Entry(
        "block_of_48",
        "blocks of 48 threads that start mid-sector",
        copy,
        lambda: [floats(336), zeros(336)],
        grid=7,
        block=48,
    )
    yield Entry("even_lanes", "every other lane", even_lanes, lambda: [floats(512), zeros(512)])
    for n_lanes in (1, 20):
        yield Entry(
            f"first_{n_lanes}_lanes",
            f"the first {n_lanes} of each warp",
            first_lanes,
            lambda n_lanes=n_lanes: [floats(512), zeros(512), n_lanes],
        )
    yield Entry(
        "where_flagged", "lanes chosen by data", where_flagged, lambda: [floats(512), drawn(512, 3, 4), zeros(512)]
    )


ENTRIES = (*_strides(), *_sizes(), *_orders(), *_masks())
