"""The page of scores, docs/harden.md, as the last run that recorded it left it."""

from __future__ import annotations

from collections.abc import Iterable

from tools.matrices.harden.scored import GOAL, GOAL_EACH, Score
from tools.parts.units import ROOT

PAGE = ROOT / "docs" / "harden.md"
BEGIN = """# How well the judge tells wrong answers

Written by `make harden HARDEN_FLAGS=--record`; not by hand. Each of the course's own answers was changed in one
place at a time: a loop that ends early, a whole number in 16 bits, a comparison moved by one, a barrier left out.
What runs, and is wrong somewhere in the exercise's domain, should not be right for the judge. The goal is
{goal:.0%} of all of them and {each:.0%} of those of each exercise. {tried}

| exercise | refused | of | share | equal to the original | holes |
|---|---|---|---|---|---|
"""

SOME = "Here a part of the changes was tried, drawn at random: the third and the fifth column say how many."
ALL = "All changes that there are were tried."


def write(scores: Iterable[Score], whole: bool) -> None:
    """Write the page. whole: whether all changes were tried."""
    scores = list(scores)
    rows = [_row(score) for score in (*scores, Score.together(scores))]
    tried = ALL if whole else SOME
    PAGE.write_text(BEGIN.format(goal=GOAL, each=GOAL_EACH, tried=tried) + "\n".join(rows) + "\n", encoding="utf-8")


def _row(score: Score) -> str:
    wrong = score.refused + len(score.holes)
    told = (
        score.exercise,
        f"{score.refused:,}",
        f"{wrong:,}",
        f"{score.share:.1%}",
        score.equivalent,
        len(score.holes),
    )
    return f"| {' | '.join(map(str, told))} |"
