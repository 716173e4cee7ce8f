"""What a kernel left in a device array that was made of a host array, and that nobody ever fetched.

Told at the end, and only where it is certain: nothing that the launch wrote was ever copied, and the program goes on to
show, compare or return the host array that it made the copy of, which is as it was.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simt.cuda_api.host_events import HostListener, address_of, root_of
from simt.events import Finding
from simt.host_order.frames import local_name, program_frame
from simt.host_order.touched import Touched
from simt.source.shown import Scope, first_shown, line_that_drops
from simt.values.unasked import is_a, memory_on_device, text_held

WRITES = {"write", "update"}


@dataclass
class LastLaunch:
    """A launch that wrote an array."""

    kernel: str
    line: int
    scope: int


@dataclass
class Upload:
    """A host array of which a device array was made. name: of the host array; line, scope: where; beside: what launches
    wrote that had it, too, as starts of allocations."""

    name: str
    line: int
    scope: Scope
    written: LastLaunch | None = None
    dropped: int = 0  # the line of a copy_to_host() whose result the program keeps nowhere
    beside: set[int] = field(default_factory=set)


@dataclass
class Unread(HostListener):
    """Hears of copies and launches. touched: what the launch that just ended did. Device arrays are known by where
    their allocation starts."""

    touched: Touched
    uploads: dict[int, Upload] = field(default_factory=dict)
    gone: list[Upload] = field(default_factory=list)  # whose device array was freed
    fetched: set[int] = field(default_factory=set)
    _given: set[int] = field(default_factory=set)  # device arrays of the launch under way
    _kernel: str = ""
    _copies_back: bool = False  # it was given host arrays, too, which numba fetches by itself

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        if direction == "up":
            self._uploaded(device, host)
            return
        known = self.uploads.get(_start(device)) if direction == "down" else None
        if known is not None and known.written is not None and (line := line_that_drops(program_frame())):
            known.dropped = line
            return
        self.exports(device)
        if direction == "across" and host is not None:
            self.exports(host)

    def exports(self, device: np.ndarray) -> None:
        """Somebody else may read it: a copy of it, or another library."""
        self._handed_on(_start(device))

    def _handed_on(self, start: int) -> None:
        self.uploads.pop(start, None)
        self.fetched.add(start)

    def _uploaded(self, device: np.ndarray, host: np.ndarray | None) -> None:
        """Only a copy that fills a new allocation whole is remembered."""
        known, frame = self.uploads.pop(_start(device), None), program_frame()
        if known is not None or host is None or frame is None or device.nbytes < root_of(device).nbytes:
            return
        if name := local_name(frame, lambda value: value is host):
            scope = Scope(frame.f_code.co_filename, frame.f_code.co_firstlineno)
            self.uploads[_start(device)] = Upload(name, frame.f_lineno, scope)
            weakref.finalize(root_of(device), self._freed, _start(device)).atexit = False

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        memories = [memory for one in args if (memory := memory_on_device(one)) is not None]
        self._given, self._kernel = set(map(_start, memories)), text_held(kernel, "__name__") or "the kernel"
        self._copies_back = any(is_a(one, np.ndarray) for one in args)

    def launched(self) -> None:
        done: dict[int, set[str]] = {start: set() for start in self._given}
        for shadow, access, _ in self.touched.accesses():
            done.setdefault(shadow.start, set()).add(access)
        writes, frame = {start for start, how in done.items() if how & WRITES}, program_frame()
        for start in self._given & self.uploads.keys():
            one = self.uploads[start]
            one.beside |= writes - {start}
            if not done[start] or frame is None or self._copies_back:
                self._handed_on(start)
            elif start in writes:
                one.dropped = 0
                one.written = LastLaunch(self._kernel, frame.f_lineno, frame.f_code.co_firstlineno)

    def _freed(self, start: int) -> None:
        if (known := self.uploads.pop(start, None)) is not None:
            self.gone.append(known)

    def notes(self) -> Iterator[Finding]:
        """One for each upload whose results are lost."""
        told: set[Hashable] = set()
        for one in (*self.gone, *self.uploads.values()):
            written = one.written
            if written is None or one.beside & self.fetched:
                continue
            after = written.line if written.scope == one.scope.first else one.line
            shown = first_shown(one.scope, one.name, one.line, after)
            if shown and (key := (one.scope, one.line, shown)) not in told:
                told.add(key)
                yield _note(one, written, shown)
        self.gone.clear()
        self.uploads.clear()


def _start(memory: np.ndarray) -> int:
    return address_of(root_of(memory))


def _note(one: Upload, written: LastLaunch, shown: int) -> Finding:
    was = f"`{one.name}` is at line {shown} what it was before."
    if one.dropped:
        says = (
            f"copy_to_host() at line {one.dropped} gives a new array, which is kept nowhere: what `{written.kernel}` "
            f"did at line {written.line} is lost, and {was}"
        )
        remedy = f"Keep it, as in {one.name} = ...copy_to_host(), or say what to copy into: copy_to_host({one.name})."
    else:
        says = (
            f"Line {one.line} copies `{one.name}` to the device, `{written.kernel}` changes the copy at line "
            f"{written.line}, and nothing of it is ever copied back: {was}"
        )
        remedy = (
            "Keep what cuda.to_device gives and fetch the result with its copy_to_host(); or hand "
            f"`{one.name}` itself to the kernel, and numba copies it there and back."
        )
    lines = tuple(dict.fromkeys((shown, one.dropped or written.line, written.line, one.line)))
    detail = {"files": (one.scope.file,) * len(lines)}
    return Finding("not_copied", says, lines, remedy=remedy, detail=detail, note=True)
