"""Outputs that no kernel writes reach the caller: shapes, sizes, constants, passed inputs, what the host computes,
empty tensors, one tensor under two names, and sizes that only running tells. Tried on a driver of host memory."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from minitrt.builder.target import default_target
from minitrt.runtime.session import Session
from tests.minitrt import stand_in
from tests.minitrt.engines import STRONG, Heard, expected_of, model_of

rng = np.random.default_rng(8)
X = rng.standard_normal((2, 3, 4)).astype(np.float32)
NODE = onnx.helper.make_node
VALUE = onnx.numpy_helper.from_array(np.array([7], np.int64))
TABLE = np.arange(6, dtype=np.int64).reshape(2, 3)


def network(nodes, outputs: str, x: np.ndarray = X, shape=None, **constants):
    """(model, feeds) of nodes over an input x; shape: as it is declared, if not x's own."""
    return model_of(nodes, {"x": (x.dtype, shape or x.shape)}, outputs.split(), constants), {"x": x}


OPEN = ("batch", 3, 4)
CASES = {
    "shape": network([NODE("Shape", ["x"], ["y"])], "y"),
    "part of a shape": network([NODE("Shape", ["x"], ["y"], start=1)], "y"),
    "shape of an open batch": network([NODE("Shape", ["x"], ["y"])], "y", shape=OPEN),
    "size": network([NODE("Size", ["x"], ["y"])], "y"),
    "size of an open batch": network([NODE("Size", ["x"], ["y"])], "y", shape=OPEN),
    "a constant": network([NODE("Identity", ["c"], ["y"]), NODE("Relu", ["x"], ["z"])], "y z", c=TABLE),
    "constants of the build": network([NODE("Add", ["c", "c"], ["y"]), NODE("Abs", ["x"], ["z"])], "z y", c=X),
    "a filled tensor": network(
        [NODE("Shape", ["x"], ["s"]), NODE("ConstantOfShape", ["s"], ["y"], value=VALUE)], "y", shape=OPEN
    ),
    "the input": network([NODE("Identity", ["x"], ["y"])], "y"),
    "the input, of a type without kernels": network([NODE("Identity", ["x"], ["y"])], "y", np.array([True, False])),
    "one tensor twice": network(
        [NODE("Relu", ["x"], ["r"]), NODE("Identity", ["r"], ["y"]), NODE("Identity", ["r"], ["z"])], "y r z"
    ),
    "one shape twice, and read by a reshape": network(
        [
            NODE("Shape", ["x"], ["s"]),
            NODE("Identity", ["s"], ["t"]),
            NODE("Relu", ["x"], ["r"]),
            NODE("Flatten", ["r"], ["f"]),
            NODE("Reshape", ["f", "s"], ["y"]),
        ],
        "t y s",
        shape=OPEN,
    ),
    "what the host computes": network([NODE("ReverseSequence", ["x", "c"], ["y"])], "y", c=np.array([2, 1, 2])),
    "what the host computes, read by a kernel": network(
        [NODE("ReverseSequence", ["x", "c"], ["y"]), NODE("Relu", ["y"], ["z"])], "z y", c=np.array([2, 1, 2])
    ),
    "an empty tensor": network([NODE("Slice", ["x", "c", "c"], ["y"])], "y", c=np.array([1], np.int64)),
    "an empty tensor reshaped": network(
        [NODE("Reshape", ["x", "c"], ["y"], allowzero=1)], "y", X[:0], c=np.array([3, 4, 0], np.int64)
    ),
    "places of what is not zero": network([NODE("NonZero", ["x"], ["y"])], "y", (X > 0).astype(np.float32)),
    "shapes further on that only running tells": network(
        [NODE("NonZero", ["x"], ["p"]), NODE("Cast", ["p"], ["q"], to=1), NODE("Relu", ["q"], ["y"])],
        "y p",
        (X > 0).astype(np.float32),
    ),
}
CORNERS = np.sort(rng.random((1, 6, 4)).astype(np.float32) * 4, axis=2)
SUPPRESSED = [  # boxes, their scores, which to keep; how many there are is not known before; then one of known size
    NODE("Relu", ["x"], ["boxes"]),
    NODE("ReduceMax", ["boxes"], ["s"], axes=[2], keepdims=0),
    NODE("Unsqueeze", ["s", "zero"], ["scores"]),
    NODE("NonMaxSuppression", ["boxes", "scores", "most"], ["kept"]),
    NODE("Gather", ["kept", "image_and_box"], ["places"], axis=1),
    NODE("GatherND", ["boxes", "places"], ["y"]),
    NODE("ReduceMax", ["y"], ["most wide"], axes=[0], keepdims=0),
    NODE("Neg", ["most wide"], ["z"]),
]
NAMED = {"zero": np.array([0]), "most": np.array([4]), "image_and_box": np.array([0, 2])}
DETECTOR = network(SUPPRESSED, "y z kept", CORNERS, **NAMED)
CASES["boxes that a suppression keeps"] = DETECTOR
NUMBERS = {"start": np.array(1, np.float32), "limit": np.array(5, np.float32), "delta": np.array(2, np.float32)}
MEASURED = {  # inputs whose elements are sizes
    "a range": (
        model_of(
            [NODE("Range", list(NUMBERS), ["y"])], {name: (np.float32, ()) for name in NUMBERS}, ["y"], (), opset=17
        ),
        NUMBERS,
    ),
}


def session_of(model, feeds, target) -> Session:
    logger = Heard()
    builder = trt.Builder(logger)
    made = builder.create_network(STRONG)
    assert trt.OnnxParser(made, logger).parse(model.SerializeToString()), logger.errors
    config = builder.create_builder_config()
    config.target = target
    profile = builder.create_optimization_profile()
    for value in model.graph.input:
        shape = feeds[value.name].shape
        if any(not dim.HasField("dim_value") for dim in value.type.tensor_type.shape.dim):
            profile.set_shape(value.name, (1, *shape[1:]), shape, (5, *shape[1:]))
    config.add_optimization_profile(profile)
    data = builder.build_serialized_network(made, config)
    assert data is not None, logger.errors
    return Session(trt.Runtime(logger).deserialize_cuda_engine(data), logger)


@pytest.fixture
def driver(monkeypatch):
    return stand_in.install(monkeypatch)


@pytest.mark.gpu
@pytest.mark.parametrize("name", CASES | MEASURED)
def test_every_output_reaches_the_caller_on_a_gpu(name):
    model, feeds = (CASES | MEASURED)[name]
    session = session_of(model, feeds, default_target())

    for _ in range(3):
        found = session.run(feeds)
        for key, array in expected_of(model, feeds).items():
            assert (found[key].dtype, found[key].shape) == (array.dtype, array.shape), key
            np.testing.assert_array_equal(found[key], array, err_msg=key)


@pytest.mark.parametrize("name", CASES | MEASURED)
def test_every_output_reaches_the_caller_s_device_buffer(driver, name):
    model, feeds = (CASES | MEASURED)[name]
    expected = expected_of(model, feeds)
    session = session_of(model, feeds, stand_in.DEVICE)

    for _ in range(3):  # the third run replays a graph
        for output in session.outputs.values():
            output.buffer.write(np.full(output.buffer.nbytes, stand_in.POISON, np.uint8))  # what a run before wrote
        found = session.run(feeds)
        for key, array in expected.items():
            assert (found[key].dtype, found[key].shape) == (array.dtype, array.shape), key
            np.testing.assert_array_equal(found[key], array, err_msg=key)


def test_what_is_before_sizes_that_only_running_tells_has_kernels_and_is_replayed(driver):
    model, feeds = DETECTOR
    session = session_of(model, feeds, stand_in.DEVICE)
    for _ in range(3):
        session.run(feeds)
    tactics = [choice.tactic for choice in session.engine._plan.profiles[0].choices]
    pieces = session.context._execution.pieces
    replayed = [step.op.kind for piece in pieces for step in getattr(piece, "steps", ())]

    assert "reference" not in tactics[:2] and "reference" != tactics[-1]
    assert (["pointwise", "reduce"], "pointwise") == (replayed[:2], replayed[-1])
    assert "nms" in [piece.op.kind for piece in pieces if hasattr(piece, "op")]


@pytest.mark.parametrize(("mark", "place"), [("mark_output", "DEVICE"), ("mark_output_for_shapes", "HOST")])
def test_a_shape_lies_in_host_memory_only_where_that_was_asked_for(driver, mark, place):
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(STRONG), builder.create_builder_config()
    config.target = stand_in.DEVICE
    x = network.add_input("x", trt.float32, (2, 3, 4))
    shape = network.add_shape(x).get_output(0)
    shape.name = "s"
    layer = network.add_shuffle(network.add_activation(x, trt.ActivationType.RELU).get_output(0))
    layer.set_input(1, shape)
    network.mark_output(layer.get_output(0))
    getattr(network, mark)(shape)
    data = builder.build_serialized_network(network, config)
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)

    assert getattr(trt.TensorLocation, place) == engine.get_tensor_location("s")
    assert [2, 3, 4] == Session(engine).run({"x": X})["s"].tolist()


def test_an_input_cannot_be_marked_as_an_output():
    logger = Heard()
    network = trt.Builder(logger).create_network(STRONG)
    network.mark_output(network.add_input("x", trt.float32, (2,)))

    assert (0, 1) == (network.num_outputs, len(logger.errors)) and "add_identity" in logger.errors[0]


def test_shapes_that_change_from_run_to_run_are_never_taken_for_earlier_ones(driver):
    model, feeds = network([NODE("Relu", ["x"], ["y"]), NODE("Shape", ["x"], ["s"])], "y s", shape=OPEN)
    session = session_of(model, feeds, stand_in.DEVICE)
    session.run({"x": np.concatenate([X, X, X[:1]])})  # buffers for the largest: addresses stay
    for batch in (1, 4, 2, 3, 5, 1, 2, 4, 3, 2):
        x = rng.standard_normal((batch, 3, 4)).astype(np.float32)
        found = session.run({"x": x})

        np.testing.assert_array_equal(found["y"], np.maximum(x, 0))
        assert [batch, 3, 4] == found["s"].tolist()
        assert session.context._execution.bound_for[0] is session.context._concrete  # held: no later one has its id
