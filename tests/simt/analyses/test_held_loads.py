"""Loads that the compiler answers from a register are not counted: compared with the PTX that numba makes."""

import re

import numpy as np
import pytest
from numba import cuda, float32, int32, types

import simt
from autograder.lint.compiler import unavailable_reason

THREADS = 32
LOAD = re.compile(r"\bld\.(?:global|shared)\.")


def squared(x, out, n):
    i = cuda.grid(1)
    out[i] = x[i] * x[i]


def squared_shared(x, out, n):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    u = 31 - t
    out[t] = s[u] * s[u]


def condition_then_use(x, out, n):
    i = cuda.grid(1)
    if x[i] > 3:
        out[i] = x[i]


def guarded_twice(x, out, n):
    i = cuda.grid(1)
    a, b = float32(0), float32(0)
    if i < n:
        a = x[i]
    if i < n:
        b = x[i] * a
    out[i] = a + b


def store_to_shared_between(x, out, n):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    again = x[t]
    cuda.syncthreads()
    out[t] = s[31 - t] + again


def store_to_global_between(x, out, n):
    t = cuda.threadIdx.x
    out[t] = x[t]
    out[t + THREADS] = x[t]


def store_to_global_between_shared(x, out, n):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = x[t]
    cuda.syncthreads()
    u = 31 - t
    out[t] = s[u]
    out[t + THREADS] = s[u]


def shared_atomic_between(x, out, n):
    s = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    before = x[t]
    cuda.atomic.add(s, n % THREADS, 1)
    after = x[t]
    cuda.syncthreads()
    out[t] = s[31 - t] + before * after


def barrier_between(x, out, n):
    t = cuda.threadIdx.x
    before = x[t]
    cuda.syncthreads()
    out[t] = before + x[t]


def syncwarp_between(x, out, n):
    t = cuda.threadIdx.x
    before = x[t]
    cuda.syncwarp()
    out[t] = before + x[t]


def shuffle_between(x, out, n):
    t = cuda.threadIdx.x
    other = cuda.shfl_xor_sync(0xFFFFFFFF, x[t], 1)
    out[t] = other + x[t]


def vote_between(x, out, n):
    t = cuda.threadIdx.x
    ballot = cuda.ballot_sync(0xFFFFFFFF, x[t] > 1)
    out[t] = ballot + x[t]


def fence_between(x, out, n):
    t = cuda.threadIdx.x
    before = x[t]
    cuda.threadfence()
    out[t] = before + x[t]


def index_changed_between(x, out, n):
    k = cuda.threadIdx.x
    first = x[k]
    k += n
    out[k] = first + x[k]


KERNELS = (
    squared,
    squared_shared,
    condition_then_use,
    guarded_twice,
    store_to_shared_between,
    store_to_global_between,
    store_to_global_between_shared,
    shared_atomic_between,
    barrier_between,
    syncwarp_between,
    shuffle_between,
    vote_between,
    fence_between,
    index_changed_between,
)


@pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")
@pytest.mark.parametrize("kernel", KERNELS, ids=[kernel.__name__ for kernel in KERNELS])
def test_a_warp_loads_as_often_as_the_compiled_kernel_has_loads(kernel):
    ptx, _ = cuda.compile_ptx(kernel, types.void(float32[::1], float32[::1], types.int64), cc=(9, 0))
    x = np.arange(64, dtype=np.float32) + 4

    counters = simt.trace(kernel, 1, THREADS, x, np.zeros(128, np.float32), 32).counters

    assert len(LOAD.findall(ptx)) == counters["global_load_requests"] + counters["shared_load_requests"]


def test_bytes_are_what_the_threads_asked_for_all_the_same():
    counters = simt.trace(squared, 1, 32, np.ones(32, np.float32), np.zeros(32, np.float32), 32).counters

    assert (1, 256) == (counters["global_load_requests"], counters["global_load_bytes"])


def test_lanes_that_did_not_load_before_make_the_load_a_new_one():
    def some_then_all(x, out, n):
        i = cuda.grid(1)
        if i < n:
            out[64 + i] = 1
            first = x[i]
        else:
            first = x[0]
        out[i] = first + x[i]

    counters = simt.trace(some_then_all, 1, 32, np.ones(32, np.float32), np.zeros(128, np.float32), 16).counters

    assert 3 == counters["global_load_requests"]


def test_the_same_expression_in_the_next_turn_of_a_loop_is_a_new_load():
    def in_turns(x, out, n):
        i = cuda.grid(1)
        acc = float32(0)
        for _ in range(n):
            acc += x[i]
        out[i] = acc

    counters = simt.trace(in_turns, 1, 32, np.ones(32, np.float32), np.zeros(32, np.float32), 5).counters

    assert 5 == counters["global_load_requests"]
