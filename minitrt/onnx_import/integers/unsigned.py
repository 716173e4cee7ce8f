"""UINT64 tensors are INT64 ones of the same bits: operators for which it matters that 2^63 and more are no negatives.

What only moves bits, adds, multiplies or compares for equality needs nothing. Order is kept by turning the highest bit
before a comparison, and back; quotients, shifts and conversions are written out in arithmetic of INT64. What is on none
of the lists (a mean, a root) is refused: it would take 2^63 and more for negative without a word.
"""

from __future__ import annotations

from collections.abc import Callable

import onnx

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.integers.narrow import STAYS
from minitrt.onnx_import.node import Node, NodeError, importer_of

HIGHEST, REST, HALF_OF_ALL = -(2**63), 2**63 - 1, 2.0**63
ORDERED = {  # operator -> (inputs, outputs) whose highest bit is turned; None: all
    **dict.fromkeys(("Less", "Greater", "LessOrEqual", "GreaterOrEqual"), (None, ())),
    **dict.fromkeys(("Max", "Min", "Clip"), (None, (0,))),
    **dict.fromkeys(("ReduceMax", "ReduceMin", "TopK", "Unique"), ((0,), (0,))),
    **dict.fromkeys(("ArgMax", "ArgMin"), ((0,), ())),
}
SAME_BITS = (
    "Add Sub Mul Equal BitwiseNot MatMul Einsum CumSum ReduceSum ReduceProd ReduceSumSquare Col2Im EyeLike NonZero"
    " OneHot Shape Size Scatter TensorScatter Upsample Optional OptionalGetElement OptionalHasElement SequenceConstruct"
    " SequenceInsert SplitToSequence RandomNormalLike RandomUniformLike"
).split()
UINT64 = onnx.TensorProto.UINT64


class Steps:
    """A pointwise program of INT64 steps under construction; what a call gives names its result."""

    def __init__(self) -> None:
        self.program: list[list] = []

    def __call__(self, operation: str, *operands, dtype: str = "INT64") -> str:
        self.program.append([operation, list(operands), dtype])
        return f"t{len(self.program) - 1}"

    def turned(self, x: str) -> str:
        return self("bit_xor", x, HIGHEST)

    def shifted(self, x: str, places) -> str:
        """x >> places, with zeros from the left, for places of 1 and more."""
        once = self("bit_and", self("shift_right", x, 1), REST)
        return once if places == 1 else self("shift_right", once, self("sub", places, 1))

    def at_least(self, a: str, b: str) -> str:
        return self("greater_equal", self.turned(a), self.turned(b), dtype="BOOL")

    def quotient(self, a: str, b: str) -> str:
        """By a divisor below 2^63, twice the quotient of the half, and one more where the rest allows it."""
        half = self("mul", self("div", self.shifted(a, 1), b), 2)
        rest = self("sub", a, self("mul", half, b))
        small = self("add", half, self("where", self.at_least(rest, b), 1, 0))
        large = self("where", self.at_least(a, b), 1, 0)
        return self("where", self("less", b, 0, dtype="BOOL"), large, small)


def importer_for_uint64(node: Node, known: Callable) -> Callable:
    """What imports a node, `known`, or, where that would take UINT64 for signed, what does it right."""
    kind = node.onnx_type(0)
    if node.op_type in ("Cast", "CastLike"):
        target = node.onnx_type(1) if node.op_type == "CastLike" else node.attr("to")
        floating = node.dtype() in (DataType.FLOAT, DataType.HALF)
        return from_float if target == UINT64 and floating else to_float if kind == UINT64 and known else known
    if kind != UINT64:
        return known
    if node.op_type in ORDERED:
        return lambda each: ordered(each, known)
    if node.op_type in WRITTEN_OUT:
        return WRITTEN_OUT[node.op_type]
    if node.op_type in (*SAME_BITS, *STAYS) or node.proto.domain not in ("", "ai.onnx"):
        return known
    return lambda each: power(each, known) if each.op_type == "Pow" else refused(each)


def refused(node: Node) -> None:
    raise NodeError(
        f"{node.op_type} of UINT64 is not supported: engines have INT64, which is the same below 2^63 alone. Cast it to"
        " INT64 or to FLOAT before",
        ErrorCode.UNSUPPORTED_NODE_DATATYPE,
    )


def power(node: Node, known: Callable) -> ITensor:
    """A power, whose bits are the same where its exponent is a whole number. Raises: NodeError for another one."""
    return known(node) if node.dtype(1) not in (DataType.FLOAT, DataType.HALF) else refused(node)


def summed(node: Node) -> ITensor:
    """ReduceL1: no number is negative, so that it is the sum."""
    proto = onnx.NodeProto()
    proto.CopyFrom(node.proto)
    proto.op_type = "ReduceSum"
    return importer_of(proto)(Node(proto, node.name, node.importing))


def turned(node: Node, x: ITensor) -> ITensor:
    return node.step("bit_xor", x, numbers=(HIGHEST,))


def ordered(node: Node, known: Callable) -> list[ITensor]:
    """The node between tensors whose highest bit is turned."""
    inputs, outputs = ORDERED[node.op_type]
    proto = onnx.NodeProto()
    proto.CopyFrom(node.proto)
    for place, name in enumerate(node.proto.input):
        if name and (inputs is None or place in inputs):
            proto.input[place] = f"{name}/turned"
            node.importing.tensors[f"{name}/turned"] = turned(node, node.tensor(place))
    results = known(Node(proto, node.name, node.importing))
    results = list(results) if isinstance(results, list | tuple) else [results]
    return [turned(node, each) if place in outputs else each for place, each in enumerate(results)]


def divided(node: Node) -> ITensor:
    """Div, and Mod, what that leaves."""
    steps = Steps()
    found = steps.quotient("x0", "x1")
    if node.op_type == "Mod":
        steps("sub", "x0", steps("mul", found, "x1"))
    return node.pointwise(steps.program, node.x, node.tensor(1))


def shifted(node: Node) -> ITensor:
    steps = Steps()
    if node.attr("direction") == "LEFT":
        steps("shift_left", "x0", "x1")
    else:
        steps("where", steps("equal", "x1", 0, dtype="BOOL"), "x0", steps.shifted("x0", "x1"))
    return node.pointwise(steps.program, node.x, node.tensor(1))


def magnitude(node: Node) -> ITensor:
    """Abs, which changes nothing, and Sign, which is 0 or 1."""
    steps = Steps()
    if node.op_type == "Abs":
        steps("identity", "x0")
    else:
        steps("where", steps("equal", "x0", 0, dtype="BOOL"), 0, 1)
    return node.pointwise(steps.program, node.x)


def to_float(node: Node) -> ITensor:
    """A conversion: of what has the highest bit, twice that of its half, whose last bit keeps what is cut off."""
    target = node.onnx_type(1) if node.op_type == "CastLike" else node.attr("to")
    dtype = node.dtype(1) if node.op_type == "CastLike" else node.type_of(target)
    if dtype not in (DataType.FLOAT, DataType.HALF):
        return node.cast(node.x, dtype)
    steps = Steps()
    half = steps("bit_or", steps.shifted("x0", 1), steps("bit_and", "x0", 1))
    large = steps("mul", steps("cast", half, dtype="FLOAT"), 2.0, dtype="FLOAT")
    small = steps("cast", "x0", dtype="FLOAT")
    steps("where", steps("less", "x0", 0, dtype="BOOL"), large, small, dtype="FLOAT")
    return node.cast(node.pointwise(steps.program, node.x), dtype)


def from_float(node: Node) -> ITensor:
    node.importing.note_type(UINT64)
    steps = Steps()
    large = steps.turned(steps("cast", steps("sub", "x0", HALF_OF_ALL, dtype="FLOAT")))
    steps("where", steps("greater_equal", "x0", HALF_OF_ALL, dtype="BOOL"), large, steps("cast", "x0"))
    return node.pointwise(steps.program, node.cast(node.x, DataType.FLOAT))


WRITTEN_OUT: dict[str, Callable[[Node], ITensor]] = {
    **dict.fromkeys(("Div", "Mod"), divided),
    **dict.fromkeys(("Abs", "Sign"), magnitude),
    "BitShift": shifted,
    "ReduceL1": summed,
}
