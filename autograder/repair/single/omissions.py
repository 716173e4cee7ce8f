"""Single edits that put in what was left out: a condition, a helper's call, a variable brought up to date, a wait."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from autograder.answer.program import Program
from autograder.repair.edits import Edit, Text
from autograder.repair.single.expressions import Substitutes

COMPARED = ("<", "<=", ">", ">=")


def omission_edits(text: Text, function: ast.FunctionDef, helpers: Sequence[str]) -> Iterator[Edit]:
    """Every single edit that puts something in. helpers: device functions of one argument that are given."""
    pool = Substitutes(function)
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp):
            yield from _conjuncts(text, node.test, pool)
        if isinstance(node, ast.For | ast.While):
            yield from _forgotten(text, function, node)
        if isinstance(node, ast.If):
            yield from _kept(text, function, node)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.BinOp):
            yield from _calls(text, node, helpers)
    if not function.decorator_list:
        yield from _waits(text, function)


def guarded(program: Program, line: int, condition: str) -> Edit | None:
    """The statement on a line below a condition, as "guard the line" asks; None where it is more than one line."""
    try:
        text = Text(program.source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    statements = [node for node in ast.walk(text.tree) if isinstance(node, ast.stmt) and node.lineno == line]
    if len(statements) != 1 or statements[0].end_lineno != line or hasattr(statements[0], "body"):
        return None
    indent = text.indent_of(line)
    new = [f"{indent}if {condition}:", f"{indent}    {text.lines[line - 1].decode().strip()}"]
    return text.with_line(line, new, "guard", condition)


def _conjuncts(text: Text, test: ast.expr, pool: Substitutes) -> Iterator[Edit]:
    """One more comparison of what a condition compares already."""
    compared = [node for node in ast.walk(test) if isinstance(node, ast.Compare) and len(node.ops) == 1]
    known = pool.names.set_before(pool.scalars, test.lineno)
    for left in dict.fromkeys(ast.unparse(node.left) for node in compared):
        for sign in COMPARED:
            for other in pool.names.alike(left, known):
                if other != left:
                    yield text.replaced(test, f"{ast.unparse(test)} and {left} {sign} {other}", "guard")


def _calls(text: Text, node: ast.Assign | ast.AugAssign | ast.BinOp, helpers: Sequence[str]) -> Iterator[Edit]:
    """A given function around a variable of one lane, as `warp_sum(acc)`."""
    parts = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    for part in parts:
        if isinstance(part, ast.Name) and not part.id.isupper():
            yield from (text.replaced(part, f"{helper}({part.id})", "missing_call") for helper in helpers)


def _forgotten(text: Text, function: ast.FunctionDef, loop: ast.For | ast.While) -> Iterator[Edit]:
    """At the end of a loop, a variable that it reads and never sets takes the value of one that it sets."""
    nodes = [part for statement in loop.body for part in ast.walk(statement)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    before = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno < loop.lineno
    }
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)} & before - own
    end, indent = loop.body[-1].end_lineno or loop.lineno, " " * loop.body[-1].col_offset
    for name in sorted(read):
        for other in sorted(own - before):
            added = f"{indent}{name} = {other}"
            lines = [*text.lines[:end], f"{added}\n".encode(), *text.lines[end:]]
            yield text.with_lines(lines, loop.lineno, "forgotten", name, f"{added}  # at the end of the loop")


def _kept(text: Text, function: ast.FunctionDef, statement: ast.If) -> Iterator[Edit]:
    """An early return that only guards the stores to what the kernel was handed, where it kept threads from more."""
    leaves = len(statement.body) == 1 and isinstance(statement.body[0], ast.Return) and not statement.orelse
    if not leaves or statement not in function.body:
        return
    handed = {one.arg for one in function.args.args}
    later = function.body[function.body.index(statement) + 1 :]
    stores = [one for one in later if not isinstance(one, ast.For | ast.While) and _stores_to(one, handed)]
    if not stores:
        return
    test = f"not ({ast.unparse(statement.test)})"
    lines = [*text.lines]
    for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
        lines[line - 1] = b"\n"
    for one in stores:
        for line in range(one.lineno, (one.end_lineno or one.lineno) + 1):
            lines[line - 1] = b"    " + lines[line - 1]
        lines[one.lineno - 1] = f"{' ' * one.col_offset}if {test}:\n".encode() + lines[one.lineno - 1]
    shown = lines[stores[-1].lineno - 1].decode()
    yield text.with_lines(lines, statement.lineno, "return", ast.unparse(statement.test), shown)


def _stores_to(statement: ast.stmt, arrays: set[str]) -> bool:
    stores = (node for node in ast.walk(statement) if isinstance(node, ast.Subscript))
    return any(isinstance(one.ctx, ast.Store) and ast.unparse(one.value) in arrays for one in stores)


def _waits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """The host waits in place of a stream, for all streams, or once more."""
    for node in ast.walk(function):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner = ast.unparse(node.func.value)
        if node.func.attr == "wait":
            yield text.replaced(node, f"{owner}.synchronize()", "wait", ast.unparse(node))
        if node.func.attr == "synchronize" and owner != "cuda":
            yield text.replaced(node, "cuda.synchronize()", "wait", ast.unparse(node))
