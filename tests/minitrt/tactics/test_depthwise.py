"""Depthwise convolutions: which kernel takes what, and the words that one dp4a multiplies."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.tactics import depthwise
from minitrt.tactics.geometry import of_conv
from tests.minitrt.operations import H200, RELU, conv


def operation(stride: int, kernel: tuple[int, int] = (3, 3)):
    op = conv((2, 40, 9, 11), 40, kernel, (stride, stride), (1, 1), activation=RELU)
    weights = op.inputs[1]
    weights.data = np.ascontiguousarray(weights.data[:, :1])
    weights.shape, op.attrs["groups"] = weights.data.shape, 40
    return op


@pytest.mark.parametrize("stride", [1, 2])
def test_threads_walk_over_windows_of_three_by_three_and_no_others(stride):
    heights = {1: (1, 2, 3, 5, 9), 2: (1, 2, 3, 5)}[stride]  # parts of 9 rows, and of 5
    names = [tactic.name for tactic in depthwise.candidates(operation(stride), H200)]

    assert names == [*(f"int8_depthwise_walk_{rows}" for rows in heights), "int8_depthwise"]
    assert [t.name for t in depthwise.candidates(operation(stride, (3, 4)), H200)] == ["int8_depthwise"]


def test_two_neighbouring_outputs_are_in_the_same_four_pixels():
    op = operation(1)
    geometry, window = of_conv(op), op.inputs[1].data[:, 0]
    words = depthwise.rows_of_window(window.reshape(40, 9), geometry, 48).astype(int)
    row = np.random.default_rng(0).integers(-128, 128, (40, 4))  # four pixels of a row

    later = np.concatenate([np.zeros((3, 48, 1), int), words[..., :3]], axis=-1)  # a byte further on
    for shift, weights in ((0, words), (1, later)):
        for r in range(3):
            direct = (row[:, shift : shift + 3] * window[:, r]).sum(axis=1)
            assert direct.tolist() == (row * weights[r, :40]).sum(axis=1).tolist()
    assert not words[:, 40:].any() and not words[..., 3].any()
