"""What the copy engine cannot read is refused with its reason, before the driver says INVALID_VALUE."""

from __future__ import annotations

from dataclasses import replace

import pytest

from minitrt.device.tensor_map import TensorMapError, check
from minitrt.tactics.contract import Tensor, TensorMap

GOOD = TensorMap(Tensor("input", 0), "int8", dims=(64, 100), strides=(64,), box=(64, 128), swizzle=64)


def test_a_good_map_passes():
    check(GOOD)


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"strides": (40,)}, "Pad the channels to 16"),
        ({"box": (64, 300)}, "Take a smaller tile"),
        ({"strides": (64, 64)}, "the innermost none"),
        ({"im2col": {"lower": [-200, 0], "upper": [0, 0], "channels": 64, "pixels": 64}}, "Use a direct kernel"),
    ],
)
def test_a_bad_map_is_refused_with_advice(change, advice):
    with pytest.raises(TensorMapError, match=advice):
        check(replace(GOOD, **change))
