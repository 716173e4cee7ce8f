"""Times the interpreter on small and large launches, plain and under every analysis, and prints a table.

    python benchmarks/bench_simt.py [--all]

Each kernel's result is checked against NumPy. Times are the best of three, in milliseconds, on one core. With --all,
traced launches, numba's own simulator and the memory of growing grids are measured too, and everything goes to
benchmarks/results/interpreter.json.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import simt
from benchmarks.record import record
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, int32

ROOT = Path(__file__).resolve().parent.parent
TILE = 16
BLOCK = 256
rng = np.random.default_rng(0)


class Bench(NamedTuple):
    """One launch. arguments: makes fresh arguments; right: whether they hold the result afterwards."""

    name: str
    kernel: Callable
    grid: tuple | int
    block: tuple | int
    arguments: Callable[[], tuple]
    right: Callable[[tuple], bool]


def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


def divergent_stride(src, turns, out):
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        value = src[i]
        k = 0
        while k < turns[i]:
            value = value * 0.5 + 1.0
            k += 1
        out[i] = value


def block_sum(src, out):
    tile = cuda.shared.array(BLOCK, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = src[i] if i < src.size else 0.0
    cuda.syncthreads()
    step = cuda.blockDim.x // 2
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


def matmul(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    col, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    acc = float32(0)
    for k in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = a[row, k + tx]
        tile_b[ty, tx] = b[k + ty, col]
        cuda.syncthreads()
        for j in range(TILE):
            acc += tile_a[ty, j] * tile_b[j, tx]
        cuda.syncthreads()
    c[row, col] = acc


def histogram(src, total):
    bins = cuda.shared.array(BLOCK, int32)
    t = cuda.threadIdx.x
    bins[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(bins, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(total, t, bins[t])


def warp_sum(src, out):
    i = cuda.grid(1)
    value = src[i]
    step = 16
    while step > 0:
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
        step //= 2
    if cuda.laneid == 0:
        out[i // 32] = value


def escape_time(x, y, turns):
    c = complex(x, y)
    z = 0.0j
    for k in range(turns):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return k
    return turns


def mandelbrot(image, turns):
    x, y = cuda.grid(2)
    if y < image.shape[0] and x < image.shape[1]:
        image[y, x] = escape_time(-2 + 3.0 * x / image.shape[1], -1 + 2.0 * y / image.shape[0], turns)


def floats(*shape):
    return rng.integers(-8, 8, shape).astype(np.float32)  # small integers: every order of adding gives the same bits


def add_bench(n):
    a, b = floats(n), floats(n)
    return Bench(
        f"vector add {n}", vector_add, -(-n // BLOCK), BLOCK, lambda: (a, b, np.zeros_like(a)),
        lambda args: np.array_equal(a + b, args[2]),
    )  # fmt: skip


def stride_bench(n, grid, block):
    src, turns = rng.standard_normal(n), rng.integers(0, 40, n)

    def right(args):
        value = src.copy()
        for k in range(40):
            value = np.where(k < turns, value * 0.5 + 1, value)
        return np.array_equal(value, args[2])

    return Bench(f"divergent grid stride {n}", divergent_stride, grid, block, lambda: (src, turns, np.zeros(n)), right)


def sum_bench(n):
    src = floats(n)
    return Bench(
        f"block sum {n}", block_sum, n // BLOCK, BLOCK, lambda: (src, np.zeros(n // BLOCK, np.float32)),
        lambda args: np.array_equal(src.reshape(-1, BLOCK).sum(axis=1), args[1]),
    )  # fmt: skip


def matmul_bench(n):
    a, b = floats(n, n), floats(n, n)
    return Bench(
        f"tiled matmul {n} x {n}", matmul, (n // TILE, n // TILE), (TILE, TILE),
        lambda: (a, b, np.zeros((n, n), np.float32)), lambda args: np.array_equal(a @ b, args[2]),
    )  # fmt: skip


def histogram_bench(n):
    src = rng.integers(0, BLOCK, n, dtype=np.intp)
    return Bench(
        f"histogram {n}", histogram, 16, BLOCK, lambda: (src, np.zeros(BLOCK, np.int32)),
        lambda args: np.array_equal(np.bincount(src, minlength=BLOCK), args[1]),
    )  # fmt: skip


def warp_bench(n):
    src = floats(n)
    return Bench(
        f"warp sum {n}", warp_sum, n // BLOCK, BLOCK, lambda: (src, np.zeros(n // 32, np.float32)),
        lambda args: np.array_equal(src.reshape(-1, 32).sum(axis=1), args[1]),
    )  # fmt: skip


def mandelbrot_bench(width, height, turns):
    def right(args):
        points = [(0, 0), (width // 2, height // 2), (width - 1, height // 3)]
        reference = [escape_time(-2 + 3.0 * x / width, -1 + 2.0 * y / height, turns) for x, y in points]
        return reference == [args[0][y, x] for x, y in points]

    grid = (math.ceil(width / 16), math.ceil(height / 16))
    return Bench(
        f"Mandelbrot {width} x {height} x {turns}", mandelbrot, grid, (16, 16),
        lambda: (np.zeros((height, width), np.int64), turns), right,
    )  # fmt: skip


def best_ms(bench: Bench, run: Callable) -> tuple[float, bool]:
    """Best time of three in milliseconds, and whether the last result is right."""
    times = []
    for _ in range(3):
        arguments = bench.arguments()
        start = time.perf_counter()
        run(bench.kernel, bench.grid, bench.block, *arguments)
        times.append(time.perf_counter() - start)
    return 1e3 * min(times), bench.right(arguments)


def main() -> int:
    """Print the table; the exit code is the number of wrong results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="trace every launch as well, and keep the figures")
    traced = parser.parse_args().all
    benches = [
        add_bench(4096), stride_bench(4096, 4, 128), sum_bench(4096), matmul_bench(64), histogram_bench(8192),
        warp_bench(4096), mandelbrot_bench(64, 48, 40), add_bench(1 << 20), stride_bench(1 << 20, 64, 256),
        sum_bench(1 << 20), matmul_bench(256), matmul_bench(512), histogram_bench(1 << 20), warp_bench(1 << 20),
        mandelbrot_bench(512, 384, 100),
    ]  # fmt: skip
    wrong, rows = 0, []
    print(f"{'launch':32s} {'plain ms':>10s}" + (f" {'traced ms':>10s}" if traced else ""))
    for bench in benches:
        plain, right = best_ms(bench, simt.launch)
        row = f"{bench.name:32s} {plain:10.2f}"
        rows.append({"launch": bench.name, "plain_ms": plain, "right": right})
        if traced:
            rows[-1]["traced_ms"] = best_ms(bench, simt.trace)[0]
            row += f" {rows[-1]['traced_ms']:10.1f}"
        print(row + ("" if right else "   WRONG"), flush=True)
        wrong += not right
    if traced:
        record("interpreter", {"rows": rows, "simulator": _simulator_rows(rows), "memory": _memory_rows()})
    return wrong


def _simulator_rows(rows: list[dict]) -> list[dict]:
    """The launches that numba's simulator ran too: its time, and how many times ours that is. Prints them."""
    from benchmarks import simulator

    plain = {row["launch"]: row["plain_ms"] for row in rows}
    compared = [
        {"launch": name, "simulator_ms": time_ms, "ratio": time_ms / plain[name]}
        for name, time_ms in simulator.times_ms().items()
    ]
    for row in compared:
        print(
            f"{row['launch']:32s} {row['simulator_ms']:10.1f} ms in numba's simulator, {row['ratio']:,.0f} times ours"
        )
    return compared


def _memory_rows() -> list[dict]:
    """Peaks of launches whose grid grows while their arrays do not. Prints them."""
    from benchmarks import launch_memory

    rows = launch_memory.rows()
    for row in rows:
        print(
            f"{row['blocks']:7,} blocks: at most {row['plain_peak_mb']:.1f} MB plain, "
            f"{row['traced_peak_mb']:.1f} MB traced, beside the arrays"
        )
    return rows


if __name__ == "__main__":
    sys.exit(main())
