"""The numbers that a test of minitrt draws are its own, whichever tests ran before it."""

from __future__ import annotations

import numpy as np
import pytest

rng = np.random.default_rng(3)


@pytest.mark.parametrize("turn", [1, 2])
def test_a_generator_starts_anew_for_each_test(turn):
    assert np.random.default_rng(3).integers(1 << 30) == rng.integers(1 << 30)
