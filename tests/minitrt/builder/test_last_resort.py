"""Where none of an operation's fast kernels can be compiled, a slow kernel runs it, and not the host."""

from __future__ import annotations

import minitrt as trt
from minitrt.builder.build import Build
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
