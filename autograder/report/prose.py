"""Sentences as HTML: escaped, and `code` between backticks in a fixed font."""

from __future__ import annotations

from html import escape


def prose(text: str) -> str:
    """HTML of a sentence or several, line breaks kept. A backtick without its partner is left as it is."""
    pieces = escape(text).split("`")
    marked = [f"<code>{piece}</code>" if index % 2 else piece for index, piece in enumerate(pieces)]
    joined = "".join(marked) if len(pieces) % 2 else escape(text)
    return joined.replace("\n", "<br>")
