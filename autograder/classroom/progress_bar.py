"""One line of progress on a terminal; plain lines where output goes to a file."""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import TextIO

WIDTH = 24  # characters of the bar
EVERY_S = 5.0  # seconds between lines where there is no terminal
TELLS_AFTER = 3  # items, before they say how long the others will take


class ProgressBar:
    """``judging  [############            ] 12/24  3 min left  9 right, 3 not right yet  scale``.

    Use as a context; `step` after each item.
    """

    def __init__(
        self, title: str, total: int, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ):
        self.title, self.total, self.done = title, total, 0
        self.tally: Counter[str] = Counter()
        self.stream = stream or sys.stderr
        self._terminal = self.stream.isatty()
        self._clock = clock
        self._begun = clock()
        self._last = self._begun - EVERY_S
        self._shown = -1

    def __enter__(self) -> ProgressBar:
        self._show("")
        return self

    def __exit__(self, *_error) -> None:
        self._show("", final=True)

    def step(self, what: str = "", verdict: str = "") -> None:
        """One more item is done; `what` names it, `verdict` is what became of it, to be counted."""
        self.done += 1
        self.tally.update([verdict] if verdict else [])
        self._show(what)

    def _show(self, what: str, final: bool = False) -> None:
        now = self._clock()
        quiet = not self._terminal and now - self._last < EVERY_S
        if (quiet and not final) or (final and self._shown == self.done and not self._terminal):
            return
        self._shown = self.done
        self._last = now
        filled = WIDTH * self.done // self.total if self.total else WIDTH
        counted = ", ".join(f"{n} {verdict}" for verdict, n in self.tally.most_common())
        parts = [f"{self.done}/{self.total}", self._left(now), counted, what]
        text = f"{self.title:<12} [{'#' * filled:<{WIDTH}}] {'  '.join(part for part in parts if part)}"
        ending = "\n" if final or not self._terminal else ""
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{text[:width]:<{width}}" if self._terminal else text, end=ending, file=self.stream, flush=True)

    def _left(self, now: float) -> str:
        """How long the others will take, if they take as long as those so far; "" where that cannot be said yet."""
        if not TELLS_AFTER <= self.done < self.total:
            return ""
        left_s = (now - self._begun) / self.done * (self.total - self.done)
        return f"{left_s:.0f} s left" if left_s < 90 else f"{left_s / 60:.0f} min left"
