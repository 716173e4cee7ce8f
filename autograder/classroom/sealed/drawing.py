"""What a timed answer is given: inputs drawn from its seed, and what the oracle says of them, while others get ready.

Drawing a gibibyte of random numbers takes seconds, and NumPy holds no lock meanwhile. So each set of inputs is drawn in
a thread, and expected values are computed in another, one set after the other since an oracle may take as much memory
again, while the inputs are already on their way to the GPU.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.contract import Exercise, Values


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
        self.makers, self.oracle = ThreadPoolExecutor(len(seeds)), ThreadPoolExecutor(1)
        self._made = [self.makers.submit(self._make, seed) for seed in seeds]
        self._drawn = [self.oracle.submit(self._judge, made) for made in self._made]

    def __enter__(self) -> Drawing:
        return self

    def __exit__(self, *_error: object) -> None:
        for pool in (self.makers, self.oracle):
            pool.shutdown(wait=True, cancel_futures=True)

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
        return self.exercise.make(self.sizes, kind, np.random.default_rng(number))

    def _judge(self, made: Future[Values]) -> Drawn:
        values, exercise = made.result(), self.exercise
        expected = exercise.oracle(values)
        return Drawn(values, expected, exercise.bound(values, expected) if exercise.bound else {})
