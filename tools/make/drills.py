"""Write what docs/drills.md says about cards, the simulated learner, the rubric and the terms.

python -m tools.make.drills            write it
python -m tools.make.drills --check    fail when it is not current
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter

from autograder.drills.deck import asked
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.terms import table
from autograder.drills.deck.topics import all_topics
from autograder.drills.faces.words import say
from autograder.drills.mock.rubric import POINTS
from tools.parts.units import ROOT

PAGE = ROOT / "docs" / "drills.md"
SIMULATED = ROOT / "benchmarks" / "results" / "drills-simulated.json"


def cards() -> str:
    """How many there are, by kind."""
    kinds = Counter(card.kind for card in all_cards().values() if card.file)
    said = ", ".join(f"{count} {say(f'kind_{kind}', 'en')}" for kind, count in kinds.most_common())
    return (
        f"{kinds.total()} cards on {len(all_topics())} topics, in English and in Chinese: {said}. "
        "Besides, every exercise of the course is a card that draws one of its catalogued wrong answers each time."
    )


def simulated() -> str:
    """What the recorded half year says."""
    found = json.loads(SIMULATED.read_text())
    return (
        f"A simulated learner who drills {found['minutes_a_day']:.1f} minutes a day, never more than "
        f"{found['most_minutes']:.0f}, has met {found['seen']} of {found['cards']} cards after {found['days']} days "
        f"and knows {found['true_recall']:.0%} of them. Of the cards that came back, "
        f"{found['recalled_in_reviews']:.0%} were known: {len(found['weak_topics'])} topics are forgotten faster than "
        f"the scheduler is told. Each of their cards was answered {found['answers_per_card_weak']:.1f} times on "
        f"average, the others' {found['answers_per_card_others']:.1f} times. "
        "`python -m benchmarks.simulate_drills` runs it."
    )


def shares() -> str:
    """What published interviews ask, and the deck."""
    return asked.table(all_cards().values())


def rubric() -> str:
    """Points of the score."""
    rows = [f"| {say(f'mark_{name}', 'en')} | {points} |" for name, points in POINTS.items()]
    return "\n".join(["| | points |", "|---|--:|", *rows])


WRITER = "(python -m tools.make.drills writes this)"
PARTS = {"cards": cards, "asked": shares, "simulated": simulated, "rubric": rubric, "terms": table}


def current(page: str) -> str:
    """The page with its generated parts as they should be. Raises: ValueError where a part has no markers."""
    for name, part in PARTS.items():
        head, begins, rest = page.partition(f"<!-- {name}: begin {WRITER} -->\n")
        _, ends, tail = rest.partition(f"<!-- {name}: end -->")
        if not begins or not ends:
            raise ValueError(f"{PAGE.name} has no markers for {name}: `{name}: begin {WRITER}` and `{name}: end`.")
        page = f"{head}{begins}{part()}\n{ends}{tail}"
    return page


def main(arguments: list[str] | None = None) -> int:
    """Write, or check. Returns 1 where the page is not current."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail when it is not current")
    options = parser.parse_args(arguments)
    page = PAGE.read_text(encoding="utf-8")
    wanted = current(page)
    if options.check and page != wanted:
        print("docs/drills.md is not current. Run `python -m tools.make.drills`.", file=sys.stderr)
        return 1
    if not options.check:
        PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
