"""Arithmetic whose result nobody expects, told to who listens; without a listener there is none of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from simt.numerics.operators import SYMBOLS, binary
from simt.source.walking import walk

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask

Combine = Callable[["Env", "Mask", object, object], object]
Checks = tuple[tuple[str, Callable], ...]  # (what it is called, which lanes it holds for)
MODULAR = (ast.Add, ast.Sub, ast.Mult)  # of whose result only the last bits count, where only these count in the end
LAST_BITS = (ast.BitAnd, ast.Mod)
LARGEST = 2.0**63 * 1.001


def surprising(compiler: Compiler, node: ast.BinOp | ast.AugAssign, symbol: str) -> Combine | None:
    """What combines two numbers and tells of a surprise; None where there is none to tell of, or nobody to be told."""
    if not compiler.traced:
        return None
    checks: dict[str, Checks] = {}  # by type of the result
    if symbol in ("//", "%"):
        _asked(checks, "bBhHiIlLqQ", "zero", lambda left, right, result: right == 0)
    if symbol == "-" and isinstance(node, ast.BinOp) and node not in _of(compiler).only_last_bits:
        _asked(checks, "LQ", "unsigned", lambda left, right, result: left < right)
    if symbol == "*" and node in _of(compiler).growing:
        _asked(checks, "lq", "overflow", _overflows)
    if symbol in ("+", "-") and node in _of(compiler).running:
        _asked(checks, "efd" if node in _of(compiler).of_elements else "ef", "still", stands_still)
    if symbol in ("+", "-", "*", "/", "**") and not _of(compiler).asks_for_infinity:
        _asked(checks, "e", "half", _past_the_largest)
    return _telling(compiler, node, symbol, checks) if checks else None


def _asked(checks: dict[str, Checks], types: str, why: str, odd: Callable) -> None:
    for char in types:
        checks[char] = (*checks.get(char, ()), (why, odd))


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


def _telling(compiler: Compiler, node: ast.expr | ast.stmt, symbol: str, checks: dict[str, Checks]) -> Combine:
    where = compiler.name, node.lineno

    def combine(env: Env, mask: Mask, left, right):
        result = binary(symbol, left, right)
        emit = env.batch.emit
        asked = checks.get(getattr(getattr(result, "dtype", None), "char", "?"))
        if asked and emit.callbacks["surprise"]:
            for why, odd in asked:
                found = odd(left, right, result)
                if found is not False and np.any(found):
                    emit.surprise(env, mask, where, why, found, left, right, result)
        return result

    return combine


def _overflows(left, right, result):
    return np.abs(np.float64(1) * left * right) > LARGEST


def stands_still(left, right, result):
    """Which sums are what they were before, though what was added is not 0, and is worth adding.

    left: what the sum was, in the type that it is kept in. Of whole numbers every step is worth it; of a float16, one
    of more than a quarter of the gap to the next number.
    """
    kept = getattr(left, "dtype", None)
    if kept not in (np.float16, np.float32):
        return False
    after = np.asarray(result).astype(kept)
    still = (after == left) & (right != 0) & np.isfinite(left)
    if not still.any():
        return False
    whole = (np.abs(left) >= WHOLE_UP_TO[kept.char]) & (np.floor(right) == right)
    return still & (whole | (np.abs(right) >= np.abs(left) * QUARTER_GAP) if kept == np.float16 else whole)


WHOLE_UP_TO = {"e": 2.0**11, "f": 2.0**24}  # below, every whole number has a float of this type
QUARTER_GAP = 2.0**-13


def _past_the_largest(left, right, result):
    return np.isinf(result) & np.isfinite(left) & np.isfinite(right) & (right != 0)


class _Operations:
    """Operations of a function. only_last_bits: differences that go into an element, a mask, a remainder or an
    integer of a named type; growing: products of a variable that become the variable's value; running: sums that
    become the value of their first part, of_elements: those of them that are kept in an element;
    asks_for_infinity: whether the function looks at what is not finite."""

    def __init__(self, function: ast.AST) -> None:
        self.only_last_bits: set[ast.AST] = set()
        self.growing: set[ast.AST] = set()
        self.running: set[ast.AST] = set()
        self.of_elements: set[ast.AST] = set()
        self.asks_for_infinity = False
        for node in walk(function):
            self.only_last_bits.update(*map(_modular, _kept_in_bits(node)))
            self.asks_for_infinity |= getattr(node, "attr", getattr(node, "id", "")) in ASK_FOR_INFINITY
            self._runs(node)
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

    def _runs(self, node: ast.AST) -> None:
        if isinstance(node, ast.AugAssign):
            target: ast.expr = node.target
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and _same(node.targets[0], node.value):
            target = node.targets[0]
        else:
            return
        self.running.add(node if isinstance(node, ast.AugAssign) else node.value)
        if not isinstance(target, ast.Name):
            self.of_elements.add(node if isinstance(node, ast.AugAssign) else node.value)


ASK_FOR_INFINITY = ("isinf", "isnan", "isfinite", "hisinf", "hisnan")


def _same(target: ast.expr, value: ast.BinOp) -> bool:
    return ast.unparse(target) == ast.unparse(value.left)


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
