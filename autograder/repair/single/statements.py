"""Single edits of a statement: a barrier put in or moved, a break, an update for an assignment, another beginning."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from autograder.repair.edits import Edit, Text
from autograder.repair.names import Names

WAITS = ("cuda.syncthreads()", "cuda.syncwarp()", "cuda.synchronize()")
BEGINNINGS = ("0", "1", "-math.inf", "math.inf")


def statement_edits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Every single edit of whole statements in a function."""
    first = Names(function).first
    for parent in ast.walk(function):
        for field in ("body", "orelse"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                wait = "syncthreads" if function.decorator_list else "synchronize"
                yield from _of_block(text, parent, block, wait, first)


def barrier_after(text: Text, line: int, call: str) -> Iterator[Edit]:
    """A barrier, syncthreads or syncwarp, after each statement that ends at a line, the outermost first."""
    blocks = [getattr(node, field, None) for node in ast.walk(text.tree) for field in ("body", "orelse")]
    for statement in (one for block in blocks if isinstance(block, list) for one in block):
        if statement.end_lineno == line and not isinstance(statement, ast.FunctionDef):
            yield from _waited(text, statement, call)


def _of_block(
    text: Text, parent: ast.AST, block: list[ast.stmt], wait: str, first: Mapping[str, int]
) -> Iterator[Edit]:
    """wait: what threads, or the host, wait with. first: the line on which each name is set first."""
    simple = [one for one in block if not _is_docstring(one)]
    for at, statement in enumerate(simple):
        yield from _waited(text, statement, wait)
        if isinstance(statement, ast.Assign | ast.AugAssign):
            yield from _of_assignment(text, statement, first)
        if isinstance(statement, ast.If) and not statement.orelse:
            yield from _ends_the_loop(text, statement)
            yield _without_exception(text, statement)
        if isinstance(statement, ast.If | ast.While):
            yield from _asks_more(text, statement)
        if at + 1 < len(simple) and _is_line(statement) and _is_line(simple[at + 1]):
            yield _exchanged(text, statement, simple[at + 1])
        if len(simple) > 1 and _is_line(statement) and not isinstance(statement, ast.Return):
            yield _without(text, statement)
    if isinstance(parent, ast.If | ast.For | ast.While) and simple and _is_line(simple[-1]):
        yield _moved_out(text, parent, simple[-1], len(simple) > 1)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_line(statement: ast.stmt) -> bool:
    """Whether a statement is one line of its own."""
    return statement.lineno == statement.end_lineno and not isinstance(statement, ast.If | ast.For | ast.While)


def _waited(text: Text, statement: ast.stmt, wait: str) -> Iterator[Edit]:
    """A barrier after a statement, or a wait of the host."""
    if ast.unparse(statement) in WAITS or isinstance(statement, ast.Return | ast.Break):
        return
    last, indent = statement.end_lineno or statement.lineno, " " * statement.col_offset
    lines = [*text.lines[:last], f"{indent}cuda.{wait}()\n".encode(), *text.lines[last:]]
    shown = f"{text.lines[last - 1].decode().rstrip()}\n{indent}cuda.{wait}()"
    yield text.with_lines(lines, last, "wait" if wait == "synchronize" else "barrier", "", shown)


def _of_assignment(text: Text, statement: ast.Assign | ast.AugAssign, first: Mapping[str, int]) -> Iterator[Edit]:
    if statement.lineno != statement.end_lineno:
        return
    indent, value = text.indent_of(statement.lineno), ast.unparse(statement.value)
    if isinstance(statement, ast.AugAssign):
        target = ast.unparse(statement.target)
        yield text.with_line(statement.lineno, [f"{indent}{target} = {value}"], "update", target)
        for other, sign in ((ast.Add, "+"), (ast.Sub, "-"), (ast.Mult, "*"), (ast.BitOr, "|")):
            if not isinstance(statement.op, other):
                yield text.with_line(statement.lineno, [f"{indent}{target} {sign}= {value}"], "operator", value)
        if isinstance(statement.target, ast.Subscript) and isinstance(statement.op, ast.Add):
            array, place = ast.unparse(statement.target.value), ast.unparse(statement.target.slice)
            place = f"({place})" if isinstance(statement.target.slice, ast.Tuple) else place
            atomic = f"{indent}cuda.atomic.add({array}, {place}, {value})"
            yield text.with_line(statement.lineno, [atomic], "update", array)
        return
    if len(statement.targets) != 1 or isinstance(statement.targets[0], ast.Tuple):
        if isinstance(statement.targets[0], ast.Tuple) and value.startswith("cuda.grid("):
            names = [ast.unparse(one) for one in statement.targets[0].elts]
            yield text.with_line(
                statement.lineno, [f"{indent}{', '.join([names[1], names[0], *names[2:]])} = {value}"], "axes", value
            )
        return
    target = ast.unparse(statement.targets[0])
    begins = first.get(target) == statement.lineno  # it has no value before
    if not begins:
        yield text.with_line(statement.lineno, [f"{indent}{target} += {value}"], "update", target)
    inner = _constant_in(statement.value)
    if inner is not None:
        for begin in BEGINNINGS:
            if begin != ast.unparse(inner):
                yield text.replaced(inner, begin, "beginning_value", target)
    elif not isinstance(statement.value, ast.Constant) and not begins:
        for kept in ("max", "min"):
            new = f"{indent}{target} = {kept}({target}, {value})"
            yield text.with_line(statement.lineno, [new], "extreme", target)


def _constant_in(value: ast.expr) -> ast.expr | None:
    """The number in `0`, `float32(0)` or `-3.0`; None for what is worked out."""
    inner = value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 else value
    plain = inner.operand if isinstance(inner, ast.UnaryOp) else inner
    named = isinstance(plain, ast.Attribute) and ast.unparse(plain).startswith("math.")
    return inner if isinstance(plain, ast.Constant) and isinstance(plain.value, int | float) or named else None


def _ends_the_loop(text: Text, statement: ast.If) -> Iterator[Edit]:
    """A break at the end of what an `if` does; one that is not in a loop does not compile, and drops out."""
    last = statement.body[-1]
    if isinstance(last, ast.Break | ast.Return | ast.Continue):
        return
    end = last.end_lineno or last.lineno
    indent = " " * last.col_offset
    lines = [*text.lines[:end], f"{indent}break\n".encode(), *text.lines[end:]]
    shown = f"{text.lines[end - 1].decode().rstrip()}\n{indent}break"
    yield text.with_lines(lines, statement.lineno, "break", ast.unparse(statement.test), shown)


def _asks_more(text: Text, statement: ast.If | ast.While) -> Iterator[Edit]:
    """The opposite of a condition, and one that is asked again and again."""
    test = ast.unparse(statement.test)
    yield text.replaced(statement.test, f"not ({test})", "turned")
    line = text.lines[statement.lineno - 1].decode().rstrip()
    if isinstance(statement, ast.If) and not statement.orelse and line.lstrip().startswith("if "):
        yield text.with_line(statement.lineno, [line.replace("if ", "while ", 1)], "again", test)


def _exchanged(text: Text, one: ast.stmt, other: ast.stmt) -> Edit:
    lines = [*text.lines]
    first, second = one.lineno - 1, other.lineno - 1
    lines[first], lines[second] = lines[second], lines[first]
    becomes = (lines[first] + lines[second]).decode().rstrip()
    return text.with_lines(lines, one.lineno, "order", str(other.lineno), becomes)


def _without(text: Text, statement: ast.stmt) -> Edit:
    return text.with_line(statement.lineno, [f"{text.indent_of(statement.lineno)}pass"], "extra", "")


def _without_exception(text: Text, statement: ast.If) -> Edit:
    """An `if` that makes an exception nobody asked for, left out whole."""
    first, end = statement.lineno, statement.end_lineno or statement.lineno
    indent = " " * statement.col_offset
    rest = [b"\n"] * (end - first)
    lines = [*text.lines[: first - 1], f"{indent}pass\n".encode(), *rest, *text.lines[end:]]
    shown = f"{indent}pass  # without the if, and all that stands below it"
    return text.with_lines(lines, first, "exception", ast.unparse(statement.test), shown)


def _moved_out(text: Text, parent: ast.stmt, last: ast.stmt, others: bool) -> Edit:
    """The last line of an `if` or a loop, behind it."""
    line, end = last.lineno, parent.end_lineno or last.lineno
    moved = " " * parent.col_offset + text.lines[line - 1].decode().strip()
    lines = [*text.lines[:end], f"{moved}\n".encode(), *text.lines[end:]]
    lines[line - 1] = b"\n" if others else f"{text.indent_of(line)}pass\n".encode()
    return text.with_lines(lines, line, "moved_out", str(parent.lineno), moved)
