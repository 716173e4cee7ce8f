"""Integers that engines lack, kept in wider ones: which tensors of a model they are, and results that wrap as theirs.

INT16 and UINT16 are INT32 in the network, UINT32 and UINT64 are INT64. A number is the same; what leaves a type's range
wraps, as ONNX Runtime's does. UINT64 has the same bits, and `unsigned.py` sees to what their order means.
"""

from __future__ import annotations

import onnx
from onnx import TensorProto

from minitrt.api.enums import DataType
from minitrt.network.tensor import ITensor

WIDER = {
    TensorProto.INT16: DataType.INT32,
    TensorProto.UINT16: DataType.INT32,
    TensorProto.UINT32: DataType.INT64,
    TensorProto.UINT64: DataType.INT64,
}
RANGES = {  # of what QuantizeLinear writes
    TensorProto.INT4: (-8, 7),
    TensorProto.UINT4: (0, 15),
    TensorProto.INT8: (-128, 127),
    TensorProto.UINT8: (0, 255),
    TensorProto.INT16: (-(2**15), 2**15 - 1),
    TensorProto.UINT16: (0, 2**16 - 1),
}
MASKS = {TensorProto.INT16: 2**16 - 1, TensorProto.UINT16: 2**16 - 1, TensorProto.UINT32: 2**32 - 1}
STAYS = (  # operators whose results are their inputs' numbers, or lie in their range whatever these are
    "Identity Reshape Flatten Squeeze Unsqueeze Transpose Slice Split Concat Gather GatherElements GatherND Tile Expand"
    " Pad Where Max Min Clip Relu ReduceMax ReduceMin TopK MaxPool ScatterElements ScatterND Compress DepthToSpace"
    " SpaceToDepth ReverseSequence Trilu BitwiseAnd BitwiseOr BitwiseXor Constant ConstantOfShape QuantizeLinear"
    " Dropout Resize If Loop Scan"
).split()
NOTE = "INT16 and UINT16 tensors are INT32 here, UINT32 is INT64, inputs and outputs too: the same numbers"
NOTE_OF_64 = (
    "UINT64 tensors are INT64 here, inputs and outputs too: the same bits, so that 2^63 and more come out as negative"
    " numbers; array.view(np.uint64) shows them as they are"
)
OF_VALUE = "Constant", "ConstantOfShape"


def types_of_outputs(proto: onnx.NodeProto, opset: int, known: dict[str, int]) -> dict[str, int]:
    """The narrow ones among a node's outputs. known: those of its inputs, by name."""
    attributes = {each.name: each for each in proto.attribute}
    if proto.op_type == "Cast":
        return narrow_only(proto.output[:1], attributes["to"].i if "to" in attributes else 0)
    if proto.op_type == "CastLike":
        return narrow_only(proto.output[:1], known.get(proto.input[1], 0))
    if proto.op_type in OF_VALUE:
        return narrow_only(proto.output[:1], attributes["value"].t.data_type if "value" in attributes else 0)
    if proto.op_type == "QuantizeLinear":
        zero = known.get(proto.input[2], 0) if len(proto.input) > 2 else 0
        asked = attributes["output_dtype"].i if "output_dtype" in attributes else 0
        return narrow_only(proto.output[:1], zero or asked)
    given = [known.get(name, 0) for name in proto.input]
    if not any(given) or proto.domain not in ("", "ai.onnx") or not onnx.defs.has(proto.op_type, max(1, opset), ""):
        return {}
    schema = onnx.defs.get_schema(proto.op_type, max(1, opset), "")
    variables: dict[str, int] = {}
    for place, kind in enumerate(given):
        formal = schema.inputs[min(place, len(schema.inputs) - 1)]
        variables.setdefault(formal.type_str, kind)
    found: dict[str, int] = {}
    for place, name in enumerate(proto.output):
        formal = schema.outputs[min(place, len(schema.outputs) - 1)]
        found |= narrow_only([name], variables.get(formal.type_str, 0))
    return found


def narrow_only(names, kind: int) -> dict[str, int]:
    return {name: kind for name in names if name and kind in WIDER}


def wrapped(network, x: ITensor, kind: int) -> ITensor:
    """x, whose numbers have left the range of `kind`, brought back as two's complement does."""
    if kind not in MASKS:
        return x
    dtype, half = x.dtype.name, 2**15 if kind == TensorProto.INT16 else 0
    program = [["add", ["x0", half], dtype]] if half else []
    program.append(["bit_and", ["t0" if half else "x0", MASKS[kind]], dtype])
    if half:
        program.append(["sub", ["t1", half], dtype])
    return network._add_pointwise([x], program).get_output(0)
