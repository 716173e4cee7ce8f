"""The faces of TensorRT 10.16 and 11: each has its names, and none of the other's.

lists/api_changes_11.1.txt says, by class, what 11.1's bindings removed and added.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.runtime.session import Session
from tests.minitrt.engines import STRONG, Heard, expected_of, model_of, parsed

ROOT = Path(__file__).parents[3]
LISTS = Path(__file__).parents[1] / "lists"
LINE = re.compile(r"([+~-]) (?:CLASS )?(\w+) (?:REMOVED (\[.*?\]) ADDED (\[.*?\])|(\[.*\]))$")
PROBE = """
import json, sys
import minitrt as trt
names = json.loads(sys.stdin.read())
def there(name):
    owner, _, member = name.partition(".")
    return hasattr(trt, owner) and (not member or hasattr(getattr(trt, owner), member))
print(json.dumps([trt.__version__, [name for name in names if there(name)], dir(trt)]))
"""


def changes() -> tuple[set[str], set[str]]:
    """Names that 11 removed, and that it added: classes, and members as Class.member."""
    gone, new = set(), set()
    for line in (LISTS / "api_changes_11.1.txt").read_text(encoding="utf-8").splitlines():
        sign, owner, removed, added, _ = LINE.match(line).groups()
        if sign == "~":
            for found, names in ((gone, removed), (new, added)):
                found |= {f"{owner}.{name.partition('@')[0]}" for name in ast.literal_eval(names)}
        else:
            (gone if sign == "-" else new).add(owner)
    return gone, new


def face(version: str, names: set[str]) -> tuple[str, set[str], list[str]]:
    """__version__, which of the names are there, and the module's names, in a process that asked for a version."""
    environment = {**os.environ, "MINITRT_API": version, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROBE], input=json.dumps(sorted(names)), env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    number, there, everything = json.loads(done.stdout)
    return number, set(there), everything


@pytest.mark.parametrize(("version", "number"), [("10", "10.16.0"), ("11", "11.1.0"), ("both", "10.16.0")])
def test_each_face_has_its_own_names_and_none_of_the_others(version, number):
    gone, new = changes()
    expected = {"10": gone, "11": new, "both": gone | new}[version]
    told, there, everything = face(version, gone | new)

    assert number == told
    assert [] == sorted(expected ^ there)
    assert ("IInt8Calibrator" in everything) == (version != "11")
    assert ("CausalMaskKind" in everything) == (version != "10")


@pytest.fixture
def eleven():
    trt.api = "11"
    yield
    trt.api = "both"


def test_a_version_may_be_chosen_and_left_in_a_program(eleven):
    network = trt.Builder(Heard()).create_network()
    layer = network.add_identity(network.add_input("x", trt.float32, (1,)))

    assert network.get_flag(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)
    with pytest.raises(AttributeError, match="precision"):
        layer.precision  # noqa: B018
    with pytest.raises(AttributeError, match="IInt8EntropyCalibrator2"):
        trt.IInt8EntropyCalibrator2  # noqa: B018
    with pytest.raises(AttributeError):
        trt.BuilderFlag.INT8  # noqa: B018
    assert "INT8" not in [flag.name for flag in trt.BuilderFlag]
    trt.api = "both"
    assert trt.BuilderFlag.INT8 in list(trt.BuilderFlag) and layer.precision == trt.float32


def test_another_word_is_refused_and_changes_nothing():
    with pytest.raises(ValueError, match='"10", "11" or "both"'):
        trt.api = "12"
    assert "10.16.0" == trt.__version__


def test_a_quantised_model_is_built_and_run_as_in_11(eleven):
    node, scale = onnx.helper.make_node, {"s": np.float32(0.1), "z": np.int8(0)}
    nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["y"])]
    model, x = model_of(nodes, {"x": (np.float32, [5])}, ["y"], scale), np.linspace(-1, 1, 5, dtype=np.float32)
    logger = Heard()
    builder, network, config = parsed(model, logger, 0)
    config.build_route = config.all_build_routes[0]
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    text = engine.create_engine_inspector().get_engine_information(trt.LayerInformationFormat.JSON)

    np.testing.assert_array_equal(Session(engine).run({"x": x})["y"], expected_of(model, {"x": x})["y"])
    assert {"Layers", "I/O Tensors"} == json.loads(text).keys()


def test_what_11_removed_warns_once_at_the_line_that_uses_it_with_what_stands_in_its_place():
    config = trt.Builder(Heard()).create_builder_config()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        for _ in range(2):
            config.set_flag(trt.BuilderFlag.INT8)
            config.int8_calibrator = None

    texts = [str(each.message) for each in heard]
    assert 2 == len(texts) and all(each.filename == __file__ for each in heard)
    assert "create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))" in texts[0]
    assert "network.add_dequantize(network.add_quantize(x, scale)" in texts[1]


@pytest.mark.parametrize(("kind", "keys"), [("UPPER_LEFT", 3), ("LOWER_RIGHT", 3), ("LOWER_RIGHT", 5), ("NONE", 5)])
def test_an_attention_s_causal_mask_begins_at_the_corner_that_is_said(kind, keys):
    rng = np.random.default_rng(0)
    feeds = {"q": rng.standard_normal((1, 2, 3, 4)).astype(np.float32)}
    feeds |= {name: rng.standard_normal((1, 2, keys, 4)).astype(np.float32) for name in "kv"}
    logger = Heard()
    builder = trt.Builder(logger)
    network, config = builder.create_network(STRONG), builder.create_builder_config()
    tensors = [network.add_input(name, trt.float32, feeds[name].shape) for name in "qkv"]
    softmax = trt.AttentionNormalizationOp.SOFTMAX
    attention = network.add_attention_v2(*tensors, softmax, trt.CausalMaskKind[kind])
    attention.get_output(0).name = "y"
    network.mark_output(attention.get_output(0))
    config.target = None
    data = builder.build_serialized_network(network, config)
    assert data is not None, logger.errors
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)

    scores = feeds["q"] @ feeds["k"].swapaxes(2, 3)
    seen = {"NONE": np.ones((3, keys), bool), "UPPER_LEFT": np.tri(3, keys, dtype=bool)}
    seen["LOWER_RIGHT"] = np.tri(3, keys, keys - 3, dtype=bool)
    power = np.where(seen[kind], np.exp(scores), 0)
    expected = power / power.sum(-1, keepdims=True) @ feeds["v"]
    np.testing.assert_allclose(Session(engine, logger).run(feeds)["y"], expected, atol=1e-5)
