"""What unit 07 gains on this GPU: a scan, a compaction and a sort, the course's and others, beside torch's.

    python benchmarks/bench_scan.py [--output DIR]      writes DIR/scan.json, benchmarks/results by default
    python benchmarks/bench_scan.py --only sort         measures this part; rows of the others stay as DIR has them

Every way is checked on the device against torch before it is timed. A time is that of several calls in a row, between
two events, over their number; what a call needs cleared beforehand is cleared in it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from numba import cuda

from autograder.answer.reference import solution_program
from autograder.backend import gpu_available
from autograder.exercises import find
from benchmarks import scan_kernels as ways
from benchmarks import sort_kernels as sorts
from benchmarks.early_sweep import early_sweep
from benchmarks.record import RESULTS, device_name, record

FLOATS = 1 << 28
KEYS = 1 << 26
CALLS = 6  # in a row
ROUNDS = 5
THREADS = 256
COURSE_TILE = 4096
LIBRARIES = {"scan": "torch.cumsum", "compact": "torch x[x > 0]", "sort": "torch.sort"}  # the first row of each part

Way = tuple[str, Callable[[], object], Callable[[], bool]]  # name, one call, whether its result is right


def milliseconds(call: Callable[[], object]) -> float:
    """The median time of a call, in milliseconds, of calls in a row."""
    times = []
    for _ in range(ROUNDS + 1):
        began, ended = cuda.event(timing=True), cuda.event(timing=True)
        cuda.synchronize()
        began.record()
        for _ in range(CALLS):
            call()
        ended.record()
        ended.synchronize()
        times.append(cuda.event_elapsed_time(began, ended) / CALLS)
    return statistics.median(times[1:])


def course(identifier: str) -> Callable:
    """The solved notebook's answer to an exercise."""
    program = solution_program(find(identifier))
    if program is None:
        raise FileNotFoundError(f"There is no solved notebook for {identifier}. Run `make course` first.")
    return program.load()[1]


def rows_of(ways_to: list[Way], library: tuple[str, Callable], gigabytes: float) -> list[list[str]]:
    """A row per way: name, milliseconds, GB/s, how many times as fast as the library; a way that fails says so."""
    name, call = library
    base = milliseconds(call)
    rows = [[name, f"{base:.3f}", f"{gigabytes / base * 1e3:.0f}", "1.00"]]
    for name, call, is_right in ways_to:
        try:
            call()
            cuda.synchronize()
            if not is_right():
                rows.append([name, "wrong", "", ""])
                continue
            time = milliseconds(call)
            rows.append([name, f"{time:.3f}", f"{gigabytes / time * 1e3:.0f}", f"{base / time:.2f}"])
        except Exception as error:  # the other ways are still worth knowing
            rows.append([name, f"{type(error).__name__}: {str(error)[:60]}", "", ""])
        print("  ".join(rows[-1]), flush=True)
    return rows


def scan_rows(torch) -> list[list[str]]:
    """Running sums of 2^28 floats: whole numbers, whose sums are exact in any order."""
    x = torch.randint(-3, 4, (FLOATS,), device="cuda").float()
    expected = torch.cumsum(x, 0, dtype=torch.float64).float()
    out = torch.empty_like(x)
    src, dst = cuda.as_cuda_array(x), cuda.as_cuda_array(out)
    tried: list[Way] = []

    def add(name: str, kernel, tile: int, threads: int) -> None:
        tiles = -(-FLOATS // tile)
        words = torch.zeros(tiles + 1, dtype=torch.int64, device="cuda")
        state, ticket = cuda.as_cuda_array(words[:tiles]), cuda.as_cuda_array(words[tiles:].view(torch.int32)[:1])

        def call() -> None:
            words.zero_()
            kernel[tiles, threads](src, state, ticket, dst)

        tried.append((f"scan, {name}", call, lambda: bool(torch.equal(out, expected))))

    add("the course's", course("scan.scan_lookback"), COURSE_TILE, THREADS)
    for threads, groups, relaxed in ways.SCANS:
        peeks = "relaxed" if relaxed else "atomic"
        kernel = ways.lookback_scan(threads, groups, relaxed)
        add(f"{threads} threads, {4 * groups} each, {peeks} peeks", kernel, 4 * groups * threads, threads)
    library = LIBRARIES["scan"], lambda: torch.cumsum(x, 0, out=out)
    return rows_of(tried, library, 8e-9 * FLOATS)


def compact_rows(torch) -> list[list[str]]:
    """What is above 0 of 2^28 normal floats, in order."""
    x = torch.randn(FLOATS, device="cuda")
    expected = x[x > 0]
    out = torch.empty_like(x)
    count = torch.zeros(1, dtype=torch.int32, device="cuda")
    src, dst, n_kept = cuda.as_cuda_array(x), cuda.as_cuda_array(out), cuda.as_cuda_array(count)
    tried: list[Way] = []

    def is_right() -> bool:
        found = int(count.item())
        return found == len(expected) and bool(torch.equal(out[:found], expected))

    def add(name: str, kernel, tile: int, threads: int) -> None:
        tiles = -(-FLOATS // tile)
        words = torch.zeros(tiles + 1, dtype=torch.int64, device="cuda")
        state, ticket = cuda.as_cuda_array(words[:tiles]), cuda.as_cuda_array(words[tiles:].view(torch.int32)[:1])

        def call() -> None:
            words.zero_()
            kernel[tiles, threads](src, np.float32(0), state, ticket, dst, n_kept)

        tried.append((f"compact, {name}", call, is_right))

    add("the course's", course("scan.compact"), COURSE_TILE, THREADS)
    for threads, each, relaxed in ways.COMPACTIONS:
        peeks = "relaxed" if relaxed else "atomic"
        add(f"{threads} threads, {each} each, {peeks} peeks", ways.compaction(threads, each, relaxed), each * threads,
            threads)  # fmt: skip
    return rows_of(tried, (LIBRARIES["compact"], lambda: x[x > 0]), 4e-9 * (FLOATS + len(expected)))


def sort_rows(torch) -> list[list[str]]:
    """2^26 random keys of 32 bits; a call copies them first, since it sorts in place, and torch's call does, too."""
    original = torch.randint(-(1 << 31), 1 << 31, (KEYS,), device="cuda", dtype=torch.int64).to(torch.int32)
    expected = torch.sort(original.to(torch.int64) & 0xFFFFFFFF)[0].to(torch.int32)
    work, spare = torch.empty_like(original), torch.empty_like(original)
    keys, room = (cuda.as_cuda_array(one).view(np.uint32) for one in (work, spare))
    tried: list[Way] = []

    def add(name: str, sort: Callable[[], None]) -> None:
        def call() -> None:
            work.copy_(original)
            sort()

        tried.append((f"sort, {name}", call, lambda: bool(torch.equal(work, expected))))

    n_counts = 256 * -(-KEYS // COURSE_TILE)
    counts, sums = cuda.device_array(n_counts, np.int32), cuda.device_array(-(-n_counts // 1024), np.int32)
    radix_sort = course("scan.radix_sort")
    add("the course's", lambda: radix_sort(keys, room, counts, sums))
    sweeps = [("ranks", sorts.sweep, one) for one in sorts.SORTS] + [
        ("counts", early_sweep, one) for one in sorts.EARLY
    ]
    for first, made, (threads, each, votes) in sweeps:
        tiles = -(-KEYS // (threads * each))
        words = torch.zeros(4 * (256 * tiles + 256 + 1), dtype=torch.int32, device="cuda")
        prepare = sorts.one_sweep_sort(made(threads, each, votes), threads, each)
        sort = prepare(keys, room, cuda.as_cuda_array(words))

        def sweep(words=words, sort=sort) -> None:
            words.zero_()
            sort()

        peers = "votes" if votes else "match"
        add(f"one sweep per digit, {first} first, {threads} threads, {each} each, {peers}", sweep)
    try:
        import cupy

        add("cupy, which returns no indices", cupy.asarray(work).view(cupy.uint32).sort)
    except ImportError:  # the other ways are still worth knowing
        pass

    def library() -> None:
        work.copy_(original)
        torch.sort(work)

    return rows_of(tried, (LIBRARIES["sort"], library), 8e-9 * KEYS)


def on_record(folder: Path, device: str) -> dict[str, list[list[str]]]:
    """The rows of each part that DIR/scan.json has. Raises ValueError where it tells of another device."""
    document = json.loads((folder / "scan.json").read_text())
    if document["device"] != device:
        raise ValueError(f"{folder / 'scan.json'} was measured on {document['device']}. Measure all: leave out --only.")
    parts: dict[str, list[list[str]]] = {}
    part, names = "", {library: part for part, library in LIBRARIES.items()}
    for row in document["rows"]:
        part = names.get(row[0], part)  # a library's row begins its part
        parts.setdefault(part, []).append(row)
    return parts


def main(arguments: list[str] | None = None) -> int:
    """Measure and record. Returns 2 where there is no GPU, or no torch."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder that scan.json goes to")
    parser.add_argument("--only", choices=LIBRARIES, help="the one part to measure")
    chosen = parser.parse_args(arguments)
    folder = chosen.output
    if not gpu_available():
        print("bench_scan needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    try:
        import torch
    except ImportError:
        print("bench_scan compares with torch: python -m pip install torch", file=sys.stderr)
        return 2
    device = device_name()
    parts = on_record(folder, device) if chosen.only else {}
    measure = {"scan": scan_rows, "compact": compact_rows, "sort": sort_rows}
    for part in [chosen.only] if chosen.only else measure:
        parts[part] = measure[part](torch)
    rows = [row for part in LIBRARIES for row in parts[part]]
    columns = ["what", "ms", "GB/s", "times the library"]
    measured = {"device": device, "columns": columns, "floats": FLOATS, "keys": KEYS, "rows": rows}
    record("scan", measured, folder)
    print()
    for row in rows:
        print("   ".join(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
