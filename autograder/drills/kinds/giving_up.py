"""Whoever does not know says so, and is told: no answer, and no riddle about how to write one."""

from __future__ import annotations

import re
from dataclasses import replace

from autograder.drills.deck.model import Mark

DOES_NOT_KNOW = re.compile(
    r"(?:(?:sorry|hm+|well|uh|um)[,. ]*)?"
    r"(?:i (?:really )?(?:do not|don't|dont) (?:know|remember)|(?:i have |i've )?no (?:idea|clue)|idk|dunno"
    r"|(?:i )?give up|i (?:can't|cannot) say|beats me|\?+|不知道|不清楚|不会|不懂|没思路|忘了|不记得|放弃)"
    r"(?:[,. ]*(?:sorry|this|that|it|yet|了|抱歉))*[.!。！]*",
    re.IGNORECASE,
)


def gives_up(answer: str) -> bool:
    """Does it say that there is no answer?"""
    return bool(DOES_NOT_KNOW.fullmatch(answer.strip().replace("’", "'").replace("？", "?")))


def unanswered(solved: Mark) -> Mark:
    """The mark of the right answer, for somebody who gave none."""
    return replace(solved, score=0.0, read="", unsure=False)
