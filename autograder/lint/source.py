"""A kernel as its author wrote it: function, syntax tree with true line numbers, and the outer names it uses."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

_trees: WeakKeyDictionary[FunctionType, ast.FunctionDef] = WeakKeyDictionary()  # nobody changes one


def python_function(kernel: Any) -> FunctionType:
    """The Python function of a numba dispatcher, of the stand-in's kernel, or the function itself.

    Raises: TypeError for anything else.
    """
    function = getattr(kernel, "py_func", kernel)
    if not isinstance(function, FunctionType):
        raise TypeError(f"lint needs a kernel or a function, not a {type(kernel).__name__}.")
    return function


def syntax_of(function: FunctionType) -> ast.FunctionDef | None:
    """The definition, with the line numbers of its file or cell; None where the source cannot be found.

    Read once: a host function is asked for it at each call, and text that carries a plan has millions of characters.
    """
    if function not in _trees:
        tree = _parsed(function)
        if tree is None:
            return None
        _trees[function] = tree
    return _trees[function]


def _parsed(function: FunctionType) -> ast.FunctionDef | None:
    try:
        lines, first_line = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return None
    if not tree.body or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    return ast.increment_lineno(tree.body[0], first_line - 1)


def parameters(function: FunctionType) -> tuple[str, ...]:
    """Names of the positional parameters, in order."""
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def referenced_values(function: FunctionType) -> dict[str, Any]:
    """The module-level and enclosing names that the function reads, with their values now."""
    names = _global_names(function.__code__)
    values = {name: function.__globals__[name] for name in sorted(names) if name in function.__globals__}
    cells = function.__closure__ or ()
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            values[name] = cell.cell_contents
        except ValueError:  # a name that the enclosing function has not assigned yet
            continue
    return values


def called_functions(function: FunctionType) -> Iterator[tuple[Any, FunctionType]]:
    """(what the code names, its Python function) for every function reached from this one, itself excluded, once.

    Two that a function returned have one code, and outer values of their own: each is yielded.
    """
    seen, pending = {function}, [function]
    while pending:
        for value in referenced_values(pending.pop()).values():
            callee = getattr(value, "py_func", value)
            if isinstance(callee, FunctionType) and callee not in seen:
                seen.add(callee)
                pending.append(callee)
                yield value, callee


def helpers_of(function: FunctionType, elsewhere: bool = False) -> dict[str, ast.FunctionDef]:
    """The functions of the same file that a kernel and what it calls may call, by the names that they call them.

    elsewhere: those of other files and cells instead, whose lines are no lines of this one.
    """
    named = [referenced_values(one) for one in (function, *(callee for _, callee in called_functions(function)))]
    found = {name: getattr(value, "py_func", value) for values in named for name, value in values.items()}
    file = function.__code__.co_filename
    own = {
        name: one
        for name, one in found.items()
        if isinstance(one, FunctionType) and (one.__code__.co_filename != file) == elsewhere
    }
    return {name: tree for name, one in own.items() if (tree := syntax_of(one)) is not None}


def divisions_of(function: FunctionType) -> frozenset[int] | None:
    """Lines with a // or % in a kernel and all that it calls; None where a source cannot be found.

    A range with a variable step divides as well, to count its iterations, but nobody wrote that division.
    """
    lines: set[int] = set()
    for one in (function, *(callee for _, callee in called_functions(function))):
        tree = syntax_of(one)
        if tree is None:
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.FloorDiv | ast.Mod):
                lines.update(range(node.lineno, node.end_lineno + 1))
    return frozenset(lines)


def dotted_name(node: ast.AST) -> str:
    """ "cuda.shared.array" for such an attribute chain; "" for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def calls_in(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    """Every call in the tree whose callee is written `name` or ends in `.name`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = dotted_name(node.func)
            if called == name or called.endswith("." + name):
                yield node


def _global_names(code: CodeType) -> set[str]:
    names = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == "LOAD_GLOBAL"}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _global_names(constant)
    return names
