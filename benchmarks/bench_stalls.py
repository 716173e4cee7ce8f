"""What Nsight Compute says the warps of unit 11's kernels wait for, as a table for readers without a profiler.

    python benchmarks/bench_stalls.py [--output DIR]       writes stalls.json, into benchmarks/results; needs ncu

Each kernel is launched once under the profiler. A reason is in clocks: how long it kept a warp, on average, between
two instructions of that warp.
"""

from __future__ import annotations

import argparse
import csv
import io
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numba import cuda

from autograder.backend import gpu_available, prepare
from autograder.machine.scratch import ScratchFolder
from benchmarks import performance_kernels as kernels
from benchmarks.record import RESULTS, device_name, record

STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
METRICS = {  # column -> metric
    "µs": "gpu__time_duration.sum",
    "registers": "launch__registers_per_thread",
    "occupancy, %": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue slots, %": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "memory, %": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "long scoreboard": STALL.format("long_scoreboard"),
    "wait": STALL.format("wait"),
    "math pipe": STALL.format("math_pipe_throttle"),
    "not selected": STALL.format("not_selected"),
}
NANOSECONDS = "µs"  # the column that ncu gives in nanoseconds
N, N_COLS, TURNS, STEPS = 1 << 24, 1000, 4096, 2000

Launch = tuple[str, Callable[[], object]]


def launches() -> list[Launch]:
    """What is profiled, in order: a name for the table, and the launch."""
    n_sm = cuda.get_current_device().MULTIPROCESSOR_COUNT
    x, out = cuda.to_device(np.ones(N, np.float32)), cuda.device_array(N, np.float32)
    succ = cuda.to_device(np.roll(np.arange(N, dtype=np.int32), 32 * 1009))
    end = cuda.device_array(1, np.int32)
    of_column = [cuda.to_device(np.ones(N_COLS, np.float32)) for _ in range(2)]
    one, eight = kernels.chains(1), kernels.chains(8)
    half, one_f = np.float32(0.5), np.float32(1)
    return [
        ("copy, 8 warps per SM", lambda: kernels.copy_one[n_sm, 256](x, out)),
        ("copy, 64 warps per SM", lambda: kernels.copy_one[8 * n_sm, 256](x, out)),
        ("pointer chase, one thread", lambda: kernels.chase[1, 1](succ, np.int32(0), STEPS, end)),
        ("one chain, 4 warps per SM", lambda: one[n_sm, 128](half, one_f, TURNS, out)),
        ("eight chains, 4 warps per SM", lambda: eight[n_sm, 128](half, one_f, TURNS, out)),
        ("eight chains, 64 warps per SM", lambda: eight[8 * n_sm, 256](half, one_f, TURNS, out)),
        ("the draft of rung 5", lambda: kernels.wide[N // 256, 256](x, *of_column, N_COLS, out)),
        ("rung 5, mended", lambda: kernels.narrow[N // 256, 256](x, *of_column, N_COLS, out)),
    ]


def profiled() -> list[dict[str, str]]:
    """ncu's row for every launch, in order. Raises RuntimeError with what ncu says where it fails."""
    with ScratchFolder("bench") as folder:
        report = Path(folder) / "ncu.csv"
        command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"]
        command += ["--metrics", ",".join(METRICS.values()), "--log-file", str(report)]
        command += [sys.executable, __file__, "--launch"]
        ran = subprocess.run(command, capture_output=True, text=True)
        text = report.read_text() if report.exists() else ""
    start = text.find('"ID"')
    if ran.returncode or start < 0:
        raise RuntimeError(f"ncu ended with {ran.returncode}.\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}{text[-2000:]}")
    return [row for row in csv.DictReader(io.StringIO(text[start:])) if row["ID"].isdigit()]


def cell(row: dict[str, str], column: str) -> str:
    """One number of the table as text; "" where ncu has none."""
    try:
        value = float(row[METRICS[column]].replace(",", ""))
    except (KeyError, ValueError):
        return ""
    value = value / 1000 if column == NANOSECONDS else value
    return f"{value:,.0f}" if value >= 100 or column == "registers" else f"{value:.1f}"


def main() -> int:
    """Profile and record; with --launch, be the program that is profiled. Returns 2 without a GPU or ncu."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for stalls.json")
    parser.add_argument("--launch", action="store_true", help="launch the kernels and measure nothing")
    options = parser.parse_args()
    if not gpu_available() or not options.launch and shutil.which("ncu") is None:
        print(
            "bench_stalls needs an NVIDIA GPU and ncu on the PATH: there is nothing to measure here.", file=sys.stderr
        )
        return 2
    prepare()  # no warnings of few blocks: they are what some rows are about
    if options.launch:
        for _, launch in launches():
            launch()
        cuda.synchronize()
        return 0
    rows = profiled()
    names = [name for name, _ in launches()]
    if len(rows) != len(names):
        print(f"ncu saw {len(rows)} launches, {len(names)} were made: one of the two missed some.", file=sys.stderr)
        return 1
    table = [(name, *(cell(row, column) for column in METRICS)) for name, row in zip(names, rows, strict=True)]
    found: dict[str, Any] = {"device": device_name()}
    found |= {"metrics": METRICS, "columns": ["kernel", *METRICS], "rows": table}
    record("stalls", found, options.output)
    for row in (found["columns"], *table):
        print(*row, sep=" | ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
