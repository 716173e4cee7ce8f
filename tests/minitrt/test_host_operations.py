"""The page's table of operations that run on the host says what a build would warn of."""

from __future__ import annotations

import sys

import numpy as np
import onnx
import pytest

from benchmarks import host_operations
from tests.minitrt.engines import model_of

NODE = onnx.helper.make_node
REVERSED = [NODE("ReverseSequence", ["x", "n"], ["t"]), NODE("Relu", ["t"], ["y"]), NODE("Shape", ["x"], ["s"])]


def test_what_has_no_kernel_is_on_the_host_and_what_is_known_is_not():
    ops = host_operations.operations(
        model_of(REVERSED, {"x": (np.float32, (2, 3))}, ["y", "s"], {"n": np.array([1, 2, 1])})
    )

    assert ["reverse_sequence"] == [op.kind for op in host_operations.on_host(ops)]


@pytest.mark.release
def test_the_page_is_what_its_generator_writes(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["host_operations", "--check"])
    host_operations.main()
