"""Loops whose counter has constant values, written out: `for (d = 16; d > 0; d /= 2)` is five lines."""

from __future__ import annotations

from autograder.drills.structure.arithmetic import simplified
from autograder.drills.structure.forms import (
    Form,
    all_of,
    is_num,
    names_addressed,
    names_in,
    names_set,
    parts,
    with_names,
)

MOST = 64  # iterations that are written out
Block = tuple[Form, ...]


def unrolled(block: Block, keep: frozenset[str]) -> Block:
    """The block with its short loops of constants written out, those inside other statements, too."""
    found: list[Form] = []
    constants: dict[str, Form] = {}
    moving = names_set(block)
    for each in block:
        each = _inside(with_constants(each, {name: value for name, value in constants.items() if name in moving}), keep)
        for one in (_written_out(each, constants) if each[0] == "while" else []) or [each]:
            found.append(one)
            _remember(one, constants)
    return tuple(_without_unread(found, moving - keep))


def _without_unread(block: list[Form], names: set[str]) -> list[Form]:
    """Without the constants that a counter had, once they stand in the places where they were read."""
    return [
        each
        for place, each in enumerate(block)
        if not (_is_constant_of(each, names) and not _is_read(_target(each), block[place + 1 :]))
    ]


def _target(form: Form) -> str:
    """The name that a statement gives a value; "" for another statement."""
    if form[0] == "let":
        return form[1]
    return form[1][1] if form[0] == "set" and form[1][0] == "name" else ""


def _is_constant_of(form: Form, names: set[str]) -> bool:
    return _target(form) in names and is_num(form[-1])


def _is_read(name: str, rest: list[Form]) -> bool:
    """Before it has another value?"""
    for each in rest:
        if name in names_in(each[-1] if _target(each) == name else each):
            return True
        if _target(each) == name:
            return False
    return False


def with_constants(form: Form, constants: dict[str, Form]) -> Form:
    """A plain statement with the values of the names that are known by then; a loop may change them."""
    if form[0] not in ("set", "do", "let") or not constants:
        return form
    value = simplified(with_names(form[-1], constants))
    place = form[1] if form[0] != "set" or form[1][0] == "name" else simplified(with_names(form[1], constants))
    return (form[0], value) if form[0] == "do" else (form[0], place, *form[2:-1], value)


def _inside(form: Form, keep: frozenset[str]) -> Form:
    if form[0] == "if":
        return ("if", form[1], unrolled(form[2], keep), unrolled(form[3], keep))
    if form[0] == "while":
        return ("while", form[1], unrolled(form[2], keep))
    return (*form[:5], unrolled(form[5], keep)) if form[0] == "def" else form


def _remember(form: Form, constants: dict[str, Form]) -> None:
    """Which names have a constant value behind a statement."""
    written = written_in(form)
    for name in written:
        constants.pop(name, None)
    if form[0] == "let" and is_num(form[3]):
        constants[form[1]] = form[3]
    if form[0] == "set" and form[1][0] == "name" and is_num(form[2]):
        constants[form[1][1]] = form[2]


def written_in(form: Form) -> set[str]:
    """Names of variables that a statement gives a value."""
    return {each[1] for each in all_of(form, "let")} | names_set(form) | names_addressed(form)


def _written_out(loop: Form, constants: dict[str, Form]) -> list[Form]:
    """The statements of all iterations, the counter's value in them, and its last value; none for other loops."""
    _, condition, body = loop
    counters = [name for name in constants if ("name", name) in tuple(parts(condition))]
    if len(counters) != 1 or any(all_of(body, "break", "continue")):
        return []
    (counter,) = counters
    steps = [each for each in body if each[0] == "set" and each[1] == ("name", counter)]
    if len(steps) != 1 or counter in {name for each in body if each is not steps[0] for name in written_in(each)}:
        return []
    found: list[Form] = []
    value = constants[counter]
    for _ in range(MOST):
        goes_on = simplified(with_names(condition, {counter: value}))
        if not is_num(goes_on):
            return []
        if not goes_on[1]:
            return [*found, ("set", ("name", counter), value)]
        for each in body:
            if each is steps[0]:
                value = simplified(with_names(each[2], {counter: value}))
                if not is_num(value, "i"):
                    return []
            else:
                found.append(simplified(with_names(each, {counter: value})))
    return []
