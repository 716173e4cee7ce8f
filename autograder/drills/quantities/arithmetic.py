"""Arithmetic with units: `8 GiB / 320 GB/s`, `2^20`, `1.2 x 10^3 us`, `ceil(1000 / 256)`; the value, and of what."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from autograder.drills.quantities.units import Measure, Powers, symbol, times

OWN = "\ue000"  # stands in a text where the card's own unit was named
MULTIPLES = {
    "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "thousand": 1e3, "million": 1e6, "billion": 1e9,
    "hundred": 1e2, "mio": 1e6, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8,
    "百万": 1e6, "千万": 1e7, "百亿": 1e10, "千亿": 1e11,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "ceil": math.ceil, "floor": math.floor, "int": math.trunc, "round": round, "sqrt": math.sqrt, "log2": math.log2,
    "abs": abs,
}  # fmt: skip
OF_SEVERAL: dict[str, Callable[[list[float]], float]] = {"min": min, "max": max}
NUMBER = (
    r"0[xX][0-9a-fA-F]+|0[bB][01]+"
    r"|(?:[1-9]\d{0,2}(?:[ ,_']\d{3})+(?!\d)|\d+(?:_\d+)*(?:,\d+(?![\d,.]))?)(?:\.\d*)?(?:[eE][-+]?\d+)?"
    r"|\.\d+(?:[eE][-+]?\d+)?"
)
TOKEN = re.compile(
    rf"\s*(?:(?P<number>{NUMBER})|(?P<word>[^\W\d_]+2(?=\s*\()|[^\W\d_]+|%|{OWN})|(?P<sign>\*\*|<<|//|[-+*/^(),]))"
)
TIME, SIZE = (("s", 1),), (("byte", 1),)  # may be told in two units, the larger first
MOST_POWER = 512


class UnreadableError(ValueError):
    """Text that is no arithmetic. word: a word that is no unit; "" where the form is at fault."""

    def __init__(self, word: str = ""):
        self.word = word
        super().__init__(word)


@dataclass(frozen=True)
class Quantity:
    """named: was a unit written, if only one without a dimension, such as %?"""

    value: float
    powers: Powers = ()
    named: bool = False


def evaluate(text: str, own: Measure | None) -> Quantity:
    """The value of a text. own: what OWN stands for. Raises: UnreadableError."""
    return _Reader(text, own).whole()


class _Reader:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str, own: Measure | None):
        self.tokens, self.own, self.at = _tokens(text), own, 0

    def whole(self) -> Quantity:
        found = self.sum()
        while self.peek()[0] == "number" and found.powers in (TIME, SIZE):  # 1 min 20 s
            behind = self.sum()
            if behind.powers != found.powers or behind.value >= found.value:
                raise UnreadableError
            found = Quantity(found.value + behind.value, found.powers, True)
        if not math.isfinite(found.value):
            raise UnreadableError
        if self.at < len(self.tokens):
            raise UnreadableError(self.next_word())
        return found

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else ("", "")

    def next_word(self) -> str:
        kind, text = self.peek()
        return text if kind == "word" and text != OWN else ""

    def took(self, *signs: str) -> str:
        """The next token, taken if it is one of these; `x` is a product where something follows to multiply."""
        kind, text = self.peek()
        if kind == "word" and text.lower() in ("x", "times") and "*" in signs and self._starts_a_value(1):
            text = "*"
        if text in signs:
            self.at += 1
            return text
        return ""

    def _starts_a_value(self, ahead: int) -> bool:
        kind, text = self.peek(ahead)
        return kind == "number" or text == "("

    def sum(self) -> Quantity:
        found = self.product()
        while sign := self.took("+", "-"):
            other = self.product()
            if found.powers != other.powers or (found.named != other.named and not self._is_plain(found)):
                raise UnreadableError
            value = found.value + (other.value if sign == "+" else -other.value)
            found = Quantity(value, found.powers, found.named or other.named)
        return found

    def product(self) -> Quantity:
        found = self.measured()
        while sign := self.took("*", "/", "<<", "//", "mod"):
            below = self._unit_at(0) if sign == "/" else None
            if below:  # 5.6e9 / s
                self.at += 1
            other = Quantity(below.factor, below.powers, True) if below else self.measured()
            if sign == "<<":
                other, sign = Quantity(_power(2, other.value)), "*"
            if sign in ("/", "//", "mod") and not other.value:
                raise UnreadableError
            if sign in ("//", "mod"):
                found = _whole_division(found, other, sign)
                continue
            value = found.value * other.value if sign == "*" else found.value / other.value
            powers = times(found.powers, other.powers, 1 if sign == "*" else -1)
            found = Quantity(value, powers, bool(powers) or (found.named != other.named))
        return found

    def measured(self) -> Quantity:
        """A value and the unit behind it, where there is one."""
        found = self.signed()
        while factor := _multiple(word := self.peek()[1]):
            if len(word) == 1 and self._counts_bytes() and word.isascii():
                raise UnreadableError(word)  # of 1,000 or of 1,024?
            self.at += 1
            is_size = word[1:] == "i" and self._counts_bytes() and not self._unit_at(0)  # 48 Ki
            found = Quantity(found.value * factor, (("byte", 1),) if is_size else found.powers, is_size or found.named)
        while unit := self.unit():
            found = Quantity(found.value * unit.factor, times(found.powers, unit.powers), True)
        return found

    def _is_plain(self, found: Quantity) -> bool:
        """May a percentage be added to it? Not where percent are asked for, or a count: 4 - 3 * 10% is a factor."""
        return not found.powers and (self.own is None or self.own.factor == 1)

    def _counts_bytes(self) -> bool:
        return self.own is not None and ("byte", 1) in self.own.powers

    def unit(self) -> Measure | None:
        """The unit that comes next, and what it is divided by: GB, GB/s, flops per byte."""
        kind, text = self.peek()
        if kind != "word" or text == "mod" or (text.lower() in ("x", "times") and self._starts_a_value(1)):
            return None
        found = self.own if text == OWN else symbol(text)
        if found is None:
            raise UnreadableError(text)
        self.at += 1
        while self.peek()[1] in ("/", "per") and (below := self._unit_at(1)):
            self.at += 2
            found = Measure(found.factor / below.factor, times(found.powers, below.powers, -1))
        return found

    def _unit_at(self, ahead: int) -> Measure | None:
        kind, text = self.peek(ahead)
        return None if kind != "word" else self.own if text == OWN else symbol(text)

    def signed(self) -> Quantity:
        if sign := self.took("-", "+"):
            found = self.signed()
            return Quantity(-found.value if sign == "-" else found.value, found.powers, found.named)
        base = self.atom()
        if not self.took("^", "**"):
            return base
        exponent = self.signed()
        if base.named or exponent.named:
            raise UnreadableError
        return Quantity(_power(base.value, exponent.value))

    def atom(self) -> Quantity:
        kind, text = self.peek()
        self.at += 1
        if kind == "number":
            return Quantity(_number(text))
        if kind == "word" and text in FUNCTIONS and self.took("("):
            inside = self._closed()
            if inside.named or (inside.value <= 0 and text == "log2"):
                raise UnreadableError
            return Quantity(float(FUNCTIONS[text](inside.value)))
        if kind == "word" and text in OF_SEVERAL and self.took("("):
            return self._of_several(OF_SEVERAL[text])
        if text == "(":
            return self._closed()
        raise UnreadableError(text if kind == "word" and text != OWN else "")

    def _of_several(self, chosen: Callable[[list[float]], float]) -> Quantity:
        """Of what stands between commas, all of one unit."""
        found = [self.sum()]
        while self.took(","):
            found.append(self.sum())
        if not self.took(")") or len({(each.powers, each.named) for each in found}) != 1:
            raise UnreadableError
        return Quantity(chosen([each.value for each in found]), found[0].powers, found[0].named)

    def _closed(self) -> Quantity:
        found = self.sum()
        if not self.took(")"):
            raise UnreadableError
        return found


def _multiple(word: str) -> float | None:
    """What a word such as k or million is worth; words, unlike letters, in any size."""
    return MULTIPLES.get(word) or (MULTIPLES.get(word.lower()) if len(word) > 2 else None)


def _whole_division(found: Quantity, other: Quantity, sign: str) -> Quantity:
    """Quotient rounded down, or what is left."""
    if found.named or other.named:
        raise UnreadableError
    return Quantity(found.value // other.value if sign == "//" else found.value % other.value)


def _tokens(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while at < len(text.rstrip()):
        token = TOKEN.match(text, at)
        if not token:
            raise UnreadableError
        found.append((token.lastgroup or "", token[token.lastgroup or 0]))
        at = token.end()
    return found


def _number(text: str) -> float:
    """1,950 and 1 950 and 1_950 are one number, and 1,5 is one and a half."""
    if text[:2].lower() in ("0x", "0b"):
        return float(int(text, 0))
    if re.fullmatch(r"\d+,\d+([eE][-+]?\d+)?", text) and not re.fullmatch(r"[1-9]\d{0,2},\d{3}", text):
        return float(text.replace(",", "."))
    return float(re.sub(r"[ ,_']", "", text))


def _power(base: float, exponent: float) -> float:
    if abs(exponent) > MOST_POWER or (base == 0 and exponent < 0) or (base < 0 and exponent != int(exponent)):
        raise UnreadableError
    try:
        return float(base**exponent)
    except OverflowError:
        raise UnreadableError from None
