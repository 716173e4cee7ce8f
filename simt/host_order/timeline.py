"""When everything could run at the earliest: the order that host code made, and what a GPU can do at a time.

A GPU with two copy engines copies up, copies down and computes side by side; of each, one thing at a time here. How
long a copy takes follows from its bytes and the rate of the link; a kernel takes at least as long as its bytes need to
come from device memory. So the timeline is a bound: what the program's order allows, on a link of these rates.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from simt.host_order.clocks import Operation

ENGINES = ("up", "kernel", "down")  # what runs side by side; a copy between device arrays is a kernel's kind of work


@dataclass(frozen=True)
class Rates:
    """Bytes per second. pinned, pageable: of the link to the host; device: of device memory; source: where from."""

    pinned: float
    pageable: float
    device: float
    source: str


H200 = Rates(55e9, 18e9, 4.2e12, "measured on an NVIDIA H200: 256 MiB up, and a copy of 1 GiB on the device")


@dataclass
class Task:
    """A copy or a kernel. kind: "up", "down", "across" or "kernel"; n_bytes: what it moves at least."""

    operation: Operation
    kind: str
    n_bytes: int
    label: str = ""
    pinned: bool = False

    @property
    def engine(self) -> str:
        """Which part of the GPU does it."""
        return self.kind if self.kind in ("up", "down") else "kernel"

    def seconds(self, rates: Rates) -> float:
        """How long it takes at least."""
        if self.engine == "kernel":
            return self.n_bytes / rates.device
        return self.n_bytes / (rates.pinned if self.pinned else rates.pageable)


@dataclass(frozen=True)
class Wait:
    """The host goes on when all this is finished."""

    known: Mapping[Hashable, int]


@dataclass(frozen=True)
class Span:
    """A task and its place in time, in seconds."""

    task: Task
    start: float
    end: float


@dataclass(frozen=True)
class Timeline:
    """spans: in the order in which they were asked for. seconds: from the first start to the last end."""

    spans: tuple[Span, ...]
    rates: Rates

    @property
    def seconds(self) -> float:
        return max((span.end for span in self.spans), default=0.0) - min((s.start for s in self.spans), default=0.0)

    @property
    def busy(self) -> dict[str, float]:
        """Seconds of work by engine: none of them can be beaten."""
        return {
            engine: sum(span.end - span.start for span in self.spans if span.task.engine == engine)
            for engine in ENGINES
        }

    @property
    def overlap(self) -> float:
        """The longest of the three parts over the whole: 1.0 where it hides the others completely."""
        return max(self.busy.values()) / self.seconds if self.seconds else 1.0


def timeline_of(steps: Iterable[Task | Wait], rates: Rates = H200) -> Timeline:
    """The earliest times at which the steps of a program can happen. steps: as `HostOrder.steps`."""
    plan = _Plan(rates)
    asked = []
    for step in steps:
        if isinstance(step, Task):
            asked.append(step)
            plan.ask(step)
        else:
            plan.wait(step)
    plan.settle()
    return Timeline(tuple(plan.spans[id(task)] for task in asked), rates)


@dataclass
class _Plan:
    """Tasks that were asked for, until the host waits: then they are given their places, the earliest first."""

    rates: Rates
    now: float = 0.0  # of the host
    spans: dict[int, Span] = field(default_factory=dict)  # by id of a task
    _asked: list[tuple[float, Task]] = field(default_factory=list)
    _free: dict[str, float] = field(default_factory=dict)  # engine -> when it has nothing to do
    _ends: dict[tuple[Hashable, int], float] = field(default_factory=dict)  # (stream, number) -> end

    def ask(self, task: Task) -> None:
        """The host asks for a task now."""
        self._asked.append((self.now, task))

    def wait(self, step: Wait) -> None:
        """The host goes on when what it waits for is over."""
        self.settle()
        self.now = max(self.now, self._end_of(step.known))

    def settle(self) -> None:
        """Give every task its place."""
        while self._asked:
            first: dict[Hashable, int] = {}  # of each actor, the operation that waits longest
            for _, task in self._asked:
                actor, number = task.operation.actor, task.operation.number
                first[actor] = min(number, first.get(actor, number))
            ready = [
                (max(asked, self._end_of(task.operation.known), self._free.get(task.engine, 0.0)), position)
                for position, (asked, task) in enumerate(self._asked)
                if not _needs(task.operation, first)
            ]
            start, position = min(ready)
            _, task = self._asked.pop(position)
            end = start + task.seconds(self.rates)
            self.spans[id(task)] = Span(task, start, end)
            self._free[task.engine] = self._ends[task.operation.actor, task.operation.number] = end

    def _end_of(self, known: Mapping[Hashable, int]) -> float:
        """When the newest operations that a clock knows are over; what is no copy and no kernel takes no time."""
        ends = 0.0
        for actor, number in known.items():
            while number and (actor, number) not in self._ends:
                number -= 1
            ends = max(ends, self._ends.get((actor, number), 0.0))
        return ends


def _needs(operation: Operation, first: Mapping[Hashable, int]) -> bool:
    """Whether an operation must wait for one that has no place yet. first: of each actor, the first that has none."""
    return any(actor in first and number >= first[actor] for actor, number in operation.known.items())
