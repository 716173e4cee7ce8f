"""Norms a warp a row: what the kernel's table holds, and which scales are left to others."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.graph.ir import Op
from minitrt.tactics.normalise import candidates
from tests.minitrt.operations import H200
from tests.minitrt.plain_operations import I8, F, constant, op, value

STEPS = np.arange(-8, 8, dtype=np.int8)


def norm(scale) -> Op:
    return op("norm", [value("x", I8, (5, 16)), scale], value("y", F, (5, 16)), axes=[1], epsilon=1e-5)


def table(scale) -> np.ndarray:
    (tactic,) = candidates(norm(scale), H200)
    return next(one for one in tactic.make(norm(scale))[0].args if getattr(one, "name", "") == "table").data


def test_a_scale_of_int8_steps_means_its_numbers():
    """Taken for numbers, the steps of a ViT by ONNX Runtime's quantiser gave logits of another network."""
    numbers = STEPS.astype(np.float32) * np.float32(0.02)

    np.testing.assert_array_equal(table(constant("s", F, numbers)), table(constant("s", I8, STEPS, 0.02)))


@pytest.mark.parametrize(("shape", "taken"), [((16,), True), ((1, 16), True), ((16, 1), False)])
def test_a_scale_that_goes_along_other_axes_is_left_to_others(shape, taken):
    operation = norm(constant("s", F, np.ones(shape)))
    operation.inputs[0].shape = operation.output.shape = (16, 16)

    assert taken == bool(candidates(operation, H200))
