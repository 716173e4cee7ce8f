"""Operators of ONNX Runtime's domain that its optimiser makes of several: the several ones again."""

from __future__ import annotations

import numpy as np

from minitrt.api.enums import ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.domains.runtime_operators.quantised import WINDOW, attributes
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import RUNTIME, Node, NodeError, operator

ACTIVATIONS = ("Relu", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid", "Clip")


@operator("BiasGelu", "FastGelu", "QuickGelu", domains=(RUNTIME,))
def gelu(node: Node) -> ITensor:
    """Gelu of x and a bias: exact, by tanh, or x * sigmoid(alpha * x)."""
    e = Expansion(node)
    x = e.op("Add", e.given(0), e.given(1)) if e.given(1) else e.given(0)
    if node.op_type == "QuickGelu":
        return node.step("swish", e.result(x), numbers=(node.attr("alpha", 1.702),))
    return e.result(e.op("Gelu", x, approximate="tanh" if node.op_type == "FastGelu" else "none"))


@operator("FusedMatMul", domains=(RUNTIME,))
def product(node: Node) -> ITensor:
    """alpha * A @ B, each transposed or not; batches that are transposed into the matrices are not read."""
    e = Expansion(node)
    if node.attr("transBatchA", 0) or node.attr("transBatchB", 0):
        raise NodeError("FusedMatMul with transBatch is not supported", ErrorCode.UNSUPPORTED_NODE_ATTR)
    left, right = (turned(e, e.given(place), node.attr(f"trans{name}", 0)) for place, name in enumerate("AB"))
    return e.result(scaled(e, e.op("MatMul", left, right), node.attr("alpha", 1.0)))


def turned(e: Expansion, x: str, transposed: int) -> str:
    """x, or x with its last two axes exchanged."""
    axes = list(range(e.rank(x)))
    return e.transpose(x, [*axes[:-2], axes[-1], axes[-2]]) if transposed and len(axes) > 1 else x


def scaled(e: Expansion, x: str, alpha: float) -> str:
    return x if alpha == 1 else e.op("Mul", x, e.constant(alpha, np.float32))


@operator("FusedConv", "FusedGemm", domains=(RUNTIME,))
def activated(node: Node) -> ITensor:
    """A convolution or a Gemm, a sum with another tensor (FusedConv's input 3), and an activation."""
    e, conv = Expansion(node), node.op_type == "FusedConv"
    attrs = attributes(node, WINDOW if conv else ["alpha", "beta", "transA", "transB"])
    out = e.op("Conv" if conv else "Gemm", *(e.given(place) for place in range(3)), **attrs)
    out = e.op("Add", out, e.given(3)) if conv and e.given(3) else out
    return e.result(activation(e, out, node.attr("activation", "")))


def activation(e: Expansion, x: str, kind: str) -> str:
    """x after the activation that the node names. Raises: NodeError for one that is not known."""
    node = e.node
    if not kind:
        return x
    if kind not in ACTIVATIONS:
        raise NodeError(
            f"{node.op_type} with the activation {kind!r} is not supported", ErrorCode.UNSUPPORTED_NODE_ATTR
        )
    numbers = node.attr("activation_params") or [
        node.attr(name) for name in ("activation_alpha", "activation_beta") if node.attr(name) is not None
    ]
    if kind == "Clip":
        return e.op(kind, x, *(e.constant(number, np.float32) for number in numbers))
    names = {"LeakyRelu": ("alpha",), "HardSigmoid": ("alpha", "beta")}.get(kind, ())
    return e.op(kind, x, **dict(zip(names, numbers, strict=False)))


@operator("SkipLayerNormalization", "SkipSimplifiedLayerNormalization", domains=(RUNTIME,))
def skipping(node: Node) -> list[ITensor | None]:
    """Normalised x + skip + bias; the sum itself is output 3."""
    e, plain = Expansion(node), node.op_type == "SkipLayerNormalization"
    total = e.op("Add", e.given(0), e.given(1))
    beta, bias = (e.given(3), e.given(4)) if plain else ("", e.given(3))
    total = e.op("Add", total, bias) if bias else total
    kind = "LayerNormalization" if plain else "SimplifiedLayerNormalization"
    if node.wants(1) or node.wants(2):
        raise NodeError(f"{node.op_type}: its mean and deviation are not given out", ErrorCode.UNSUPPORTED_NODE)
    out = e.op(kind, total, e.given(2), *([beta] if beta else []), axis=-1, epsilon=node.attr("epsilon", 1e-12))
    return [e.result(out), None, None, e.result(total)]
