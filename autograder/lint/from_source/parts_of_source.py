"""Parts of a function's source: what is assigned, indexed and called, and of what a value is made."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from autograder.lint.source import dotted_name

NARROW = ("float32", "float16", "f4", "int2float_rn", "int2float_rz", "uint2float_rn", "uint2float_rz")
UNBOUNDED = ("grid", "gridsize", "blockIdx", "gridDim", "size", "shape")  # what grows with the array
PLACES = (*UNBOUNDED, "threadIdx", "blockDim", "laneid")


def in_indices(
    tree: ast.FunctionDef, pairs: list[tuple[str, ast.expr]], results: Sequence[ast.expr] = ()
) -> set[ast.AST]:
    """Every expression that an index is made of, through any number of variables. results: are made one elsewhere."""
    found: set[ast.AST] = set()
    more = [*results, *(node.slice for node in ast.walk(tree) if isinstance(node, ast.Subscript))]
    while more:
        new = {node for one in more for node in ast.walk(one)} - found
        found |= new
        used = {node.id for node in new if isinstance(node, ast.Name)}
        more = [value for name, value in pairs if name in used]
    return found


def handed_to(function: ast.FunctionDef, call: ast.Call) -> list[tuple[str, ast.expr]]:
    """(parameter, what a call hands over for it)."""
    parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    named = ((one.arg or "", one.value) for one in call.keywords)
    return [*zip(parameters, call.args, strict=False), *named]


def handed_as_indices(tree: ast.FunctionDef, helpers: Mapping[str, ast.FunctionDef]) -> Iterator[ast.expr]:
    """What a function hands to helpers that use it in an index, or hand it on to such helpers."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        helper = helpers.get(name_of(call.func))
        if helper is None:
            continue
        others = {name: one for name, one in helpers.items() if one is not helper}  # nobody calls itself
        made = in_indices(helper, [*assignments(helper)], [*handed_as_indices(helper, others)])
        used = {name_of(node) for node in made}
        yield from (value for parameter, value in handed_to(helper, call) if parameter in used)


def is_count(value: ast.expr) -> bool:
    """Whether a divisor is a whole number as a float32: float32(n_cols), a constant."""
    if isinstance(value, ast.Call) and called(value) in NARROW and len(value.args) == 1:
        return not any(isinstance(node, ast.Subscript) and not is_shape(node) for node in ast.walk(value.args[0]))
    return is_whole_constant(value)


def assignments(tree: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """(variable, what is assigned to it); a loop's variable has what its range is made of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            yield node.target.id, node.iter
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _paired(target, node.value)


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple):
        parts = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
        for at, one in enumerate(target.elts):
            yield from _paired(one, parts[at] if parts else value)


def is_whole_constant(value: ast.expr) -> bool:
    """Whether an operand leaves a whole number whole: a constant, or a float32 made of one or of a place."""
    if isinstance(value, ast.Call) and called(value) in NARROW and len(value.args) == 1:
        value = value.args[0]
        return is_whole_constant(value) or any(attribute_of(node) & {*PLACES} for node in ast.walk(value))
    return isinstance(value, ast.Constant) and isinstance(value.value, int | float) and float(value.value).is_integer()


def called(call: ast.Call) -> str:
    return dotted_name(call.func).rpartition(".")[2]


def is_shape(node: ast.Subscript) -> bool:
    return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def of_the_value(value: ast.AST) -> Iterator[ast.AST]:
    """What a value is made of: not what a condition holds, which only chooses one."""
    if isinstance(value, ast.Compare):
        return
    yield value
    chosen = (value.body, value.orelse) if isinstance(value, ast.IfExp) else ast.iter_child_nodes(value)
    for each in chosen:
        yield from of_the_value(each)


def attribute_of(node: ast.AST) -> set[str]:
    """An attribute's own name, as in {"blockIdx"} for `cuda.blockIdx`."""
    return {node.attr} if isinstance(node, ast.Attribute) else set()


def name_of(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""
