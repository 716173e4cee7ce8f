"""What holds for some, and for all."""

import numpy as np
import pytest

from simt.lanes.bits import all_true, every, some


@pytest.mark.parametrize(
    "bits", [np.zeros(256, bool), np.ones(256, bool), np.arange(256) == 7, np.zeros(0, bool), np.bool_(True), np.eye(3)]
)
def test_they_say_what_numpy_says(bits):
    assert (bool(bits.any()), bool(bits.all())) == (some(bits), every(bits))


def test_nobody_can_change_bools_that_are_kept():
    with pytest.raises(ValueError, match="read-only"):
        all_true(2, 32)[0, 0] = False
