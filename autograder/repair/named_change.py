"""What kind of mistake a line has that becomes another one: a border, a part of a condition, an end of a loop."""

from __future__ import annotations

import ast

ALIKE_BUT_FOR_THE_BORDER = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}
BOUNDS = {1: ("end",), 2: ("beginning", "end"), 3: ("beginning", "end", "step")}  # of range, by how many are given


def kind_of_change(line: str, other: str) -> tuple[str, str]:
    """(kind of edit, what stands there) of a line that becomes another; ("line", "") where it is none in particular."""
    own, meant = _statement(line), _statement(other)
    if isinstance(own, ast.If | ast.While) and type(own) is type(meant):
        return _of_conditions(own.test, meant.test)
    if isinstance(own, ast.For) and isinstance(meant, ast.For) and _same(own.target, meant.target):
        return _of_loops(own.iter, meant.iter)
    return "line", ""


def _of_conditions(own: ast.expr, meant: ast.expr) -> tuple[str, str]:
    """A comparison whose border is off, a conjunct that is missing, or another condition."""
    pairs = list(zip(_comparisons(own), _comparisons(meant), strict=False))
    off = [mine for mine, other in pairs if not _same(mine, other)]
    if _without_borders(own) == _without_borders(meant) and off:
        return "border", ast.unparse(off[0])
    parts, others = _conjuncts(own), _conjuncts(meant)
    return ("guard" if parts < others else "condition"), ast.unparse(own)


def _of_loops(own: ast.expr, meant: ast.expr) -> tuple[str, str]:
    """The one bound of a range that differs."""
    bounds, others = _bounds(own), _bounds(meant)
    if len(bounds) != len(others):
        return "line", ""
    names = BOUNDS.get(len(bounds), ())
    differ = [name for name, a, b in zip(names, bounds, others, strict=True) if not _same(a, b)]
    return (differ[0] if len(differ) == 1 else "line"), ""


def _bounds(loop: ast.expr) -> list[ast.expr]:
    """What a range is given; nothing where a loop is over something else."""
    return loop.args if isinstance(loop, ast.Call) and ast.unparse(loop.func) == "range" else []


def _statement(line: str) -> ast.stmt | None:
    """A line alone, with an empty body where it begins one; None where it is not a statement of its own."""
    text = line.strip()
    text = text.removeprefix("el") if text.startswith("elif ") else text
    try:
        return ast.parse(f"{text} pass" if text.endswith(":") else text).body[0]
    except (SyntaxError, ValueError, IndexError):
        return None


def _comparisons(test: ast.expr) -> list[ast.Compare]:
    return [node for node in ast.walk(test) if isinstance(node, ast.Compare)]


def _conjuncts(test: ast.expr) -> set[str]:
    """The parts of a condition that all have to be true."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return {ast.unparse(part) for part in parts}


def _without_borders(test: ast.expr) -> str:
    """A condition in which "less than" and "at most" are the same, and so on."""
    test = ast.parse(ast.unparse(test), mode="eval").body
    for node in _comparisons(test):
        node.ops = [ALIKE_BUT_FOR_THE_BORDER.get(type(op), type(op))() for op in node.ops]
    return ast.dump(test)


def _same(one: ast.AST, other: ast.AST) -> bool:
    return ast.dump(one) == ast.dump(other)
