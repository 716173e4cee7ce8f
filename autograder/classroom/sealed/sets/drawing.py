"""What a timed answer is given: inputs drawn from a seed, and what the oracle says of them.

Drawing a gibibyte of random numbers takes seconds, and NumPy holds no lock meanwhile. So each set of inputs is drawn in
threads.
"""

from __future__ import annotations

import ctypes
import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np

from autograder.contract import Exercise, Values

PART = 1 << 22  # elements that are drawn from a stream of their own, whatever the machine: values depend on it
THREADS = 2
AT_ONCE = 1 << 18  # numbers that a thread makes before another one has Python's lock
QUANTILES = 1 << 16
LOW = 0xFFFF  # of a float32's 23 bits of fraction, those that are drawn
TRIM, MMAP = -1, -3  # of mallopt: how much free memory a heap keeps, and from which size the system is asked
KEPT_BYTES, LARGEST_KEPT_BYTES = 1 << 30, 32 << 20  # the latter is the most that glibc takes


@cache
def keep_freed_memory() -> None:
    """Let this process use again what it frees, up to 32 MiB in one piece, where its C library can be told so.

    A cluster's workers are told to give everything back at once, and then each temporary array is cleared anew by the
    system, page by page, while the other threads wait: that took longer than all that was computed in it.
    """
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        mallopt(TRIM, KEPT_BYTES)
        mallopt(MMAP, LARGEST_KEPT_BYTES)


@cache
def _quantiles() -> np.ndarray:
    """(2^16,) uint32: float32 numbers of the normal distribution at equal steps of probability, their LOW bits 0."""
    normal = NormalDist()
    found = np.array([normal.inv_cdf((piece + 0.5) / QUANTILES) for piece in range(QUANTILES)], np.float32)
    return found.view(np.uint32) & ~np.uint32(LOW)


def normal_float32(stream: np.random.Generator, part: np.ndarray) -> None:
    """Fill with normal numbers, in a third of the time that NumPy's rejections take: 16 random bits choose a number
    from the table, and 16 more are its last ones, so that they differ from it by up to 1 %. part: (n,) float32.
    """
    table = _quantiles()
    for at in range(0, part.size, AT_ONCE):
        some = part[at : at + AT_ONCE].view(np.uint32)
        bits = stream.integers(0, 1 << 32, some.size, np.uint32).view(np.uint16)
        np.take(table, bits[: some.size], out=some, mode="clip")  # no index is too large; "raise" would copy `out`
        np.bitwise_or(some, bits[some.size :], out=some)


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
    """Inputs of one set, and what the oracle says about them. No launcher sees more of it than the inputs."""

    values: Values
    expected: Mapping[str, Any]
    bounds: Mapping[str, Any]


def draw(exercise: Exercise, sizes: Mapping[str, int], seeds: Sequence[str]) -> list[Drawn]:
    """One set a seed, each in a thread of its own."""
    keep_freed_memory()
    with ThreadPoolExecutor(len(seeds)) as pool:
        return list(pool.map(lambda seed: judged(exercise, made(exercise, sizes, seed)), seeds))


def made(exercise: Exercise, sizes: Mapping[str, int], seed: str) -> Values:
    """Arguments that follow from the seed."""
    kind = "general" if exercise.bound is not None else "exact"
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big")
    return exercise.make(sizes, kind, ManyStreams(np.random.PCG64(number)))


def judged(exercise: Exercise, values: Values) -> Drawn:
    """The same with what the oracle says of them."""
    expected = exercise.expected_of(values)
    return Drawn(values, expected, exercise.bound(values, expected) if exercise.bound else {})
