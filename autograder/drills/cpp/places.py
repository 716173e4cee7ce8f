"""Memory: elements of arrays and pointers, and pointers with their offsets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.drills.cpp.body import Body, Variable
from autograder.drills.cpp.kinds_of_number import BITS, Value, negated, whole
from autograder.drills.cpp.parsing import field, named, refused, text_of


@dataclass(frozen=True)
class Place:
    """What can be set: Python's target, the kind of its number, whether C++ forbids to write there."""

    code: str
    kind: str
    const: bool = False


@dataclass(frozen=True)
class Pointer:
    """An array and how many elements from its beginning. at: None at the beginning."""

    base: Variable
    at: Value | None


PLACES: dict[str, Callable[[Body, Any], Place]] = {}  # what else may stand on the left of `=`, by a node's type


def sum_of(one: Value | None, other: Value | None) -> Value | None:
    """Offsets are added as 64-bit numbers, as addresses are."""
    if one is None or other is None:
        return other if one is None else one
    if one.known is not None and other.known is not None:
        return whole(one.known + other.known, "int64")
    return Value(f"({one.code} + {other.code})", "int64")


def whole_number(body: Body, node) -> Value:
    """An index. Raises: CppError where it is no whole number."""
    value = body.value(node)
    if value.kind not in BITS and value.kind != "boolean":
        raise refused(node, f"`{text_of(node)}` is an index and no whole number")
    return value


def pointer_of(body: Body, node) -> Pointer | None:
    """The pointer that an expression is; None where it is none."""
    while node.type == "parenthesized_expression":
        node = named(node)[0]
    if node.type == "identifier":
        found = body.find(node, text_of(node))
        if found.form == "array" and len(found.shape) > 1:
            raise refused(node, f"`{found.name}` as a pointer: a row of an array of several dimensions is left out")
        if found.form == "number" or (found.form == "array" and not found.shape):
            return None
        return Pointer(found, Value(found.at, "int64") if found.at else None)
    if node.type == "pointer_expression" and text_of(node).startswith("&"):
        return _address(body, field(node, "argument"))
    if node.type == "binary_expression" and text_of(field(node, "operator")) in "+-":
        return _moved(body, node)
    return None


def _moved(body: Body, node) -> Pointer | None:
    """pointer + k, k + pointer, pointer - k."""
    left, right, minus = field(node, "left"), field(node, "right"), text_of(field(node, "operator")) == "-"
    pointer, other = pointer_of(body, left), right
    if pointer is None and not minus:
        pointer, other = pointer_of(body, right), left
    if pointer is None:
        return None
    if pointer_of(body, other) is not None:
        raise refused(node, "the distance of two pointers is left out: count in indices")
    step = whole_number(body, other)
    return Pointer(pointer.base, sum_of(pointer.at, negated(Value(step.code, "int64", step.known)) if minus else step))


def _address(body: Body, node) -> Pointer | None:
    """&x[i], and &x of one shared number."""
    if node.type == "identifier":
        found = body.find(node, text_of(node))
        if found.form == "array" and not found.shape:
            return Pointer(found, None)
        raise refused(node, f"the address of `{text_of(node)}`: only elements of arrays have one here")
    if node.type != "subscript_expression":
        raise refused(node, f"the address of `{text_of(node)}` is left out")
    base, indices = _chain(body, node)
    if base.form == "array" and len(base.shape) > 1:
        return Pointer(base, Value(_joined(indices), "int64"))
    at = Value(base.at, "int64") if base.at else None
    return Pointer(base, sum_of(at, indices[0]))


def _chain(body: Body, node) -> tuple[Variable, list[Value]]:
    """s[i][j] as s and both indices; pointer[i] as its array and where that is. Raises: CppError."""
    inner = node
    given: list = []
    while inner.type == "subscript_expression":
        inside = named(field(inner, "indices"))
        if len(inside) != 1:
            raise refused(node, f"`{text_of(node)}`: one index in each bracket")
        given.insert(0, inside[0])
        inner = field(inner, "argument")
    if inner.type == "identifier":
        base = body.find(inner, text_of(inner))
        if base.form == "number":
            raise refused(node, f"`{text_of(inner)}` is no array")
        wanted = max(1, len(base.shape)) if base.form == "array" else 1
        if base.form == "array" and not base.shape:
            raise refused(node, f"`{text_of(inner)}` is one number and no array")
    else:
        pointer = pointer_of(body, inner)
        if pointer is None:
            raise refused(inner, f"`{text_of(inner)}` is no array that is known here")
        first = sum_of(pointer.at, whole_number(body, given[0]))
        if len(given) > 1:
            raise refused(node, f"`{text_of(node)}`: a pointer takes one index")
        return Variable(pointer.base.name, pointer.base.kind, "pointer", const=pointer.base.const), [first]
    if len(given) != wanted:
        raise refused(node, f"`{text_of(node)}`: `{text_of(inner)}` takes {wanted} indices, and has {len(given)} here")
    return base, [whole_number(body, index) for index in given]


def _joined(indices: list[Value]) -> str:
    return ", ".join(index.code for index in indices)


def element(base: Variable, at: Value | None) -> Place:
    """An element of an array."""
    inside = at.code if at is not None else "0"
    if inside[:1] == "(" and inside[-1:] == ")" and inside.count("(") == 1:
        inside = inside[1:-1]
    return Place(f"{base.name}[{inside}]", base.kind, base.const)


def place_of(body: Body, node) -> Place:
    """What an expression on the left of `=` names. Raises: CppError."""
    while node.type == "parenthesized_expression":
        node = named(node)[0]
    if node.type == "identifier":
        found = body.find(node, text_of(node))
        if found.form == "array" and not found.shape:
            return Place(f"{found.name}[0]", found.kind, found.const)
        if found.form != "number":
            raise refused(node, f"`{text_of(node)}` as a whole cannot be set or read here")
        return Place(found.name, found.kind, found.const)
    if node.type == "subscript_expression":
        base, indices = _chain(body, node)
        if base.form == "array":
            return element(base, Value(_joined(indices), "int64"))
        return element(base, sum_of(Value(base.at, "int64") if base.at else None, indices[0]))
    if node.type == "pointer_expression" and text_of(node).startswith("*"):
        pointer = pointer_of(body, field(node, "argument"))
        if pointer is not None:
            return element(pointer.base, pointer.at)
    if node.type in PLACES:
        return PLACES[node.type](body, node)
    raise refused(node, f"`{text_of(node)}` is left out here")


def move(body: Body, node, found: Variable, operator: str, by: Value) -> None:
    """p += k and p -= k."""
    if not found.at:
        raise refused(node, f"`{found.name}` cannot be moved here")
    body.emit(f"{found.at} = int64({found.at} {operator} {by.code})")
