"""Several GPUs whose clock the judge holds: what unit 19 spreads requests over.

Each device does one thing at a time, and tells nothing but that it is done. Times are the same in every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BUILD_US = 9_000  # the host waits for a build
LOAD_US = 30
NOTHING = -1  # in place of a request: the device was waited for


@dataclass(frozen=True)
class Begun:
    """A request that began on a device, or what was waited for. at: microseconds; -1 for no request."""

    device: int
    request: int
    at: int


class JudgedDevices:
    """GPUs with models and speeds of their own.

    models: a number per device; slower: how many times as long each device takes as the fastest one could; takes_us: of
    each request, on such a one. All are whole numbers.
    """

    def __init__(self, models: Sequence[int], slower: Sequence[int], takes_us: Sequence[int]) -> None:
        self._models, self._slower, self._takes = tuple(models), tuple(slower), tuple(takes_us)
        self._now = 0
        self._ends: dict[int, int] = {}  # of devices that are at work
        self._loaded: set[int] = set()
        self._started: set[int] = set()
        self.log: list[Begun] = []  # for the judge
        self.n_plans = 0

    @property
    def count(self) -> int:
        """How many devices there are."""
        return len(self._models)

    @property
    def busy(self) -> bool:
        """Whether any device is at work."""
        return bool(self._ends)

    @classmethod
    def of(cls, table: np.ndarray) -> JudgedDevices:
        """Devices with nothing loaded. table: (1 + 2 n_devices + n_requests,) int64, as `table_of` makes it."""
        n, *numbers = table.tolist()
        return cls(numbers[:n], numbers[n : 2 * n], numbers[2 * n :])

    def model(self, d: int) -> int:
        """A number that devices of one kind share."""
        return self._models[self._known(d)]

    def build(self, d: int) -> tuple[str, int]:
        """A plan for devices like d. The host waits for it."""
        self._now += BUILD_US
        self.n_plans += 1
        return ("plan", self.model(d))

    def load(self, d: int, plan: tuple[str, int]) -> None:
        """Begin to load an engine. Raises: ValueError for a plan of another model; RuntimeError for a busy device."""
        if not isinstance(plan, tuple) or plan[1:] != (self.model(d),):
            raise ValueError(f"device {d} is of model {self.model(d)}, and this is no plan for it: build one on it")
        self._begin(d, LOAD_US * self._slower[d])
        self._loaded.add(d)

    def start(self, d: int, request: int) -> None:
        """Begin a request. Raises: RuntimeError for a device that is busy or has no engine, or one begun before."""
        if self._known(d) not in self._loaded:
            raise RuntimeError(f"device {d} has no engine: load a plan first")
        if not 0 <= request < len(self._takes):
            raise IndexError(f"there is no request {request}: they are 0 to {len(self._takes) - 1}")
        if request in self._started:
            raise RuntimeError(f"request {request} was started before: every request runs once")
        self._begin(d, self._takes[request] * self._slower[d])
        self._started.add(request)
        self.log.append(Begun(d, request, self._now))

    def wait(self) -> int:
        """The next device that is done, of several the lowest. Raises: RuntimeError where none has anything to do."""
        if not self._ends:
            raise RuntimeError("no device is at work, so none will ever be done")
        d = min(self._ends, key=lambda one: (self._ends[one], one))
        self._now = max(self._now, self._ends.pop(d))
        self.log.append(Begun(d, NOTHING, self._now))
        return d

    def clock(self) -> int:
        """Microseconds since the start."""
        return self._now

    def _known(self, d: int) -> int:
        if not 0 <= d < len(self._models):
            raise IndexError(f"there is no device {d}: they are 0 to {len(self._models) - 1}")
        return d

    def _begin(self, d: int, takes: int) -> None:
        if self._known(d) in self._ends:
            raise RuntimeError(f"device {d} is at work: wait() says when it is done")
        self._ends[d] = self._now + takes


def table_of(models: Sequence[int], slower: Sequence[int], takes_us: Sequence[int]) -> np.ndarray:
    """The numbers of some devices in one array: how many there are, then models, factors and times."""
    return np.array([len(models), *models, *slower, *takes_us], np.int64)
