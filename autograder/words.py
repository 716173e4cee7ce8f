"""Words that judging and rendering share."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from simt.source.counts import count_text

__all__ = ["as_sentence", "count_text", "listed", "printable", "without_orders"]

# Signs that a terminal or a browser obeys and shows nobody, but for tabs and the ends of lines: controls, and those
# that turn the order of what follows round, so that a reader sees another text than a compiler does (CVE-2021-42574).
ORDERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def as_sentence(text: str, names: Collection[str] = ()) -> str:
    """The text with a full stop, and a large first letter unless it begins with one of `names` or with code."""
    first = text.split(" ", 1)[0]
    if first.isalpha() and first not in names:
        text = text[0].upper() + text[1:]
    return text if not text or text.endswith((".", "?", "!", ":")) else f"{text}."


def listed(parts: Sequence[str]) -> str:
    """Parts one after the other, as in "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def without_orders(text: str) -> str:
    """The text, of any number of lines, with ORDERS written out as in Python."""
    return ORDERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def printable(text: str) -> str:
    """Text as one line that no terminal obeys: what has no sign of its own, or is no character, is written out."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
