"""Expressions that are pointers: names of arrays, their rows, addresses, sums, choices; and how far two are apart."""

from __future__ import annotations

from typing import Any

from autograder.drills.cpp.body import Body
from autograder.drills.cpp.kinds_of_number import Value, negated, truth, whole
from autograder.drills.cpp.parsing import field, inside, mistaken, named, refused, text_of
from autograder.drills.cpp.places import Pointer, whole_number


def is_pointer(body: Body, node) -> bool:
    """Is this expression a pointer? Does nothing, whatever stands in it."""
    node = inside(node)
    if node.type == "identifier":
        found = body.known(text_of(node))
        return found is not None and (found.form == "pointer" or (found.form == "array" and bool(found.shape)))
    if node.type == "pointer_expression":
        return text_of(node).startswith("&")
    if node.type == "conditional_expression":
        return is_pointer(body, field(node, "consequence"))
    if node.type == "subscript_expression":
        name, given = subscripts(node)
        found = body.find(name, text_of(name)) if name.type == "identifier" and is_pointer(body, name) else None
        return found is not None and len(given) < (len(found.shape) if found.form == "array" else 1 + len(found.rows))
    return node.type == "binary_expression" and text_of(field(node, "operator")) in "+-" and (
        is_pointer(body, field(node, "left")) or is_pointer(body, field(node, "right"))
    )  # fmt: skip


def pointer_of(body: Body, node) -> Pointer | None:
    """The pointer that an expression is; None where it is none."""
    node = inside(node)
    if node.type == "identifier":
        return _pointer_named(body, node)
    if node.type == "pointer_expression" and text_of(node).startswith("&"):
        return _address(body, field(node, "argument"))
    if node.type == "binary_expression" and text_of(field(node, "operator")) in "+-":
        return _moved(body, node)
    if node.type == "subscript_expression" and is_pointer(body, node):
        return _within(body, node)
    if node.type == "conditional_expression" and is_pointer(body, node):
        return _chosen(body, node)
    return None


def _pointer_named(body: Body, node) -> Pointer | None:
    found = body.find(node, text_of(node))
    if found.form not in ("array", "pointer") or (found.form == "array" and not found.shape):
        return None
    if found.form == "array" and len(found.shape) > 1:
        return Pointer(body.find(node, f"{text_of(node)}.flat"), None, found.shape[1:])
    return Pointer(found, Value(found.at, "int64") if found.at else None, found.rows)


def _chosen(body: Body, node) -> Pointer:
    """Of two places in one array."""
    condition = truth(body.value(field(node, "condition")))
    one, other = (pointer_of(body, field(node, part)) for part in ("consequence", "alternative"))
    if one is None or other is None or one.base.name != other.base.name:
        raise refused(node, f"`{text_of(node)}` points into one of two arrays: choose between their elements instead")
    begins, ends = (each.at.code if each.at is not None else "0" for each in (one, other))
    return Pointer(one.base, Value(f"(int64({begins}) if {condition.code} else int64({ends}))", "int64"), one.rows)


def _moved(body: Body, node) -> Pointer | None:
    """pointer + k, k + pointer, pointer - k."""
    left, right, minus = field(node, "left"), field(node, "right"), text_of(field(node, "operator")) == "-"
    if is_pointer(body, left) and is_pointer(body, right):
        return None  # their distance, a number
    pointer, other = pointer_of(body, left), right
    if pointer is None and not minus:
        pointer, other = pointer_of(body, right), left
    if pointer is None:
        return None
    step = whole_number(body, other)
    return pointer.moved(negated(Value(step.code, "int64", step.known)) if minus else step)


def between(body: Body, node) -> tuple[Value, Value] | None:
    """Where two pointers into one array point, for `p < end` and `p - x`; None where they are no two pointers."""
    sides = field(node, "left"), field(node, "right")
    if not all(is_pointer(body, side) for side in sides):
        return None
    one, other = (pointer_of(body, side) for side in sides)
    if one is None or other is None or one.base.name != other.base.name or one.rows or other.rows:
        raise refused(node, f"`{text_of(node)}`: two pointers are compared within one array")
    begin, end = (each.at or whole(0, "int64") for each in (one, other))
    return Value(begin.code, "int64", begin.known), Value(end.code, "int64", end.known)


def _address(body: Body, node) -> Pointer | None:
    """&x[i], and &x of one shared number."""
    node = inside(node)
    if node.type == "identifier":
        found = body.find(node, text_of(node))
        if found.form == "array" and not found.shape:
            return Pointer(found, None)
        raise refused(node, f"the address of `{text_of(node)}`: only elements of arrays have one here")
    if node.type == "pointer_expression" and text_of(node).startswith("*"):
        return pointer_of(body, field(node, "argument"))
    if node.type != "subscript_expression":
        raise refused(node, f"the address of `{text_of(node)}` is left out")
    return _within(body, node, address=True)


def subscripts(node) -> tuple[Any, list]:
    """What stands before the brackets, and what is in them."""
    given: list = []
    while node.type == "subscript_expression":
        indices = named(field(node, "indices"))
        if len(indices) != 1:
            raise refused(node, f"`{text_of(node)}`: one index in each bracket")
        given.insert(0, indices[0])
        node = field(node, "argument")
    return node, given


def _within(body: Body, node, address: bool = False) -> Pointer:
    """x[i][j] as a pointer to what is there, or to its first number. address: of the element itself."""
    name, given = subscripts(node)
    pointer = pointer_of(body, name)
    if pointer is None:
        raise mistaken(node, f"`{text_of(name)}` is no array that is known here")
    for number, index in enumerate(given):
        is_last = number == len(given) - 1
        if not pointer.rows and not (is_last and address):
            raise mistaken(node, f"`{text_of(node)}` has an index too many")
        place = whole_number(body, index)
        pointer = pointer.moved(place) if is_last and address else pointer.row(place)
    return pointer
