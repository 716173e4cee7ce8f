"""Small programs that numba's simulator and ours treat differently. Each prints one line that begins with "> "."""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """\
import math
import numpy as np
from numba import cuda, float32, int32, int64
"""


@dataclass(frozen=True)
class Probe:
    """One program. what: in the words of a table's row. timed: long enough that its processor time says something."""

    name: str
    what: str
    source: str
    timed: bool = False


def _kernel(body: str, launch: str, shown: str) -> str:
    """A program of one kernel k(x) on 64 float32. body: its lines."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"""
@cuda.jit
def k(x):
    i = cuda.grid(1)
{lines}

x = np.arange(64, dtype=np.float32)
{launch}
print(">", {shown})
"""


PROBES = (
    Probe(
        "shuffle",
        "`shfl_down_sync`",
        _kernel("x[i] += cuda.shfl_down_sync(0xFFFFFFFF, x[i], 1)", "k[2, 32](x)", "x[0]"),
    ),
    Probe(
        "ballot",
        "`ballot_sync`",
        _kernel("x[i] = cuda.ballot_sync(0xFFFFFFFF, x[i] < 4)", "k[2, 32](x)", "x[0]"),
    ),
    Probe(
        "two_arrays",
        "two shared arrays made on one line",
        _kernel(
            "a, b = cuda.shared.array(64, float32), cuda.shared.array(64, float32)\n"
            "a[i] = 1\nb[i] = 2\ncuda.syncthreads()\nx[i] = a[63 - i]",
            "k[1, 64](x)",
            "x[0]",
        ),
    ),
    Probe("int32_wraps", "`int32(3e9)`", _kernel("x[i] = int32(3e9)", "k[1, 64](x)", "int(x[0])")),
    Probe("zero_division", "`7 // 0` of integers", _kernel("x[i] = 7 // (i - i)", "k[1, 64](x)", "x[0]")),
    Probe(
        "float64_sum",
        "a sum of float32 that begins as `0`: numba makes it float64",
        _kernel("s = 0\nfor j in range(x.size):\n    s += float32(0.1)\nx[i] = s", "k[1, 1](x)", "repr(float(x[0]))"),
    ),
    Probe("reciprocal", "`1 / x[i]` where `x[i]` is 0", _kernel("x[i] = 1 / x[i]", "k[1, 64](x)", "x[0]")),
    Probe("log_of_minus_one", "`math.log(-1.0)`", _kernel("x[i] = math.log(-x[i])", "k[1, 64](x)", "x[1]")),
    Probe("outside", "an index outside", _kernel("x[i] = 1", "k[1, 128](x)", "x.sum()")),
    Probe("negative", "a store at `x[i - 1]`", _kernel("x[i - 1] = 1", "k[1, 64](x)", "x[63]")),
    Probe("race", "`x[0] += 1` by 64 threads", _kernel("x[0] += 1", "k[1, 64](x)", "x[0] <= 64")),
    Probe(
        "missing_barrier",
        "a tile with no barrier",
        _kernel("s = cuda.shared.array(64, float32)\ns[i] = x[i]\nx[i] = s[63 - i]", "k[1, 64](x)", "x.size"),
    ),
    Probe(
        "unwritten",
        "a read of shared memory that nobody wrote",
        _kernel("s = cuda.shared.array(64, float32)\nif i < 32:\n    s[i] = 0\nx[i] = s[i]", "k[1, 64](x)", "x[0]"),
    ),
    Probe(
        "missed_barrier",
        "a barrier that half the threads miss",
        _kernel("if i < 32:\n    cuda.syncthreads()\nx[i] = 0", "k[1, 64](x)", "x[0]"),
    ),
    Probe(
        "spin_lock",
        "a loop that waits for what no thread will write",
        _kernel("while x[0] == 0:\n    pass", "k[1, 64](x)", "x[0]"),
    ),
    Probe(
        "too_many_threads",
        "a block of 2048 threads",
        _kernel("if i < x.size:\n    x[i] = 0", "k[1, 2048](x)", "x[0]"),
    ),
    Probe(
        "stream",
        "a copy to pinned memory, read before the host waits for its stream",
        _kernel(
            "x[i] = 1",
            "x = cuda.pinned_array(64, np.float32)\nx[:] = 0\nstream = cuda.stream()\nd = cuda.to_device(x, stream)\n"
            "k[1, 64, stream](d)\nd.copy_to_host(x, stream)",
            "x[0]",
        ),
    ),
    Probe(
        "untypable",
        "what numba does not compile: a list made in a kernel",
        _kernel("y = [x[i], x[i]]\ny.sort()\nx[i] = y[0]", "k[1, 64](x)", "x[0]"),
    ),
    Probe(
        "vector_add",
        "`x[i] += 1` on 4,096 threads",
        _kernel("if i < x.size:\n    x[i] += 1", "x = np.zeros(4096, np.float32)\nk[16, 256](x)", "x.sum()"),
        timed=True,
    ),
    Probe(
        "block_sum",
        "a sum in shared memory, 16 blocks of 256",
        _kernel(
            "s = cuda.shared.array(256, float32)\nt = cuda.threadIdx.x\ns[t] = x[i]\ncuda.syncthreads()\nd = 128\n"
            "while d > 0:\n    if t < d:\n        s[t] += s[t + d]\n    cuda.syncthreads()\n    d //= 2\n"
            "if t == 0:\n    x[i] = s[0]",
            "x = np.ones(4096, np.float32)\nk[16, 256](x)",
            "x[0]",
        ),
        timed=True,
    ),
    Probe(
        "small_launches",
        "200 launches of ten threads",
        _kernel("if i < x.size:\n    x[i] += 1", "for _ in range(200):\n    k[1, 10](x)", "x[0]"),
        timed=True,
    ),
)
