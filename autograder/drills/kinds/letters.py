"""The letters of options as people name them: "b", "(B)", "I think b", "c < a < b", "b, because ..."."""

from __future__ import annotations

import re
import unicodedata

QUOTES = "\"'`“”‘’«»()[]{}*.!?。！？ \t\n"
REASON = re.compile(r"\b(?:because|since|as it|for the reason)\b.*|因为.*|由于.*", re.IGNORECASE | re.DOTALL)
MYSELF = re.compile(
    r"\bI(?:'(?:d|m|ll)|\s+(?:think|guess|say|would|believe|suspect|choose|pick|take|am))\b", re.IGNORECASE
)
ARTICLE = re.compile(r"\ba\s+(?!(?:then|and|at|in|on|is|line|or|last|first)\b)[^\W\d_]{2,}", re.IGNORECASE)
NEGATED = re.compile(r"\b(?:not|never|neither|nor|isn't|except|or|either)\b|不|非|或", re.IGNORECASE)
MOST_WORDS = 8


def plain(answer: str) -> str:
    """The answer without full-width letters, quotes round it, and the reason that it gives."""
    text = unicodedata.normalize("NFKC", answer).replace("’", "'").strip(QUOTES)
    return MYSELF.sub(" ", REASON.sub("", text)).strip(QUOTES)


def named_letters(answer: str, letters: str) -> str:
    """Every one of `letters` that an answer names, in its order; "" where it names none, or says what it is not.

    Letters alone may be written in one word, "bca"; in a sentence they stand alone, and the article "a" is none.
    """
    text = plain(answer)
    together = re.sub(r"[\s,;:/<>=|.、，；()→≤≥-]+", "", text).lower()
    if together and set(together) <= set(letters):
        return together
    if NEGATED.search(text):
        return ""
    text = ARTICLE.sub(" ", text)
    words = re.findall(r"[^\W\d_]+", re.sub(r"'(?:s|d|ll|re)\b", " ", text))
    words = [part for word in words for part in re.findall(r"[a-zA-Z]+|[^a-zA-Z]+", word)]
    if sum(len(word) > 1 for word in words) > MOST_WORDS:
        return ""
    alone = [word.lower() for word in words if len(word) == 1]
    whole = [word.lower() for word in words if len(word) == len(letters) and sorted(word.lower()) == sorted(letters)]
    return "".join(whole[:1] or [letter for letter in alone if letter in letters])
