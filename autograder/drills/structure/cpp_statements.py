"""CUDA C++ in the common form: declarations, statements, kernels; tree-sitter parses."""

from __future__ import annotations

import re
from functools import cache

from autograder.drills.structure.angle_brackets import without_false_templates
from autograder.drills.structure.cpp import expression, is_const, several, stars_of, text_of, type_of, value_type
from autograder.drills.structure.errors import StructureError, first_error
from autograder.drills.structure.forms import AUTO, Form, num, rebuilt

LEFT_OUT = re.compile(r"^[ \t]*#[ \t]*(?:pragma unroll|include).*$|^[ \t]*using namespace [\w:]+;", re.MULTILINE)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.+)$", re.MULTILINE)
MAX_REGISTERS = re.compile(r"__maxnreg__\s*\(\s*(\w+)\s*\)")
BLOCK_SIZE = re.compile(r"__(?:block_size|cluster_dims)__\s*\([^)]*\)")
SPACES = {"__shared__": "shared", "__constant__": "constant", "__device__": "device", "__managed__": "managed"}
MARKS = ("__global__", "__device__", "__host__")
WRAPPERS = ("void wrapped_for_parsing() {{\n{}\n}}\n", "{}\n")


@cache
def _parser():
    try:
        import tree_sitter
        import tree_sitter_cuda
    except ImportError as error:
        raise StructureError("CUDA C++ is read with tree-sitter: pip install tree-sitter tree-sitter-cuda") from error
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


def without_defines(source: str) -> str:
    """The text with what `#define TILE 32` defines in its places."""
    defined = dict(DEFINE.findall(source))
    source = DEFINE.sub("", source)
    for name, value in defined.items():
        source = re.sub(rf"\b{name}\b", f"({value.strip()})".replace("\\", r"\\"), source)
    return source


def read(source: str) -> tuple[Form, ...]:
    """Statements or definitions in the common form. Raises: StructureError, naming the line."""
    source = without_false_templates(without_defines(LEFT_OUT.sub("", source)))
    registers = MAX_REGISTERS.search(source)
    source = BLOCK_SIZE.sub(" ", MAX_REGISTERS.sub(" ", source)).strip()
    if not source.endswith((";", "}")) and not source.startswith("#"):
        source += ";"
    failures = []
    for wrapper in WRAPPERS:
        root = _parser().parse(wrapper.format(source).encode()).root_node
        broken = first_error(root)
        if broken is None:
            top = root.children[0].child_by_field_name("body") if wrapper is WRAPPERS[0] else root
            found = block(top)
            return _with_mark(found, f"__maxnreg__({registers[1]})") if registers else found
        failures.append(broken.start_point[0] + 1 - (wrapper is WRAPPERS[0]))
    raise StructureError(f"line {max(1, failures[0])}: C++?")


def _with_mark(statements: tuple[Form, ...], mark: str) -> tuple[Form, ...]:
    """With a promise about a kernel that the parser has no rule for."""
    return tuple((*s[:2], (*s[2], mark), *s[3:]) if s[0] == "def" else s for s in statements)


def block(node) -> tuple[Form, ...]:
    """The statements of a block, or of the one statement that stands for it."""
    if node is None:
        return ()
    if node.type in ("compound_statement", "translation_unit", "else_clause"):
        return tuple(form for child in node.named_children for form in statement(child))
    return tuple(statement(node))


def statement(node) -> list[Form]:
    """What one statement says, in order; what no card needs, as its text."""
    reader = STATEMENTS.get(node.type)
    return reader(node) if reader else [("do", ("text", text_of(node)))]


def _expression_statement(node) -> list[Form]:
    return [done(child) for child in node.named_children if child.type != "comment"]


def done(node) -> Form:
    """An expression for its effect."""
    found = expression(node)
    return ("set", *found[1:]) if found[0] == "assign" else ("do", found)


def _declaration(node) -> list[Form]:
    """Each name that a declaration declares, with its value where it has one."""
    words = {text_of(child) for child in node.children if child.type in ("type_qualifier", "storage_class_specifier")}
    words |= {text_of(child) for child in node.children if text_of(child) in SPACES}
    space = " ".join(SPACES[word] for word in SPACES if word in words and word != "__device__") or (
        "device" if "__device__" in words else ""
    )
    space = f"extern {space}" if "extern" in words else space
    return [_declared(node, child, space) for child in node.children_by_field_name("declarator")]


def _declared(node, declarator, space: str) -> Form:
    value = None
    if declarator.type == "init_declarator":
        value, declarator = declarator.child_by_field_name("value"), declarator.child_by_field_name("declarator")
    kind = type_of(node, declarator)
    if declarator.type == "function_declarator":  # dim3 grid(blocks) reads like a function
        given = tuple(
            expression(child.child_by_field_name("type"))
            for child in declarator.child_by_field_name("parameters").named_children
        )
        return _constructed(text_of(declarator.child_by_field_name("declarator")), kind, given)
    name, dimensions = _name_and_dimensions(declarator)
    if value is None:
        return ("declare", name, kind, space, dimensions)
    if value.type == "argument_list":
        return _constructed(name, kind, several(value))
    found = expression(value)
    if value.type == "initializer_list" and not dimensions:
        return _constructed(name, kind, found[1:])
    if dimensions:
        return ("declare", name, kind, space, (*dimensions, ("filled", found)))
    if found == num(0) and (kind.endswith("*") or kind.startswith("cuda")):  # a pointer or a handle that starts as null
        return ("declare", name, kind, space, ())
    return ("let", name, AUTO if kind.startswith("auto") else kind.rstrip("&"), found)


def _constructed(name: str, kind: str, given: tuple[Form, ...]) -> Form:
    """float x(0), float* p{nullptr}, dim3 grid(blocks)."""
    if (kind.endswith("*") or kind.startswith("cuda")) and given in ((), (num(0),)):
        return ("declare", name, kind, "", ())
    if kind == "dim3" or len(given) != 1:
        return ("let", name, kind, ("call", kind, *given))
    return ("let", name, kind, given[0])


def _name_and_dimensions(declarator) -> tuple[str, tuple[Form, ...]]:
    """Of float tile[32][33]: tile, and 32 and 33; an array without a size has 0."""
    dimensions: list[Form] = []
    while declarator.type != "identifier":
        if declarator.type == "array_declarator":
            size = declarator.child_by_field_name("size")
            dimensions.insert(0, expression(size) if size else num(0))
        inner = declarator.child_by_field_name("declarator") or next(
            (c for c in declarator.named_children if c.type == "identifier" or c.type.endswith("_declarator")), None
        )
        if inner is None:
            break
        declarator = inner
    return text_of(declarator), tuple(dimensions)


def _if(node) -> list[Form]:
    condition = expression(node.child_by_field_name("condition"))
    return [
        (
            "if",
            condition,
            block(node.child_by_field_name("consequence")),
            block(node.child_by_field_name("alternative")),
        )
    ]


def _for(node) -> list[Form]:
    """for (first; condition; step) as first; while (condition) { ...; step }."""
    first = node.child_by_field_name("initializer")
    opening = [] if first is None else statement(first) if first.type == "declaration" else [done(first)]
    condition = node.child_by_field_name("condition")
    step = node.child_by_field_name("update")
    steps = (done(step),) if step is not None else ()
    body = (*block(node.child_by_field_name("body")), *steps)
    return [*opening, ("while", expression(condition) if condition is not None else num(1), body)]


def _do(node) -> list[Form]:
    body = block(node.child_by_field_name("body"))
    return [*body, ("while", expression(node.child_by_field_name("condition")), body)]


def _while(node) -> list[Form]:
    return [("while", expression(node.child_by_field_name("condition")), block(node.child_by_field_name("body")))]


def _return(node) -> list[Form]:
    return [("return", several(node)[0] if several(node) else None)]


def _function(node) -> list[Form]:
    declarator = node.child_by_field_name("declarator")
    marks = [mark for mark in MARKS if any(text_of(child) == mark for child in node.children)]
    marks += [text_of(child).replace(" ", "") for child in node.children if child.type == "launch_bounds"]
    kind = node.child_by_field_name("type")
    result = value_type(text_of(kind)) + stars_of(declarator) if kind is not None else "void"
    while declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator") or declarator.named_children[-1]
    parameters = tuple(
        _parameter(child)
        for child in declarator.child_by_field_name("parameters").named_children
        if child.type.endswith("parameter_declaration")
    )
    name = text_of(declarator.child_by_field_name("declarator"))
    return [("def", name, tuple(marks), result, parameters, block(node.child_by_field_name("body")))]


def _parameter(node) -> Form:
    """A parameter with what it promises: const of what it points to, and __restrict__."""
    declarator = node.child_by_field_name("declarator")
    name, dimensions = _name_and_dimensions(declarator) if declarator is not None else ("", ())
    kind = value_type(text_of(node.child_by_field_name("type"))) + (stars_of(declarator) or ("*" if dimensions else ""))
    restricted = "restrict" in re.split(r"[*&]|\[\]", text_of(node))[-1]  # it promises something of a pointer
    promises = [*(["const"] if is_const(node) and kind[-1] in "*&" else []), *(["restrict"] if restricted else [])]
    return ("param", name, kind, tuple(promises))


def _template(node) -> list[Form]:
    """What stands for any type, a type says nothing about."""
    parameters = node.child_by_field_name("parameters")
    types = [text_of(child).split()[-1] for child in parameters.named_children if child.type.startswith("type_par")]
    if not types:
        return statement(node.named_children[-1])
    any_of_them = re.compile(rf"\b(?:{'|'.join(map(re.escape, types))})\b")

    def change(form: Form) -> Form:
        place = TYPE_AT.get(form[0]) if form and isinstance(form[0], str) else None
        if place is None or not isinstance(form[place], str):
            return form
        kind = any_of_them.sub(AUTO, form[place])
        return (*form[:place], AUTO if form[0] == "let" and kind.startswith(AUTO) else kind, *form[place + 1 :])

    return [rebuilt(each, change) for each in statement(node.named_children[-1])]


TYPE_AT = {"param": 2, "let": 2, "declare": 2, "cast": 1}
STATEMENTS = {
    "comment": lambda node: [],
    "expression_statement": _expression_statement,
    "declaration": _declaration,
    "compound_statement": lambda node: list(block(node)),
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "do_statement": _do,
    "return_statement": _return,
    "break_statement": lambda node: [("break",)],
    "continue_statement": lambda node: [("continue",)],
    "function_definition": _function,
    "template_declaration": _template,
    "linkage_specification": lambda node: list(block(node.child_by_field_name("body"))),
    "using_declaration": lambda node: [],
    "preproc_include": lambda node: [],
    ";": lambda node: [],
}
