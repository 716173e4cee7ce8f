"""A host array that was changed after it was copied to the device: a kernel that reads the copy reads what was before.

Told at the end, and only where no other reason for the change shows: the array is never copied again, up or down,
nothing that was fetched equals it, the kernel only reads the copy, and a line between the copy and the launch changes
the array.
"""

from __future__ import annotations

import weakref
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simt.cuda_api.host_events import HostListener, address_of, root_of
from simt.events import Finding
from simt.host_order.frames import local_name, program_frame
from simt.host_order.touched import Touched
from simt.source.changed_in_place import changed_at
from simt.source.shown import Scope
from simt.values.unasked import memory_on_device, text_held

MOST_BYTES, MOST_LOOKS = 1 << 20, 200


@dataclass
class Copied:
    """A copy of a host array. host: the array, as long as it lives; name, line, scope: where it was copied; held: what
    it held; launch: kernel and line of the first launch that read the copy after a change; looks: how often the array
    was looked at."""

    host: weakref.ref
    name: str
    line: int
    scope: Scope
    held: int
    launch: tuple[str, int, int] | None = None
    looks: int = 0


@dataclass
class Outdated(HostListener):
    """Hears of copies and launches. touched: what the launch that just ended did."""

    touched: Touched
    copied: dict[int, Copied] = field(default_factory=dict)  # by start of the device array
    _seen: set[int] = field(default_factory=set)  # host arrays, by id, that were copied before
    _kernel: str = ""

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        if direction == "up" and host is not None:
            self._uploaded(device, host)
        elif direction == "across":
            self.copied.pop(_start(device), None)
        elif direction == "down":
            self._fetched(device, host)

    def _uploaded(self, device: np.ndarray, host: np.ndarray) -> None:
        known, frame = self.copied.pop(_start(device), None), program_frame()
        used_again = [start for start, one in self.copied.items() if one.host() is host]
        for start in used_again:
            del self.copied[start]
        plain = type(host) is np.ndarray and host.nbytes <= MOST_BYTES
        if known is not None or used_again or id(host) in self._seen or frame is None or not plain:
            self._seen.add(id(host))
            return
        if name := local_name(frame, lambda value: value is host):
            scope = Scope(frame.f_code.co_filename, frame.f_code.co_firstlineno)
            self.copied[_start(device)] = Copied(weakref.ref(host), name, frame.f_lineno, scope, _digest(host))

    def _fetched(self, device: np.ndarray, host: np.ndarray | None) -> None:
        """What is fetched into the array, or equals it, is why the array was changed."""
        for start, one in list(self.copied.items()):
            array = one.host()
            if array is not None and (host is array or one.launch and _agree(device, array)):
                del self.copied[start]

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        self._kernel = text_held(kernel, "__name__") or "the kernel"
        memories = [memory for one in args if (memory := memory_on_device(one)) is not None]
        self._given = set(map(_start, memories))

    def launched(self) -> None:
        here = self.copied.keys() & self._given
        if not here:
            return
        done: dict[int, set[str]] = {}
        for shadow, access, _ in self.touched.accesses():
            done.setdefault(shadow.start, set()).add(access)
        for start in here:
            if done.get(start, {"read"}) - {"read"}:
                del self.copied[start]
            elif start in done:
                self._read(self.copied[start])

    def _read(self, one: Copied) -> None:
        array, frame = one.host(), program_frame()
        one.looks += 1
        if one.launch or array is None or frame is None or one.looks > MOST_LOOKS or _digest(array) == one.held:
            return
        one.launch = self._kernel, frame.f_lineno, frame.f_code.co_firstlineno

    def notes(self) -> Iterator[Finding]:
        """One for each array."""
        for one in self.copied.values():
            kernel, line, first = one.launch or ("", 0, 0)
            changed = changed_at(one.scope, one.name, one.line, line) if first == one.scope.first else 0
            if changed:
                yield _note(one, kernel, line, changed)
        self.copied.clear()


def _start(memory: np.ndarray) -> int:
    return address_of(root_of(memory))


def _digest(array: np.ndarray) -> int:
    return zlib.crc32(array.tobytes())


def _agree(one: np.ndarray, other: np.ndarray) -> bool:
    numbers = one.dtype.kind in "iufcb" and other.dtype.kind in "iufcb"
    return numbers and one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-3, equal_nan=True))


def _note(one: Copied, kernel: str, line: int, changed: int) -> Finding:
    says = (
        f"Line {changed} changes `{one.name}`, which line {one.line} had copied to the device before: `{kernel}` at "
        f"line {line} reads the copy, which is as it was."
    )
    remedy = (
        f"Copy it after the change: cuda.to_device({one.name}), or copy_to_device({one.name}) of the array that is "
        "there. Where the change is not meant for the device, all is well."
    )
    lines = tuple(dict.fromkeys((changed, one.line, line)))
    detail = {"files": (one.scope.file,) * len(lines), "unsure": "what the change is meant for is a guess"}
    return Finding("changed_after_copy", says, lines, remedy=remedy, detail=detail, note=True)
