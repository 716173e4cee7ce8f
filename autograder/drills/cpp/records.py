"""Vector types such as float4, and structures of numbers: a name for each part, and in memory parts side by side.

A float4 is loaded and stored in one request of 16 bytes, other records part by part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.drills.cpp.body import Body, Variable
from autograder.drills.cpp.kinds_of_number import Value, converted, declared, kind_named, truth, whole
from autograder.drills.cpp.parsing import CppError, field, inside, mistaken, named, refused, text_of
from autograder.drills.cpp.places import PLACES, Place, Pointer
from autograder.drills.cpp.structures import (
    Structure,
    element_of,
    part_in_memory,
    pointer_to_records,
    record_named,
    same_bits,
    width_of,
)
from autograder.words import count_text

GIVEN_BACK: list[Callable[..., Any]] = []  # who calls a function for the record that it gives back
WIDE = 4  # floats in 16 bytes
OF_LAUNCHES = ("threadIdx", "blockIdx", "blockDim", "gridDim")


@dataclass(frozen=True)
class Parts:
    """The value of a record."""

    record: Structure
    values: tuple[Value, ...]


def define(body: Body, node) -> None:
    """struct P { float x, y; int n; };"""
    named_so = node.child_by_field_name("name")
    name, block = text_of(named_so) if named_so is not None else text_of(node), field(node, "body")
    parts: list[tuple[str, str]] = []
    for child in named(block):
        kind = kind_named(text_of(field(child, "type"))) if child.type == "field_declaration" else None
        declarators = child.children_by_field_name("declarator")
        plain = kind and declarators and all(each.type == "field_identifier" for each in declarators)
        if not plain or child.child_by_field_name("default_value"):
            raise refused(child, f"`{text_of(child)[:60]}`: a structure holds numbers, and nothing else here")
        parts += [(text_of(each), kind) for each in declarators]
    union = node.type == "union_specifier"
    if union and {width_of(kind) for _, kind in parts} not in ({32}, {64}):
        raise refused(node, f"`{name.partition('{')[0].strip()}`: of unions, those of numbers of 32 bits or of 64")
    body.records[name] = Structure(name, tuple(parts), union)


def declare(body: Body, node, record: Structure, value, const: bool = False, name: str = "") -> None:
    """P p; P p = {1, 2}; float4 v = x4[i];"""
    given = None if value is None else parts_of(body, value, record)
    if value is not None and (given is None or given.record != record):
        raise _is_no(body, value, record)
    name = name or text_of(node)
    variables = [body.declare(node, f"{name}.{part}", kind, const=const) for part, kind in record.parts]
    for variable, each in zip(variables, given.values if given else (), strict=False):
        body.emit(f"{variable.name} = {declared(each, variable.kind)}")
    body.scopes[-1][name] = Variable(name, record.name, "record", const=const)


def _is_no(body: Body, node, record: Structure) -> CppError:
    """The error about what is another record, or a number: no compiler takes that; other things are left out."""
    what = f"`{text_of(node)[:60]}` is no {record.name}"
    try:
        known = parts_of(body, node, record) or body.value(node)
    except CppError:
        known = None
    return mistaken(node, what) if known else refused(node, what)


def variable_of(body: Body, node) -> Structure | None:
    """The record that a name is a variable of."""
    if node.type != "identifier":
        return None
    found = body.known(text_of(node))
    return record_named(body, found.kind) if found is not None and found.form == "record" else None


def parts_of(body: Body, node, record: Structure | None = None) -> Parts | None:
    """The value of an expression that is a record; None where it is a number. record: what braces are to make."""
    node = inside(node)
    if node.type in ("initializer_list", "argument_list") and record is not None:
        return _made(body, node, record, named(node))
    if node.type == "compound_literal_expression" and (own := record_named(body, text_of(field(node, "type")))):
        return _made(body, node, own, named(field(node, "value")))
    if found := variable_of(body, node):
        return Parts(found, tuple(_part(body, node, text_of(node), part) for part, _ in found.parts))
    if memory := element_of(body, node):
        return _loaded(body, memory)
    if node.type == "identifier" and text_of(node) in OF_LAUNCHES:
        axes = tuple(Value(f"cuda.{text_of(node)}.{axis}", "uint32") for axis in "xyz")
        return Parts(record_named(body, "uint3"), axes)
    if node.type == "conditional_expression":
        return _chosen(body, node, record)
    if node.type != "call_expression":
        return None
    name, given = text_of(field(node, "function")), named(field(node, "arguments"))
    if own := body.records.get(name):  # Scale(2.0f)
        return _made(body, node, own, given)
    if name in ("__ldg", "__ldcg", "__ldcs", "__ldca", "__ldlu") and (memory := pointer_to_records(body, given[0])):
        return _loaded(body, memory)
    if name in body.functions:
        return GIVEN_BACK[0](body, node, name, given)
    made = record_named(body, name.removeprefix("make_")) if name.startswith("make_") else None
    return _made(body, node, made, given) if made else None


def _loaded(body: Body, memory: tuple[Structure, Pointer]) -> Parts:
    """From memory: four floats that lie side by side in one request, other records part by part."""
    record, pointer = memory
    if _is_wide(record) and body.may_hoist and pointer.base.name not in body.narrow:
        at = pointer.at.code if pointer.at is not None else "0"
        kept = body.kept_several(f"load16({pointer.base.name}, {at})", WIDE)
        return Parts(record, tuple(Value(f"float32({each})", "float32") for each in kept))
    places = [part_in_memory(memory, part) for part in range(len(record.parts))]
    return Parts(record, tuple(Value(place.code, place.kind) for place in places))


def _is_wide(record: Structure) -> bool:
    return record.kind == "float32" and len(record.parts) == WIDE and record.name == "float4"


def _chosen(body: Body, node, record: Structure | None) -> Parts | None:
    """c ? a : b of two records, only one of which is read."""
    sides = [field(node, part) for part in ("consequence", "alternative")]
    before = len(body.lines), dict(body.taken)
    condition = truth(body.value(field(node, "condition")))
    names: list[str] = []
    for number, side in enumerate(sides):
        place = len(body.lines)
        with body.block():
            made = parts_of(body, side, record)
            if made is None:
                del body.lines[before[0] :], body.places[before[0] :]
                body.taken = before[1]
                return None
            names = names or [body.name_for_a_value() for _ in made.values]
            for name, value, (_, kind) in zip(names, made.values, made.record.parts, strict=True):
                body.emit(f"{name} = {declared(value, kind)}")
        body.insert(place, f"if {condition.code}:" if number == 0 else "else:")
    return Parts(
        made.record, tuple(Value(name, kind) for name, (_, kind) in zip(names, made.record.parts, strict=True))
    )


def places_of(body: Body, node) -> list[Place]:
    """Where the parts of a record are set; [] of what is none."""
    record = variable_of(body, node)
    if record is not None:
        found = [body.find(node, f"{text_of(node)}.{part}") for part, _ in record.parts]
        return [Place(each.name, each.kind, each.const) for each in found]
    memory = element_of(body, node)
    return [part_in_memory(memory, part) for part in range(len(memory[0].parts))] if memory else []


def _made(body: Body, node, record: Structure, given: list) -> Parts:
    if record.union and given:
        first = converted(body.value(given[0]), record.parts[0][1])
        first = Value(body.kept_value(declared(first, first.kind)), first.kind)
        return Parts(record, tuple(same_bits(first, kind) for _, kind in record.parts))
    if len(given) == 1 and (whole_one := parts_of(body, given[0])) and whole_one.record == record:
        return whole_one
    if len(given) > len(record.parts):
        raise mistaken(node, f"{record.name} has {count_text(len(record.parts), 'part')}")
    values = [converted(body.value(each), kind) for each, (_, kind) in zip(given, record.parts, strict=False)]
    values += [converted(whole(0, "int32"), kind) for _, kind in record.parts[len(given) :]]
    return Parts(record, tuple(values))


def _part(body: Body, node, name: str, part: str) -> Value:
    found = body.find(node, f"{name}.{part}")
    return Value(found.name, found.kind)


def keep_in_step(body: Body, node) -> None:
    """A part of a union was set: the others are the same bits."""
    if node.type != "field_expression":
        return
    whose = inside(field(node, "argument"))
    record = variable_of(body, whose)
    if record is None or not record.union:
        return
    given = _part(body, node, text_of(whose), text_of(field(node, "field")))
    for part, kind in record.parts:
        other = body.find(node, f"{text_of(whose)}.{part}")
        if other.name != given.code:
            body.emit(f"{other.name} = {same_bits(given, kind).code}")


def place_of_part(body: Body, node) -> Place:
    """v.x, x4[i].y, p->z as what can be set. Raises: CppError where there is no such part."""
    whose, part = field(node, "argument"), text_of(field(node, "field"))
    whose = inside(whose)
    record = variable_of(body, whose)
    memory = None
    if whose.type == "call_expression" and (given := parts_of(body, whose)):
        names = [name for name, _ in given.record.parts]
        if part in names:
            value = given.values[names.index(part)]
            return Place(value.code, value.kind, const=True)
    if record is None:
        memory = pointer_to_records(body, whose) if "->" in text_of(node) else element_of(body, whose)
        record = memory[0] if memory else None
    if record is None:
        raise refused(node, f"`{text_of(whose)}` has no parts that are known here")
    names = [name for name, _ in record.parts]
    if part not in names:
        raise mistaken(node, f"{record.name} has no part `{part}`, only {', '.join(names)}")
    if memory:
        return part_in_memory(memory, names.index(part))
    found = body.find(node, f"{text_of(whose)}.{part}")
    return Place(found.name, found.kind, found.const)


def assign(body: Body, node, left, right) -> bool:
    """v = w and x4[i] = v, part by part; False where the left side is no record."""
    record, memory = variable_of(body, left), None
    if record is None:
        memory = element_of(body, left)
        record = memory[0] if memory else None
    if record is None:
        return False
    given = parts_of(body, right, record)
    if given is None or given.record != record:
        raise _is_no(body, right, record)
    kept = [body.kept_value(declared(value, kind)) for value, (_, kind) in zip(given.values, record.parts, strict=True)]
    if memory and _is_wide(record) and not (memory[1].base.const or memory[1].base.name in body.narrow):
        at = memory[1].at.code if memory[1].at is not None else "0"
        body.emit(f"store16({memory[1].base.name}, {at}, ({', '.join(kept)}))")
        return True
    for number, (part, _) in enumerate(record.parts):
        found = None if memory else body.find(left, f"{text_of(left)}.{part}")
        place = part_in_memory(memory, number) if memory else Place(found.name, found.kind, found.const)
        if place.const:
            raise mistaken(node, f"`{text_of(left)}` is const, and this writes to it")
        body.emit(f"{place.code} = {kept[number]}")
    return True


PLACES["field_expression"] = place_of_part
