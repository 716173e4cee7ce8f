"""Which assignment a variable has its value from at a statement, read from the source of one function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from simt.source.walking import walk

GROWS = (ast.Mult, ast.Add)
LOOPS = (ast.While, ast.For)


class Set(NamedTuple):
    """A variable is `value` after `statement`, worked out with what others are before it.

    before: of a sum that a loop adds to every time, the statement that it begins before; None of any other value.
    """

    value: ast.expr
    statement: ast.stmt
    before: ast.stmt | None = None


class Assignments:
    """The assignments of a function. grown: variables that some sum or product is behind."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self._around: dict[ast.stmt, tuple[list[ast.stmt], int, ast.stmt | None]] = {}
        self._statement: dict[ast.AST, ast.stmt] = {}
        self._enter(body, None)
        self.grown = self._grown()

    def statement_of(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that an expression is a part of."""
        return self._statement.get(node)

    def before(self, name: str, at: ast.stmt) -> Set | None:
        """Where a variable has its value from when a statement begins; None where that is not one place."""
        if isinstance(at, LOOPS) and _sets(at, name):
            return self._sum_of(name, at)
        return self.before_turns(name, at)

    def before_turns(self, name: str, at: ast.stmt) -> Set | None:
        """The same, of a loop when it begins its first iteration."""
        block, index, parent = self._around[at]
        for statement in reversed(block[:index]):
            if (found := _set_by(statement, name)) is not None:
                return found
            if isinstance(statement, LOOPS) and (found := self._sum_of(name, statement)) is not None:
                return found
            if _sets(statement, name):
                return None
        if isinstance(parent, LOOPS) and _sets(parent, name):
            return self._sum_of(name, parent)
        return self.before(name, parent) if isinstance(parent, (*LOOPS, ast.If)) else None

    def only(self, name: str) -> ast.expr | None:
        """What a variable is set to in the one place that sets it."""
        stores = [part for one in self._around for part in walk(one) if _stores(part, name)]
        found = [made.value for one in self._around if (made := _set_by(one, name)) is not None]
        return found[0] if len(found) == 1 and len({*stores}) == 1 else None

    def _sum_of(self, name: str, loop: ast.stmt) -> Set | None:
        """What a loop adds to a variable in each of its iterations, where it does nothing else with it."""
        assert isinstance(loop, LOOPS)
        found = [one for one in loop.body if (set_here := _set_by(one, name)) and _adds_to(set_here.value, name)]
        skips = any(isinstance(part, ast.Continue) for part in walk(loop))
        if len(found) != 1 or skips or sum(_stores(part, name) for part in walk(loop)) != 1:
            return None
        made = _set_by(found[0], name)
        return Set(made.value, found[0], loop) if made is not None else None

    def _enter(self, body: list[ast.stmt], parent: ast.stmt | None) -> None:
        for index, statement in enumerate(body):
            self._around[statement] = body, index, parent
            for field, value in ast.iter_fields(statement):
                blocks = [value] if field in ("body", "orelse", "finalbody") else []
                blocks += [case.body for case in value] if field == "cases" else []
                for block in blocks:
                    self._enter(block, statement)
                parts = value if isinstance(value, list) else [value]
                for part in () if blocks else (one for one in parts if isinstance(one, ast.AST)):
                    self._statement.update(dict.fromkeys(walk(part), statement))

    def _grown(self) -> set[str]:
        pairs = [(name, value) for one in self._around for name, value in _assigned(one)]
        grown: set[str] = set()
        before = -1
        while before < (before := len(grown)):
            grown |= {name for name, value in pairs if any(_grows(part, grown) for part in walk(value))}
        return grown


def _assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from ((part.id, statement.value) for part in walk(target) if isinstance(part, ast.Name))
    elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id, _combined(statement)


def _grows(part: ast.AST, grown: set[str]) -> bool:
    by_name = isinstance(part, ast.Name) and part.id in grown
    return by_name or isinstance(part, ast.BinOp) and isinstance(part.op, GROWS)


def _set_by(statement: ast.stmt, name: str) -> Set | None:
    """What `h = ...` or `h ^= ...` makes of a variable; None for any other statement."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and _is_name(statement.targets[0], name):
        return Set(statement.value, statement)
    if isinstance(statement, ast.AugAssign) and _is_name(statement.target, name):
        return Set(_combined(statement), statement)
    return None


def _combined(statement: ast.AugAssign) -> ast.BinOp:
    """`h ^ value` of `h ^= value`."""
    read = ast.copy_location(ast.Name(ast.unparse(statement.target), ast.Load()), statement.target)
    return ast.copy_location(ast.BinOp(read, statement.op, statement.value), statement)


def _adds_to(value: ast.expr, name: str) -> bool:
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and _is_name(value.left, name)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _stores(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)


def _sets(statement: ast.stmt, name: str) -> bool:
    return any(_stores(part, name) for part in walk(statement))
