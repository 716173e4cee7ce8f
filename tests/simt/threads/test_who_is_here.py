"""What a warp is told of the lanes that are together."""

import numpy as np

import simt
from simt.cuda_api import cuda


def test_lanes_of_a_branch_that_ask_who_is_here_may_be_told_of_a_part_of_them():
    """Nothing promises which lanes of a branch are together, so a second run tells of two groups."""

    def who_is_here(out):
        i = cuda.threadIdx.x
        out[0, i] = cuda.popc(cuda.activemask())
        if i < 36:
            together = cuda.activemask()
            out[1, i] = cuda.popc(together)
            out[2, i] = cuda.popc(cuda.ballot_sync(together, 1))
            out[3, i] = cuda.shfl_sync(together, i, 0)

    told = {}
    for seed in (None, 0, 1):
        told[seed] = np.zeros((4, 40), np.int64)
        simt.launch(who_is_here, 1, 40, told[seed], seed=seed)

    first, second = [32] * 32 + [8] * 8, [32] * 32 + [4] * 4 + [0] * 4
    np.testing.assert_array_equal([first, second, second, [0] * 32 + [32] * 4 + [0] * 4], told[None])
    np.testing.assert_array_equal(told[None], told[0])
    halves = [32] * 32 + [2] * 4 + [0] * 4
    np.testing.assert_array_equal([first, halves, halves, [0] * 32 + [32, 33, 32, 35] + [0] * 4], told[1])
