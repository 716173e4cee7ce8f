"""The head of a function: its name and parameters; a kernel's template as its launch chooses it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.contract import Argument
from autograder.drills.cpp.instances import parsed
from autograder.drills.cpp.parsing import field, line_of, named, refused, text_of

SPELLED = {
    "int8": "int8_t", "uint8": "uint8_t", "int32": "int", "uint32": "unsigned", "int64": "long long",
    "float32": "float", "float64": "double",
}  # fmt: skip


def for_the_launch(root, node, template, arguments: Sequence[Argument]):
    """The kernel with its template's types, which its arguments say, and what a launch or an instantiation names."""
    chosen = _explicit(root, name_of(node))
    text = node.text.decode()
    kinds = [(text_of(field(each, "type")), argument) for each, argument in
             zip(named(field(declarator_of(node), "parameters")), arguments, strict=False)]  # fmt: skip
    for place, parameter in enumerate(named(template) if template is not None else ()):
        is_type = "type_parameter" in parameter.type
        name = text_of(named(parameter)[0]) if is_type else text_of(field(parameter, "declarator"))
        said = next((SPELLED[argument.dtype] for kind, argument in kinds if is_type and kind == name), "")
        said = said or (chosen[place] if place < len(chosen) else "")
        if said:
            text = re.sub(rf"\b{name}\b", said, text)
    return (node if text == node.text.decode() else parsed("\n" * (line_of(node) - 1) + text)), template


def _explicit(root, name: str) -> list[str]:
    """float and 256 of `f<float, 256><<<grid, block>>>(...)` or `template __global__ void f<float, 256>(...)`."""
    found = re.search(rf"\b{name}\s*<([^<>]+)>\s*(?:<<<|\()", root.text.decode())
    return [part.strip() for part in found[1].split(",")] if found else []


def declarator_of(node):
    """The name and parameters of a definition, past the stars and marks."""
    found = field(node, "declarator")
    while found.type != "function_declarator":
        inner = found.child_by_field_name("declarator")
        if inner is None:
            raise refused(node, f"`{text_of(node)[:60]}` is left out")
        found = inner
    return found


def name_of(node) -> str:
    return text_of(field(declarator_of(node), "declarator"))
