"""Counts the lines that a host function executes: an endless loop on the host ends at a count, the same everywhere.

One whose condition nothing in its body can change ends in its second iteration: it is endless once entered.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograder.diagnosis.misconceptions import remedy_for
from autograder.words import count_text

MOST_LINES = 6_000_000  # some seconds; what a host function does itself is copies and launches
LEAVE = "Leave it when the work is done, or let its condition say how long it goes on."
FIXED = ("size", "shape", "ndim", "nbytes", "dtype")  # of an array: nothing but another array has others
SECOND_TURN = 3  # times that a loop's body begins: once more than proves it
_counting: set[Callable] = set()  # the trace functions of `counted` that are in use
UNCHANGING = (int, float, complex, str, bytes, tuple, type(None), np.generic)  # a name that has one keeps its value


class TooManyLines(Exception):
    """A host function that went on and on. line: where it was when it was stopped; lines: how many it had executed."""

    def __init__(self, line: int, lines: int):
        super().__init__(f"Line {line} was reached when {lines:,} lines of Python had run on the host")
        self.line, self.lines = line, lines


class EndlessLoop(Exception):
    """A loop of a host function that can never end. line: of its condition; names: what that reads; whole: those of
    them whose value it reads, and not a size alone: a list would change without a new value for its name."""

    def __init__(self, line: int, condition: str, names: tuple[str, ...], whole: frozenset[str] = frozenset()):
        super().__init__(
            f"`{condition}` stays true: nothing in the loop changes {' or '.join(names)}"
            if names
            else "Nothing leaves this loop: it holds no break and no return"
        )
        self.line, self.remedy, self.whole = line, remedy_for("infinite_loop") if names else LEAVE, whole

    def holds_for(self, names: Mapping[str, Any]) -> bool:
        """Whether what it says is so where names have these values."""
        return all(isinstance(names.get(name), UNCHANGING) for name in self.whole)


class TooManyLaunches(Exception):
    """A host function that launched and launched. line: of the last launch; launches: how many; kernel: its name."""

    def __init__(self, line: int, launches: int, kernel: str):
        super().__init__(
            f"The host had launched {count_text(launches, 'kernel')} when the check stopped, {kernel} the last of them"
        )
        self.line, self.launches = line, launches


def line_in(filename: str) -> int:
    """The innermost line of a file that is being executed; 0 where there is none."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != filename:
        frame = frame.f_back
    return frame.f_lineno if frame is not None else 0


def endless_loops(tree: ast.FunctionDef | None) -> dict[int, EndlessLoop]:
    """The loops of a host function that never end once they are entered, by the first line of their body."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While)] if tree is not None else []
    local = _stored(tree) | {one.arg for one in tree.args.args} if tree is not None else set()
    return {loop.body[0].lineno: _told(loop) for loop in loops if _never_changes(loop, local)}


def _told(loop: ast.While) -> EndlessLoop:
    sizes = {node.value for node in ast.walk(loop.test) if isinstance(node, ast.Attribute)}
    whole = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name) and node not in sizes}
    return EndlessLoop(loop.lineno, ast.unparse(loop.test), tuple(sorted(_read(loop.test))), frozenset(whole))


def _never_changes(loop: ast.While, local: set[str]) -> bool:
    """Whether the condition reads nothing that the body could change, and nothing leaves the body."""
    leaves = ast.Break | ast.Return | ast.Raise | ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal
    if any(isinstance(node, leaves) for one in loop.body for node in ast.walk(one)):
        return False
    if loop.body[0].lineno == loop.lineno or not all(_is_fixed(node) for node in ast.walk(loop.test)):
        return False
    read = _read(loop.test)
    return read <= local and not read & set().union(*map(_stored, loop.body))


def _is_fixed(node: ast.AST) -> bool:
    """Whether a part of a condition has one value as long as its names have."""
    if isinstance(node, ast.Attribute):
        return node.attr in FIXED
    plain = ast.Name | ast.Constant | ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp
    return isinstance(node, plain | ast.operator | ast.cmpop | ast.boolop | ast.unaryop | ast.expr_context)


def _read(expression: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}


def _stored(tree: ast.AST) -> set[str]:
    """Names that a piece of a program gives values to."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}


@contextmanager
def counted(function: Callable, most: int = MOST_LINES) -> Iterator[None]:
    """Raise TooManyLines once the code of a function's own file has executed so many lines in this thread, and
    EndlessLoop as soon as a loop of the function is known to be one.

    Where somebody traces already, as a debugger does, nothing is counted.
    """
    code = getattr(function, "__code__", None)
    if code is None or sys.gettrace() is not None:
        yield
        return
    from autograder.lint.source import syntax_of

    left, entered, filename = most, Counter[int](), code.co_filename
    endless = endless_loops(syntax_of(function) if inspect.isfunction(function) else None)

    def line(frame, event, argument):
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                raise TooManyLines(frame.f_lineno, most)
            if frame.f_lineno in endless and frame.f_code is code:
                entered[frame.f_lineno] += 1
                found = endless[frame.f_lineno]
                if entered[frame.f_lineno] == SECOND_TURN and found.holds_for(frame.f_locals):
                    raise found
        return line

    def call(frame, event, argument):
        return line if frame.f_code.co_filename == filename else None

    _counting.add(call)
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(None)
        _counting.discard(call)


@contextmanager
def uncounted() -> Iterator[None]:
    """For what runs no line of the host's: while lines are counted, Python asks at every call who wrote it.

    A debugger or a measurement of coverage that traces goes on.
    """
    counting = sys.gettrace()
    if counting not in _counting:
        yield
        return
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(counting)
