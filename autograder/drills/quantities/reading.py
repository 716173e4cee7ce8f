"""An answer as a number in the unit that a card asks for; a unit that does not fit is refused by name."""

from __future__ import annotations

import math
import re
from contextlib import suppress

from autograder.drills.deck.model import AnswerError
from autograder.drills.quantities.arithmetic import OWN, TIME, Quantity, UnreadableError, evaluate
from autograder.drills.quantities.sentences import OtherThingError, is_an_essay, readings, without_reason
from autograder.drills.quantities.units import UNCLEAR, Measure, Powers, names_of_card, unit_of_card
from autograder.drills.quantities.words import is_a_range, plain, without_lead, without_limits

UNIT = rf"(?:[^\W\d_]|[%/{OWN}])+"
UNIT_BEHIND = re.compile(rf"(.*\d[\d.eE)]*)\s*({UNIT})")
UNIT_OF_A_QUOTIENT = re.compile(rf"([\d\s.()*/^]+/[\d\s.()*/^]+?)\s*({UNIT})")  # 100/3 %
BY_A_HUNDRED = re.compile(r"\b100\s*[*x]|[*x]\s*100\b", re.IGNORECASE)
FLOPS_OF_A_RATE = re.compile(
    r"(/\s*\(?\s*[\d.,e+]+\s*[MGTP]?)flops\b(?!\s*(?:/|per))", re.IGNORECASE
)  # 69 GFLOP / 67 TFLOPS
ONE_AXIS = re.compile(r"along (?:one axis|an edge)|沿一个轴|边长", re.IGNORECASE)
SQUARE = re.compile(r"(\d+)\s*(?:[x*×]|\bby\b)\s*\1(?!\d)", re.IGNORECASE)  # 96 x 96, of whose edge is asked
OF_ALL = re.compile(r"(\d+)\s*(?:out )?of\s*(?:the |all )?(\d+)")
RATIO = re.compile(r"([\d.]+(?:\s*[a-zA-Z]+)?)\s*(?::|\bto\b)\s*([\d.]+)")
SAID_TWICE = re.compile(r"\s*(?:\bor\b(?! so\b)|或者说|或者?|也就是)\s*", re.IGNORECASE)  # half or 50%
OF_A_SECTOR = re.compile(r"^\s*([\d,]+)\s*[x×*]\s*32[ -]?(?:B|bytes?)\s*$", re.IGNORECASE)  # 16 x 32 B, of sectors
SAME = 0.005  # two numbers that are one, rounded
SHORT_BITS = re.compile(r"\b([KMGT])b\b")


def read_quantity(answer: str, unit: str, asked: str = "") -> float:
    """The number that an answer means, in the card's unit; without a unit of its own it is taken to be in that one.

    unit: as a card names it, "us" or "sectors"; "" for a plain number. asked: the question, whose words may come back.
    Raises: AnswerError, which says what is wanted.
    """
    if unit == "times":
        answer = RATIO.sub(r"\1/\2", re.sub(r"^\s*[x×]\s*(?=\d)", "", answer))
    if is_an_essay(answer, asked):
        raise AnswerError(_example(unit))
    if len(said := SAID_TWICE.split(answer)) == 2 and all(said):
        with suppress(AnswerError):
            one, other = (read_quantity(each, unit) for each in said)
            if math.isclose(one, other, rel_tol=SAME):
                return one
    answer = without_reason(without_limits(answer, asked))
    if is_a_range(answer):
        raise AnswerError("32", "one_number")
    own = unit_of_card(unit) if unit else None
    wanted = own.powers if own else ()
    text = _text(answer, unit, asked)
    if wanted == TIME:
        text = FLOPS_OF_A_RATE.sub(r"\1flop/s", text)
    found = _value(text, own, unit, asked)
    if not found.named:
        is_share = unit == "percent" and "/" in text and 0 < found.value < 1 and not BY_A_HUNDRED.search(text)
        return found.value * (100 if is_share else 1)  # 3/8, where percent are asked for
    if found.powers == _without_what_is_counted(wanted):
        return found.value / (own.factor if own else 1)
    if found.powers != wanted and (behind := UNIT_BEHIND.fullmatch(text)):  # 12 * 2^28 / 2039e9 s
        found = _value(f"({behind[1]}) {behind[2]}", own, unit, asked)
    if found.powers != wanted:
        raise AnswerError(_example(unit), "other_unit" if unit else "no_unit", unit=unit)
    return found.value / (own.factor if own else 1)


def _without_what_is_counted(powers: Powers) -> Powers:
    """Tokens per second are 1/s, too; () where nothing else is left."""
    return tuple(each for each in powers if each[0] in ("s", "byte", "flops")) if len(powers) > 1 else powers


def _text(answer: str, unit: str, asked: str) -> str:
    """The answer for arithmetic, OWN where it names the card's unit."""
    if unit.endswith("along an edge") or ONE_AXIS.search(asked):
        answer = SQUARE.sub(r"\1", answer)
    if unit == "sectors":
        answer = OF_A_SECTOR.sub(r"\1", answer)
    text, names = plain(OF_ALL.sub(r"\1/\2" if unit == "percent" else r"\1", answer)), names_of_card(unit)
    if "bit" in unit:
        text = SHORT_BITS.sub(r"\1bit", text)
    return without_lead(names.sub(OWN, text) if names else text)


def _value(text: str, own: Measure | None, unit: str, asked: str) -> Quantity:
    """Of a text, or of the number in a sentence. Raises: AnswerError."""
    if quotient := UNIT_OF_A_QUOTIENT.fullmatch(text):
        text = f"({quotient[1]}) {quotient[2]}"
    word = None
    try:
        for reading in dict.fromkeys(readings(text, asked)):
            try:
                return evaluate(reading, own)
            except UnreadableError as error:
                word = error.word if word is None else word
    except OtherThingError:
        raise AnswerError(_example(unit), "other_unit" if unit else "no_unit", unit=unit) from None
    raise _refusal(word or "", unit)


def _refusal(word: str, unit: str) -> AnswerError:
    if not word:
        return AnswerError(_example(unit))
    if UNCLEAR.fullmatch(word):
        return AnswerError(_example(unit), "unclear_unit", word=word)
    return AnswerError(_example(unit), "unknown_word", word=word)


def _example(unit: str) -> str:
    return f"32 {unit}".strip()
