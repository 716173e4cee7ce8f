"""What unit 12 is about, on this GPU: every rung of the matrix product, beside cuBLAS in the same process.

    python benchmarks/bench_matmul.py              writes benchmarks/results/matmul.json
    python benchmarks/bench_matmul.py --output DIR --only matmul_wide,matmul_tensor

Each kernel has a process of its own, several compile at once, and one at a time is timed. It is right where it equals
the exact product of whole numbers at small and ragged sizes; then it is timed at 4096 and at a ragged size. The
library multiplies in float32 without TF32, in float16, or in int8, whatever the kernel does. Beside the times stands
the most that the counters of each kernel allow on this GPU (`autograder.exercises.u12_matmul.gains`).
"""

from __future__ import annotations

import argparse
import fcntl
import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograder import exercises
from autograder.answer import reference
from autograder.backend import gpu_available, prepare
from autograder.diagnosis.capability import gpu_runs
from autograder.exercises.u12_matmul.gains import allowed, table
from autograder.machine.scratch import ScratchFolder
from autograder.running.run_cuda import raise_limit
from benchmarks.record import RESULTS, device_name, record

UNIT = "12_matmul"
SQUARE, RAGGED = (4096, 4096, 4096), (4001, 4003, 4005)  # rows, inner, columns
CHECKED = ((256, 256, 256), (1, 1, 1), (257, 129, 131), (130, 40, 136), (1000, 776, 1000))
PROCESSES, SECONDS = 14, 60
ROUNDS, ENOUGH_MS = 5, 6.0  # rounds of launches that take about so long each
STALLED = 1.2  # times the median of the library's times in one run
COLUMNS = ("kernel", "inputs", "counters allow", "TFLOP/s at 4096", "of the library", "at 4001 x 4003 x 4005", "of it")
GOALS = {"matmul_ring": 0.85, "matmul_warpgroup": 0.6}  # shares of the library at 4096 on an H200


def kernels() -> dict[str, tuple[Any, Callable, str]]:
    """Every rung by name: its solution, the launch of its contract, the element of a and b."""
    found = {}
    for exercise in exercises.of_unit(UNIT):
        program = reference.solved(exercise)
        if exercise.launch is not None and gpu_runs(exercise):
            found[exercise.function] = program.load()[1], exercise.launch, exercise.arguments[0].dtype
    return found


class Bench:
    """One kernel on the GPU, with torch for the data and for the library."""

    def __init__(self, name: str) -> None:
        import torch

        torch.backends.cuda.matmul.allow_tf32 = False
        self.torch = torch
        self.kernel, self.launch, element = kernels()[name]
        self.dtype = getattr(torch, element)

    def drawn(self, sizes: tuple[int, int, int], largest: int) -> tuple:
        """a, b of whole numbers, and c full of a number that no product has. b of int8 is turned round."""
        m, k, n = sizes
        draw = lambda *shape: self.torch.randint(-largest, largest + 1, shape, device="cuda").to(self.dtype)  # noqa: E731
        whole = self.dtype == self.torch.int8
        sums = self.torch.int32 if whole else self.torch.float32
        c = self.torch.full((m, n), 77777, device="cuda", dtype=sums)
        return draw(m, k), draw(n, k) if whole else draw(k, n), c

    def product(self, a: Any, b: Any) -> Any:
        """What the library makes of them; exact where they are of float64."""
        if self.dtype != self.torch.int8:
            return self.torch.mm(a, b)
        return self.torch.mm(a, b.t()) if a.dtype == self.torch.float64 else self.torch._int_mm(a, b.t())

    def bound(self, a: Any, b: Any, c: Any) -> Callable[[], None]:
        """One launch on these tensors, as a call without arguments."""
        from numba import cuda

        arrays = [cuda.as_cuda_array(one) for one in (a, b, c)]
        grid, block, *dynamic = self.launch({"a": a, "b": b, "c": c})
        shared = dynamic[0] if dynamic else 0
        raise_limit(self.kernel, arrays, shared)
        launch = self.kernel[grid, block, 0, shared]
        return lambda: launch(*arrays)

    def wrong_at(self) -> list:
        """The sizes at which some element of the product is not exact."""
        wrong = []
        for sizes in (*CHECKED, RAGGED):
            a, b, c = self.drawn(sizes, 3)
            self.torch.cuda.synchronize()
            self.bound(a, b, c)()
            self.torch.cuda.synchronize()
            if not self.torch.equal(c.double(), self.product(a.double(), b.double())):
                wrong.append(sizes)
        return wrong

    def times(self, sizes: tuple[int, int, int]) -> tuple[float, float | None]:
        """Milliseconds of a launch and of the library, on random numbers; None where it does not take such sizes."""
        a, b, c = self.drawn(sizes, 127 if self.dtype == self.torch.int8 else 1)
        if self.dtype != self.torch.int8:
            a, b = (self.torch.randn(one.shape, device="cuda").to(self.dtype) for one in (a, b))
        launch = self.bound(a, b, c)
        self.torch.cuda.synchronize()
        ms = milliseconds(launch)
        try:
            return ms, milliseconds(lambda: self.product(a, b))
        except RuntimeError:  # cuBLAS takes int8 matrices only whose sizes 8 divides
            return ms, None


def milliseconds(call: Callable[[], Any]) -> float:
    """The median over rounds of queued calls, each round as long as ENOUGH_MS, after one that compiles."""
    from numba import cuda

    def round_of(n: int) -> float:
        begins, ends = cuda.event(), cuda.event()
        begins.record()
        for _ in range(n):
            call()
        ends.record()
        ends.synchronize()
        return cuda.event_elapsed_time(begins, ends) / n

    call()
    cuda.synchronize()
    n = max(2, round(ENOUGH_MS / max(round_of(1), 1e-3)))
    return sorted(round_of(n) for _ in range(ROUNDS))[ROUNDS // 2]


def one(name: str, lock: str) -> dict[str, Any]:
    """Measure one kernel: its row."""
    bench = Bench(name)
    inputs = str(bench.dtype).removeprefix("torch.")
    row: dict[str, Any] = {"kernel": name, "inputs": inputs, "wrong_at": bench.wrong_at(), "allowed": allowed(name)}
    for key, sizes in (("square", SQUARE), ("ragged", RAGGED)):
        with open(lock, "w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            ms, library_ms = bench.times(sizes)
        m, k, n = sizes
        row[key] = {"ms": ms, "library_ms": library_ms, "tflops": 2e-9 * m * k * n / ms}
    registers = bench.kernel.get_regs_per_thread()
    row["registers"] = next(iter(registers.values())) if isinstance(registers, dict) else registers
    return row


def in_its_own_process(name: str, lock: str) -> dict[str, Any]:
    """The row of a kernel, or what went wrong."""
    command = [sys.executable, __file__, "--one", name, "--lock", lock]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"kernel": name, "failed": f"took longer than {SECONDS} s"}
    said = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(said[-1]) if said else {"kernel": name, "failed": (done.stderr or done.stdout)[-500:]}


def settle(rows: list[dict[str, Any]]) -> None:
    """Give a row whose library waited for a busy host, and took longer than STALLED medians, the median of its kind.

    The library multiplies the same sizes of the same elements in the process of every rung.
    """
    for row in rows:
        for key in ("square", "ragged"):
            alike = [other for other in rows if key in other and other["inputs"] == row.get("inputs")]
            times = sorted(other[key]["library_ms"] for other in alike if other[key]["library_ms"])
            took = row.get(key, {}).get("library_ms")
            if took and took > STALLED * times[len(times) // 2]:
                row[key] |= {"library_ms": times[len(times) // 2], "library_stalled_ms": took}


def line(row: dict[str, Any]) -> list[str]:
    """One row of the table."""
    if "failed" in row:
        return [row["kernel"], row["failed"].strip().splitlines()[-1], *[""] * (len(COLUMNS) - 2)]
    cells = [row["kernel"], row["inputs"], f"{row['allowed']:.3g}"]
    for key in ("square", "ragged"):
        library = row[key]["library_ms"]
        cells += [f"{row[key]['tflops']:.3g}", f"{library / row[key]['ms']:.3f}" if library else "not such sizes"]
    return cells


def goals(rows: list[dict[str, Any]]) -> list[str]:
    """Which goals hold, a sentence each."""
    said = []
    for row in rows:
        if row["kernel"] in GOALS and "failed" not in row:
            share, goal = row["square"]["library_ms"] / row["square"]["ms"], GOALS[row["kernel"]]
            held = "reached" if share >= goal else "missed"
            said.append(f"{row['kernel']}: {share:.3f} of the library at 4096, goal {goal:g}: {held}.")
    return said


def main() -> int:
    """Measure, record and print. Returns 2 without a GPU, 1 where a kernel failed or is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for matmul.json")
    parser.add_argument("--only", default="", help="names of kernels, with commas between")
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    parser.add_argument("--lock", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not gpu_available():
        print("bench_matmul needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    prepare()
    if options.one:
        print(json.dumps(one(options.one, options.lock)))
        return 0
    names = options.only.split(",") if options.only else list(kernels())
    with ScratchFolder("bench") as folder, ThreadPoolExecutor(PROCESSES) as pool:
        rows = list(pool.map(lambda name: in_its_own_process(name, str(Path(folder) / "lock")), names))

    device = device_name()
    sizes = {"square": SQUARE, "ragged": RAGGED}
    measured = {"columns": COLUMNS, "rows": [line(row) for row in rows]}
    parts = {"predicted": table(), "measured": measured}
    document = {"device": device, "sizes": sizes, "goals": goals(rows), "parts": parts, "kernels": rows}
    record("matmul", document, options.output)
    print(*COLUMNS, sep="   ")
    for row in rows:
        wrong = f"WRONG at {row['wrong_at']}" if row.get("wrong_at") else ""
        print(*line(row), row.get("registers", ""), wrong, sep="   ")
    print(*document["goals"], sep="\n")
    return 1 if any("failed" in row or row["wrong_at"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
