"""RoiAlign in the interpreter against the reference: both modes, both kinds of coordinates, regions past the edges."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.reference.registry import run_op
from minitrt.tactics.plain.regions import candidates
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200
from tests.minitrt.plain_operations import I8, F, H, random
from tests.minitrt.region_operations import regions

REGIONS = np.array([[1, 2, 9, 7], [0, 0, 4, 4], [-6, 3, 30, 40], [5, 5, 5, 5], [8.5, 1.25, 2, 0]], np.float32)


@pytest.mark.parametrize("half_pixel", [True, False])
@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("ratio", [0, 2])
def test_regions_are_the_reference_s(mode, half_pixel, ratio):
    check(regions(F, mode=mode, half_pixel=half_pixel, ratio=ratio, scale=0.7), 1e-5)


@pytest.mark.parametrize("dtype", [H, I8], ids=["float16", "int8"])
def test_other_types_are_read_and_written_too(dtype):
    check(regions(dtype, mode="avg", half_pixel=True, ratio=2, scale=1.0), 1 if dtype == I8 else 4e-3)


def check(operation, most: float) -> None:
    inputs = [random(operation.inputs[0].dtype, operation.inputs[0].shape), REGIONS, operation.inputs[2].data]
    (tactic,) = candidates(operation, H200)
    expected, found = run_op(operation, inputs)[0], run(operation, tactic, inputs)[0]

    np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64), atol=most, rtol=most)
