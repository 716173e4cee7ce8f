"""Types of variables after an ``if`` of which all threads take the same side.

numba gives a variable one type after the two sides join, whatever happens at run time: float64, where one side assigns
a float32 and the other 0.5. Here a value has a type once it is computed, so what the side that nobody takes would have
assigned is looked up (result_types.py), as far as it is plain.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import numpy as np

from .numba_rules import cast, operand_dtype, unify_dtype
from .operators import SYMBOLS
from .result_types import TypeOf, joined, nothing, type_of
from .values import UNDEFINED

LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Raise)


def types_assigned(compiler, test: ast.expr, body: list[ast.stmt]) -> dict[str, TypeOf]:
    """{variable: type of what these statements assign to it last}; empty where no path leads from them to the join.

    A condition that numba decides when it compiles leaves one side only: then nothing is unified.
    """
    if any(isinstance(statement, LEAVES) for statement in body) or _is_decided(compiler, test):
        return {}
    types: dict[str, TypeOf] = {}
    for statement in body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[-1], ast.Name):
            types[statement.targets[-1].id] = type_of(compiler, statement.value)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            types[statement.target.id] = _augmented(compiler, statement, types)
        elif isinstance(statement, ast.If):
            types.update(_branched(compiler, statement))
        else:
            types.update((name, nothing) for name in _names_stored(statement))
    return {name: find for name, find in types.items() if find is not nothing}


def _branched(compiler, statement: ast.If) -> dict[str, TypeOf]:
    """What an inner ``if`` assigns, in the type its sides unify to; `nothing` for what only one of them assigns."""
    sides = [types_assigned(compiler, statement.test, body) for body in (statement.body, statement.orelse)]
    types = dict.fromkeys(_names_stored(statement), nothing)
    for name in sides[0].keys() & sides[1].keys():
        types[name] = joined([sides[0][name], sides[1][name]], unify_dtype)
    return types


def _augmented(compiler, statement: ast.AugAssign, types: dict[str, TypeOf]) -> TypeOf:
    symbol, target = SYMBOLS.get(type(statement.op)), statement.target
    before = types.get(target.id) or type_of(compiler, ast.copy_location(ast.Name(target.id, ast.Load()), target))
    if symbol is None or before is nothing:
        return nothing
    return joined([before, type_of(compiler, statement.value)], lambda left, right: operand_dtype(symbol, left, right))


def _names_stored(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _is_decided(compiler, test: ast.expr) -> bool:
    """Whether a condition is known before the launch, or asks for None."""
    names = [node for node in ast.walk(test) if isinstance(node, ast.Name)]
    asks_for_none = any(isinstance(node, ast.Constant) and node.value is None for node in ast.walk(test))
    return asks_for_none or not any(node.id in compiler.locals or _is_cuda(compiler, node) for node in names)


def _is_cuda(compiler, node: ast.Name) -> bool:
    return getattr(compiler.static(node), "__name__", "").endswith("cuda")


def after_one_side(env, mask, types: dict[str, TypeOf], side: Callable):
    """Run the side that all lanes take, and unify what it leaves with the types of the side that none takes."""
    others = {name: find(env) for name, find in types.items()}
    after = side(env, mask) if side is not None else mask
    if after is None:
        return None
    for name, other in others.items():
        value = env.get(name) if other is not None else UNDEFINED
        if not isinstance(value, (np.ndarray, np.generic)) or value.dtype == other:
            continue
        if value.dtype.kind in "biufc" and other.kind in "biufc":
            dtype = unify_dtype(value.dtype, other)
            if dtype != value.dtype:
                env.assign(name, cast(value, dtype), after)
    return after
