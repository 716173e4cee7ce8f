"""Memory of a launch is bounded by its batch of blocks, whatever the grid."""

from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32

FEW, MANY = 256, 2_560  # blocks: two batches and twenty


def fold(src, out):
    tile = cuda.shared.array(256, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    if t % 3:
        tile[t] = src[i % src.size]
    cuda.syncthreads()
    for k in range(2):
        if t > 10:
            out[i % out.size] = tile[t - k] * 2


def peak_bytes(run, blocks: int) -> int:
    """Most bytes that a launch held at once, its arrays not counted, with nothing collected meanwhile."""
    src, out = np.ones(4096, np.float32), np.zeros(4096, np.float32)
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        run(fold, blocks, 256, src, out)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.enable()


@pytest.mark.parametrize("run", [simt.launch, simt.trace], ids=["plain", "traced"])
def test_ten_times_the_blocks_need_no_more_memory(run):
    peak_bytes(run, 1)  # what a first launch compiles stays
    assert peak_bytes(run, MANY) < 1.2 * peak_bytes(run, FEW)
