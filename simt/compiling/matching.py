"""``match value: case 1: ...``, as the chain of comparisons that it is to a compiler."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler


def compile_match(compiler: Compiler, node: ast.Match):
    """Cases of values, of alternatives and of any value, with guards; a case that takes values apart is refused."""
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
    return [one.name for one in ast.walk(pattern) if isinstance(one, ast.MatchAs) and one.name is not None]


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
