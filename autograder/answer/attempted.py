"""Is the stub still there? Decided from source, before anything runs.

`raise NotImplementedError()` compiles to nothing on a GPU, so running an untouched kernel would look like a wrong
answer. Reading it does not.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeGuard


@dataclass(frozen=True)
class Attempt:
    """What the source says about the answer.

    state: "attempted", "untouched" (only the stub), "unfinished" (an answer with the stub's last line still in it) or
    "missing" (the function is not defined). line: where the stub's line is, counted like `first_line`; 0 if nowhere.
    """

    state: str
    says: str = ""
    line: int = 0


def read_attempt(source: str, function: str, first_line: int = 1) -> Attempt:
    """Classify the learner's own source. It is parsed, never run; source that does not parse counts as attempted.

    Args: source: the text of the cell or file, whose first line has the number `first_line`; function: what it should
    define.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return Attempt("attempted")
    definitions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    answer = next((node for node in reversed(definitions) if node.name == function), None)
    if answer is None and (bound := _bound_to(tree, function)) is not None:
        names = {node.id for node in ast.walk(bound) if isinstance(node, ast.Name)}
        answer = next((node for node in reversed(definitions) if node.name in names), None)
        if answer is None:
            return Attempt("attempted")
    if answer is None:
        return _missing(function, [node.name for node in tree.body if isinstance(node, ast.FunctionDef)])
    stub_lines = [node.lineno + first_line - 1 for node in ast.walk(answer) if _is_not_implemented(node)]
    line = stub_lines[-1] if stub_lines else 0
    if all(_says_nothing(statement) for statement in answer.body):
        return Attempt("untouched", f"`{function}` still holds only its stub.", line)
    if stub_lines:
        says = f"Line {line} still says `raise NotImplementedError()`. Take that line out when your answer is complete."
        return Attempt("unfinished", says, line)
    return Attempt("attempted")


def _bound_to(tree: ast.Module, function: str) -> ast.expr | None:
    """What the name of the answer is bound to without a `def`: a lambda, `cuda.jit(f)`, another function."""
    for node in reversed(tree.body):
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == function for target in node.targets):
            return node.value
    return None


def _missing(function: str, others: list[str]) -> Attempt:
    """The answer to a source that never defines the function."""
    found = f" It defines {', '.join(f'`{name}`' for name in others)}." if others else ""
    return Attempt(
        "missing", f"This source defines no function named `{function}`.{found} Name your answer `{function}`."
    )


def _says_nothing(statement: ast.stmt) -> bool:
    """True for a docstring, `pass`, `...` and `raise NotImplementedError`."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return True
    return isinstance(statement, ast.Pass) or _is_not_implemented(statement)


def _is_not_implemented(node: ast.AST) -> TypeGuard[ast.Raise]:
    """True for ``raise NotImplementedError`` with or without a call."""
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
