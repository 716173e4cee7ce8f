"""Names that a reader takes for one another: students who are two in a gradebook and may be one in a room."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

# Small letters of other scripts that are drawn like Latin ones, and those.
CYRILLIC = dict(zip("аведзкмнорстухіјѕԁһӏԛԝьёѵ", "abegskmhopctyxijsdhlqwbev", strict=True))
GREEK = dict(zip("αβγεηικνορτυχω", "abyenikvoptuxw", strict=True))
LATIN = {"ı": "i", "ɑ": "a", "ɡ": "g", "ʏ": "y", "0": "o", "1": "l"}
# Letters and marks that nothing is drawn for, beside the signs of category Cf: joiners, fillers, variation selectors.
UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
# As browsers and systems name a second one: "ada (1)", "ada - copy (2)", "ada copy 2".
COPY = re.compile(r"(.*\w)[ _-]*(\(\d+\)|\(copy\)|[ _-]copy( ?\d+)?)")
DRAWN_LIKE = str.maketrans({**CYRILLIC, **GREEK, **LATIN})


def skeleton(name: str) -> str:
    """What is left of a name when case, accents, invisible signs, spaces and the script are taken away."""
    plain = UNSEEN.sub("", unicodedata.normalize("NFKD", name)).casefold()
    kept = [
        sign for sign in plain if not unicodedata.combining(sign) and unicodedata.category(sign) not in ("Cf", "Zs")
    ]
    return "".join(kept).translate(DRAWN_LIKE)


def groups(names: Iterable[str]) -> list[tuple[str, ...]]:
    """The names that look alike, group by group, in order."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name in sorted(set(names)):
        alike[skeleton(_original(name))].append(name)
    return [tuple(group) for group in alike.values() if len(group) > 1]


def _original(name: str) -> str:
    """``ada (1)`` and ``ada - Copy`` are called after ``ada``; any other name is its own."""
    while found := COPY.fullmatch(name.casefold()):
        name = found[1]
    return name


def in_words(group: tuple[str, ...]) -> str:
    """``'ada' and '\\u0430da' look alike``: written so that the difference shows."""
    names = " and ".join(ascii(name) for name in group)
    said = f"{names} look alike, and are different students here."
    if any(_original(name) != name for name in group):
        said += " If one folder is a copy of the other, take away the one that does not count and grade again."
    return said
