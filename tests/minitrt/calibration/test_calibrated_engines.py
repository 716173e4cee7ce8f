"""Weak typing: an engine in INT8 from sample data, for every calibrator."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from benchmarks.models.networks import resnet
from benchmarks.models.transformers import bert_base
from minitrt.runtime.session import Session
from tests.minitrt.engines import STRONG, Heard, expected_of, layers_of, model_of, parsed

pytestmark = pytest.mark.filterwarnings("ignore:.*removed in TensorRT 11:DeprecationWarning")
SIZE, BATCH = 32, 4
CALIBRATORS = (
    "MinMaxCalibrator EntropyCalibrator EntropyCalibrator2 LegacyCalibrator PercentileCalibrator MSECalibrator"
)


@pytest.fixture(scope="module")
def model():
    return resnet("resnet18", size=SIZE, width=8, classes=10, batch=BATCH)


def batch(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((BATCH, 3, SIZE, SIZE)).astype(np.float32)


def calibrator_of(kind: str, cache: bytes | None = None, batches: int = 3):
    """A calibrator over seeded noise that keeps its cache in `.cache` and counts batches in `.given`."""

    class Calibrator(getattr(trt, f"IInt8{kind}")):
        def __init__(self):
            super().__init__()
            self.given, self.cache = 0, cache

        def get_batch_size(self):
            return BATCH

        def get_batch(self, names):
            assert names == ["input"]
            if self.given == batches:
                return None
            self.given += 1
            self.held = batch(self.given)
            return [self.held.ctypes.data]

        def read_calibration_cache(self):
            return self.cache

        def write_calibration_cache(self, cache):
            self.cache = cache.tobytes()

    return Calibrator()


def built(model, calibrator, *flags: str, logger: Heard | None = None):
    logger = logger or Heard()
    builder, network, config = parsed(model, logger, 0)
    for flag in ("INT8", *flags):
        config.set_flag(trt.BuilderFlag[flag])
    config.int8_calibrator = calibrator
    data = builder.build_serialized_network(network, config)
    return trt.Runtime(logger).deserialize_cuda_engine(data) if data else None


@pytest.mark.parametrize("kind", CALIBRATORS.split())
def test_every_calibrator_gives_an_engine_in_int8_that_keeps_most_of_the_signal(model, kind):
    engine = built(model, calibrator_of(kind))
    found, expected = Session(engine).run({"input": batch(9)}), expected_of(model, {"input": batch(9)})
    noise = found["fc_output"] - expected["fc_output"]

    assert sum("Int8" in layer["Outputs"][0]["Format/Datatype"] for layer in layers_of(engine)) >= 20
    assert 10 * np.log10(np.sum(expected["fc_output"] ** 2) / np.sum(noise**2)) > 10  # dB


def test_a_second_build_takes_the_cache_and_asks_for_no_batch(model):
    first = calibrator_of("EntropyCalibrator2")
    one = built(model, first)
    second = calibrator_of("EntropyCalibrator2", first.cache)
    two = built(model, second)

    assert (first.given, second.given) == (3, 0)
    assert one.serialize() == two.serialize()


def test_a_cache_of_another_algorithm_is_rejected_and_calibration_runs(model):
    logger, other = Heard(), calibrator_of("MinMaxCalibrator")
    built(model, other)
    calibrator = calibrator_of("EntropyCalibrator2", other.cache)
    built(model, calibrator, logger=logger)

    assert calibrator.given == 3
    assert "needs TRT-101600-EntropyCalibration2" in logger.of(trt.ILogger.WARNING)[0]


def test_a_calibrator_without_batch_and_cache_ends_the_build_with_its_name(model):
    logger = Heard()

    assert built(model, calibrator_of("MinMaxCalibrator", batches=0), logger=logger) is None
    assert "Calibrator has neither a cache nor a batch" in logger.errors[-1]


def test_fp16_beside_int8_computes_the_rest_in_half(model):
    engine = built(model, calibrator_of("MinMaxCalibrator"), "FP16")

    assert "FP16" in layers_of(engine)[-2]["Outputs"][0]["Format/Datatype"]
    assert engine.get_tensor_dtype("fc_output") == trt.float32


def test_dynamic_ranges_take_the_place_of_a_calibrator(model):
    logger = Heard()
    builder, network, config = parsed(model, logger, 0)
    config.set_flag(trt.BuilderFlag.INT8)
    for index in range(network.num_layers):
        network.get_layer(index).get_output(0).dynamic_range = (-8.0, 8.0)
    network.get_input(0).dynamic_range = (-4.0, 5.0)
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    scales = {v.scale for v in engine._plan.profiles[0].graph.values() if v.dtype == trt.int8 and not v.is_constant}

    assert scales == {float(np.float32(8 / 127)), float(np.float32(5 / 127))}


def test_implicit_weights_stay_within_127_and_round_half_up():
    from minitrt.graph.ir import Graph, Op, Value
    from minitrt.passes.editing import Editor
    from minitrt.passes.precision import weights_of

    data = np.array([127.0, -127.0, 2.5, -2.5, 0.5]).astype(np.float32).reshape(1, 5, 1, 1)
    x, y = Value("x", trt.float32, (1, 5, 4, 4)), Value("y", trt.float32, (1, 1, 4, 4))
    op = Op("conv", "conv", [x, Value("w", trt.float32, data.shape, data=data), None, None], [y], {})
    graph = Graph("g", [op], [x], [y])
    weights_of(Editor(graph, lambda message: None), op)

    assert graph.ops[0].inputs[0].data.ravel().tolist() == [127, -127, 3, -2, 1]


def test_weak_typing_warns_that_tensorrt_11_removed_it(model):
    _, network, config = parsed(model, Heard(), 0)

    with pytest.warns(DeprecationWarning, match="BuilderFlag.INT8.*removed in TensorRT 11"):
        config.set_flag(trt.BuilderFlag.INT8)
    with pytest.warns(DeprecationWarning, match="ITensor.set_dynamic_range.*removed in TensorRT 11"):
        network.get_input(0).set_dynamic_range(-1, 1)


@pytest.mark.parametrize("flag", ["INT8", "FP16", "BF16", "FP8"])
def test_a_strongly_typed_network_with_a_flag_that_chooses_types_is_not_built(model, flag):
    logger = Heard()
    builder, network, config = parsed(model, logger)
    config.set_flag(trt.BuilderFlag[flag])

    assert builder.build_serialized_network(network, config) is None
    assert f"a strongly typed network takes no BuilderFlag.{flag}" in logger.errors[-1]


def test_types_of_a_strongly_typed_network_s_layers_cannot_be_set(model):
    logger = Heard()
    _, network, _ = parsed(model, logger)
    layer = network.get_layer(0)
    layer.precision = trt.float16
    layer.set_output_type(0, trt.float16)

    assert (False, False) == (layer.precision_is_set, layer.output_type_is_set(0))
    assert 2 == len(logger.errors) and all("strongly typed" in text for text in logger.errors)


class Unused(trt.IInt8MinMaxCalibrator):
    def get_batch_size(self):
        raise AssertionError("nobody should ask")


@pytest.mark.parametrize(
    ("flags", "int8", "explicit", "why"),
    [
        (STRONG, False, False, "strongly typed network"),
        (0, False, False, "BuilderFlag.INT8 is not set"),
        (0, True, True, "has Q and DQ layers"),
    ],
)
def test_a_calibrator_that_cannot_be_used_is_said(model, flags, int8, explicit, why):
    logger = Heard()
    builder, network, config = parsed(with_qdq() if explicit else model, logger, flags)
    config.int8_calibrator = Unused()
    if int8:
        config.set_flag(trt.BuilderFlag.INT8)

    assert builder.build_serialized_network(network, config) is not None
    assert 1 == len([text for text in logger.of(trt.ILogger.WARNING) if "calibrator Unused is not used" in text])
    assert any(why in text for text in logger.of(trt.ILogger.WARNING))


def with_qdq():
    """A convolution between Q and DQ."""
    node, scale = onnx.helper.make_node, {"s": np.float32(0.1), "z": np.int8(0)}
    weights = np.random.default_rng(0).integers(-9, 9, (4, 3, 3, 3)).astype(np.int8)
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        node("DequantizeLinear", ["q", "s", "z"], ["d"]),
        node("DequantizeLinear", ["w", "s", "z"], ["r"]),
        node("Conv", ["d", "r"], ["y"]),
    ]
    return model_of(nodes, {"x": (np.float32, [1, 3, 8, 8])}, ["y"], {**scale, "w": weights})


def test_a_quantised_model_with_the_int8_flag_does_not_warn_of_tensors_without_scales():
    logger = Heard()
    builder, network, config = parsed(with_qdq(), logger, 0)
    config.set_flag(trt.BuilderFlag.INT8)
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))

    assert [] == logger.of(trt.ILogger.WARNING)
    assert any("Int8" in layer["Inputs"][0]["Format/Datatype"] for layer in layers_of(engine))


@pytest.mark.parametrize(("flag", "dtype"), [("FP16", trt.DataType.HALF), ("INT8", trt.DataType.INT8)])
def test_an_attention_is_of_the_type_that_the_products_around_it_are(flag, dtype):
    encoder, logger = bert_base(batch=BATCH, size=9, hidden=32, heads=2, depth=1, sample=9), Heard()
    builder, network, config = parsed(encoder, logger, 0)
    config.set_flag(trt.BuilderFlag[flag])
    x = np.random.default_rng(1).standard_normal((BATCH, 9, 32)).astype(np.float32)

    class Calibrator(trt.IInt8MinMaxCalibrator):
        given = 0

        def get_batch_size(self):
            return BATCH

        def get_batch(self, names):
            self.given += 1
            return [x.ctypes.data] if self.given == 1 else None

        def read_calibration_cache(self):
            return None

        def write_calibration_cache(self, cache):
            pass

    config.int8_calibrator = Calibrator() if flag == "INT8" else None
    data = builder.build_serialized_network(network, config)
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)
    (attention,) = (op for op in engine._plan.profiles[0].graph.ops if op.kind == "attention")
    (found,), (expected,) = Session(engine).run({"input": x}).values(), expected_of(encoder, {"input": x}).values()

    assert {value.dtype for value in (*attention.inputs, attention.output)} == {dtype}
    assert np.abs(found - expected).max() < 0.05 * np.abs(expected).max()


class Raising(trt.IInt8MinMaxCalibrator):
    """Raises in one of its methods. Attribute: method."""

    method = ""

    def get_batch_size(self):
        return self.told("get_batch_size", BATCH)

    def get_batch(self, names):
        return self.told("get_batch", None)

    def read_calibration_cache(self):
        return self.told("read_calibration_cache", None)

    def told(self, name, answer):
        if name == self.method:
            raise KeyError("no such picture")
        return answer


@pytest.mark.parametrize("method", ["get_batch", "read_calibration_cache"])
def test_what_a_calibrator_raises_is_told_by_its_name_and_method(model, method):
    logger = Heard()
    builder, network, config = parsed(model, logger, 0)
    config.set_flag(trt.BuilderFlag.INT8)
    config.int8_calibrator = Raising()
    config.int8_calibrator.method = method

    assert builder.build_serialized_network(network, config) is None
    assert f"Raising.{method} raised KeyError: 'no such picture'" in logger.errors[-1]


def test_a_batch_of_too_few_inputs_says_which_there_are(model):
    class Short(Raising):
        def get_batch(self, names):
            return [1, 2]

    logger = Heard()
    builder, network, config = parsed(model, logger, 0)
    config.set_flag(trt.BuilderFlag.INT8)
    config.int8_calibrator = Short()

    assert builder.build_serialized_network(network, config) is None
    assert "Short.get_batch gave 2 inputs, but the network has ['input']" in logger.errors[-1]
