"""What a timed answer is given: inputs drawn from its seed, and what the oracle says of them, while others get ready.

Drawing a gibibyte of random numbers takes seconds, and NumPy holds no lock meanwhile. So each set of inputs is drawn in
a thread, and its expected values are computed there while the inputs are already on their way to the GPU.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np

from autograder.contract import Exercise, Values

PART = 1 << 22  # elements that are drawn from a stream of their own, whatever the machine: values depend on it
THREADS = 4


AT_ONCE = 1 << 16  # numbers that stay in a core's cache
QUANTILES = 1 << 16


@cache
def _quantiles() -> tuple[np.ndarray, np.ndarray]:
    """The normal distribution in pieces of equal probability, float32: where each begins, and its width / 2^16."""
    normal = NormalDist()
    edges = np.array([normal.inv_cdf((edge + 0.5) / (QUANTILES + 1)) for edge in range(QUANTILES + 1)])
    return edges[:-1].astype(np.float32), (np.diff(edges) / QUANTILES).astype(np.float32)


def normal_float32(stream: np.random.Generator, part: np.ndarray) -> None:
    """Fill with normal numbers, in half of the time that NumPy's rejections take: a piece by 16 random bits, and a
    place within by 16 more. The largest are at 4.3. part: (n,) float32.
    """
    begins, widths = _quantiles()
    for at in range(0, part.size, AT_ONCE):
        some = part[at : at + AT_ONCE]
        bits = stream.integers(0, 1 << 32, some.size, np.uint32).view(np.uint16)
        piece = bits[: some.size]
        np.take(widths, piece, out=some, mode="clip")  # no index is too large; "raise" would copy `out`
        some *= bits[some.size :]
        some += begins[piece]


class ManyStreams(np.random.Generator):
    """NumPy's generator, but what it draws of many independent numbers comes from many streams, in threads.

    Which streams those are follows from the seed alone, so the same seed draws the same numbers on every machine.
    """

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        if out is not None or _elements(size) <= PART:
            return super().standard_normal(size, dtype, out)
        if np.dtype(dtype) == np.float32:
            return self._filled(size, dtype, normal_float32)
        return self._filled(size, dtype, lambda stream, part: stream.standard_normal(dtype=dtype, out=part))

    def random(self, size=None, dtype=np.float64, out=None):
        if out is not None or _elements(size) <= PART:
            return super().random(size, dtype, out)
        return self._filled(size, dtype, lambda stream, part: stream.random(dtype=dtype, out=part))

    def uniform(self, low=0.0, high=1.0, size=None):
        if _elements(size) <= PART or np.ndim(low) or np.ndim(high):
            return super().uniform(low, high, size)

        def draw(stream: np.random.Generator, part: np.ndarray) -> None:
            part[...] = stream.uniform(low, high, part.size)

        return self._filled(size, np.float64, draw)

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        if _elements(size) <= PART or np.ndim(low) or np.ndim(high):
            return super().integers(low, high, size, dtype, endpoint)

        def draw(stream: np.random.Generator, part: np.ndarray) -> None:
            part[...] = stream.integers(low, high, part.size, dtype, endpoint)

        return self._filled(size, dtype, draw)

    def _filled(self, size: Any, dtype: Any, draw: Callable[[np.random.Generator, np.ndarray], Any]) -> np.ndarray:
        filled = np.empty(size, dtype)
        flat = filled.reshape(-1)
        parts = [flat[at : at + PART] for at in range(0, flat.size, PART)]
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(draw, self.spawn(len(parts)), parts))
        return filled


def _elements(size: Any) -> int:
    return 1 if size is None else math.prod(size) if isinstance(size, tuple | list) else int(size)


@dataclass(frozen=True)
class Drawn:
    """Inputs of one set, and what the oracle says about them. It never leaves this process but for the inputs."""

    values: Values
    expected: Mapping[str, Any]
    bounds: Mapping[str, Any]


class Drawing:
    """Sets under way, one a seed. Use as a context: what nobody waits for any more is not begun."""

    def __init__(self, exercise: Exercise, sizes: Mapping[str, int], seeds: Sequence[str]):
        self.exercise, self.sizes = exercise, sizes
        self.pool = ThreadPoolExecutor(len(seeds))
        self._made = [self.pool.submit(self._make, seed) for seed in seeds]
        self._drawn = [self.pool.submit(self._judge, made) for made in self._made]  # begun behind them, so none waits

    def __enter__(self) -> Drawing:
        return self

    def __exit__(self, *_error: object) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)

    def values(self, number: int) -> Values:
        """All arguments of one set, as soon as they are made. The oracle reads them meanwhile."""
        return self._made[number].result()

    def given(self, number: int) -> Values:
        """What of them is put before each launch: the others are overwritten."""
        values = self.values(number)
        return {a.name: values[a.name] for a in self.exercise.arguments if a.role in ("in", "inout")}

    def all(self) -> list[Drawn]:
        """Every set with what is expected of it."""
        return [drawn.result() for drawn in self._drawn]

    def _make(self, seed: str) -> Values:
        kind = "general" if self.exercise.bound is not None else "exact"
        number = int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")
        return self.exercise.make(self.sizes, kind, ManyStreams(np.random.PCG64(number)))

    def _judge(self, made: Future[Values]) -> Drawn:
        values, exercise = made.result(), self.exercise
        expected = exercise.oracle(values)
        return Drawn(values, expected, exercise.bound(values, expected) if exercise.bound else {})
