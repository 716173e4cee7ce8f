"""The trained decoder as an ONNX model whose cache goes in and comes out, so that the engine holds no state.

    from benchmarks.models import decoder_onnx
    from minitrt.samples import decoder

    blob = decoder_onnx.model(decoder.network()).SerializeToString()

Inputs: token (1,) and place (1,) int64, and of each layer keys and values (n, 128) float32 of the n places so far.
Outputs: logits (1, 128), and of each layer keys and values (n + 1, 128), which are the next token's inputs. Weights are
float32, what 4 bits left of them; needs the package onnx, and no torch.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from minitrt.samples import decoder
from minitrt.samples.decoder import EPS, HEAD, HEADS, LAYERS, MOST_PLACES, SPEEDS, WORDS

OPSET = 17
CACHES = tuple(f"{kind}.{layer}" for layer in range(LAYERS) for kind in ("keys", "values"))


def empty() -> dict[str, np.ndarray]:
    """The caches of a text that has not begun: (0, 128) each."""
    return {name: np.zeros((0, HEAD), np.float32) for name in CACHES}


def model(net: decoder.Arrays) -> onnx.ModelProto:
    """One token through the whole decoder."""
    graph = _Graph(net)
    graph.constants["words"] = net["words"].astype(np.float32)
    angles = np.arange(MOST_PLACES, dtype=np.float32)[:, None] * SPEEDS
    graph.constants |= {"all cos": np.cos(angles), "all sin": np.sin(angles)}
    x = graph.add("Gather", "words", "token")
    graph.cos, graph.sin = graph.add("Gather", "all cos", "place"), graph.add("Gather", "all sin", "place")
    for layer in range(LAYERS):
        x = graph.add("Add", x, graph.product(f"{layer}.out", graph.attended(layer, x)))
        y = graph.norm(f"{layer}.between", x)
        gate, up = (graph.product(f"{layer}.{name}", y) for name in ("gate", "up"))
        gate = graph.add("Mul", gate, graph.add("Sigmoid", gate))
        x = graph.add("Add", x, graph.product(f"{layer}.down", graph.add("Mul", gate, up)))
    graph.constants["words.transposed"] = graph.constants["words"].T
    graph.add("MatMul", graph.norm("after", x), "words.transposed", to="logits")
    return graph.whole()


class _Graph:
    """Nodes and constants of a graph that grows; every value bears the number of its node."""

    def __init__(self, net: decoder.Arrays) -> None:
        self.net, self.nodes, self.cos, self.sin = net, [], "", ""
        self.constants = {"two": np.float32(2), "eps": np.float32(EPS), "scale": np.float32(HEAD**-0.5)}
        self.constants["heads"], self.constants["row"] = np.array([HEADS, HEAD]), np.array([1, HEADS * HEAD])

    def add(self, kind: str, *inputs: str, to: str = "", **attributes) -> str:
        """A node with one output, which is named for its number unless `to` names it."""
        name = to or f"{kind.lower()} {len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def product(self, name: str, x: str) -> str:
        """(1, n_rows): x times a matrix, which is kept as it is multiplied from the right."""
        self.constants[name] = np.ascontiguousarray(decoder.unpacked(self.net, name).T)
        return self.add("MatMul", x, name)

    def norm(self, name: str, x: str) -> str:
        """A row with a mean square of 1, times gamma."""
        self.constants[name] = self.net[name].astype(np.float32)
        mean = self.add("ReduceMean", self.add("Pow", x, "two"), axes=[1], keepdims=1)
        root = self.add("Sqrt", self.add("Add", mean, "eps"))
        return self.add("Mul", self.add("Div", x, root), name)

    def turned(self, heads: str) -> str:
        """Heads (n, 128) with numbers i and i + 64 turned by the angles of the place."""
        halves = [f"{heads}, first half", f"{heads}, second half"]
        self.nodes.append(helper.make_node("Split", [heads], halves, axis=1))
        a, b = halves
        first = self.add("Sub", self.add("Mul", a, self.cos), self.add("Mul", b, self.sin))
        second = self.add("Add", self.add("Mul", b, self.cos), self.add("Mul", a, self.sin))
        return self.add("Concat", first, second, axis=1)

    def attended(self, layer: int, x: str) -> str:
        """(1, 512): attention over the cache and the new place, which joins it."""
        y = self.norm(f"{layer}.before", x)
        q, k, v = (self.product(f"{layer}.{name}", y) for name in decoder.HEADS_OF)
        q = self.turned(self.add("Reshape", q, "heads"))
        keys = self.add("Concat", f"keys.{layer}", self.turned(k), to=f"keys.{layer}.out", axis=0)
        values = self.add("Concat", f"values.{layer}", v, to=f"values.{layer}.out", axis=0)
        scores = self.add("Mul", self.add("MatMul", q, self.add("Transpose", keys, perm=[1, 0])), "scale")
        out = self.add("MatMul", self.add("Softmax", scores, axis=1), values)
        return self.add("Reshape", out, "row")

    def whole(self) -> onnx.ModelProto:
        """The model, checked."""
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [1]) for name in ("token", "place")]
        inputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", HEAD]) for name in CACHES]
        outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, WORDS])]
        outputs += [helper.make_tensor_value_info(f"{name}.out", TensorProto.FLOAT, ["n_out", HEAD]) for name in CACHES]
        constants = [numpy_helper.from_array(np.asarray(array), name) for name, array in self.constants.items()]
        graph = helper.make_graph(self.nodes, "decoder", inputs, outputs, constants)
        found = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
        onnx.checker.check_model(found)
        return found
