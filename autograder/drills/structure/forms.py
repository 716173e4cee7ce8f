"""The common form of CUDA C++ and numba.cuda: nested tuples, whose first element says what they are.

Expressions: ("name", text), ("num", value, kind) of kind "i", "f" (float32) or "d" (float64), ("text", text),
(operator, operands...), ("select", condition, one, other), ("index", base, indices...), ("member", base, name),
("addr", place), ("cast", type, value), ("call", name, arguments...), ("keyword", name, value), ("tuple", items...),
("launch", kernel, grid, block, stream, shared bytes, arguments...).

Statements: ("let", name, type, value), ("declare", name, type, space, dimensions), ("set", place, value),
("do", expression), ("if", condition, then, else), ("while", condition, body), ("return", value), ("break",),
("continue",), ("def", name, marks, type of the result, parameters, body) of ("param", name, type, promises).
A block of statements is a tuple of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Form = tuple
AUTO = "auto"  # the type of a name whose text gives it none: any type is alike
COMMUTE = ("+", "*", "&", "|", "^", "==", "!=", "&&", "||", "max", "min")
ZERO: Form = ("num", 0, "i")
NONE: Form = ("name", "None")


def num(value: float, kind: str = "i") -> Form:
    return ("num", int(value) if kind == "i" else float(value), kind)


def is_num(form: Any, *kinds: str) -> bool:
    return isinstance(form, tuple) and form[:1] == ("num",) and (not kinds or form[2] in kinds)


def parts(form: Any) -> Iterator[Any]:
    """The form and everything in it, outermost first."""
    yield form
    if isinstance(form, tuple):
        for each in form:
            if isinstance(each, tuple):
                yield from parts(each)


def all_of(form: Any, *heads: str) -> Iterator[Form]:
    """Everything in a form that is one of these, as in all_of(block, "set", "let")."""
    return (each for each in parts(form) if isinstance(each, tuple) and each and each[0] in heads)


def rebuilt(form: Any, change: Callable[[Any], Any]) -> Any:
    """The form with `change` made to everything in it, innermost first."""
    if not isinstance(form, tuple):
        return form
    return change(tuple(rebuilt(each, change) for each in form))


def names_in(form: Any) -> set[str]:
    """Names that are read."""
    return {each[1] for each in all_of(form, "name") if len(each) == 2}


def with_names(form: Any, values: dict[str, Any]) -> Any:
    """The form with values in the place of names."""

    def put(each: Any) -> Any:
        if each[:1] == ("name",) and len(each) == 2:
            return values.get(each[1], each)
        return each

    return rebuilt(form, put)


def called(form: Any) -> set[str]:
    """Names of the functions that are called."""
    return {call[1] for call in all_of(form, "call")}


def names_set(form: Any) -> set[str]:
    """Names of variables that are set, declarations left aside."""
    return {each[1][1] for each in all_of(form, "set") if each[1][0] == "name"}


def names_addressed(form: Any) -> set[str]:
    """Names whose address is taken, which whoever gets it may set."""
    return {each[1][1] for each in all_of(form, "addr") if each[1][0] == "name"}
