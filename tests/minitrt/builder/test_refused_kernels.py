"""A layer whose every tile ptxas spoils is run by a simpler kernel, not by the host."""

from __future__ import annotations

import minitrt as trt
from minitrt.builder.build import Build
from tests.minitrt.operations import H200, RAGGED


class Refusing:
    """A tuner for which no kernel of Hopper's compiles."""

    device = H200

    def choose(self, op, tactics):
        return [(1.0, tactic) for tactic in tactics if not tactic.name.startswith("hopper")]


def test_the_kernels_of_older_gpus_take_over():
    build = Build.__new__(Build)
    build.tuner, build.device = Refusing(), H200
    build.config = trt.Builder(trt.Logger()).create_builder_config()
    chosen = build.timed(RAGGED["3x3, stride 2"])

    assert chosen and all(tactic.name.startswith("tensor_int8_ampere") for _, tactic in chosen)
