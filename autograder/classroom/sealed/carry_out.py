"""What the launcher does with a plan: its launches and copies, once, between two events, and what came of it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.classroom.sealed import abi
from autograder.classroom.sealed.arena import Arena

MAX_OPERATIONS = 4000
HELD_OPERATIONS = 200  # so many at most wait for the host to be let go together: the queue must not fill up
MARKED_OPERATIONS = 256  # twice as many are enqueued at most: a full queue would hold this process in the driver
SPIN_S = 0.02  # for so long it looks without a pause; then with pauses of a hundredth of what it waited
PAUSE_S = 0.01
SAY_S = 0.5
SEEN_S = 1.0  # between two looks; what is longer was this process's own sleep, and counts as so much


class NotThisCode(ValueError):
    """Machine code is not the one that was recorded."""


@dataclass
class Code:
    """One kernel's machine code. sha256: that was recorded; parameters: their PTX types."""

    image: bytes
    sha256: str
    entry: str
    parameters: tuple[str, ...]
    cooperative: bool = False
    module: Any = None
    function: Any = None

    def load(self, gpu: Any) -> None:
        """Load it afresh, so that nothing is left of launches before. Raises NotThisCode."""
        self.need_recorded()
        self.unload(gpu)
        self.module = gpu.load(self.image)
        self.function = gpu.function(self.module, self.entry)

    def need_recorded(self) -> None:
        """Raises NotThisCode where it is not the code whose hash was recorded."""
        if hashlib.sha256(self.image).hexdigest() != self.sha256:
            raise NotThisCode("The machine code is not the one whose hash was recorded.")

    def unload(self, gpu: Any) -> None:
        """Let go of it; nothing where it is not loaded."""
        if self.module is not None:
            gpu.unload(self.module)
        self.module = self.function = None


@dataclass
class Plan:
    """Kernels and what is done with them, in order. Made from the judge's message; raises ValueError or KeyError."""

    codes: list[Code]
    operations: list[dict[str, Any]]

    def __post_init__(self) -> None:
        if len(self.operations) > MAX_OPERATIONS:
            raise ValueError(f"{len(self.operations)} operations; {MAX_OPERATIONS} is the limit")

    def unload(self, gpu: Any) -> None:
        """Let go of its code, and with it of whatever the code keeps in variables of its own."""
        for code in self.codes:
            code.unload(gpu)

    def need_possible(self, gpu: Any, arena: Arena) -> None:
        """Raises NotThisCode, ValueError, KeyError or TypeError where it cannot be carried out. Nothing is loaded."""
        for code in self.codes:
            code.need_recorded()
        for operation in self.operations:
            self._call(gpu, arena, operation)

    def ready(self, gpu: Any, arena: Arena, fresh: bool) -> list[Any]:
        """The operations as calls without arguments, so that little Python runs between two of them."""
        for code in self.codes:
            if fresh or code.module is None:
                code.load(gpu)
        return [self._call(gpu, arena, operation) for operation in self.operations]

    def _call(self, gpu: Any, arena: Arena, operation: dict[str, Any]) -> Any:
        if "copy" in operation:
            to, to_at, source, source_at, n_bytes = operation["copy"]
            target, origin = arena.address(to, to_at, n_bytes), arena.address(source, source_at, n_bytes)
            return lambda: gpu.copy(target, origin, n_bytes)
        code = self.codes[operation["launch"]]
        parameters = abi.parameters(code.parameters, operation["arguments"], arena.address)
        grid, block, shared = tuple(operation["grid"]), tuple(operation["block"]), int(operation["shared"])
        return lambda: gpu.launch(code.function, grid, block, shared, parameters, code.cooperative)


def once(
    gpu: Any, arena: Arena, plan: Plan, request: dict[str, Any], says: Callable[[dict[str, Any]], None] = lambda _: None
) -> dict[str, Any]:
    """Carry a plan out once. request: "set", "zone", "poison", "timed" (empty the L2 cache and let all start
    together), "fresh" (load the code anew), "turn", and "goes_on": None, or memory stays as the last plan left it but
    for the buffers in this list, which get their contents. says: told {"begun": True} when all is ready for the first
    operation, and then {"runs_s": seconds} now and again, for how long the device was seen to be at work on them. So
    what never ends, and a process that does not come to look, are not the same to whoever listens.

    Returns: microseconds between two events round it, and on the host's clock from the start to the end; the buffers
    beside which something was written.
    """
    calls = plan.ready(gpu, arena, bool(request["fresh"]))
    if request["goes_on"] is None:
        arena.prepare(int(request["set"]), int(request["zone"]), int(request["poison"]))
    else:
        arena.restore(int(request["set"]), request["goes_on"])
    held = bool(request["timed"]) and len(calls) <= HELD_OPERATIONS
    if request["timed"]:
        gpu.own.flush(int(request["turn"]))
    gpu.finish()
    watch = _Watch(says)
    if held:
        gpu.own.hold()
    started = _now_ns()
    gpu.begin()
    for place, call in enumerate(calls):
        if place and place % MARKED_OPERATIONS == 0:
            _mark(gpu, place // MARKED_OPERATIONS, watch)
        call()
    gpu.end()
    if held:
        started = _now_ns()
        gpu.own.release()
    watch.until(gpu.ended)
    event_us = gpu.elapsed_us()
    wall_us = (_now_ns() - started) / 1e3
    gpu.finish()
    return {"event_us": event_us, "wall_us": wall_us, "damaged": arena.damaged(int(request["zone"]))}


class _Watch:
    """Looks whether the device is done, and says for how long it was seen at work. says: as in `once`."""

    def __init__(self, says: Callable[[dict[str, Any]], None]):
        self.says, self.seen_s = says, 0.0
        says({"begun": True})
        self.said = self.looked = time.monotonic()

    def until(self, done: Callable[[], bool]) -> None:
        """Look until `done`."""
        since = self.looked = time.monotonic()
        while not done():
            now = time.monotonic()
            self.seen_s += min(now - self.looked, SEEN_S)
            self.looked = now
            if now - self.said >= SAY_S:
                self.says({"runs_s": self.seen_s})
                self.said = now
            if now - since > SPIN_S:
                time.sleep(min((now - since) / 100, PAUSE_S))


def _mark(gpu: Any, place: int, watch: _Watch) -> None:
    """Mark a place in the queue, once the device is past the mark before the last."""
    if place > 2:
        watch.until(lambda: gpu.passed(place))
    gpu.mark(place)


def _now_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
