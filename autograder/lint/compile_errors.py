"""From an exception inside the compiler to a sentence for the learner: where it happened, and the first rule that fits.

Rules are tried in the order of RULES, most exact first; the last fits everything.
"""

from __future__ import annotations

import inspect
import re
from types import FunctionType
from typing import Any

from autograder.lint import call_errors, language_errors, name_errors, shape_errors, type_errors
from autograder.lint.machine_code.successor import faults
from autograder.lint.nvvm_faults import half_as_condition, mask_elsewhere, rounded_by_numpy, shared_array_twice
from autograder.lint.plain_mistakes import odd_symbol, plain_mistake
from autograder.lint.report import CompileError
from autograder.lint.rule import Context, Rule
from autograder.lint.signature import describe
from autograder.lint.source import called_functions, parameters, syntax_of

RULES: tuple[Rule, ...] = (
    *language_errors.RULES,
    *shape_errors.RULES,
    *name_errors.RULES,
    *call_errors.RULES,
    *type_errors.RULES,
)
_LINE_IN_MESSAGE = re.compile(r'File "[^"]*", line (\d+)|Raised from \S+ \((\d+)\)|\S+\.py \((\d+)\)')
_COLOURS = re.compile(r"\x1b\[[\d;]*m")  # numba writes them into its messages where colorama is installed


def explain(error: Exception, kernel: FunctionType, signature: tuple = ()) -> CompileError:
    """The plain-words version of what numba raised while it compiled `kernel` for these argument types."""
    error.args = tuple(_COLOURS.sub("", part) if isinstance(part, str) else part for part in error.args)
    line = _line_of(error, kernel)
    if answer := faults.explained(error, kernel, line):
        return answer
    function = _function_around(kernel, line)
    numbers = _numbers(kernel, signature) if function is kernel else frozenset()
    context = Context(error, str(error), function, syntax_of(function), line, numbers=numbers)
    if (
        answer := odd_symbol(error, kernel)
        or shared_array_twice(error, kernel)
        or mask_elsewhere(error, kernel)
        or rounded_by_numpy(error, kernel)
        or half_as_condition(error, kernel, signature)
        or plain_mistake(error, function, kernel)
    ):
        return answer
    for rule in RULES:
        if answer := rule.answer(context):
            return answer
    raise AssertionError("the last rule fits every error")


def _numbers(kernel: FunctionType, signature: tuple) -> frozenset[str]:
    """Names of the parameters that are no arrays in this signature."""
    pairs = zip(parameters(kernel), signature, strict=False)
    return frozenset(name for name, argument in pairs if not hasattr(argument, "ndim"))


def wrong_arity(kernel: FunctionType, signature: tuple) -> CompileError | None:
    """The error of a kernel that does not take as many arguments as it is passed; None when it does."""
    code, taken = kernel.__code__, len(parameters(kernel))
    required = taken - len(kernel.__defaults__ or ())
    passed = len(signature)
    if required <= passed <= taken and not code.co_kwonlyargcount or code.co_flags & 0x04:
        return None
    names = ", ".join(parameters(kernel))
    types = ", ".join(describe(argument) for argument in signature)
    return CompileError(
        kind="wrong_arity",
        misconception="not_compiled",
        says=f"Your kernel takes {_count(taken)} ({names}), the exercise passes {passed} ({types}).",
        remedy="Give the kernel exactly the parameters of the task, in that order.",
        lines=(_definition_line(kernel),),
        original=f"{kernel.__name__} takes {taken} positional arguments but {passed} were given",
    )


def _count(arguments: int) -> str:
    return "1 argument" if arguments == 1 else f"{arguments} arguments"


def _definition_line(kernel: FunctionType) -> int:
    tree = syntax_of(kernel)
    return tree.lineno if tree else kernel.__code__.co_firstlineno


def _function_around(kernel: FunctionType, line: int | None) -> FunctionType:
    """The kernel or called function whose definition spans the line; the kernel when none does."""
    for function in (kernel, *(callee for _, callee in called_functions(kernel))):
        tree = syntax_of(function)
        if tree and line and tree.lineno <= line <= tree.end_lineno:
            return function
    return kernel


def _line_of(error: Exception, kernel: FunctionType) -> int | None:
    """The learner's line: from numba's location objects on the traceback, else from the message, else unknown.

    Type inference raises from inside a constraint, lowering from inside an instruction; both carry `loc`. The
    deepest one that lies in one of the learner's functions is the most exact.
    """
    functions = (kernel, *(callee for _, callee in called_functions(kernel)))
    spans = [(f.__code__.co_filename, f.__code__.co_firstlineno, _last_line(f)) for f in functions]
    if isinstance(found := _loc_on_traceback(error, spans), int):
        return found
    stated = [int(next(filter(None, groups))) for groups in _LINE_IN_MESSAGE.findall(str(error))]
    inside = [line for line in stated for _, first, last in spans if first < line <= last]
    return inside[0] if inside else None


def _loc_on_traceback(error: Exception, spans: list[tuple[str, int, int]]) -> int | None:
    found, frame = None, error.__traceback__
    while frame:
        for name in ("self", "inst", "stmt", "expr"):
            loc = _own_loc(frame.tb_frame.f_locals.get(name))
            for filename, first, last in spans:
                if getattr(loc, "filename", None) == filename and first < loc.line <= last:
                    found = loc.line
        frame = frame.tb_next
    return found


def _own_loc(value: Any) -> Any:
    """The `loc` of an object that has one; None elsewhere. Numba's driver takes any other name for a call of CUDA's."""
    return value.loc if inspect.getattr_static(value, "loc", None) is not None else None


def _last_line(function: FunctionType) -> int:
    lines = [line for _, _, line in function.__code__.co_lines() if line]
    return max(lines, default=function.__code__.co_firstlineno)
