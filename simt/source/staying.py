"""Does a loop go round for as long as what its calls return is above 0? Read from its source."""

from __future__ import annotations

import ast
from collections.abc import Collection

from simt.source.trees import names_stored
from simt.source.walking import walk

POSITIVE = "positive"
TURNS = 4  # after which what variables hold is either settled, or not known
# the limits from which a comparison with a positive number says nothing
AT_LEAST = {ast.Eq: 1, ast.NotEq: 1, ast.Gt: 1, ast.LtE: 1, ast.GtE: 2, ast.Lt: 2}
HOLDS = (ast.NotEq, ast.Gt, ast.GtE)  # true of a positive number beside a smaller limit
MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}

Known = dict[str, object]  # variable -> True, False, POSITIVE; one that is not there may hold anything


def decides(loop: ast.While, calls: Collection[ast.Call]) -> bool:
    """Whether what one of these calls returns has a say in how long a loop turns."""
    parts = list(walk(loop))
    made: set[str] = set()

    def comes_from(expression: ast.AST | None) -> bool:
        within = walk(expression) if expression is not None else ()
        return any(part in calls or isinstance(part, ast.Name) and part.id in made for part in within)

    def grown() -> set[str]:
        plain = [part for part in parts if isinstance(part, SETTING) and comes_from(part.value)]
        under = [
            one for part in parts if isinstance(part, ast.If) and comes_from(part.test) for one in names_stored(part)
        ]
        return {name for part in plain for name in names_stored(part)} | {*under}

    while not (new := grown()) <= made:
        made |= new
    asked = [part for part in parts if isinstance(part, ast.If) and comes_from(part.test)]
    return comes_from(loop.test) or any(isinstance(part, ENDING) for test in asked for part in walk(test))


SETTING = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)
ENDING = (ast.Break, ast.Return, ast.Raise)


def stays_while_positive(loop: ast.While, calls: Collection[ast.Call]) -> bool:
    """Whether every iteration of a loop is followed by another one, as long as each of these calls returns more than 0.

    A call in a branch that may be taken or not makes it unknown, so that all are made in every iteration.
    """
    known = _assumed(loop.test)
    for _ in range(TURNS):
        before = dict(known)
        if not _goes_on(loop.body, known, calls) or _truth(loop.test, known, calls) is not True:
            return False
        if known == before:
            return True
    return False


def _assumed(test: ast.expr) -> Known:
    """What a condition that holds says of variables: that `got` is False, of `not got`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Name):
        return {test.operand.id: False}
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return {name: value for part in test.values for name, value in _assumed(part).items()}
    return {test.id: True} if isinstance(test, ast.Name) else {}


def _goes_on(body: list[ast.stmt], known: Known, calls: Collection[ast.Call]) -> bool:
    """Follow statements, and keep in `known` what variables hold. False where one may leave the loop, or is unclear."""
    for node in body:
        if isinstance(node, ast.Continue):
            return True
        if isinstance(node, ast.If) and (taken := _truth(node.test, known, calls)) is not None:
            if not _goes_on(node.body if taken else node.orelse, known, calls):
                return False
        elif isinstance(node, ast.If | ast.While | ast.For):
            if any(part in calls or isinstance(part, (*ENDING, ast.Continue)) for part in walk(node)):
                return False
            _forget(node, known)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            _keep(node.targets[0].id, _value(node.value, known, calls), known)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Pass):
            _forget(node, known)
        else:
            return False
    return True


def _keep(name: str, value: object, known: Known) -> None:
    known.pop(name, None)
    if value is not None:
        known[name] = value


def _forget(node: ast.AST, known: Known) -> None:
    for name in names_stored(node):
        known.pop(name, None)


def _value(node: ast.expr, known: Known, calls: Collection[ast.Call]) -> object:
    """True, False or POSITIVE; None for what is not known."""
    if node in calls:
        return POSITIVE
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return POSITIVE if node.value > 1 else node.value == 1 if node.value in (0, 1) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _truth(node.operand, known, calls)
        return None if inner is None else not inner
    if isinstance(node, ast.BoolOp):
        parts = [_truth(part, known, calls) for part in node.values]
        ends = isinstance(node.op, ast.Or)  # one True decides an `or`, one False an `and`
        return ends if ends in parts else None if None in parts else not ends
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(node.left, type(node.ops[0]), node.comparators[0], known, calls)
    return None


def _compared(
    left: ast.expr, order: type[ast.cmpop], right: ast.expr, known: Known, calls: Collection[ast.Call]
) -> bool | None:
    """Whether a comparison with a number holds, where one side is positive."""
    if isinstance(left, ast.Constant):
        left, right, order = right, left, MIRRORED.get(order, order)
    limit = getattr(right, "value", None)
    if not isinstance(limit, int) or order not in AT_LEAST or _value(left, known, calls) is not POSITIVE:
        return None
    return order in HOLDS if limit < AT_LEAST[order] else None


def _truth(node: ast.expr, known: Known, calls: Collection[ast.Call]) -> bool | None:
    value = _value(node, known, calls)
    return True if value is POSITIVE else None if value is None else bool(value)
