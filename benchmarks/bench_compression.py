"""What unit 20 is about, on this GPU: products that leave half out beside dense ones, and thresholds without sorting.

    python benchmarks/bench_compression.py              writes benchmarks/results/compression.json
    python benchmarks/bench_compression.py --output DIR

The solutions of the unit run on torch's tensors, beside the dense product in the same frame, the library's dense
product and its own 2:4 one, of which the kernels are named as its profiler saw them. Registers alone: what a tensor
core gives at most in either instruction. A product is right where it equals the exact one of whole numbers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from numba import cuda

from autograder import exercises
from autograder.answer import reference
from autograder.backend import gpu_available, prepare
from autograder.exercises.u20_compression.sparse_values import a_block_per_tile, a_thread_per_four
from autograder.speed.gpu_lock import alone_on_the_gpu
from benchmarks import compression_kernels as kernels
from benchmarks.record import RESULTS, device_name, record

SIZES = ((4096, 4096, 4096), (8192, 8192, 8192), (4096, 4096, 128))  # rows, inner, columns
WEIGHTS = 1 << 26
TURNS, BLOCKS_PER_MULTIPROCESSOR = 4096, 4  # of what multiplies registers alone
PRODUCTS = ("product", "sizes", "us", "TFLOP/s of the whole product", "of the same tile, dense")
THRESHOLDS = ("k-th largest of 67,108,864 magnitudes", "us", "GB/s of weights")


def solution(name: str) -> Any:
    """The kernel, or function, that solves an exercise. Raises: FileNotFoundError before `make course`."""
    return reference.solved(exercises.find(f"compression.{name}")).load()[1]


class Bench:
    """Kernels of ours and calls of torch on the same tensors and the same stream."""

    def __init__(self) -> None:
        import torch

        self.torch = torch
        self.packs, self.multiplies, self.counts = map(solution, ("two_of_four", "sparse_products", "count_digits"))
        self.digit_of = solution("digit_of")

    def us(self, call: Callable[[], Any], at_least: int = 3) -> float:
        """The median time of a call in microseconds, of rounds of calls that are queued."""
        torch, times = self.torch, []
        call()
        torch.cuda.synchronize()
        with alone_on_the_gpu():
            for _ in range(7):
                begins, ends = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                begins.record()
                for _ in range(at_least):
                    call()
                ends.record()
                torch.cuda.synchronize()
                times.append(1e3 * begins.elapsed_time(ends) / at_least)
        return float(np.median(times))

    def matrices(self, sizes: tuple[int, int, int]) -> dict[str, Any]:
        """a of small whole numbers, packed by the solution, the same with its zeros, and b."""
        torch, (n_rows, n_inner, n_cols) = self.torch, sizes
        draw = lambda *shape: torch.randint(-3, 4, shape, device="cuda").half()  # noqa: E731
        weights, b = draw(n_rows, n_inner), draw(n_inner, n_cols)
        packed = torch.empty((n_rows, n_inner // 2), device="cuda", dtype=torch.half)
        places = torch.empty((n_inner // 32, n_rows), device="cuda", dtype=torch.int32)
        torch.cuda.synchronize()
        grid, block = a_thread_per_four({"weights": np.empty((n_rows, n_inner), np.float16)})
        self.packs[grid, block](*map(cuda.as_cuda_array, (weights, packed, places)))
        torch.cuda.synchronize()
        bits = places.t().unsqueeze(2) >> torch.arange(0, 32, 4, device="cuda") & 15
        bits = bits.reshape(n_rows, -1)
        whole = torch.zeros((n_rows, n_inner // 4, 4), device="cuda", dtype=torch.half)
        where = torch.stack([bits & 3, bits >> 2], dim=2).long()
        whole.scatter_(2, where, packed.reshape(n_rows, -1, 2))
        return {"packed": packed, "places": places, "b": b, "whole": whole.reshape(n_rows, n_inner)}

    def ways(self, given: dict[str, Any], out: Any) -> dict[str, Callable[[], Any]]:
        """Each way to multiply, as a call without arguments; ours fill `out`."""
        torch = self.torch
        launch = a_block_per_tile({"c": out})
        packed, places, whole, b, c = map(
            cuda.as_cuda_array, (given["packed"], given["places"], given["whole"], given["b"], out)
        )
        found: dict[str, Callable[[], Any]] = {
            "same tile, dense": lambda: kernels.dense_products[launch](whole, b, c),
            "sparse_products": lambda: self.multiplies[launch](packed, places, b, c),
            "torch.mm, dense": lambda: torch.mm(given["whole"], given["b"]),
        }
        try:
            half = torch.sparse.to_sparse_semi_structured(given["whole"])
            torch.mm(half, given["b"])
            found["torch.mm, 2:4"] = lambda: torch.mm(half, given["b"])
        except (RuntimeError, NotImplementedError) as error:
            print(f"torch has no 2:4 product here: {error}", file=sys.stderr)
        return found

    def products(self) -> tuple[list[list[str]], list[str], dict[str, list[str]]]:
        """Rows of the table, ways that are wrong, and the kernels that the library's ways run."""
        torch, rows, wrong, ran = self.torch, [], [], {}
        for sizes in SIZES:
            given = self.matrices(sizes)
            out = torch.full((sizes[0], sizes[2]), 77777.0, device="cuda")
            right = given["whole"].float() @ given["b"].float()  # whole numbers below 2^24: exact
            ways, times = self.ways(given, out), {}
            for name, call in ways.items():
                got = call()
                torch.cuda.synchronize()
                if got is None and not torch.equal(out, right):
                    wrong.append(f"{name} at {sizes}")
                out.fill_(77777.0)
                times[name] = self.us(call)
                if name.startswith("torch") and sizes == SIZES[0]:
                    ran[name] = self.kernels_of(call)
            for name, us in times.items():
                rate = 2e-6 * np.prod(np.array(sizes, float)) / us
                gain = times["same tile, dense"] / us
                rows.append([name, " x ".join(map(str, sizes)), f"{us:,.0f}", f"{rate:,.0f}", f"{gain:.2f}"])
        return rows, wrong, ran

    def kernels_of(self, call: Callable[[], Any]) -> list[str]:
        """The kernels that a call runs, with their times, as torch's profiler sees them."""
        from torch.profiler import ProfilerActivity, profile

        with profile(activities=[ProfilerActivity.CUDA]) as seen:
            call()
            self.torch.cuda.synchronize()
        return [f"{event.device_time_total:.0f} us: {event.key[:160]}" for event in seen.key_averages()]

    def registers(self) -> list[list[str]]:
        """Rows of what is multiplied in registers alone."""
        blocks = BLOCKS_PER_MULTIPROCESSOR * cuda.get_current_device().MULTIPROCESSOR_COUNT
        out, rows, rates = cuda.to_device(np.zeros(256 * blocks, np.float32)), [], []
        for name, kernel, deep in (("mma", kernels.dense_registers, 16), ("mma_sparse", kernels.sparse_registers, 32)):
            us = self.us(lambda kernel=kernel: kernel[blocks, 256](TURNS, out))
            rates.append(2e-6 * 16 * 8 * deep * 8 * TURNS * 8 * blocks / us)
            rows.append([name, "registers alone", f"{us:,.0f}", f"{rates[-1]:,.0f}", f"{rates[-1] / rates[0]:.2f}"])
        return rows

    def thresholds(self) -> tuple[list[list[str]], list[str]]:
        """Rows of what finds the middle magnitude, and those that found another one."""
        torch, k = self.torch, WEIGHTS // 2
        weights = torch.randn(WEIGHTS, device="cuda")
        bits, counts = cuda.as_cuda_array(weights.view(torch.int32)), torch.zeros(256, device="cuda", dtype=torch.int32)
        blocks = 4 * cuda.get_current_device().MULTIPROCESSOR_COUNT

        def select() -> float:
            keep, prefix = k, 0
            for shift in (24, 16, 8, 0):
                counts.zero_()
                self.counts[blocks, 256](bits, np.int32(prefix), np.int32(shift), cuda.as_cuda_array(counts))
                digit, keep = self.digit_of(counts.cpu().numpy(), keep)
                prefix = prefix << 8 | int(digit)
            return float(np.array(prefix, np.int32).view(np.float32))

        ways = {
            "count_digits, four rounds": select,
            "torch.kthvalue": lambda: float(torch.kthvalue(weights.abs(), WEIGHTS - k + 1)[0]),
            "torch.sort": lambda: float(torch.sort(weights.abs())[0][WEIGHTS - k]),
        }
        found = {name: call() for name, call in ways.items()}
        wrong = [name for name, value in found.items() if value != found["torch.sort"]]
        times = {name: self.us(call, 1) for name, call in ways.items()}
        return [[name, f"{us:,.0f}", f"{4e-3 * WEIGHTS / us:,.0f}"] for name, us in times.items()], wrong


def main() -> int:
    """Measure, record and print. Returns 2 without a GPU, 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for compression.json")
    options = parser.parse_args()
    if not gpu_available():
        print("bench_compression needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    prepare()
    bench = Bench()
    products, wrong, ran = bench.products()
    thresholds, others = bench.thresholds()
    parts = {
        "products": {"columns": PRODUCTS, "rows": products + bench.registers()},
        "thresholds": {"columns": THRESHOLDS, "rows": thresholds},
    }
    document = {"device": device_name(), "wrong": wrong + others, "kernels_of_the_library": ran, "parts": parts}
    record("compression", document, options.output)
    for part in parts.values():
        for row in (part["columns"], *part["rows"]):
            print(*row, sep="   ")
    print(*(f"{name} is WRONG" for name in document["wrong"]), *(f"{n}: {ran[n]}" for n in ran), sep="\n")
    return 1 if document["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
