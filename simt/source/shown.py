"""Where host code shows, compares or returns an array."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache
from types import FrameType
from typing import NamedTuple

from simt.source.walking import tree_of, walk

SHOWS = ("print", "str", "repr", "list", "sum", "max", "min", "all", "any", "display")
SHAPE_ONLY = ("shape", "size", "dtype", "ndim", "nbytes", "strides", "itemsize", "copy", "astype")
FILLS = ("to_device", "copy_to_device", "copy_to_host", "zeros_like", "empty_like", "device_array_like", "copyto")
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Scope(NamedTuple):
    """A function of host code, or the module: its file, and its first line."""

    file: str
    first: int


def first_shown(scope: Scope, name: str, made: int, after: int) -> int:
    """The first line below `after` that shows, compares or returns what `name` holds; 0 where there is none, where the
    name is given another value below line `made`, or the file cannot be read."""
    try:
        tree = ast.parse("".join(linecache.getlines(scope.file)))
    except (SyntaxError, ValueError):
        return 0
    node = node_of(tree, scope.first)
    if node is None or any(_changes(one, name) and _line(one) > made for one in own_parts(node)):
        return 0
    shown = (one.lineno for part in own_parts(node) if _shows(part) for one in _whole(part, name))
    return min((line for line in shown if line > after), default=0)


def line_that_drops(frame: FrameType | None) -> int:
    """The line where a program is, if that is `d.copy_to_host()` and no more, whose result is gone; else 0. The last
    line of a notebook's cell shows it."""
    if frame is None or not frame.f_code.co_filename.endswith(".py"):
        return 0
    return _dropped_at("".join(linecache.getlines(frame.f_code.co_filename)), frame.f_lineno)


@lru_cache(maxsize=256)
def _dropped_at(text: str, line: int) -> int:
    """The same for a line of a file's text, to which a loop comes again and again."""
    for node in walk(tree_of(text)):
        if isinstance(node, ast.Expr) and node.lineno <= line <= (node.end_lineno or 0):
            call = node.value
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "copy_to_host":
                return 0 if call.args or any(one.arg == "ary" for one in call.keywords) else node.lineno
    return 0


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def node_of(tree: ast.Module, first: int) -> ast.AST | None:
    for node in walk(tree):
        if isinstance(node, INNER[:2]) and first == min([node.lineno, *(one.lineno for one in node.decorator_list)]):
            return node
    return tree if first <= 1 else None


def own_parts(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node, without the functions inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, INNER):
            yield child
            yield from own_parts(child)


def _changes(node: ast.AST, name: str) -> bool:
    """Whether a part of the source gives a name another value, or fills what it holds."""
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return isinstance(node.value, ast.Name) and node.value.id == name
    named = {one.id for part in getattr(node, "keywords", ()) if part.arg == "out" for one in _names(part.value)}
    if not isinstance(node, ast.Call) or _called(node) not in ("copy_to_host", "copyto"):
        return name in named
    return name in named | {one.id for part in node.args[:1] for one in _names(part)}


def _shows(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        module = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
        return _called(node) in SHOWS or module and _called(node) not in FILLS
    return isinstance(node, ast.Assert | ast.Return | ast.Compare)


def _whole(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """Where the name stands below a node, and more is asked of it than its shape."""
    if isinstance(node, ast.Name) and node.id == name:
        yield node
    if (
        isinstance(node, ast.Attribute)
        and node.attr in SHAPE_ONLY
        or isinstance(node, ast.Call)
        and _called(node) in FILLS
    ):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in SHOWS:
        return  # a function of the program's, which may well want the array as it was
    for child in ast.iter_child_nodes(node):
        yield from _whole(child, name)


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (one for one in walk(node) if isinstance(one, ast.Name))


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
