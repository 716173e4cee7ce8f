"""What events mark: the work of a stream up to where each was recorded last."""

from __future__ import annotations

from typing import Any

from simt.host_order.clocks import Clock


class Marks:
    """Events that were recorded, and whether somebody has asked for them since."""

    def __init__(self) -> None:
        self._points: dict[int, tuple[Any, Clock]] = {}  # by id of an event: the event, kept alive, and what it marks
        self._asked: set[int] = set()

    def record(self, event: Any, point: Clock) -> None:
        """The event marks this from now on."""
        self._points[id(event)] = event, point
        self._asked.discard(id(event))

    def point(self, event: Any) -> Clock | None:
        """What an event marks; None where it was never recorded."""
        known = self._points.get(id(event))
        return known and known[1]

    def was_asked_for(self, event: Any) -> bool:
        """Whether somebody has asked since the event was recorded; from now on, somebody has."""
        before = id(event) in self._asked
        self._asked.add(id(event))
        return before
