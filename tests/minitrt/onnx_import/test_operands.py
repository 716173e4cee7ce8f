"""Operands that do not fit together are refused before an engine is there: a kernel would read past the shorter one."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from tests.minitrt.engines import STRONG, Heard, model_of

NODE = "the_node"
HIDDEN, SIZE, BATCH, TIME = 4, 3, 2, 5
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
OPTIONAL = {"b": 3, "lengths": 4, "h": 5, "c": 6, "p": 7}  # inputs of a recurrent layer


def ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def model(kind: str, shape: tuple[int, ...], outputs: tuple[str, ...] = ("y",), attrs=None, **arrays: np.ndarray):
    """One node of x and these arrays, in their order."""
    node = onnx.helper.make_node(kind, ["x", *arrays], list(outputs), NODE, **(attrs or {}))
    return model_of([node], {"x": (np.float32, shape)}, list(outputs), arrays)


def recurrent(kind: str = "LSTM", direction: str = "forward", **given: tuple[int, ...] | np.ndarray):
    """A layer of HIDDEN units whose operands are right but for those that are given."""
    rows = GATES[kind] * HIDDEN
    arrays = {"w": ones(1, rows, SIZE), "r": ones(1, rows, HIDDEN)}
    arrays |= {name: ones(*array) if isinstance(array, tuple) else array for name, array in given.items()}
    last = max([OPTIONAL[name] for name in arrays if name in OPTIONAL], default=2)
    places = {place: name for name, place in OPTIONAL.items()}
    optional = [places[i] if places[i] in arrays else "" for i in range(3, last + 1)]
    attrs = dict(hidden_size=HIDDEN, direction=direction)
    node = onnx.helper.make_node(kind, ["x", "w", "r", *optional], ["y"], NODE, **attrs)
    return model_of([node], {"x": (np.float32, (TIME, BATCH, SIZE))}, ["y"], arrays)


def why_not(model: onnx.ModelProto) -> str:
    """What the parser or the builder says; "" where there is an engine."""
    logger = Heard()
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    if not trt.OnnxParser(network, logger).parse(model.SerializeToString()):
        return logger.errors[-1]
    plan = builder.build_serialized_network(network, builder.create_builder_config())
    return "" if plan is not None else logger.errors[-1]


IMAGE = (1, 3, 8, 8)
STATISTICS = {name: ones(3) for name in ("s", "b", "m")}
WRONG = {
    "a narrow W": (recurrent(w=(1, 16, 2)), "W is (1, 16, 2), not (1, 16, 3)"),
    "a wide W": (recurrent(w=(1, 16, 9)), "W is"),
    "gates of a GRU": (recurrent(w=(1, 12, 3)), "W is"),
    "R of other units": (recurrent("GRU", r=(1, 12, 5)), "R is"),
    "one direction of two": (recurrent(direction="bidirectional"), "not (2, 16, 3)"),
    "half of B": (recurrent("RNN", b=(1, 4)), "B is (1, 4), not (1, 8)"),
    "a state for one sequence": (recurrent(h=(1, 1, 4)), "initial_h is"),
    "a cell of other units": (recurrent(c=(1, 2, 3)), "initial_c is"),
    "peepholes of two gates": (recurrent(p=(1, 8)), "P is"),
    "one length of two": (recurrent(lengths=np.array([5], np.int32)), "sequence_lens is"),
    "a length beyond the end": (recurrent(lengths=np.array([5, 6], np.int32)), "has 6, but there are 5 steps"),
    "a short bias": (model("Conv", IMAGE, w=ones(4, 3, 3, 3), b=ones(3)), "a bias of (3,) meets 4 channels"),
    "a long bias": (model("Conv", IMAGE, w=ones(4, 3, 3, 3), b=ones(9)), "a bias of (9,)"),
    "groups that leave a rest": (model("Conv", (1, 4, 8, 8), attrs={"group": 2}, w=ones(3, 2, 3, 3)), "2 groups"),
    "a bias the other way": (model("ConvTranspose", IMAGE, w=ones(3, 4, 3, 3), b=ones(3)), "a bias of (3,)"),
    "channels the other way": (model("ConvTranspose", IMAGE, w=ones(5, 4, 3, 3)), "3 channels meet weights for 5"),
    "one variance": (model("BatchNormalization", IMAGE, **STATISTICS, v=ones(1)), "must be one"),
    "scales of more channels": (model("InstanceNormalization", IMAGE, s=ones(4), b=ones(4)), "meets 3 channels"),
    "a scale of another row": (model("LayerNormalization", (1, 3, 8), s=ones(5)), "cannot take inputs of shape"),
    "steps of more channels": (
        model("QuantizeLinear", IMAGE, attrs={"axis": 1}, s=ones(4), z=np.zeros(4, np.int8)),
        "4 scales for the 3 places along axis 1",
    ),
    "fewer than none": (model("TopK", (2, 5), ("y", "i"), k=np.array([-1], np.int64)), "k is -1"),
    "indices of fewer axes": (model("GatherElements", (3, 5), i=np.zeros(2, np.int64)), "indices of 1 axes"),
    "factors of too few axes": (model("Resize", IMAGE, roi=ones(0), s=ones(3)), "(resize) cannot take"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_refused_with_the_node_and_the_reason(name):
    wrong, says = WRONG[name]

    heard = why_not(wrong)

    assert NODE in heard and says in heard


@pytest.mark.parametrize("kind", GATES)
def test_a_layer_whose_operands_fit_is_built(kind):
    rows = 2 * GATES[kind] * HIDDEN
    assert "" == why_not(recurrent(kind, b=(1, rows), lengths=np.array([5, 0], np.int32), h=(1, 2, 4)))
