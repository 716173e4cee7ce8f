"""What unit 03 is about, on this GPU: strides, layouts and widths beside their sectors, caches by size, and a roofline.

    python benchmarks/bench_memory_access.py        writes memory_access.json and memory_levels.json
    python benchmarks/bench_memory_access.py --output DIR

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
from autograder.exercises.u03_memory_access import naive
from autograder.speed.ceilings import measured_gpu, profile_of
from autograder.speed.levels import SIZES_MIB, rates_gbs
from autograder.speed.probes import copy_four
from benchmarks import memory_kernels as versions
from benchmarks.queued_launches import milliseconds
from benchmarks.record import RESULTS, record

THREADS = 256
N = 1 << 26  # elements of a large array, 256 MiB
DT = np.float32(0.001)
SIDE, LAYER_SIDE = 8192, 2048  # of pictures
FLOAT = 4  # bytes
UNIT = "03_memory_access"
COLUMNS = ("what", "sectors per load request", "GB/s of wanted bytes", "time", "library")
LEVEL_COLUMNS = (
    "array",
    "its own again, 4 bytes at a time",
    "another block's, 4 bytes at a time",
    "another block's, 64 bytes at a time",
    "its own again, 64 bytes at a time",
)


def solutions() -> dict[str, Any]:
    """The unit's own kernels by name."""
    return {e.function: reference.solution_program(e).load()[1] for e in exercises.of_unit(UNIT)}


def blocks(n: int) -> int:
    """Blocks of THREADS threads that cover n."""
    return -(-n // THREADS)


def sectors(kernel: Any, launch: tuple, *arguments: Any) -> str:
    """Sectors per load request of one launch on small arrays, as the interpreter counts them."""
    counters = simt.trace(kernel, *launch, *arguments).counters
    return f"{counters['global_load_sectors'] / counters['global_load_requests']:.1f}"


def row(what: str, counted: str, n_bytes: float, time_ms: float, library: str = "") -> tuple[str, ...]:
    """One line of the table."""
    return what, counted, f"{n_bytes / time_ms / 1e6:,.0f}", f"{time_ms:.3f} ms", library


def beside(name: str, n_bytes: float, time_ms: float) -> str:
    """A library's figure, as in "torch.add: 4,380 GB/s"."""
    return f"{name}: {n_bytes / time_ms / 1e6:,.0f} GB/s"


def zeros(*shape: int) -> np.ndarray:
    """float32 zeros in host memory, small enough to trace."""
    return np.zeros(shape, np.float32)


def stride_rows(torch, own: dict) -> list[tuple]:
    """take_every for steps and starts, beside a strided copy of the library."""
    n = N
    src, dst = torch.rand(32 * n + 1, device="cuda"), torch.zeros(n, device="cuda")
    d_src, d_dst, kernel = cuda.as_cuda_array(src), cuda.as_cuda_array(dst), own["take_every"]
    rows = []
    for start, step in ((0, 1), (1, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 32)):
        time_ms = milliseconds(lambda a=start, b=step: kernel[blocks(n), THREADS](d_src, a, b, d_dst))
        wanted = src[start : start + n * step : step]
        assert torch.equal(wanted, dst), (start, step)
        library = milliseconds(lambda wanted=wanted: dst.copy_(wanted))
        counted = sectors(kernel, (4, THREADS), zeros(32 * 1024 + 1), start, step, zeros(1024))
        name = f"every element from {start} on" if step == 1 else f"a step of {step}"
        rows.append(row(name, counted, 2 * FLOAT * n, time_ms, beside("copy_", 2 * FLOAT * n, library)))
    return rows


def gather_rows(torch, own: dict) -> list[tuple]:
    """Random elements, then random rows of 128: a thread per row, and lanes along the row."""
    places = torch.randint(0, N, (N,), device="cuda", dtype=torch.int32)
    src, dst = torch.rand(N, device="cuda"), torch.zeros(N, device="cuda")
    d_src, d_places, d_dst = map(cuda.as_cuda_array, (src, places, dst))
    small = np.random.default_rng(1).integers(0, 1 << 16, 1024).astype(np.int32)
    time_ms = milliseconds(lambda: versions.gather_one[blocks(N), THREADS](d_src, d_places, d_dst))
    assert torch.equal(src[places.long()], dst)
    library = milliseconds(lambda: torch.index_select(src, 0, places, out=dst))
    counted = sectors(versions.gather_one, (4, THREADS), zeros(1 << 16), small, zeros(1024))
    rows = [row("random elements", counted, 3 * FLOAT * N, time_ms, beside("index_select", 3 * FLOAT * N, library))]
    n = min(N // 128, 1 << 18)  # rows: a grid is at most 65,535 blocks of eight of them high
    moved = 2 * FLOAT * 128 * n
    wanted = places[:n] % n
    table, out = src[: 128 * n].reshape(n, 128), dst[: 128 * n].reshape(n, 128)
    arguments = tuple(map(cuda.as_cuda_array, (table, wanted, out)))
    library = milliseconds(lambda: torch.index_select(table, 0, wanted, out=out))
    traced = zeros(600, 128), (small % 600)[:64], zeros(64, 128)
    along, wide = ((4, blocks(32 * n)), (32, 8)), ((1, blocks(32 * n)), (32, 8))
    small_along, small_wide = ((4, 8), (32, 8)), ((1, 8), (32, 8))
    spread = (torch.arange(n, device="cuda") * versions.SPREAD % n).int()
    for name, kernel, launch, small_launch, chosen in (
        ("random rows, a thread per row", naive.gather_a_row_each, (blocks(n), THREADS), (1, THREADS), wanted),
        ("random rows, lanes along the row", own["gather_rows"], along, small_along, wanted),
        ("spread rows, worked out without a load", versions.gather_worked_out, along, small_along, spread),
        ("random rows, four elements per thread", versions.gather_four_each, wide, small_wide, wanted),
        ("random rows, 16 bytes per lane", versions.gather_wide, wide, small_wide, wanted),
    ):
        out.zero_()
        time_ms = milliseconds(lambda k=kernel, at=launch: k[at](*arguments))
        assert torch.equal(table[chosen.long()], out), name
        counted = sectors(kernel, small_launch, *traced)
        rows.append(row(name, counted, moved, time_ms, beside("index_select", moved, library)))
    return rows


def layout_rows(torch, own: dict) -> list[tuple]:
    """Bodies as an array of structures and as a structure of arrays."""
    n, rows = N // 8, []
    for name, kernel, shape, small in (
        ("bodies, array of structures", versions.drift_aos, (n, 8), zeros(1024, 8)),
        ("bodies, structure of arrays", own["drift"], (8, n), zeros(8, 1024)),
    ):
        bodies = torch.rand(*shape, device="cuda")
        fields = bodies if shape[0] == 8 else bodies.T
        expected = fields[:3] + float(DT) * fields[4:7]
        d_bodies = cuda.as_cuda_array(bodies)
        kernel[blocks(n), THREADS](d_bodies, DT)
        assert torch.allclose(fields[:3], expected, atol=1e-6), name
        time_ms = milliseconds(lambda k=kernel, b=d_bodies: k[blocks(n), THREADS](b, DT))
        library = milliseconds(lambda f=fields: f[:3].add_(f[4:7], alpha=float(DT)))
        counted = sectors(kernel, (4, THREADS), small, DT)
        rows.append(row(name, counted, 36 * n, time_ms, beside("add_", 36 * n, library)))
    return rows


def copy_rows(torch, own: dict) -> list[tuple]:
    """Four elements a thread: in turn, loads first, 16 bytes at once, and four that are a block apart."""
    src, dst = torch.rand(N + 8, device="cuda"), torch.zeros(N, device="cuda")
    d_src, d_dst = cuda.as_cuda_array(src), cuda.as_cuda_array(dst)
    d_part = cuda.as_cuda_array(src[8:])
    library = beside("copy_", 2 * FLOAT * N, milliseconds(lambda: dst.copy_(src[8:])))
    small, out, launch = zeros(4104), zeros(4096), (blocks(N // 4), THREADS)
    rows = []
    for name, kernel, arguments, traced in (
        ("copy, 4 elements in turn", naive.copy_four_in_turn, (d_src, 8, d_dst), (small, 8, out)),
        ("copy, 4 loads first", versions.copy_four_loads_first, (d_part, d_dst), (small[8:], out)),
        ("copy, 16 bytes at once", own["copy_from"], (d_src, 8, d_dst), (small, 8, out)),
        ("copy, 4 loads a block apart", copy_four, (d_part, d_dst), (small[8:], out)),
    ):
        dst.zero_()
        time_ms = milliseconds(lambda k=kernel, a=arguments: k[launch](*a))
        assert torch.equal(src[8:], dst), name
        rows.append(row(name, sectors(kernel, (4, THREADS), *traced), 2 * FLOAT * N, time_ms, library))
    return rows


def column_rows(torch, own: dict) -> list[tuple]:
    """Sums of three rows: walking along, one thread per element, walking down."""
    side = SIDE
    src, dst = torch.rand(side, side, device="cuda"), torch.zeros(side, side, device="cuda")
    arguments = cuda.as_cuda_array(src), cuda.as_cuda_array(dst)
    ones = torch.ones((1, 1, 3, 1), device="cuda")
    conv = torch.nn.functional.conv2d
    expected = conv(src[None, None], ones, padding=(1, 0))[0, 0]
    library = beside("conv2d", 2 * FLOAT * side**2, milliseconds(lambda: conv(src[None, None], ones, padding=(1, 0))))
    rows, strips = [], (side // THREADS, side // 32)
    for name, kernel, launch, small_launch in (
        ("three rows, walking along a row", naive.box_along, (strips, THREADS), ((1, 2), 64)),
        (
            "three rows, a thread per element",
            versions.box_one_each,
            ((side // 32, side // 8), (32, 8)),
            ((2, 8), (32, 8)),
        ),
        ("three rows, walking down a column", own["box_down"], (strips, THREADS), ((1, 2), 64)),
    ):
        dst.zero_()
        time_ms = milliseconds(lambda k=kernel, at=launch: k[at](*arguments))
        assert torch.allclose(expected, dst, atol=1e-5), name
        counted = sectors(kernel, small_launch, zeros(64, 64), zeros(64, 64))
        rows.append(row(name, counted, 2 * FLOAT * side**2, time_ms, library))
    return rows


def layer_rows(torch, own: dict, peak_flops: float) -> list[tuple]:
    """Layers of 8 channels in and out: bytes that have to move per second, and flops in the name."""
    side, channels, rows = LAYER_SIDE, 8, []
    conv = torch.nn.functional.conv2d
    for k in (1, 3, 5):
        src = torch.rand(channels, side + k - 1, side + k - 1, device="cuda")
        weights = torch.rand(channels, channels, k, k, device="cuda")
        dst = torch.zeros(channels, side, side, device="cuda")
        arguments = tuple(map(cuda.as_cuda_array, (src, weights, dst)))
        launch = (side // 32, side // 8, channels), (32, 8, 1)
        time_ms = milliseconds(lambda at=launch, a=arguments: own["convolve"][at](*a))
        assert torch.allclose(conv(src[None], weights)[0], dst, rtol=1e-4), k
        library = milliseconds(lambda s=src, w=weights: conv(s[None], w))
        flops, n_bytes = 2 * channels**2 * k * k * side**2, FLOAT * (src.numel() + weights.numel() + dst.numel())
        rate = flops / time_ms / 1e9
        small = zeros(8, 8 + k - 1, 32 + k - 1), zeros(8, 8, k, k), zeros(8, 8, 32)
        counted = sectors(own["convolve"], ((1, 1, 8), (32, 8, 1)), *small)
        name = (
            f"{k} x {k} layer: {flops / n_bytes:.0f} flops per byte, {rate:.1f} Tflop/s, {1e12 * rate / peak_flops:.0%}"
        )
        rows.append(row(name, counted, n_bytes, time_ms, f"conv2d: {flops / library / 1e9:.1f} Tflop/s"))
    return rows


def levels_of(own: dict, l2_bytes: int) -> dict:
    """GB/s of reading arrays of growing size again and again: numbers for a picture, and the same as a table."""
    kernels = (own["read_again"], versions.read_next_block, versions.read_wide_next_block, versions.read_wide)
    rates = {name: rates_gbs(kernel, SIZES_MIB) for name, kernel in zip(LEVEL_COLUMNS[1:], kernels, strict=True)}
    rows = [(f"{size} MiB", *(f"{each[i]:,.0f} GB/s" for each in rates.values())) for i, size in enumerate(SIZES_MIB)]
    return {
        "columns": LEVEL_COLUMNS,
        "rows": rows,
        "sizes_mib": SIZES_MIB,
        "rates_gbs": rates,
        "l2_mib": l2_bytes >> 20,
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure and record. Returns 2 without a GPU or without torch."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for the two files")
    folder = parser.parse_args(arguments).output
    if not gpu_available():
        print("bench_memory_access needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    try:
        import torch
    except ImportError:
        print("bench_memory_access compares with torch, which is not installed.", file=sys.stderr)
        return 2
    torch.backends.cudnn.allow_tf32 = False  # results are compared
    own, gpu = solutions(), measured_gpu()
    rows: list[tuple] = []
    for measure in (stride_rows, gather_rows, layout_rows, copy_rows, column_rows):
        rows += measure(torch, own)
        torch.cuda.empty_cache()
    rows += layer_rows(torch, own, gpu.flops_per_s("float32"))
    profile = profile_of(gpu)
    record("memory_access", {"device": gpu.name, "columns": COLUMNS, "rows": rows, "profile": profile}, folder)
    levels = levels_of(own, gpu.l2_bytes)
    record("memory_levels", {"device": gpu.name, **levels}, folder)
    for line in [*rows, *levels["rows"]]:
        print(*line, sep=" | ")
    print(profile)
    return 0


if __name__ == "__main__":
    sys.exit(main())
