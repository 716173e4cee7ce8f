"""What somebody may have meant by a name that there is not, and why a file that was named cannot be read."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MUCH_FURTHER = 0.1  # of a likeness from 0 to 1: what is so much less like than the nearest was not meant


def close_to(name: str, known: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """What somebody may have meant by a name, nearest first; nothing that is much further away than the nearest."""
    near = difflib.get_close_matches(name, list(known), n=3, cutoff=cutoff)
    shares = [difflib.SequenceMatcher(None, other, name).ratio() for other in near]
    return [other for other, share in zip(near, shares, strict=True) if share > shares[0] - MUCH_FURTHER]


def unread(error: OSError | ValueError) -> str:
    """Why a file cannot be read, to come after its name: "is a folder"."""
    if isinstance(error, IsADirectoryError):
        return "is a folder"
    if isinstance(error, FileNotFoundError):
        return "cannot be read: there is no such file"
    if isinstance(error, UnicodeDecodeError):
        return f"is no text in UTF-8: its byte {error.start} is {error.object[error.start]:#04x}"
    reason = error.strerror if isinstance(error, OSError) else ""
    return f"cannot be read: {reason or error}"
