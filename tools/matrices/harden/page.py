"""The page of scores, docs/harden.md, from what the last runs left in benchmarks/results/harden.json.

python -m tools.matrices.harden.page
python -m tools.matrices.harden.page --check
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder import exercises
from benchmarks.record import record as recorded
from tools.matrices.harden.scored import GOAL, GOAL_EACH, Score
from tools.parts.units import ROOT

PAGE = ROOT / "docs" / "harden.md"
RESULTS = ROOT / "benchmarks" / "results" / "harden.json"
BEGIN = """# How well the judge tells wrong answers

Written by `make harden HARDEN_FLAGS=--record`; not by hand. Each of the course's own answers was changed in one
place at a time: a loop that ends early, a whole number in 16 bits, a comparison moved by one, a barrier left out.
A change that gives what the original gives on every input that was drawn from the exercise's domain is equal to it.
Every other one is wrong somewhere, and the judge should refuse it: the goal is {goal:.0%} of all and {each:.0%} of
those of each exercise. One that passes is a hole.
Where not all changes were tried, those that were are drawn at random, and the share is theirs alone: holes that a run
shows are closed, and what it tried is tried again, so it says nothing of the changes that were not.

Tried: {tried:,} of {mutants:,}. Of {wrong:,} that are wrong somewhere {refused:,} were refused, {share:.1%}.

| exercise | tried | of | equal | do not run | refused | holes | share refused |
|---|--:|--:|--:|--:|--:|--:|--:|
"""


def page(scores: Iterable[Score]) -> str:
    """The page. scores: of exercises."""
    scores = list(scores)
    total = Score.together(scores)
    begin = BEGIN.format(
        goal=GOAL,
        each=GOAL_EACH,
        tried=total.tried,
        mutants=total.mutants,
        wrong=total.refused + len(total.holes),
        refused=total.refused,
        share=total.share,
    )
    holes = [f"- `{score.exercise}`: {_hole(str(hole))}" for score in scores for hole in score.holes]
    listed = ["", "## Holes that are known", "", *holes] if holes else []
    return begin + "\n".join([*map(_row, scores), *listed]) + "\n"


def _row(score: Score) -> str:
    known = score.refused or score.holes
    told = (
        f"`{score.exercise}`",
        f"{score.tried:,}",
        f"{score.mutants:,}",
        score.equivalent,
        score.stillborn,
        f"{score.refused:,}",
        len(score.holes),
        f"{score.share:.1%}" if known else "",
    )
    return f"| {' | '.join(map(str, told))} |"


def _hole(text: str) -> str:
    mutant, _, where = text.rpartition("; wrong at ")
    return f"`` {mutant} ``, wrong at {where}"


def record(scores: Iterable[Score], results: Path = RESULTS, place: Path = PAGE) -> None:
    """Keep the scores of these exercises in place of earlier ones, and write the page."""
    known = {score.exercise: score for score in (*kept(results), *scores) if score.tried}
    ordered = [known[one.id] for one in exercises.all_exercises() if one.id in known]
    recorded(results.stem, {"scores": [asdict(score) for score in ordered]}, results.parent)
    place.write_text(page(ordered), encoding="utf-8")


def kept(results: Path = RESULTS) -> list[Score]:
    """The scores on record."""
    document: dict[str, Any] = json.loads(results.read_text(encoding="utf-8")) if results.is_file() else {"scores": []}
    return [Score.from_json(one) for one in document["scores"]]


def main(arguments: list[str] | None = None) -> int:
    """Write or compare. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when docs/harden.md is not what is on record")
    current = page(kept())
    if not parser.parse_args(arguments).check:
        PAGE.write_text(current, encoding="utf-8")
        print(f"Wrote {PAGE.relative_to(ROOT)}.")
    elif not PAGE.is_file() or current != PAGE.read_text(encoding="utf-8"):
        print("docs/harden.md is not current. Run `python -m tools.matrices.harden.page`.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
