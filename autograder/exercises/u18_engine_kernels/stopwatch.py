"""A GPU whose clock the judge holds: what unit 18 times kernels with.

It does what makes real times lie, and always in the same way: the host goes on while the device works, the first launch
of a kernel takes long, a warm cache makes the next one short, the device slows down as it gets warm, and now and then
a launch is interrupted.
"""

from __future__ import annotations

import numpy as np

LAUNCH_US = 5.0  # that a launch costs the host
COMPILE_US = 250_000.0
FLUSH_US = 70.0
INTERRUPTED_US = 400.0
EVERY = 17  # so many launches, one is interrupted
DRIFT = 0.3  # that the device gets slower by, from the first round to the last
PARTS = 100  # of a microsecond, in which the table counts


class JudgedDevice:
    """Kernels with times of their own, on a device that is cool and has nothing compiled.

    table: (1 + 2 n_kernels,) int64, as `table_of` makes it.
    """

    def __init__(self, table: np.ndarray) -> None:
        self.n_rounds, *parts = table.tolist()
        times = [one / PARTS for one in parts]
        self.cold_us, self.warm_us = times[: len(times) // 2], times[len(times) // 2 :]
        self._host = self._busy_until = 0.0
        self._compiled: set[int] = set()
        self._warm: int | None = None
        self._launches = 0

    def clock(self) -> float:
        """Microseconds: the time of the host, which does not wait."""
        return self._host

    def wait(self) -> None:
        """Return when the device has done all that it was given."""
        self._host = max(self._host, self._busy_until)

    def flush(self) -> None:
        """Begin to fill the cache with other data."""
        self._warm = None
        self._begin(FLUSH_US)

    def launch(self, k: int) -> None:
        """Begin kernel k. Raises: IndexError for a number that no kernel has."""
        if not 0 <= k < len(self.cold_us):
            raise IndexError(f"there is no kernel {k}: launch 0 to {len(self.cold_us) - 1}")
        takes = self.warm_us[k] if self._warm == k else self.cold_us[k]
        takes *= 1 + DRIFT * min(1.0, self._launches // len(self.cold_us) / self.n_rounds)
        self._launches += 1
        if k not in self._compiled:
            self._compiled.add(k)
            takes += COMPILE_US
        elif self._launches % EVERY == 0:
            takes += INTERRUPTED_US
        self._warm = k
        self._begin(takes)

    def _begin(self, takes: float) -> None:
        self._host += LAUNCH_US
        self._busy_until = max(self._host, self._busy_until) + takes


def table_of(cold_us: np.ndarray, warm_us: np.ndarray, n_rounds: int) -> np.ndarray:
    """The numbers of a device in one array.

    cold_us, warm_us: of each kernel, with inputs that the cache does not hold, or holds; n_rounds: of launches of all
    kernels, after which the device is as slow as it gets.
    """
    return np.array([n_rounds, *np.rint(PARTS * cold_us), *np.rint(PARTS * warm_us)], np.int64)
