"""What host code asks of the device, told to those who listen: copies, launches, waiting, events.

Nobody listens unless somebody asked to (`simt.host_order.watch`); then nothing here costs more than a look at a list.
"""

from __future__ import annotations

import contextlib
import math
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from simt.values.unasked import memory_on_device


class HostListener:
    """Base of those who listen: override what you need. stream: a Stream, or 0 for the default stream."""

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        """A copy "up" to or "down" from the memory of a device array; "across" is between two device arrays.

        host: the other side, another device array's memory for "across"; None for a single number.
        """

    def exports(self, device: np.ndarray) -> None:
        """Host code is told where the memory of a device array lies."""

    def allocates(self, array: np.ndarray) -> None:
        """New memory that kernels can use: a device array's, or a mapped or managed array."""

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        """A kernel is about to run."""

    def launched(self) -> None:
        """It ran."""

    def replays(self, begins: bool) -> None:
        """One call is about to replay the launches of a graph, or did."""

    def captured(self, launches: int) -> None:
        """Host code captured a graph of so many launches."""

    def prefetches(self, array: np.ndarray, to_host: bool, stream: Any) -> None:
        """Host code asks for managed memory to be moved."""

    def synchronizes(self, stream: Any) -> None:
        """The host waits for a stream; None: for the whole device."""

    def event(self, action: str, event: Any, stream: Any = None) -> None:
        """An event: "record" and "wait" in a stream, "synchronize" or "query" on the host."""

    def asked(self, event: Any) -> bool:
        """Host code asks whether an event has happened. Returns: whether it may hear yes."""
        return True

    def elapsed(self, start: Any, end: Any) -> float | None:
        """The host asks for the time between two events. Returns: the milliseconds that it is told; None: not known."""
        return None

    def callback_begins(self, stream: Any) -> None:
        """Host code runs as an operation of a stream."""

    def callback_ends(self, stream: Any) -> None: ...

    def made(self, array: np.ndarray, space: str) -> np.ndarray:
        """A host array that the device can use: "pinned", "mapped" or "managed". Returns what the program gets."""
        return array

    def noted(self, kind: str, message: str, remedy: str) -> None:
        """Something of this call that is worth knowing, and no mistake."""

    def pins(self, arrays: tuple) -> None:
        """Plain host arrays are pinned from now on."""

    def unpins(self, arrays: tuple) -> None: ...


_listeners: list[HostListener] = []
_turn = threading.RLock()  # threads of the host tell one after the other; a callback tells in the middle of its own


def begin_in_child() -> None:
    """This process was forked: another thread of its parent may have held the lock."""
    global _turn
    _turn = threading.RLock()


@contextlib.contextmanager
def listening(listener: HostListener) -> Iterator[None]:
    """Tell a listener everything while the block runs."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def tell(name: str, *what: Any) -> None:
    """Call a method of every listener."""
    if _listeners:
        with _turn:
            for listener in _listeners:
                getattr(listener, name)(*what)


@contextlib.contextmanager
def telling_of_a_launch(kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> Iterator[None]:
    """Tell that a kernel is about to run, and when it ran. While somebody listens, other threads' kernels wait: what is
    touched in between belongs to this one."""
    with _turn if _listeners else contextlib.nullcontext():
        tell("launches", kernel, grid, block, args, stream)
        try:
            yield
        finally:
            tell("launched")


def names_no_stream(stream: Any) -> bool:
    """Whether a call named no stream: it then waits for its copies."""
    return stream is None or isinstance(stream, int) and stream == 0


def somebody_listens() -> bool:
    """Whether host code is being watched, so that whoever watches says what there is to say."""
    return bool(_listeners)


def is_done(event: Any) -> bool:
    """Whether an event has happened, as far as everybody knows who listens."""
    with _turn:
        return all([listener.asked(event) for listener in _listeners])


def milliseconds(start: Any, end: Any) -> float:
    """The time between two events that a listener tells; NaN where none does."""
    with _turn:
        told = [listener.elapsed(start, end) for listener in _listeners]
    return next((one for one in told if one is not None), math.nan)


_spaces: dict[int, tuple[int, str]] = {}  # address -> bytes and space, of the host memory that the device can use


def space_of(address: int) -> str:
    """ "pinned", "mapped" or "managed", for an address in such memory; "" elsewhere."""
    spaces = (space for start, (n_bytes, space) in _spaces.items() if start <= address < start + n_bytes)
    return next(spaces, "")


def address_of(array: np.ndarray) -> int:
    """Where the first element of an array lies, of any class of arrays."""
    return np.ndarray.__array_interface__.__get__(array)["data"][0]


def root_of(array: np.ndarray) -> np.ndarray:
    """The array that owns the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def made(array: np.ndarray, space: str) -> np.ndarray:
    """A new host array that the device can use, as listeners want it."""
    root = root_of(array)
    start = address_of(root)
    _spaces[start] = root.nbytes, space
    weakref.finalize(root, _spaces.pop, start, None)
    for listener in _listeners:
        array = listener.made(array, space)
    return array


def memory_of(array: Any) -> Any:
    """The memory of a device array, or anything else as it is."""
    memory = memory_on_device(array)
    return array if memory is None else memory
