"""Declarations: numbers, arrays in registers and shared memory, pointers into what is there."""

from __future__ import annotations

import math
import re

from autograder.drills.cpp import records
from autograder.drills.cpp.body import STATEMENTS, Body, Variable
from autograder.drills.cpp.declared_pointers import AUTO, pointer, rows_of, to_numbers, to_records
from autograder.drills.cpp.elements import place_of
from autograder.drills.cpp.expressions import whole_or_zero
from autograder.drills.cpp.instances import remember
from autograder.drills.cpp.kinds_of_number import BITS, Value, converted, declared, kind_named
from autograder.drills.cpp.parsing import decays, field, inside, mistaken, named, refused, set_first, text_of
from autograder.drills.cpp.pointers import pointer_of
from autograder.drills.cpp.structures import RECORDS
from autograder.drills.cpp.teams import remember_team, team_named, team_of

LARGEST_WRITTEN_OUT = 64  # elements of an initialiser list
MEMORY = ("subscript_expression", "pointer_expression", "field_expression")
LEFT_OUT = {"__constant__", "__device__", "__managed__"}


def kind_of(node) -> str:
    """The number that a declaration declares; "auto" where its value says so. Raises: CppError for other types."""
    text = text_of(field(node, "type"))
    if text == AUTO:
        return AUTO
    kind = kind_named(text)
    if kind is None:
        raise refused(node, f"the type `{text}` is left out: numbers, and pointers to them")
    return kind


def words_of(node) -> set[str]:
    """const, static, __shared__ and the like."""
    return {text_of(child) for child in node.children if child.type in ("type_qualifier", "storage_class_specifier")}


def declaration(body: Body, node, constant: bool = False) -> None:
    """All names that a statement declares. constant: they stand outside of functions, and no host sets them."""
    defined = node if node.type in RECORDS else field(node, "type")
    if defined.type in RECORDS and defined.child_by_field_name("body") is not None:
        records.define(body, defined)
    if node.type in RECORDS:
        return
    if team := team_named(text_of(field(node, "type"))):
        for child in node.children_by_field_name("declarator"):
            _team(body, child, team)
        return
    words = words_of(node) - {"__constant__", "__device__", "static"} | {"const"} if constant else words_of(node)
    record = records.record_named(body, text_of(field(node, "type")))
    kind = AUTO if record else kind_of(node)
    left_out = words & LEFT_OUT
    if "static" in words and not words & {"const", "constexpr", "__shared__"}:
        left_out = left_out | {"static"}
    if left_out:
        raise refused(node, f"`{sorted(left_out)[0]}` is left out: `{text_of(node)[:60]}`")
    if "extern" in words:
        _dynamic(body, node, kind)
        return
    for child in node.children_by_field_name("declarator"):
        if record:
            _record(body, child, record, words)
        else:
            _one(body, child, kind, words)


def _team(body: Body, node, team: str) -> None:
    """thread_block_tile<32> tile = tiled_partition<32>(block);"""
    value = node.child_by_field_name("value")
    if node.type != "init_declarator" or team_of(body, value) != team:
        raise refused(node, f"`{text_of(node)}` begins as what makes a {team}")
    remember_team(body, field(node, "declarator"), team)


def _one(body: Body, node, kind: str, words: set[str]) -> None:
    value = None
    if node.type == "init_declarator":
        value, node = field(node, "value"), field(node, "declarator")
    if node.type == "pointer_declarator":
        pointer(body, node, kind, words, value)
    elif node.type == "array_declarator" and inside(field(node, "declarator")).type == "parenthesized_declarator":
        name, rows = rows_of(body, node)
        to_numbers(body, name, kind, "const" in words, value, rows)
    elif node.type == "array_declarator":
        _array(body, node, kind, words, value)
    elif node.type == "reference_declarator":
        _reference(body, node, kind, words, value)
    elif node.type != "identifier":
        raise refused(node, f"`{text_of(node)}` is left out")
    elif "__shared__" in words:
        if value is not None:
            raise refused(node, "shared memory cannot be given a value where it is declared")
        found = body.declare(node, text_of(node), kind, form="array", shape=())
        body.emit(f"{found.name} = cuda.shared.array(1, {kind})")
    else:
        _number(body, node, kind, words, value)


def _reference(body: Body, node, kind: str, words: set[str], value) -> None:
    """const float& v = src[i]; a copy, of what nobody writes."""
    written = value is not None and value.type in MEMORY and not place_of(body, value).const
    if value is None or "const" not in words or written:
        raise refused(node, f"`{text_of(node)}`: a second name for what is written is left out: name the place itself")
    _number(body, named(node)[0], kind, words, value)


def _dynamic(body: Body, node, kind: str) -> None:
    """extern __shared__ float s[]; as large as the launch says that the answer names."""
    declarator = node.child_by_field_name("declarator")
    if body.shared_bytes is None:
        raise refused(
            node, "how many bytes of dynamic shared memory? Name the launch, in a comment or in the host's code: "
            "// f<<<grid, block, 256 * sizeof(float)>>>"
        )  # fmt: skip
    if declarator is None or declarator.type != "array_declarator" or kind == AUTO:
        raise refused(node, f"`{text_of(node)[:60]}` is left out")
    name, width = field(declarator, "declarator"), BITS.get(kind, 64 if kind == "float64" else 32) // 8
    count = body.shared_bytes // width
    if count < 1:
        raise refused(node, f"{body.shared_bytes} bytes hold no {kind}")
    found = body.declare(name, text_of(name), kind, form="array", shape=(count,))
    body.emit(f"{found.name} = cuda.shared.array({count}, {kind})")


def _record(body: Body, node, record: records.Structure, words: set[str]) -> None:
    """A record, an array of them, or a pointer to them."""
    value, const = None, "const" in words
    if node.type == "init_declarator":
        value, node = field(node, "value"), field(node, "declarator")
    if node.type == "pointer_declarator":
        to_records(body, field(node, "declarator"), record, value, const)
    elif node.type == "array_declarator" and record.kind and value is None:
        size = node.child_by_field_name("size")
        known = body.value(size).known if size is not None else None
        name = field(node, "declarator")
        if known is None or known < 1 or name.type != "identifier":
            raise refused(node, f"`{text_of(node)}`: one size, a constant that is known when it compiles")
        found = body.declare(name, text_of(name), record.kind, form="pointer", of=record.name)
        space = "shared" if "__shared__" in words else "local"
        body.emit(f"{found.name} = cuda.{space}.array({known * len(record.parts)}, {record.kind})")
        if space == "local":
            body.narrow.add(found.name)
    elif node.type == "identifier" and "__shared__" not in words:
        records.declare(body, node, record, value, const)
    else:
        raise refused(node, f"`{text_of(node)[:60]}` of {record.name} is left out")


def _number(body: Body, node, kind: str, words: set[str], value) -> None:
    if value is None:
        if kind == AUTO or words & {"const", "constexpr"}:
            raise mistaken(node, f"`{text_of(node)}` needs a value")
        if not set_first(node):
            raise refused(node, f"`{text_of(node)}` is read before it is set: give it a value")
        body.declare(node, text_of(node), kind)
        return
    if value.type == "lambda_expression":
        remember(body, node, value, any(re.search(rf"\b{name}\b", text_of(value)) for name in body.moved))
        return
    if kind == AUTO and (team := team_of(body, value)):
        remember_team(body, node, team)
        return
    if kind == AUTO and (made := records.parts_of(body, value)) is not None:
        records.declare(body, node, made.record, value, bool(words & {"const", "constexpr"}))
        return
    if kind == AUTO and (to := records.pointer_to_records(body, value)) is not None:
        to_records(body, node, to[0], value, to[1].base.const)
        return
    if kind == AUTO and (pointer := pointer_of(body, value)) is not None:
        to_numbers(body, node, AUTO, pointer.base.const, value)
        return
    given = _value(body, value, kind)
    kind = given.kind if kind == AUTO else kind
    const = bool(words & {"const", "constexpr"})
    known = converted(given, kind).known if const and kind not in ("float32", "float64") else None
    text = declared(given, kind) if body.outside else ""  # numba would take a constant of the file for a double
    found = body.declare(node, text_of(node), kind, const=const, known=known, text=text)
    if known is None and not text:
        body.emit(f"{found.name} = {declared(given, kind)}")


def _value(body: Body, node, kind: str) -> Value:
    """What stands behind `=`, or in braces."""
    if node.type in ("initializer_list", "argument_list"):
        given = named(node)
        if len(given) > 1:
            raise refused(node, f"`{text_of(node)}`: one value")
        return body.value(given[0]) if given else whole_or_zero(kind)
    return body.value(node)


def _array(body: Body, node, kind: str, words: set[str], value) -> None:
    shape: list[int] = []
    while node.type == "array_declarator":
        size = node.child_by_field_name("size")
        known = body.value(size).known if size is not None else None
        if known is None and value is not None and size is None:
            known = len(named(value))
        if known is None or known < 1:
            raise refused(node, f"`{text_of(node)}`: the size must be a constant that is known when it compiles")
        shape.insert(0, known)
        node = field(node, "declarator")
    if node.type != "identifier" or kind == AUTO:
        raise refused(node, f"`{text_of(node)}` is left out")
    found = body.declare(node, text_of(node), kind, form="array", shape=tuple(shape), const="const" in words)
    space = "shared" if "__shared__" in words else "local"
    size_text = str(shape[0]) if len(shape) == 1 else f"({', '.join(map(str, shape))})"
    body.emit(f"{found.name} = cuda.{space}.array({size_text}, {kind})")
    if space == "local":
        body.narrow.add(found.name)
    if len(shape) > 1 and decays(node, len(shape)):
        flat = body.declare(node, f"{text_of(node)}.flat", kind, form="pointer", const="const" in words)
        body.emit(f"{flat.name} = {found.name}.reshape({math.prod(shape)})")
    if value is not None:
        _filled(body, node, found, value, space)


def _filled(body: Body, node, found: Variable, value, space: str) -> None:
    """float acc[4] = {}; what the list leaves out is zero."""
    given = named(value)
    if space == "shared" or value.type != "initializer_list" or len(found.shape) > 1:
        raise refused(node, f"`{found.name}` cannot be given these values where it is declared")
    if len(given) > found.shape[0] or found.shape[0] > LARGEST_WRITTEN_OUT:
        raise refused(node, f"`{found.name}` has {found.shape[0]} elements: fill it in a loop")
    for at in range(found.shape[0]):
        each = body.value(given[at]) if at < len(given) else whole_or_zero(found.kind)
        body.emit(f"{found.name}[{at}] = {declared(each, found.kind)}")


STATEMENTS |= {"declaration": declaration, "struct_specifier": declaration}
