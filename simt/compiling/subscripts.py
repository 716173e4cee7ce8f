"""Compilers of subscripts: ``array[i, j]``, slices, and which axes are indexed from the end on purpose."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from simt.compiling.attributes import attribute_of
from simt.memory.access import load
from simt.memory.arrays import Array

if TYPE_CHECKING:
    from simt.closures import Run
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place


def compile_subscript(compiler: Compiler, node: ast.Subscript) -> Run:
    """``array[index]``."""
    array, index, place = (
        compiler.expression(node.value),
        compile_index(compiler, node.slice),
        subscript_place(compiler, node),
    )
    if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return _field(array, node.slice.value, place)
    if isinstance(node.slice, ast.Constant) and type(node.slice.value) is int:
        return _numbered(array, node.slice.value, index, place)
    return lambda env, mask: load(env, mask, array(env, mask), index(env, mask), place)


def _field(owner, name: str, place: Place) -> Run:
    """``records["field"]``: of an array of records, the array of the field."""

    def run(env: Env, mask: Mask):
        value = owner(env, mask)
        if isinstance(value, Array) and name in (value.dtype.names or ()):
            return attribute_of(env, mask, value, name, place)
        return load(env, mask, value, name, place)

    return run


def _numbered(owner, number: int, index, place: Place):
    """``accumulators[3]``: kernels that keep many values in registers say this more than anything else."""

    def run(env: Env, mask: Mask):
        value = owner(env, mask)
        if type(value) is tuple and number < len(value):
            return value[number]
        return load(env, mask, value, index(env, mask), place)

    return run


def subscript_place(compiler: Compiler, node: ast.Subscript):
    """The place of a subscript, with the axes that a negative literal indexes."""
    axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    negative = (axis for axis, index in enumerate(axes) if _is_negative_literal(index))
    return compiler.place(node, deliberate=frozenset(negative))


def _is_negative_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)


def compile_index(compiler: Compiler, node: ast.expr):
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
