"""What unit 05 is about, on this GPU: divergence by lane and by warp, and lanes that vote, shuffle and match.

    python benchmarks/bench_warps.py        writes benchmarks/results/warps.json
    python benchmarks/bench_warps.py --output DIR

The kernels are the unit's own solutions and the versions that they replace. Every result is compared with torch's,
which is timed in the same run. Times are medians of launches queued back to back, on arrays beyond the L2 cache.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numba import cuda

import simt
from autograder import exercises
from autograder.answer import reference
from autograder.backend import gpu_available
from autograder.exercises.u05_warps import naive
from benchmarks.queued_launches import milliseconds
from benchmarks.record import RESULTS, device_name, record
from benchmarks.warp_kernels import branch_kernels, transpose_shared

UNIT = "05_warps"
THREADS = 256
N = 1 << 26  # elements of a large array, 256 MiB
SIDE = 8192  # rows and columns of a large matrix
TURNS = (12, 1000)  # of the loops on both sides of a branch
N_KEYS = 1000
COLUMNS = ("what", "counted", "time", "GB/s of wanted bytes", "library in the same run")


def blocks(n: int) -> int:
    """Blocks of THREADS threads that cover n."""
    return -(-n // THREADS)


def row(what: str, counted: str, n_bytes: float, time_ms: float, library: str = "") -> tuple[str, ...]:
    """One line of the table."""
    return what, counted, f"{time_ms:.3f} ms", f"{n_bytes / time_ms / 1e6:,.0f}", library


def beside(name: str, time_ms: float) -> str:
    """A library's time, as in "torch.cumsum: 0.9 ms"."""
    return f"{name}: {time_ms:.3f} ms"


def counters(kernel: Any, *launch_and_arguments: Any) -> dict[str, float]:
    """Of one small launch, as the interpreter counts them."""
    return simt.trace(kernel, *launch_and_arguments).counters


def branch_rows(torch, own: dict) -> list[tuple]:
    """Two loops of few and of many iterations: chosen by lane, by warp, and with numbers in place of paths."""
    src, out = torch.randn(N, device="cuda"), torch.zeros(N, device="cuda")
    d_src, d_out = cuda.as_cuda_array(src), cuda.as_cuda_array(out)
    small = np.random.default_rng(5).standard_normal(1024).astype(np.float32)
    rows = []
    for turns in TURNS:
        results = {}
        for name, kernel in branch_kernels(turns).items():
            time_ms = milliseconds(lambda k=kernel: k[blocks(N), THREADS](d_src, d_out))
            results[name] = out.clone()
            counted = counters(kernel, 4, THREADS, small, np.zeros(1024, np.float32))
            lanes = counted["thread_instructions"] / counted["warp_instructions"]
            rows.append(
                row(f"{name.replace('_', ' ')}, {turns:,} iterations", f"{lanes:.1f} lanes at work", 8 * N, time_ms)
            )
        assert torch.allclose(results["a_loop_on_each_side"], results["numbers_chosen"], rtol=1e-5)
        assert torch.allclose(results["by_lane"], results["by_warp"], rtol=1e-4)
    return rows


def vote_rows(torch, own: dict) -> list[tuple]:
    """pack_bits and first_above, beside what torch has: a comparison that stores bytes, and argmax over it."""
    src = torch.randn(SIDE, SIDE, device="cuda")
    d_words, first = cuda.device_array(N // 32, np.uint32), torch.zeros(SIDE, dtype=torch.int32, device="cuda")
    flat, d_src = cuda.as_cuda_array(src.reshape(-1)), cuda.as_cuda_array(src)
    d_first = cuda.as_cuda_array(first)
    half, rare = np.float32(0.5), np.float32(3)
    time_ms = milliseconds(lambda: own["pack_bits"][blocks(N), THREADS](flat, half, d_words))
    bits = np.packbits((src > 0.5).cpu().numpy().reshape(-1), bitorder="little").view(np.uint32)
    assert (d_words.copy_to_host() == bits).all()
    library = beside("x > limit, a byte each", milliseconds(lambda: src > 0.5))
    rows = [row("pack_bits", "1 vote per 32 elements", 4 * N + N // 8, time_ms, library)]
    time_ms = milliseconds(lambda: own["first_above"][blocks(32 * SIDE), THREADS](d_src, rare, d_first))
    above = src > 3
    expected = torch.where(above.any(1), above.int().argmax(1), SIDE).int()
    assert torch.equal(expected, first)
    read = 4 * int((((first + 32) // 32 * 32).clamp(max=SIDE)).sum())
    library = beside("(x > limit).int().argmax(1)", milliseconds(lambda: (src > 3).int().argmax(1)))
    return [*rows, row("first_above", f"{read / (4 * N):.0%} of the matrix read", read, time_ms, library)]


def shuffle_rows(torch, own: dict) -> list[tuple]:
    """scan_rows and three transposes."""
    src, dst = torch.randn(SIDE, SIDE, device="cuda"), torch.zeros(SIDE, SIDE, device="cuda")
    arguments = cuda.as_cuda_array(src), cuda.as_cuda_array(dst)
    time_ms = milliseconds(lambda: own["scan_rows"][blocks(32 * SIDE), THREADS](*arguments))
    assert torch.allclose(src.cumsum(1), dst, atol=1e-2)
    library = beside("torch.cumsum(1)", milliseconds(lambda: torch.cumsum(src, 1, out=dst)))
    rows = [row("scan_rows", "6 shuffles per 32 columns", 8 * N, time_ms, library)]
    library = beside("x.t().contiguous()", milliseconds(lambda: src.t().contiguous()))
    strips = (SIDE // 32, SIDE // 64), (32, 8)
    for name, kernel, launch, small in (
        ("transpose, stores down a column", naive.transpose_directly, strips, ((2, 1), (32, 8))),
        ("transpose, through shared memory", transpose_shared, ((SIDE // 32,) * 2, (32, 8)), ((2, 2), (32, 8))),
        ("transpose, among registers", own["transpose_by_lanes"], strips, ((2, 1), (32, 8))),
    ):
        dst.zero_()
        time_ms = milliseconds(lambda k=kernel, at=launch: k[at](*arguments))
        assert torch.equal(src.T, dst), name
        counted = counters(kernel, *small, np.zeros((64, 64), np.float32), np.zeros((64, 64), np.float32))
        sectors = counted["global_store_sectors"] / counted["global_store_requests"]
        rows.append(row(name, f"{sectors:.0f} sectors per store request", 8 * N, time_ms, library))
    return rows


def match_rows(torch, own: dict) -> list[tuple]:
    """Counting keys of which few or many are different: an atomic for each key, and one for each group of a warp."""
    rows = []
    for distinct in (1, 4, 32, N_KEYS):
        keys = torch.randint(0, distinct, (N,), device="cuda", dtype=torch.int32)
        hist = torch.zeros(N_KEYS, device="cuda", dtype=torch.int32)
        d_keys, d_hist = cuda.as_cuda_array(keys), cuda.as_cuda_array(hist)
        expected = torch.bincount(keys, minlength=N_KEYS)
        library = beside("torch.bincount", milliseconds(lambda k=keys: torch.bincount(k, minlength=N_KEYS), 3))
        small = keys[:8192].cpu().numpy()
        for name, kernel in (
            ("an atomic per key", naive.count_one_by_one),
            ("matched first", own["count_matched"]),
        ):
            time_ms = milliseconds(lambda k=kernel, a=d_keys, h=d_hist: k[blocks(N), THREADS](a, h), 3)
            hist.zero_()
            kernel[blocks(N), THREADS](d_keys, d_hist)
            assert torch.equal(expected, hist.long()), (name, distinct)
            atomics = counters(kernel, 32, THREADS, small, np.zeros(N_KEYS, np.int32))["atomic_operations"]
            counted = f"{32 * atomics / small.size:.1f} atomics per warp"
            rows.append(row(f"{name}, {distinct:,} different keys", counted, 4 * N, time_ms, library))
    return rows


def main(arguments: list[str] | None = None) -> int:
    """Measure and record. Returns 2 without a GPU or without torch."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for the file")
    folder = parser.parse_args(arguments).output
    if not gpu_available():
        print("bench_warps needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    try:
        import torch
    except ImportError:
        print("bench_warps needs torch: every figure stands beside what a library does.", file=sys.stderr)
        return 2
    own = {e.function: reference.solution_program(e).load()[1] for e in exercises.of_unit(UNIT)}
    rows = [line for part in (branch_rows, vote_rows, shuffle_rows, match_rows) for line in part(torch, own)]
    device = device_name()
    record("warps", {"device": device, "columns": COLUMNS, "elements": N, "rows": rows}, folder)
    for line in rows:
        print(*line, sep="   ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
