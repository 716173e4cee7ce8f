"""The same kernels in numba's own simulator, which starts a Python thread for each thread of a block.

    NUMBA_ENABLE_CUDASIM=1 python -m benchmarks.simulator

prints one JSON object. `times_ms` runs that: the simulator has to be chosen before numba is imported.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from types import FunctionType

from benchmarks import bench_simt

ROUNDS = 3


def benches() -> list[bench_simt.Bench]:
    """What the two are compared on: with barriers, with a tile of shared memory, and without either."""
    return [bench_simt.sum_bench(4096), bench_simt.matmul_bench(64), bench_simt.stride_bench(4096, 4, 128)]


def times_ms() -> dict[str, float]:
    """Milliseconds by launch, the best of ROUNDS, measured now. Raises RuntimeError where a result is wrong."""
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-m", "benchmarks.simulator"]
    measured = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=bench_simt.ROOT)
    if measured.returncode:
        raise RuntimeError(f"numba's simulator: {measured.stderr.strip().splitlines()[-1]}")
    return json.loads(measured.stdout)


def _for_numba(kernel: FunctionType):
    """The kernel as numba's simulator wants it: with numba's own module in place of ours."""
    from numba import cuda, float32, int32

    names = {**kernel.__globals__, "cuda": cuda, "float32": float32, "int32": int32}
    return cuda.jit(FunctionType(kernel.__code__, names, kernel.__name__))


def main() -> int:
    """Time every launch here. The exit code is the number of wrong results."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    if os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":
        sys.exit("Set NUMBA_ENABLE_CUDASIM=1, or numba's kernels run in our interpreter.")
    wrong, times = 0, {}
    for bench in benches():
        kernel = _for_numba(bench.kernel)
        times[bench.name], right = bench_simt.best_ms(bench, lambda _, grid, block, *args: kernel[grid, block](*args))  # noqa: B023
        wrong += not right
    print(json.dumps(times))
    return wrong


if __name__ == "__main__":
    sys.exit(main())
