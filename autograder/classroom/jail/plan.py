"""A plan as data: its shape, checked before anything reads one, and what it shows of the host code behind it.

It comes out of a jail, so it may be anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

WORDS = (
    "line",
    "do",
    "name",
    "order",
    "kernel",
    "dtype",
    "action",
    "begins",
    "event",
    "stream",
)  # keys that hold words of the plan's own
MAX_STEPS = 4000
MAX_LITERAL_CHARACTERS = 2 << 20  # of arrays that came from nowhere, as hexadecimal text, over a whole plan
SHARES, CALLED_BACK = "reads or writes memory that the device may use meanwhile", "runs as an operation of a stream"
BEYOND = ("", SHARES, CALLED_BACK)  # what host code may do that no plan has, in our words only
MAX_LINE = 1 << 20
MAX_ERROR = 1000  # characters of a type's name and of a message
MAX_RECORD_BYTES = 6 << 20  # of all cases' plans, as the text in which they travel to where they are carried out
CUT_STEPS = 1000  # that are kept of a plan which is too long: more launches than the interpreter has time for
MAX_DEPTH = 12  # of references inside references
COPIES = ("copy_to_host", "getitem")
PLACES = ("step", "on")  # keys under which a number is the place of an earlier step, and no number of the student's


class NotAPlan(ValueError):
    """What came back is no plan; the message says which part."""


def checked(call: Any) -> dict[str, Any]:
    """A call's reply as a plan: "steps", "returned", "many", "error", "beyond" and "long" (its end is missing), each of
    the right type, and nothing else.

    Whether a step can be done is for `replay` to say. Raises: NotAPlan.
    """
    _need(isinstance(call, dict), "the reply")
    steps, returned, error = call.get("steps"), call.get("returned"), call.get("error")
    _need(isinstance(steps, list) and len(steps) <= MAX_STEPS, "the list of steps")
    for step in steps:
        _need(isinstance(step, dict) and isinstance(step.get("do"), str) and _is_line(step.get("line")), "a step")
    _need(isinstance(returned, list) and len(returned) <= MAX_STEPS, "what was returned")
    for part in returned:
        _need(part is None or (isinstance(part, dict) and len(part) == 1), "a returned value")
    for part in [*steps, *returned]:
        _need(_depth(part) <= MAX_DEPTH, "a reference")
    literals = [text for kind, text in _leaves([steps, returned]) if kind in ("bytes", "fill")]
    _need(all(isinstance(text, str) for text in literals), "a literal")
    _need(sum(map(len, literals)) <= MAX_LITERAL_CHARACTERS, "the size of its literals")
    _need(error is None or isinstance(error, dict), "the error")
    if error is not None:
        words = {name: str(error.get(name))[:MAX_ERROR] for name in ("type", "message")}
        error = {**words, "line": error.get("line")}
        _need(_is_line(error["line"]), "the line of the error")
    beyond = call.get("beyond", "")
    _need(beyond in BEYOND, "what it does beyond the plan")
    marks = {"many": call.get("many") is True, "long": call.get("long") is True}
    return {"steps": steps, "returned": returned, "error": error, "beyond": beyond, **marks}


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise NotAPlan(f"{what} is not as it should be")


def _is_line(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MAX_LINE


def looks_at_results(found: dict[str, Any]) -> bool:
    """Whether host code copied a result back and then did something with it that the plan cannot follow.

    That is so when a copy is referred to nowhere later, or when numbers that came from nowhere follow a copy.
    """
    steps = found["steps"]
    launches = [place for place, step in enumerate(steps) if step["do"] == "launch"]
    copies = [place for place, step in enumerate(steps) if step["do"] in COPIES and "into" not in step]
    copies = [place for place in copies if launches and place > launches[0]]
    if not copies:
        return False
    later = list(_leaves([steps[copies[0] :], found["returned"]]))
    referred = {value for key, value in later if key in PLACES and isinstance(value, int)}
    from_nowhere = any(key in ("bytes", "fill") for key, _ in later)
    from_nowhere |= any("number" in (part or {}) for part in found["returned"])
    return from_nowhere or not referred.issuperset(copies)


def brings_in(found: dict[str, Any]) -> bool:
    """Whether host code brought in arrays from nowhere: of its own, or copies of inputs that nobody followed."""
    return looks_at_results(found) or any(key == "bytes" for key, _ in _leaves([found["steps"], found["returned"]]))


def numbers_of(found: dict[str, Any]) -> frozenset[tuple[str, str]]:
    """Every number, index, size and literal that host code brought in, each with the key it stood under."""
    leaves = _leaves([found["steps"], found["returned"]])
    return frozenset((key, repr(value)) for key, value in leaves if key not in (*PLACES, *WORDS))


def in_words(number: tuple[str, str]) -> str:
    """One of `numbers_of` for a sentence."""
    key, value = number
    return "an array" if key in ("bytes", "fill") else f"the number {value[:40]}"


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """What a document holds at its ends, each with the nearest key above it."""
    pending = [(key, value)]
    while pending:
        key, value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value.items())
        elif isinstance(value, list):
            pending.extend((key, part) for part in value)
        else:
            yield key, value


def _depth(value: Any) -> int:
    """Levels of a document, found without recursion."""
    depth, level = 0, [value]
    while level:
        level = [
            part
            for whole in level
            if isinstance(whole, dict | list)
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
        depth += 1
    return depth
