"""Shared memory and its banks: strides, tiles, padding, swizzles, sizes of element, broadcasts, masks."""

from __future__ import annotations

import numpy as np
from numba import complex64, complex128, cuda, float32, float64, int8, int16, int32

from tests.zoo.entry import Entry, drawn, floats, numbers, shuffled, zeros

CELLS = 2048
TABLE = np.arange(16, dtype=np.float32)


def load_stride(x, out, stride):
    s = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    for k in range(t, CELLS, cuda.blockDim.x):
        s[k] = x[k]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[t * stride % CELLS]


def store_stride(x, out, stride):
    s = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    s[t * stride % CELLS] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[(cuda.blockDim.x - 1 - t) * stride % CELLS]


def load_gather(x, index, out):
    s = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    for k in range(t, CELLS, cuda.blockDim.x):
        s[k] = x[k]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[index[cuda.grid(1)]]


def store_scatter(x, index, out):
    s = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    s[index[t]] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[t]


def broadcast(x, out):
    s = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[5] + s[t // 32]


def masked_columns(x, out):
    s = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    for k in range(t, CELLS, cuda.blockDim.x):
        s[k] = x[k]
    cuda.syncthreads()
    if t % 3 == 0:
        out[cuda.grid(1)] = s[t * 16 % CELLS]


def reversed_bytes(x, out):
    s = cuda.shared.array(128, int8)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[127 - t]


def strided_shorts(x, out):
    s = cuda.shared.array(512, int16)
    t = cuda.threadIdx.x
    s[4 * t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[4 * (127 - t)]


def doubles(x, out, stride):
    s = cuda.shared.array(CELLS, float64)
    t = cuda.threadIdx.x
    s[t * stride % CELLS] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[(127 - t) * stride % CELLS]


def doubles_in_pairs(x, out):
    s = cuda.shared.array(128, float64)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[t // 2]


def doubles_gathered(x, index, out):
    s = cuda.shared.array(128, float64)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[index[cuda.grid(1)]]


def complex_numbers(x, out):
    s = cuda.shared.array(128, complex64)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[127 - t]


def complex_doubles(x, out):
    s = cuda.shared.array(128, complex128)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[127 - t]


def doubles_masked(x, index, out):
    s = cuda.shared.array(128, float64)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    if index[cuda.grid(1)] % 3 > 0:
        out[cuda.grid(1)] = s[index[t]]


def halves_strided(x, out):
    s = cuda.shared.array(512, np.float16)
    t = cuda.threadIdx.x
    s[3 * t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[3 * (127 - t)]


def constant_table(index, out):
    table = cuda.const.array_like(TABLE)
    i = cuda.grid(1)
    out[i] = table[index[i]]


def dynamic(x, out):
    s = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    s[2 * t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = s[2 * (cuda.blockDim.x - 1 - t)]


def two_arrays(x, out):
    small = cuda.shared.array(3, float32)
    large = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    if t < 3:
        small[t] = x[t]
    large[t] = x[t]
    cuda.syncthreads()
    out[cuda.grid(1)] = large[127 - t] + small[t % 3]


def running_window(x, out):
    s = cuda.shared.array(136, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s[t] = x[i]
    if t < 8:
        s[128 + t] = x[i + 128]
    cuda.syncthreads()
    acc = float32(0)
    for k in range(x.size - out.size + 1):
        acc += s[t + k]
    out[i] = acc


def counted_turns(x, out):
    s = cuda.shared.array(128, int32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    acc, k = 0, t
    while k > 0:
        acc += s[k]
        k //= 2
    out[cuda.grid(1)] = acc


def _strides():
    for stride in (1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 31, 32, 33):
        yield Entry(
            f"shared_load_stride_{stride}",
            f"shared load, {stride} floats from lane to lane",
            load_stride,
            lambda stride=stride: [floats(CELLS), zeros(256), stride],
            block=64,
        )
    for stride in (1, 2, 7, 16, 32, 33):
        yield Entry(
            f"shared_store_stride_{stride}",
            f"shared store, {stride} floats from lane to lane",
            store_stride,
            lambda stride=stride: [floats(64), zeros(256), stride],
            block=64,
        )
    for stride in (1, 2, 3, 16):
        yield Entry(
            f"shared_doubles_stride_{stride}",
            f"shared doubles, {stride} from lane to lane",
            doubles,
            lambda stride=stride: [numbers(128, "float64"), zeros(512, dtype="float64"), stride],
        )


ENTRIES = (
    *_strides(),
    Entry(
        "shared_gather",
        "shared load by index",
        load_gather,
        lambda: [floats(CELLS), drawn(256, CELLS, 5), zeros(256)],
        block=64,
    ),
    Entry(
        "shared_gather_near",
        "shared load by index, 40 cells",
        load_gather,
        lambda: [floats(CELLS), drawn(256, 40, 6), zeros(256)],
        block=64,
    ),
    Entry(
        "shared_scatter",
        "shared store by a permutation",
        store_scatter,
        lambda: [floats(128), shuffled(128, 7), zeros(512)],
    ),
    Entry("shared_broadcast", "all lanes load one cell", broadcast, lambda: [floats(128), zeros(512)]),
    Entry("shared_masked_columns", "every third lane, 16 apart", masked_columns, lambda: [floats(CELLS), zeros(512)]),
    Entry(
        "shared_bytes_reversed",
        "four bytes a word",
        reversed_bytes,
        lambda: [numbers(128, "int8"), zeros(512, dtype="int8")],
    ),
    Entry(
        "shared_shorts_strided",
        "16-bit cells 8 bytes apart",
        strided_shorts,
        lambda: [numbers(128, "int16"), zeros(512, dtype="int16")],
    ),
    Entry(
        "shared_doubles_in_pairs",
        "two lanes a double",
        doubles_in_pairs,
        lambda: [numbers(128, "float64"), zeros(512, dtype="float64")],
    ),
    Entry(
        "shared_doubles_gathered",
        "doubles by index",
        doubles_gathered,
        lambda: [numbers(128, "float64"), drawn(512, 128, 8), zeros(512, dtype="float64")],
    ),
    Entry(
        "shared_complex64",
        "complex numbers of 8 bytes",
        complex_numbers,
        lambda: [numbers(128, "complex64"), zeros(512, dtype="complex64")],
    ),
    Entry(
        "shared_complex128",
        "complex numbers of 16 bytes",
        complex_doubles,
        lambda: [numbers(128, "complex128"), zeros(512, dtype="complex128")],
    ),
    Entry(
        "shared_doubles_masked",
        "doubles by index, lanes chosen by data",
        doubles_masked,
        lambda: [numbers(128, "float64"), drawn(512, 128, 9), zeros(512, dtype="float64")],
    ),
    Entry(
        "shared_halves_strided",
        "half floats, 3 from lane to lane",
        halves_strided,
        lambda: [numbers(128, "float16"), zeros(512, dtype="float16")],
    ),
    Entry(
        "constant_table",
        "a table in constant memory",
        constant_table,
        lambda: [drawn(512, 16, 10), zeros(512)],
    ),
    Entry(
        "shared_dynamic",
        "dynamic shared memory, stride 2",
        dynamic,
        lambda: [floats(128), zeros(512)],
        dynamic_shared_bytes=1024,
    ),
    Entry("shared_two_arrays", "two arrays, the first of 12 bytes", two_arrays, lambda: [floats(128), zeros(512)]),
    Entry("shared_running_window", "sum of a sliding window", running_window, lambda: [floats(520), zeros(512)]),
    Entry(
        "shared_counted_turns",
        "lanes leave a loop one by one",
        counted_turns,
        lambda: [numbers(128, "int32"), zeros(512, dtype="int64")],
    ),
)
