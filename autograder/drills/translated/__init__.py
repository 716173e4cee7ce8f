"""What a translation does otherwise than the accepted ones, in a sentence: it is run, or compared where it is known.

`stage` puts a kernel round a piece of code, `ran` runs it beside an accepted form, `compared` looks at calls in a row.
"""

from __future__ import annotations

from autograder.drills.deck.model import Card
from autograder.drills.translated import compared
from autograder.drills.translated.ran import difference
from autograder.drills.translated.stage import Stage

__all__ = ["told"]


def told(card: Card, code: str) -> str | None:
    """What code does otherwise than the accepted forms; "" where it does the same, and that decides.

    None where that is not known.
    """
    data = card.data
    ran = difference(Stage(card), code, data["accept"][0]) if "run" in data else None
    if ran or (ran == "" and data["run"].get("decides", True)):
        return ran
    return compared.difference(data["to"], code, data["accept"], data.get("names", ()))
