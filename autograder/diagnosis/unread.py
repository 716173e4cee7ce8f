"""An input that the answer never mentions, where the result is wrong and nothing else tells why."""

from __future__ import annotations

import ast
from dataclasses import replace

from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.outcome import Cause


def in_view_of_unread(cause: Cause, exercise: Exercise, program: Program) -> Cause:
    """A wrong formula that leaves an input out, with the input's name; other causes as they are."""
    if cause.misconception != "wrong_formula" or cause.is_slip or cause.kind != "wrong_output":
        return cause
    name = unread(exercise, program)
    if not name:
        return cause
    only = ", only its length is" if name in _names(program.definition) else ""
    return replace(cause, says=f"{name} is never read{only}.", remedy=cause.says)


def unread(exercise: Exercise, program: Program) -> str:
    """The answer's name of the first input that its function never mentions; "" where it mentions all of them."""
    function = program.definition
    if function is None:
        return ""
    handed = [one for one in exercise.arguments if not (exercise.arrays == "host" and one.role == "out")]
    lengths = {id(part) for one in ast.walk(function) for part in _asked_for_its_length(one)}
    mentioned = {
        part.id
        for one in function.body
        for part in ast.walk(one)
        if isinstance(part, ast.Name) and id(part) not in lengths
    }
    pairs = zip(function.args.args, handed, strict=False)
    return next((own.arg for own, one in pairs if one.role == "in" and own.arg not in mentioned), "")


def _asked_for_its_length(node: ast.AST) -> list[ast.expr]:
    """The name in `x.size`, `x.shape` or `len(x)`."""
    if isinstance(node, ast.Attribute) and node.attr in ("size", "shape"):
        return [node.value]
    return node.args if isinstance(node, ast.Call) and ast.unparse(node.func) == "len" else []


def _names(function: ast.FunctionDef | None) -> set[str]:
    """Everything that the body of a function names."""
    nodes = (part for one in function.body for part in ast.walk(one)) if function else ()
    return {part.id for part in nodes if isinstance(part, ast.Name)}
