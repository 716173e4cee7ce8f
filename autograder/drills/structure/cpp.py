"""The structure of CUDA C++: tree-sitter's syntax tree with what may differ taken out.

Taken out: comments, parentheses, names of variables that the code itself declares, `const`, `__restrict__` and how
wide or signed an integer index is, the order of commuting operands, `a > b` for `b < a`, `x += y` for `x = x + y`,
advice such as `#pragma unroll`, `dim3(n)` for `n`, `threadIdx.x + blockIdx.x * blockDim.x` in any order, a pointer that
starts as null, the cast that `cudaMalloc` once needed, `(float)0.1` for `0.1f`, and an early return for a condition
round the rest.
"""

from __future__ import annotations

import re
from functools import cache

from autograder.drills.structure.errors import StructureError

INTEGERS = {"int", "unsigned", "unsigned int", "size_t", "auto", "uint32_t", "int32_t", "long", "const auto"}
DROPPED = {"comment", "const", "__restrict__", "constexpr", ";", "(", ")", ",", "{", "}", "[", "]"}
COMMUTE = {"+", "*", "&", "|", "^", "==", "!=", "&&", "||"}
MIRRORED = {">": "<", ">=": "<="}
FLAT = {"parenthesized_expression", "condition_clause", "expression_statement", "compound_statement"}
RETURN = ("return_statement", "return")
NULLS = ("0", ("null", "0"))
ALIASES = {"nullptr": "0", "NULL": "0"}
ALL_LANES = {"~0", "~0u", "~0U", "-1"}  # other ways to write the mask 0xffffffff
PRAGMA = re.compile(r"^[ \t]*#pragma unroll.*$", re.MULTILINE)  # advice to the compiler, which the structure has not
VOID_POINTERS = re.compile(r"\(\s*void\s*\*\s*\*\s*\)")
SINGLE = re.compile(r"\(float\)\s*(\d*\.\d+)|static_cast<float>\(\s*(\d*\.\d+)\s*\)")
WRAPPERS = ("void wrapped_for_parsing() {{\n{}\n}}\n", "{}\n")


@cache
def _parser():
    try:
        import tree_sitter
        import tree_sitter_cuda
    except ImportError as error:
        raise StructureError("CUDA C++ is read with tree-sitter: pip install tree-sitter tree-sitter-cuda") from error
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


def shape(source: str, names: frozenset[str]) -> tuple:
    """The structure of statements, or of declarations. Raises: StructureError, naming the line."""
    source = PRAGMA.sub("", source).strip()
    if not source.endswith((";", "}")) and not source.startswith("#"):
        source += ";"
    failures = []
    for wrapper in WRAPPERS:
        text = wrapper.format(source)
        tree = _parser().parse(text.encode())
        broken = _first_error(tree.root_node)
        if broken is None:
            body = _statements(tree.root_node, wrapped=wrapper is WRAPPERS[0])
            declared = _declared(body, names)
            return tuple(_guarded([_shape(each, declared) for each in body]))
        failures.append(broken.start_point[0] + 1 - (wrapper is WRAPPERS[0]))
    raise StructureError(f"line {max(1, failures[0])}: C++?")


def _first_error(node):
    """The first node that did not parse; None where all did."""
    if node.type == "ERROR" or node.is_missing:
        return node
    if not node.has_error:
        return None
    return next(filter(None, map(_first_error, node.children)), node)


def _statements(root, wrapped: bool) -> list:
    if wrapped:
        body = root.children[0].child_by_field_name("body")
        return [child for child in body.named_children if child.type != "comment"]
    return [child for child in root.named_children if child.type != "comment"]


def _declared(nodes, keep: frozenset[str]) -> dict[str, str]:
    """Variables that the code declares, by the order in which they appear."""
    found: dict[str, str] = {}
    for node in nodes:
        for declarator in _declarators(node):
            name = declarator.text.decode()
            if name not in keep:
                found.setdefault(name, f"local{len(found)}")
    return found


def _declarators(node):
    """Identifiers in the place where a declaration names its variable."""
    if node.type in ("declaration", "parameter_declaration", "for_range_loop"):
        for child in node.children_by_field_name("declarator"):
            yield from _innermost(child)
    for child in node.children:
        yield from _declarators(child)


def _innermost(node):
    while node.type != "identifier":
        inner = node.child_by_field_name("declarator") or next(
            (child for child in node.named_children if child.type in ("identifier", "pointer_declarator")), None
        )
        if inner is None:
            return
        node = inner
    yield node


def _shape(node, renamed: dict[str, str]):
    """The structure of one node as nested tuples."""
    text = node.text.decode()
    if node.type in FLAT:
        inside = _guarded([_shape(child, renamed) for child in node.named_children if child.type != "comment"])
        return inside[0] if len(inside) == 1 else ("block", *inside)
    if node.type in ("primitive_type", "sized_type_specifier", "placeholder_type_specifier", "type_identifier"):
        return "integer" if re.sub(r"\s+", " ", text) in INTEGERS else text
    if node.type == "binary_expression":
        return _binary(node, renamed)
    if node.type == "assignment_expression":
        return _assignment(node, renamed)
    if node.type == "update_expression":
        argument = _shape(node.child_by_field_name("argument"), renamed)
        return ("=", argument, ("+" if "++" in text else "-", *sorted((argument, "1"), key=repr)))
    if node.type == "unary_expression" and text in ALL_LANES:
        return _number("0xffffffff")
    if node.type == "unary_expression" and text.startswith("!"):
        return _not(_shape(node.child_by_field_name("argument"), renamed))
    if node.type == "cast_expression" and VOID_POINTERS.match(text):
        return _shape(node.child_by_field_name("value"), renamed)
    if single := SINGLE.fullmatch(text):
        return _number(f"{single[1] or single[2]}f")
    if node.type == "init_declarator" and _shape(node.child_by_field_name("value"), renamed) in NULLS and "*" in text:
        return _shape(node.child_by_field_name("declarator"), renamed)
    if node.type == "call_expression" and text.startswith("dim3(") and len(_arguments(node)) == 1:
        return _shape(_arguments(node)[0], renamed)
    if node.type == "number_literal":
        return _number(text)
    if not node.named_children and not node.children:
        return renamed.get(text, ALIASES.get(text, text))
    parts = [_shape(child, renamed) for child in node.children if _counts(child)]
    return (node.type, *parts)


def _guarded(shapes: list) -> list:
    """Statements with `if (a) return;` and the rest as `if (!a)` with the rest inside."""
    for place, each in enumerate(shapes):
        if isinstance(each, tuple) and each[:2] == ("if_statement", "if") and each[3:] == (RETURN,):
            rest = _guarded(shapes[place + 1 :])
            inside = rest[0] if len(rest) == 1 else ("block", *rest)
            return [*shapes[:place], ("if_statement", "if", _not(each[2]), inside)] if rest else shapes
    return shapes


def _not(shape):
    """The negation of a condition; of a comparison, the other comparison."""
    if shape[0] in ("<", "<="):
        return ("<=" if shape[0] == "<" else "<", shape[2], shape[1])
    if shape[0] in ("==", "!="):
        return ("!=" if shape[0] == "==" else "==", *shape[1:])
    return ("!", shape)


def _arguments(node) -> list:
    return node.child_by_field_name("arguments").named_children


def _counts(node) -> bool:
    return node.type not in DROPPED and node.text.decode() not in DROPPED


def _binary(node, renamed):
    operator = node.child_by_field_name("operator").text.decode()
    left, right = (_shape(node.child_by_field_name(side), renamed) for side in ("left", "right"))
    if operator == ">=" and right == "1":  # of whole numbers
        return ("<", "0", left)
    if operator in MIRRORED:
        return (MIRRORED[operator], right, left)
    if operator in COMMUTE:
        operands = [part for side in (left, right) for part in (side[1:] if side[0] == operator else (side,))]
        return (operator, *sorted(operands, key=repr))
    return (operator, left, right)


def _assignment(node, renamed):
    left, right = (_shape(node.child_by_field_name(side), renamed) for side in ("left", "right"))
    operator = node.child_by_field_name("operator").text.decode()
    if operator == "=":
        return ("=", left, right)
    plain = operator[:-1]
    return ("=", left, (plain, *sorted((left, right), key=repr)) if plain in COMMUTE else (plain, left, right))


def _number(text: str) -> str:
    """0xFFFFFFFF, 4294967295u and 0xffffffffu are one number; 2.0f is another than 2.0."""
    if re.fullmatch(r"0[xX][0-9a-fA-F]+[uUlL]*", text):
        return str(int(text.rstrip("uUlL"), 16))
    if re.fullmatch(r"\d+[uUlL]*", text):
        return text.rstrip("uUlL")
    single = text[-1] in "fF"
    return f"{float(text.rstrip('fF'))}{'f' if single else ''}"
