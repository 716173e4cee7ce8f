"""Progress of a build, told to the user's monitor; it may cancel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from minitrt.api.interfaces import IProgressMonitor
from minitrt.passes.pipeline import Cancelled


class Progress:
    """Phases inside each other. Without a monitor nothing is told."""

    def __init__(self, monitor: IProgressMonitor | None):
        self.monitor, self.open = monitor, []

    @contextmanager
    def phase(self, name: str, steps: int) -> Iterator[Callable[[], None]]:
        """A phase; the function it gives tells that one more step is done. Raises: Cancelled when told to stop."""
        done = 0

        def step() -> None:
            nonlocal done
            if self.monitor is not None and self.monitor.step_complete(name, done) is False:
                raise Cancelled(f"the progress monitor stopped the build in {name!r}, step {done}")
            done += 1

        if self.monitor is not None:
            self.monitor.phase_start(name, self.open[-1] if self.open else None, steps)
        self.open.append(name)
        try:
            yield step
        finally:
            self.open.pop()
            if self.monitor is not None:
                self.monitor.phase_finish(name)
