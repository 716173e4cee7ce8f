"""What can be set: names, elements of arrays, what a pointer points to."""

from __future__ import annotations

import math

from autograder.drills.cpp.body import Body, Variable
from autograder.drills.cpp.kinds_of_number import Value
from autograder.drills.cpp.parsing import field, inside, mistaken, refused, text_of
from autograder.drills.cpp.places import PLACES, Place, element, scaled, whole_number
from autograder.drills.cpp.pointers import pointer_of, subscripts
from autograder.words import count_text


def _chain(body: Body, node) -> tuple[Variable, list[Value]]:
    """s[i][j] as s and both indices; pointer[i] as its array and where that is. Raises: CppError."""
    name, given = subscripts(node)
    base = body.find(name, text_of(name)) if name.type == "identifier" else None
    if base is not None and base.form == "array" and base.shape:
        if len(given) != len(base.shape):
            raise refused(
                node,
                f"`{text_of(node)}`: `{text_of(name)}` takes {count_text(len(base.shape), 'index', 'indices')}, "
                f"and has {len(given)} here",
            )
        return base, [whole_number(body, index) for index in given]
    if base is not None and base.form == "number":
        raise mistaken(node, f"`{text_of(name)}` is no array")
    if base is not None and base.form == "array":
        raise mistaken(node, f"`{text_of(name)}` is one number and no array")
    pointer = pointer_of(body, name)
    if pointer is None:
        raise mistaken(name, f"`{text_of(name)}` is no array that is known here")
    if len(given) != 1 + len(pointer.rows):
        raise refused(
            node, f"`{text_of(node)}`: a pointer takes {count_text(1 + len(pointer.rows), 'index', 'indices')}"
        )
    for index in given[:-1]:
        pointer = pointer.row(whole_number(body, index))
    pointer = pointer.moved(whole_number(body, given[-1]))
    return Variable(pointer.base.name, pointer.base.kind, "pointer", const=pointer.base.const), [pointer.at]


def _joined(indices: list[Value]) -> str:
    return ", ".join(index.code for index in indices)


def place_of(body: Body, node) -> Place:
    """What an expression on the left of `=` names. Raises: CppError."""
    node = inside(node)
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
        return element(base, indices[0])
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
    step = scaled(by, math.prod(found.rows))
    body.emit(f"{found.at} = int64({found.at} {operator} {step.code})")
