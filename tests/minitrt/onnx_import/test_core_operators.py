"""The onnx package's own node tests, over a fixed list: 748 of those that a CNN and transformer engine must pass.

All of them pass: six for UINT8 with zero points, which TensorRT refuses, by computing in floats. Of the 1,136 others
none has a wrong result: it is right, or the import says what it does not support.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest

from minitrt import onnx_backend

pytestmark = pytest.mark.release  # hundreds of cases of the onnx package

COMPUTED = {"float64": "float32", "bfloat16": "float32", "int16": "int32", "uint16": "int32"}
COMPUTED |= {"uint32": "int64", "uint64": "int64"}
LIST = Path(__file__).parents[1] / "lists" / "onnx_core_plain.txt"


@pytest.fixture(scope="module")
def cases():
    from onnx.backend.test.case import base

    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patched:
        warnings.simplefilter("ignore")  # some cases are made with overflows on purpose
        patched.setattr(base, "process_snippet", lambda *_: ("", ""))  # text for a manual, seconds of it
        from onnx.backend.test.case.node import collect_testcases

        return {case.name: case for case in collect_testcases(None)}


def failure_of(case, relaxed: bool = False) -> str | None:
    """Why a case fails on the reference backend, or None. Types and shapes must match exactly."""
    try:
        prepared = onnx_backend.prepare(case.model, "CPU")
        for inputs, outputs in case.data_sets:
            found = prepared.run([array_of(each) for each in inputs])
            for actual, expected in zip(found, map(as_computed, outputs), strict=True):
                assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
                near = rounding_of(expected) if relaxed else 1e-7
                rounded = array_of(outputs[0]).dtype.name == "bfloat16"  # to 8 bits; minitrt's are floats
                np.testing.assert_allclose(actual, expected, rtol=1e-2 if rounded else 1e-3, atol=near)
            for name, array in zip(prepared.output_names, found, strict=True):  # what a GPU would make room for
                foreseen = prepared.session.context.get_tensor_shape(name)
                fits = all(n in (-1, size) for n, size in zip(foreseen, array.shape, strict=True))
                assert fits, f"{name}: {foreseen}"
    except (onnx_backend.BackendError, AssertionError, ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def rounding_of(expected: np.ndarray) -> float:
    """How far from 0 a number may be that is 0 in the expected array: results are sums of parts, which round each."""
    if expected.dtype == np.float16:
        return 1e-3
    return max(1e-7, 1e-6 * np.abs(expected).max(initial=0)) if expected.dtype == np.float32 else 1e-7


def array_of(value) -> np.ndarray:
    return onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.asarray(value)


def as_computed(value) -> np.ndarray:
    """The expected array in the type that minitrt computes it in: DOUBLE as FLOAT, as TensorRT does."""
    array = array_of(value)
    return array.astype(COMPUTED.get(array.dtype.name, array.dtype))


def test_every_listed_case_passes(cases):
    names = LIST.read_text().split()
    with np.errstate(all="ignore"):
        failed = {name: why for name in names if (why := failure_of(cases[name])) is not None}

    assert len(names) == 748
    assert {} == failed


def test_operators_beyond_the_list_are_right_or_refused(cases):
    kinds = "test_shrink", "test_l1norm", "test_l2norm", "test_thresholded"
    chosen = [name for name in cases if name.startswith(kinds)]
    with np.errstate(all="ignore"):
        failed = {name: why for name in chosen if (why := failure_of(cases[name])) is not None}

    assert len(chosen) > 10
    assert {} == failed


# Its places are of the shape that attributes come to; of MaxPool's input, which is what output_shape says, they are for
# ONNX Runtime and here: a pool and its way back give what they should.
AS_ONNX_RUNTIME = ("test_maxunpool_export_with_output_shape",)


def test_no_node_test_of_the_onnx_package_has_a_wrong_result(cases):
    others = set(cases) - set(LIST.read_text().split())
    no_comparison = "test_sequence_map_identity_1_sequence", "test_bernoulli"  # what is drawn is another draw's
    of_tensors = [name for name in sorted(others) if not name.startswith((*no_comparison, *AS_ONNX_RUNTIME))]
    told = "BackendError: ONNX import: UNSUPPORTED"
    with np.errstate(all="ignore"):
        failed = {name: failure_of(cases[name], True) or told for name in of_tensors}
        wrong = {name: why for name, why in failed.items() if not why.startswith(told)}

    assert len(others) == 1136
    assert {} == wrong
