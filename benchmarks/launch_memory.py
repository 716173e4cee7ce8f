"""Memory of a launch against the size of its grid: what the interpreter allocates beside the kernel's own arrays."""

from __future__ import annotations

import tracemalloc

import numpy as np

import simt
from benchmarks import bench_simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32

BLOCKS = (256, 2_560, 25_600)  # a few batches, and a hundred times as many
ELEMENTS = 1 << 16


def fold(src, out):
    """Every block reverses a tile of the same elements, so that the arrays stay as they are while the grid grows."""
    tile = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    tile[t] = src[cuda.grid(1) % src.size]
    cuda.syncthreads()
    out[cuda.grid(1) % out.size] = tile[255 - t] * 2


def peak_mb(run, blocks: int) -> float:
    """Most megabytes allocated at once during a launch of `blocks` blocks of 256 threads, its arrays not counted."""
    src, out = np.ones(ELEMENTS, np.float32), np.zeros(ELEMENTS, np.float32)
    tracemalloc.start()
    run(fold, blocks, bench_simt.BLOCK, src, out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def rows() -> list[dict]:
    """One row a grid: blocks, and the peak of a plain and of a traced launch."""
    peak_mb(simt.trace, 1)  # what the first launch compiles stays
    return [
        {"blocks": blocks, "plain_peak_mb": peak_mb(simt.launch, blocks), "traced_peak_mb": peak_mb(simt.trace, blocks)}
        for blocks in BLOCKS
    ]
