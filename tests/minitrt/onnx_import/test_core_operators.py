"""The onnx package's own node tests, over a fixed list: 748 of those that a CNN and transformer engine must pass.

All of them pass: six for UINT8 with zero points, which TensorRT refuses, by computing in floats.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest

from minitrt import onnx_backend

LIST = Path(__file__).parents[1] / "lists" / "onnx_core_plain.txt"


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
            for name, array in zip(prepared.output_names, found, strict=True):  # what a GPU would make room for
                foreseen = prepared.session.context.get_tensor_shape(name)
                fits = all(n in (-1, size) for n, size in zip(foreseen, array.shape, strict=True))
                assert fits, f"{name}: {foreseen}"
    except (onnx_backend.BackendError, AssertionError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def array_of(value) -> np.ndarray:
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def test_every_listed_case_passes(cases):
    names = LIST.read_text().split()
    with np.errstate(all="ignore"):
        failed = {name: why for name in names if (why := failure_of(cases[name])) is not None}

    assert len(names) == 748
    assert {} == failed
