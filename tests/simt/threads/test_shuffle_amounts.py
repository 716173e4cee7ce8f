"""A shuffle looks at five bits of its amount, as PTX says of `shfl.sync`: any integer is one of 0 to 31."""

import numpy as np
import pytest

import simt
from tests.simt.kernels import cuda


@cuda.jit
def shuffled(amount, own, out):
    t = cuda.threadIdx.x
    k = amount + t - t if own else amount
    out[0, t] = cuda.shfl_up_sync(0xFFFFFFFF, t, k)
    out[1, t] = cuda.shfl_down_sync(0xFFFFFFFF, t, k)
    out[2, t] = cuda.shfl_xor_sync(0xFFFFFFFF, t, k)
    out[3, t] = cuda.shfl_sync(0xFFFFFFFF, t, k)


def result(amount: int, own: bool) -> list:
    out = np.zeros((4, 32), np.int64)
    simt.launch(shuffled, 1, 32, amount, own, out)
    return out.tolist()


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("amount", [-3, -32, 32, 35, 1 << 40])
def test_more_than_a_warp_has_goes_round(amount, own):
    assert result(amount % 32, own) == result(amount, own)
    assert result(amount % 32, own) == result(amount % 32, not own)
