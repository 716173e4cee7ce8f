"""A session takes what its engine's inputs can be, and says what they cannot."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from minitrt.onnx_backend import MinitrtRep
from minitrt.runtime.session import RunError
from tests.minitrt.engines import model_of

LOST = {  # type of the model's input -> numbers that its engine's cannot be
    "uint64": np.array([2**63], np.uint64),
    "int32": np.array([2**31], np.int64),
    "uint8": np.array([-1], np.int64),
    "int8": np.array([0.5], np.float32),
    "int64": np.array([np.nan], np.float32),
}


def twice(kind: str):
    nodes = [onnx.helper.make_node("Cast", ["x"], ["y"], to=onnx.TensorProto.FLOAT)]
    return MinitrtRep(model_of(nodes, {"x": (np.dtype(kind), [1])}, ["y"]), False)


@pytest.mark.parametrize("kind", LOST)
def test_a_number_that_an_input_cannot_be_is_refused(kind):
    with pytest.raises(RunError, match=f"input 'x' is .*, which cannot be .* .of {LOST[kind].dtype}"):
        twice(kind).run([LOST[kind]])


@pytest.mark.parametrize("kind", LOST)
def test_a_number_of_another_type_that_it_can_be_is_taken(kind):
    assert [7.0] == twice(kind).run([LOST[kind].astype(np.float64) * 0 + 7 if kind != "int64" else np.array([7.0])])[0]
