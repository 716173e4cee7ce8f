"""Where a program's decisions come from: a seed, a recorded list, or hypothesis.

Every decision is a whole number below some n, and 0 is the simplest. So a program is shrunk by making its list of
decisions shorter and its numbers smaller, whatever they decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
WORD = (1 << 64) - 1


class Choices:
    """Decides through `draw`, and remembers in `taken` what was decided.

    draw: f(n) -> a whole number in [0, n).
    """

    def __init__(self, draw: Callable[[int], int]):
        self._draw = draw
        self.taken: list[int] = []

    def below(self, n: int) -> int:
        """A whole number in [0, n)."""
        if n <= 1:
            return 0
        value = self._draw(n)
        self.taken.append(value)
        return value

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high]; `low` is the simplest."""
        return low + self.below(high - low + 1)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options; the first is the simplest."""
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        """True in so many cases of 100; False is the simplest."""
        return self.below(100) >= 100 - percent


def random_words(seed: int) -> Callable[[], int]:
    """f() -> the next of a sequence of random 64-bit words (SplitMix64): the same on every machine and version."""
    state = seed & WORD

    def next_word() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & WORD
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
        return mixed ^ (mixed >> 31)

    return next_word


def from_seed(seed: int) -> Choices:
    """Decisions that follow from a whole number."""
    next_word = random_words(seed)
    return Choices(lambda n: (next_word() * n) >> 64)


def replayed(values: Sequence[int]) -> Choices:
    """Recorded decisions; too large a number becomes the largest allowed, and after the last one all are 0."""
    remaining = iter(values)
    return Choices(lambda n: min(next(remaining, 0), n - 1))
