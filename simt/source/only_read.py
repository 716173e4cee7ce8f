"""Which array arguments does a kernel's source only read? Lets analyses skip what cannot happen to those.

Cautious: an argument that is renamed, sliced, viewed or handed to a function is not on the list.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable

from simt.events import ArrayInfo
from simt.source.walking import walk

SAFE_ATTRIBUTES = frozenset({"shape", "size", "ndim", "dtype", "strides", "itemsize", "nbytes"})


def only_read_arguments(function: ast.FunctionDef | ast.Lambda, arguments: Iterable[ArrayInfo]) -> frozenset[str]:
    """Names of arguments of which the source only ever loads single elements."""
    dimensions = {array.name: len(array.shape) for array in arguments if array.dtype.names is None}
    return _only_read(function, tuple(dimensions.items()))


@functools.lru_cache(maxsize=1024)  # a function is launched many times
def _only_read(function: ast.FunctionDef | ast.Lambda, axes: tuple[tuple[str, int], ...]) -> frozenset[str]:
    """axes: (name, number of axes) of each argument."""
    dimensions = dict(axes)
    nodes = list(walk(function))
    harmless = {id(name) for node in nodes for name in _harmless_names(node, dimensions)}
    suspects = {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in harmless}
    return frozenset(dimensions.keys() - suspects)


def _harmless_names(node: ast.AST, dimensions: dict[str, int]) -> list[ast.Name]:
    """The array name inside `x[i, j]`, `x.shape` or `len(x)`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in SAFE_ATTRIBUTES:
        return [node.value]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        return [argument for argument in node.args if isinstance(argument, ast.Name)]
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
        axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        single = not any(isinstance(axis, (ast.Slice, ast.Starred)) or _is_ellipsis(axis) for axis in axes)
        if single and len(axes) == dimensions.get(node.value.id):
            return [node.value]
    return []


def _is_ellipsis(node: ast.expr) -> bool:
    """Whether an index is ``...``, which selects the whole array instead of an element."""
    return isinstance(node, ast.Constant) and node.value is Ellipsis
