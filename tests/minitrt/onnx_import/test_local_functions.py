"""Functions of a model's own: written out with what their calls give, and defaults for what those leave out."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.minitrt.engines import expected_of, model_of, results_of

X = np.array([[-2.0, -0.5, 3.0]], np.float32)
OPSETS = [helper.make_opsetid("", 18), helper.make_opsetid("own", 1)]


def leaky() -> onnx.FunctionProto:
    """LeakyRelu whose alpha is 0.4 where a call gives none."""
    node = helper.make_node("LeakyRelu", ["a"], ["b"])
    named = onnx.AttributeProto(name="alpha", ref_attr_name="alpha", type=onnx.AttributeProto.FLOAT)
    node.attribute.append(named)
    default = [helper.make_attribute("alpha", 0.4)]
    return helper.make_function("own", "leaky", ["a"], ["b"], [node], OPSETS[:1], attribute_protos=default)


def calling(nodes: list, *functions: onnx.FunctionProto) -> onnx.ModelProto:
    model = model_of(nodes, {"x": (np.float32, X.shape)}, ["y"], {}, 18)
    model.opset_import.append(OPSETS[1])
    model.functions.extend(functions)
    return model


def check(model) -> None:
    np.testing.assert_allclose(results_of(model, {"x": X})["y"], expected_of(model, {"x": X})["y"], atol=1e-6)


@pytest.mark.parametrize("given", [{}, {"alpha": 0.1}])
def test_an_attribute_has_its_default_where_a_call_gives_none(given):
    check(calling([helper.make_node("leaky", ["x"], ["y"], domain="own", **given)], leaky()))


def test_defaults_hold_within_other_functions_and_branches():
    inner = [helper.make_node("leaky", ["a"], ["b"], domain="own"), helper.make_node("Neg", ["b"], ["c"])]
    outer = helper.make_function("own", "outer", ["a"], ["c"], inner, OPSETS)
    branches = {
        f"{name}_branch": helper.make_graph(
            [helper.make_node(call, ["x"], [name], domain="own")], name, [],
            [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)],
        )
        for name, call in (("then", "leaky"), ("else", "outer"))
    }  # fmt: skip
    first = helper.make_node("ReduceMax", ["x"], ["most"], keepdims=0)
    which = helper.make_node("Cast", ["most"], ["which"], to=onnx.TensorProto.BOOL)
    check(calling([first, which, helper.make_node("If", ["which"], ["y"], **branches)], leaky(), outer))


@pytest.mark.parametrize("version", [16, 17, 19])
def test_a_function_of_another_version_is_written_out_where_its_operators_are_the_same(version):
    """As skl2onnx writes KNNImputer: the model of 22, its functions of 21."""
    function = leaky()
    function.opset_import[0].version = version
    model = calling([helper.make_node("leaky", ["x"], ["y"], domain="own")], function)
    expected = np.where(X < 0, np.float32(0.4) * X, X)

    np.testing.assert_allclose(expected, results_of(model, {"x": X})["y"], atol=1e-6)
