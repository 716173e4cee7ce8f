"""The sorts of the benchmarks order any keys, in the interpreter: what a benchmark times is right to begin with."""

import numpy as np
import pytest
from numba import cuda

from autograder import backend
from benchmarks import sort_kernels
from benchmarks.early_sweep import early_sweep

backend.prepare()
WAYS = {"ranks first": (sort_kernels.sweep(256, 2, True), 256, 2), "counts first": (early_sweep(384, 3, True), 384, 3)}
KEYS = {"any": 1 << 32, "few distinct": 3}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("largest", KEYS)
@pytest.mark.parametrize("n", (1, 1152, 5000))
def test_a_sweep_per_digit_sorts(way, largest, n):
    kernel, threads, each = WAYS[way]
    keys = np.random.default_rng(n).integers(0, KEYS[largest], n, dtype=np.uint64).astype(np.uint32)
    given, spare = cuda.to_device(keys), cuda.to_device(np.full(n, 7, np.uint32))
    tiles = -(-n // (threads * each))
    words = cuda.to_device(np.zeros(4 * (256 * tiles + 256 + 1), np.int32))

    sort_kernels.one_sweep_sort(kernel, threads, each)(given, spare, words)()

    np.testing.assert_array_equal(np.sort(keys), given.copy_to_host())
