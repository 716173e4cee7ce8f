"""Mistakes that the source shows and the compiler tells only by what follows from them, often lines later."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType

from autograder.lint.report import CompileError
from autograder.lint.source import called_functions, dotted_name, syntax_of
from simt.refusals import Refusal, names, positions, types
from simt.refusals.cuda_c import POSITIONS


def plain_mistake(error: Exception, function: FunctionType, kernel: FunctionType) -> CompileError | None:
    """The first such mistake, in the function that the error is in or in the kernel; None where there is none."""
    for one in dict.fromkeys((function, kernel)):
        tree = syntax_of(one)
        if tree is None:
            continue
        for line, refusal in (
            *values_of_nothing(tree, one),
            *whole_positions(tree, error),
            *whole_grids(tree, error),
            *values_for_positions(tree, error),
        ):
            return CompileError(refusal.kind, "not_compiled", refusal.says, refusal.remedy, (line,), str(error).strip())
    return None


def odd_symbol(error: Exception, kernel: FunctionType) -> CompileError | None:
    """What NVVM refuses as a symbol: the first name, in the kernel or what it calls, with a letter beyond ASCII."""
    if "unsupported character" not in str(error):
        return None
    for one in (kernel, *(callee for _, callee in called_functions(kernel))):
        for line, name in sorted(_names_in(syntax_of(one))) or [(one.__code__.co_firstlineno, one.__name__)]:
            if odd := next((letter for letter in name if not letter.isascii()), ""):
                said = names.odd_symbol(name, odd)
                return CompileError(said.kind, "not_compiled", said.says, said.remedy, (line,), str(error).strip())
    return None


def _names_in(tree: ast.FunctionDef | None) -> Iterator[tuple[int, str]]:
    """(line, name) of everything that a function names."""
    for node in ast.walk(tree) if tree else ():
        name = next(
            (getattr(node, field) for field in ("id", "arg", "name", "attr", "value") if hasattr(node, field)), ""
        )
        if isinstance(name, str):
            yield getattr(node, "lineno", 0), name


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
            yield node.lineno, positions.position_as_number(name, text)


def whole_grids(tree: ast.FunctionDef, error: Exception) -> Iterator[tuple[int, Refusal]]:
    """`i = cuda.grid` without its call, there or within a line, and `i = cuda.grid(2)` for one number."""
    assigned = {node.value for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if "intrinsic grid" in str(error) and isinstance(node, ast.Attribute) and node not in called | assigned:
            if dotted_name(node) in ("cuda.grid", "cuda.gridsize"):
                yield node.lineno, positions.grid_not_called(ast.unparse(node))
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name, value = node.targets[0].id, node.value
        if "intrinsic grid" in str(error) and dotted_name(value) in ("cuda.grid", "cuda.gridsize"):
            yield node.lineno, positions.grid_not_called(ast.unparse(value), name)
        tuples = "Tuple(int" in str(error) and "array index type" not in str(error)
        if not (tuples and isinstance(value, ast.Call) and value.args):
            continue
        if dotted_name(value.func) in ("cuda.grid", "cuda.gridsize") and ast.unparse(value.args[0]) in ("2", "3"):
            yield node.lineno, positions.grid_in_one_name(ast.unparse(value), name)


def values_for_positions(tree: ast.FunctionDef, error: Exception) -> Iterator[tuple[int, Refusal]]:
    """`for i in x:` with `x[i]`: the loop gives values, and an index is a position."""
    if "array index type float" not in str(error):
        return
    for loop in ast.walk(tree):
        if not (isinstance(loop, ast.For) and isinstance(loop.iter, ast.Name) and isinstance(loop.target, ast.Name)):
            continue
        cells = [node for node in ast.walk(loop) if isinstance(node, ast.Subscript)]
        if any(ast.unparse(cell.slice) == loop.target.id for cell in cells):
            yield loop.lineno, types.values_for_positions(loop.target.id, loop.iter.id)
