"""What unit 11 says of time, measured here: timing, occupancy, chains, latency, widths, one job three ways.

    python benchmarks/bench_performance.py [--output DIR]       writes performance.json, into benchmarks/results

Medians between events after a warm-up, unless a row says otherwise. Takes less than a minute.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numba import cuda, float32, float64, njit, prange

from autograder.backend import gpu_available, prepare
from benchmarks import performance_kernels as kernels
from benchmarks.performance_clocks import events_us, host_us, median_us
from benchmarks.performance_latency import latency
from benchmarks.record import RESULTS, device_name, record

THREADS = 256
SMALL, LARGE = 1 << 20, 1 << 28  # elements
TURNS = 65_536  # of an arithmetic loop: long beside what a launch takes
IDLE_S, BUSY_S = 1.5, 0.5

Rows = list[tuple[Any, ...]]


def blocks_for(n: int) -> int:
    """Blocks of THREADS threads that cover n elements."""
    return -(-n // THREADS)


def timing() -> dict[str, Any]:
    """One small launch, by stopwatches that lie and one that does not."""
    x = np.ones(SMALL, np.float32)
    d_x, d_out = cuda.to_device(x), cuda.device_array(SMALL, np.float32)
    launch = kernels.scale[blocks_for(SMALL), THREADS]

    def one() -> None:
        launch(d_x, d_out)

    def there_and_back() -> None:
        there = cuda.to_device(x)
        launch(there, d_out)
        d_out.copy_to_host(x)

    began = time.perf_counter()
    one()
    cuda.synchronize()
    first = 1e6 * (time.perf_counter() - began)
    alone, queued = events_us(one, rounds=500), behind_a_long_kernel(one)
    rows = [
        ("the first launch, which compiles", first),
        ("the host's clock, without waiting", host_us(one, 200, wait=False)),
        ("the host's clock, waiting", host_us(one, 200)),
        ("the host's clock, copies up and down included", host_us(there_and_back, 20)),
        ("events around each launch: median of 500", statistics.median(alone)),
        ("events around each launch: mean of 500", statistics.fmean(alone)),
        ("events around each launch: largest of 500", max(alone)),
        ("events, the queue kept full: median of 100", statistics.median(queued)),
        ("events, the queue kept full: largest of 100", max(queued)),
    ]
    return {"columns": ["one launch of scale, 2^20 elements", "µs"], "rows": [*micro(rows), *micro(clock_rows())]}


def behind_a_long_kernel(action: Callable[[], object]) -> list[float]:
    """Microseconds of each of 100 calls that were all asked for while the device was busy with something else."""
    keep_busy = long_kernel()
    for _ in range(5):
        keep_busy()
    return events_us(action, rounds=100)


def long_kernel() -> Callable[[], None]:
    """A launch that fills the device with arithmetic for milliseconds."""
    n_sm, work = cuda.get_current_device().MULTIPROCESSOR_COUNT, kernels.chains(8)
    out = cuda.device_array(n_sm * 2048, np.float32)
    return lambda: work[8 * n_sm, THREADS](np.float32(0.5), np.float32(1), TURNS, out)


def clock_rows() -> Rows:
    """The same arithmetic after idling and after working: the clock of the GPU is not always the same."""
    one = long_kernel()
    one()
    cuda.synchronize()
    time.sleep(IDLE_S)
    idle = events_us(one, rounds=3, warm_ups=0)
    until = time.perf_counter() + BUSY_S
    while time.perf_counter() < until:
        one()
        cuda.synchronize()
    return [
        (f"arithmetic, first launch after {IDLE_S:g} s of idling", idle[0]),
        (f"arithmetic, after {BUSY_S:g} s of work", median_us(one)),
    ]


def occupancy() -> dict[str, Any]:
    """Copies and arithmetic at one to eight resident blocks of 256 per multiprocessor."""
    n_sm = cuda.get_current_device().MULTIPROCESSOR_COUNT
    n = LARGE // (4 * 8 * n_sm * THREADS) * (4 * 8 * n_sm * THREADS)
    x, out = cuda.device_array(n, np.float32), cuda.device_array(n, np.float32)
    one_chain, four_chains = kernels.chains(1), kernels.chains(4)
    rows: Rows = []
    fastest = 0.0
    for per_sm in (1, 2, 4, 8):
        grid = n_sm * per_sm
        rates = [
            8e-3 * n / median_us(lambda kernel=kernel, grid=grid: kernel[grid, THREADS](x, out))
            for kernel in (kernels.copy_one, kernels.copy_four)
        ]
        flops = [tera_flops(kernel, count, grid, THREADS, out) for kernel, count in ((one_chain, 1), (four_chains, 4))]
        fastest = max(fastest, *rates)
        cells = [f"{rate:,.0f}" for rate in rates] + [f"{one:.1f}" for one in flops]
        rows.append((8 * per_sm, f"{per_sm / 8:.0%}", *cells))
    columns = ["warps per SM", "occupancy", "copy, GB/s", "copy, four loads first, GB/s"]
    columns += ["one chain, TFLOP/s", "four chains, TFLOP/s"]
    return {"columns": columns, "rows": rows, "copy_gbs": round(fastest)}


def tera_flops(kernel: Callable, count: int, grid: int, threads: int, out: Any, dtype: Any = np.float32) -> float:
    """TFLOP/s of a kernel of `chains`: two operations per step of a value."""
    time_us = median_us(lambda: kernel[grid, threads](dtype(0.5), dtype(1), TURNS, out))
    return 2e-6 * count * TURNS * grid * threads / time_us


def chains() -> dict[str, Any]:
    """One to eight running values per thread, on few warps and on many; and running totals of a sum."""
    n_sm = cuda.get_current_device().MULTIPROCESSOR_COUNT
    out = cuda.device_array(n_sm * 2048, np.float32)
    src = cuda.to_device(np.ones(LARGE // (8 * n_sm * 512) * (8 * n_sm * 512), np.float32))
    rows: Rows = []
    for count in kernels.CHAINS:
        keep, add_up = kernels.chains(count), kernels.sums(count)
        flops = [
            tera_flops(keep, count, n_sm * blocks, threads, out) for blocks, threads in ((1, 128), (2, 256), (8, 256))
        ]
        summed = median_us(lambda add_up=add_up: add_up[n_sm * 2, 256](src, out))
        assert float(out[: n_sm * 512].copy_to_host().sum(dtype=np.float64)) == src.size
        rows.append((count, *(f"{one:.1f}" for one in flops), f"{4e-3 * src.size / summed:,.0f}"))
    columns = ["values per thread", *(f"{warps} warps per SM, TFLOP/s" for warps in (4, 16, 64))]
    return {"columns": [*columns, "sum, 16 warps per SM, GB/s"], "rows": rows}


def widths() -> dict[str, Any]:
    """Arithmetic in float32 and float64; the draft of the rung, half mended and mended."""
    n_sm, n, n_cols = cuda.get_current_device().MULTIPROCESSOR_COUNT, 1 << 26, 1000
    src = cuda.to_device(np.random.default_rng(1).standard_normal(n, np.float32))
    of_column = [cuda.to_device(np.ones(n_cols, np.float32)) for _ in range(2)]
    out = cuda.device_array(n, np.float32)
    results, rows = [], []
    for dtype, numpy_dtype in ((float32, np.float32), (float64, np.float64)):
        room = cuda.device_array(n_sm * 2048, numpy_dtype)
        rate = tera_flops(kernels.chains(8, dtype), 8, n_sm * 8, THREADS, room, numpy_dtype)
        rows.append((f"multiply-adds in {dtype}", f"{rate:.1f} TFLOP/s"))
    for name, kernel in (
        ("the draft: float64 and a 64-bit remainder", kernels.wide),
        ("float32, and a 64-bit remainder", kernels.wide_integers),
        ("float32, and a 32-bit remainder", kernels.narrow),
    ):
        time_us = median_us(lambda kernel=kernel: kernel[blocks_for(n), THREADS](src, *of_column, n_cols, out))
        results.append(out.copy_to_host())
        rows.append((name, f"{8e-3 * n / time_us:,.0f} GB/s"))
    assert all(np.array_equal(results[0], other) for other in results)
    return {"columns": ["what", "rate"], "rows": rows}


@njit(parallel=True)
def norm_on_cores(x, y, out):
    """out = the length of (x, y), on all cores."""
    for i in prange(out.size):
        out[i] = (x[i] * x[i] + y[i] * y[i]) ** float32(0.5)


def ways() -> dict[str, Any]:
    """One job in NumPy, on all cores, and on the GPU with its copies and without; torch on the GPU beside it."""
    rows: Rows = []
    for power in (12, 16, 20, 24, 26):
        n = 1 << power
        x, y = np.random.default_rng(1).random((2, n), np.float32)
        out, pinned = np.empty_like(x), cuda.pinned_array(n, np.float32)
        on_gpu = [cuda.to_device(one) for one in (x, y, out)]
        times = [
            host_us(lambda x=x, y=y, out=out: np.sqrt(x * x + y * y, out=out), 5),
            host_us(lambda x=x, y=y, out=out: norm_on_cores(x, y, out), 5),
            host_us(lambda n=n, on_gpu=on_gpu: kernels.norm[blocks_for(n), THREADS](*on_gpu)),
            host_us(lambda n=n, x=x, y=y, d=on_gpu, p=pinned: there_and_back(n, x, y, d, p), 5),
            torch_us(x, y),
        ]
        assert np.allclose(pinned, np.sqrt(x * x + y * y), rtol=1e-5)
        rows.append((f"2^{power}", *(f"{one:,.0f}" if one else "" for one in times)))
    names = ("NumPy", "all cores", "GPU, data there", "GPU with copies", "torch, data there")
    columns = ["elements", *(f"{name}, µs" for name in names)]
    return {"columns": columns, "rows": rows}


def there_and_back(n: int, x: np.ndarray, y: np.ndarray, on_gpu: list, result: np.ndarray) -> None:
    """Copy both arrays up, compute, and copy the result down."""
    on_gpu[0].copy_to_device(x)
    on_gpu[1].copy_to_device(y)
    kernels.norm[blocks_for(n), THREADS](*on_gpu)
    on_gpu[2].copy_to_host(result)


def torch_us(x: np.ndarray, y: np.ndarray) -> float:
    """The time of torch.hypot on the GPU; 0.0 where torch is not installed."""
    try:
        import torch
    except ImportError:
        return 0.0
    a, b = (torch.as_tensor(one, device="cuda") for one in (x, y))
    return host_us(lambda: (torch.hypot(a, b), torch.cuda.synchronize()))


def micro(rows: Rows) -> Rows:
    """Times as text, with as many digits as they bear."""
    return [(name, f"{value:,.0f}" if value >= 100 else f"{value:.1f}") for name, value in rows]


PARTS = {f.__name__: f for f in (timing, occupancy, chains, latency, widths, ways)}


def main() -> int:
    """Measure, record and print. Returns 2 without a GPU."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for performance.json")
    options = parser.parse_args()
    if not gpu_available():
        print("bench_performance needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    prepare()  # no warnings of few blocks: they are what some rows are about
    measured: dict[str, Any] = {"device": device_name(), "parts": {}}
    for part, measure in PARTS.items():
        began = time.perf_counter()
        measured["parts"][part] = measure()
        record("performance", measured, options.output)  # a later part that fails takes nothing along
        print(f"-- {part}, {time.perf_counter() - began:.1f} s", flush=True)
    for part in measured["parts"].values():
        for row in (part["columns"], *part["rows"]):
            print(*row, sep=" | ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
