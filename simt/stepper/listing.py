"""The source of a kernel and of the device functions it calls, as numbered lines."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable

from simt.errors import UnsupportedError
from simt.source.recognise import python_function
from simt.source.trees import find_source
from simt.source.walking import walk

Listing = dict[str, tuple[int, tuple[str, ...]]]  # function name -> (number of its first line, its lines)


def listing_of(kernel: Callable) -> Listing:
    """The lines of a kernel and of every function that it or one of those names. What has no source is left out."""
    found: Listing = {}
    pending = [python_function(kernel)]
    while pending:
        function = pending.pop()
        if function is None or function.__name__ in found:
            continue
        try:
            source = find_source(function)
        except UnsupportedError:
            continue
        node = source.node
        lines = source.lines[node.lineno - 1 : node.end_lineno]
        found[function.__name__] = node.lineno, tuple(line.rstrip() for line in lines)
        pending += [python_function(value) for value in _named_functions(function, node)]
    return found


def _named_functions(function, node: ast.AST) -> list:
    """Objects that a function's source names and that are functions of Python, or are made from one."""
    known = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            known[name] = cell.cell_contents
        except ValueError:  # a variable that was never set
            continue
    names = {name.id for name in walk(node) if isinstance(name, ast.Name)}
    own = (known[name] for name in sorted(names & set(known)))
    return [value for value in own if inspect.isfunction(value) or hasattr(value, "py_func")]


def line_text(listing: Listing, function: str, line: int) -> str:
    """One line, stripped; "" where its source is not known."""
    first, lines = listing.get(function, (0, ()))
    return lines[line - first].strip() if 0 <= line - first < len(lines) else ""
