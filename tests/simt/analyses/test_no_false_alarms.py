"""Nothing is found where nothing is wrong: the kernels of the benchmarks, whole and with a ragged end.

The course's solutions and right answers are held to the same by the kill matrix, the zoo's kernels by tests/zoo.
"""

import pytest

import simt
from benchmarks import bench_simt

SEEDS = (None, 0, 1)
BENCHES = [
    bench_simt.add_bench(1000),
    bench_simt.stride_bench(300, 2, 32),
    bench_simt.sum_bench(512),
    bench_simt.matmul_bench(32),
    bench_simt.histogram_bench(500),
    bench_simt.warp_bench(512),
    bench_simt.mandelbrot_bench(20, 17, 8),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.name)
def test_a_right_kernel_has_no_findings_and_the_right_result_in_every_order(bench, seed):
    arguments = bench.arguments()
    trace = simt.trace(bench.kernel, bench.grid, bench.block, *arguments, seed=seed)

    assert [] == trace.findings
    assert bench.right(arguments)
