"""What a planted race says: the racy kernel, the same kernel mended, and the lines that clash."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.zoo.entry import Entry, Extent

MARK = "# clash"


@dataclass(frozen=True)
class Planted:
    """A race and its mending. The racy kernel marks every line that clashes with `# clash`.

    beyond_racecheck: why compute-sanitizer's racecheck cannot see it; "" where it should.
    """

    about: str
    racy: Callable
    mended: Callable
    arguments: Callable[[], list[Any]]
    grid: Extent = 1
    block: Extent = 128
    dynamic_shared_bytes: int = 0
    beyond_racecheck: str = ""

    @property
    def name(self) -> str:
        return self.racy.__name__

    @property
    def lines(self) -> frozenset[int]:
        """Lines of the file that clash."""
        source, first = inspect.getsourcelines(self.racy)
        return frozenset(first + offset for offset, line in enumerate(source) if MARK in line)

    def entry(self, kernel: Callable) -> Entry:
        """A launch of `racy` or `mended`."""
        return Entry(
            kernel.__name__, self.about, kernel, self.arguments, self.grid, self.block, self.dynamic_shared_bytes
        )
