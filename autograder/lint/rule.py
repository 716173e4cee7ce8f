"""A rule that recognises one compiler message: what it may look at, and how it is written down.

The sentences are those of `simt.refusals`, which the interpreter says too where it meets the same mistake.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from autograder.lint.report import CompileError
from simt.refusals import Refusal

Answer = Refusal | None  # None: the rule does not fit after all


@dataclass(frozen=True)
class Context:
    """What a rule may look at."""

    error: Exception
    message: str
    function: FunctionType  # the kernel, or the device function that the error is in
    tree: ast.FunctionDef | None
    line: int | None
    match: re.Match | None = None
    numbers: frozenset[str] = frozenset()  # parameters that are passed a number, not an array

    def expressions(self, *kinds: type) -> Iterator[Any]:
        """Expressions of these kinds that touch the offending line, outermost first; everywhere without a line."""
        for node in ast.walk(self.tree) if self.tree else ():
            touches = self.line is None or getattr(node, "lineno", 0) <= self.line <= getattr(node, "end_lineno", 0)
            if isinstance(node, kinds) and isinstance(node, ast.expr) and touches:
                yield node

    def first(self, *kinds: type) -> str:
        """The source of the first such expression, as in "h[i]"; "" when there is none."""
        return next((ast.unparse(node) for node in self.expressions(*kinds)), "")


@dataclass(frozen=True)
class Rule:
    """`explanation` is asked when `pattern` occurs in numba's message."""

    pattern: re.Pattern
    explanation: Callable[[Context], Answer]
    misconception: str = "not_compiled"
    located: tuple[type, ...] = ()  # syntax that marks the lines, for errors that numba reports without one

    def answer(self, context: Context) -> CompileError | None:
        """The finished error, or None when this rule does not fit."""
        match = self.pattern.search(context.message)
        said = self.explanation(replace(context, match=match)) if match else None
        if said is None:
            return None
        lines = (context.line,) if context.line else self._marked_lines(context)
        return CompileError(said.kind, self.misconception, said.says, said.remedy, lines, context.message.strip())

    def _marked_lines(self, context: Context) -> tuple[int, ...]:
        nodes: list[Any] = (
            [node for node in ast.walk(context.tree) if isinstance(node, self.located)] if context.tree else []
        )
        return tuple(sorted({node.lineno for node in nodes if getattr(node, "value", True) is not None}))


def rule(
    pattern: str, *, misconception: str = "not_compiled", located: tuple[type, ...] = ()
) -> Callable[[Callable[[Context], Answer]], Rule]:
    """Make a Rule of the decorated explanation."""
    return lambda explanation: Rule(re.compile(pattern, re.DOTALL), explanation, misconception, located)
