"""An operator means something in its domain: a stranger's Relu is not ONNX's, and nobody's operator is named."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from tests.minitrt.engines import Heard, model_of, parsed

NODE = onnx.helper.make_node


@pytest.mark.parametrize(
    ("kind", "domain", "said"),
    [
        ("Relu", "acme", "in the domain 'acme' it need not be what ONNX means by it"),
        ("Pad", "com.microsoft", "it is ONNX Runtime's own: take the model as it was before"),
        (
            "TreeEnsemble",
            "ai.onnx.ml",
            "trees, linear models, support vectors and what prepares",
        ),
        ("Frob", "acme", "no plugin of that name is registered (domain 'acme')"),
    ],
)
def test_an_operator_of_another_domain_is_refused_and_named(kind, domain, said):
    model = model_of([NODE(kind, ["x"], ["y"], domain=domain)], {"x": (np.float32, [3])}, ["y"])
    logger = Heard()

    with pytest.raises(AssertionError):
        parsed(model, logger)

    assert f"operator {kind!r} is not supported" in logger.errors[-1] and said in logger.errors[-1]


def test_onnx_may_be_called_by_its_name():
    parsed(model_of([NODE("Relu", ["x"], ["y"], domain="ai.onnx")], {"x": (np.float32, [3])}, ["y"]), Heard())
