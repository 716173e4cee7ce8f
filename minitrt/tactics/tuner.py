"""Times tactics on the device and keeps what it learned in a timing cache.

A tactic is timed as it will run: as part of a CUDA graph, with random data, and with its inputs rotated through more
memory than L2 holds, so that no launch finds what an earlier one left. The median of several replays counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from statistics import median
from typing import Any

import numpy as np

from minitrt.device.driver import CudaError, Event, Memory, Stream, call, upload, use_device
from minitrt.device.graph import capture
from minitrt.device.launches import Kernels, bind
from minitrt.device.tensor_map import TensorMapError
from minitrt.graph.ir import Op, Value
from minitrt.kernels.compile import CompileError, Cubin, SlowCode
from minitrt.kernels.pool import Request, cubins, digest_of
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

Log = Callable[[str], object]
LAUNCHES, REPLAYS, MOST_SETS = 20, 5, 8
SLOW_US = 5000.0  # one run that takes longer is not repeated


class Tuner:
    """Compiles and times.

    compiled: digest -> Cubin of everything so far; failed: digest -> why there is none; left_out: of each operation
    asked about, by name, tactic name -> why it was not timed. log, detail: hear what is worth a warning, and what is
    not: that one of many tiles makes slow code.
    """

    def __init__(self, device: Device, cache: TimingCache, log: Log = lambda _: None, detail: Log = lambda _: None):
        self.device, self.cache, self.log, self.detail = device, cache, log, detail
        self.compiled: dict[str, Cubin] = {}
        self._code: dict[str, tuple[bytes, str]] = {}
        self._kernels = Kernels(self._code)
        self.failed: dict[str, CompileError] = {}
        self.left_out: dict[str, dict[str, str]] = {}

    def compile(self, keys: Sequence[KernelKey], done: Callable[[int], object] = lambda index: None) -> None:
        """Cubins for every key that has none yet, side by side. A kernel that fails is logged, and not tried again.

        done: called after each.
        """
        wanted = self._untried(keys)
        made = cubins([request_of(key) for key in wanted], self.device.compute_capability, done=done)
        for key, cubin in zip(wanted, made, strict=True):
            if isinstance(cubin, Cubin):
                self._have(key, cubin)
            else:
                self._refuse(key, cubin)

    def keep(self, keys: Iterable[KernelKey]) -> None:
        """Put the machine code of compiled kernels into the cache, for builds on machines that have only that."""
        self.cache.code |= {self._entry(key): self.compiled[key.digest].to_json() for key in keys}

    def _have(self, key: KernelKey, cubin: Cubin) -> None:
        self.compiled[key.digest], self._code[key.digest] = cubin, (cubin.code, cubin.entry)

    def _untried(self, keys: Iterable[KernelKey]) -> list[KernelKey]:
        """Each kernel once that was not compiled, not here and not for the cache."""
        wanted = {key.digest: key for key in keys if key.factory != REFERENCE}
        for digest, key in wanted.items():
            kept = self.cache.code.get(self._entry(key)) if self.cache.code and digest not in self.compiled else None
            if kept is not None:
                self._have(key, Cubin.from_json(kept))
            known = self.cache.refused.get(self._entry(key)) if self.cache.refused else None
            if known is not None and digest not in self.failed:
                self.failed[digest] = SlowCode(key.factory, known)
        return [key for digest, key in wanted.items() if digest not in self.compiled and digest not in self.failed]

    def _refuse(self, key: KernelKey, error: CompileError) -> None:
        self.failed[key.digest] = error
        if isinstance(error, SlowCode):
            self.cache.refused[self._entry(key)] = error.log
        said = ", ".join(f"{name}={value}" for name, value in key.constants)
        (self.detail if isinstance(error, SlowCode) else self.log)(f"{error} Its constants: {said}")

    def _entry(self, key: KernelKey) -> str:
        return digest_of(request_of(key), self.device.compute_capability)

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
        return self._untried(keys.values())

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
            if time_us is None:
                time_us = self._measured(op, tactic)
            if time_us is not None:
                self.cache.update(known, tactic.name, time_us)
                timed.append((time_us, tactic))
        return sorted(timed, key=lambda pair: (pair[0], pair[1].id))

    def why_none(self, op: Op) -> str:
        """What to tell of an operation for which `choose` found nothing: each tactic, and why not."""
        why = "; ".join(f"{name}: {reason}" for name, reason in self.left_out.get(op.name, {}).items())
        return f"{op.name}: no kernel can be used, so it runs on the host with NumPy. {why}"

    def _measured(self, op: Op, tactic: Tactic) -> float | None:
        """Microseconds, or None where a kernel has no code, or, with a line in the log, where the driver refuses a
        launch. Raises: CudaError."""
        digests, left_out = [launch.kernel.digest for launch in tactic.make(op)], self.left_out.setdefault(op.name, {})
        if not digests:
            return 0.0  # a view
        failed = [str(self.failed[digest]) for digest in digests if digest in self.failed]
        if failed:
            left_out[tactic.name] = failed[0]
            return None
        try:
            return time_tactic(op, tactic, self._kernels, self.device)
        except (CudaError, TensorMapError) as error:
            if not usable():
                raise
            left_out[tactic.name] = str(error)
            self.log(f"{op.name}: {tactic.name} is left out. {error}")
            return None


def request_of(key: KernelKey) -> Request:
    return key.factory, dict(key.constants)


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
        self.inputs = [[_filled(value) for value in values] for _ in range(self.count)]
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


@cache
def _pattern(dtype: str) -> np.ndarray:
    """Random bytes are random int8, and floats are drawn as such: zeros would run faster than real data.

    Indices, shapes and conditions are 0, which is always one. Drawn once, since every tactic asks for eight.
    """
    rng = np.random.default_rng(0)
    if dtype in FLOATS:
        return rng.standard_normal(PATTERN_BYTES // 4).astype(FLOATS[dtype])
    return rng.integers(0, 256 if dtype in ("INT8", "UINT8") else 1, PATTERN_BYTES, np.uint8)


def _filled(value: Value | None) -> Memory | None:
    """Memory with a value's data, or with its type's pattern."""
    if value is None:
        return None
    memory = Memory(value.nbytes)
    if value.is_constant:
        upload(memory.address, value.data)
    else:
        _repeat(memory, _pattern(value.dtype.name))
    return memory


def _repeat(memory: Memory, pattern: np.ndarray) -> None:
    """Fill memory with a pattern, doubling on the device what is there."""
    done = min(pattern.nbytes, memory.nbytes)
    upload(memory.address, pattern.view(np.uint8)[:done])
    while done < memory.nbytes:
        more = min(done, memory.nbytes - done)
        call("cuMemcpyDtoD", memory.address + done, memory.address, more)
        done += more
