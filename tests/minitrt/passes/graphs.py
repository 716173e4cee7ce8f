"""Small graphs for tests of passes: built from ONNX nodes, lowered, optimised; names tell what was fused."""

from __future__ import annotations

import numpy as np
import onnx

import minitrt as trt
from minitrt.graph.copying import copy_graph
from minitrt.graph.ir import Graph
from minitrt.network.lower import lower
from minitrt.passes import optimise
from minitrt.runtime.reference import execute
from tests.minitrt.engines import STRONG, Heard, model_of

RNG = np.random.default_rng(0)


def node(kind: str, inputs: str, outputs: str, name: str = "", **attributes) -> onnx.NodeProto:
    return onnx.helper.make_node(kind, inputs.split(), outputs.split(), name or outputs.split()[0], **attributes)


def lowered(nodes, inputs, outputs, initializers=(), opset: int = 20) -> Graph:
    """The graph before any pass."""
    logger = Heard()
    network = trt.Builder(logger).create_network(STRONG)
    model = model_of(nodes, inputs, outputs, initializers, opset)
    assert trt.OnnxParser(network, logger).parse(model.SerializeToString()), logger.errors
    return lower(network)


def optimised(graph: Graph, **feeds: np.ndarray) -> tuple[Graph, list[str]]:
    """The graph after all passes, and the log; checked to compute what it did before."""
    log: list[str] = []
    after = optimise(copy_graph(graph), log.append)
    before = execute(graph, feeds)
    for name, array in execute(after, feeds).items():
        np.testing.assert_allclose(array, before[name], rtol=1e-4, atol=1e-4)
    return after, log


def names(graph: Graph) -> list[str]:
    return [op.name for op in graph.ops]


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)
