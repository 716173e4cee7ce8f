"""What orders two operations of host code: streams, events, waiting, and the rules of the default stream.

Vector clocks: an operation knows, for every actor (the host, and each stream), how many of that actor's operations are
finished when it begins. Two operations are ordered when one is among those that the other knows.

Source: CUDA C++ Programming Guide, "Streams", "Events" and "Default Stream"; CUDA Driver API, "Stream synchronization
behavior" (legacy default stream: it waits for every blocking stream, and they wait for it) and "API synchronization
behavior" (a copy between the device and pageable memory is finished with the host's array when the call returns).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

HOST = "host"
DEFAULT_STREAM = "the default stream"

Clock = dict[Hashable, int]  # actor -> how many of its operations are known to be finished


@dataclass(frozen=True)
class Operation:
    """Something that an actor does: a copy, a launch, a read or a write of the host.

    number: among its actor's operations, from 1; known: what is finished before it begins; kind: "copy", "launch",
    "host" or "callback"; says: what it does, in words, as in "copies d_x to the device"; line, file: where.
    """

    actor: Hashable
    number: int
    known: Mapping[Hashable, int]
    kind: str
    says: str = ""
    line: int = 0
    file: str = ""

    def is_after(self, other: Operation) -> bool:
        """Whether `other` is finished when this one begins."""
        return self.known.get(other.actor, 0) >= other.number


class HappensBefore:
    """The clocks of the host and of every stream, moved on call by call."""

    def __init__(self) -> None:
        self._host: Clock = {}
        self._last: dict[Hashable, Clock] = {DEFAULT_STREAM: {}}  # per stream: its newest operation, and all before it
        self._counts: Clock = {}

    @property
    def streams(self) -> Iterable[Hashable]:
        """Every stream that was used, the default stream first."""
        return self._last.keys()

    @property
    def known_to_host(self) -> Clock:
        """What the host knows to be finished."""
        return dict(self._host)

    def host(self, kind: str, says: str, line: int = 0, file: str = "") -> Operation:
        """Something that the host does now."""
        self._host[HOST] = self._host.get(HOST, 0) + 1
        return Operation(HOST, self._host[HOST], dict(self._host), kind, says, line, file)

    def enqueue(
        self, stream: Hashable, kind: str, says: str, line: int = 0, file: str = "", waits: bool = False
    ) -> Operation:
        """An operation of a stream. waits: the call returns when the operation is finished."""
        known = joined(self._host, self._tail(stream))
        number = self._counts[stream] = self._counts.get(stream, 0) + 1
        self._last[stream] = {**known, stream: number}
        if waits:
            self._host = joined(self._host, self._last[stream])
        return Operation(stream, number, known, kind, says, line, file)

    def point(self, stream: Hashable) -> Clock:
        """What an event marks that is recorded in a stream now: all that stream's work so far."""
        return joined(self._host, self._tail(stream))

    def wait_in(self, stream: Hashable, point: Clock) -> None:
        """What comes in this stream from now on begins after a recorded point."""
        self._last[stream] = joined(self._last.get(stream, {}), point)

    def wait_on_host(self, point: Clock) -> None:
        """The host goes on after a recorded point."""
        self._host = joined(self._host, point)

    def is_known_to_host(self, point: Clock) -> bool:
        """Whether the host knows that everything before a recorded point is finished."""
        return all(self._host.get(actor, 0) >= number for actor, number in point.items() if actor != HOST)

    @property
    def is_idle(self) -> bool:
        """Whether the host knows that the device has nothing left to do."""
        return self.is_known_to_host(joined(*self._last.values()))

    def synchronize(self, stream: Hashable) -> None:
        """The host waits for what a stream was given; for the default stream, as for everything that it waits for.

        What the default stream was given since is none of it: only the stream's next operation would wait for that.
        """
        self._host = joined(self._host, self._tail(stream) if stream == DEFAULT_STREAM else self._last.get(stream, {}))

    def synchronize_all(self) -> None:
        """The host waits for the device."""
        self._host = joined(self._host, *self._last.values())

    def _tail(self, stream: Hashable) -> Clock:
        """What is finished before the next operation of a stream begins, by the rules of streams alone."""
        if stream == DEFAULT_STREAM:
            return joined(*self._last.values())
        return joined(self._last.get(stream, {}), self._last[DEFAULT_STREAM])


def joined(*clocks: Mapping[Hashable, int]) -> Clock:
    """What any of these knows."""
    result: Clock = {}
    for clock in clocks:
        for actor, number in clock.items():
            if result.get(actor, 0) < number:
                result[actor] = number
    return result
