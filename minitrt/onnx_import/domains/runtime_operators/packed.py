"""Weights in blocks of a few bits with a scale each, as ONNX Runtime packs those of language models: floats here."""

from __future__ import annotations

import numpy as np
import onnx

from minitrt.api.enums import ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import RUNTIME, Node, NodeError, operator
from minitrt.onnx_import.quantisation import WIDENED


@operator("MatMulNBits", domains=(RUNTIME,))
def product(node: Node) -> ITensor:
    """A (..., K) times weights (N, K / block, bytes of a block)."""
    e = Expansion(node)
    columns, terms, block = node.attr("N"), node.attr("K"), node.attr("block_size")
    if e.given(4):
        raise NodeError("MatMulNBits with groups in another order (g_idx) is not supported", ErrorCode.UNSUPPORTED_NODE)
    stored = unpacked(known(e, 1), node.attr("bits", 4)).reshape(columns, -1)
    weights = scaled(e, stored, block, columns, 2, 3)[:, :terms]
    out = e.op("MatMul", e.given(0), e.constant(weights.T))
    return e.result(e.op("Add", out, e.given(5)) if e.given(5) else out)


@operator("GatherBlockQuantized", domains=(RUNTIME,))
def rows(node: Node) -> ITensor:
    """Rows of a table that is quantised along its last axis."""
    e, stored = Expansion(node), known(Expansion(node), 0)
    proto = node.importing.initializers[node.proto.input[0]]
    if proto.data_type == onnx.TensorProto.UINT8:
        stored = unpacked(stored, node.attr("bits", 4))
    if node.attr("quantize_axis", 1) % stored.ndim != stored.ndim - 1:
        raise NodeError("GatherBlockQuantized along an axis that is not the last is not supported")
    rest = stored.shape[:-1]
    table = scaled(e, stored.reshape(-1, stored.shape[-1]), node.attr("block_size", 128), int(np.prod(rest)), 2, 3)
    table = table.reshape(*rest, -1)
    return e.result(e.op("Gather", e.constant(table), e.given(1), axis=node.attr("gather_axis", 0)))


def known(e: Expansion, index: int) -> np.ndarray:
    """An input's elements. Raises: NodeError where they are no weights."""
    array = e.known(e.given(index))
    if array is None:
        raise NodeError("its weights must be known when the engine is built", ErrorCode.UNSUPPORTED_NODE_INPUT)
    return array


def unpacked(stored: np.ndarray, bits: int) -> np.ndarray:
    """Bytes as the numbers in them, the lowest bits first: (..., n) becomes (..., n * 8 / bits)."""
    places = np.arange(0, 8, bits, dtype=np.uint8)
    return ((stored[..., None] >> places) & np.uint8((1 << bits) - 1)).reshape(*stored.shape[:-1], -1)


def scaled(e: Expansion, stored: np.ndarray, block: int, lines: int, scale: int, zero: int) -> np.ndarray:
    """Floats of `stored` (lines, n): each block of a line less its zero point, times its scale.

    scale, zero: places of these inputs; a zero point of bytes is packed as the weights are, and without one it is the
    middle of what the bits can say, or 0 for numbers with a sign.
    """
    e.node.importing.note(WIDENED)
    bits = e.node.attr("bits", 4)
    factors = known(e, scale).reshape(lines, -1)
    blocks = factors.shape[1]
    middle = 0 if stored.dtype == np.int8 else 1 << (bits - 1)
    zeros = np.full((lines, 1), middle, np.float32)
    if e.given(zero):
        zeros = known(e, zero)
        zeros = unpacked(zeros.reshape(lines, -1), bits) if zeros.dtype == np.uint8 else zeros.reshape(lines, -1)
        zeros = zeros[:, :blocks].astype(np.float32)
    wide = np.repeat(np.broadcast_to(zeros, factors.shape), block, axis=1)[:, : stored.shape[1]]
    return ((stored - wide) * np.repeat(factors, block, axis=1)[:, : stored.shape[1]]).astype(factors.dtype)
