"""Lanes at work, and where warps split."""

from simt.analyses.costs.divergence import Divergence
from tests.simt.synthetic import Stage, counts


def test_a_line_counts_once_a_warp_and_once_a_thread():
    divergence = Divergence()
    Stage(divergence, grid=(2, 1, 1), block=(48, 1, 1)).statement(3)

    assert {"warp_instructions": 4, "thread_instructions": 96} == counts(divergence)


def test_only_warps_whose_lanes_go_both_ways_diverge():
    divergence = Divergence()
    stage = Stage(divergence, block=(128, 1, 1))

    stage.branch(4, lambda thread: thread < 40)

    assert {"branches": 4, "divergent_branches": 1} == counts(divergence)


def test_odd_and_even_threads_split_every_warp():
    divergence = Divergence()
    Stage(divergence, block=(128, 1, 1)).branch(4, lambda thread: thread % 2 == 0)

    assert 4 == counts(divergence)["divergent_branches"]


def test_a_condition_that_splits_blocks_but_no_warp_is_free():
    divergence = Divergence()
    Stage(divergence, block=(128, 1, 1)).branch(4, lambda thread: thread < 64)

    assert 0 == counts(divergence)["divergent_branches"]
