"""Times tactics on the device and keeps what it learned in a timing cache.

A tactic is timed as it will run: as part of a CUDA graph, with random data, and with its inputs rotated through more
memory than L2 holds, so that no launch finds what an earlier one left. The median of several replays counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

import numpy as np

from minitrt.device.driver import CudaError, Event, Memory, Stream, call, upload, use_device
from minitrt.device.graph import capture
from minitrt.device.launches import Kernels, bind
from minitrt.device.tensor_map import TensorMapError
from minitrt.graph.ir import Op, Value
from minitrt.kernels.compile import CompileError, Cubin
from minitrt.kernels.pool import cubins
from minitrt.tactics.contract import (
    REFERENCE,
    Argument,
    Device,
    KernelKey,
    Packed,
    Tactic,
    Tensor,
    Workspace,
    signature,
)
from minitrt.tactics.timing_cache import TimingCache

LAUNCHES, REPLAYS, MOST_SETS = 20, 5, 8
SLOW_US = 5000.0  # one run that takes longer is not repeated


class Tuner:
    """Compiles and times. kernels: digest -> Cubin of everything compiled so far."""

    def __init__(self, device: Device, cache: TimingCache, log: Callable[[str], None] = lambda message: None) -> None:
        self.device, self.cache, self.log = device, cache, log
        self.compiled: dict[str, Cubin] = {}
        self._code: dict[str, tuple[bytes, str]] = {}
        self._kernels = Kernels(self._code)
        self.failed: dict[str, CompileError] = {}

    def compile(self, keys: Sequence[KernelKey], done: Callable[[int], object] = lambda index: None) -> None:
        """Cubins for every key that has none yet, side by side. A kernel that fails is logged, and not tried again.

        done: called after each.
        """
        wanted = {key.digest: key for key in keys if key.factory != REFERENCE}
        wanted = {
            digest: key for digest, key in wanted.items() if digest not in self.compiled and digest not in self.failed
        }
        requests = [(key.factory, dict(key.constants)) for key in wanted.values()]
        made = cubins(requests, self.device.compute_capability, done=done)
        for digest, cubin in zip(wanted, made, strict=True):
            if isinstance(cubin, Cubin):
                self.compiled[digest], self._code[digest] = cubin, (cubin.code, cubin.entry)
            else:
                self.failed[digest] = cubin
                self.log(str(cubin))

    def needed(self, asked: Iterable[tuple[Op, Sequence[Tactic]]]) -> list[KernelKey]:
        """The kernels that `choose` will have to time for these operations, to be compiled at once."""
        keys: dict[str, KernelKey] = {}
        seen: set[str] = set()
        for op, tactics in asked:
            known = signature(op)
            if known not in seen:
                seen.add(known)
                missing = [tactic for tactic in tactics if self.cache.query(known, tactic.name) is None]
                keys |= {launch.kernel.digest: launch.kernel for tactic in missing for launch in tactic.make(op)}
        return [key for digest, key in keys.items() if digest not in self.compiled and digest not in self.failed]

    def prepare(self, asked: Iterable[tuple[Op, Sequence[Tactic]]]) -> None:
        """Compile them."""
        self.compile(self.needed(asked))

    def choose(self, op: Op, tactics: Sequence[Tactic]) -> list[tuple[float, Tactic]]:
        """(microseconds, tactic) of each that runs, fastest first; ties go to the lower id, so a full cache decides."""
        known = signature(op)
        missing = [tactic for tactic in tactics if self.cache.query(known, tactic.name) is None]
        self.compile([launch.kernel for tactic in missing for launch in tactic.make(op)])
        timed = []
        for tactic in tactics:
            time_us = self.cache.query(known, tactic.name)
            if time_us is None and not any(launch.kernel.digest in self.failed for launch in tactic.make(op)):
                time_us = self._measured(op, tactic)
            if time_us is not None:
                self.cache.update(known, tactic.name, time_us)
            if time_us is not None:
                timed.append((time_us, tactic))
        return sorted(timed, key=lambda pair: (pair[0], pair[1].id))

    def _measured(self, op: Op, tactic: Tactic) -> float | None:
        """Microseconds, or None, with a line in the log, for a launch that the driver refuses. Raises: CudaError."""
        if not tactic.make(op):
            return 0.0  # a view
        try:
            return time_tactic(op, tactic, self._kernels, self.device)
        except (CudaError, TensorMapError) as error:
            if not usable():
                raise
            self.log(f"{op.name}: {tactic.name} is left out. {error}")
            return None


def usable() -> bool:
    """False after a fault: the context is gone, and whatever comes next would be blamed for it."""
    try:
        call("cuCtxSynchronize")
    except CudaError:
        return False
    return True


def time_tactic(op: Op, tactic: Tactic, kernels: Kernels, device: Device) -> float:
    """Microseconds of one run of a tactic, rounded to 10 ns. kernels: has every kernel of its launches.

    A tactic that takes milliseconds is measured with fewer launches: what counts then is only that it is slow.
    """
    use_device()
    sets, stream = _Buffers(op, tactic, device), Stream()
    bound, table = bind([(launch, sets.resolver(i)) for i in range(LAUNCHES) for launch in sets.launches], kernels)
    per_run = len(sets.launches)
    for launch in bound[:per_run]:  # loads the kernels
        launch.enqueue(int(stream))
    once = _elapsed(stream, lambda: [launch.enqueue(int(stream)) for launch in bound[:per_run]])
    if once > SLOW_US:
        return round(once, 2)
    graph = capture(bound)
    graph.launch(int(stream))
    times = [_elapsed(stream, lambda: graph.launch(int(stream))) for _ in range(REPLAYS)]
    del table
    return round(median(times) / LAUNCHES, 2)


def _elapsed(stream: Stream, work: Callable[[], object]) -> float:
    """Microseconds on the device of what `work` enqueues."""
    begin = Event().record(int(stream))
    work()
    return Event().record(int(stream)).us_since(begin)


class _Buffers:
    """Several copies of an operation's inputs and outputs, more than L2 holds, and one of its constants."""

    def __init__(self, op: Op, tactic: Tactic, device: Device) -> None:
        self.launches = tactic.make(op)
        values = [_placed(value, layout) for value, layout in zip(op.inputs, tactic.inputs, strict=False)]
        outputs = [_placed(value, layout) for value, layout in zip(op.outputs, tactic.outputs, strict=False)]
        per_set = sum(value.nbytes for value in [*values, *outputs] if value is not None and not value.is_constant)
        self.count = max(1, min(MOST_SETS, 4 * device.l2_bytes // max(per_set, 1) + 1))
        rng = np.random.default_rng(0)
        self.inputs = [[_filled(value, rng) for value in values] for _ in range(self.count)]
        self.outputs = [[Memory(value.nbytes) for value in outputs] for _ in range(self.count)]
        self.workspace = Memory(tactic.workspace_bytes)
        self.constants: dict[str, Any] = {}
        for launch in self.launches:
            for argument in launch.args:
                packed = argument if isinstance(argument, Packed) else getattr(argument, "of", None)
                if isinstance(packed, Packed) and packed.name not in self.constants:
                    self.constants[packed.name] = memory = Memory(packed.data.nbytes)
                    upload(memory.address, packed.data)

    def resolver(self, index: int) -> Callable[[Argument], int]:
        inputs, outputs = self.inputs[index % self.count], self.outputs[index % self.count]

        def resolve(argument: Argument) -> int:
            if isinstance(argument, Packed):
                return self.constants[argument.name].address
            if isinstance(argument, Workspace):
                return self.workspace.address + argument.offset_bytes
            assert isinstance(argument, Tensor)
            return (inputs if argument.role == "input" else outputs)[argument.index].address + argument.offset_bytes

        return resolve


def _placed(value: Value | None, layout: str) -> Value | None:
    return value if value is None or value.is_constant else value.like(value.name, layout=layout)


PATTERN_BYTES = 1 << 20
FLOATS = {"FLOAT": np.float32, "HALF": np.float16}


def _filled(value: Value | None, rng: np.random.Generator) -> Memory | None:
    """Random bytes are random int8, and floats are drawn as such: zeros would run faster than real data."""
    if value is None:
        return None
    memory = Memory(value.nbytes)
    if value.is_constant:
        upload(memory.address, value.data)
    elif value.dtype.name in FLOATS:
        _repeat(memory, rng.standard_normal(PATTERN_BYTES // 4).astype(FLOATS[value.dtype.name]))
    elif value.dtype.name in ("INT8", "UINT8"):
        _repeat(memory, rng.integers(0, 256, PATTERN_BYTES, np.uint8))
    else:
        _repeat(memory, np.zeros(PATTERN_BYTES, np.uint8))  # indices, shapes and conditions: 0 is always one
    return memory


def _repeat(memory: Memory, pattern: np.ndarray) -> None:
    """Fill memory with a pattern, doubling on the device what is there."""
    done = min(pattern.nbytes, memory.nbytes)
    upload(memory.address, pattern.view(np.uint8)[:done])
    while done < memory.nbytes:
        more = min(done, memory.nbytes - done)
        call("cuMemcpyDtoD", memory.address + done, memory.address, more)
        done += more
