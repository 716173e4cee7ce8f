"""What unit 08 gains on this GPU: histograms of 2^28 bytes, the course's and others, beside torch's in the same run.

    python benchmarks/bench_atomics.py [--output DIR]      writes DIR/atomics.json, benchmarks/results by default

Each way counts bytes of which every value is equally common, and bytes that are all equal. It is checked on the device
against torch.bincount before it is timed; a time is that of several calls in a row, between two events, over their
number, and a call clears its counters.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from numba import cuda

from autograder.backend import gpu_available
from benchmarks import atomic_kernels as ways
from benchmarks.bench_scan import course, milliseconds
from benchmarks.record import RESULTS, record

N_BYTES = 1 << 28
BINS = 256
FILL = (  # what is tried beside the course's: name, kernel, threads, blocks
    ("per warp, 8 warps", lambda: ways.per_warp(256), 256, 1056),
    ("a copy per lane, 1 word at a time", lambda: ways.per_lane(512, 1), 512, 528),
    ("a copy per lane, 4 words at a time", lambda: ways.per_lane(512, 4), 512, 528),
    ("a copy per lane, 4 words at a time, 1,024 threads", lambda: ways.per_lane(1024, 4), 1024, 264),
    ("a copy per lane, 8 words at a time, 256 threads", lambda: ways.per_lane(256, 8), 256, 792),
    ("a copy per lane, 8 words at a time", lambda: ways.per_lane(512, 8), 512, 528),
    ("equal lanes agree first", lambda: ways.agreed(256, 8), 256, 1056),
    ("equal words of a warp at once, 8 copies", lambda: ways.adaptive(256, 8, 4), 256, 1056),
    ("equal words of a warp at once, 4 copies", lambda: ways.adaptive(512, 4, 4), 512, 528),
    ("256 private counters per thread, 128 threads", lambda: ways.private(128, 4), 128, 792),
    ("256 private counters per thread, 64 threads", lambda: ways.private(64, 4), 64, 1584),
)
DATA = ("even", "one value")


class Counted:
    """The bytes of one kind, the right counts, and the counters that every way fills."""

    def __init__(self, torch, kind: str) -> None:
        if kind == "even":
            self.data = torch.randint(0, BINS, (N_BYTES,), device="cuda", dtype=torch.uint8)
        else:
            self.data = torch.full((N_BYTES,), 7, device="cuda", dtype=torch.uint8)
        self.torch = torch
        self.expected = torch.bincount(self.data, minlength=BINS).to(torch.int32)
        self.hist = torch.zeros(BINS, device="cuda", dtype=torch.int32)
        self.src, self.counters = cuda.as_cuda_array(self.data), cuda.as_cuda_array(self.hist)
        self.words = self.src.view(np.uint32)

    def time_of(self, kernel, launch: tuple[int, int], of_words: bool) -> float | str:
        """Milliseconds of a call, or why there are none."""
        source = self.words if of_words else self.src

        def call() -> None:
            self.hist.zero_()
            kernel[launch](source, self.counters)

        try:
            call()
            cuda.synchronize()
            if not self.torch.equal(self.hist, self.expected):
                return "wrong"
            return milliseconds(call)
        except Exception as error:  # the other ways are still worth knowing
            return f"{type(error).__name__}: {str(error)[:60]}"


def libraries(torch, counted: Counted) -> list[tuple[str, Callable[[], object]]]:
    """torch's two ways to count; histc of the same numbers as floats, which is what it takes."""
    floats = counted.data.float()
    return [
        ("torch.bincount", lambda: torch.bincount(counted.data, minlength=BINS)),
        ("torch.histc of float32", lambda: torch.histc(floats, BINS, 0, BINS)),
    ]


def ours() -> list[tuple[str, object, tuple[int, int], bool]]:
    """Name, kernel, (blocks, threads) and whether it takes words: the course's answers, then the others."""
    by_course = [
        ("the course's: global", course("atomics.histogram_global"), (N_BYTES // 256, 256), False),
        ("the course's: per block", course("atomics.histogram_shared"), (1056, 256), False),
        ("the course's: a copy per lane", course("atomics.histogram_copies"), (528, 512), True),
    ]
    return by_course + [(name, make(), (blocks, threads), True) for name, make, threads, blocks in FILL]


def rows_of(torch) -> list[list[str]]:
    """A row per way: milliseconds, GB/s and how many times as fast as torch.bincount, for each kind of data."""
    cells: dict[str, list[str]] = {}
    kernels = ours()
    for kind in DATA:
        counted = Counted(torch, kind)
        times: dict[str, float | str] = {name: milliseconds(call) for name, call in libraries(torch, counted)}
        base = times["torch.bincount"]
        for name, kernel, launch, of_words in kernels:
            times[name] = counted.time_of(kernel, launch, of_words)
            print(kind, name, times[name], flush=True)
        for name, time in times.items():
            known = not isinstance(time, str)
            shown = [f"{time:.3f}", f"{1e-6 * N_BYTES / time:,.0f}", f"{base / time:.1f}"] if known else [time, "", ""]
            cells.setdefault(name, []).extend(shown)
    return [[name, *shown] for name, shown in cells.items()]


def main(arguments: list[str] | None = None) -> int:
    """Measure and record. Returns 2 where there is no GPU, or no torch."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder that atomics.json goes to")
    folder = parser.parse_args(arguments).output
    if not gpu_available():
        print("bench_atomics needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    try:
        import torch
    except ImportError:
        print("bench_atomics compares with torch: python -m pip install torch", file=sys.stderr)
        return 2
    rows = rows_of(torch)
    name = cuda.get_current_device().name
    device = name.decode() if isinstance(name, bytes) else str(name)
    columns = ["256 bins, 2^28 bytes", *(f"{kind}: {what}" for kind in DATA for what in ("ms", "GB/s", "x bincount"))]
    record("atomics", {"device": device, "columns": columns, "bytes": N_BYTES, "rows": rows}, folder)
    print()
    for row in rows:
        print("   ".join(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
