"""Floats that no integer holds become what ONNX Runtime makes of them, on the reference backend and in kernels."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper

from minitrt.api.enums import DataType
from minitrt.reference.registry import run_op
from minitrt.tactics.candidates import device_candidates
from tests.minitrt.engines import expected_of, model_of, results_of
from tests.minitrt.interpreted import run
from tests.minitrt.operations import H200
from tests.minitrt.plain_operations import F, pointwise, value

FAR = np.array(
    [3e9, -3e9, 2.0**31, -(2.0**31), 2147483520, 1e19, -1e19, np.inf, -np.inf, np.nan, 300, -1.9], np.float32
)
TYPES = ["int8", "uint8", "int32", "int64"]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("source", ["float32", "float16"])
def test_the_reference_gives_what_onnx_runtime_gives(source, kind):
    with np.errstate(over="ignore"):
        x = FAR.astype(source)
    node = helper.make_node("Cast", ["x"], ["y"], to=helper.np_dtype_to_tensor_dtype(np.dtype(kind)))
    model = model_of([node], {"x": (x.dtype, x.shape)}, ["y"])

    np.testing.assert_array_equal(results_of(model, {"x": x})["y"], expected_of(model, {"x": x})["y"])


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "int8"])
def test_kernels_give_what_the_reference_gives(kind):
    dtype = DataType[kind.upper()]
    operation = pointwise([["cast", ["x0"], dtype.name]], [value("x", F, FAR.shape)], value("y", dtype, FAR.shape))
    (found,) = run(operation, device_candidates(operation, H200)[0], [FAR])

    np.testing.assert_array_equal(found, run_op(operation, [FAR])[0])
