"""A line that says what a check is at, once it has taken longer than a moment; it goes when the verdict comes."""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from html import escape
from uuid import uuid4

from autograder.notebook import display
from autograder.running import now
from simt.text.notebook import in_notebook, publish

AFTER_S = 1.0
AGAIN_S = 0.05  # after which a dropped interrupt comes again: at once, it would be in the same callback


class Waiting:
    """What is at work, and where that is shown: an output that changes in a notebook, one line on a terminal."""

    def __init__(self) -> None:
        self.at = ""  # as in "case 8 of 15, n = 8192"
        self._handle = None
        self._timer: threading.Timer | None = threading.Timer(AFTER_S, self._begin)
        self._timer.daemon = True
        self._begun = False
        self._ended = False
        self._lock = threading.Lock()  # held while anything is shown: a timer that is late must find that it is

    def start(self) -> None:
        """Show something if this takes longer than `AFTER_S`. Where there are no threads, from the next case on."""
        try:
            self._timer.start()
        except RuntimeError:  # a browser
            self._timer, self._begun = None, True

    def says(self, text: str) -> None:
        """What begins now."""
        self.at = text
        with self._lock:
            if self._begun:
                self._show(f"Checking: {text}")

    def end(self) -> None:
        """Take the line away."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._begun, self._ended = False, True
            self._show("")

    def _begin(self) -> None:
        with self._lock:
            if self._ended:
                return
            self._begun = True
            self._show(f"Checking: {self.at or 'starting'}")

    def _show(self, text: str) -> None:
        if in_notebook():
            self._publish(text)
        elif sys.stdout.isatty():
            sys.stdout.write(f"\r\x1b[K{text}")
            sys.stdout.flush()

    def _publish(self, text: str) -> None:
        bundle = {"text/plain": text, "text/html": f"<div class='warpbook-now' style='opacity:.7'>{escape(text)}</div>"}
        if self._handle is not None:
            self._handle.update(bundle if text else {"text/plain": "", "text/html": ""}, raw=True)
        elif text:
            self._handle = publish(bundle, key=uuid4().hex)


@contextmanager
def no_interrupt_is_lost() -> Iterator[None]:
    """While the block runs, an interrupt that Python dropped comes again.

    One that arrives in a callback, such as of a weak reference, is written to stderr with its stack, and is gone.
    """
    before, coming = sys.unraisablehook, []

    def hear(dropped: sys.UnraisableHookArgs) -> None:
        if dropped.exc_type is not KeyboardInterrupt:
            return before(dropped)
        coming.append(threading.Timer(AGAIN_S, _thread.interrupt_main))
        coming[-1].daemon = True
        with suppress(RuntimeError):  # a browser has no threads
            coming[-1].start()

    sys.unraisablehook = hear
    try:
        yield
    finally:
        sys.unraisablehook = before
        for timer in coming:
            timer.cancel()


@contextmanager
def waiting() -> Iterator[Waiting]:
    """Say what runs while the block does, after a second, and take it away afterwards."""
    line = Waiting()
    line.start()
    try:
        with now.heard_by(line.says), no_interrupt_is_lost():
            yield line
    finally:
        line.end()


def stops_in_a_line(method: Callable) -> Callable:
    """A method that says one line where it is interrupted, and returns None: the way through our code helps nobody."""

    @wraps(method)
    def run(*given, **named):
        try:
            with no_interrupt_is_lost():
                return method(*given, **named)
        except KeyboardInterrupt:
            display.text("Stopped.")
            return None

    return run
