"""Types made of numbers, and where they lie in memory: what a cast, an array or a moved pointer of them names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.drills.cpp.body import Body
from autograder.drills.cpp.kinds_of_number import BITS, Value, whole
from autograder.drills.cpp.parsing import field, inside, mistaken, named, text_of
from autograder.drills.cpp.places import Place, Pointer, element, scaled, sum_of, whole_number
from autograder.drills.cpp.pointers import pointer_of

RECORDS = ("struct_specifier", "union_specifier")
OF_VECTORS = {
    "char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "int": "int32", "uint": "uint32",
    "longlong": "int64", "ulonglong": "uint64", "float": "float32", "double": "float64",
}  # fmt: skip


@dataclass(frozen=True)
class Structure:
    """A type made of numbers. parts: name and kind of each, in the order in which they lie; a union's are one place."""

    name: str
    parts: tuple[tuple[str, str], ...]
    union: bool = False

    @property
    def kind(self) -> str:
        """The kind of all parts; "" where they differ."""
        kinds = {kind for _, kind in self.parts}
        return kinds.pop() if len(kinds) == 1 else ""


def record_named(body: Body, text: str) -> Structure | None:
    """The record that a type's name means; None for other types."""
    name = re.sub(r"\b(?:const|struct|union)\b", " ", text.partition("{")[0]).strip().replace("dim3", "uint3")
    if found := body.records.get(text) or body.records.get(name):
        return found
    start, count = name[:-1], name[-1:]
    if start in OF_VECTORS and count in "1234" and count:
        return Structure(name, tuple((axis, OF_VECTORS[start]) for axis in "xyzw"[: int(count)]))
    return None


TO_BITS = {"float32": "libdevice.float_as_int({})", "float64": "libdevice.double_as_longlong({})"}
OF_BITS = {"float32": "libdevice.int_as_float({})", "float64": "libdevice.longlong_as_double({})"}


def width_of(kind: str) -> int:
    """Bits of a number."""
    return BITS.get(kind, 64 if kind == "float64" else 32)


def same_bits(value: Value, kind: str) -> Value:
    """The bits of a number as another of the same width."""
    if kind == value.kind:
        return value
    whole_kind = "int64" if value.kind in ("int64", "uint64", "float64") else "int32"
    code = TO_BITS.get(value.kind, f"{whole_kind}({{}})").format(value.code)
    return Value(OF_BITS.get(kind, f"{kind}({{}})").format(code), kind)


def pointer_to_records(body: Body, node) -> tuple[Structure, Pointer] | None:
    """reinterpret_cast<const float4*>(x + k), a name that was given it, an array of float4; None for other things."""
    node = inside(node)
    if node.type == "identifier":
        found = body.known(text_of(node))
        record = record_named(body, found.of) if found is not None and found.of else None
        return (record, Pointer(found, Value(found.at, "int64") if found.at else None)) if record else None
    if node.type == "binary_expression" and text_of(field(node, "operator")) == "+":
        inner = pointer_to_records(body, field(node, "left"))
        return _moved(body, inner, field(node, "right")) if inner else None
    if node.type == "pointer_expression" and text_of(node).startswith("&"):
        return element_of(body, field(node, "argument"))
    cast, operand = _cast(node)
    record = record_named(body, cast.removesuffix("*")) if cast.endswith("*") else None
    pointer = pointer_of(body, operand) if record else None
    if record is None or pointer is None:
        return None
    if record.kind != pointer.base.kind:
        raise mistaken(node, f"`{text_of(node)[:60]}`: parts of {record.name} are no {pointer.base.kind}")
    if pointer.base.const and "const" not in cast and node.type != "cast_expression":
        raise mistaken(node, f"`{pointer.base.name}` is const, so the cast must be to const {record.name}*")
    if pointer.at is not None and pointer.at.known is not None and pointer.at.known % len(record.parts):
        raise mistaken(node, f"`{text_of(node)[:60]}`: the address of a {record.name} must be aligned to its size")
    return record, pointer


def _cast(node) -> tuple[str, object]:
    """The type and the operand of a cast in either form; "" where it is none."""
    if node.type == "cast_expression":
        return _type_of(field(node, "type")), field(node, "value")
    function = node.child_by_field_name("function")
    if function is not None and function.type == "template_function":
        if text_of(field(function, "name")) == "reinterpret_cast":
            return _type_of(named(field(function, "arguments"))[0]), named(field(node, "arguments"))[0]
    return "", node


def _type_of(node) -> str:
    """A type without its spaces, const in front: `float4 const *` is `const float4*`."""
    text = text_of(node)
    plain = re.sub(r"\bconst\b|\s", "", text)
    return f"const {plain}" if plain != re.sub(r"\s", "", text) else plain


def _moved(body: Body, found: tuple[Structure, Pointer], node) -> tuple[Structure, Pointer]:
    record, pointer = found
    return record, Pointer(pointer.base, sum_of(pointer.at, scaled(whole_number(body, node), len(record.parts))))


def element_of(body: Body, node) -> tuple[Structure, Pointer] | None:
    """The record that x4[i], *p or *(p + i) names in memory."""
    node = inside(node)
    if node.type == "subscript_expression":
        found = pointer_to_records(body, field(node, "argument"))
        indices = named(field(node, "indices"))
        return _moved(body, found, indices[0]) if found and len(indices) == 1 else None
    if node.type == "pointer_expression" and text_of(node).startswith("*"):
        return pointer_to_records(body, field(node, "argument"))
    return None


def part_in_memory(found: tuple[Structure, Pointer], part: int) -> Place:
    """One part of a record in memory."""
    _, pointer = found
    return element(pointer.base, sum_of(pointer.at, whole(part, "int64")) if part or pointer.at else pointer.at)
