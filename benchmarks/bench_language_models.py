"""What unit 21 is about, on this GPU: products with one vector and attention over a cache, beside torch's.

    python benchmarks/bench_language_models.py              writes benchmarks/results/language_models.json

Each kernel is right where it equals float64 on the same arrays; then it is captured in a graph of launches that go
through more arrays than the L2 cache holds, as torch's call is, so that neither waits for Python. Attention is timed as
both of its launches, split and merged; torch's has keys and values in order, gathered beforehand.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from autograder import exercises
from autograder.answer import reference
from autograder.backend import gpu_available, prepare
from autograder.exercises.u21_language_models.cache_values import PAGE, SHARED, SPLIT
from autograder.exercises.u21_language_models.eight_bits import eight_bit_product
from autograder.exercises.u21_language_models.values import HEAD
from autograder.running.run_cuda import raise_limit
from benchmarks import decode_kernels, unpacking_kernels
from benchmarks.dependent_launch import dependent
from benchmarks.integer_unpacking import four_bits_in_integers
from benchmarks.record import RESULTS, device_name, record

SHAPES = ((4096, 4096), (14336, 4096), (4096, 14336))  # rows, columns of a layer's products
CACHE, N_SHARED = (8192, 32768), 8  # places, shared heads
ENOUGH_BYTES = 500_000_000  # that a graph goes through, several times the L2 cache of any GPU
ROUNDS = 20
OTHERS = {
    "eight_bit_product": eight_bit_product,
    "attention_on_tensor_cores": decode_kernels.attention_on_tensor_cores,
    "merge_half_warps": decode_kernels.merge_half_warps,
    "four_bits_four_rows": unpacking_kernels.four_bits_four_rows,
    "four_bits_in_integers": four_bits_in_integers,
    "four_bits_read": unpacking_kernels.four_bits_read,
}
KERNELS = {  # row: the kernel that attends, its threads and dynamic shared memory, then the one that merges, its block
    "attention, both launches": ("attention_pages", 256, 0, "merge_splits", (HEAD, 8)),
    "attention, on tensor cores": (
        *("attention_on_tensor_cores", decode_kernels.THREADS, decode_kernels.SHARED_BYTES),
        *("merge_half_warps", decode_kernels.MERGE_BLOCK),
    ),
}
FOUR_BITS = {  # row: the kernel, rows of a block, and whether it begins under the end of the launch before it
    "four_bit_product": ("four_bit_product", 8, False),
    "four_bit_product, four rows per warp": ("four_bits_four_rows", unpacking_kernels.ROWS, False),
    "four_bit_product, x in whole numbers": ("four_bits_in_integers", unpacking_kernels.ROWS, True),
    "four_bit_product, its bytes alone": ("four_bits_read", unpacking_kernels.ROWS_READ, False),
}
COLUMNS = ("kernel", "size", "us", "GB/s", "torch, us", "torch over it", "of a copy")
LIMITS = {  # absolute errors, by the name or by what stands before its comma
    "four_bit_product, x in whole numbers": 5e-3,  # the products of float16 that torch gives are off by more
    "rms_norm": 1e-2,
    "half_product": 1e-3,
    "eight_bit_product": 1e-3,
    "four_bit_product": 1e-3,
    "attention": 1e-5,
}


def three(sizes: int | tuple[int, ...]) -> tuple[int, ...]:
    """A grid or a block, in three dimensions."""
    sizes = (sizes,) if isinstance(sizes, int) else sizes
    return (*sizes, 1, 1)[:3]


@cache
def solution(name: str) -> Any:
    """The solution's kernel, the same each time: another one would be compiled anew, and that inside of a graph.

    Raises: FileNotFoundError where no notebook was built."""
    return reference.solved(exercises.find(f"language_models.{name}")).load()[1]


class Bench:
    """The kernels on the GPU, with torch for the data and for the library."""

    def __init__(self) -> None:
        import torch

        self.torch = torch
        self.functional = torch.nn.functional
        self.rows: list[list[Any]] = []
        self.copy_gbs = 0.0

    def launch(
        self, name: str, *arrays: Any, grid: Any, block: Any, shared: int = 0, early: bool = False
    ) -> Callable[[], None]:
        """One launch of a solution, or of one of OTHERS, on these tensors, in torch's current stream.

        shared: bytes of dynamic shared memory of a block. early: it may begin under the end of the one before it.
        """
        from numba import cuda

        kernel = OTHERS.get(name) or solution(name)
        given = [cuda.as_cuda_array(one) if isinstance(one, self.torch.Tensor) else one for one in arrays]
        raise_limit(kernel, given, shared)
        if early:
            begin = dependent(kernel, given, three(grid), three(block), shared)
            return lambda: begin(self.torch.cuda.current_stream().cuda_stream)

        def call() -> None:
            stream = cuda.external_stream(self.torch.cuda.current_stream().cuda_stream)
            kernel[grid, block, stream, shared](*given)

        return call

    def time_us(self, calls: Sequence[Callable[[], Any]]) -> float:
        """Microseconds of a call: the median over replays of a graph of them all."""
        calls[0]()
        self.torch.cuda.synchronize()
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph, capture_error_mode="thread_local"):
            for call in calls:
                call()
        times = []
        for _ in range(ROUNDS + 1):
            begins, ends = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
            begins.record()
            graph.replay()
            ends.record()
            ends.synchronize()
            times.append(1e3 * begins.elapsed_time(ends) / len(calls))
        return float(np.median(times[1:]))

    def add(self, name: str, size: str, n_bytes: float, us: float, torch_us: float, error: float) -> None:
        """A row of the table. Raises: ValueError for a result that is wrong."""
        if not error <= LIMITS.get(name, LIMITS[name.split(",")[0]]):
            raise ValueError(f"{name} at {size} is wrong by {error:.1e}: time nothing that is not right.")
        rate = n_bytes / us / 1e3
        row = [name, size, f"{us:.1f}", f"{rate:,.0f}", f"{torch_us:.1f}", f"{torch_us / us:.2f}x"]
        self.rows.append([*row, f"{100 * rate / self.copy_gbs:.0f} %"])
        print(*self.rows[-1], sep=" | ", flush=True)

    def drawn(self, *shape: int) -> Any:
        """Normal numbers in float16."""
        return self.torch.randn(shape, device="cuda", dtype=self.torch.float16)

    def measure_copy(self) -> None:
        """Bytes in and out of a copy by a kernel, in GB/s: what every rate is held against."""
        source = self.torch.zeros(1 << 28, device="cuda")
        target = self.torch.empty_like(source)
        us = self.time_us([lambda: self.torch.add(source, 0, out=target)] * 2)
        self.copy_gbs = 8 * source.numel() / us / 1e3

    def measure_norm(self, n_rows: int = 32768, n_cols: int = 4096) -> None:
        """Rows of a prompt."""
        src, gamma, dst = self.drawn(n_rows, n_cols), self.drawn(n_cols), self.drawn(n_rows, n_cols)
        call = self.launch("rms_norm", src, gamma, dst, grid=n_rows, block=128)
        us = self.time_us([call] * 4)
        torch_us = self.time_us([lambda: self.functional.rms_norm(src, (n_cols,), gamma, 1e-5)] * 4)
        some = src[:64].double()
        right = some / (some.square().mean(1, keepdim=True) + 1e-5).sqrt() * gamma.double()
        error = (dst[:64].double() - right).abs().max().item()
        self.add("rms_norm", f"{n_rows:,} x {n_cols:,}", 4 * src.numel(), us, torch_us, error)

    def measure_products(self, n_rows: int, n_cols: int) -> None:
        """Weights of 16, 8 and 4 bits times one vector; torch's are of 16 both times."""
        torch, n, size = self.torch, n_rows * n_cols, f"{n_rows:,} x {n_cols:,}"
        x, y = self.drawn(n_cols), torch.zeros(n_rows, device="cuda")
        weights = [self.drawn(n_rows, n_cols) for _ in range(max(4, ENOUGH_BYTES // (2 * n)))]
        torch_us = self.time_us([lambda w=w: torch.mv(w, x) for w in weights])
        calls = [self.launch("half_product", w, x, y, grid=n_rows, block=128) for w in weights]
        us = self.time_us(calls)
        error = (y.double() - weights[-1].double() @ x.double()).abs().max().item()
        self.add("half_product", size, 2 * n, us, torch_us, error)
        del weights, calls
        self.measure_bytes(n_rows, n_cols, x, torch_us)
        packed = [
            torch.randint(-128, 128, (n_rows, n_cols // 2), device="cuda", dtype=torch.int8)
            for _ in range(max(8, ENOUGH_BYTES // (n // 2)))
        ]
        scales = torch.rand(n_rows, n_cols // 32, device="cuda").half() / 8
        whole = packed[-1].view(torch.uint8).int()
        steps = torch.stack([whole & 15, whole >> 4], -1).reshape(n_rows, n_cols).double() - 8
        right = (steps * scales.double().repeat_interleave(32, 1)) @ x.double()
        for name, (kernel, rows, early) in FOUR_BITS.items():
            y.fill_(float("nan"))
            grid = -(-n_rows // rows)
            launched = [self.launch(kernel, p, scales, x, y, grid=grid, block=128, early=early) for p in packed]
            us = self.time_us(launched)
            error = (
                0.0 if kernel == "four_bits_read" else (y.double() - right).abs().max().item()
            )  # one computes nothing
            self.add(name, size, n / 2 + n / 16, us, torch_us, error)

    def measure_bytes(self, n_rows: int, n_cols: int, x: Any, torch_us: float) -> None:
        """The same with weights of 8 bits."""
        torch, n, y = self.torch, n_rows * n_cols, self.torch.zeros(n_rows, device="cuda")
        drawn = torch.randint(-128, 128, (n_rows, n_cols), device="cuda", dtype=torch.int8)
        packed = [drawn.roll(i, 0) for i in range(max(4, ENOUGH_BYTES // n))]
        scales = torch.rand(n_rows, n_cols // 32, device="cuda").half() / 128
        grid = -(-n_rows // 4)
        us = self.time_us([self.launch("eight_bit_product", p, scales, x, y, grid=grid, block=128) for p in packed])
        right = (packed[-1].double() * scales.double().repeat_interleave(32, 1)) @ x.double()
        error = (y.double() - right).abs().max().item()
        self.add("eight_bit_product", f"{n_rows:,} x {n_cols:,}", n + n / 16, us, torch_us, error)

    def measure_attention(self, n_keys: int) -> None:
        """One query per head over a cache in pages that lie in no order."""
        torch, n_heads = self.torch, SHARED * N_SHARED
        n_bytes = 2 * 2 * N_SHARED * n_keys * HEAD
        caches = [
            (self.drawn(N_SHARED, n_keys, HEAD), self.drawn(N_SHARED, n_keys, HEAD))
            for _ in range(max(4, ENOUGH_BYTES // n_bytes))
        ]
        pages = torch.randperm(n_keys // PAGE, device="cuda").int()
        rows = (PAGE * pages.long()[:, None] + torch.arange(PAGE, device="cuda")).flatten()
        q, out = self.drawn(n_heads, HEAD), torch.zeros(n_heads, HEAD, device="cuda")
        ordered = [(k[None, :, rows].contiguous(), v[None, :, rows].contiguous()) for k, v in caches]
        sdpa = self.functional.scaled_dot_product_attention
        torch_us = self.time_us([lambda k=k, v=v: sdpa(q[None, :, None], k, v, enable_gqa=True) for k, v in ordered])
        k, v = (one[0].double().repeat_interleave(SHARED, 0) for one in ordered[-1])
        weights = (torch.einsum("hc,hjc->hj", q.double(), k) / HEAD**0.5).softmax(1)
        right = torch.einsum("hj,hjc->hc", weights, v)
        size = f"{n_keys:,} places, {n_heads} heads, {N_SHARED} shared"
        multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
        for name, (kernel, threads, shared, merging, block) in KERNELS.items():
            of_rung = merging == "merge_splits"
            n_splits = -(-n_keys // SPLIT) if of_rung else decode_kernels.splits_of(n_keys, N_SHARED, multiprocessors)
            parts = torch.zeros(n_splits, n_heads, HEAD, device="cuda")
            logs = torch.zeros(n_splits, n_heads, device="cuda")
            grid = n_heads if of_rung else decode_kernels.merge_blocks(n_heads)
            merge = self.launch(merging, parts, logs, out, grid=grid, block=block, early=not of_rung)
            calls = []
            for keys, values in caches:
                arguments = (q, keys, values, pages, np.int32(n_keys), parts, logs)
                splits = {"grid": (n_splits, N_SHARED), "block": threads, "shared": shared, "early": not of_rung}
                calls += [self.launch(kernel, *arguments, **splits), merge]
            merge()
            us = 2 * self.time_us(calls)
            calls[-2]()
            merge()
            error = (out.double() - right).abs().max().item()
            self.add(name, size, n_bytes, us, torch_us, error)


def main(folder: Path = RESULTS) -> int:
    """Measure and record. Returns 1 where there is no GPU."""
    prepare()
    if not gpu_available():
        print("There is no GPU here: nothing was measured.")
        return 1
    bench = Bench()
    bench.measure_copy()
    bench.measure_norm()
    for shape in SHAPES:
        bench.measure_products(*shape)
    for n_keys in CACHE:
        bench.measure_attention(n_keys)
    measured = {"device": device_name(), "copy_gbs": bench.copy_gbs, "columns": COLUMNS, "rows": bench.rows}
    print(record("language_models", measured, folder))
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder to write to")
    sys.exit(main(parser.parse_args().output))
