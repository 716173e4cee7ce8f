"""Scalar functions applied to arrays by the interpreter."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simt.cuda_api import DeviceArray, cuda
from simt.cuda_api.vectorize import vectorize
from simt.errors import SimtError


@vectorize(["float32(float32, float32)", "float64(float64, float64)"], target="cuda")
def distance(x, y):
    return math.sqrt(x * x + y * y)


def test_arrays_are_broadcast_and_keep_their_shape():
    x, y = np.arange(12.0).reshape(4, 3), np.arange(3.0)
    np.testing.assert_allclose(distance(x, y), np.hypot(x, y), rtol=1e-15)
    assert 5.0 == distance(3.0, 4.0)


def test_the_signature_that_needs_no_conversion_is_taken():
    single = np.arange(4, dtype=np.float32)
    assert np.float32 == distance(single, single).dtype
    double = single.astype(np.float64)
    assert np.float64 == distance(double, 1.0).dtype
    assert np.float32 == distance(single, 1.0).dtype
    with pytest.raises(TypeError, match="On a GPU arrays need exactly these types"):
        distance(single, double)


def test_device_arrays_give_device_arrays():
    x = cuda.to_device(np.arange(4.0))
    result = distance(x, 0.0)
    assert isinstance(result, DeviceArray)
    assert [0.0, 1.0, 2.0, 3.0] == result.copy_to_host().tolist()
    out = cuda.device_array(4)
    assert out is distance(x, 0.0, out=out)
    assert [0.0, 1.0, 2.0, 3.0] == out.copy_to_host().tolist()


def test_threads_branch_on_their_own():
    @vectorize("int64(int64)", target="cuda")
    def collatz(n):
        turns = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            turns += 1
        return turns

    assert [0, 1, 7, 2, 5, 8, 16, 3] == collatz(np.arange(1, 9)).tolist()


def test_inputs_that_no_signature_takes_are_refused():
    with pytest.raises(
        TypeError, match=r"distance is declared for \(float32, float32\) or .* called with \(complex128"
    ):
        distance(np.array([1j]), 0.0)


@pytest.mark.parametrize(
    "signatures, target", [("float32(float32)", "cpu"), ("void(float32[:])", "cuda"), ("(float32)", "cuda")]
)
def test_what_cannot_be_vectorized_is_said(signatures, target):
    with pytest.raises(SimtError, match="vectorize: "):
        vectorize(signatures, target=target)
