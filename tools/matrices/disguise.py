"""An answer as somebody hands it in who copied it: other names and layout, statements and operands in another order."""

from __future__ import annotations

import ast

EITHER_WAY = (ast.Add, ast.Mult)


def disguised(source: str) -> str:
    """A source with all its functions in disguise. What it computes stays the same, and no comment is left."""
    tree = ast.parse(source)
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        function.body = _reordered(function.body)
        _rename(function)
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, EITHER_WAY):
            node.left, node.right = node.right, node.left
    return ast.unparse(tree) + "\n"


def _rename(function: ast.FunctionDef) -> None:
    names = {argument.arg: f"{argument.arg[:1]}{place}p" for place, argument in enumerate(function.args.args)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, f"my{len(names)}")
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)


def _reordered(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements that do not need one another, exchanged with their neighbours, in blocks within blocks too."""
    body = list(body)
    for place in range(len(body) - 1):
        if _independent(body[place], body[place + 1]):
            body[place : place + 2] = [body[place + 1], body[place]]
    for statement in body:
        for part in ("body", "orelse"):
            if inner := getattr(statement, part, None):
                setattr(statement, part, _reordered(inner))
    return body


def _independent(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether both only give names a value, and neither needs what the other names."""
    if not (_is_plain(one) and _is_plain(other)):
        return False
    (stored, loaded), (stored_too, loaded_too) = _names(one), _names(other)
    return not (stored & (stored_too | loaded_too) or stored_too & loaded)


def _is_plain(statement: ast.stmt) -> bool:
    names = isinstance(statement, ast.Assign) and all(isinstance(target, ast.Name) for target in statement.targets)
    return names and "sync" not in ast.unparse(statement)


def _names(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """Names that are stored, and names that are loaded."""
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return (
        {node.id for node in names if isinstance(node.ctx, ast.Store)},
        {node.id for node in names if isinstance(node.ctx, ast.Load)},
    )
