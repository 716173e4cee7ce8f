"""What unit 12 is about, on this GPU: every rung of the matrix product, beside cuBLAS in the same process.

    python benchmarks/bench_matmul.py              writes benchmarks/results/matmul.json
    python benchmarks/bench_matmul.py --output DIR --only matmul_wide,matmul_tensor

Each kernel has a process of its own, several compile at once, and one at a time is timed. It is right where it equals
the exact product of whole numbers at small and ragged sizes; then it is timed at 4096 and at a ragged size. The
library multiplies in float32 without TF32, or in float16.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from autograder import exercises
from autograder.answer import reference
from autograder.backend import gpu_available, prepare
from benchmarks.record import RESULTS, record

UNIT = "12_matmul"
SQUARE, RAGGED = (4096, 4096, 4096), (4001, 4003, 4005)  # rows, inner, columns
CHECKED = ((256, 256, 256), (1, 1, 1), (257, 129, 131), (130, 40, 136), (1000, 776, 1000))
PROCESSES, SECONDS = 14, 60
ROUNDS, ENOUGH_MS = 5, 6.0  # rounds of launches that take about so long each
COLUMNS = ("kernel", "TFLOP/s at 4096", "of the library", "ragged", "of the library", "registers")


def kernels() -> dict[str, tuple[Any, Callable, str]]:
    """Every rung by name: its solution, the launch of its contract, the element of a and b."""
    found = {}
    for exercise in exercises.of_unit(UNIT):
        program = reference.solution_program(exercise)
        if program is None:
            raise FileNotFoundError("there are no solved notebooks: run `make course` first")
        if exercise.launch is not None:
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
        """a, b of whole numbers, and c full of a number that no product has."""
        m, k, n = sizes
        draw = lambda *shape: self.torch.randint(-largest, largest + 1, shape, device="cuda").to(self.dtype)  # noqa: E731
        return draw(m, k), draw(k, n), self.torch.full((m, n), 77777, device="cuda", dtype=self.torch.float32)

    def bound(self, a: Any, b: Any, c: Any) -> Callable[[], None]:
        """One launch on these tensors, as a call without arguments."""
        from numba import cuda

        arrays = [cuda.as_cuda_array(one) for one in (a, b, c)]
        grid, block = self.launch({"a": a, "b": b, "c": c})
        launch = self.kernel[grid, block]
        return lambda: launch(*arrays)

    def wrong_at(self) -> list:
        """The sizes at which some element of the product is not exact."""
        wrong = []
        for sizes in (*CHECKED, RAGGED):
            a, b, c = self.drawn(sizes, 3)
            self.torch.cuda.synchronize()
            self.bound(a, b, c)()
            self.torch.cuda.synchronize()
            if not self.torch.equal(c.double(), a.double() @ b.double()):
                wrong.append(sizes)
        return wrong

    def times(self, sizes: tuple[int, int, int]) -> tuple[float, float]:
        """Milliseconds of a launch and of the library, on random numbers."""
        a, b, c = self.drawn(sizes, 1)
        a, b = (self.torch.randn(one.shape, device="cuda").to(self.dtype) for one in (a, b))
        launch = self.bound(a, b, c)
        self.torch.cuda.synchronize()
        return milliseconds(launch), milliseconds(lambda: self.torch.mm(a, b))


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
    row: dict[str, Any] = {"kernel": name, "wrong_at": bench.wrong_at()}
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


def line(row: dict[str, Any]) -> tuple[str, ...]:
    """One line of the printed table."""
    if "failed" in row:
        return row["kernel"], row["failed"].strip().splitlines()[-1]
    cells = [row["kernel"]]
    for key in ("square", "ragged"):
        cells += [f"{row[key]['tflops']:.1f}", f"{row[key]['library_ms'] / row[key]['ms']:.3f}"]
    return (*cells, str(row["registers"]), *([f"WRONG at {row['wrong_at']}"] if row["wrong_at"] else []))


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
    with tempfile.NamedTemporaryFile() as lock, ThreadPoolExecutor(PROCESSES) as pool:
        rows = list(pool.map(lambda name: in_its_own_process(name, lock.name), names))
    from numba import cuda

    name = cuda.get_current_device().name
    device = name.decode() if isinstance(name, bytes) else str(name)
    sizes = {"square": SQUARE, "ragged": RAGGED}
    record("matmul", {"device": device, "sizes": sizes, "kernels": rows}, options.output)
    print(*COLUMNS, sep="   ")
    for row in rows:
        print(*line(row), sep="   ")
    return 1 if any("failed" in row or row["wrong_at"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
