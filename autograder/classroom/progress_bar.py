"""One line of progress on a terminal; plain lines where output goes to a file."""

from __future__ import annotations

import sys
import time
from typing import TextIO

WIDTH = 24  # characters of the bar
EVERY_S = 5.0  # seconds between lines where there is no terminal


class ProgressBar:
    """``judging  [############            ] 12/24  scale of ada``. Use as a context; `step` after each item."""

    def __init__(self, title: str, total: int, stream: TextIO | None = None):
        self.title, self.total, self.done = title, total, 0
        self.stream = stream or sys.stderr
        self._terminal = self.stream.isatty()
        self._last = 0.0
        self._shown = -1

    def __enter__(self) -> ProgressBar:
        self._show("")
        return self

    def __exit__(self, *_error) -> None:
        self._show("", final=True)

    def step(self, what: str = "") -> None:
        """One more item is done; `what` names it."""
        self.done += 1
        self._show(what)

    def _show(self, what: str, final: bool = False) -> None:
        now = time.monotonic()
        quiet = not self._terminal and now - self._last < EVERY_S
        if (quiet and not final) or (final and self._shown == self.done and not self._terminal):
            return
        self._shown = self.done
        self._last = now
        filled = WIDTH * self.done // self.total if self.total else WIDTH
        text = f"{self.title:<12} [{'#' * filled:<{WIDTH}}] {self.done}/{self.total}  {what}"
        ending = "\n" if final or not self._terminal else ""
        print(f"\r{text[:100]:<100}" if self._terminal else text.rstrip(), end=ending, file=self.stream, flush=True)
