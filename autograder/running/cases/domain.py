"""What may come: for every size, scalar and array of an exercise the values that its text allows, as plain frozen data.

A contract's cases are examples. Its domain says what they are examples of, so that `corners.py` can derive what nobody
thought of: ends, what lies beside them, sizes beyond all cases, rising, equal and extreme values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Whole:
    """Whole numbers low, low + step, ... up to high, and those of `also`.

    For a size, high is how far a corner case goes where the text sets no limit: past what an answer may have room for,
    and no further than the interpreter can go at once (about 70,000 threads, or 2,100 iterations of one thread).
    """

    low: int
    high: int
    step: int = 1
    also: tuple[int, ...] = ()

    @property
    def ends(self) -> tuple[int, ...]:
        """The two ends of the range, and what lies beside the lower one."""
        last = self.low + (self.high - self.low) // self.step * self.step
        return tuple(dict.fromkeys((self.low, min(self.low + self.step, last), last)))

    @property
    def few(self) -> int:
        """A small number that is neither an end nor a power of two, where the range has one."""
        return min(self.low + -(-max(3 - self.low, 0) // self.step) * self.step, self.ends[-1])

    @property
    def aligned(self) -> int:
        """A multiple of 32, or of less where the range ends before: tiles and warps are whole."""
        return next((n for n in (32, 16, 8) if self.low <= n <= self.high and not (n - self.low) % self.step), self.few)

    def at_most(self, most: int) -> int:
        """The largest number of the range that is no larger; its lower end where none is."""
        return self.low + max(min(most, self.high) - self.low, 0) // self.step * self.step

    def within(self, rng: np.random.Generator, shape: tuple[int, ...] | None = None) -> Any:
        """Numbers drawn from the range, small and large ones alike."""
        span = (self.high - self.low) // self.step
        drawn = np.exp(rng.uniform(0, np.log(span + 2), shape)) - 1
        return self.low + np.minimum(drawn, span).astype(np.int64) * self.step


@dataclass(frozen=True)
class Real:
    """Numbers from low to high, and those of `also`: infinities, NaN, or a zero that the range does not hold."""

    low: float
    high: float
    also: tuple[float, ...] = ()

    @property
    def ends(self) -> tuple[float, ...]:
        """Both ends, and something in between that is no round number."""
        return tuple(dict.fromkeys((self.high, self.low, self.low + (self.high - self.low) * 0.37)))

    def within(self, rng: np.random.Generator, shape: tuple[int, ...] | None = None) -> Any:
        """Numbers drawn from the range, of every magnitude."""
        return self.at(rng.uniform(0, 1, shape))

    def at(self, share: Any) -> Any:
        """The number so far along the range, 0 to 1: as many below 1 as there are between 1 and 10, or 10 and 100."""
        return np.clip(
            np.sinh(np.arcsinh(self.low) + share * (np.arcsinh(self.high) - np.arcsinh(self.low))), self.low, self.high
        )


Numbers = Whole | Real

LARGEST = float(np.finfo(np.float32).max)
ANY_FLOAT = Real(-LARGEST, LARGEST, also=(-np.inf, np.inf, np.nan, -0.0))  # what is copied or compared alone
SUMMED = Real(-1e6, 1e6, also=(0.0, 1e-7))  # what is added and multiplied: past float16, and what is thought enough


ANY_BLOCK = (96,)  # whole warps, and no power of two
ANY_BLOCK_2D, ANY_BLOCK_3D = ((16, 12),), ((16, 4, 3),)  # deeper than one: a guard along z is asked for, too


@dataclass(frozen=True)
class Input:
    """Arguments that no range describes, as a graph is or a table whose rows belong together.

    name: what a verdict calls it, as in "two pools that differ in stride alone"; sizes: of it, all of them, or () where
    they are those of the contract's middling case; make: (sizes, rng) -> all arguments, or None for what the contract
    makes: then the sizes are what matters, which belong together; any_gpu: whether every GPU has room for it.
    """

    name: str
    sizes: Mapping[str, int]
    make: Callable[[Mapping[str, int], np.random.Generator], dict[str, Any]] | None = None
    any_gpu: bool = True


@dataclass(frozen=True)
class Domain:
    """What may come, by name of a size or an argument. What is not named keeps the values that the contract makes.

    sizes: of those that may be chosen freely of the others; scalars: of those that arrays do not follow from;
    arrays: what their elements may be, in any order and independently of each other; inputs: what is left;
    exact: whether the contract's exact values stay exact at all of these sizes, or are judged by its bound there;
    long: sizes at which a host function's launches are looked at while no kernel runs; blocks: of threads, other than
    the contract's, that a kernel must be right with, in a grid of as many threads; base: sizes of the contract's
    middling case, from which corners are told apart, that are smaller there: what takes long and shows nothing more.
    """

    sizes: Mapping[str, Whole] = field(default_factory=dict)
    scalars: Mapping[str, Numbers] = field(default_factory=dict)
    arrays: Mapping[str, Numbers] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    exact: bool = True
    long: tuple[Mapping[str, int], ...] = ()
    blocks: tuple[int | tuple[int, ...], ...] = ()
    base: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Promises:
    """What the text promises beside values, and every run is held to.

    same_bits: outputs that hold the same bits whatever the order of blocks; filled: arrays to work in that are written
    in every element; launches: that a host function makes at most, whatever the size; threads: that its widest launch
    has at least, at the sizes that the domain calls long: fewer leave most of a GPU empty; exactly: counters whose
    limits hold to the last one, each with the words of the task that promise it: other limits leave room
    (`autograder.diagnosis.budget`).
    """

    same_bits: tuple[str, ...] = ()
    filled: tuple[str, ...] = ()
    launches: int | None = None
    threads: int = 0
    exactly: Mapping[str, str] = field(default_factory=dict)
