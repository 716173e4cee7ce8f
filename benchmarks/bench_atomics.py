"""What unit 08 gains on this GPU: histograms of 2^28 bytes, the course's and others, beside torch's in the same run.

    python benchmarks/bench_atomics.py [--output DIR] [--parts bytes,codes,pairs]

Writes DIR/atomics.json, benchmarks/results by default; parts that are not measured stay as they were there. *bytes*:
each way counts bytes of which every value is equally common, and bytes that are all equal. *codes*: the same for codes
below 4,096, and for codes of which nine in ten are one. *pairs*: the largest number with its index, under a lock and in
one word. Everything is checked on the device before it is timed; a time is that of several calls in a row, between two
events, over their number, and a call clears what it counts in.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from numba import cuda

from autograder.backend import gpu_available
from benchmarks import atomic_kernels as ways
from benchmarks.bench_scan import course, milliseconds
from benchmarks.record import RESULTS, device_name, record

N_BYTES = 1 << 28
N_CODES = 1 << 27
N_NUMBERS = (1 << 16, 1 << 20, 1 << 24)
BINS, CODES = 256, 4096
CODE_KINDS = ("even", "nine in ten alike", "one value")
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


def codes_of(torch, kind: str):
    """2^27 codes below 4,096: equally common, nine in ten of them 17, or all of them 17."""
    codes = torch.randint(0, CODES, (N_CODES,), device="cuda", dtype=torch.int32)
    if kind != "even":
        codes[torch.rand(N_CODES, device="cuda") < (0.9 if kind == "nine in ten alike" else 2)] = 17
    return codes.to(torch.int16)  # torch has no uint16 that bincount takes; the bits are the same


def code_times(torch, kind: str, kernels: dict) -> dict[str, float | str]:
    """Milliseconds of each way for one kind of data, or "wrong"."""
    data = codes_of(torch, kind)
    wide = data.to(torch.int32)
    expected = torch.bincount(wide, minlength=CODES).to(torch.int32)
    hist = torch.zeros(CODES, device="cuda", dtype=torch.int32)
    codes, counters = cuda.as_cuda_array(data).view(np.uint16), cuda.as_cuda_array(hist)

    def count(kernel) -> None:
        hist.zero_()
        kernel[1056, 256](codes, counters)

    times: dict[str, float | str] = {"torch.bincount of int32": milliseconds(lambda: torch.bincount(wide))}
    for name, kernel in kernels.items():
        count(kernel)
        cuda.synchronize()
        times[name] = milliseconds(partial(count, kernel)) if torch.equal(hist, expected) else "wrong"
    return times


def code_rows(torch) -> list[list[str]]:
    """A row per way to count codes: milliseconds and GB/s, for each kind of data."""
    kernels = {
        "an atomic per code": ways.codes_plainly,
        "the course's: who agrees with lane 0": course("atomics.histogram_adaptive"),
        "equal lanes agree first": ways.codes_agreed,
    }
    cells: dict[str, list[str]] = {}
    for kind in CODE_KINDS:
        for name, time in code_times(torch, kind, kernels).items():
            known = not isinstance(time, str)
            cells.setdefault(name, []).extend([f"{time:.3f}", f"{2e-6 * N_CODES / time:,.0f}"] if known else [time, ""])
    return [[name, *shown] for name, shown in cells.items()]


def pair_rows(torch) -> list[list[str]]:
    """The largest of some numbers and its lowest index: a block brings its own best under a lock, or in one word."""
    rows = []
    for n in N_NUMBERS:
        x = torch.randn(n, device="cuda")
        place = int(x.argmax())
        lock, index = (torch.zeros(1, device="cuda", dtype=torch.int32) for _ in range(2))
        value, best = torch.zeros(1, device="cuda"), torch.zeros(1, device="cuda", dtype=torch.int64)
        src, blocks = cuda.as_cuda_array(x), -(-n // 256)
        cells = [cuda.as_cuda_array(one) for one in (lock, value, index)]
        word = cuda.as_cuda_array(best)
        under_lock, packed = course("atomics.best_under_lock"), course("atomics.best_packed")

        def locked(src=src, cells=cells, value=value, index=index, blocks=blocks, kernel=under_lock) -> None:
            value.fill_(-float("inf"))
            index.fill_(2**31 - 1)
            kernel[blocks, 256](src, *cells)

        def in_one_word(src=src, best=best, word=word, blocks=blocks, kernel=packed) -> None:
            best.fill_(-(2**63))
            kernel[blocks, 256](src, word)

        locked()
        in_one_word()
        cuda.synchronize()
        assert place == int(index.item()) == 2**31 - 1 - (int(best.item()) & 0x7FFFFFFF), "a pair is wrong"
        ways_to = ("under a lock", locked), ("in one word", in_one_word), ("torch.argmax", x.argmax)
        rows += [[name, f"{n:,}", f"{blocks:,}", f"{1e3 * milliseconds(call):,.1f}"] for name, call in ways_to]
    return rows


def known_parts(folder: Path, device: str) -> dict:
    """What an earlier run measured on the same device."""
    path = folder / "atomics.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    return dict(known.get("parts", {})) if known.get("device") == device else {}


PARTS = {"bytes": rows_of, "codes": code_rows, "pairs": pair_rows}
COLUMNS = {
    "bytes": ["256 bins, 2^28 bytes", *(f"{kind}: {what}" for kind in DATA for what in ("ms", "GB/s", "x bincount"))],
    "codes": [
        "4,096 bins, 2^27 codes",
        *(f"{kind}: {what}" for kind in CODE_KINDS for what in ("ms", "GB/s")),
    ],
    "pairs": ["a value and its index", "elements", "blocks", "µs"],
}


def main(arguments: list[str] | None = None) -> int:
    """Measure and record. Returns 2 where there is no GPU, or no torch."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder that atomics.json goes to")
    parser.add_argument("--parts", default=",".join(PARTS), help="which of bytes, codes and pairs, commas between")
    chosen = parser.parse_args(arguments)
    folder = chosen.output
    if not gpu_available():
        print("bench_atomics needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    try:
        import torch
    except ImportError:
        print("bench_atomics compares with torch: python -m pip install torch", file=sys.stderr)
        return 2
    device = device_name()
    parts = known_parts(folder, device)
    for part in chosen.parts.split(","):
        parts[part] = {"columns": COLUMNS[part], "rows": PARTS[part](torch)}
        for row in parts[part]["rows"]:
            print("   ".join(row), flush=True)
    record("atomics", {"device": device, "bytes": N_BYTES, "parts": parts}, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
