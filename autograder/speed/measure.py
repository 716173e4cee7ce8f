"""Timing on the GPU. Runs only in a child process: contenders are timed in random order within each round, on a cold
L2, with changing inputs and poisoned outputs that are verified after every launch."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from autograder.backend import cuda
from autograder.contract import Exercise, Values
from autograder.running.buffers import same_bytes
from autograder.speed.clock import Clock
from autograder.speed.decision import DECIDING
from autograder.speed.footprint import Device
from autograder.speed.probes import THREADS
from autograder.speed.rounds import LOOKS

WARM_UPS = 3
N_INPUT_SETS = 2  # rounds alternate between them, so that no launch finds the last one's answer in its output
Enough = Callable[[Mapping[str, list[float]]], bool]
POISONS = (0xFF, 0xCB)  # bytes; 0xFF is NaN in every float type
SLOW_US = 20_000.0  # what takes longer, and decides nothing, is timed in the first rounds only


@dataclass
class Contender:
    """One thing to time. `call(values)` enqueues it; `times_us` grows by one a round.

    wrong: bad elements of the launch that had most; walls_us: the same times on the host's clock. compile: makes
    machine code for the types of these values, and runs nothing; a call does so where it was not done.
    """

    name: str
    call: Callable[[Values], None]
    times_us: list[float] = field(default_factory=list)
    walls_us: list[float] = field(default_factory=list)
    wrong: int = 0
    compile: Callable[[Values], object] = lambda values: None


@cuda.jit
def _count_wrong(actual, expected, bound, count):
    """count[0] += elements of actual outside expected +- bound; NaN matches only NaN."""
    i = cuda.grid(1)
    while i < actual.shape[0]:
        a, e = actual[i], expected[i]
        both_nan = a != a and e != e
        if not (both_nan or a == e or abs(a - e) <= bound[i if bound.shape[0] > 1 else 0]):
            cuda.atomic.add(count, 0, 1)
        i += cuda.gridsize(1)


class Bench:
    """Device buffers for one exercise at one size, and the loop that times contenders on them."""

    def __init__(self, exercise: Exercise, sizes: dict[str, int], device: Device, kind: str):
        self.exercise = exercise
        with ThreadPoolExecutor(N_INPUT_SETS) as pool:  # NumPy computes without the interpreter's lock
            drawn = list(pool.map(lambda _: _Drawn.fresh(exercise, sizes, kind), range(N_INPUT_SETS)))
        self.sets = [_InputSet(exercise, each) for each in drawn]
        self.clock = Clock(device.l2_bytes)

    def compile(self, contenders: list[Contender]) -> None:
        """Make machine code for those that know how, and run nothing."""
        for contender in contenders:
            contender.compile(self.sets[0].device)

    def run(self, contenders: list[Contender], max_seconds: float, enough: Enough = lambda times: False) -> None:
        """Time every contender once per round, in random order, until that is enough or time is up.

        enough: of the times in microseconds by name, a list a contender with one of each round; asked after each.
        """
        self.clock.warm()
        for contender in contenders:
            for turn in range(WARM_UPS):
                self.sample(contender, turn)
            contender.times_us.clear()
            contender.walls_us.clear()
        deadline = time.monotonic() + max_seconds
        for turn in range(max(LOOKS)):
            for contender in random.sample(contenders, len(contenders)):
                if not self._seen_enough_of(contender):
                    self.sample(contender, turn)
            if enough({contender.name: contender.times_us for contender in contenders}):
                break
            if time.monotonic() > deadline:
                break

    def _seen_enough_of(self, contender: Contender) -> bool:
        """Whether a slow one, which decides nothing after the first look, need not be timed again."""
        if contender.name in DECIDING or len(contender.times_us) < min(LOOKS):
            return False
        return float(np.median(contender.times_us)) > SLOW_US

    def sample(self, contender: Contender, turn: int) -> None:
        """One timed launch on the round's inputs, verified."""
        data = self.sets[turn % len(self.sets)]
        data.prepare(POISONS[turn // len(self.sets) % 2])
        taken = self.clock.time(lambda: contender.call(data.device))
        contender.times_us.append(taken.event_us)
        contender.walls_us.append(taken.wall_us)
        contender.wrong = max(contender.wrong, data.count_wrong())


class _Drawn(NamedTuple):
    """Arguments nobody has seen before, and what the oracle says about them: by name, in host memory."""

    values: Values
    expected: Mapping[str, Any]
    bounds: Mapping[str, Any]

    @staticmethod
    def fresh(exercise: Exercise, sizes: dict[str, int], kind: str) -> _Drawn:
        """Draw from the system's entropy, on purpose: nobody can know the inputs beforehand."""
        values = exercise.make(sizes, kind, np.random.default_rng())
        expected = exercise.expected_of(values)
        return _Drawn(values, expected, exercise.bounds_of(values, expected))


class _InputSet:
    """One set of values on the device, with the expected outputs and bounds beside them."""

    def __init__(self, exercise: Exercise, drawn: _Drawn):
        self.exercise = exercise
        values, expected, bounds = drawn
        self.host = values
        self.device = {name: cuda.to_device(v) if isinstance(v, np.ndarray) else v for name, v in values.items()}
        self._fresh = {a.name: cuda.to_device(values[a.name]) for a in exercise.arguments if a.role == "inout"}
        self._expected = {name: cuda.to_device(np.ravel(np.asarray(array))) for name, array in expected.items()}
        self._bounds = {
            name: cuda.to_device(np.ravel(np.asarray(bounds.get(name, 0.0), np.float64))) for name in expected
        }
        self._count = cuda.device_array(1, np.int64)

    def prepare(self, poison: int) -> None:
        """Poison outputs, restore what starts with a value."""
        from numba.cuda.cudadrv.driver import device_memset

        for argument in self.exercise.outputs:
            array = self.device[argument.name]
            if argument.role == "inout":
                array.copy_to_device(self._fresh[argument.name])
            elif array.nbytes:
                device_memset(array, poison, array.nbytes)

    def count_wrong(self) -> int:
        """Elements of all outputs that are not what the oracle says."""
        self._count.copy_to_device(np.zeros(1, np.int64))
        for name, expected in self._expected.items():
            actual = self.device[name].ravel()
            if actual.shape[0]:
                _count_wrong[512, THREADS](actual, expected, self._bounds[name], self._count)
        return int(self._count.copy_to_host()[0])

    def inputs_intact(self) -> bool:
        """True when every "in" array still holds what was uploaded."""
        names = [a.name for a in self.exercise.arguments if a.role == "in"]
        return all(
            same_bytes(self.device[name].copy_to_host(), self.host[name])
            for name in names
            if isinstance(self.host[name], np.ndarray)
        )
