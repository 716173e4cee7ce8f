"""What a figure says when there is nothing to draw."""

from __future__ import annotations


class NothingToDraw(ValueError):
    """The trace holds no access of the wanted kind. lines: those that can be drawn."""

    def __init__(self, message: str, lines: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.lines = lines
