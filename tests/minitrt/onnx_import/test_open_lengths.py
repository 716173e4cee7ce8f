"""What follows from an open length, or from data: transforms, elements that differ, sequences as long as a run makes
them."""

from __future__ import annotations

from itertools import product

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.runtime.session import RunError, Session
from tests.minitrt.engines import STRONG, Heard, engine_of, expected_of, model_of

node = onnx.helper.make_node
RNG = np.random.default_rng(0)


def session_of(model: onnx.ModelProto, shapes: list[tuple[int, ...]]) -> Session:
    """An engine for an input `x` of all these shapes."""
    ends = tuple(map(min, zip(*shapes, strict=True))), shapes[0], tuple(map(max, zip(*shapes, strict=True)))
    logger = Heard()
    return Session(engine_of(model, logger, x=ends), logger)


def compare(model: onnx.ModelProto, arrays: list[np.ndarray]) -> None:
    session = session_of(model, [each.shape for each in arrays])
    for x in arrays:
        found = session.run({"x": x})
        for name, array in expected_of(model, {"x": x}).items():
            assert (array.shape, array.dtype) == (found[name].shape, found[name].dtype), (name, x.shape)
            np.testing.assert_allclose(found[name], array, rtol=1e-5, atol=1e-5)


def spectrum(x: np.ndarray, length: int | None, inverse: int, half: int) -> np.ndarray:
    """NumPy's, of (batch, n, parts) -> (batch, bins, parts)."""
    given = x[..., 0] + (1j * x[..., 1] if x.shape[-1] == 2 else 0)
    function = {(0, 0): np.fft.fft, (0, 1): np.fft.rfft, (1, 0): np.fft.ifft, (1, 1): np.fft.irfft}[inverse, half]
    found = function(given.real if (inverse, half) == (0, 1) else given, length, axis=1)
    return np.stack([found.real] if inverse and half else [found.real, found.imag], axis=-1)


@pytest.mark.parametrize(
    ("opset", "parts", "inverse", "half", "length"), product((17, 20), (1, 2), (0, 1), (0, 1), (None, 12))
)
def test_a_transform_of_an_open_length_is_numpys(opset, parts, inverse, half, length):
    if half and (parts == 1) == bool(inverse):
        pytest.skip("half a spectrum is of a real signal, and a real signal of half a spectrum")
    weights = {"axis": np.array(1)} | ({"length": np.array(length)} if length else {})
    names = ["x", "length" if length else "", *(["axis"] if opset == 20 else [])]
    attributes = {"inverse": inverse, "onesided": half} | ({"axis": 1} if opset == 17 else {})
    model = model_of(
        [node("DFT", names, ["y"], **attributes)], {"x": (np.float32, ["b", "n", parts])}, ["y"], weights, opset
    )
    shapes = [(2, 9, parts), (1, 2, parts), (3, 32, parts)]
    session = session_of(model, shapes)
    for shape in shapes:
        x = RNG.standard_normal(shape).astype(np.float32)
        np.testing.assert_allclose(session.run({"x": x})["y"], spectrum(x, length, inverse, half), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("axis", "ordered", "kind"), product((None, 0, 1), (0, 1), (np.float32, np.int64)))
def test_elements_that_differ_are_found_in_each_run(axis, ordered, kind):
    attributes = {"sorted": ordered} | ({} if axis is None else {"axis": axis})
    nodes = [node("Unique", ["x"], ["y", "first", "which", "count"], **attributes), node("Mul", ["y", "y"], ["square"])]
    model = model_of(nodes, {"x": (kind, ["n", "m"])}, ["y", "first", "which", "count", "square"], opset=18)
    compare(model, [RNG.integers(0, 3, shape).astype(kind) for shape in ((9, 4), (1, 1), (40, 2))])


@pytest.mark.parametrize(("axis", "keep", "new", "into"), product((0, 1), (0, 1), (0, 1), (0, 1, -1)))
def test_an_open_axis_is_taken_apart_and_joined(axis, keep, new, into):
    nodes = [
        node("SplitToSequence", ["x"], ["s"], axis=axis, keepdims=keep),
        node("ConcatFromSequence", ["s"], ["y"], axis=into, new_axis=new),
        node("SequenceLength", ["s"], ["length"]),
        node("SequenceAt", ["s", "last"], ["item"]),
    ]
    model = model_of(nodes, {"x": (np.float32, ["n", "m", 3])}, ["y", "length", "item"], {"last": np.array(-1)})
    compare(model, [RNG.standard_normal((n, m, 3)).astype(np.float32) for n, m in ((4, 5), (1, 1), (7, 2))])


def appending(item: list[onnx.NodeProto], more: list[onnx.NodeProto] = ()) -> onnx.ModelProto:
    """A loop over the rows of x, each of which appends `item` to a sequence; y joins them. more: of its body."""
    value = onnx.helper.make_tensor_value_info
    sequence = onnx.helper.make_tensor_sequence_value_info
    body = onnx.helper.make_graph(
        [node("Identity", ["on"], ["still"]), *item, *more, node("SequenceInsert", ["before", "item"], ["after"])],
        "body",
        [value("i", 7, []), value("on", 9, []), sequence("before", 1, None), value("total", 1, [3])],
        [value("still", 9, []), sequence("after", 1, None), value("sum", 1, [3])],
    )
    body.node.append(node("Add", ["total", "row"], ["sum"]))
    nodes = [
        node("Shape", ["x"], ["shape"], end=1),
        node("Squeeze", ["shape"], ["steps"]),
        node("SequenceEmpty", [], ["none"], dtype=1),
        node("Loop", ["steps", "", "none", "zero"], ["all", "total"], body=body),
        node("ConcatFromSequence", ["all"], ["y"], axis=0, new_axis=1),
    ]
    zero = {"zero": np.zeros(3, np.float32)}
    return model_of(nodes, {"x": (np.float32, ["n", 3])}, ["y", "total"], zero, opset=17)


ROW = node("Gather", ["x", "i"], ["row"])


def test_a_loop_of_an_open_number_of_steps_appends_to_a_sequence():
    model = appending([ROW, node("Exp", ["row"], ["item"])])
    compare(model, [RNG.standard_normal((n, 3)).astype(np.float32) for n in (4, 1, 9)])


def test_items_of_different_sizes_end_the_run_with_an_error():
    ends = [node("Unsqueeze", ["i", "first"], ["end"]), node("Constant", [], ["first"], value_ints=[0])]
    item = [ROW, *reversed(ends), node("Slice", ["row", "first", "end"], ["item"])]
    session = session_of(appending(item), [(3, 3), (1, 3), (4, 3)])

    with pytest.raises(RunError):
        session.run({"x": np.ones((3, 3), np.float32)})


def test_a_sequence_that_a_step_reads_is_refused_with_what_may_be_done():
    logger = Heard()
    model = appending([ROW, node("Exp", ["row"], ["item"])], [node("SequenceLength", ["before"], ["so_far"])])
    parser = trt.OnnxParser(trt.Builder(logger).create_network(STRONG), logger)

    assert not parser.parse(model.SerializeToString())
    assert "the sequence 'before' is carried on" in logger.errors[-1]
    assert "append one item to a sequence that is empty at first" in logger.errors[-1]


@pytest.mark.parametrize("scale", [1.0, 0.5, 0.3])
def test_regions_are_pooled_as_onnx_runtime_does(scale):
    nodes = [node("MaxRoiPool", ["x", "rois"], ["y"], pooled_shape=[3, 2], spatial_scale=scale)]
    corners = np.sort(RNG.uniform(-4, 22, (60, 2, 2)), axis=1).reshape(60, 4)
    rois = np.concatenate([RNG.integers(0, 2, (60, 1)), corners], axis=1).astype(np.float32)
    rois[:8, 1:] = np.round(rois[:8, 1:]) + 0.5
    model = model_of(nodes, {"x": (np.float32, [2, 3, "h", "w"])}, ["y"], {"rois": rois})
    compare(model, [RNG.standard_normal((2, 3, h, w)).astype(np.float32) for h, w in ((9, 11), (4, 4), (16, 7))])


@pytest.mark.parametrize("periodic", [0, 1])
@pytest.mark.parametrize("kind", ["HannWindow", "HammingWindow", "BlackmanWindow"])
def test_a_window_of_an_open_length(kind, periodic):
    nodes = [
        node("Shape", ["x"], ["n"], start=1), node("Squeeze", ["n"], ["length"]),
        node(kind, ["length"], ["w"], periodic=periodic), node("Mul", ["x", "w"], ["y"]),
    ]  # fmt: skip
    model = model_of(nodes, {"x": (np.float32, ["rows", "n"])}, ["y"])

    compare(model, [RNG.standard_normal((2, length)).astype(np.float32) for length in (5, 2, 33)])
