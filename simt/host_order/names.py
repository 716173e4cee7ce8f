"""What the program calls its streams, arrays and events: the variables that hold them where it calls."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from simt.cuda_api.host_events import names_no_stream
from simt.cuda_api.host_memory import HostAndDeviceArray
from simt.host_order.clocks import DEFAULT_STREAM
from simt.host_order.frames import local_name, program_frame
from simt.host_order.host_arrays import plain
from simt.host_order.memory import HostMemory, address_of
from simt.values.unasked import held, is_a, memory_on_device


class Streams:
    """A key for each stream that the program uses, with the name it had at its first use.

    shared: names that several streams have had, one after the other.
    """

    def __init__(self) -> None:
        self.shared: set[str] = set()
        self._named: dict[int, tuple[Any, str]] = {}  # by id: the Stream, kept alive, and its name

    def key(self, stream: Any) -> Hashable:
        """What stands for a stream: the default stream is one, however it is named."""
        if names_no_stream(stream) or held(stream, "is_default", False):
            return DEFAULT_STREAM
        if id(stream) not in self._named:
            taken = {name for _, name in self._named.values()}
            name = local_name(program_frame(), lambda value: value is stream)
            if name in taken:
                self.shared.add(name)
            if not name or name in taken:
                name = f"stream {len(self._named) + 1}"
            self._named[id(stream)] = stream, name
        return f"{self._named[id(stream)][1]}#{id(stream)}"


def name_of_array(memory: np.ndarray) -> str:
    """What the program calls an array, where a variable of the calling function holds it; "" where none does."""
    address = address_of(plain(memory))

    def is_it(value: Any) -> bool:
        memory = value if is_a(value, np.ndarray) else memory_on_device(value)
        return memory is not None and address_of(memory) == address

    return local_name(program_frame(), is_it)


def name_shared_arrays(memory: HostMemory, args: tuple) -> None:
    """Mapped and managed arrays of a launch get their names: when they were made no variable held them."""
    for array in (one for one in args if is_a(one, HostAndDeviceArray) and one.size):
        shadow = memory.find(address_of(array))
        if shadow is not None:
            shadow.name = shadow.name or name_of_array(array)


def name_of_event(event: Any) -> str:
    """The variable that holds an event, or words for it."""
    return local_name(program_frame(), lambda value: value is event) or "the event"


def where() -> tuple[int, str]:
    """The line that the program is at, and its file; (0, "") where no program is at work."""
    frame = program_frame()
    return (frame.f_lineno, frame.f_code.co_filename) if frame else (0, "")
