"""Arithmetic that says itself: numbers with their nouns, whose sums and products keep both a value and a text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from autograder.words import count_text
from simt.hardware import WARP_SIZE

SUM, PRODUCT, NUMBER = range(3)  # how closely a text holds together, and so whether it needs brackets
ROUNDED = 1e-2  # of a ratio, which a counter rounds to two places, and whose parts may be nearly equal


@dataclass(frozen=True)
class Count:
    """A number and how it comes about, as in "6 blocks x 8 warps x 25 loads"; +, -, * and / do both at once."""

    value: float
    text: str
    level: int = NUMBER

    def __str__(self) -> str:
        return self.text

    def __add__(self, other: Count) -> Count:
        return Count(self.value + other.value, f"{self} + {other}", SUM)

    def __sub__(self, other: Count) -> Count:
        return Count(self.value - other.value, f"{self} - {other._within(PRODUCT)}", SUM)

    def __mul__(self, other: Count) -> Count:
        return Count(self.value * other.value, f"{self._within(PRODUCT)} x {other._within(PRODUCT)}", PRODUCT)

    def __truediv__(self, other: Count) -> Count:
        return Count(self.value / other.value, f"{self._within(PRODUCT)} / {other._within(NUMBER)}", PRODUCT)

    def _within(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"

    def comes_to(self, measured: float) -> bool:
        """Whether this is the number that was measured; a ratio may be rounded."""
        return self.value == measured or not self.is_whole and math.isclose(self.value, measured, rel_tol=ROUNDED)

    @property
    def is_whole(self) -> bool:
        return float(self.value).is_integer()

    def with_total(self) -> str:
        """The text and what it comes to."""
        return f"{self} = {said(self.value)}"


def n(value: float, one: str = "", many: str | None = None) -> Count:
    """ "1 block", "6 blocks", "2.4 loads", "2 passes" where `many` says so; the bare number without a noun."""
    if float(value).is_integer():
        return Count(int(value), count_text(int(value), one, many) if one else f"{int(value):,}")
    return Count(value, f"{said(value)} {many or one + 's'}" if one else said(value))


def said(value: float) -> str:
    """A number as a line of arithmetic has it: "1,024", "2.5"."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"


@dataclass(frozen=True)
class PredictedCase:
    """The case that predictions are about, as a reason sees it, once an answer was judged on it.

    counters: of the answer. must_move: bytes, as `Exercise.must_move` has them. grid, block: of the launch; for a host
    function, which launches what it likes, of the blocks and threads that had work.
    """

    sizes: Mapping[str, int]
    counters: Mapping[str, float]
    must_move: int
    grid: tuple[int, ...]
    block: tuple[int, ...]

    def __getitem__(self, size: str) -> int:
        return self.sizes[size]

    @property
    def blocks(self) -> int:
        return math.prod(self.grid)

    @property
    def threads(self) -> int:
        """Per block."""
        return math.prod(self.block)

    @property
    def warps(self) -> int:
        """Of the whole launch."""
        return self.blocks * -(-self.threads // WARP_SIZE)
