"""Mistakes that the source shows and the compiler tells only by what follows from them, often lines later."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType

from autograder.lint.report import CompileError
from autograder.lint.source import called_functions, dotted_name, syntax_of
from simt.refusals import Refusal, names, types
from simt.refusals.cuda_c import POSITIONS


def plain_mistake(error: Exception, function: FunctionType, kernel: FunctionType) -> CompileError | None:
    """The first such mistake, in the function that the error is in or in the kernel; None where there is none."""
    for one in dict.fromkeys((function, kernel)):
        tree = syntax_of(one)
        if tree is None:
            continue
        for line, refusal in (*values_of_nothing(tree, one), *whole_positions(tree, error)):
            return CompileError(refusal.kind, "not_compiled", refusal.says, refusal.remedy, (line,), str(error).strip())
    return None


def values_of_nothing(tree: ast.FunctionDef, function: FunctionType) -> Iterator[tuple[int, Refusal]]:
    """Calls whose value is used, of device functions that return none."""
    silent = {callee.__name__ for _, callee in called_functions(function) if _returns_nothing(callee)}
    dropped = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node not in dropped and dotted_name(node.func) in silent:
            yield node.lineno, names.returns_nothing(dotted_name(node.func), ast.unparse(node))


def _returns_nothing(function: FunctionType) -> bool:
    tree = syntax_of(function)
    if tree is None:
        return False
    returns = [node for node in ast.walk(tree) if isinstance(node, ast.Return)]
    return all(node.value is None for node in returns)


def whole_positions(tree: ast.FunctionDef, error: Exception) -> Iterator[tuple[int, Refusal]]:
    """`cuda.threadIdx` and its kin without an axis, where the compiler complains about such a position."""
    if "Dim3" not in str(error) or "array index type" in str(error):  # as an index it is told by its subscript
        return
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        name, parent = dotted_name(node), parents.get(node)
        if (
            isinstance(node, ast.expr)
            and name.startswith("cuda.")
            and name[5:] in POSITIONS
            and not isinstance(parent, ast.Attribute)
        ):
            text = ast.unparse(parent) if isinstance(parent, ast.Assign | ast.BinOp | ast.Subscript) else name
            yield node.lineno, types.position_as_number(name, text)
