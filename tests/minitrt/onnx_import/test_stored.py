"""Where weights lie: in the model's bytes or beside them, and not in the message that is parsed."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import minitrt as trt
from minitrt.onnx_backend import STRONG, Listener
from minitrt.onnx_import import stored
from minitrt.onnx_import.node import array_of
from minitrt.onnx_import.stored import Stored
from minitrt.runtime.session import Session
from tests.minitrt.engines import expected_of, results_of

SIDE = 256  # of a square of weights: 256 KB of FLOAT, far above what is cut out
OVERHEAD = 1_500_000  # bytes of objects that no weights are
RNG = np.random.default_rng(7)
EVERY_WAY = ("raw", "list", "default", "external")


def tensor(array: np.ndarray, name: str, way: str = "raw") -> TensorProto:
    """An initializer: raw, as a list of numbers, or raw and marked as lying in the message."""
    if way == "list":
        return helper.make_tensor(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape, array.reshape(-1))
    proto = numpy_helper.from_array(array, name)
    if way == "default":
        proto.data_location = TensorProto.DEFAULT
    return proto


def model_of(nodes: list, weights: list[TensorProto], columns: int = SIDE) -> onnx.ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, columns])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    made = helper.make_model(helper.make_graph(nodes, "weights", [x], [y], weights))
    made.ir_version = 9
    made.opset_import[0].version = 17
    return made


def parsed(path: Path | None, data: bytes = b"") -> tuple:
    logger = Listener()
    builder = trt.Builder(logger)
    network = builder.create_network(STRONG)
    parser = trt.OnnxParser(network, logger)
    done = parser.parse_from_file(str(path)) if path else parser.parse(data)
    return done, builder, network, logger


def ran(builder, network, logger, x: np.ndarray) -> np.ndarray:
    plan = builder.build_serialized_network(network, builder.create_builder_config())
    return Session(trt.Runtime(logger).deserialize_cuda_engine(plan), logger).run({"x": x})["y"]


def square(dtype=np.float32) -> np.ndarray:
    numbers = RNG.standard_normal((SIDE, SIDE)) if np.dtype(dtype).kind == "f" else RNG.integers(-99, 99, (SIDE, SIDE))
    return numbers.astype(dtype)


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("from_file", [True, False])
def test_weights_are_read_however_a_model_has_them(tmp_path, way, from_file):
    w, x, path = square(), square()[:2], tmp_path / "m.onnx"
    model = model_of([helper.make_node("MatMul", ["x", "w"], ["y"])], [tensor(w, "w", way)])
    onnx.save(model, path, save_as_external_data=way == "external", size_threshold=0, location="beside.bin")

    done, *built = parsed(path if from_file else None, path.read_bytes())

    if way == "external" and not from_file:
        assert not done and "give parse its path" in built[-1].heard[-1]
    else:
        assert done, built[-1].heard
        np.testing.assert_allclose(x @ w, ran(*built, x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", [each for each in TensorProto.DataType.values() if each])
def test_every_type_reads_the_same_cut_out_or_not(kind):
    name = TensorProto.DataType.Name(kind)
    if name in ("STRING", "COMPLEX64", "COMPLEX128"):
        pytest.skip("no weights of an engine")
    count, eighths = 1 << 14, {"INT4": 4, "UINT4": 4, "FLOAT4": 4, "INT2": 2, "UINT2": 2, "FLOAT6": 6}
    size = count * eighths.get(name.partition("E")[0], 8 * helper.tensor_dtype_to_np_dtype(kind).itemsize) // 8
    raw = RNG.integers(0, 2 if name == "BOOL" else 60, size).astype(np.uint8).tobytes()
    proto = TensorProto(name="w", data_type=kind, dims=[count], raw_data=raw)
    stored = Stored(model_of([], [proto]).SerializeToString(), None)
    light = stored.proto().graph.initializer[0]

    def read(each: TensorProto) -> list | str:
        try:
            return array_of(each, stored).tolist()
        except ValueError as refused:
            return str(refused)

    assert not light.raw_data and read(light) == read(proto)


def test_weights_in_nodes_and_branches_are_read_too(tmp_path):
    w, x = square(), square()[:2]
    branch = helper.make_graph([helper.make_node("Constant", [], ["c"], value=tensor(w, "c"))], "b", [], [
        helper.make_tensor_value_info("c", TensorProto.FLOAT, [SIDE, SIDE])
    ])  # fmt: skip
    other = helper.make_graph([], "o", [], [helper.make_tensor_value_info("d", TensorProto.FLOAT, [SIDE, SIDE])], [
        tensor(-w, "d")
    ])  # fmt: skip
    yes = numpy_helper.from_array(np.array(True), "yes")
    nodes = [
        helper.make_node("Constant", [], ["a"], value=tensor(w, "a")),
        helper.make_node("If", ["yes"], ["b"], then_branch=branch, else_branch=other),
        helper.make_node("Sub", ["a", "b"], ["zero"]),
        helper.make_node("MatMul", ["x", "zero"], ["z"]),
        helper.make_node("Add", ["z", "x"], ["y"]),
    ]
    path = tmp_path / "m.onnx"
    onnx.save(model_of(nodes, [yes]), path)

    done, *built = parsed(path)

    assert done, built[-1].heard
    np.testing.assert_array_equal(x, ran(*built, x))


@pytest.mark.parametrize("location", ["../outside.bin", "/etc/hostname", "absent.bin", "short.bin", "."])
def test_no_file_is_read_that_does_not_lie_beside_the_model(tmp_path, location):
    (tmp_path / "outside.bin").write_bytes(bytes(4 * SIDE * SIDE))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "short.bin").write_bytes(b"1234")
    proto = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[SIDE, SIDE], data_location=TensorProto.EXTERNAL)
    proto.external_data.add(key="location", value=location)
    proto.external_data.add(key="length", value=str(4 * SIDE * SIDE))
    (folder / "m.onnx").write_bytes(
        model_of([helper.make_node("MatMul", ["x", "w"], ["y"])], [proto]).SerializeToString()
    )

    done, *_, logger = parsed(folder / "m.onnx")

    assert not done and "'w'" in logger.heard[-1]


@pytest.mark.parametrize("from_file", [False, True])
@pytest.mark.parametrize("place", [("-8", "16"), ("0", str(10**15)), (str(10**12), "4")])
def test_weights_that_a_model_says_it_has_and_has_not_are_told_and_never_asked_for(tmp_path, place, from_file):
    proto = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[SIDE, SIDE], data_location=TensorProto.EXTERNAL)
    for key, value in zip(("offset", "length"), place, strict=True):
        proto.external_data.add(key=key, value=value)
    data = model_of([helper.make_node("MatMul", ["x", "w"], ["y"])], [proto]).SerializeToString()
    (tmp_path / "m.onnx").write_bytes(data)

    done, *_, logger = parsed(tmp_path / "m.onnx" if from_file else None, data)

    assert not done and f"of the model, which has {len(data)}" in logger.heard[-1]


@pytest.mark.parametrize("cut", [1, 100, 3000, 200_000])
def test_a_file_that_was_cut_off_is_no_model(tmp_path, cut):
    data = model_of([helper.make_node("MatMul", ["x", "w"], ["y"])], [tensor(square(), "w")]).SerializeToString()
    path = tmp_path / "m.onnx"
    path.write_bytes(data[:cut])

    done, *_, logger = parsed(path)

    assert not done and "no ONNX model" in logger.heard[-1]


def quantised(signed: bool, joined: bool) -> list:
    """Products with weights that are dequantised by a scale a column and a zero point. joined: four of one x."""
    kind, nodes, weights = np.int8 if signed else np.uint8, [], []
    for index in range(8):
        low, high = (-127, 127) if signed else (0, 255)
        source = "x" if index == 0 or joined and index < 4 else f"y{index - 1}"
        weights += [
            tensor(RNG.integers(low, high, (SIDE, SIDE)).astype(kind), f"w{index}"),
            tensor((RNG.random(SIDE) / 1000 + 1e-4).astype(np.float32), f"s{index}"),
            tensor(RNG.integers(0, 5, SIDE).astype(kind), f"z{index}"),
        ]
        nodes.append(
            helper.make_node("DequantizeLinear", [f"w{index}", f"s{index}", f"z{index}"], [f"d{index}"], axis=1)
        )
        nodes.append(helper.make_node("MatMul", [source, f"d{index}"], [f"y{index}"]))
    nodes.append(helper.make_node("Sum", [f"y{index}" for index in range(8)], ["y"]))
    return [nodes, weights]


def normalised() -> list:
    """Convolutions whose normalisation goes into their weights."""
    nodes, weights, last = [], [], "image"
    nodes.append(helper.make_node("Reshape", ["x", "shape"], ["image"]))
    weights.append(numpy_helper.from_array(np.array([2, SIDE, 1, 1]), "shape"))
    for index in range(4):
        weights.append(tensor(square().reshape(SIDE, SIDE, 1, 1) / 16, f"w{index}"))
        names = [f"{what}{index}" for what in ("scale", "bias", "mean", "var")]
        weights += [tensor(RNG.random(SIDE).astype(np.float32) + 0.5, name) for name in names]
        nodes.append(helper.make_node("Conv", [last, f"w{index}"], [f"c{index}"]))
        nodes.append(helper.make_node("BatchNormalization", [f"c{index}", *names], [f"n{index}"]))
        last = f"n{index}"
    return [[*nodes, helper.make_node("Identity", [last], ["y"])], weights]


@pytest.mark.parametrize("parts", [quantised(True, False), quantised(False, True), normalised()])
def test_a_build_holds_no_more_than_three_times_the_file(tmp_path, parts):
    path, x = tmp_path / "m.onnx", square()[:2]
    onnx.save(model_of(*parts), path)
    size = path.stat().st_size
    parsed(path)  # what is imported late is imported now
    tracemalloc.start()

    done, builder, network, logger = parsed(path)
    at_parse = tracemalloc.get_traced_memory()[1]
    plan = builder.build_serialized_network(network, builder.create_builder_config())
    at_build = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert done and at_parse < 1.5 * size + OVERHEAD and at_build < 3.2 * size + OVERHEAD
    found = Session(trt.Runtime(logger).deserialize_cuda_engine(plan), logger).run({"x": x})["y"]
    exactly = onnxruntime.SessionOptions()  # optimised, it rounds x, too, before it multiplies with 8 bits
    exactly.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    theirs = onnxruntime.InferenceSession(str(path), exactly, providers=["CPUExecutionProvider"])
    (expected,) = theirs.run(None, {"x": x})
    np.testing.assert_allclose(expected, found, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


def test_a_plan_has_the_weights_as_small_as_the_file(tmp_path):
    path = tmp_path / "m.onnx"
    onnx.save(model_of(*quantised(False, False)), path)

    _, builder, network, _ = parsed(path)

    plan = builder.build_serialized_network(network, builder.create_builder_config())
    assert len(plan) < 1.2 * path.stat().st_size


@pytest.mark.parametrize("places", [[1, 7, 9], [[0, 1], [2, 1], [3, 0]]], ids=["flat", "rows"])
@pytest.mark.parametrize("constant", [False, True])
def test_sparse_weights_are_weights(places, constant):
    values = helper.make_tensor("w", TensorProto.FLOAT, [3], [1.5, -2.0, 3.0])
    indices = helper.make_tensor("places", TensorProto.INT64, np.shape(places), np.ravel(places))
    sparse = helper.make_sparse_tensor(values, indices, [4, 3])
    nodes = [helper.make_node("Constant", [], ["w"], sparse_value=sparse)] if constant else []
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", size]) for name, size in (("x", 4), ("y", 3))]
    graph = helper.make_graph(
        [*nodes, helper.make_node("MatMul", ["x", "w"], ["y"])], "sparse", ends[:1], ends[1:],
        sparse_initializer=[] if constant else [sparse],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    x = RNG.standard_normal((2, 4)).astype(np.float32)

    np.testing.assert_allclose(expected_of(model, {"x": x})["y"], results_of(model, {"x": x})["y"], rtol=1e-6)


def test_lists_of_an_attribute_are_not_walked_through(monkeypatch):
    """A forest has millions of numbers, each a field of its own."""
    seen = []
    walk = stored.number_at
    monkeypatch.setattr(stored, "number_at", lambda data, place: seen.append(place) or walk(data, place))
    forest = helper.make_node("Forest", ["x"], ["y"], domain="acme", numbers=[0.5] * 100_000, texts=["LEAF"] * 10_000)
    model = helper.make_model(helper.make_graph([forest], "forest", [], []))

    assert model == Stored(model.SerializeToString(), None).proto()
    assert len(seen) < 200
