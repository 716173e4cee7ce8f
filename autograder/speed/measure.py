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
from autograder.speed.footprint import Device
from autograder.speed.rounds import LOOKS, enough

WARM_UPS = 3
N_INPUT_SETS = 2  # rounds alternate between them, so that no launch finds the last one's answer in its output
POISONS = (0xFF, 0xCB)  # bytes; 0xFF is NaN in every float type
FLUSH_BYTES_AT_LEAST = 256 << 20
HOLD_US = 400  # longer than a host function of a few launches takes to queue them
THREADS = 256


@dataclass
class Contender:
    """One thing to time. `call(values)` enqueues it; `times_us` grows by one a round, `wrong` counts bad elements."""

    name: str
    call: Callable[[Values], None]
    times_us: list[float] = field(default_factory=list)
    wrong: int = 0


@cuda.jit
def _write_pass(buffer, value):
    i = cuda.grid(1)
    while i < buffer.shape[0]:
        buffer[i] = value
        i += cuda.gridsize(1)


@cuda.jit
def _read_pass(buffer, sink):
    i = cuda.grid(1)
    total = np.uint32(0)
    while i < buffer.shape[0]:
        total ^= buffer[i]
        i += cuda.gridsize(1)
    if total == np.uint32(1):  # never: keeps the loads alive
        sink[0] = total


@cuda.jit
def _hold(turns):
    """Keep the device busy for about `turns` microseconds, while the host queues what is timed behind it."""
    for _ in range(turns):
        cuda.nanosleep(1000)


@cuda.jit
def copy_four(source, target):
    """target = source, four elements a thread, a block apart: enough loads in flight to fill the memory system."""
    first = cuda.blockIdx.x * 4 * cuda.blockDim.x + cuda.threadIdx.x
    if first + 3 * cuda.blockDim.x < target.shape[0]:
        a, b = source[first], source[first + cuda.blockDim.x]
        c, d = source[first + 2 * cuda.blockDim.x], source[first + 3 * cuda.blockDim.x]
        target[first], target[first + cuda.blockDim.x] = a, b
        target[first + 2 * cuda.blockDim.x], target[first + 3 * cuda.blockDim.x] = c, d
    else:
        for i in range(first, target.shape[0], cuda.blockDim.x):
            target[i] = source[i]


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
        n_flush = max(FLUSH_BYTES_AT_LEAST, 4 * device.l2_bytes) // 4
        self._flush = cuda.device_array(n_flush, np.uint32)
        self._sink = cuda.device_array(1, np.uint32)
        self._events = cuda.event(), cuda.event()

    def run(self, contenders: list[Contender], max_seconds: float, until_narrow: tuple[str, str] | None = None) -> None:
        """Time every contender once a round until the pair `until_narrow` is known well enough, or time is up."""
        for contender in contenders:
            for turn in range(WARM_UPS):
                self.sample(contender, turn)
            contender.times_us.clear()
        by_name = {contender.name: contender for contender in contenders}
        deadline = time.monotonic() + max_seconds
        for turn in range(max(LOOKS)):
            for contender in random.sample(contenders, len(contenders)):
                self.sample(contender, turn)
            if until_narrow and all(name in by_name for name in until_narrow):
                if enough(*(by_name[name].times_us for name in until_narrow)):
                    break
            if time.monotonic() > deadline:
                break

    def sample(self, contender: Contender, turn: int) -> None:
        """One timed launch on the round's inputs, verified."""
        data = self.sets[turn % len(self.sets)]
        data.prepare(POISONS[turn // len(self.sets) % 2])
        _write_pass[1024, THREADS](self._flush, np.uint32(turn))
        _read_pass[1024, THREADS](self._flush, self._sink)
        begin, end = self._events
        _hold[1, 1](HOLD_US)  # so that the time to launch from Python falls outside the two events
        begin.record()
        contender.call(data.device)
        end.record()
        end.synchronize()
        contender.times_us.append(1e3 * cuda.event_elapsed_time(begin, end))
        contender.wrong += data.count_wrong()


class _Drawn(NamedTuple):
    """Arguments nobody has seen before, and what the oracle says about them: by name, in host memory."""

    values: Values
    expected: Mapping[str, Any]
    bounds: Mapping[str, Any]

    @staticmethod
    def fresh(exercise: Exercise, sizes: dict[str, int], kind: str) -> _Drawn:
        """Draw from the system's entropy, on purpose: nobody can know the inputs beforehand."""
        values = exercise.make(sizes, kind, np.random.default_rng())
        expected = exercise.oracle(values)
        return _Drawn(values, expected, exercise.bound(values, expected) if exercise.bound else {})


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


def device_profile(copy_bytes: int = 512 << 20) -> Device:
    """This GPU: its name and sizes from the driver, its copy rate from a copy of copy_bytes (read + write counted)."""
    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    memory = int(cuda.current_context().get_memory_info().total)
    half = min(copy_bytes, memory // 8)
    rate = 2 * half / (1e-6 * float(np.median(_copy_times_us(half))))
    return Device(name, tuple(device.compute_capability), int(device.L2_CACHE_SIZE), memory, rate)


def copier(n_bytes: int) -> Callable[[], None]:
    """A function that enqueues a copy of n_bytes between two buffers of its own."""
    n = max(n_bytes // 4, 1)
    source, target = cuda.device_array(n, np.uint32), cuda.device_array(n, np.uint32)
    launch = copy_four[-(-n // (4 * THREADS)), THREADS]
    return lambda: launch(source, target)


def _copy_times_us(n_bytes: int, repeats: int = 15) -> list[float]:
    """Times in microseconds of copies of n_bytes, queued back to back."""
    copy = copier(n_bytes)
    events = [cuda.event() for _ in range(repeats + WARM_UPS + 1)]
    for event in events:
        event.record()
        copy()
    cuda.synchronize()
    pairs = zip(events[WARM_UPS:], events[WARM_UPS + 1 :], strict=False)
    return [1e3 * cuda.event_elapsed_time(begin, end) for begin, end in pairs]
