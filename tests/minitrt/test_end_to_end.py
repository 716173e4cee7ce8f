"""From an ONNX file to results, on the reference backend: what ONNX Runtime computes, an engine computes."""

from __future__ import annotations

import numpy as np
import pytest

import minitrt as trt
from benchmarks.models.networks import mobilenet_v2, resnet
from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard, engine_of, expected_of, layers_of, parsed, results_of
from tests.patience import PATIENCE_S

SIZE = 64  # of images: every stage of a ResNet keeps at least 2 pixels
SMALL = dict(size=SIZE, width=8, classes=10, sample=SIZE)


def images(count: int = 2) -> dict[str, np.ndarray]:
    return {"input": np.random.default_rng(1).standard_normal((count, 3, SIZE, SIZE)).astype(np.float32)}


@pytest.fixture(scope="module")
def resnet18_int8():
    return resnet("resnet18", int8=True, batch="batch", **SMALL)


@pytest.mark.parametrize(
    "model",
    [resnet("resnet18", **SMALL), resnet("resnet50", **SMALL), mobilenet_v2(size=SIZE, classes=10)],
    ids=["resnet18", "resnet50", "mobilenet_v2"],
)
def test_a_floating_network_gives_what_onnx_runtime_gives(model):
    found, expected = results_of(model, images()), expected_of(model, images())

    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-3, atol=1e-4 * np.abs(array).max())


def test_a_quantised_network_stays_within_a_few_steps_of_onnx_runtime(resnet18_int8):
    found, expected = results_of(resnet18_int8, images()), expected_of(resnet18_int8, images())

    (name,) = expected
    noise = found[name].astype(np.float64) - expected[name]
    assert 10 * np.log10(np.sum(expected[name] ** 2.0) / np.sum(noise**2)) > 25  # dB


def test_every_int8_tensor_is_within_one_step_of_onnx_runtimes_on_at_most_one_in_a_thousand(resnet18_int8):
    import onnx

    from minitrt.runtime.reference import Watch, execute

    engine = engine_of(resnet18_int8, input=((1, 3, SIZE, SIZE),) * 3)
    graph, seen = engine._plan.profiles[0].graph, {}
    watch = Watch(tensor=lambda value, array: seen.__setitem__(value.name, array), kept=set(graph.values()))
    execute(graph, images(1), watch)
    model = onnx.ModelProto.FromString(resnet18_int8.SerializeToString())
    early = [name for name in seen if name.startswith(("conv1", "layer1")) and name.endswith(".quantized")]
    del model.graph.output[:]
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in early)
    expected = expected_of(model, images(1))

    assert len(early) >= 4
    for name in early:
        steps = seen[name].astype(int) - expected[name].astype(int)
        assert np.abs(steps).max() <= 1
        assert np.mean(steps != 0) <= 1e-3


def test_a_quantised_resnet_runs_in_int8_from_the_first_quantiser_to_the_classifier(resnet18_int8):
    layers = layers_of(engine_of(resnet18_int8, input=((1, 3, SIZE, SIZE),) * 3))

    floating = [layer["Name"] for layer in layers if "FP32" in layer["Outputs"][0]["Format/Datatype"]]
    assert floating == [layers[-1]["Name"]]


def test_two_builds_of_one_network_are_equal_byte_for_byte(resnet18_int8):
    built = []
    for _ in range(2):
        builder, network, config = parsed(resnet18_int8, Heard())
        profile = builder.create_optimization_profile()
        profile.set_shape("input", (1, 3, SIZE, SIZE), (2, 3, SIZE, SIZE), (4, 3, SIZE, SIZE))
        config.add_optimization_profile(profile)
        built.append(builder.build_serialized_network(network, config))

    assert built[0] == built[1]


def test_one_engine_takes_every_batch_of_its_profile():
    model = resnet("resnet18", **SMALL)
    engine = engine_of(model, input=((1, 3, SIZE, SIZE), (2, 3, SIZE, SIZE), (3, 3, SIZE, SIZE)))
    session = Session(engine)
    whole = session.run(images(3))
    single = session.run({"input": images(3)["input"][1:2]})

    for name, array in whole.items():
        np.testing.assert_allclose(single[name], array[1:2], rtol=1e-4, atol=1e-4)


def test_a_batch_outside_the_profile_is_refused_with_both_limits():
    logger = Heard()
    engine = engine_of(resnet("resnet18", **SMALL), logger, input=((1, 3, SIZE, SIZE),) * 3)
    context = engine.create_execution_context()

    assert context.set_input_shape("input", (9, 3, SIZE, SIZE)) is False
    assert "(9, 3, 64, 64)" in logger.errors[-1] and "(1, 3, 64, 64)" in logger.errors[-1]


def test_the_runtime_loads_and_runs_without_onnx_builder_or_passes(tmp_path):
    """A process that refuses to import them, as a deployment without them would."""
    import subprocess
    import sys

    builder, network, config = parsed(resnet("resnet18", batch=1, **SMALL), Heard())
    (tmp_path / "net.engine").write_bytes(builder.build_serialized_network(network, config))
    program = f"""
import sys
BARRED = ("onnx", "minitrt.builder", "minitrt.passes", "minitrt.onnx_import", "minitrt.network", "numba")
class Barrier:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(BARRED):
            raise ImportError(f"barred: {{name}}")
sys.meta_path.insert(0, Barrier())
import numpy as np, minitrt as trt
from minitrt.runtime.session import Session
engine = trt.Runtime(trt.Logger()).deserialize_cuda_engine(open({str(tmp_path / "net.engine")!r}, "rb").read())
print(Session(engine).run({{"input": np.zeros((1, 3, {SIZE}, {SIZE}), np.float32)}})["fc_output"].shape)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S)

    assert (done.stdout.strip(), done.stderr) == ("(1, 10)", "")


def test_a_context_without_addresses_says_which_are_missing():
    logger = Heard()
    context = engine_of(resnet("resnet18", batch=1, **SMALL), logger).create_execution_context()

    assert context.execute_async_v3(0) is False
    assert "['input', 'fc_output']" in logger.errors[-1]


@pytest.mark.parametrize("damage", ["magic", "bit", "version", "short"])
def test_a_damaged_or_foreign_engine_is_refused_with_advice(damage):
    logger = Heard()
    builder, network, config = parsed(resnet("resnet18", batch=1, **SMALL), logger)
    data = bytearray(builder.build_serialized_network(network, config))
    if damage == "magic":
        data[0] ^= 1
    elif damage == "bit":
        data[-300] ^= 1
    elif damage == "version":
        import struct
        import zlib

        data = data.replace(b'"version":"10.16.0"', b'"version":"10.15.9"')
        data[8:12] = struct.pack("<I", zlib.crc32(bytes(data[12:])))
    else:
        data = data[:10]

    assert trt.Runtime(logger).deserialize_cuda_engine(bytes(data)) is None
    expected = {"version": "10.15.9", "bit": "checksum", "magic": "no engine", "short": "no engine"}[damage]
    assert expected in logger.errors[-1]
