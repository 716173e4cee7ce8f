"""Which variables alone decide how long a loop turns, read from its source: no memory and no call has a say in them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from simt.source.walking import walk

Step = tuple[ast.Assign | ast.AugAssign, str, list[ast.expr]]  # the assignment, the variable, the tests around it


def variables_that_decide(loop: ast.While, names: set[str], is_pure: Callable[[ast.AST], bool]) -> tuple[str, ...]:
    """The variables that a loop sets for its condition, and what their next values are made of; () where more counts.

    names: those of the condition; is_pure: whether an expression reads variables, extents and constants alone.
    """
    if not is_pure(loop.test) or any(isinstance(part, LEAVES) for part in walk(loop)):
        return ()
    stored = [part.id for part in walk(loop) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    steps, known = list(_steps(loop.body, [])), set(names)
    while True:
        own = [step for step in steps if step[1] in known]
        if len(own) < sum(name in known for name in stored):
            return ()
        sources = [source for node, _, tests in own for source in (node.value, *tests)]
        if not all(is_pure(source) for source in sources):
            return ()
        read = {part.id for source in sources for part in walk(source) if isinstance(part, ast.Name)}
        if known >= read & {*stored}:
            return tuple(sorted(known & {*stored}))
        known |= read & {*stored}


def only_step(loop: ast.While, names: set[str]) -> tuple[int, str, str] | None:
    """(line, source, variable) of the one statement that sets a variable of the condition; None for none or several."""
    own = [step for step in _steps(loop.body, []) if step[1] in names]
    if len(own) != 1:
        return None
    node, name, _ = own[0]
    return node.lineno, ast.unparse(node), name


LEAVES = (ast.Return, ast.Raise, ast.Assert, ast.Break, ast.Continue, ast.Match, ast.Try)


def _steps(body: list[ast.stmt], tests: list[ast.expr]) -> Iterator[Step]:
    """Assignments to one variable, in branches but not in inner loops. tests: the conditions around `body`."""
    for node in body:
        if isinstance(node, ast.If):
            for branch in (node.body, node.orelse):
                yield from _steps(branch, [*tests, node.test])
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AugAssign) and len(targets) == 1 and isinstance(targets[0], ast.Name):
            yield node, targets[0].id, tests
