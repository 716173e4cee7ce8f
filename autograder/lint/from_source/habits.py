"""Habits that compile and mean another thing: `&` for `and`, a loop variable that is moved on, `+=` twice.

Each is a note where the answer is right, and the cause where what it leads to was found.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from autograder.lint.report import NOTE, LintFinding
from autograder.lint.source import dotted_name

KIND = "habit"
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_WORDS = {ast.BitAnd: ("&", "and"), ast.BitOr: ("|", "or")}


def habits(tree: ast.FunctionDef) -> Iterator[LintFinding]:
    """Every such line of a function."""
    for node in ast.walk(tree):
        for says, remedy, line in (
            *_bits_between_comparisons(node),
            *_tuples_in_order(node),
            *_moved_on(node),
            *_one_turn(node),
            *_added_twice(node),
            *_swapped_one_by_one(node),
            *_atomic_of_the_sum(node),
        ):
            yield LintFinding(KIND, KIND, says, remedy, (line,), NOTE)


def _bits_between_comparisons(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """`x < n & y < m`, which is `x < (n & y) < m`."""
    if not (isinstance(node, ast.Compare) and len(node.ops) > 1):
        return
    text = ast.unparse(node)
    for part in node.comparators[:-1]:
        if isinstance(part, ast.BinOp) and type(part.op) in _WORDS:
            sign, word = _WORDS[type(part.op)]
            inner = ast.unparse(part)
            says = (
                f"`{sign}` works on the bits of two numbers and goes before `<`: the condition is "
                f"`{text.replace(inner, f'({inner})', 1)}`."
            )
            meant = text.replace(inner, f"{ast.unparse(part.left)} {word} {ast.unparse(part.right)}", 1)
            yield says, f"Write `{meant}`.", node.lineno


def _tuples_in_order(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """`(x, y) < a.shape`, which asks about the second only where the first are equal."""
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _ORDERS)):
        return
    for one in (node.left, node.comparators[0]):
        if isinstance(one, ast.Tuple) and len(one.elts) > 1:
            first, second = map(ast.unparse, one.elts[:2])
            says = (
                f"`{ast.unparse(node)}` compares tuples as words are sorted: it is decided by `{first}` alone, unless "
                f"that is equal, and `{second}` may be anything."
            )
            yield says, "Ask about each number, with `and` between them.", node.lineno
            return


def _moved_on(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """`for i in range(...)` whose last statement is `i += step`, which no iteration sees."""
    if not (isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Call)):
        return
    last, name = node.body[-1], node.target.id
    moved = isinstance(last, ast.AugAssign) and ast.unparse(last.target) == name
    moved |= isinstance(last, ast.Assign) and [ast.unparse(one) for one in last.targets] == [name]
    if not moved or ast.unparse(node.iter.func) != "range":
        return
    assert isinstance(last, ast.AugAssign | ast.Assign)
    says = f"`{ast.unparse(last)}` changes nothing: `for` gives {name} the next number of its range in every iteration."
    remedy = "Give the step to range, as in range(start, stop, step)."
    begun = [*node.iter.args, None, None][:2] if len(node.iter.args) == 2 else [None, None]
    if isinstance(last, ast.AugAssign) and isinstance(last.op, ast.Add) and begun[0] is not None:
        start, stop = map(ast.unparse, node.iter.args)
        remedy = f"Give the step to range: range({start}, {stop}, {ast.unparse(last.value)})."
    yield says, remedy, last.lineno


def _one_turn(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """A loop whose last statement, under no condition, leaves it."""
    if not isinstance(node, ast.For | ast.While) or not isinstance(node.body[-1], ast.Return | ast.Break):
        return
    if any(isinstance(part, ast.Continue) for part in ast.walk(node)):
        return
    word = "return" if isinstance(node.body[-1], ast.Return) else "break"
    says = f"The loop of line {node.lineno} makes one iteration at most: `{word}` ends it in the first."
    remedy = f"Take the `{word}` out, or indent it under the condition that it belongs to."
    yield says, remedy, node.body[-1].lineno


def _swapped_one_by_one(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """`a[k] = a[k + 1]`, and `a[k + 1] = a[k]` in the next line."""
    for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
        for first, second in pairwise(block if isinstance(block, list) else []):
            if not all(isinstance(one, ast.Assign) and len(one.targets) == 1 for one in (first, second)):
                continue
            one, other = ast.unparse(first.targets[0]), ast.unparse(first.value)
            if isinstance(first.value, ast.Name | ast.Subscript) and one != other:
                if (ast.unparse(second.targets[0]), ast.unparse(second.value)) == (other, one):
                    says = f"`{other} = {one}` changes nothing: line {first.lineno} has made them equal."
                    yield says, f"Exchange both at once: `{one}, {other} = {other}, {one}`.", second.lineno


def _added_twice(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """`y[i] += a * x[i] + y[i]`."""
    if not (isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add)):
        return
    target, terms = ast.unparse(node.target), [ast.unparse(term) for term in _terms(node.value)]
    if len(terms) > 1 and target in terms:
        terms.remove(target)
        says = f"`{ast.unparse(node)}` adds {target} twice: += adds it already."
        yield says, f"Write `{target} += {' + '.join(terms)}`.", node.lineno


def _atomic_of_the_sum(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """`cuda.atomic.add(total, 0, total[0] + x)`."""
    if not (isinstance(node, ast.Call) and dotted_name(node.func) == "cuda.atomic.add" and len(node.args) == 3):
        return
    array, index, value = node.args
    cell, terms = f"{ast.unparse(array)}[{ast.unparse(index).strip('()')}]", [ast.unparse(t) for t in _terms(value)]
    if cell in terms:
        terms.remove(cell)
        says = f"cuda.atomic.add adds to {cell} itself, and `{ast.unparse(value)}` has {cell} in it once more."
        what = " + ".join(terms) or "the value alone"
        yield says, f"Pass what is to be added, and no more: `{what}`.", node.lineno


def _terms(value: ast.expr) -> list[ast.expr]:
    """The terms of a sum."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return [*_terms(value.left), *_terms(value.right)]
    return [value]
