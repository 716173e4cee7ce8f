"""Compilers of statements. Each returns a closure ``f(env, mask) -> surviving mask``, or None for nothing to do."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.branch_types import after_one_side, is_decided, types_assigned
from simt.compiling.comparisons import compile_match
from simt.compiling.counting import operation_of, place_of, tell_of
from simt.compiling.exits import compile_assert, compile_break, compile_continue, compile_raise, compile_return
from simt.compiling.inner_functions import compile_definition
from simt.compiling.loops import compile_for, compile_while
from simt.compiling.operands.signs import shifted
from simt.compiling.operands.surprises import surprising
from simt.compiling.refused import compile_global
from simt.compiling.subscripts import compile_index, subscript_place
from simt.compiling.targets import compile_target
from simt.lanes.masks import COMPACT_BELOW, COMPACT_FROM, Mask, join
from simt.memory.access import load, store
from simt.numerics.operators import SYMBOLS, binary
from simt.refusals import calls
from simt.values import truth

if TYPE_CHECKING:
    from simt.closures import Body
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env


def compile_pass(compiler: Compiler, node):
    """``pass``."""
    return None


def compile_expression_statement(compiler: Compiler, node: ast.Expr) -> Body:
    """A call for its effect; docstrings and other constants are skipped."""
    if isinstance(node.value, ast.Constant):
        return None
    value = compiler.expression(node.value, result_used=False)

    def run(env: Env, mask: Mask):
        value(env, mask)
        return mask

    return run


def compile_assign(compiler: Compiler, node: ast.Assign) -> Body:
    """``a = b = value``."""
    name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
    value = compiler.expression(node.value, target=name)
    targets = tuple(compile_target(compiler, target) for target in node.targets)
    if len(targets) == 1:
        put = targets[0]

        def run(env: Env, mask: Mask):
            put(env, mask, value(env, mask))
            return mask

        return run

    def run_all(env: Env, mask: Mask):
        result = value(env, mask)
        for put in targets:
            put(env, mask, result)
        return mask

    return run_all


def compile_annotated_assign(compiler: Compiler, node: ast.AnnAssign):
    """``a: int = value``."""
    if node.value is None:
        return None
    return compile_assign(compiler, ast.copy_location(ast.Assign([node.target], node.value), node))


def compile_augmented_assign(compiler: Compiler, node: ast.AugAssign) -> Body:
    """``a += value`` and ``a[i] += value``; the latter loads, then stores."""
    symbol = SYMBOLS.get(type(node.op))
    if symbol is None:
        raise compiler.unsupported(node, calls.matrix_product(ast.unparse(node)))
    value = compiler.expression(node.value)
    counted, operation = place_of(compiler, node, node.target), operation_of(compiler, node.op, node.value)

    shift = shifted(compiler, node, partial(binary, symbol)) if symbol == ">>" else surprising(compiler, node, symbol)

    def combine(env: Env, mask: Mask, old):
        other = value(env, mask)
        result = binary(symbol, old, other) if shift is None else shift(env, mask, old, other)
        if counted is not None:
            tell_of(env, mask, counted, operation, result)
        return result

    if isinstance(node.target, ast.Subscript):
        return _combined_in_place(compiler, node.target, combine)
    read, put = compiler.expression(_as_read(node.target)), compile_target(compiler, node.target)

    def run(env: Env, mask: Mask):
        put(env, mask, combine(env, mask, read(env, mask)))
        return mask

    return run


def _combined_in_place(compiler: Compiler, target: ast.Subscript, combine) -> Body:
    """``target = combine(target)`` for an element, whose array and index are worked out once."""
    array, index = compiler.expression(target.value), compile_index(compiler, target.slice)
    read_place, write_place = subscript_place(compiler, target), subscript_place(compiler, target)

    def run(env: Env, mask: Mask):
        owner, position = array(env, mask), index(env, mask)
        result = combine(env, mask, load(env, mask, owner, position, read_place))
        store(env, mask, owner, position, result, write_place)
        return mask

    return run


def _as_read(target: ast.Name | ast.Attribute) -> ast.expr:
    """A target as the expression that reads it."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)


def compile_if(compiler: Compiler, node: ast.If) -> Body:
    """Both sides run one after the other, each under its own mask; a side with few lanes runs on those alone."""
    condition, place = compiler.expression(node.test), compiler.place(node.test)
    then = compiler.block(node.body)
    otherwise = compiler.block(node.orelse) if node.orelse else None
    sides = ([], []) if is_decided(compiler, node.test) else (node.body, node.orelse)
    assigned_then, assigned_otherwise = (types_assigned(compiler, side) for side in sides)
    traced = compiler.traced

    def only_then(env: Env, mask: Mask):
        return after_one_side(env, mask, assigned_otherwise, then) if assigned_otherwise else then(env, mask)

    def only_otherwise(env: Env, mask: Mask):
        if assigned_then:
            return after_one_side(env, mask, assigned_then, otherwise)
        return otherwise(env, mask) if otherwise is not None else mask

    def run(env: Env, mask: Mask):
        value = truth(condition(env, mask))
        if traced:
            env.batch.emit.branch(env, mask, value, place)
        if type(value) is not np.ndarray:
            return only_then(env, mask) if value else only_otherwise(env, mask)
        taken = value if mask.bits is None else value & mask.bits
        count = int(np.count_nonzero(taken))
        if count == mask.count:
            return only_then(env, mask)
        if count == 0:
            return only_otherwise(env, mask)
        yes = Mask(taken, count)
        no = Mask(~value if mask.bits is None else mask.bits & ~value, mask.count - count)
        after_yes = run_side(env, yes, then)
        after_no = no if otherwise is None else run_side(env, no, otherwise)
        if after_yes is yes and after_no is no:
            return mask
        return join(after_yes, after_no, env.width)

    return run


def run_side(env: Env, mask: Mask, statement):
    """Run one side of a branch, in an environment of its own lanes when they are few."""
    if mask.count >= COMPACT_BELOW * env.width or env.width < COMPACT_FROM:
        return statement(env, mask)
    child = env.child(mask)
    after = statement(child, child.full)
    env.absorb(child)
    if after is None:
        return None
    if after.bits is None:
        return mask
    bits = np.zeros(env.width, bool)
    bits[child.index[after.bits]] = True
    return Mask(bits, after.count)


COMPILERS = {
    ast.Pass: compile_pass, ast.Expr: compile_expression_statement, ast.Assign: compile_assign,
    ast.AnnAssign: compile_annotated_assign, ast.AugAssign: compile_augmented_assign, ast.If: compile_if,
    ast.While: compile_while, ast.For: compile_for, ast.Return: compile_return, ast.Break: compile_break,
    ast.Match: compile_match,
    ast.FunctionDef: compile_definition, ast.Global: compile_global, ast.Nonlocal: compile_global,
    ast.Continue: compile_continue, ast.Assert: compile_assert, ast.Raise: compile_raise,
}  # fmt: skip
