"""Weights of 4 bits times a vector, x made whole numbers: machine code alone, as PTX has no stand-in."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="there is no compiler here")
from numba import cuda

from benchmarks import integer_unpacking, unpacking_kernels

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize(("n_rows", "n_cols"), [(16, 64), (8, 2048), (32, 4480), (4096, 4096)])
@pytest.mark.parametrize("largest", [1e-6, 1, 60_000])
def test_only_what_16_bits_cannot_hold_of_x_is_lost(n_rows, n_cols, largest):
    rng = np.random.default_rng(0)
    packed = rng.integers(-128, 128, (n_rows, n_cols // 2), np.int8)
    scales = rng.uniform(0.01, 0.1, (n_rows, n_cols // 32)).astype(np.float16)
    x = (largest * rng.uniform(-1, 1, n_cols)).astype(np.float16)
    x[:32] = 0  # a group of nothing
    y = np.full(n_rows, np.nan, np.float32)
    whole = packed.view(np.uint8)
    steps = np.stack([whole & 15, whole >> 4], axis=-1).reshape(n_rows, n_cols).astype(np.float64) - 8
    weights = steps * np.repeat(scales.astype(np.float64), 32, axis=1)
    lost = np.repeat(np.abs(x.astype(np.float64)).reshape(-1, 32).max(axis=1), 32) / (2 * 32_767)

    launch = n_rows // unpacking_kernels.ROWS, unpacking_kernels.THREADS
    out = cuda.to_device(y)
    integer_unpacking.four_bits_in_integers[launch](*map(cuda.to_device, (packed, scales, x)), out)

    rounding = 1e-6 * (np.abs(weights) @ np.abs(x.astype(np.float64)))  # sums of float32, and a reciprocal's last bits
    assert (np.abs(out.copy_to_host() - weights @ x) <= np.abs(weights) @ lost + rounding).all()
