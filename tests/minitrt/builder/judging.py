"""A tuner that says how long joint operations take, and plans that are made with it."""

from __future__ import annotations

from types import SimpleNamespace

import onnx

import minitrt as trt
from minitrt.builder.build import Build
from minitrt.graph.ir import Op
from minitrt.plan.plan import Plan
from tests.minitrt.builder.test_joins import Quick
from tests.minitrt.engines import Heard, parsed
from tests.minitrt.operations import H200

SILENT = SimpleNamespace(**dict.fromkeys(("info", "verbose", "warning"), lambda *_: None))


class Judging(Quick):
    """A tuner for which an operation with such an attribute takes so many microseconds, every other one 5."""

    def __init__(self, **joint_us: float) -> None:
        """joint_us: of an operation that has several of these attributes, the first counts."""
        super().__init__()
        self.joint_us = joint_us

    def choose(self, op: Op, tactics):
        for attribute, time_us in self.joint_us.items():
            if op.attrs.get(attribute):
                return [(time_us, tactic) for tactic in tactics]
        return super().choose(op, tactics)


def plan_for(model: onnx.ModelProto, flag: trt.BuilderFlag | None = None, **joint_us: float) -> Plan:
    """The plan of a model for an H200 on which joint operations take this long."""
    _, network, config = parsed(model, Heard())
    config.target = H200
    if flag is not None:
        config.set_flag(flag)
    build = Build(network, config, SILENT)
    build.tuner = Judging(**joint_us)
    return build.plan()
