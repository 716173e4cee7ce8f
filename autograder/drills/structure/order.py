"""Statements that do not depend on each other, in one order of many."""

from __future__ import annotations

from autograder.drills.structure.forms import Form, all_of, called, names_in, with_names
from autograder.drills.structure.temporaries import ALLOCATIONS, PURE_CALLS
from autograder.drills.structure.unrolled import written_in

Block = tuple[Form, ...]
MEMORY = "memory of arrays"
EFFECT = "what a call does"


def ordered(block: Block, keep: frozenset[str]) -> Block:
    """The block, and those inside it, with the first by its text of all that may come next."""
    waiting = [_inner(each, keep) for each in block]
    own = {name for each in waiting for name in written_in(each)} | {e[1] for e in waiting if e[0] == "declare"}
    masked = dict.fromkeys(own - keep, ("name", "?"))
    found: list[Form] = []
    while waiting:
        ready = [e for place, e in enumerate(waiting) if not any(_depends(e, before) for before in waiting[:place])]
        first = min(ready, key=lambda each: _text(each, masked))
        found.append(first)
        waiting.remove(first)
    return tuple(found)


def _inner(form: Form, keep: frozenset[str]) -> Form:
    if form[0] == "if":
        return ("if", form[1], ordered(form[2], keep), ordered(form[3], keep))
    if form[0] == "while":
        return ("while", form[1], ordered(form[2], keep))
    return (*form[:5], ordered(form[5], keep)) if form[0] == "def" else form


def _text(form: Form, masked: dict[str, Form]) -> str:
    """What a statement says, without the names of the code's own and without the type that a name is given."""
    plain = with_names(form, masked)
    if form[0] == "let":
        return repr(("let", plain[3]))
    return repr(("declare", *plain[2:]) if form[0] == "declare" else plain)


def _reads(form: Form) -> set[str]:
    found = names_in(form) | ({MEMORY} if any(all_of(form, "index")) else set())
    return found | ({EFFECT, MEMORY} if _does_something(form) else set())


def _writes(form: Form) -> set[str]:
    found = written_in(form) | ({form[1]} if form[0] == "declare" else set())
    if any(each[1][0] != "name" for each in all_of(form, "set")):
        found |= {MEMORY}
    leaves = any(all_of(form, "return", "break", "continue"))
    return found | ({EFFECT, MEMORY} if leaves or _does_something(form) else set())


def _does_something(form: Form) -> bool:
    """Is something called that may change what others see?"""
    return any(all_of(form, "launch")) or not called(form) <= PURE_CALLS | ALLOCATIONS


def _depends(later: Form, earlier: Form) -> bool:
    """Must `later` stay behind `earlier`?"""
    written, read = _writes(earlier), _reads(earlier)
    return bool(written & (_reads(later) | _writes(later)) or read & _writes(later))
