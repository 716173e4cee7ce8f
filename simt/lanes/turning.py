"""How far a loop has come."""

from __future__ import annotations

from dataclasses import dataclass

from simt.source.sites import Place


@dataclass(slots=True)
class Turning:
    """A loop that is running. turn: counted from 1; of: turns in all, 0 where nobody knows; lanes: at work in it."""

    place: Place
    of: int = 0
    turn: int = 0
    lanes: int = 0

    def begin(self, lanes: int) -> None:
        """Another iteration, for so many lanes."""
        self.turn += 1
        self.lanes = lanes
