"""What TensorRT made of ResNet-18 on an A100, recorded, and what the passes make of the same network.

The recorded lists are those of NVIDIA's engine explorer: fp16, and quantisation-aware training with quantised skips and
pooling. Compared is which operations a layer stands for; formats and kernels are each engine's own.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import minitrt as trt
from benchmarks.models.networks import resnet
from tests.minitrt.engines import Heard, layers_of, parsed

LISTS = Path(__file__).parents[1] / "lists"
OPERATIONS = re.compile(r"(Conv|Add|Relu|MaxPool|GlobalAveragePool|Gemm|QuantizeLinear|DequantizeLinear)_\d+")
OURS = {
    "Conv": "Conv",
    "add": "Add",
    "relu": "Relu",
    "maxpool": "MaxPool",
    "avgpool": "GlobalAveragePool",
    "fc": "Gemm",
}


def recorded(kind: str) -> list[tuple[str, ...]]:
    """Each layer's operations, without layers that only move data, and without the quantisers of weights."""
    found = []
    for line in (LISTS / f"trex_resnet18_{kind}.layers.txt").read_text().splitlines():
        layer, name = line.split(" | ")[:2]
        names = [match[1] for match in OPERATIONS.finditer(name)]
        if len(names) > 1:
            names = [each for each in names if each != "QuantizeLinear"]
        if layer not in ("NoOp",) and not name.startswith("Reformatting") and not name.startswith("copied"):
            found.append(tuple(names))
    return found


def ours(layer: dict) -> tuple[str, ...]:
    """The same of one of our layers, by the names that the writer of the model gave."""
    found = []
    for part in layer["Name"].split(" + "):
        if re.search(r"(weight|bn|quantize)$", part) and not (part == layer["Name"] and "quantize" in part):
            continue
        last = part.rpartition(".")[2]
        kind = "Conv" if re.match(r"conv|downsample", last) else re.sub(r"(\d|_).*", "", last)
        found.append("QuantizeLinear" if last == "quantize" else OURS.get(kind, kind))
    return tuple(dict.fromkeys(found)) if "Gemm" in found else tuple(found)


def built(int8: bool) -> list[tuple[str, ...]]:
    model = resnet("resnet18", int8=int8, size=64, width=8, classes=10, batch=1)
    logger = Heard()
    builder, network, config = parsed(model, logger, flags=0 if not int8 else 1 << 1)
    if not int8:
        with pytest.warns(DeprecationWarning):
            config.set_flag(trt.BuilderFlag.FP16)
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    kept = [
        layer for layer in layers_of(engine) if layer["LayerType"] != "Shuffle" and "Reformatting" not in layer["Name"]
    ]
    return [ours(layer) for layer in kept]


def test_a_quantised_resnet18_is_fused_into_the_layers_that_tensorrt_makes():
    assert built(int8=True) == recorded("qat-residual-qgap")


def test_a_half_precision_resnet18_is_fused_into_the_layers_that_tensorrt_makes():
    assert built(int8=False) == recorded("fp16")


def test_the_recorded_lists_are_not_read_as_empty():
    assert (len(recorded("fp16")), len(recorded("qat-residual-qgap"))) == (23, 24 - 1)
