"""The least time of a launch, held to arithmetic by hand and to times measured on a GPU."""

import numpy as np
import pytest

import simt
from simt.timing.gpus import GPUS
from simt.timing.roofline import Work, bound, bound_of, work_of
from tests.simt import kernels
from tests.simt.analyses.test_counted_arithmetic import TILE, matmul

T4, H200 = GPUS["t4"], GPUS["h200"]


def floats(*shape):
    return np.ones(shape, np.float32)


def test_memory_takes_its_bytes_over_the_bandwidth_and_what_l2_holds_back_need_not_be_written():
    n_bytes = 1 << 30

    found = bound(T4, Work(read_bytes=n_bytes, write_bytes=n_bytes))

    assert ("memory", True) == (found.limit.name, found.limit.certain)
    assert (2 * n_bytes - 4 * 2**20) / 320e9 * 1e6 == pytest.approx(found.time_us)
    assert "no kernel that moves these bytes can be faster on this GPU; yours may be slower" in found.says


def test_what_one_launch_leaves_in_l2_the_next_need_not_fetch():
    once, twice = (bound(T4, Work(1 << 30, 0, launches=launches)) for launches in (1, 2))

    assert 4 * 2**20 / 320e9 * 1e6 == pytest.approx(once.time_us - twice.time_us)


def test_a_large_product_is_limited_by_arithmetic_of_its_type():
    n = 4096
    moved = {"read_bytes": 8 * n * n, "write_bytes": 4 * n * n}

    single = bound(H200, Work(**moved, flops={"float32": 2 * n**3}))
    double = bound(H200, Work(**moved, flops={"float64": 2 * n**3}))

    assert ("float32 arithmetic", False, "arithmetic") == (single.limit.name, single.limit.certain, single.side)
    assert 2 * n**3 / 66.9e12 * 1e6 == pytest.approx(single.time_us, rel=0.01)
    assert 2 * single.time_us == pytest.approx(double.time_us)
    assert (12 * n * n - 50 * 2**20) / 4.8e12 * 1e6 == pytest.approx(single.certain_us)
    assert "a compiler that leaves some of it out" in single.says


def test_the_ridge_is_where_both_take_as_long():
    below = bound(T4, Work(10**9, 0, {"float32": int(0.99e9 * T4.ridge("float32"))}))
    above = bound(T4, Work(10**9, 0, {"float32": int(1.01e9 * T4.ridge("float32"))}))

    assert ("memory", "memory") == (below.side, below.limit.name)
    assert ("arithmetic", "float32 arithmetic") == (above.side, above.limit.name)


def test_few_blocks_use_few_multiprocessors():
    work = {"read_bytes": 0, "write_bytes": 0, "flops": {"float32": 10**9}, "shared_wavefronts": 10**6}

    assert 132 * bound(H200, Work(**work)).time_us == pytest.approx(bound(H200, Work(**work, blocks=1)).time_us)
    assert bound(H200, Work(**work)).time_us == bound(H200, Work(**work, blocks=10**6)).time_us


def test_the_work_of_a_trace_is_what_it_counted():
    n = 64
    trace = simt.trace(matmul, (n // TILE, n // TILE), (TILE, TILE), floats(n, n), floats(n, n), np.zeros((n, n), "f4"))

    work = work_of(trace)

    assert (8 * n * n, 4 * n * n, n * n // 64) == (work.read_bytes, work.write_bytes, work.blocks)
    assert ({"float32": 2 * n**3, "float64": 0, "float16": 0, "tensor": 0}, "float32") == (work.flops, work.dtype)
    assert 2 * n**3 / (12 * n * n) == work.intensity
    assert (
        trace.counters["shared_load_wavefronts"] + trace.counters["shared_store_wavefronts"] == work.shared_wavefronts
    )


def test_one_call_bounds_a_trace_and_prints_as_text():
    trace = simt.trace(kernels.guarded_add, 4, 256, floats(1024), floats(1024), floats(1024))

    assert bound(H200, work_of(trace)) == bound_of(trace, "h200") == bound_of(trace, H200)
    assert str(bound_of(trace, "h200")).startswith("Time on H200 SXM: at least 0.0121 us, because of L1 cache.")


def test_a_bound_of_nothing_is_nothing_and_reads_as_data():
    empty = bound(T4, Work(0, 0))

    assert (0.0, None, "memory") == (empty.time_us, empty.limit, empty.side)
    document = bound(T4, work_of(simt.trace(kernels.guarded_add, 4, 256, floats(1024), floats(1024), floats(1024))))
    assert {"gpu", "time_us", "certain_us", "limit", "says", "terms", "side"} <= document.to_json().keys()
    assert document.fits_l2
