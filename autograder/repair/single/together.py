"""Single edits of neighbouring statements: done at once, in another order, or with another name in all of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.repair.edits import Edit, Text
from autograder.repair.single.expressions import Substitutes

MOST_AT_ONCE, FARTHEST = 4, 4  # statements


def together_edits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Every single edit of a function that takes neighbours together."""
    pool = Substitutes(function)
    yield from _of_alike_loops(text, function)
    yield from _of_divisions(text, function)
    for parent in ast.walk(function):
        for field in ("body", "orelse"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield from _at_once(text, block)
                yield from _further_on(text, block)
                yield from _one_of(text, block)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AugAssign) and node.lineno == node.end_lineno:
            yield from _name_in_all(text, node, pool)


def _at_once(text: Text, block: list[ast.stmt]) -> Iterator[Edit]:
    """`a, b = b, a` for `a = b` and `b = a`: what one line sets anew, a later one needs as it was."""
    for at in range(len(block) - 1):
        for end in range(at + 2, min(at + MOST_AT_ONCE, len(block)) + 1):
            lines = block[at:end]
            if not all(isinstance(one, ast.Assign) and _is_plain(one) for one in lines):
                break
            targets = [ast.unparse(one.targets[0]) for one in lines if isinstance(one, ast.Assign)]
            values = [ast.unparse(one.value) for one in lines if isinstance(one, ast.Assign)]
            if any(targets[0] in value for value in values[1:]):
                whole = f"{text.indent_of(lines[0].lineno)}{', '.join(targets)} = {', '.join(values)}"
                new = [*text.lines]
                for one in lines:
                    new[one.lineno - 1] = b"\n"
                new[lines[0].lineno - 1] = f"{whole}\n".encode()
                yield text.with_lines(new, lines[0].lineno, "overwritten", targets[0], whole)


def _is_plain(statement: ast.Assign) -> bool:
    one = len(statement.targets) == 1 and not isinstance(statement.targets[0], ast.Tuple)
    return one and statement.lineno == statement.end_lineno and not isinstance(statement.value, ast.Tuple)


def _further_on(text: Text, block: list[ast.stmt]) -> Iterator[Edit]:
    """A line behind a condition or a loop that follows soon."""
    for at, statement in enumerate(block):
        if not isinstance(statement, ast.Assign | ast.AugAssign) or statement.lineno != statement.end_lineno:
            continue
        own, indent = text.lines[statement.lineno - 1], statement.col_offset
        for other in block[at + 1 : at + 1 + FARTHEST]:
            end = other.end_lineno or other.lineno
            if isinstance(other, ast.Return | ast.Break | ast.Continue) or other.col_offset != indent:
                break
            if not isinstance(other, ast.If | ast.For | ast.While):
                continue  # lines beside one another are exchanged already
            lines = [*text.lines[: statement.lineno - 1], *text.lines[statement.lineno : end], own, *text.lines[end:]]
            shown = f"{text.lines[end - 1].decode()}{own.decode()}"
            yield text.with_lines(lines, statement.lineno, "later", str(other.lineno), shown)


def _one_of(text: Text, block: list[ast.stmt]) -> Iterator[Edit]:
    """Conditions beside one another on the same value, of which the last has an else: one of them is meant."""
    for at, last in enumerate(block):
        if not (isinstance(last, ast.If) and last.orelse and _asked(last)):
            continue
        first = at
        while first > 0 and isinstance(block[first - 1], ast.If) and _asked(block[first - 1]) == _asked(last):
            first -= 1
        lines = [*text.lines]
        for one in block[first + 1 : at + 1]:
            lines[one.lineno - 1] = lines[one.lineno - 1].replace(b"if ", b"elif ", 1)
        if first < at:
            shown = lines[last.lineno - 1].decode().rstrip()
            yield text.with_lines(lines, last.lineno, "one_of", ast.unparse(last.test), shown)


def _asked(statement: ast.stmt) -> str:
    """What a condition compares, as `op` in `op == 1`."""
    test = statement.test if isinstance(statement, ast.If) else None
    return ast.unparse(test.left) if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq) else ""


def _name_in_all(text: Text, statement: ast.Assign | ast.AugAssign, pool: Substitutes) -> Iterator[Edit]:
    """Another number wherever a statement reads one, as in `p // n_rows, p % n_rows`."""
    read: dict[str, list[ast.expr]] = {}
    for node in ast.walk(statement.value):
        if isinstance(node, ast.Name) and node.id in pool.scalars:
            read.setdefault(node.id, []).append(node)
    for name, nodes in read.items():
        if len(nodes) > 1:
            for other in pool.names.alike(name, pool.names.set_before(pool.scalars, statement.lineno)):
                if other != name:
                    yield text.replaced_all(nodes, other, "name_everywhere", name)


def _of_alike_loops(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Several loops that go as far as one another, one further or less far, as those over the rows and columns of a
    window do."""
    stops: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and len(node.args) < 3:
            stops.setdefault(ast.unparse(node.args[-1]), []).append(node.args[-1])
    for stop, nodes in stops.items():
        if len(nodes) > 1:
            yield from (text.replaced_all(nodes, f"{stop} {move}", "end_everywhere", stop) for move in ("+ 1", "- 1"))


def _of_divisions(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Several divisions that keep fractions, or drop them, the other way round."""
    for own, other in ((ast.FloorDiv, "/"), (ast.Div, "//")):
        nodes = [one for one in ast.walk(function) if isinstance(one, ast.BinOp) and isinstance(one.op, own)]
        inner = {id(part) for one in nodes for part in ast.walk(one) if part is not one}
        if len(nodes) > 1 and not any(id(one) in inner for one in nodes):
            new = [(one, f"({ast.unparse(one.left)}) {other} ({ast.unparse(one.right)})") for one in nodes]
            yield text.replaced_each(new, "operator_everywhere", ast.unparse(nodes[0]))
