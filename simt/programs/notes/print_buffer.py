"""Do threads print more than a GPU keeps of one launch?"""

from __future__ import annotations

from simt.analyses.findings import FindingBook
from simt.events import Finding, Launch, Listener
from simt.hardware import PRINT_BUFFER_BYTES
from simt.source.counts import count_text


class TooMuchPrinted(Listener):
    """One note a launch."""

    def __init__(self) -> None:
        self.book = FindingBook()
        self._lines = self._bytes = 0

    def printed(self, lines: int, n_bytes: int) -> None:
        self._lines += lines
        self._bytes += n_bytes

    def launch_ends(self, launch: Launch) -> None:
        if self._bytes > PRINT_BUFFER_BYTES:
            says = (
                f"The threads of this launch print {count_text(self._lines, 'line')}, which take {self._bytes:,} bytes "
                f"at least. A GPU keeps {PRINT_BUFFER_BYTES:,} until the host waits, and drops the oldest beyond that."
            )
            remedy = "Let fewer threads print, or write the values into an array and print them on the host."
            self.book.add((), Finding("print_buffer", says, remedy=remedy, note=True))
