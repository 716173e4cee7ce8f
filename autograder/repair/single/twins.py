"""Edits that do for one thing what stands there for its twin: a second array or stream, and the values of a window."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.repair.edits import Edit, Text

MOST = 12  # lines that are done again for a twin
FEWEST = 3  # values that move up


def twin_edits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Every single edit of a function that adds a line for what goes in step with something else."""
    yield from _for_the_other(text, function)
    for loop in ast.walk(function):
        if isinstance(loop, ast.For | ast.While):
            yield from _moved_up(text, loop)
            yield from _before_the_loop(text, loop)


def _for_the_other(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """A call once more, with the twin of each name in it: names are twins that one line sets, as in `a, b = ...`."""
    twin: dict[str, str] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            names = [one.id for one in node.targets[0].elts if isinstance(one, ast.Name)]
            if len(names) >= 2 and isinstance(node.value, ast.Tuple):
                pairs = zip(node.value.elts[:2], names[:2], strict=False)
                first, second = ((ast.dump(value), name) for value, name in pairs)
                if first[0].split("(")[0] == second[0].split("(")[0]:
                    twin |= {first[1]: second[1], second[1]: first[1]}
    calls = [one for one in ast.walk(function) if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
    for call in calls[:MOST]:
        read = sorted({one.id for one in ast.walk(call) if isinstance(one, ast.Name)} & set(twin))
        if not read or call.lineno != call.end_lineno:
            continue
        other = ast.unparse(_renamed(call, twin))
        own, indent = text.lines[call.lineno - 1].decode().rstrip(), text.indent_of(call.lineno)
        lines = [*text.lines[: call.lineno], f"{indent}{other}\n".encode(), *text.lines[call.lineno :]]
        yield text.with_lines(lines, call.lineno, "twin", " and ".join(read), f"{own}\n{indent}{other}")


def _renamed(call: ast.Expr, twin: dict[str, str]) -> ast.AST:
    class Renamed(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(twin.get(node.id, node.id), node.ctx)

    return Renamed().visit(ast.parse(ast.unparse(call)))


def _moved_up(text: Text, loop: ast.For | ast.While) -> Iterator[Edit]:
    """The values of a window that moves on: each takes that of the next at the end of an iteration."""
    inside = [part for one in loop.body for part in ast.walk(one)]
    stored = {one.id for one in inside if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    seen = set()
    for call in (one for one in inside if isinstance(one, ast.Call)):
        names = [one.id for one in call.args if isinstance(one, ast.Name)]
        if len(names) < max(FEWEST, len(call.args)) or names[-1] not in stored or stored & set(names[:-1]):
            continue
        moved = f"{', '.join(names[:-1])} = {', '.join(names[1:])}"
        if moved not in seen:
            seen.add(moved)
            end, indent = loop.body[-1].end_lineno or 0, " " * loop.body[-1].col_offset
            lines = [*text.lines[:end], f"{indent}{moved}\n".encode(), *text.lines[end:]]
            yield text.with_lines(lines, loop.lineno, "forgotten", ", ".join(names[:-1]), f"{indent}{moved}")


def _before_the_loop(text: Text, loop: ast.For | ast.While) -> Iterator[Edit]:
    """A line that sets something to a number in every iteration, before the loop instead."""
    for statement in loop.body[:-1]:
        if not isinstance(statement, ast.Assign) or statement.lineno != statement.end_lineno:
            continue
        if not any(isinstance(one, ast.Name | ast.Subscript) for one in _inner(statement.value)):
            lines, own = [*text.lines], text.lines[statement.lineno - 1].decode().strip()
            lines[statement.lineno - 1] = b"\n"
            moved = f"{' ' * loop.col_offset}{own}"
            lines.insert(loop.lineno - 1, f"{moved}\n".encode())
            shown = f"{moved}\n{text.lines[loop.lineno - 1].decode().rstrip()}"
            yield text.with_lines(lines, statement.lineno, "before_loop", ast.unparse(statement.targets[0]), shown)


def _inner(value: ast.expr) -> list[ast.AST]:
    """What a value is made of, without the types and functions that are called."""
    called = {id(one.func) for one in ast.walk(value) if isinstance(one, ast.Call)}
    return [one for one in ast.walk(value) if id(one) not in called]
