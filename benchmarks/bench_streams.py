"""What unit 09 gains on this GPU: a pipeline of chunks against its longest part, and launches in a graph.

    python benchmarks/bench_streams.py [--output DIR]      writes DIR/streams.json, benchmarks/results by default

Medians of wall-clock times around a wait for the device, after a warm-up. Three pipelines: one whose
kernel is short, so that the copies of both directions share the link all the time; one whose result is a quarter as
long, so that the copy up is the longest part; and one whose kernel is the longest part. Queued chunk by chunk from
Python, and captured once as a graph.
"""

from __future__ import annotations

import argparse
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
from benchmarks.record import RESULTS, device_name, record

N = 1 << 27  # elements, 512 MiB each way
THREADS = 256
ROUNDS = 7
CHAIN = 20  # launches of one pass
PASSES = 200
TRIED_TURNS = 2000  # of the loop of a kernel that is to take longer than a copy, to see how many it takes
FEWER = 4  # elements that one element of a short result is made of
LONGER = 1.5  # how many times as long as a copy it should take


@cuda.jit
def scale(x, out):
    """out = 2 x + 1. x, out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(2) * x[i] + float32(1)


@cuda.jit
def add_fours(x, out):
    """out[i] = the sum of x[4 i] to x[4 i + 3]. x: (4 n,), out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[4 * i] + x[4 * i + 1] + x[4 * i + 2] + x[4 * i + 3]


@cuda.jit
def add_one(x):
    """x += 1. x: (n,) float32."""
    i = cuda.grid(1)
    if i < x.size:
        x[i] += float32(1)


def squares(turns: int):
    """A kernel: out = 2 y + 1, where y is x squared `turns` times, and 1 where x is 1. x, out: (n,) float32."""

    @cuda.jit
    def scale_squared(x, out):
        i = cuda.grid(1)
        if i < out.size:
            y = x[i]
            for _ in range(turns):
                y *= y
            out[i] = float32(2) * y + float32(1)

    return scale_squared


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


class Pipeline:
    """One kernel between two copies, of arrays that are pinned on the host and lie on the device.

    fewer: how many elements of x one of the result is made of; result: what it is where x is 1.
    """

    def __init__(self, kernel, fewer: int = 1, result: float = 3) -> None:
        self.kernel, self.fewer, self.result = kernel, fewer, result
        self.x, self.out = cuda.pinned_array(N, np.float32), cuda.pinned_array(N // fewer, np.float32)
        self.x[:] = 1
        self.d_x, self.d_out = cuda.device_array(N, np.float32), cuda.device_array(N // fewer, np.float32)
        self.streams = [cuda.stream() for _ in range(4)]

    def alone(self) -> dict[str, float]:
        """Milliseconds of each part by itself, and of the copies of both directions at once."""
        one, two, *_ = self.streams

        def up() -> None:
            self.d_x.copy_to_device(self.x, stream=one)

        def down() -> None:
            self.d_out.copy_to_host(self.out, stream=two)

        def kernel() -> None:
            self.kernel[blocks_for(self.d_out.size), THREADS, one](self.d_x, self.d_out)

        parts = {"copy up alone": up, "kernel alone": kernel, "copy down alone": down}
        return {name: milliseconds(call) for name, call in parts.items()} | {
            "copies up and down at once": milliseconds(lambda: (up(), down()))
        }

    def queue(self, count: int, n_streams: int) -> None:
        """Each chunk in one of the streams."""
        for k in range(count):
            stream, n_out = self.streams[k % n_streams], N // self.fewer
            mine = slice(k * n_out // count, (k + 1) * n_out // count)
            part = slice(self.fewer * mine.start, self.fewer * mine.stop)
            self.d_x[part].copy_to_device(self.x[part], stream=stream)
            self.kernel[blocks_for(mine.stop - mine.start), THREADS, stream](self.d_x[part], self.d_out[mine])
            self.d_out[mine].copy_to_host(self.out[mine], stream=stream)

    def captured(self, count: int, n_streams: int) -> Callable[[], None]:
        """The same as a graph: a stream from which the others fork, and which they join again."""
        main, queues = cuda.stream(), self.streams[:n_streams]
        forked, joined = cuda.event(timing=False), [cuda.event(timing=False) for _ in queues]
        with capture(main) as graph:
            forked.record(main)
            for queue in queues:
                forked.wait(queue)
            self.queue(count, n_streams)
            for queue, event in zip(queues, joined, strict=True):
                event.record(queue)
                event.wait(main)
        return lambda: graph.replay(main)

    def is_right(self) -> bool:
        """Whether the last run wrote what it should; the next one finds none of it."""
        right = bool((self.out == self.result).all())
        self.out[:] = 0
        return right


def longer_kernel():
    """A kernel that takes LONGER times as long as a copy."""
    line = Pipeline(squares(TRIED_TURNS))
    line.queue(1, 1)
    parts = line.alone()
    return squares(int(TRIED_TURNS * LONGER * parts["copy up alone"] / parts["kernel alone"]))


def host_milliseconds(work: Callable[[], object]) -> float:
    """The median time that the host spends on queueing, in milliseconds; the device is idle when it begins."""
    times = []
    for _ in range(ROUNDS):
        cuda.synchronize()
        began = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - began))
    return statistics.median(times)


def pipeline_rows(line: Pipeline, title: str, counts: tuple[int, ...]) -> list[tuple]:
    """Each part alone, all in one stream, and chunks: queued one by one, and as a graph."""
    line.queue(1, 1)  # compiles
    parts = line.alone()
    longest = max(list(parts.values())[:3])
    link = max(longest, parts["copies up and down at once"])
    rows = [(f"{title}: {name}", f"{time:.2f} ms", "", "", "") for name, time in parts.items()]
    ways: list[tuple[str, Callable[[], object]]] = [("one stream, all at once", lambda: line.queue(1, 1))]
    for count in counts:
        ways.append((f"{count} chunks", lambda count=count: line.queue(count, 4)))
        ways.append((f"{count} chunks, a graph", line.captured(count, 4)))
    for name, work in ways:
        total, host = milliseconds(work), host_milliseconds(work)
        cuda.synchronize()
        assert line.is_right(), name
        shares = f"{longest / total:.0%}", f"{link / total:.0%}"
        rows.append((f"{title}: {name}", f"{total:.2f} ms", *shares, f"{host:.2f} ms"))
        print(*rows[-1], sep="   ", flush=True)
    return rows


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
        ("a launch from Python", f"{milliseconds(launches) * per_kernel:.2f} µs", "", "", ""),
        (f"a kernel of a graph of {CHAIN}", f"{milliseconds(replays) * per_kernel:.2f} µs", "", "", ""),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Measure and record. Returns 2 without a GPU."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULTS, help="the folder that streams.json goes to")
    folder = parser.parse_args(arguments).output
    if not gpu_available():
        print("bench_streams needs an NVIDIA GPU: there is nothing to measure here.", file=sys.stderr)
        return 2
    rows = [
        *pipeline_rows(Pipeline(scale), "short kernel", (4, 16, 64)),
        *pipeline_rows(Pipeline(add_fours, FEWER, FEWER), "short result", (4, 16, 64)),
        *pipeline_rows(Pipeline(longer_kernel()), "long kernel", (4, 16)),
        *graph_rows(),
    ]
    device = device_name()
    columns = ["what", "time", "longest part over it", "both copies at once, or kernel, over it", "host queues for"]
    record("streams", {"device": device, "columns": columns, "elements": N, "rows": rows}, folder)
    for row in rows:
        print(*row, sep="   ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
