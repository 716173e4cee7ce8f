"""What stands outside of functions: constants, arrays of them, and the launch that says how much memory is shared."""

from __future__ import annotations

import math
import re

from autograder.drills.cpp.body import Body
from autograder.drills.cpp.declarations import declaration, kind_of, words_of
from autograder.drills.cpp.kinds_of_number import converted
from autograder.drills.cpp.parsing import field, line_of, named, refused, text_of

LAUNCH = re.compile(r"<<<[^<>;]*?,[^<>;]*?,\s*([^,<>;]+?)\s*(?:,[^<>;]*)?>>>")
SIZEOF = re.compile(r"sizeof\s*\(\s*(\w+)\s*\)")
WIDTHS = {"float": 4, "int": 4, "unsigned": 4, "double": 8, "char": 1, "float4": 16, "float2": 8}


def bytes_of_the_launch(source: str) -> int | None:
    """Dynamic shared memory, where the host's code or a comment has the launch; None where none is named."""
    found = LAUNCH.search(source)
    text = SIZEOF.sub(lambda part: str(WIDTHS.get(part[1], 4)), found[1]) if found else ""
    if not re.fullmatch(r"[\d\s*+()]+", text):
        return None
    return int(math.prod(int(part) for part in re.findall(r"\d+", text))) if "+" not in text else None


def constant(world: Body, node) -> None:
    """const and constexpr numbers of the file; an announcement of a function says nothing new."""
    declarators = node.children_by_field_name("declarator")
    if any(each.type == "function_declarator" for each in declarators):
        return
    if not words_of(node) & {"const", "constexpr", "__constant__"}:
        raise refused(node, f"`{text_of(node)[:60]}`: of variables outside of functions, only constants")
    world.line = line_of(node)
    arrays = [each for each in declarators if "[" in text_of(each).partition("=")[0]]
    if "__constant__" in words_of(node) and not arrays and any(each.type != "init_declarator" for each in declarators):
        raise refused(node, f"`{text_of(node)[:60]}`: no host fills it here, so give it its value")
    for each in arrays:
        _constant_array(world, node, each)
    if not arrays:
        declaration(world, node, constant=True)


def enumerated(body: Body, node) -> None:
    """enum { TILE = 16, NEXT };"""
    number = 0
    for each in named(field(node, "body")):
        value = each.child_by_field_name("value")
        known = body.value(value).known if value is not None else number
        if known is None:
            raise refused(each, f"`{text_of(each)}`: the value must be a constant that is known when it compiles")
        body.declare(each, text_of(field(each, "name")), "int32", const=True, known=known)
        number = known + 1


def _constant_array(world: Body, node, declarator) -> None:
    """__constant__ float w[3] = {1, 2, 3}; the values stand in the program, as they do in constant memory."""
    value = declarator.child_by_field_name("value")
    if value is None or value.type != "initializer_list":
        raise refused(node, f"`{text_of(node)[:60]}`: no host fills it here, so give it its values in braces")
    kind, inner = kind_of(node), field(declarator, "declarator")
    shape: list[int | None] = []
    while inner.type == "array_declarator":
        size = inner.child_by_field_name("size")
        shape.insert(0, world.value(size).known if size is not None else None)
        inner = field(inner, "declarator")
    values = [world.value(each) for each in _flat(value)]
    count = math.prod(size for size in shape[1:] if size)
    shape[0] = shape[0] or -(-len(values) // count)
    texts = [re.sub(r"^float32\((.*)\)$", r"\1", converted(each, each.kind).code) for each in values]
    texts += ["0"] * (math.prod(shape) - len(texts))
    name = text_of(inner)
    whole_array = f"np.array([{', '.join(texts)}], np.{kind}).reshape({tuple(shape)})"
    found = world.declare(inner, name, kind, form="array", shape=tuple(shape), const=True)
    world.emit(f"{found.name}_values = {whole_array}")
    world.constants[name] = f"{found.name} = cuda.const.array_like({found.name}_values)"


def _flat(node) -> list:
    return [part for each in named(node) for part in (_flat(each) if each.type == "initializer_list" else [each])]
