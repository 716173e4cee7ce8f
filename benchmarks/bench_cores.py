"""How much a core of this machine computes while others do, too: what a class on more GPUs can gain at most.

    python benchmarks/bench_cores.py [--seconds 2]      writes cores.json into benchmarks/results

A guest may be told that each of its processors is a core, when two of them are threads of one. So processes that each
have a processor of their own do the same again and again: one alone, on the first half of the processors, on every
second one, and on all of them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.record import record

COPIED_BYTES = 64 << 20  # more than a core keeps close to itself
STEPS = 20_000
LEAD_S = 0.5  # in which all processes have begun


def computes() -> Callable[[], object]:
    """What an interpreter does: whole numbers, one after the other."""

    def turn() -> int:
        x = 1
        for _ in range(STEPS):
            x = (x * 3 + 1) & 0xFFFFFFFF
        return x

    return turn


def copies() -> Callable[[], object]:
    """What drawing and comparing large arrays does: memory that is read and written."""
    source, target = (np.ones(COPIED_BYTES, np.uint8) for _ in range(2))
    return lambda: np.copyto(target, source)


def rates(kind: Callable[[], Callable[[], object]], cores: Sequence[int], seconds: float) -> list[float]:
    """Turns a second of each process, one on each of these cores, all at the same time."""
    reads, writes = os.pipe()
    begin = time.monotonic() + LEAD_S
    children = []
    for core in cores:
        child = os.fork()
        if not child:
            try:
                os.sched_setaffinity(0, [core])
                turn, n = kind(), 0
                turn()
                time.sleep(max(0.0, begin - time.monotonic()))
                began = time.monotonic()
                while time.monotonic() < began + seconds:
                    turn()
                    n += 1
                os.write(writes, f"{n / (time.monotonic() - began)}\n".encode())
            finally:
                os._exit(0)
        children.append(child)
    os.close(writes)
    with os.fdopen(reads) as said:
        found = [float(line) for line in said]
    for child in children:
        os.waitpid(child, 0)
    return found


def groups(cores: Sequence[int]) -> dict[str, list[int]]:
    """Whom to put to work, by name."""
    half = max(1, len(cores) // 2)
    return {
        "one": list(cores[:1]),
        "first half": list(cores[:half]),
        "every second": list(cores[::2]),
        "all": list(cores),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and record."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    asked = parser.parse_args(arguments)
    cores = sorted(os.sched_getaffinity(0))
    found: dict[str, dict[str, float]] = {}
    for name, kind in (("computes", computes), ("copies", copies)):
        each = {who: statistics.mean(rates(kind, some, asked.seconds)) for who, some in groups(cores).items()}
        found[name] = {who: round(rate / each["one"], 2) for who, rate in each.items()}
        print(name, found[name], flush=True)
    print(record("cores", {"cores": len(cores), "seconds": asked.seconds, "share_of_one_alone": found}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
