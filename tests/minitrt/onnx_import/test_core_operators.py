"""The onnx package's own node tests, over a fixed list: 748 of those that a CNN and transformer engine must pass.

What fails is named below with its reason; anything else that fails, or passes again, fails this test.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest

from minitrt import onnx_backend

LIST = Path(__file__).parents[1] / "lists" / "onnx_core_plain.txt"
UINT8 = "quantised tensors are INT8 with zero point 0, as in TensorRT; this one is UINT8 with another zero point"
REFUSED = {
    "test_quantizelinear": UINT8,
    "test_quantizelinear_axis": UINT8,
    "test_quantizelinear_blocked_asymmetric": UINT8 + ", in blocks",
    "test_dequantizelinear": UINT8,
    "test_dequantizelinear_axis": UINT8,
    "test_dequantizelinear_blocked": UINT8 + ", in blocks",
}


@pytest.fixture(scope="module")
def cases():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some cases are made with overflows on purpose
        from onnx.backend.test.case.node import collect_testcases

        return {case.name: case for case in collect_testcases(None)}


def failure_of(case) -> str | None:
    """Why a case fails on the reference backend, or None. Types and shapes must match exactly."""
    try:
        prepared = onnx_backend.prepare(case.model, "CPU")
        for inputs, outputs in case.data_sets:
            found = prepared.run([array_of(each) for each in inputs])
            for actual, expected in zip(found, map(array_of, outputs), strict=True):
                assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
                np.testing.assert_allclose(actual, expected, rtol=1e-3, atol=1e-7)
    except (onnx_backend.BackendError, AssertionError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def array_of(value) -> np.ndarray:
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def test_every_listed_case_passes_but_for_those_refused_with_a_reason(cases):
    names = LIST.read_text().split()
    with np.errstate(all="ignore"):
        failed = {name: why for name in names if (why := failure_of(cases[name])) is not None}

    assert len(names) == 748
    assert sorted(REFUSED) == sorted(failed), failed
    assert len(failed) <= 0.05 * len(names)


def test_what_is_refused_is_refused_by_the_parser_with_that_reason(cases):
    for name in REFUSED:
        assert "quantised type must be INT8" in failure_of(cases[name])
