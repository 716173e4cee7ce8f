"""A model, and the host in place of a GPU, for tests of warpbook-trtexec."""

from __future__ import annotations

import onnx
import pytest

from benchmarks.models.networks import resnet


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("trtexec") / "net.onnx"
    onnx.save(resnet("resnet18", size=32, width=8, classes=10), path)
    return path


@pytest.fixture(autouse=True)
def on_the_host(monkeypatch):
    monkeypatch.setenv("MINITRT_BACKEND", "reference")
