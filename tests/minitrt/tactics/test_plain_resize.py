"""Resize in the interpreter against the reference: modes, coordinates, more axes than one, and int8."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.reference.registry import run_op
from minitrt.tactics.plain import resize
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200
from tests.minitrt.plain_operations import I8, F, H, op, random, value

SHAPE = (2, 3, 5, 7)


@pytest.mark.parametrize("coordinate", ["half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("size", [(10, 14), (3, 4), (5, 9)], ids=["twice", "smaller", "one axis"])
def test_a_resized_image_is_the_reference_s(mode, coordinate, size):
    check(op("resize", [value("x", F, SHAPE)], value("y", F, (2, 3, *size)), mode=mode, coordinate=coordinate,
             sizes=[2, 3, *size]), 3e-5)  # fmt: skip


@pytest.mark.parametrize("dtype", [H, I8], ids=["float16", "int8"])
def test_other_types_are_resized_too(dtype):
    scale = 0.05 if dtype == I8 else None
    sizes = [2, 6, 9, 3]
    check(op("resize", [value("x", dtype, SHAPE, scale)], value("y", dtype, tuple(sizes), scale), mode="linear",
             sizes=sizes), 1 if dtype == I8 else 4e-3)  # fmt: skip


def test_given_scales_that_are_no_quotients_of_sizes_count():
    check(op("resize", [value("x", F, SHAPE)], value("y", F, (2, 3, 8, 11)), mode="linear", sizes=[2, 3, 8, 11],
             scales=[1.0, 1.0, 1.7, 1.6]), 3e-5)  # fmt: skip


def test_antialiased_and_without_the_outside():
    check(op("resize", [value("x", F, SHAPE)], value("y", F, (2, 3, 2, 3)), mode="cubic", sizes=[2, 3, 2, 3],
             antialias=True, exclude_outside=True), 3e-5)  # fmt: skip


def test_a_crop_is_left_to_the_reference():
    cropped = op("resize", [value("x", F, SHAPE)], value("y", F, SHAPE), mode="linear", sizes=list(SHAPE),
                 coordinate="tf_crop_and_resize", roi=[0.0] * 4 + [1.0] * 4)  # fmt: skip

    assert [] == resize.candidates(cropped, H200)


def check(operation, tolerance) -> None:
    x = random(operation.inputs[0].dtype, operation.inputs[0].shape)
    expected = run_op(operation, [x])[0]
    (tactic,) = resize.candidates(operation, H200)
    (found,) = run(operation, tactic, [x])

    np.testing.assert_allclose(found.astype(float), expected.astype(float), rtol=tolerance, atol=tolerance)
