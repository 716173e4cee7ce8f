"""The page of an engine, without a browser: what it holds, and that it needs nothing else."""

from __future__ import annotations

import json
import re

import numpy as np
import onnx
import pytest

from benchmarks.models.networks import resnet
from minitrt.trtexec import main
from tests.minitrt.engines import model_of

FAST = ["--iterations=2", "--duration=0", "--warmUp=0"]


@pytest.fixture(autouse=True)
def on_the_host(monkeypatch):
    monkeypatch.setenv("MINITRT_BACKEND", "reference")


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("viewer") / "net.onnx"
    onnx.save(resnet("resnet18", size=32, width=8, classes=10), path)
    return path


def data_of(page) -> dict:
    """What the page shows."""
    return json.loads(re.search(r"<script>const DATA = (.*?);</script>", page.read_text(), re.DOTALL)[1])


def nodes_of(data: dict, place: int) -> list[dict]:
    return [data["nodes"][number] for number in data["stages"][place]["nodes"]]


def test_it_holds_the_graph_after_each_pass_and_the_layers_with_tactics_bytes_and_times(network, tmp_path):
    page = tmp_path / "engine.html"
    assert main([f"--onnx={network}", "--stronglyTyped", "--shapes=input:2x3x32x32", f"--viewer={page}", *FAST]) == 0
    data = data_of(page)
    names = [stage["name"] for stage in data["stages"]]

    assert names[0] == "the network" and names[-1] == "the engine" and "epilogues" in names
    kinds = [[node["kind"] for node in nodes_of(data, place)] for place in (0, names.index("epilogues"))]
    assert kinds[0].count("conv") == kinds[1].count("conv") == 20
    assert "batch_norm" not in kinds[1] and len(kinds[1]) < len(kinds[0]) / 2
    layers = nodes_of(data, -1)
    assert all(layer["tactic"] and layer["bytes"] > 0 and layer["us"] >= 0 for layer in layers)
    first = next(layer for layer in layers if layer["kind"] == "conv")
    assert first["out"][0][1:] == ["FLOAT", [2, 8, 16, 16]] and "stride = [2, 2]" in first["attrs"]


def test_it_is_one_file_that_asks_for_no_other(network, tmp_path):
    page = tmp_path / "engine.html"
    assert main([f"--onnx={network}", "--stronglyTyped", "--buildOnly", f"--viewer={page}"]) == 0
    text = page.read_text()

    assert not re.search(r"<(script|link|img|iframe)[^>]*(src|href)=", text) and "@import" not in text
    assert all("us" not in layer for layer in nodes_of(data_of(page), -1))


def test_of_a_loaded_engine_there_are_the_layers_alone(network, tmp_path):
    engine, page = tmp_path / "net.engine", tmp_path / "engine.html"
    assert main([f"--onnx={network}", "--stronglyTyped", "--buildOnly", f"--saveEngine={engine}"]) == 0
    assert main([f"--loadEngine={engine}", "--shapes=input:1x3x32x32", f"--viewer={page}", *FAST]) == 0

    assert [stage["name"] for stage in data_of(page)["stages"]] == ["the engine"]


def test_names_of_a_model_are_text_in_it(tmp_path):
    evil = "</script><script>alert(1)</script>"
    path, page = tmp_path / "net.onnx", tmp_path / "engine.html"
    onnx.save(model_of([onnx.helper.make_node("Relu", ["x"], ["y"], evil)], {"x": (np.float32, [3])}, ["y"]), path)
    assert main([f"--onnx={path}", "--stronglyTyped", "--buildOnly", f"--viewer={page}"]) == 0

    assert evil not in page.read_text() and nodes_of(data_of(page), -1)[0]["name"] == evil
