"""Watches host code: builds the order that its streams and events make, and finds what nothing orders."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from simt.analyses.findings import FindingBook
from simt.cuda_api import host_events
from simt.cuda_api.host_events import HostListener, names_no_stream
from simt.cuda_api.host_memory import HostAndDeviceArray
from simt.events import Finding
from simt.host_order import wording
from simt.host_order.clocks import DEFAULT_STREAM, HappensBefore, Operation
from simt.host_order.host_arrays import conversions_tell, plain, telling
from simt.host_order.marks import Marks
from simt.host_order.memory import Conflict, HostMemory, Shadow, address_of, units_of
from simt.host_order.names import Streams, name_of_array, name_of_event, name_shared_arrays, where
from simt.host_order.residence import ON_DEVICE, ON_HOST, Residence
from simt.host_order.timeline import Task, Wait
from simt.host_order.touched import Touched
from simt.values.unasked import memory_on_device


class HostOrder(HostListener):
    """Everything that host code does with the device, in the order that the device must keep.

    findings: what two operations do to the same bytes with nothing between them. steps: what was asked of
    the device and waited for, for a timeline.
    """

    def __init__(self) -> None:
        self.clocks, self.memory, self.book = HappensBefore(), HostMemory(), FindingBook()
        self.touched, self.residence, self.marks = Touched(self.memory), Residence(), Marks()
        self.steps: list[Task | Wait] = []
        self.bytes_beside = 0  # that the host wrote to arrays of its own while the device had something to do
        self.notes: list[Finding] = []  # worth knowing, and no mistakes
        self._streams = Streams()
        self._callbacks: list[Operation] = []
        self._launch: tuple[Operation, Task, list[np.ndarray], Any] | None = None

    @property
    def findings(self) -> list[Finding]:
        """Mistakes, as in a trace."""
        return self.book.all()

    @property
    def n_streams(self) -> int:
        """Streams that had work to do, the default stream not counted."""
        actors = {step.operation.actor for step in self.steps if isinstance(step, Task)}
        return len(actors - {DEFAULT_STREAM})

    @property
    def n_waits(self) -> int:
        """How often the host waited for the device; waiting again with nothing asked for in between counts once."""
        kinds = [isinstance(step, Wait) for step in self.steps]
        return sum(waits and not before for waits, before in zip(kinds, [False, *kinds], strict=False))

    @property
    def kernels_side_by_side(self) -> int:
        """Kernels that need not wait for the one that another stream was given before them."""
        newest: dict[Hashable, int] = {}  # of each stream: the number of its last kernel
        beside = 0
        for operation in (step.operation for step in self.steps if isinstance(step, Task) and step.kind == "kernel"):
            others = ((actor, number) for actor, number in newest.items() if actor != operation.actor)
            beside += any(operation.known.get(actor, 0) < number for actor, number in others)
            newest[operation.actor] = operation.number
        return beside

    @property
    def pageable_bytes(self) -> int:
        """Bytes that crossed between the device and memory of the host that is not pinned."""
        tasks = [step for step in self.steps if isinstance(step, Task)]
        return sum(task.n_bytes for task in tasks if task.kind in ("up", "down") and not task.pinned)

    # copies

    def copies(self, direction: str, device: np.ndarray, host: np.ndarray | None, stream: Any) -> None:
        shadow = self._shadow(device, "device")
        other = self._host_side(direction, host)
        waits = direction != "across" and (names_no_stream(stream) or (direction == "down" and other is None))
        says = {"up": "copies into", "down": "copies out of", "across": "copies between device arrays into"}[direction]
        operation = self._enqueue(stream, "copy", says, waits)
        self._note_task(operation, direction, device.nbytes, pinned=other is not None, waits=waits)
        self._touch(operation, shadow, device, "read" if direction == "down" else "write")
        if other is not None:
            self._touch(operation, other, plain(host), "write" if direction == "down" else "read")

    def _host_side(self, direction: str, host: np.ndarray | None) -> Shadow | None:
        """The shadow of the other side of a copy: of device memory, or of host memory that a copy does not wait for."""
        if host is None:
            return None
        if direction == "across":
            return self._shadow(host, "device")
        address = address_of(plain(host))
        known = self.memory.find(address) if host.size else None
        if known is None and (space := host_events.space_of(address)):  # made before anybody watched
            known = self.memory.register(plain(host), space, name_of_array(host))
        return known if known is not None and known.space != "device" else None

    # launches

    def launches(self, kernel: Any, grid: tuple, block: tuple, args: tuple, stream: Any) -> None:
        copied = [one for one in args if isinstance(one, np.ndarray) and not isinstance(one, HostAndDeviceArray)]
        for array in copied:
            self._implicit(array, "up", stream)
        name_shared_arrays(self.memory, args)
        for one in args:
            if (memory := memory_on_device(one)) is not None:
                self._shadow(memory, "device")
        name = getattr(kernel, "__name__", "kernel")
        operation = self._enqueue(stream, "launch", f"runs {name}")
        task = self._note_task(operation, "kernel", 0, name)
        self.touched.begin()
        self._launch = operation, task, copied, stream

    def launched(self) -> None:
        if self._launch is None:
            return
        operation, task, copied, stream = self._launch
        self._launch = None
        for shadow, access, units in self.touched.accesses():
            shadow.name = shadow.name or self.touched.names.get(shadow.start, "")
            self._enter(self.memory.touch(operation, shadow, units, access))
            self.residence.touched(shadow, units, ON_DEVICE)
        task.n_bytes = self.touched.n_bytes()
        for array in copied:
            self._implicit(array, "down", stream)

    def _implicit(self, array: np.ndarray, direction: str, stream: Any) -> None:
        """The copy that numba makes of a NumPy array which a kernel is handed."""
        shadow = self._host_side(direction, array)
        waits = shadow is None and direction == "down" or names_no_stream(stream)
        operation = self._enqueue(stream, "copy", "copies", waits)
        self._note_task(operation, direction, array.nbytes, pinned=shadow is not None, waits=waits)
        if shadow is not None:
            self._touch(operation, shadow, plain(array), "write" if direction == "down" else "read")

    # waiting

    def synchronizes(self, stream: Any) -> None:
        if stream is None:
            self.clocks.synchronize_all()
        else:
            self.clocks.synchronize(self._streams.key(stream))
        self._note_wait()

    def event(self, action: str, event: Any, stream: Any = None) -> None:
        if action == "record":
            self.marks.record(event, self.clocks.point(self._streams.key(stream)))
            return
        point = self.marks.point(event)
        if action == "wait" and point is None:
            self._add(wording.never_recorded(*where()))
        elif action == "wait" and point is not None:
            self.clocks.wait_in(self._streams.key(stream), point)
        elif action == "synchronize" and point is not None:
            self.clocks.wait_on_host(point)
            self._note_wait()

    def asked(self, event: Any) -> bool:
        """No the first time, unless the host has waited: who does not listen to the answer has learnt nothing."""
        point = self.marks.point(event)
        if point is None or self.clocks.is_known_to_host(point):
            return True
        if not self.marks.was_asked_for(event):
            return False
        self.clocks.wait_on_host(point)
        self._note_wait()
        return True

    def elapsed(self, start: Any, end: Any) -> None:
        for event in (start, end):
            point = self.marks.point(event)
            if point is None:
                self._add(wording.time_without_mark(*where()))
            elif not self.clocks.is_known_to_host(point):
                self._add(wording.time_asked_too_early(name_of_event(event), *where()))

    # callbacks

    def callback_begins(self, stream: Any) -> None:
        self._callbacks.append(self._enqueue(stream, "callback", "runs a callback"))

    def callback_ends(self, stream: Any) -> None:
        self._callbacks.pop()

    # memory of the host that the device reaches

    def made(self, array: np.ndarray, space: str) -> np.ndarray:
        self.memory.register(array, space)
        return telling(array, space, self._host_touches)

    def noted(self, kind: str, message: str, remedy: str) -> None:
        self.notes.append(wording.note_of(kind, message, remedy, *where()))

    def pins(self, arrays: tuple) -> None:
        for array in arrays:
            self.memory.register(array, "pinned", name_of_array(array))

    def unpins(self, arrays: tuple) -> None:
        for array in arrays:
            shadow = self.memory.find(address_of(plain(array)))
            if shadow is None:
                continue
            operation = self.clocks.host("host", "unpins", *where())
            for conflict in self.memory.touch(operation, shadow, slice(None), "write"):
                self._add(wording.left_while_copied(conflict, self._streams.shared))
            shadow.space = "pageable"

    def _host_touches(self, array: np.ndarray, writes: bool) -> None:
        """Host code reads or writes a pinned or mapped array."""
        array = plain(array)
        shadow = self.memory.find(array.__array_interface__["data"][0]) if array.size else None
        if shadow is None:
            return
        at = where()
        if not shadow.name and (at not in shadow.nameless_at or address_of(array) == shadow.start):
            shadow.name = name_of_array(array)  # an element hardly has one: a loop's line asks once, not each time
            shadow.nameless_at.add(at)
        operation = self._callbacks[-1] if self._callbacks else self.clocks.host("host", "", *at)
        self.bytes_beside += array.nbytes if writes and not self.clocks.is_idle else 0
        self._touch(operation, shadow, array, "write" if writes else "read")
        self.residence.touched(shadow, units_of(shadow, array), ON_HOST)

    def prefetches(self, array: np.ndarray, to_host: bool, stream: Any) -> None:
        array = plain(array)
        shadow = self.memory.find(address_of(array)) if array.size else None
        if shadow is not None:
            self.residence.prefetched(shadow, units_of(shadow, array), ON_HOST if to_host else ON_DEVICE)

    def returns(self, arrays: Mapping[str, np.ndarray]) -> None:
        """The program hands these pinned or mapped arrays to its caller, who reads them at once."""
        for name, array in arrays.items():
            shadow = self.memory.find(address_of(plain(array))) if array.size else None
            if shadow is None:
                continue
            reads = self.clocks.host("host", "returns")
            found = list(self.memory.touch(reads, shadow, units_of(shadow, plain(array)), "read"))
            alone = len({conflict.earlier.actor for conflict in found}) == 1
            for conflict in found:
                self._add(wording.returned_too_early(conflict, name, self._streams.shared, alone))

    # what each of these enters: an operation, whose memory it is, clashes, a step of the timeline

    def _enqueue(self, stream: Any, kind: str, says: str, waits: bool = False) -> Operation:
        return self.clocks.enqueue(self._streams.key(stream), kind, says, *where(), waits=waits)

    def _shadow(self, memory: np.ndarray, space: str) -> Shadow:
        shadow = self.memory.register(memory, space)
        shadow.name = shadow.name or name_of_array(memory)
        return shadow

    def _touch(self, operation: Operation, shadow: Shadow, array: np.ndarray, access: str) -> None:
        if array.size:
            self._enter(self.memory.touch(operation, shadow, units_of(shadow, array), access))

    def _enter(self, conflicts: Iterator[Conflict]) -> None:
        for conflict in conflicts:
            self._add(wording.finding_of(conflict, self._streams.shared))

    def _add(self, finding: Finding) -> None:
        self.book.add(finding.lines, finding)

    def _note_task(
        self, operation: Operation, kind: str, n_bytes: int, name: str = "", pinned: bool = False, waits: bool = False
    ) -> Task:
        task = Task(operation, kind, n_bytes, name or kind, pinned)
        self.steps.append(task)
        if waits:
            self._note_wait()
        return task

    def _note_wait(self) -> None:
        """The host has waited: it goes on when what it knows to be finished is."""
        self.steps.append(Wait(self.clocks.known_to_host))


@contextlib.contextmanager
def watch() -> Iterator[HostOrder]:
    """Watch the host code that runs in the block.

    with watch() as order:
        pipeline(...)
    order.findings
    """
    from simt.run import heard_by

    order = HostOrder()
    heard_by.append(order.touched)
    try:
        with host_events.listening(order), conversions_tell():
            yield order
    finally:
        heard_by.remove(order.touched)
