"""Calls of the answer's own device functions, with references and records among what goes in and comes back."""

from __future__ import annotations

from autograder.drills.cpp import records
from autograder.drills.cpp.body import Body
from autograder.drills.cpp.elements import place_of
from autograder.drills.cpp.kinds_of_number import BITS, BOOL, Value, converted, declared
from autograder.drills.cpp.parsing import mistaken, refused, text_of
from autograder.drills.cpp.places import Pointer
from autograder.drills.cpp.pointers import pointer_of
from autograder.drills.cpp.teams import team_of
from autograder.words import count_text


def own(body: Body, node, name: str, given: list) -> Value | None:
    """A device function that gives back a number, or nothing."""
    function = body.functions[name]
    if function.returns and function.returns not in (BOOL, *BITS, "float32", "float64"):
        raise refused(node, f"`{name}` gives back a {function.returns}: put it into a variable first")
    code = called(body, node, name, given)
    if not function.changes:
        if function.returns:
            return Value(f"{function.returns}({code})", function.returns)
        body.emit(code)
        return None
    found = results(body, node, name, given, code, 1 if function.returns else 0)
    return Value(f"{function.returns}({found[0]})", function.returns) if function.returns else None


def called(body: Body, node, name: str, given: list) -> str:
    """The call of a device function: numbers are converted, a pointer goes as an array and where in it."""
    function = body.functions[name]
    if len(given) != len(function.parameters):
        count = len(function.parameters)
        raise mistaken(node, f"`{name}` takes {count_text(count, 'argument')}, and has {len(given)} here")
    handed = [
        part for each, wanted in zip(given, function.parameters, strict=True) for part in _handed(body, each, wanted)
    ]
    return f"{function.name}({', '.join(handed)})"


def results(body: Body, node, name: str, given: list, code: str, count: int) -> list[str]:
    """The first `count` numbers that a call gives back; behind them come the references, which are set to theirs."""
    function, targets = body.functions[name], []
    for each, wanted in zip(given, function.parameters, strict=True):
        if wanted.name in function.changes:
            targets += records.places_of(body, each) or [place_of(body, each)]
    for target in targets:
        if target.const:
            raise mistaken(node, f"`{text_of(node)}` sets what is const")
    if not body.may_hoist:
        raise refused(node, f"`{name}` under a condition inside an expression is left out: call it before")
    if count + len(targets) == 1:
        kept = [body.kept_value(code)]
    else:
        kept = body.kept_several(code, count + len(targets))
    for target, value in zip(targets, kept[count:], strict=True):
        body.emit(f"{target.code} = {value}")
    return kept[:count]


def _handed(body: Body, node, wanted) -> list[str]:
    if wanted.form == "team":
        if team_of(body, node) != wanted.kind:
            raise refused(node, f"`{text_of(node)}` is no {wanted.kind}")
        return []
    if record := records.record_named(body, wanted.kind):
        made = records.parts_of(body, node, record)
        if made is None or made.record != record:
            raise mistaken(node, f"`{text_of(node)[:60]}` is no {record.name}")
        return [declared(value, kind) for value, (_, kind) in zip(made.values, record.parts, strict=True)]
    if wanted.form != "pointer":
        return [converted(body.value(node), wanted.kind).code]
    pointer: Pointer | None = pointer_of(body, node)
    if pointer is None or pointer.base.kind != wanted.kind or (pointer.base.const and not wanted.const):
        raise mistaken(node, f"`{text_of(node)}` is no {'const ' if wanted.const else ''}pointer to {wanted.kind}")
    if pointer.rows != wanted.rows:
        raise refused(node, f"`{text_of(node)}` points to rows of another length than `{wanted.name}`")
    return [pointer.base.name, pointer.at.code if pointer.at is not None else "0"]


def record_of(body: Body, node, name: str, given: list) -> records.Parts | None:
    """The record that a function gives back; None where it gives back something else."""
    record = records.record_named(body, body.functions[name].returns)
    if record is None:
        return None
    kept = results(body, node, name, given, called(body, node, name, given), len(record.parts))
    return records.Parts(record, tuple(Value(value, kind) for value, (_, kind) in zip(kept, record.parts, strict=True)))


records.GIVEN_BACK.append(record_of)
