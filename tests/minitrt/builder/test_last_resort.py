"""Where none of an operation's fast kernels can be compiled, a slow kernel runs it, and not the host."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import onnx
import pytest

import minitrt as trt
from minitrt.builder.build import Build
from minitrt.kernels.compile import CompileError
from minitrt.tactics import tuner
from tests.minitrt.builder.test_joins import branches
from tests.minitrt.engines import Heard, model_of, parsed
from tests.minitrt.operations import H200, RELU, conv


class Refusing:
    """A tuner whose assembler refuses kernels by the beginning of their tactic's name."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused

    def choose(self, op, tactics):
        return [(1.0, tactic) for tactic in tactics if not tactic.name.startswith(self.refused)]

    def why_none(self, op):
        return f"{op.name}: no kernel can be used"


def chosen(*refused: str) -> list[str]:
    logger = trt.Logger(trt.Logger.INTERNAL_ERROR)
    build = Build.__new__(Build)
    build.config, build.device, build.tuner = trt.Builder(logger).create_builder_config(), H200, Refusing(*refused)
    build.report = type("Report", (), {"warning": lambda self, message: None})()
    return [tactic.name for _, tactic in build.timed(conv((2, 64, 9, 9), 64, (3, 3), before=(1, 1), activation=RELU))]


def test_slow_kernels_are_asked_only_where_every_fast_one_was_refused():
    assert all(name.startswith("hopper") for name in chosen("no such tactic"))
    assert all(name.startswith(("tensor", "plain")) for name in chosen("hopper")) and chosen("hopper")
    assert chosen("hopper", "tensor", "plain") == ["reference"]


def reshape() -> onnx.ModelProto:
    nodes = [onnx.helper.make_node("Reshape", ["x", "s"], ["y"], "reshape")]
    return model_of(nodes, {"x": (np.float32, (2, 6))}, ["y"], {"s": np.array([3, 4])})


@pytest.mark.parametrize(("model", "layer"), [(branches(batch=2), "join"), (reshape(), "reshape")])
def test_where_no_kernel_compiles_a_build_names_each_layer_and_each_kernels_refusal(monkeypatch, model, layer):
    monkeypatch.setattr(tuner, "cubins", lambda asked, *_, **__: [CompileError(name, "no room") for name, _ in asked])
    builder, network, config = parsed(model, Heard())
    config.target, warnings = H200, []
    report = SimpleNamespace(info=lambda _: None, verbose=lambda _: None, warning=warnings.append)
    choices = Build(network, config, report).plan().profiles[0].choices

    assert {"reference"} == {choice.tactic for choice in choices}
    (said,) = (each for each in warnings if each.startswith(f"{layer}: "))
    assert "no kernel can be used, so it runs on the host with NumPy. plain_" in said
    assert "cannot be used: no room" in said
