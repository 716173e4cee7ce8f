"""Types that numba gives to variables and results where paths join: after an ``if``, in a loop, after several returns.

numba gives a variable one type there, whatever happens at run time: float64, where one path assigns a float32 and the
other 0.5. Here a value has a type once it is computed, so what the path that nobody takes would have assigned is looked
up (result_types.py), as far as it is plain.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.result_types import TypeOf, joined, nothing, type_of
from simt.numerics.operators import SYMBOLS
from simt.source.trees import names_loaded, names_stored
from simt.source.walking import walk
from simt.values.numba_rules import cast, operand_dtype, unify_dtype

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask
    from simt.values import Value

LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Raise)
Types = dict[str, TypeOf]  # of variables


def types_assigned(compiler: Compiler, body: list[ast.stmt]) -> Types:
    """{variable: type of what these statements assign to it last}; empty where they all leave, and join nothing."""
    if _leaves(body):
        return {}
    types: Types = {}
    for statement in body:
        value = getattr(statement, "value", None)
        reads_changed = bool(types) and value is not None and not types.keys().isdisjoint(names_loaded(value))
        if reads_changed:  # variables whose types may not be those of now any more
            types.update((name, nothing) for name in names_stored(statement))
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[-1], ast.Name):
            types[statement.targets[-1].id] = type_of(compiler, statement.value)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            types[statement.target.id] = _augmented(compiler, statement, statement.target.id, types)
        elif isinstance(statement, ast.If) and not is_decided(compiler, statement.test):
            types.update(_joined_sides(compiler, [statement.body, statement.orelse], types))
        elif isinstance(statement, (ast.For, ast.While)) and not statement.orelse:
            types.update(_joined_sides(compiler, [statement.body, []], types))
            types.update((name, nothing) for name in names_stored(getattr(statement, "target", ast.Pass())))
        else:
            types.update((name, nothing) for name in names_stored(statement))
    return {name: find for name, find in types.items() if find is not nothing}


def _leaves(body: list[ast.stmt]) -> bool:
    return any(isinstance(statement, LEAVES) for statement in body)


def _joined_sides(compiler: Compiler, sides: list[list[ast.stmt]], before: Types) -> Types:
    """What the sides of an inner ``if`` or a loop leave, in the types they unify to."""
    reaching = [side for side in sides if not _leaves(side)]
    assigned = [types_assigned(compiler, side) for side in reaching]
    stored = [set().union(*map(names_stored, side)) for side in reaching]
    joins: Types = {}
    for name in set().union(*stored):
        parts = [
            types.get(name, nothing) if name in names else before.get(name) or _type_of_name(compiler, name)
            for types, names in zip(assigned, stored, strict=True)
        ]
        joins[name] = nothing if nothing in parts else joined(parts, _unify_all)
    return joins


def _unify_all(first: np.dtype, *others: np.dtype) -> np.dtype:
    for other in others:
        first = unify_dtype(first, other)
    return first


def _type_of_name(compiler: Compiler, name: str) -> TypeOf:
    return type_of(compiler, ast.Name(name, ast.Load()))


def _augmented(compiler: Compiler, statement: ast.AugAssign, name: str, types: dict[str, TypeOf]) -> TypeOf:
    symbol = SYMBOLS.get(type(statement.op))
    before = types.get(name) or _type_of_name(compiler, name)
    if symbol is None or before is nothing:
        return nothing
    return joined([before, type_of(compiler, statement.value)], lambda left, right: operand_dtype(symbol, left, right))


def is_decided(compiler: Compiler, test: ast.expr) -> bool:
    """Whether a condition is known before the launch, or asks for None: numba compiles one side of it only."""
    parts = walk(test)
    names = [node for node in parts if isinstance(node, ast.Name)]
    asks_for_none = any(isinstance(node, ast.Constant) and node.value is None for node in parts)
    return asks_for_none or not any(node.id in compiler.locals or _is_cuda(compiler, node) for node in names)


def _is_cuda(compiler: Compiler, node: ast.Name) -> bool:
    return getattr(compiler.static(node), "__name__", "").endswith("cuda")


def after_one_side(env: Env, mask: Mask, types: Types, side: Callable | None):
    """Run the side that all lanes take, and unify what it leaves with the types of the side that none takes."""
    others = {name: find(env) for name, find in types.items()}
    after = side(env, mask) if side is not None else mask
    if after is not None:
        _unify(env, after, others)
    return after


def before_loop(env: Env, mask: Mask, types: Types) -> None:
    """Give variables the types that a loop's body will give them: numba does so from the first iteration on."""
    _unify(env, mask, {name: find(env) for name, find in types.items()})


def _unify(env: Env, mask: Mask, others: dict[str, np.dtype | None]) -> None:
    for name, other in others.items():
        if other is not None:
            value = env.get(name)
            unified = unified_with(value, other)
            if unified is not value:
                env.assign(name, unified, mask)


def unified_with(value: Value, other: np.dtype | None):
    """A value in the type that numba unifies its own and another to; what is no number stays."""
    if other is None or not isinstance(value, (np.ndarray, np.generic)) or value.dtype == other:
        return value
    if value.dtype.kind not in "biufc" or other.kind not in "biufc":
        return value
    return cast(value, unify_dtype(value.dtype, other))


def types_returned(compiler: Compiler, body: list[ast.stmt]) -> tuple[TypeOf, ...]:
    """The types of what a function returns, where there are several returns, as far as they are the same throughout:
    of values that name no variable which the function assigns."""
    values, stored = list(_returned(compiler, body)), set().union(*map(names_stored, body))
    lasting = [value for value in values if stored.isdisjoint(names_loaded(value))]
    return tuple(type_of(compiler, value) for value in lasting) if len(values) > 1 else ()


def _returned(compiler: Compiler, body: list[ast.stmt]) -> Iterator[ast.expr]:
    for statement in body:
        if isinstance(statement, ast.Return) and statement.value is not None:
            yield statement.value
        elif isinstance(statement, (ast.For, ast.While, ast.If)):
            if not (isinstance(statement, ast.If) and is_decided(compiler, statement.test)):
                yield from _returned(compiler, [*statement.body, *statement.orelse])
