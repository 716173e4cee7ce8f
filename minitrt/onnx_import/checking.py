"""What ONNX's own schema says of a node: inputs that must be there, attributes that must, and kinds of elements.

An operator's import function may then take them for granted.
"""

from __future__ import annotations

import onnx

from minitrt.api.enums import DataType, ErrorCode
from minitrt.onnx_import.node import LEARNED, Node, NodeError, Sequence

FLOATING, INTEGER, LOGICAL = "floating", "integer", "bool"
KINDS = {DataType.FLOAT: FLOATING, DataType.HALF: FLOATING, DataType.BOOL: LOGICAL}


def check(node: Node) -> None:
    """Raises: NodeError for a node that its schema does not allow. One that has no schema passes."""
    schema = schema_of(node)
    if schema is None:
        return
    given = [bool(name) for name in node.proto.input]
    if len(given) > schema.max_input:
        raise NodeError(
            f"it has {len(given)} inputs, but at most {schema.max_input} are allowed", ErrorCode.INVALID_NODE
        )
    for index, formal in enumerate(schema.inputs):
        variadic = formal.option == onnx.defs.OpSchema.FormalParameterOption.Variadic
        places = range(index, max(len(given), index + formal.min_arity)) if variadic else [index]
        needed = formal.option != onnx.defs.OpSchema.FormalParameterOption.Optional
        for place in places:
            if place < len(given) and given[place]:
                check_kind(node, place, formal)
            elif needed:
                raise NodeError(f"input {place} ({formal.name}) is missing", ErrorCode.INVALID_NODE)
    for name, attribute in schema.attributes.items():
        if attribute.required and name not in node.attributes:
            raise NodeError(f"attribute {name!r} is missing", ErrorCode.INVALID_NODE)
    check_attributes(node, schema)


def check_attributes(node: Node, schema: onnx.defs.OpSchema) -> None:
    """Raises: NodeError for an attribute whose type is another than its schema's."""
    for proto in node.proto.attribute:
        known = schema.attributes.get(proto.name)
        if known is not None and proto.type and int(known.type.value) != proto.type:
            kind = onnx.AttributeProto.AttributeType.Name(proto.type)
            raise NodeError(
                f"attribute {proto.name!r} is {kind}, but must be {known.type.name}", ErrorCode.INVALID_NODE
            )


def check_kind(node: Node, place: int, formal: onnx.defs.OpSchema.FormalParameter) -> None:
    """Raises: NodeError for a tensor of a kind that the schema does not list. Widths may differ: doubles are floats."""
    allowed = {kind_named(each) for each in formal.types if each.startswith("tensor(")}
    if isinstance(node.value(place), Sequence):
        return  # an operator that takes none says so
    dtype = node.dtype(place)
    if allowed and KINDS.get(dtype, INTEGER) not in allowed:
        what = " or ".join(sorted(allowed))
        name = node.proto.input[place]
        raise NodeError(
            f"input {place} ({formal.name}), {name!r}, has type {dtype.name}, but must be {what}",
            ErrorCode.UNSUPPORTED_NODE_DATATYPE,
        )


def kind_named(text: str) -> str:
    """The kind of "tensor(uint8)"."""
    inner = text.removeprefix("tensor(").removesuffix(")")
    return LOGICAL if inner == "bool" else INTEGER if "int" in inner else FLOATING


def schema_of(node: Node) -> onnx.defs.OpSchema | None:
    """The schema of a node's operator in the model's opset, None where ONNX has none."""
    domain = "" if node.proto.domain == "ai.onnx" else node.proto.domain
    if domain not in ("", LEARNED):
        return None
    try:
        return onnx.defs.get_schema(node.op_type, max(1, node.opset if not domain else node.importing.learned), domain)
    except onnx.defs.SchemaError:
        return None
