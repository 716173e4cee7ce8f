"""Declarations of pointers: to numbers, to rows of them, to records."""

from __future__ import annotations

from typing import Any

from autograder.drills.cpp import records
from autograder.drills.cpp.body import Body, Variable
from autograder.drills.cpp.parsing import field, inside, mistaken, named, refused, text_of
from autograder.drills.cpp.pointers import pointer_of

AUTO = "auto"


def pointer(body: Body, node, kind: str, words: set[str], value) -> None:
    name = field(node, "declarator")
    if name.type != "identifier" or value is None or "__shared__" in words:
        raise refused(node, f"`{text_of(node)}`: a pointer begins as one into an array, as in `float* row = x + i * n`")
    to_numbers(body, name, kind, "const" in words, value)


def rows_of(body: Body, node) -> tuple[Any, tuple[int, ...]]:
    """The name and the rows of `(*rows)[33]`, `x[][33]` and `x[32][33]`, where they are pointers to rows."""
    sizes: list = []
    while node.type == "array_declarator":
        sizes.insert(0, node.child_by_field_name("size"))
        node = field(node, "declarator")
    if node.type == "parenthesized_declarator":
        node = named(node)[0]
        sizes = sizes if node.type == "pointer_declarator" else sizes[1:]
        node = node.child_by_field_name("declarator") or named(node)[0]
    else:
        sizes = sizes[1:]
    known = [body.value(size).known if size is not None else None for size in sizes]
    if node.type != "identifier" or not all(known):
        raise refused(
            node, f"`{text_of(node.parent)}`: the size of a row must be a constant that is known when it compiles"
        )
    return node, tuple(known)


def to_numbers(body: Body, name, kind: str, const: bool, value, rows: tuple[int, ...] | None = None) -> None:
    if value is None:
        raise refused(name, f"`{text_of(name)}` begins as a pointer into an array")
    pointer = pointer_of(body, value)
    if pointer is None:
        raise refused(value, f"`{text_of(value)[:60]}` is no pointer into an array that is known here")
    if kind not in (AUTO, pointer.base.kind):
        raise mistaken(
            value, f"`{text_of(name)}` points to {kind}, and `{pointer.base.name}` holds {pointer.base.kind}"
        )
    if pointer.rows != (pointer.rows if rows is None and kind == AUTO else rows or ()):
        raise refused(value, f"`{text_of(value)[:60]}` points to rows of another length than `{text_of(name)}`")
    if pointer.base.const and not const:
        raise mistaken(value, f"`{pointer.base.name}` is const, so `{text_of(name)}` must point to const")
    at = ""
    if pointer.at is not None or text_of(name) in body.moved:
        at = body.declare(name, f"{text_of(name)}_at", "int64").name
        body.emit(f"{at} = int64({pointer.at.code if pointer.at is not None else 0})")
    if text_of(name) in body.scopes[-1]:
        raise mistaken(name, f"`{text_of(name)}` is declared twice")
    base = pointer.base
    body.scopes[-1][text_of(name)] = Variable(base.name, base.kind, "pointer", at=at, const=const, rows=pointer.rows)


def to_records(body: Body, name, record: records.Structure, value, const: bool) -> None:
    found = records.pointer_to_records(body, value) if value is not None else None
    if found is None or found[0] != record or name.type != "identifier":
        raise refused(name, f"`{text_of(name)}`: a pointer to {record.name} begins as a cast of one into an array")
    pointer = found[1]
    if pointer.base.const and not const and inside(value).type != "cast_expression":
        raise mistaken(name, f"`{pointer.base.name}` is const, so `{text_of(name)}` must point to const")
    at = ""
    if pointer.at is not None:
        at = body.declare(name, f"{text_of(name)}_at", "int64").name
        body.emit(f"{at} = int64({pointer.at.code})")
    base = pointer.base
    body.scopes[-1][text_of(name)] = Variable(base.name, base.kind, "pointer", at=at, const=const, of=record.name)
