"""Compilers of subscripts: ``array[i, j]``, slices, and which axes are indexed from the end on purpose."""

from __future__ import annotations

import ast

from .memory import load


def compile_subscript(compiler, node: ast.Subscript):
    """``array[index]``."""
    array, index, place = (
        compiler.expression(node.value),
        compile_index(compiler, node.slice),
        subscript_place(compiler, node),
    )
    return lambda env, mask: load(env, mask, array(env, mask), index(env, mask), place)


def subscript_place(compiler, node: ast.Subscript):
    """The place of a subscript, with the axes that a negative literal indexes."""
    axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    negative = (axis for axis, index in enumerate(axes) if _is_negative_literal(index))
    return compiler.place(node, deliberate=frozenset(negative))


def _is_negative_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)


def compile_index(compiler, node: ast.expr):
    """What stands between the brackets, as a value, a slice or a tuple of them."""
    if isinstance(node, ast.Slice):
        parts = [None if part is None else compiler.expression(part) for part in (node.lower, node.upper, node.step)]
        return lambda env, mask: slice(*(None if part is None else part(env, mask) for part in parts))
    if isinstance(node, ast.Tuple):
        items = [compile_index(compiler, element) for element in node.elts]
        if len(items) == 2:
            first, second = items
            return lambda env, mask: (first(env, mask), second(env, mask))
        return lambda env, mask: tuple(item(env, mask) for item in items)
    return compiler.expression(node)
