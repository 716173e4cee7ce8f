"""Is the stub still there? Decided from source, before anything runs.

`raise NotImplementedError()` compiles to nothing on a GPU, so running an untouched kernel would look like a wrong
answer. Reading it does not.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeGuard

from autograder.answer.program import Program


@dataclass(frozen=True)
class Attempt:
    """What the source says about the answer.

    state: "attempted", "untouched" (only the stub), "unfinished" (an answer with the stub's last line still in it),
    "missing" (the function is not defined) or "waiting" (it calls a function of another cell that is only a stub).
    line: where the stub's line is, or the call, counted like `first_line`; 0 if nowhere. next_step: what to do.
    """

    state: str
    says: str = ""
    line: int = 0
    next_step: str = "Write your answer, then check again. A nudge: q.hint()"


def attempt_of(program: Program) -> Attempt:
    """What the sources of a program say about its answer: its own, and those of the cells that it builds on."""
    attempt = read_attempt(program.source, program.function, program.first_line)
    if attempt.state != "attempted":
        return attempt
    calls = _read(program)
    functions = {name: node for piece in program.setup for name, node in _functions(_parsed(piece.source)).items()}
    reached = list(calls)
    for name in reached:  # grows: what those call, too
        function = functions.get(name)
        if function is None:
            continue
        if all(map(_says_nothing, function.body)) and any(map(_is_not_implemented, function.body)):
            verb = "calls" if name in calls else "needs"
            says = f"`{program.function}` {verb} `{name}`, which still holds only its stub."
            return Attempt("waiting", says, calls.get(name, 0), f"Write `{name}` first: its cell is further up.")
        used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        reached += [other for other in functions if other in used and other not in reached]
    return attempt


def _read(program: Program) -> dict[str, int]:
    """Names that the answer's own source reads and does not define, each with its first line."""
    tree = _parsed(program.source)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {*_functions(tree), *(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))}
    own |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    lines: dict[str, int] = {}
    for node in names:
        if node.id not in own:
            lines[node.id] = min(lines.get(node.id, node.lineno), node.lineno)
    return {name: line + program.first_line - 1 for name, line in lines.items()}


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions that a source defines at its top, by name."""
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _parsed(source: str) -> ast.Module:
    """The syntax of a source; of nothing where it cannot be read, which is for others to tell."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


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
