"""Compilers of comparisons: ``a < b``, chains of them, ``is`` and ``in``; and of ``match``, a chain of them, too."""

from __future__ import annotations

import ast
import copy
import enum
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.operands.surprises import never_equal
from simt.compiling.whole_arrays import contains
from simt.errors import KernelTypeError
from simt.lanes.masks import narrowed
from simt.memory.arrays import Array
from simt.memory.ranges import Range
from simt.numerics.operators import SYMBOLS, binary
from simt.source.walking import walk
from simt.values import number, truth

if TYPE_CHECKING:
    from simt.closures import Run
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place


def compile_compare(compiler: Compiler, node: ast.Compare) -> Run:
    """``a < b`` and chains; each further operand is evaluated only for lanes where the chain still holds."""
    operands = [_operand(compiler, operand) for operand in (node.left, *node.comparators)]
    symbols = [SYMBOLS.get(type(symbol), type(symbol)) for symbol in node.ops]
    if len(symbols) == 1:
        symbol, (left, right) = symbols[0], operands
        if (telling := never_equal(compiler, node)) is not None:
            return lambda env, mask: telling(env, mask, left(env, mask), right(env, mask))
        if isinstance(symbol, str):
            return lambda env, mask: binary(symbol, left(env, mask), right(env, mask))
        place = compiler.place(node)

        def compared(env: Env, mask: Mask):
            value, other = left(env, mask), right(env, mask)
            if symbol in (ast.In, ast.NotIn):
                found = compare_in(env, mask, place, value, other)
                return found if symbol is ast.In else ~found
            return compare(symbol, value, other)

        return compared

    def chain(env: Env, mask: Mask):
        left, result = operands[0](env, mask), None
        for symbol, operand in zip(symbols, operands[1:], strict=True):
            wanted = mask if result is None else narrowed(mask, truth(result))
            if wanted is None:
                return result
            right = operand(env, wanted)
            holds = compare(symbol, left, right)
            result = holds if result is None else result & holds
            left = right
        return result

    return chain


def compare_in(env: Env, mask: Mask, place: Place, value, values):
    """`value in values`, an array, a range, a tuple or text."""
    if isinstance(values, Array):
        return contains(env, mask, place, values, value)
    if isinstance(values, Range):
        return values.holds(number(value))
    return compare(ast.In, value, values)


def _operand(compiler: Compiler, node: ast.expr) -> Run:
    """One side; a list that is written there is a tuple to Python itself."""
    if not isinstance(node, ast.List):
        return compiler.expression(node)
    items = [compiler.expression(element) for element in node.elts]
    return lambda env, mask: tuple(item(env, mask) for item in items)


def compare(symbol, left, right):
    """One comparison; symbol: "<" and so on, or the syntax class of is, in and their negations."""
    if isinstance(symbol, str):
        return binary(symbol, left, right)
    if symbol in (ast.Is, ast.IsNot):
        same = _is_same(left, right)
        return same if symbol is ast.Is else ~same
    if isinstance(left, str) and isinstance(right, str):
        return np.bool_((left in right) == (symbol is ast.In))
    if not isinstance(right, tuple):
        raise KernelTypeError("`in` looks through a tuple, a range or an array: write the comparisons out, or loop")
    found = np.bool_(False)
    for item in right:
        found = found | binary("==", left, item)
    return found if symbol is ast.In else ~found


def _is_same(left, right):
    """``left is right``: numbers are the same when type and value are, as in numba. A member that differs per thread
    has become a number."""
    if not (isinstance(left, enum.Enum) and isinstance(right, enum.Enum)):
        left, right = number(left), number(right)
    if not isinstance(left, (np.generic, np.ndarray)) or not isinstance(right, (np.generic, np.ndarray)):
        return np.bool_(left is right)
    return binary("==", left, right) if left.dtype == right.dtype else np.bool_(False)


def compile_match(compiler: Compiler, node: ast.Match):
    """``match value: case 1: ...``: cases of values, of alternatives and of any value, with guards.

    A case that takes values apart is refused.
    """
    name = f"match {node.lineno} {node.col_offset}"  # no name that a program can have
    compiler.locals.add(name)
    chain: list[ast.stmt] = []
    for case in reversed(node.cases):
        test = _test(compiler, case.pattern, name)
        captured = _captured(case.pattern)
        compiler.locals |= set(captured)
        if case.guard is not None:
            guard = _Renamed(captured, name).visit(copy.deepcopy(case.guard))
            test = guard if test is None else ast.BoolOp(ast.And(), [test, guard])
        takes = [ast.Assign([ast.Name(one, ast.Store())], ast.Name(name, ast.Load())) for one in captured]
        chain = [*takes, *case.body] if test is None else [ast.If(test, [*takes, *case.body], chain)]
        for statement in chain:
            _place(statement, case.pattern)
    subject = ast.Assign([ast.Name(name, ast.Store())], node.subject)
    _place(subject, node)
    return compiler.block([subject, *chain])


def _test(compiler: Compiler, pattern: ast.pattern, name: str) -> ast.expr | None:
    """The comparison that a pattern stands for, None where it takes anything."""
    value = ast.Name(name, ast.Load())
    if isinstance(pattern, ast.MatchValue):
        return ast.Compare(value, [ast.Eq()], [pattern.value])
    if isinstance(pattern, ast.MatchSingleton):
        return ast.Compare(value, [ast.Is()], [ast.Constant(pattern.value)])
    if isinstance(pattern, ast.MatchAs):
        return None if pattern.pattern is None else _test(compiler, pattern.pattern, name)
    if isinstance(pattern, ast.MatchOr):
        tests = [_test(compiler, one, name) for one in pattern.patterns]
        return None if None in tests else ast.BoolOp(ast.Or(), tests)
    raise compiler.unsupported(
        pattern, "a case that takes a value apart does not run here: compare its parts with if and elif"
    )


def _captured(pattern: ast.pattern) -> list[str]:
    """The names that a pattern gives to the value."""
    return [one.name for one in walk(pattern) if isinstance(one, ast.MatchAs) and one.name is not None]


class _Renamed(ast.NodeTransformer):
    """A guard with the matched value in place of the names the pattern gives it, which are assigned later."""

    def __init__(self, names: list[str], name: str):
        self.names, self.name = names, name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.name, node.ctx), node) if node.id in self.names else node


def _place(node: ast.AST, place: ast.AST) -> None:
    """Give the new nodes among these the place of the pattern; what was written keeps its own."""
    if not hasattr(node, "lineno") and "lineno" in node._attributes:
        ast.copy_location(node, place)
    for child in ast.iter_child_nodes(node):
        _place(child, node if hasattr(node, "lineno") else place)
