"""Which variables may a statement of a kernel read that no path so far has surely given a value?"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from simt.source.walking import walk

JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
LATER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class MayBeUnassigned:
    """Read from one function's syntax.

    reads: by line, the variables that its statement always reads and that some path there has not assigned. Lines of
    several statements are left out, as they cannot be told apart. sets: by line, what its statement assigns.
    """

    def __init__(self, function: ast.AST) -> None:
        self.reads: dict[int, set[str]] = {}
        self.sets: dict[int, set[str]] = {}
        if not isinstance(function, ast.FunctionDef):
            return
        self._local = set(_stored(function)) - {one.arg for one in walk(function.args) if isinstance(one, ast.arg)}
        self._statements: Counter[int] = Counter()
        self._walk(function.body, frozenset())
        shared = {line for line, count in self._statements.items() if count > 1}
        self.reads = {line: names for line, names in self.reads.items() if names and line not in shared}

    def _walk(self, body: list[ast.stmt], have: frozenset[str]) -> frozenset[str] | None:
        """What is assigned after a block; None where nobody comes to its end. Code after a jump is not read."""
        left: frozenset[str] | None = have
        for statement in body:
            if left is None:
                return None
            self._statements[statement.lineno] += 1
            left = self._after(statement, left)
        return left

    def _after(self, statement: ast.stmt, have: frozenset[str]) -> frozenset[str] | None:
        if isinstance(statement, ast.If):
            self._read(statement.test, statement.lineno, have)
            then, other = self._walk(statement.body, have), self._walk(statement.orelse, have)
            return other if then is None else then if other is None else then & other
        if isinstance(statement, ast.While):
            self._read(statement.test, statement.lineno, have)
            self._walk(statement.body, have)
            return have
        if isinstance(statement, ast.For):
            self._read(statement.iter, statement.lineno, have)
            have |= self._set(statement.target, statement.lineno)
            self._walk(statement.body, have)
            return have
        if not isinstance(statement, (ast.FunctionDef, ast.With, ast.Try, ast.Match)):
            self._read(statement, statement.lineno, have)
        have |= self._set(statement, statement.lineno)
        return None if isinstance(statement, JUMPS) else have

    def _read(self, node: ast.AST, line: int, have: frozenset[str]) -> None:
        self.reads.setdefault(line, set()).update(set(_always_read(node)) & self._local - have)

    def _set(self, node: ast.AST, line: int) -> set[str]:
        names = set(_stored(node))
        self.sets.setdefault(line, set()).update(names)
        return names


def _stored(node: ast.AST) -> Iterator[str]:
    for one in walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id
        elif isinstance(one, ast.FunctionDef):
            yield one.name


def _always_read(node: ast.AST) -> Iterator[str]:
    """Names that are read whenever a statement or an expression runs."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            yield node.id
        return
    if isinstance(node, LATER):
        return
    parts: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.BoolOp):
        parts = [node.values[0]]
    elif isinstance(node, ast.IfExp):
        parts = [node.test]
    elif isinstance(node, ast.Compare):
        parts = [node.left, node.comparators[0]]
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    for part in parts:
        yield from _always_read(part)
