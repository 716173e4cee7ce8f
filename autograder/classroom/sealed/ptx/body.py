"""Instructions of PTX: each of their words is on the list, and each operand is a register, a number or a name."""

from __future__ import annotations

import re

from autograder.classroom.sealed.ptx.text import NAME, PtxRefused, Words
from autograder.classroom.sealed.ptx.words import CLOCKS, INSTRUCTIONS, MODIFIERS, REGISTERS, SPECIAL

REGISTER = re.compile(rf"%(?:{'|'.join(REGISTERS)})\d+")
PARTS = (".x", ".y", ".z", ".w")
ENVIRONMENT = "_ZN08NumbaEnv"  # a word that numba declares for each function, and that no kernel uses


def read_instruction(words: Words) -> str:
    """Read one instruction with its guard, up to the semicolon. Returns the name that it calls, or "".

    Raises: PtxRefused.
    """
    if words.took("@"):
        words.took("!")
        _need_operand(words.take())
    operation = words.take()
    if operation not in INSTRUCTIONS:
        raise PtxRefused(f"its PTX has the instruction {operation[:40]!r}, which is not allowed")
    rest = words.until(";")
    split = next((n for n, word in enumerate(rest) if not word.startswith(".")), len(rest))
    for word in rest[:split]:
        if word[1:] not in MODIFIERS:
            raise PtxRefused(f"its PTX has {operation}{word[:40]}, which is not allowed")
    if operation == "call":
        return _called(rest[split:])
    _need_operands(operation, rest[split:])
    return ""


def _need_operands(operation: str, operands: list[str]) -> None:
    for place, word in enumerate(operands):
        if not word.startswith("."):
            _need_operand(word)
        elif word not in PARTS or not place or not operands[place - 1].startswith("%"):  # as in %tid.x
            raise PtxRefused(f"its PTX has {operation} with {word[:40]!r}, which is not allowed")


def _need_operand(word: str) -> None:
    """A register, a name, a number or a mark."""
    name = word.removeprefix("%")
    if word.startswith("%"):
        if not (REGISTER.fullmatch(word) or name in SPECIAL or name in ("SP", "SPL")):
            raise PtxRefused(f"it reads {word[:40]}, {'a clock' if name in CLOCKS else 'which no exercise needs'}")
    elif word.startswith(ENVIRONMENT):
        raise PtxRefused("it uses a word that stays from one launch to the next")
    elif word.startswith('"'):
        raise PtxRefused("an instruction has a text among its operands")


def _called(operands: list[str]) -> str:
    """The name in ``(results), name, (arguments)``. An address in its place is refused, and so is a table."""
    flat = [word for word in operands if word != ","]
    at = flat.index(")") + 1 if flat[:1] == ["("] and ")" in flat else 0
    target = flat[at] if at < len(flat) else ""
    rest = flat[at + 1 :]
    if not NAME.fullmatch(target) or (rest and (rest[0] != "(" or rest[-1] != ")" or ")" in rest[:-1])):
        raise PtxRefused("it calls a function by an address")
    for word in flat:
        _need_operand(word)
    return target
