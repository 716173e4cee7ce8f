"""What unit 09 gains on this GPU: a pipeline of chunks against its longest part, and launches in a graph.

    python benchmarks/bench_streams.py        writes benchmarks/results/streams.json

Medians of wall-clock times around a wait for the device, after a warm-up, in the same process.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from numba import cuda, float32

from autograder.backend import gpu_available
from autograder.notebook.cuda_graphs import capture
from benchmarks.record import record

N = 1 << 26  # elements, 256 MiB each way
THREADS = 256
ROUNDS = 7
CHAIN = 20  # launches of one pass
PASSES = 200


@cuda.jit
def scale(x, out):
    """out = 2 x + 1. x, out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(2) * x[i] + float32(1)


@cuda.jit
def add_one(x):
    """x += 1. x: (n,) float32."""
    i = cuda.grid(1)
    if i < x.size:
        x[i] += float32(1)


def blocks_for(n: int) -> int:
    """Blocks of THREADS threads that cover n elements."""
    return (n + THREADS - 1) // THREADS


def milliseconds(work: Callable[[], object]) -> float:
    """The median time of some work and of the wait for the device, in milliseconds."""
    times = []
    for _ in range(ROUNDS + 1):
        cuda.synchronize()
        began = time.perf_counter()
        work()
        cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - began))
    return statistics.median(times[1:])


def pipeline_rows() -> list[tuple]:
    """Each part alone, all in one stream, and chunks in streams of their own."""
    x, out = cuda.pinned_array(N, np.float32), cuda.pinned_array(N, np.float32)
    x[:] = 1
    d_x, d_out = cuda.device_array(N, np.float32), cuda.device_array(N, np.float32)
    streams = [cuda.stream() for _ in range(16)]

    def chunks(count: int, queues: list) -> None:
        for k in range(count):
            part, stream = slice(k * N // count, (k + 1) * N // count), queues[k % len(queues)]
            d_x[part].copy_to_device(x[part], stream=stream)
            scale[blocks_for(d_x[part].size), THREADS, stream](d_x[part], d_out[part])
            d_out[part].copy_to_host(out[part], stream=stream)

    up = milliseconds(lambda: d_x.copy_to_device(x, stream=streams[0]))
    kernel = milliseconds(lambda: scale[blocks_for(N), THREADS, streams[0]](d_x, d_out))
    down = milliseconds(lambda: d_out.copy_to_host(out, stream=streams[0]))
    rows = [("copy up alone", up, ""), ("kernel alone", kernel, ""), ("copy down alone", down, "")]
    longest = max(up, kernel, down)
    for name, count, queues in (
        ("one stream, all at once", 1, streams[:1]),
        ("4 chunks, 4 streams", 4, streams[:4]),
        ("16 chunks, 16 streams", 16, streams),
        ("64 chunks, 4 streams", 64, streams[:4]),
        ("128 chunks, 3 streams", 128, streams[:3]),
    ):
        total = milliseconds(lambda count=count, queues=queues: chunks(count, queues))
        rows.append((name, total, f"{longest / total:.0%}"))
    assert (out == 3).all()
    return [(name, f"{value:.2f} ms", share) for name, value, share in rows]


def graph_rows() -> list[tuple]:
    """A chain of small kernels, launched one by one and as a graph."""
    x, stream = cuda.to_device(np.zeros(256, np.float32)), cuda.stream()
    add_one[1, 256](x)
    cuda.synchronize()

    def launches() -> None:
        for _ in range(CHAIN * PASSES):
            add_one[1, 256, stream](x)

    with capture(stream) as graph:
        for _ in range(CHAIN):
            add_one[1, 256, stream](x)

    def replays() -> None:
        for _ in range(PASSES):
            graph.replay(stream)

    per_kernel = 1e3 / (CHAIN * PASSES)
    return [
        ("a launch from Python", f"{milliseconds(launches) * per_kernel:.2f} µs", ""),
        (f"a kernel of a graph of {CHAIN}", f"{milliseconds(replays) * per_kernel:.2f} µs", ""),
    ]


def main() -> int:
    """Measure and record. Returns 2 without a GPU."""
    if not gpu_available():
        print("bench_streams needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    rows = [*pipeline_rows(), *graph_rows()]
    name = cuda.get_current_device().name
    device = name.decode() if isinstance(name, bytes) else str(name)
    columns = ["what", "time", "longest part over it"]
    record("streams", {"device": device, "columns": columns, "elements": N, "rows": rows})
    for row in rows:
        print(*row, sep="   ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
