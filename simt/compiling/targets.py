"""Compilers of what an assignment writes to: a name, an element, a field, or several of them at once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.subscripts import compile_index, subscript_place
from simt.errors import KernelTypeError
from simt.memory.access import load, store
from simt.memory.arrays import Array
from simt.memory.fields import store_field
from simt.memory.ranges import Range
from simt.memory.records import Record
from simt.refusals import language, types
from simt.values.vectors import Parts

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask
    from simt.values import Value


def compile_target(compiler: Compiler, node: ast.expr):
    """What an assignment writes to, as ``put(env, mask, value)``."""
    if isinstance(node, ast.Name):
        name = node.id
        return lambda env, mask, value: env.assign(name, value, mask)
    if isinstance(node, (ast.Tuple, ast.List)):
        return _compile_unpacking(compiler, node)
    if isinstance(node, ast.Subscript):
        array, index = compiler.expression(node.value), compile_index(compiler, node.slice)
        place = subscript_place(compiler, node)
        return lambda env, mask, value: store(env, mask, array(env, mask), index(env, mask), value, place)
    if isinstance(node, ast.Attribute):
        return _compile_field_target(compiler, node)
    raise compiler.unsupported(node, f"cannot assign to `{ast.unparse(node)}`")


def _compile_unpacking(compiler: Compiler, node):
    if any(isinstance(element, ast.Starred) for element in node.elts):
        raise compiler.unsupported(node, language.STARRED)
    targets = [compile_target(compiler, element) for element in node.elts]
    place = compiler.place(node)

    def put(env: Env, mask: Mask, value: Value):
        if isinstance(value, Parts):
            raise value.refused("is not unpacked")
        if isinstance(value, Array):
            value = tuple(load(env, mask, value, np.int64(k), place) for k in range(int(value.shape[0])))
        if isinstance(value, Range):
            value = value.all(env, mask)
        if not isinstance(value, tuple) or len(value) != len(targets):
            raise KernelTypeError(types.unpacking())
        for one, item in zip(targets, value, strict=True):
            one(env, mask, item)

    return put


def _compile_field_target(compiler: Compiler, node: ast.Attribute):
    owner, name, place = compiler.expression(node.value), node.attr, compiler.place(node)

    def put(env: Env, mask: Mask, value: Value):
        record = owner(env, mask)
        if isinstance(record, Array) and record.dtype.names and record.ndim == 0:
            record = Record(record, record.base)
        if not isinstance(record, Record):
            raise KernelTypeError(f"cannot assign to .{name}: only fields of records can be assigned")
        store_field(env, mask, record, name, value, place)

    return put
