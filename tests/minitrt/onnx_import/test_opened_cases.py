"""The onnx package's node tests with every size left open: what follows from sizes, and from data, is right or refused.

A profile gives the sizes of the case alone; the import and the build do not know them.
"""

from __future__ import annotations

import warnings

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import STRONG, Heard
from tests.minitrt.onnx_import.test_core_operators import AS_ONNX_RUNTIME

A_COMMIT = (
    "test_resize_upsample test_resize_downsample test_split_variable test_rotary_embedding_3d test_slice test_pad_c"
)
DRAWN = ("test_bernoulli",)  # what is drawn is another draw's
KINDS = {np.dtype(each) for each in ("float32", "float16", "int32", "int64", "int8", "uint8", "bool")}


@pytest.fixture(scope="module")
def cases():
    from onnx.backend.test.case import base

    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patched:
        warnings.simplefilter("ignore")  # some cases are made with overflows on purpose
        patched.setattr(base, "process_snippet", lambda *_: ("", ""))  # text for a manual, seconds of it
        from onnx.backend.test.case.node import collect_testcases

        return {case.name: case for case in collect_testcases(None) if case.model and is_of_tensors(case)}


def is_of_tensors(case) -> bool:
    ins, outs = case.data_sets[0]
    return all(isinstance(each, np.ndarray) and each.dtype in KINDS for each in (*ins, *outs))


def opened(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with open sizes: of its first input, and of each that holds floats."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    for value in model.graph.input:
        if value is model.graph.input[0] or value.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
            for axis, dim in enumerate(value.type.tensor_type.shape.dim):
                dim.dim_param = f"{value.name}.{axis}"
    return model


def wrong(case) -> str:
    """What an engine of the opened model gives otherwise than the case says; "" where it is right, or refused."""
    model, logger = opened(case.model), Heard()
    feeds = {v.name: array for v, array in zip(model.graph.input, case.data_sets[0][0], strict=False)}
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    if not trt.OnnxParser(network, logger).parse(model.SerializeToString()):
        return ""
    config, profile = builder.create_builder_config(), builder.create_optimization_profile()
    config.target = None
    for each in network._inputs:
        profile.set_shape(each.name, *[feeds[each.name].shape] * 3)
        if each.is_shape_tensor:
            profile.set_shape_input(each.name, *[np.ravel(feeds[each.name]).tolist()] * 3)
    config.add_optimization_profile(profile)
    plan = builder.build_serialized_network(network, config)
    if plan is None:
        return ""
    found = Session(trt.Runtime(logger).deserialize_cuda_engine(plan), logger).run(feeds)
    for value, array in zip(model.graph.output, case.data_sets[0][1], strict=False):
        near = 1e-2 if array.dtype == np.float16 else 1e-4
        ours = found[value.name]
        if ours.shape != array.shape or not np.allclose(ours, array, rtol=1e-3, atol=near, equal_nan=True):
            return f"{case.name}: {value.name} of shape {ours.shape} instead of {array.shape}, or other numbers"
    return ""


def test_cases_whose_sizes_follow_from_data_are_right_when_all_sizes_are_open(cases):
    chosen = [case for name, case in cases.items() if name.startswith(tuple(A_COMMIT.split()))]

    assert len(chosen) > 40
    assert [] == [line for case in chosen if (line := wrong(case))]


@pytest.mark.release
def test_every_case_is_right_or_refused_when_all_sizes_are_open(cases):
    with np.errstate(all="ignore"):
        lines = [wrong(case) for name, case in cases.items() if not name.startswith((*DRAWN, *AS_ONNX_RUNTIME))]

    assert len(lines) > 1300
    assert [] == [line for line in lines if line]
