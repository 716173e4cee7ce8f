"""Arithmetic whose result nobody expects, told to who listens; without a listener there is none of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from simt.numerics.operators import SYMBOLS, binary

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask

Combine = Callable[["Env", "Mask", object, object], object]
MODULAR = (ast.Add, ast.Sub, ast.Mult)  # of whose result only the last bits count, where only these count in the end
LAST_BITS = (ast.BitAnd, ast.Mod)
LARGEST = 2.0**63 * 1.001


def surprising(compiler: Compiler, node: ast.BinOp | ast.AugAssign, symbol: str) -> Combine | None:
    """What combines two numbers and tells of a surprise; None where there is none to tell of, or nobody to be told."""
    if not compiler.traced:
        return None
    if symbol in ("//", "%"):
        return _telling(compiler, node, symbol, "zero", lambda left, right, result: right == 0)
    if symbol == "-" and isinstance(node, ast.BinOp) and node not in _of(compiler).only_last_bits:
        return _telling(compiler, node, symbol, "unsigned", lambda left, right, result: left < right)
    if symbol == "*" and node in _of(compiler).growing:
        return _telling(compiler, node, symbol, "overflow", _overflows)
    return None


TYPES = {"zero": "bBhHiIlLqQ", "unsigned": "LQ", "overflow": "lq"}  # of results, by what may surprise


def never_equal(compiler: Compiler, node: ast.Compare) -> Combine | None:
    """What compares a value with a constant that it never equals, and tells so; None for any other comparison."""
    if not compiler.traced or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return None
    for side, other in ((node.left, False), (node.comparators[0], True)):
        constant = side.value if isinstance(side, ast.Constant) else compiler.static(side)
        if isinstance(constant, float):
            return _with_constant(compiler, node, float(constant), other)
    return None


def _with_constant(compiler: Compiler, node: ast.Compare, constant: float, is_right: bool) -> Combine | None:
    symbol, where = SYMBOLS[type(node.ops[0])], (compiler.name, node.lineno)
    is_nan = constant != constant
    with np.errstate(over="ignore"):
        if not is_nan and float(np.float32(constant)) == constant:
            return None

    def compare(env: Env, mask: Mask, left, right):
        value, emit = left if is_right else right, env.batch.emit
        if emit.callbacks["surprise"] and (is_nan or getattr(value, "dtype", None) == np.float32):
            result = np.bool_(symbol == "!=")
            emit.surprise(env, mask, where, "nan" if is_nan else "float32", np.bool_(True), left, right, result)
        return binary(symbol, left, right)

    return compare


def _telling(compiler: Compiler, node: ast.expr | ast.stmt, symbol: str, why: str, odd: Callable) -> Combine:
    where, types = (compiler.name, node.lineno), TYPES[why]

    def combine(env: Env, mask: Mask, left, right):
        result = binary(symbol, left, right)
        emit = env.batch.emit
        if getattr(getattr(result, "dtype", None), "char", "?") in types and emit.callbacks["surprise"]:
            found = odd(left, right, result)
            if found is not False and np.any(found):
                emit.surprise(env, mask, where, why, found, left, right, result)
        return result

    return combine


def _overflows(left, right, result):
    return np.abs(np.float64(1) * left * right) > LARGEST


class _Operations:
    """Operations of a function. only_last_bits: differences that go into an element, a mask, a remainder or an
    integer of a named type; growing: products of a variable that become the variable's value."""

    def __init__(self, function: ast.AST) -> None:
        self.only_last_bits: set[ast.AST] = set()
        self.growing: set[ast.AST] = set()
        for node in ast.walk(function):
            self.only_last_bits.update(*map(_modular, _kept_in_bits(node)))
            if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Mult) and isinstance(node.target, ast.Name):
                self.growing.add(node)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
                self._grows(node, node.value)

    def _grows(self, node: ast.Assign, value: ast.BinOp) -> None:
        names = {one.id for one in (value.left, value.right) if isinstance(one, ast.Name)}
        if isinstance(value.op, ast.Mult) and any(
            isinstance(one, ast.Name) and one.id in names for one in node.targets
        ):
            self.growing.add(value)


def _kept_in_bits(node: ast.AST) -> Iterator[ast.expr]:
    """Expressions of which this node uses the last bits alone, or which a store looks at."""
    if isinstance(node, ast.Assign) and all(isinstance(one, ast.Subscript | ast.Attribute) for one in node.targets):
        yield node.value
    elif isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Name):
        yield node.value
    elif isinstance(node, ast.BinOp) and isinstance(node.op, LAST_BITS):
        yield node.left
    elif isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called.startswith(("int", "uint")):
            yield from node.args


def _modular(node: ast.expr) -> Iterator[ast.expr]:
    """An expression and the parts of it that sums, differences and products are made of."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, MODULAR):
        yield node
        yield from _modular(node.left)
        yield from _modular(node.right)


_known: WeakKeyDictionary[ast.AST, _Operations] = WeakKeyDictionary()


def _of(compiler: Compiler) -> _Operations:
    function = compiler.source.node
    if function not in _known:
        _known[function] = _Operations(function)
    return _known[function]
