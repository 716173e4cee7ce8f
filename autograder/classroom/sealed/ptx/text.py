"""PTX as words, one at a time. What belongs to no word of the language is refused here already."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_TOKENS = 400_000
TOKEN = re.compile(
    r'\s+|//[^\n]*|(?P<token>"[^"\n\\]*"|%?[A-Za-z_$][\w$]*|\.[A-Za-z_]\w*(?:::\w+)*|0[fFdD][0-9A-Fa-f]+'
    r"|0[xX][0-9A-Fa-f]+U?|\d+(?:\.\d+)?U?|[{}()\[\],;:=<>+\-|!@])"
)
NAME = re.compile(r"[A-Za-z_$][\w$]*")
END = "the end of the text"


class PtxRefused(ValueError):
    """This PTX is not carried out; the message is a clause that says why."""


class Words:
    """The words of a text, one at a time."""

    def __init__(self, text: str):
        self.words = list(self._split(text))
        self.at = 0

    @staticmethod
    def _split(text: str) -> Iterator[str]:
        place = n = 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if match is None:
                raise PtxRefused(f"its PTX holds {text[place : place + 20]!r}, which belongs to no word that is known")
            place = match.end()
            if match["token"]:
                n += 1
                if n > MAX_TOKENS:
                    raise PtxRefused(f"its PTX has more than {MAX_TOKENS:,} words")
                yield match["token"]

    @property
    def next(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else END

    def take(self, expected: str = "") -> str:
        """The next word, which must be `expected` where that is given."""
        word = self.next
        if word is END or (expected and word != expected):
            raise PtxRefused(f"its PTX has {word[:60]!r} where {expected or 'more'!r} should be")
        self.at += 1
        return word

    def took(self, word: str) -> bool:
        """Whether the next word was this one, which is then taken."""
        if self.next != word:
            return False
        self.at += 1
        return True

    def until(self, *ends: str) -> list[str]:
        """All words before the next of `ends`, which is taken as well."""
        words = []
        while (word := self.take()) not in ends:
            words.append(word)
        return words

    def number(self) -> int:
        """A plain decimal number."""
        word = self.take()
        if not word.isdigit() or len(word) > 9:
            raise PtxRefused(f"its PTX has {word[:60]!r} where a number should be")
        return int(word)

    def name(self) -> str:
        """A name of the text's own."""
        name = self.take()
        if not NAME.fullmatch(name):
            raise PtxRefused(f"{name[:60]!r} is no name")
        return name
