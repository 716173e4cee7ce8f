"""Elements that nobody wrote, where the one store to the array waits for what was read from another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from autograder.answer.program import Program
from autograder.answer.syntax import around
from autograder.contract import Exercise
from autograder.diagnosis.advice.places import NO_MORE_KNOWN
from autograder.outcome import Cause


def in_view_of_conditions(cause: Cause, exercise: Exercise, program: Program) -> Cause:
    """A cause of elements that nobody wrote, with the condition on a value that keeps them from it; others as they are.

    Kernels that a host function launches are looked at where they call the array as the contract does.
    """
    if cause.kind != "wrong_output" or cause.is_slip or cause.remedy != NO_MORE_KNOWN:
        return cause
    for function in [program.definition, *program.helpers.values()]:
        if function is None:
            continue
        array = cause.array
        if exercise.kind == "kernel" and function is program.definition:
            pairs = zip(exercise.arguments, function.args.args, strict=False)
            array = next((own.arg for one, own in pairs if one.name == cause.array), cause.array)
        stores = [*_stores_to(array, function)]
        if len(stores) == 1 and (condition := _asks_for_a_value(stores[0], function)) is not None:
            line, asked = stores[0].lineno, ast.unparse(condition.test)
            return replace(
                cause,
                misconception="store_not_reached",
                says=f"{cause.says} Line {line} stores to {array} only where `{asked}`, and where that is false "
                "nothing is stored.",
                remedy="Store what belongs there in that case, too: give the `if` an `else`.",
                lines=(line,),
            )
    return cause


def _stores_to(array: str, function: ast.FunctionDef) -> Iterator[ast.stmt]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            if any(isinstance(one, ast.Subscript) and ast.unparse(one.value) == array for one in node.targets):
                yield node


def _asks_for_a_value(store: ast.stmt, function: ast.FunctionDef) -> ast.If | None:
    """The innermost `if` without else around a statement whose condition reads an element of an array of the caller."""
    handed = {one.arg for one in function.args.args}
    for node in reversed(around(store, function, ast.If)):
        read = [
            one for one in ast.walk(node.test) if isinstance(one, ast.Subscript) and ast.unparse(one.value) in handed
        ]
        if read and not node.orelse:
            return node
    return None
