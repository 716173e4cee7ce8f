"""Atomics on shared memory: every operation, result used or not, from 64 cells to one."""

from __future__ import annotations

from numba import cuda, float32, float64, int32, int64, uint32

from tests.zoo.atomics import BINS, CONTENTION
from tests.zoo.entry import Entry, drawn, numbers, zeros


def one_shared_cell_add(x, out):
    s = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        s[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, 0, x[cuda.grid(1)])
    cuda.syncthreads()
    out[cuda.grid(1)] = s[0]


def one_shared_cell_add_one(x, out):
    s = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        s[0] = 0
    cuda.syncthreads()
    if x[cuda.grid(1)] > 2:
        cuda.atomic.add(s, 0, 1)
    cuda.syncthreads()
    out[cuda.grid(1)] = s[0]


def one_shared_cell_place(x, out):
    s = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        s[0] = 0
    cuda.syncthreads()
    if x[cuda.grid(1)] > 2:
        out[cuda.grid(1)] = cuda.atomic.add(s, 0, 1)


def one_shared_cell_or(x, out):
    s = cuda.shared.array(1, uint32)
    if cuda.threadIdx.x == 0:
        s[0] = 0
    cuda.syncthreads()
    cuda.atomic.or_(s, 0, x[cuda.grid(1)])
    cuda.syncthreads()
    out[cuda.grid(1)] = s[0]


def shared_matrix_add(x, out):
    s = cuda.shared.array((4, 16), int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t // 16, t % 16] = 0
    cuda.syncthreads()
    if t % 3 < 2:
        cuda.atomic.add(s, (t % 4, x[cuda.grid(1)]), t)
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t // 16, t % 16]


def shared_add(where, x, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, where[cuda.grid(1)], x[cuda.grid(1)])
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_add_one(where, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, where[cuda.grid(1)], 1)
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_add_used(where, x, before, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    before[cuda.grid(1)] = cuda.atomic.add(s, where[cuda.grid(1)], x[cuda.grid(1)])
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_maximum(where, x, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.max(s, where[cuda.grid(1)], x[cuda.grid(1)])
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_bits_or(where, x, out):
    s = cuda.shared.array(BINS, uint32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.or_(s, where[cuda.grid(1)], x[cuda.grid(1)])
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_exchange(where, x, before, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    before[cuda.grid(1)] = cuda.atomic.exch(s, where[cuda.grid(1)], x[cuda.grid(1)])
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_compare_and_swap(where, before, out):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    before[cuda.grid(1)] = cuda.atomic.cas(s, where[cuda.grid(1)], 0, t + 1)
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_add_int64(where, x, out):
    s = cuda.shared.array(BINS, int64)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    cuda.atomic.add(s, where[cuda.grid(1)], x[cuda.grid(1)])
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_add_float32(where, x, out):
    s = cuda.shared.array(BINS, float32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = float32(0)
    cuda.syncthreads()
    cuda.atomic.add(s, where[cuda.grid(1)], x[cuda.grid(1)])
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def shared_add_float64(where, x, out):
    s = cuda.shared.array(BINS, float64)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0.0
    cuda.syncthreads()
    cuda.atomic.add(s, where[cuda.grid(1)], x[cuda.grid(1)])
    cuda.syncthreads()
    if t < BINS:
        out[cuda.blockIdx.x, t] = s[t]


def _shared():
    for name, about, where in CONTENTION[2:]:
        for kernel in (shared_add, shared_maximum, shared_add_int64, shared_add_float32, shared_add_float64):
            dtype = kernel.__name__.split("_")[-1] if kernel.__name__[-1].isdigit() else "int32"
            yield Entry(
                f"{kernel.__name__}_{name}",
                f"shared {kernel.__name__.split('_')[1]} of {dtype} on {about}",
                kernel,
                lambda where=where, dtype=dtype: [where(), numbers(512, dtype), zeros(4, BINS, dtype=dtype)],
            )
        yield Entry(
            f"shared_add_one_{name}",
            f"shared add of 1 to {about}",
            shared_add_one,
            lambda where=where: [where(), zeros(4, BINS, dtype="int32")],
        )
        for kernel in (shared_add_used, shared_exchange):
            yield Entry(
                f"{kernel.__name__}_{name}",
                f"{kernel.__name__.replace('_', ' ')} on {about}",
                kernel,
                lambda where=where: [
                    where(),
                    numbers(512, "int32"),
                    zeros(512, dtype="int32"),
                    zeros(4, BINS, dtype="int32"),
                ],
            )
        yield Entry(
            f"shared_compare_and_swap_{name}",
            f"shared compare and swap on {about}",
            shared_compare_and_swap,
            lambda where=where: [where(), zeros(512, dtype="int32"), zeros(4, BINS, dtype="int32")],
        )
    yield Entry(
        "shared_bits_or",
        "shared or on 64 cells",
        shared_bits_or,
        lambda: [drawn(512, BINS, 2), numbers(512, "uint32"), zeros(4, BINS, dtype="uint32")],
    )
    yield Entry(
        "shared_matrix_add",
        "add to a shared matrix by some lanes",
        shared_matrix_add,
        lambda: [drawn(512, 16, 15), zeros(4, BINS, dtype="int32")],
    )
    for kernel in (one_shared_cell_add, one_shared_cell_add_one, one_shared_cell_place, one_shared_cell_or):
        yield Entry(
            kernel.__name__,
            kernel.__name__.replace("_", " "),
            kernel,
            lambda: [numbers(512, "uint32"), zeros(512, dtype="uint32")],
        )


ENTRIES = tuple(_shared())
