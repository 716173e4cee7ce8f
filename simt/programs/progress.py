"""How far a launch is, for who waits for it."""

from __future__ import annotations

import time

from simt.events import Access, Batch, Launch, Listener, Site
from simt.launching.geometry import volume
from simt.source.counts import count_text


class Progress(Listener):
    """Counts the blocks of one launch that have ended, and remembers the line of the last access."""

    def __init__(self, sample: int = 0, kernel: str = "") -> None:
        self.n_blocks = self.done = 0
        self._kernel = kernel
        self._last: Site | None = None
        self._sample, self._began = sample, time.monotonic()

    def launch_begins(self, launch: Launch) -> None:
        n_blocks = volume(launch.grid)
        self.n_blocks = min(n_blocks, self._sample) if self._sample else n_blocks

    def batch_ends(self, batch: Batch) -> None:
        self.done += batch.n_blocks

    def access(self, event: Access) -> None:
        self._last = event.site

    def text(self) -> str:
        """As in "3,072 of 65,536 blocks are done, 4 min to go at this rate"; "" before the launch begins."""
        if not self.n_blocks:
            return ""
        if self.done >= self.n_blocks:
            return "its blocks are done, and what they did is being judged"
        at = f", the last access was at {self._place(self._last)}" if self._last is not None else ""
        if not self.done:
            return f"none of {count_text(self.n_blocks, 'block')} is done{at}"
        left_s = (time.monotonic() - self._began) * (self.n_blocks - self.done) / self.done
        return f"{self.done:,} of {self.n_blocks:,} blocks are done, {duration(left_s)} to go at this rate{at}"

    def _place(self, site: Site) -> str:
        """A line, with the function it is of where that is not the kernel: it may be of another file."""
        return f"line {site.line}" + (f" of {site.function}" if site.function != self._kernel else "")


def duration(seconds: float) -> str:
    """As in 40 s, 12 min, 5 h or 9 days."""
    for unit, size, most in (("s", 1, 120), ("min", 60, 7200), ("h", 3600, 172800)):
        if seconds < most:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds / 86400:,.0f} days"
