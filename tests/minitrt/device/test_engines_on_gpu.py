"""Whole engines on the GPU: results, machine code that lies in the plan, builds that repeat, streams, several GPUs."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the extra engine is not installed: these engines are built from ONNX files")

import minitrt as trt
from benchmarks.engine.numerics import layer_by_layer
from minitrt.builder.views import CHANNELS
from minitrt.runtime.pool import EnginePool
from minitrt.runtime.session import Session
from minitrt.tactics.contract import tactic_id
from tests.minitrt.builder.test_joins import inception
from tests.minitrt.engines import Heard, model_of, parsed

pytestmark = pytest.mark.gpu
rng = np.random.default_rng(5)
IMAGE = (3, 32, 32)


def model(scale: float | None) -> onnx.ModelProto:
    """conv 7x7 stride 2, pool, a residual block, mean, logits; with Q and DQ of `scale` around the convolutions."""
    node, arrays, nodes = onnx.helper.make_node, {}, []

    def quantised(name: str, key: str, spread: float) -> str:
        if scale is None:
            return name
        arrays[f"{key}.scale"], arrays[f"{key}.zero"] = np.float32(spread), np.int8(0)
        pair = [f"{key}.scale", f"{key}.zero"]
        nodes.append(node("QuantizeLinear", [name, *pair], [f"{key}.q"], f"{key}.quantize"))
        nodes.append(node("DequantizeLinear", [f"{key}.q", *pair], [f"{key}.dq"], f"{key}.dequantize"))
        return f"{key}.dq"

    def conv(x: str, name: str, shape, **attributes) -> str:
        arrays[f"{name}.w"] = (rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)
        arrays[f"{name}.b"] = rng.standard_normal(shape[0]).astype(np.float32) * 0.1
        inputs = [quantised(x, f"{name}.x", scale or 0), quantised(f"{name}.w", f"{name}.k", 0.02), f"{name}.b"]
        nodes.append(node("Conv", inputs, [f"{name}.y"], name, kernel_shape=shape[2:], **attributes))
        return f"{name}.y"

    def step(kind: str, inputs, name: str, **attributes) -> str:
        nodes.append(node(kind, inputs, [f"{name}.y"], name, **attributes))
        return f"{name}.y"

    stem = step("Relu", [conv("x", "stem", (32, 3, 7, 7), strides=[2, 2], pads=[3] * 4)], "relu0")
    pool = step("MaxPool", [stem], "pool", kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    inner = step("Relu", [conv(pool, "a", (48, 32, 3, 3), pads=[1] * 4)], "relu1")
    added = step("Add", [conv(inner, "b", (32, 48, 1, 1)), quantised(pool, "skip", scale or 0)], "add")
    mean = step("GlobalAveragePool", [step("Relu", [added], "relu2")], "mean")
    arrays["fc"] = rng.standard_normal((32, 10)).astype(np.float32)
    step("MatMul", [step("Flatten", [mean], "flat"), "fc"], "logits")
    return model_of(nodes, {"x": (np.float32, ("batch", *IMAGE))}, ["logits.y"], arrays)


def plan_of(
    made: onnx.ModelProto, on_gpu: bool, flags=(), cache=None, most: int = 16
) -> tuple[bytes, trt.IBuilderConfig]:
    logger = Heard()
    builder, network, config = parsed(made, logger, 0 if flags else 1 << 1)
    if on_gpu:
        config.target = builder._target
    for flag in flags:
        config.set_flag(flag)
    if cache is not None:
        config.set_timing_cache(config.create_timing_cache(cache), False)
    profile = builder.create_optimization_profile()
    profile.set_shape("x", (1, *IMAGE), (8, *IMAGE), (most, *IMAGE))
    config.add_optimization_profile(profile)
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    return bytes(data), config


def session_of(data: bytes, stream: int = 0) -> Session:
    logger = Heard()
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)
    assert engine is not None, logger.errors
    return Session(engine, logger, stream)


@pytest.fixture(scope="module")
def quantised() -> tuple[onnx.ModelProto, bytes, trt.IBuilderConfig]:
    made = model(0.03)
    return (made, *plan_of(made, True))


@pytest.mark.parametrize("batch", [1, 8, 13])
def test_an_int8_engine_equals_the_reference_also_at_batches_that_it_was_not_tuned_for(quantised, batch):
    made, data, _ = quantised
    x = rng.standard_normal((batch, *IMAGE)).astype(np.float32)
    expected = session_of(plan_of(made, False)[0]).run({"x": x})["logits.y"]
    session = session_of(data)
    for _ in range(3):  # kernels first, then the graph
        found = session.run({"x": x})["logits.y"]

        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=0.02 * np.abs(expected).max())


def test_a_float16_engine_is_near_the_float32_reference():
    made = model(None)
    x = rng.standard_normal((8, *IMAGE)).astype(np.float32)
    expected = session_of(plan_of(made, False)[0]).run({"x": x})["logits.y"]
    found = session_of(plan_of(made, True, [trt.BuilderFlag.FP16])[0]).run({"x": x})["logits.y"]

    np.testing.assert_allclose(found, expected, rtol=0.02, atol=0.01 * np.abs(expected).max())


def test_two_builds_with_a_full_timing_cache_are_equal_byte_by_byte(quantised):
    made, _, config = quantised
    cache = bytes(config.get_timing_cache().serialize())

    assert plan_of(made, True, cache=cache)[0] == plan_of(made, True, cache=cache)[0]


def test_a_process_that_loads_a_plan_compiles_nothing(quantised, tmp_path):
    (tmp_path / "plan").write_bytes(quantised[1])
    code = (
        "import sys, numpy as np, minitrt as trt; from minitrt.runtime.session import Session\n"
        f"data = open({str(tmp_path / 'plan')!r}, 'rb').read()\n"
        "engine = trt.Runtime(trt.Logger()).deserialize_cuda_engine(data)\n"
        "print(Session(engine).run({'x': np.ones((8, 3, 32, 32), np.float32)})['logits.y'].shape)\n"
        "print('numba' in sys.modules, 'onnx' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert ["(8, 10)", "False False"] == done.stdout.split("\n")[:2], done.stderr


def test_a_profiler_hears_of_every_layer(quantised):
    class Profiler(trt.IProfiler):
        def __init__(self):
            super().__init__()
            self.heard = {}

        def report_layer_time(self, layer_name, ms):
            self.heard[layer_name] = ms

    session = session_of(quantised[1])
    session.context.profiler = profiler = Profiler()
    session.run({"x": np.ones((8, *IMAGE), np.float32)})

    assert session.engine.num_layers == len(profiler.heard) and all(ms > 0 for ms in profiler.heard.values())


def test_a_pool_over_every_gpu_gives_what_one_engine_gives(quantised):
    x = rng.standard_normal((40, *IMAGE)).astype(np.float32)
    single = session_of(quantised[1])
    expected = np.concatenate([single.run({"x": x[i : i + 8]})["logits.y"] for i in range(0, 40, 8)])
    with EnginePool(quantised[1]) as pool:
        for _ in range(3):
            np.testing.assert_allclose(pool.run({"x": x})["logits.y"], expected, rtol=1e-5, atol=1e-5)
        batches = [{"x": x[i : i + 8]} for i in range(0, 40, 8)] * 4
        for n, found in enumerate(pool.map(batches)):
            np.testing.assert_allclose(found["logits.y"], expected[n % 5 * 8 : n % 5 * 8 + 8], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("skip", [False, True])
def test_convolutions_that_write_into_joint_pixels_give_what_the_reference_does(skip):
    made, x = inception(skip), np.random.default_rng(8).standard_normal((2, 32, 6, 6)).astype(np.float32)
    found, expected = (session_of(joined(made, on_gpu)) for on_gpu in (True, False))
    wrong, _ = layer_by_layer(found.engine, {"x": x})
    found, expected = ([session.run({"x": x}) for _ in range(3)][-1] for session in (found, expected))

    assert not [line for line in wrong if "by at most 1" not in line]
    for name, array in expected.items():
        away = np.abs(found[name] - array)
        assert away.max() < 0.021 and (away > 0.01).mean() < 1e-3, "more than a step of INT8, or often one"


class InPixels(trt.IAlgorithmSelector):
    """Leaves a join of channels one tactic, so that no time decides which way it goes."""

    def select_algorithms(self, context, choices):
        joins = [i for i, choice in enumerate(choices) if choice.algorithm_variant.tactic == tactic_id(CHANNELS)]
        return joins or list(range(len(choices)))

    def report_algorithms(self, contexts, choices):
        pass


def joined(made: onnx.ModelProto, on_gpu: bool) -> bytes:
    """A plan; on the GPU with the first tactics, and the join in pixels whatever it takes."""
    logger = Heard()
    builder, network, config = parsed(made, logger)
    config.builder_optimization_level = 0
    config.target = builder._target if on_gpu else None
    config.algorithm_selector = InPixels()
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    assert not on_gpu or b'"inside":' in bytes(data), "nothing lies in the joint pixels"
    return bytes(data)
