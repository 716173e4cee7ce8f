"""The order in which the blocks of a grid run."""

from __future__ import annotations

import numpy as np
import pytest

from simt.launching import geometry
from simt.launching.geometry import block_batches


@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize("n_blocks", [1, 7, 64, 65])
def test_every_block_runs_once(n_blocks, seed, monkeypatch):
    monkeypatch.setattr(geometry, "SHUFFLED_TOGETHER", 16)
    batches = list(block_batches(n_blocks, 8, seed))
    assert all(1 <= len(batch) <= 8 for batch in batches)
    assert list(range(n_blocks)) == sorted(np.concatenate(batches))


def test_blocks_ascend_unless_a_seed_shuffles_them():
    assert [[0, 1, 2], [3, 4]] == [batch.tolist() for batch in block_batches(5, 3, None)]
    first, again, other = (np.concatenate(list(block_batches(100, 8, seed))).tolist() for seed in (1, 1, 2))
    assert first == again != other


def test_the_order_of_a_huge_grid_takes_no_memory_of_its_size():
    assert 128 == len(next(block_batches(1 << 38, 128, 3)))
