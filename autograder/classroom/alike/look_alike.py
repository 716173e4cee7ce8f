"""Names that a reader takes for one another: students who are two in a gradebook and may be one in a room."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable

# Small letters of other scripts that are drawn like Latin ones, and those.
CYRILLIC = dict(zip("аведзкмнорстухіјѕԁһӏԛԝьёѵ", "abegskmhopctyxijsdhlqwbev", strict=True))
GREEK = dict(zip("αβγεηικνορτυχω", "abyenikvoptuxw", strict=True))
LATIN = {"ı": "i", "ɑ": "a", "ɡ": "g", "ʏ": "y"}
DRAWN_LIKE = str.maketrans({**CYRILLIC, **GREEK, **LATIN})


def skeleton(name: str) -> str:
    """What is left of a name when case, accents, invisible signs, spaces and the script are taken away."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    kept = [
        sign for sign in plain if not unicodedata.combining(sign) and unicodedata.category(sign) not in ("Cf", "Zs")
    ]
    return "".join(kept).translate(DRAWN_LIKE)


def groups(names: Iterable[str]) -> list[tuple[str, ...]]:
    """The names that look alike, group by group, in order."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name in sorted(set(names)):
        alike[skeleton(name)].append(name)
    return [tuple(group) for group in alike.values() if len(group) > 1]


def in_words(group: tuple[str, ...]) -> str:
    """``'ada' and '\\u0430da' look alike``: written so that the difference shows."""
    return f"{' and '.join(ascii(name) for name in group)} look alike, and are two students here."
