"""Attention as exporters spell it where sizes are open: Shape, Gather and Concat around every reshape, and a mask."""

from __future__ import annotations

import numpy as np
import onnx

from tests.minitrt.engines import model_of

HEADS, SIZE = 2, 16
HIDDEN = HEADS * SIZE
LOWEST = float(np.finfo(np.float32).min)


class Exported:
    """Nodes and constants of one model."""

    def __init__(self, seed: int = 0):
        self.rng, self.nodes, self.arrays = np.random.default_rng(seed), [], {}

    def add(self, kind: str, inputs, name: str, **attributes) -> str:
        self.nodes.append(onnx.helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def const(self, name: str, array) -> str:
        self.arrays[name] = np.asarray(array)
        return name

    def weight(self, name: str, *shape: int) -> str:
        return self.const(name, (self.rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32))

    def linear(self, x: str, name: str, features: int = HIDDEN) -> str:
        product = self.add("MatMul", [x, self.weight(f"{name}.w", HIDDEN, features)], f"{name}.product")
        return self.add("Add", [self.weight(f"{name}.b", features), product], name)

    def size_of(self, x: str, axis: int, name: str) -> str:
        """One size of x, as (1,)."""
        shape = self.add("Shape", [x], f"{name}.shape")
        one = self.add("Gather", [shape, self.const(f"{name}.axis", np.int64(axis))], f"{name}.one", axis=0)
        return self.add("Unsqueeze", [one, self.const(f"{name}.zero", np.array([0]))], name)

    def reshaped(self, x: str, sizes, name: str) -> str:
        """sizes: numbers, or axes of x as text."""
        parts = [
            self.size_of(x, int(n), f"{name}.{i}") if isinstance(n, str) else self.const(f"{name}.{i}", np.array([n]))
            for i, n in enumerate(sizes)
        ]
        return self.add("Reshape", [x, self.add("Concat", parts, f"{name}.sizes", axis=0)], name)

    def heads(self, x: str, name: str, order=(0, 2, 1, 3)) -> str:
        return self.add("Transpose", [self.reshaped(x, ["0", "1", HEADS, SIZE], f"{name}.4")], name, perm=list(order))

    def together(self, x: str, name: str) -> str:
        moved = self.add("Transpose", [x], f"{name}.moved", perm=[0, 2, 1, 3])
        return self.reshaped(moved, ["0", "1", HIDDEN], name)

    def model(self, inputs, output: str) -> onnx.ModelProto:
        return model_of(self.nodes, inputs, [output], self.arrays)


def bert_like(layers: int = 1) -> onnx.ModelProto:
    """Added masks of the lowest float, made of a batch's own (batch, tokens) of ones and zeros."""
    w = Exported()
    wide = w.add("Unsqueeze", ["mask", w.const("axes", np.array([1, 2]))], "wide")
    ones = w.add("Cast", [wide], "ones", to=onnx.TensorProto.FLOAT)
    zeros = w.add("Sub", [w.const("one", np.float32(1)), ones], "zeros")
    bias = w.add("Mul", [zeros, w.const("lowest", np.float32(LOWEST))], "bias")
    x = "x"
    for layer in range(layers):
        name = f"layer.{layer}"
        q, k, v = (w.linear(x, f"{name}.{letter}") for letter in "qkv")
        q, v = w.heads(q, f"{name}.q.heads"), w.heads(v, f"{name}.v.heads")
        k = w.heads(k, f"{name}.k.heads", (0, 2, 3, 1))
        scores = w.add("MatMul", [q, k], f"{name}.scores")
        scores = w.add("Div", [scores, w.const(f"{name}.root", np.float32(SIZE**0.5))], f"{name}.scaled")
        scores = w.add("Add", [scores, bias], f"{name}.masked")
        weights = w.add("Softmax", [scores], f"{name}.softmax", axis=-1)
        y = w.together(w.add("MatMul", [weights, v], f"{name}.context"), f"{name}.together")
        x = w.add("Add", [w.linear(y, f"{name}.out"), x], f"{name}.sum")
    return w.model({"x": (np.float32, ("batch", "tokens", HIDDEN)), "mask": (np.int64, ("batch", "tokens"))}, x)


def gpt_like(fill: float = LOWEST) -> onnx.ModelProto:
    """Queries, keys and values of one product over (batch * tokens, features); a triangle of booleans cut to size."""
    w = Exported(1)
    flat = w.reshaped("x", [-1, HIDDEN], "flat")
    made = w.add("Gemm", [flat, w.weight("qkv.w", HIDDEN, 3 * HIDDEN), w.weight("qkv.b", 3 * HIDDEN)], "qkv.flat")
    sizes = w.add("Concat", [w.size_of("x", 0, "b"), w.size_of("x", 1, "t"), w.const("f", np.array([3 * HIDDEN]))],
                  "sizes", axis=0)  # fmt: skip
    joint = w.add("Reshape", [made, sizes], "qkv")
    parts = w.const("parts", np.array([HIDDEN] * 3))
    w.nodes.append(onnx.helper.make_node("Split", [joint, parts], list("qkv"), "split", axis=2))
    q, k, v = w.heads("q", "qh"), w.heads("k", "kh", (0, 2, 3, 1)), w.heads("v", "vh")
    scores = w.add("Div", [w.add("MatMul", [q, k], "scores"), w.const("root", np.float32(SIZE**0.5))], "scaled")
    cut = [w.const("starts", np.array([0, 0])), w.add("Concat", ["t", "t"], "tt", axis=0)]
    triangle = w.const("triangle", np.tril(np.ones((1, 1, 64, 64), bool)))
    seen = w.add("Slice", [triangle, *cut, w.const("cut.axes", np.array([2, 3]))], "seen")
    masked = w.add("Where", [seen, scores, w.const("fill", np.float32(fill))], "masked")
    weights = w.add("Softmax", [masked], "softmax", axis=-1)
    y = w.together(w.add("MatMul", [weights, v], "context"), "together")
    return w.model({"x": (np.float32, ("batch", "tokens", HIDDEN))}, w.linear(y, "out"))


def sdpa_like() -> onnx.ModelProto:
    """scaled_dot_product_attention with booleans: both factors scaled, a mask expanded, rows of NaN made zeros."""
    w = Exported(2)
    q, k, v = (w.linear("x", letter) for letter in "qkv")
    root = w.const("root", np.float32(SIZE**-0.25))
    q = w.add("Mul", [w.heads(q, "qh"), root], "q.scaled")
    k = w.add("Mul", [w.add("Transpose", [w.heads(k, "kh")], "k.turned", perm=[0, 1, 3, 2]), root], "k.scaled")
    scores = w.add("MatMul", [q, k], "scores")
    parts = [w.size_of("x", 0, "b"), w.const("one", np.array([1])), w.size_of("x", 1, "t"), w.size_of("x", 1, "s")]
    wide = w.add("Unsqueeze", ["mask", w.const("axes", np.array([1, 2]))], "wide")
    expanded = w.add("Expand", [wide, w.add("Concat", parts, "sizes", axis=0)], "expanded")
    bias = w.add("Where", [expanded, w.const("yes", np.float32(0)), w.const("no", np.float32(-np.inf))], "bias")
    weights = w.add("Softmax", [w.add("Add", [scores, bias], "masked")], "softmax", axis=-1)
    safe = w.add("Where", [w.add("IsNaN", [weights], "nan"), w.const("nothing", np.float32(0)), weights], "safe")
    y = w.together(w.add("MatMul", [safe, w.heads(v, "vh")], "context"), "together")
    inputs = {"x": (np.float32, ("batch", "tokens", HIDDEN)), "mask": (np.bool_, ("batch", "tokens"))}
    return w.model(inputs, w.linear(y, "out"))
