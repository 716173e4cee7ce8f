"""Numbers with their nouns, as every message words them: right for one of them, too."""

from __future__ import annotations


def count_text(count: int, one: str, many: str | None = None) -> str:
    """ "1 thread", "3 threads", "1,024 threads"; "2 passes" where `many` says so."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
