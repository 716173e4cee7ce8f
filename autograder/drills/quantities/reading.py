"""An answer as a number in the unit that a card asks for; a unit that does not fit is refused by name."""

from __future__ import annotations

import contextlib
import re

from autograder.drills.deck.model import AnswerError
from autograder.drills.quantities.arithmetic import OWN, Quantity, UnreadableError, evaluate
from autograder.drills.quantities.units import UNCLEAR, Measure, names_of_card, unit_of_card
from autograder.drills.quantities.words import is_a_range, plain

UNIT_BEHIND = re.compile(rf"(.*\d[\d.eE)]*)\s*((?:[^\W\d_]|[%/{OWN}])+)")
REMARK = re.compile(r"(.+?)\s*\([^()]*\)")


def read_quantity(answer: str, unit: str) -> float:
    """The number that an answer means, in the card's unit; without a unit of its own it is taken to be in that one.

    unit: as a card names it, "us" or "sectors"; "" for a plain number. Raises: AnswerError, which says what is wanted.
    """
    if is_a_range(answer):
        raise AnswerError("32", "one_number")
    own = unit_of_card(unit) if unit else None
    names = names_of_card(unit)
    text = plain(names.sub(OWN, answer) if names else answer)
    wanted = own.powers if own else ()
    found = _value(text, own, unit)
    if not found.named:
        return found.value
    if found.powers != wanted and (behind := UNIT_BEHIND.fullmatch(text)):  # 12 * 2^28 / 2039e9 s
        found = _value(f"({behind[1]}) {behind[2]}", own, unit)
    if found.powers != wanted:
        raise AnswerError(_example(unit), "other_unit" if unit else "no_unit", unit=unit)
    return found.value / (own.factor if own else 1)


def _value(text: str, own: Measure | None, unit: str) -> Quantity:
    """Of a text, or of what stands before a remark in parentheses. Raises: AnswerError."""
    try:
        return evaluate(text, own)
    except UnreadableError as error:
        with contextlib.suppress(UnreadableError):
            if remark := REMARK.fullmatch(text):
                return evaluate(remark[1], own)
        raise _refusal(error.word, unit) from None


def read_number(answer: str) -> float:
    """One number that has no unit: "1,024", "1e3", "3/4", "0x20". Raises: AnswerError, with an example."""
    return read_quantity(answer, "")


def _refusal(word: str, unit: str) -> AnswerError:
    if not word:
        return AnswerError(_example(unit))
    if UNCLEAR.fullmatch(word):
        return AnswerError(_example(unit), "unclear_unit", word=word)
    return AnswerError(_example(unit), "unknown_word", word=word)


def _example(unit: str) -> str:
    return f"32 {unit}".strip()
