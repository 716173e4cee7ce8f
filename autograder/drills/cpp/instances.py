"""Templates of device functions, one function in Python for each use; and lambdas, put where they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from dataclasses import field as held
from typing import Any

from autograder.drills.cpp.body import Body, Variable
from autograder.drills.cpp.kinds_of_number import NAMES, Value, converted, declared, kind_named
from autograder.drills.cpp.parsing import field, line_of, named, parse, refused, text_of
from autograder.drills.cpp.pointers import pointer_of
from autograder.drills.cpp.records import parts_of

SPELLED = {kind: name for name, kind in reversed(NAMES.items()) if " " not in name} | {"int64": "int64_t"}
RETURNS = "return_statement"
MOST_INSTANCES = 40  # of one template; a template that calls itself never ends


@dataclass
class Template:
    """A device function before its types and sizes are known. made: its instances, by what they were made of."""

    node: Any
    parameters: list[tuple[str, bool, str]]  # name, is it a type, default
    made: dict[tuple[str, ...], str] = held(default_factory=dict)


def template_of(node, parameters) -> Template:
    """A template's definition."""
    found = []
    for each in named(parameters):
        is_type = each.type in ("type_parameter_declaration", "optional_type_parameter_declaration")
        name = text_of(named(each)[0]) if is_type else text_of(field(each, "declarator"))
        default = each.child_by_field_name("default_type") or each.child_by_field_name("default_value")
        found.append((name, is_type, text_of(default) if default is not None else ""))
    return Template(node, found)


def instance(body: Body, node, name: str, template: Template, given: list) -> tuple[str, str]:
    """The function's name for this call, and its text where it was not made before, its lines where they were.

    Raises: CppError where a parameter is not known.
    """
    function = field(node, "function")
    explicit = named(field(function, "arguments")) if function.type == "template_function" else []
    chosen: list[str] = []
    for place, (parameter, is_type, default) in enumerate(template.parameters):
        if place < len(explicit):
            known = None if is_type else _constant(body, explicit[place])
            text = text_of(explicit[place]) if is_type else "" if known is None else str(known)
        else:
            text = _filled(default, template, chosen) or (_deduced(body, template, parameter, given) if is_type else "")
        if not text:
            raise refused(node, f"which `{parameter}`? Write `{name}<...>`, with a constant or a type")
        chosen.append(text)
    key = tuple(chosen)
    if key in template.made:
        return template.made[key], ""
    if len(template.made) >= MOST_INSTANCES:
        raise refused(node, f"`{name}` is wanted for more than {MOST_INSTANCES} types and sizes")
    made = template.made[key] = "__".join([name, *(re.sub(r"\W+", "_", text).strip("_") for text in chosen)])
    text = template.node.text.decode()
    for (parameter, _, _), value in zip(template.parameters, chosen, strict=True):
        text = re.sub(rf"\b{parameter}\b", value, text)
    return made, "\n" * (line_of(template.node) - 1) + re.sub(rf"\b{name}\b(?=\s*\()", made, text)


def _filled(default: str, template: Template, chosen: list[str]) -> str:
    """A default, in which earlier parameters may stand: BLOCK / 32."""
    if not default:
        return ""
    for (parameter, _, _), value in zip(template.parameters, chosen, strict=False):
        default = re.sub(rf"\b{parameter}\b", value, default)
    return f"({default})" if re.search(r"\W", default) and not template.parameters[len(chosen)][1] else default


def _constant(body: Body, node) -> int | None:
    """The value of a template's argument; one that is a name alone is read as a type."""
    name = text_of(node)
    found = body.find(node, name) if node.type == "type_descriptor" and name.isidentifier() else None
    return found.known if found is not None else body.value(node).known


def _deduced(body: Body, template: Template, parameter: str, given: list) -> str:
    """A type from the first argument that has it."""
    for each, argument in zip(_parameters(template.node), given, strict=False):
        if text_of(field(each, "type")) != parameter:
            continue
        before = len(body.lines)
        pointer = pointer_of(body, argument) if "*" in text_of(each) else None
        if pointer is None and (made := parts_of(body, argument)) is not None:
            del body.lines[before:], body.places[before:]
            return made.record.name
        kind = pointer.base.kind if pointer else body.value(argument).kind
        del body.lines[before:], body.places[before:]
        return SPELLED[kind]
    return ""


def _parameters(node) -> list:
    declarator = field(node, "declarator")
    while declarator.type != "function_declarator":
        declarator = field(declarator, "declarator")
    return named(field(declarator, "parameters"))


def parsed(text: str):
    """The function of an instance's text."""
    return next(each for each in named(parse(text)) if each.type == "function_definition")


def remember(body: Body, name, node, capture_changes: bool) -> None:
    """auto f = [=](float x) { ... };"""
    captures = text_of(field(node, "captures"))
    if "&" not in captures and capture_changes:
        raise refused(node, f"`{captures}` copies what changes in this function: capture by reference, `[&]`")
    body.lambdas[text_of(name)] = node
    body.scopes[-1][text_of(name)] = Variable(text_of(name), "", "lambda")


def inlined(body: Body, node, name: str, given: list) -> Value | None:
    """A call of a lambda: its lines, and what it gives back in a variable of its own."""
    found = body.lambdas[name]
    statements = named(field(found, "body"))
    last = statements[-1] if statements and statements[-1].type == RETURNS else None
    if any(_returns(each) for each in statements if each is not last):
        raise refused(found, f"`{name}`: a lambda returns at its end, and nowhere else")
    declarator = found.child_by_field_name("declarator")
    parameters = named(field(declarator, "parameters")) if declarator is not None else []
    if len(parameters) != len(given):
        raise refused(node, f"`{name}` takes other arguments")
    values = [body.value(each) for each in given]
    if not body.may_hoist:
        raise refused(node, f"`{name}` under a condition inside an expression is left out: call it before")
    with body.scope():
        for parameter, value in zip(parameters, values, strict=True):
            kind = kind_named(text_of(field(parameter, "type"))) or value.kind
            variable = body.declare(parameter, text_of(field(parameter, "declarator")), kind)
            body.emit(f"{variable.name} = {declared(converted(value, kind), kind)}")
        for each in statements:
            if each is not last:
                body.run(each)
        return body.kept(node, body.value(named(last)[0])) if last is not None and named(last) else None


def _returns(node) -> bool:
    return node.type == RETURNS or any(_returns(child) for child in node.named_children)
