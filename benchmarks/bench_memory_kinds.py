"""What unit 10 is about, on this GPU: the same work with its data in different memories, beside a plain copy.

    python benchmarks/bench_memory_kinds.py        writes benchmarks/results/memory_kinds.json
    python benchmarks/bench_memory_kinds.py --output DIR

Ways across the bus are wall-clock times around a wait for the device, the best of a few; kernels are medians of
launches that are queued back to back. Every result is compared with what NumPy or another version makes of it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numba import cuda

from autograder import exercises
from autograder.answer import reference
from autograder.backend import gpu_available, prepare
from autograder.exercises.u10_memory_kinds import values as data
from autograder.lint import lint, signature_of
from autograder.notebook.host.managed import prefetch
from benchmarks import memory_kind_kernels as others
from benchmarks.memory_kind_kernels import THREADS
from benchmarks.queued_launches import milliseconds
from benchmarks.record import RESULTS, device_name, record

UNIT = "10_memory_kinds"
N = 1 << 26  # elements of a large array, 256 MiB
N_PICKS = 1 << 16
ROUNDS = 3
COLUMNS = ("what", "where the data is", "time", "GB/s of the array")
Row = tuple[str, str, str, str]


def solution(function: str) -> Any:
    """The unit's own answer."""
    exercise = next(one for one in exercises.of_unit(UNIT) if one.function == function)
    return reference.solved(exercise).load()[1]


def blocks(n: int) -> int:
    """Blocks of THREADS threads that cover n."""
    return -(-n // THREADS)


def seconds(work: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> float:
    """The best wall-clock time of some work and a wait for the device, after one round to warm up."""
    times = []
    for _ in range(ROUNDS + 1):
        before()
        cuda.synchronize()
        began = time.perf_counter()
        work()
        cuda.synchronize()
        times.append(time.perf_counter() - began)
    return min(times[1:])


def kernel_seconds(launch: Callable[[], Any]) -> float:
    """The median time of a launch, of several queued back to back."""
    return milliseconds(launch) / 1e3


def row(what: str, where: str, taken: float, n_bytes: float) -> Row:
    """One line of the table; n_bytes: of the array, read or written once."""
    return what, where, f"{1e3 * taken:,.3f} ms", f"{n_bytes / taken / 1e9:,.0f}"


def across_the_bus() -> Iterator[Row]:
    """256 MiB to a kernel: copied, mapped, managed; and managed memory back to the host."""
    ordinary, n_bytes = np.ones(N, np.float32), 4 * N
    d_src, d_dst = cuda.device_array(N, np.float32), cuda.device_array(N, np.float32)
    pinned, mapped = cuda.pinned_array(N, np.float32), cuda.mapped_array(N, np.float32)
    managed = cuda.managed_array(N, np.float32)
    pinned[:] = mapped[:] = managed[:] = 1

    def read(src: Any) -> None:
        others.copy[blocks(N), THREADS](src, d_dst)

    def on_host() -> None:
        prefetch(managed, to_host=True)
        cuda.synchronize()

    def on_device() -> None:
        prefetch(managed)
        cuda.synchronize()

    yield row("copy to the device", "pageable", seconds(lambda: d_src.copy_to_device(ordinary)), n_bytes)
    yield row("copy to the device", "pinned", seconds(lambda: d_src.copy_to_device(pinned)), n_bytes)
    yield row("kernel reads all of it", "mapped", seconds(lambda: read(mapped)), n_bytes)
    yield row("kernel reads all of it", "managed, pages on the host", seconds(lambda: read(managed), on_host), n_bytes)
    both = seconds(lambda: (prefetch(managed), read(managed)), on_host)
    yield row("prefetch, then the kernel", "managed, pages on the host", both, n_bytes)
    yield row("kernel reads all of it", "managed, pages there", seconds(lambda: read(managed), on_device), n_bytes)
    yield row("kernel reads all of it", "device", seconds(lambda: read(d_src)), n_bytes)
    assert (d_dst.copy_to_host() == 1).all()
    yield row("host reads all of it", "managed, pages on the device", seconds(managed.sum, on_device), n_bytes)
    yield row("host reads all of it", "managed, pages on the host", seconds(managed.sum, on_host), n_bytes)


def few_elements() -> Iterator[Row]:
    """65,536 elements of 256 MiB: the table copied, mapped, picked on the host."""
    table, pinned = cuda.mapped_array(N, np.float32), cuda.pinned_array(N, np.float32)
    table[:] = pinned[:] = np.arange(N, dtype=np.float32)
    rng = np.random.default_rng(1)
    picks = rng.integers(0, N, N_PICKS).astype(np.int32)
    d_picks, d_out = cuda.to_device(picks), cuda.device_array(N_PICKS, np.float32)
    d_table = cuda.device_array(N, np.float32)

    def copied() -> None:
        d_table.copy_to_device(pinned)
        others.gather[blocks(N_PICKS), THREADS](d_table, d_picks, d_out)

    def mapped() -> None:
        others.gather[blocks(N_PICKS), THREADS](table, d_picks, d_out)

    n_bytes = 4 * N_PICKS
    for where, work in (("pinned, all of it copied", copied), ("mapped", mapped)):
        yield row("65,536 of 67 million elements", where, seconds(work), n_bytes)
        assert (d_out.copy_to_host() == pinned[picks]).all(), where
        d_out.copy_to_device(np.zeros(N_PICKS, np.float32))
    on_host = seconds(lambda: d_out.copy_to_device(pinned[picks]))
    yield row("65,536 of 67 million elements", "picked by NumPy, then copied", on_host, n_bytes)


def taps_and_tables() -> Iterator[Row]:
    """The filter of 16 taps and the table of 256, each in every memory."""
    x = np.random.default_rng(2).integers(-9, 10, N + 15).astype(np.float32)
    d_x, d_out, d_taps = cuda.to_device(x), cuda.device_array(N, np.float32), cuda.to_device(data.TAPS)
    first = data.filtered({"x": x[: 1000 + 15]})["out"]
    constant = solution("filter_constant")
    ways: dict[str, Callable[[], None]] = {
        "constant, all lanes alike": lambda: constant[blocks(N), THREADS](d_x, d_out),
        "constant, each lane another": lambda: others.filter_divergent[blocks(N), THREADS](d_x, d_out),
        "global": lambda: others.filter_global[blocks(N), THREADS](d_x, d_taps, d_out),
    }
    for where, launch in ways.items():
        yield row("filter of 16 taps", where, kernel_seconds(launch), 8 * N)
        assert (d_out[:1000].copy_to_host() == first).all(), where
    yield from torch_filter(d_x, d_taps)
    codes = np.random.default_rng(3).integers(0, 256, N).astype(np.uint8)
    d_codes, d_table, shared = cuda.to_device(codes), cuda.to_device(others.TABLE), solution("look_up")
    for where, kernel in (
        ("constant", others.look_up_constant),
        ("global", others.look_up_global),
        ("shared", shared),
    ):
        taken = kernel_seconds(lambda kernel=kernel: kernel[1056, 512](d_codes, d_table, d_out))
        yield row("look-up among 256, random", where, taken, 5 * N)
        assert (d_out[:1000].copy_to_host() == codes[:1000]).all(), where
    yield from torch_look_up(d_codes, d_table)


def torch_filter(d_x: Any, d_taps: Any) -> Iterator[Row]:
    """What a user would call instead; nothing where torch is not installed."""
    try:
        import torch
    except ImportError:
        return
    x, taps = (torch.as_tensor(one, device="cuda")[None, None] for one in (d_x, d_taps))
    taken = kernel_seconds(lambda: torch.nn.functional.conv1d(x, taps))
    yield row("torch.nn.functional.conv1d", "library", taken, 8 * N)


def torch_look_up(d_codes: Any, d_table: Any) -> Iterator[Row]:
    """The same for the table, with codes of 32 bits, which torch wants."""
    try:
        import torch
    except ImportError:
        return
    codes, table = (torch.as_tensor(one, device="cuda") for one in (d_codes, d_table))
    wide = codes.int()
    taken = kernel_seconds(lambda: torch.index_select(table, 0, wide))
    yield row("torch.index_select, codes of 32 bits", "library", taken, 8 * N)


def registers() -> Iterator[Row]:
    """The median of nine in registers and in local memory; 32 sums with registers enough, and with spills."""
    x = np.random.default_rng(4).random(N + 63).astype(np.float32)
    d_x, d_out = cuda.to_device(x), cuda.device_array(N, np.float32)
    first = data.medians({"x": x[: 1000 + 8]})["out"]
    for kernel in (solution("median_of_nine"), others.median_insertion):
        taken = kernel_seconds(lambda kernel=kernel: kernel[blocks(N), THREADS](d_x[: N + 8], d_out))
        yield row("median of nine", in_code(kernel), taken, 8 * N)
        assert (d_out[:1000].copy_to_host() == first).all()
    results = []
    for kernel in (others.with_registers, others.with_spills):
        n = N // 8
        taken = kernel_seconds(lambda kernel=kernel, n=n: kernel[blocks(n), THREADS](d_x[: n + 63], d_out[:n]))
        yield row("32 sums per thread", in_code(kernel), taken, 8 * n)
        results.append(d_out[:1000].copy_to_host())
    assert np.allclose(*results)


def in_code(kernel: Any) -> str:
    """The registers of a kernel and its bytes of local memory, as it is compiled for the newest GPU of the course."""
    facts = list(lint(kernel, signature_of([np.zeros(4, np.float32)] * 2)).facts.values())[-1]
    return f"{facts.registers} registers, {facts.stack_frame_bytes} B local, {facts.spill_bytes} B spilled"


def ahead() -> Iterator[Row]:
    """The blur at once, with a register ahead, and with copies beside the threads; few blocks and many."""
    rows_ahead, one_row_async = solution("blur_rows"), solution("blur_async")
    for per_sm, n_rows in ((2, 4096), (16, 512)):
        n_strips = per_sm * cuda.get_current_device().MULTIPROCESSOR_COUNT
        n_cols = (THREADS - 2) * n_strips
        d_x = cuda.to_device(np.random.default_rng(5).integers(-9, 10, (n_rows, n_cols)).astype(np.float32))
        d_out = cuda.device_array((n_rows, n_cols), np.float32)
        first = data.blurred({"x": d_x[:2].copy_to_host()})["out"]
        n_bytes = 8 * n_rows * n_cols
        for where, kernel in (
            ("loaded at once", others.blur_at_once),
            ("a register ahead", rows_ahead),
            ("copy_async, a row ahead", one_row_async),
            ("copy_async, three rows ahead", others.blur_ring),
        ):
            taken = kernel_seconds(lambda kernel=kernel, out=d_out, x=d_x, n=n_strips: kernel[n, THREADS](x, out))
            yield row(f"blur, {per_sm} blocks per multiprocessor", where, taken, n_bytes)
            assert (d_out[:2].copy_to_host() == first).all(), where
        taken = kernel_seconds(lambda out=d_out, x=d_x: out.copy_to_device(x))
        yield row("copy of the same image", "device", taken, n_bytes)


PARTS = (across_the_bus, few_elements, taps_and_tables, registers, ahead)


def main() -> int:
    """Measure, record and print. Returns 2 without a GPU, 1 where a part failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder for memory_kinds.json")
    options = parser.parse_args()
    if not gpu_available():
        print("bench_memory_kinds needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    prepare()
    device, rows, failed = device_name(), [], []
    for part in PARTS:
        began = time.perf_counter()
        try:
            for one in part():
                rows.append(one)
        except Exception as problem:  # what the other parts measure is worth keeping
            failed.append(f"{part.__name__}: {type(problem).__name__}: {problem}")
        record("memory_kinds", {"device": device, "columns": COLUMNS, "elements": N, "rows": rows}, options.output)
        print(f"-- {part.__name__}, {time.perf_counter() - began:.1f} s", flush=True)
    for one in rows:
        print(*one, sep="   ")
    print(*failed, sep="\n", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
