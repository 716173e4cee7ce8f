"""Refitting and stripping: an engine with new weights is the engine that would have been built with them."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

import minitrt as trt
from benchmarks.models.networks import resnet
from benchmarks.models.transformers import bert_base
from minitrt.runtime.session import RunError, Session
from tests.minitrt.engines import Heard, engine_of, model_of, parsed

SIZE = 32
X = {"input": np.random.default_rng(1).standard_normal((1, 3, SIZE, SIZE)).astype(np.float32)}


def net(seed: int, int8: bool = False):
    return resnet("resnet18", int8=int8, size=SIZE, width=8, classes=10, batch=1, seed=seed)


def built(model, *flags: str, logger: Heard | None = None):
    logger = logger or Heard()
    builder, network, config = parsed(model, logger)
    for flag in flags:
        config.set_flag(trt.BuilderFlag[flag])
    data = builder.build_serialized_network(network, config)
    return data, trt.Runtime(logger).deserialize_cuda_engine(data)


@pytest.mark.parametrize("int8", [False, True], ids=["fp32", "int8"])
def test_an_engine_refitted_from_onnx_computes_what_a_new_build_computes(int8):
    logger = Heard()
    _, engine = built(net(0, int8), "REFIT")
    session = Session(engine)
    before = session.run(X)["fc_output"]
    refitter = trt.Refitter(engine, logger)
    parser = trt.OnnxParserRefitter(refitter, logger)

    assert parser.refit_from_bytes(net(1, int8).SerializeToString()), logger.errors
    assert refitter.refit_cuda_engine(), logger.errors
    expected = Session(engine_of(net(1, int8))).run(X)["fc_output"]
    np.testing.assert_array_equal(session.run(X)["fc_output"], expected)
    assert not np.allclose(before, expected)


def test_a_stripped_engine_is_small_names_what_it_lacks_and_runs_after_a_refit(tmp_path):
    logger, model = Heard(), net(0)
    whole, full = built(model)
    stripped, engine = built(model, "STRIP_PLAN", logger=logger)
    onnx.save(model, tmp_path / "net.onnx")
    refitter = trt.Refitter(engine, logger)

    assert len(stripped) < len(whole) / 3
    assert set(refitter.get_missing_weights()) == set(refitter.get_all_weights()) != set()
    assert engine.create_execution_context() is None
    assert "refit it before it runs" in logger.errors[-1]
    with pytest.raises(RunError, match="stripped of [0-9]+ weights, and runs once they are back"):
        Session(engine)
    assert trt.OnnxParserRefitter(refitter, logger).refit_from_file(str(tmp_path / "net.onnx"))
    assert refitter.refit_cuda_engine(), logger.errors
    np.testing.assert_array_equal(Session(engine).run(X)["fc_output"], Session(full).run(X)["fc_output"])


def test_a_layer_gives_its_weights_back_as_an_array_that_names_them():
    builder = trt.Builder(Heard())
    network, weights = builder.create_network(), np.arange(8, dtype=np.float32).reshape(4, 2, 1, 1)
    image = network.add_input("x", trt.float32, (1, 2, 3, 3))
    layer = network.add_convolution_nd(image, 4, (1, 1), trt.Weights(weights))
    network.mark_output(layer.get_output(0))
    config = builder.create_builder_config()
    config.set_flag(trt.BuilderFlag.REFIT)

    assert (layer.kernel.tolist(), layer.bias.size) == (list(range(8)), 0)
    assert network.set_weights_name(layer.kernel, "mine")
    assert "mine" in trt.Refitter(builder.build_engine_with_config(network, config), Heard()).get_all_weights()


def test_weights_of_equal_bytes_keep_their_names():
    logger, steps = (
        Heard(),
        [onnx.helper.make_tensor(name, onnx.TensorProto.INT8, (), b"\x7f", raw=True) for name in "ab"],
    )
    nodes = [onnx.helper.make_node("DequantizeLinear", [name, f"{name} scale"], [f"{name} read"]) for name in "ab"]
    nodes += [
        onnx.helper.make_node("Mul", ["x", "a read"], ["t"]),
        onnx.helper.make_node("Add", ["t", "b read"], ["y"]),
    ]
    model = model_of(nodes, {"x": (np.float32, (2,))}, ["y"], {"a scale": np.float32(0.25), "b scale": np.float32(0.5)})
    model.graph.initializer.extend(steps)
    builder, network, config = parsed(model, logger)
    config.set_flag(trt.BuilderFlag.REFIT)
    engine = builder.build_engine_with_config(network, config)

    assert {"a", "b"} <= set(trt.Refitter(engine, logger).get_all_weights())
    found = Session(engine).run({"x": np.ones(2, np.float32)})["y"]
    np.testing.assert_allclose(found, 127 * 0.25 + 127 * 0.5)


def test_a_refitted_engine_is_serialised_with_its_new_weights():
    logger = Heard()
    _, engine = built(net(0), "REFIT")
    bias = np.arange(10, dtype=np.float32)
    refitter = trt.Refitter(engine, logger)
    assert refitter.set_named_weights("fc.bias", bias) and refitter.refit_cuda_engine(), logger.errors
    again = trt.Runtime(logger).deserialize_cuda_engine(engine.serialize())

    np.testing.assert_array_equal(Session(again).run(X)["fc_output"], Session(engine).run(X)["fc_output"])


@pytest.mark.parametrize(
    ("name", "weights", "reason"),
    [
        ("nobody", np.zeros(10, np.float32), "no refittable weights 'nobody'"),
        ("fc.bias", np.zeros(3, np.float32), "need 10 elements, but have 3"),
        ("fc.bias", np.zeros(10, np.float16), "must be DataType.FLOAT, but are DataType.HALF"),
    ],
)
def test_weights_that_do_not_fit_are_refused_with_the_reason(name, weights, reason):
    logger = Heard()
    refitter = trt.Refitter(built(net(0), "REFIT")[1], logger)

    assert refitter.set_named_weights(name, weights) is False
    assert reason in logger.errors[-1]


def test_scales_that_were_equal_when_the_passes_compared_them_must_stay_equal():
    """DQ(s) then Q(t) vanished because s == t; with another t there would be a requantisation."""
    make, scale, zero = onnx.helper.make_node, np.float32(0.1), np.int8(0)
    nodes = [
        make("QuantizeLinear", ["x", "s", "zero"], ["a"], "q1"),
        make("DequantizeLinear", ["a", "s", "zero"], ["b"], "dq1"),
        make("QuantizeLinear", ["b", "t", "zero"], ["c"], "q2"),
        make("DequantizeLinear", ["c", "t", "zero"], ["y"], "dq2"),
    ]
    logger = Heard()
    engine = built(model_of(nodes, {"x": (np.float32, (4,))}, ["y"], {"s": scale, "t": scale, "zero": zero}), "REFIT")[
        1
    ]
    x = {"x": np.array([0.12, -0.3, 5.0, 90.0], np.float32)}
    before = Session(engine).run(x)["y"]
    refitter = trt.Refitter(engine, logger)

    assert refitter.set_named_weights("t", np.float32(0.5))
    assert refitter.refit_cuda_engine() is False
    assert "build the engine again" in logger.errors[-1]
    np.testing.assert_array_equal(Session(engine).run(x)["y"], before)


def test_an_engine_that_was_not_built_for_it_says_so():
    logger = Heard()
    engine = built(net(0))[1]

    assert not engine.refittable
    with pytest.raises(TypeError, match="build it with BuilderFlag.REFIT"):
        trt.Refitter(engine, logger)
    assert "BuilderFlag.REFIT" in logger.errors[-1]


def test_excluding_weights_when_serialising_strips_a_refittable_engine():
    _, engine = built(net(0), "REFIT")
    config = engine.create_serialization_config()
    config.set_flag(trt.SerializationFlag.EXCLUDE_WEIGHTS)

    assert len(engine.serialize_with_config(config)) < len(engine.serialize()) / 3


@pytest.mark.parametrize("int8", [False, True], ids=["fp32", "int8"])
def test_products_that_were_joined_take_new_weights(int8):
    """Queries, keys and values are one product, of which no weights of the model are the whole."""
    tiny = {"hidden": 32, "heads": 2, "depth": 1, "size": 9, "sample": 9}
    first, second = (bert_base(int8, seed=seed, **tiny) for seed in range(2))
    x = {"input": np.random.default_rng(1).standard_normal((1, 9, 32)).astype(np.float32)}
    logger, (_, engine) = Heard(), built(first, "REFIT")
    refitter = trt.Refitter(engine, logger)

    assert trt.OnnxParserRefitter(refitter, logger).refit_from_bytes(second.SerializeToString()), logger.errors
    assert refitter.refit_cuda_engine(), logger.errors
    for (_, found), (_, expected) in zip(
        Session(engine).run(x).items(), Session(engine_of(second)).run(x).items(), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
