"""Transposed convolutions whose pads follow from the output's shape, beside ONNX Runtime."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper

from tests.minitrt.engines import expected_of, model_of, results_of

X = np.random.default_rng(0).standard_normal((1, 4, 7, 5)).astype(np.float32)
W = np.random.default_rng(1).standard_normal((4, 3, 3, 3)).astype(np.float32)


@pytest.mark.parametrize("mode", ["NOTSET", "SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize("shape", [[14, 10], [15, 11], [13, 9]], ids=["one pad", "no pad", "two pads"])
def test_an_odd_pad_lies_where_onnx_puts_it(shape, mode):
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2], output_shape=shape, auto_pad=mode)
    model = model_of([node], {"x": (np.float32, X.shape)}, ["y"], {"w": W})

    np.testing.assert_allclose(results_of(model, {"x": X})["y"], expected_of(model, {"x": X})["y"], atol=1e-5)
