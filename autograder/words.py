"""Words that judging and rendering share."""

from __future__ import annotations

from collections.abc import Collection

from simt.source.counts import count_text

__all__ = ["as_sentence", "count_text", "printable"]


def as_sentence(text: str, names: Collection[str] = ()) -> str:
    """The text with a full stop, and a large first letter unless it begins with one of `names` or with code."""
    first = text.split(" ", 1)[0]
    if first.isalpha() and first not in names:
        text = text[0].upper() + text[1:]
    return text if not text or text.endswith((".", "?", "!", ":")) else f"{text}."


def printable(text: str) -> str:
    """Text as one line that no terminal obeys: what has no sign of its own, or is no character, is written out."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
