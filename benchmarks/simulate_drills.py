"""A simulated learner drills ten minutes a day for half a year: load, retention, and how often weak topics come.

    python -m benchmarks.simulate_drills

The learner's memory is py-fsrs' own model, with one difference that the scheduler is not told: in a few weak topics
the learner forgets faster and guesses worse. Writes benchmarks/results/drills-simulated.json and
docs/drills.svg.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from autograder.drills.deck.load import all_cards  # noqa: E402
from autograder.drills.deck.model import Card  # noqa: E402
from autograder.drills.deck.topics import all_topics  # noqa: E402
from autograder.drills.kinds import KINDS  # noqa: E402
from autograder.drills.learning import memory  # noqa: E402
from autograder.drills.learning.choose import Known, choose  # noqa: E402
from autograder.drills.learning.store import Review  # noqa: E402
from autograder.drills.learning.strength import strengths  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "drills-simulated.json"
PICTURE = ROOT / "docs" / "drills.svg"
FIRST_DAY = datetime(2026, 1, 5, 19, 0, tzinfo=UTC)
DAYS, SEED, WEAK_TOPICS = 180, 1, 12
KNOWS_AT_FIRST, KNOWS_AT_FIRST_WEAK = 0.6, 0.3  # chance of a right answer to a card never seen
FORGETS_FASTER = 2.5  # times, in a weak topic
WEEK = 7


@dataclass
class Learner:
    """Somebody with a memory of their own. true: what is really remembered, by card; the scheduler never sees it."""

    weak: frozenset[str]
    rng: random.Random
    true: dict[str, memory.Memory] = field(default_factory=dict)
    last: dict[str, datetime] = field(default_factory=dict)

    def recall(self, card: Card, at: datetime) -> float:
        """The chance of a right answer now. In a weak topic, time counts more than once."""
        if card.id not in self.true:
            return KNOWS_AT_FIRST_WEAK if card.topic in self.weak else KNOWS_AT_FIRST
        faster = FORGETS_FASTER if card.topic in self.weak else 1.0
        felt = self.last[card.id] + faster * (at - self.last[card.id])
        return memory.recall(self.true[card.id], felt)

    def answer(self, card: Card, at: datetime) -> bool:
        """Right or not; either way something is learnt."""
        right = self.rng.random() < self.recall(card, at)
        self.true[card.id] = memory.after(self.true.get(card.id), _rating(right), at, fresh_id=1)
        self.last[card.id] = at
        return right


def _rating(right: bool):
    return memory.rating_of(float(right), 1.0, 1.0)


def _cards() -> dict[str, Card]:
    """The cards of the files, so that a record does not depend on the units that the course has by now."""
    return {name: card for name, card in all_cards().items() if card.file}


def simulate(days: int = DAYS, seed: int = SEED) -> dict:
    """Half a year, a sitting a day. Returns: what is recorded, a row a day."""
    rng = random.Random(seed)
    weak = frozenset(rng.sample(sorted(all_topics()), WEAK_TOPICS))
    learner = Learner(weak, rng)
    known: dict[str, memory.Memory] = {}
    reviews: list[Review] = []
    rows = []
    for number in range(days):
        at = FIRST_DAY + timedelta(days=number)
        state = Known(at, known, strengths(reviews, (), at))
        asked = choose(list(_cards().values()), state, rng)
        seen_before = [card.id in known for card in asked]
        backlog = sum(state.is_due(all_cards()[name]) for name in known)
        right = []
        for place, card in enumerate(asked):
            moment = at + timedelta(seconds=40 * place)
            right.append(learner.answer(card, moment))
            rating = _rating(right[-1])
            known[card.id] = memory.after(known.get(card.id), rating, moment, fresh_id=1)
            score = float(right[-1])
            reviews.append(Review(moment, card.id, card.topic, card.kind, score, int(rating), 40, 0, ""))
        rows.append(_row(asked, right, seen_before, backlog, known, learner, at))
    return _document(rows, reviews, weak, seed)


def _row(asked, right, seen_before, backlog, known, learner, at) -> dict:
    """One day."""
    again = [was for was, before in zip(right, seen_before, strict=True) if before]
    cards = _cards()
    recalls = [learner.recall(cards[name], at) for name in known]
    return {
        "cards": len(asked),
        "minutes": round(sum(KINDS[card.kind].SECONDS for card in asked) / 60, 2),
        "new": seen_before.count(False),
        "due": backlog,
        "reviewed": len(again),
        "recalled": sum(again),
        "seen": len(known),
        "true_recall": round(sum(recalls) / len(recalls), 4) if recalls else 0.0,
    }


def _document(rows: list[dict], reviews: list[Review], weak: frozenset[str], seed: int) -> dict:
    """The record."""
    topics = Counter(review.topic for review in reviews)
    cards = Counter(card.topic for card in _cards().values())
    rates = {topic: topics[topic] / cards[topic] for topic in all_topics()}
    others = [rate for topic, rate in rates.items() if topic not in weak]
    late = rows[len(rows) // 2 :]
    reviewed = max(1, sum(row["reviewed"] for row in late))
    return {
        "versions": {"fsrs": importlib.metadata.version("fsrs"), "python": sys.version.split()[0]},
        "days": len(rows),
        "seed": seed,
        "cards": len(_cards()),
        "weak_topics": sorted(weak),
        "minutes_a_day": round(sum(row["minutes"] for row in rows) / len(rows), 2),
        "most_minutes": max(row["minutes"] for row in rows),
        "seen": rows[-1]["seen"],
        "recalled_in_reviews": round(sum(row["recalled"] for row in late) / reviewed, 4),
        "true_recall": rows[-1]["true_recall"],
        "answers_per_card_weak": round(sum(rates[topic] for topic in weak) / len(weak), 2),
        "answers_per_card_others": round(sum(others) / len(others), 2),
        "rows": rows,
    }


def draw(document: dict):
    """Load a day, and what is remembered. Returns: matplotlib Figure."""
    from matplotlib.figure import Figure

    rows = document["rows"]
    days = range(1, len(rows) + 1)
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    top, bottom = figure.subplots(2, 1, sharex=True)
    top.bar(days, [row["minutes"] for row in rows], width=1.0, color="#0b7285")
    top.axhline(10, color="grey", linestyle="--", linewidth=1)
    top.set_ylabel("minutes a day")
    top.set_title(f"Ten minutes a day reach {document['seen']} of {document['cards']} cards in {len(rows)} days")
    recalled = [_share(rows[max(0, end - 2 * WEEK) : end]) for end in days]
    bottom.plot(days, recalled, color="#e8590c", label="right in reviews, two weeks")
    bottom.plot(days, [row["true_recall"] for row in rows], color="#2b8a3e", label="known of all cards seen")
    bottom.axhline(memory.RETENTION, color="grey", linestyle="--", linewidth=1)
    bottom.text(1, memory.RETENTION + 0.01, "what the scheduler aims at", color="grey", fontsize=8)
    bottom.set_ylim(0.5, 1.0)
    bottom.set_xlabel("day")
    bottom.set_ylabel("share")
    bottom.legend(loc="lower right")
    return figure


def _share(rows: list[dict]) -> float:
    reviewed = sum(row["reviewed"] for row in rows)
    return sum(row["recalled"] for row in rows) / reviewed if reviewed else float("nan")


def main() -> None:
    """Simulate, record, draw, and print the figures that texts quote."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--days", type=int, default=DAYS)
    options = parser.parse_args()
    document = simulate(options.days)
    if options.days == DAYS:
        rows = ",\n    ".join(json.dumps(row) for row in document.pop("rows"))
        text = json.dumps(document, indent=2)[:-2] + f',\n  "rows": [\n    {rows}\n  ]\n}}\n'
        RESULTS.write_text(text)
        document = json.loads(text)
        draw(document).savefig(PICTURE, metadata={"Date": None})
    print({name: value for name, value in document.items() if name != "rows"})


if __name__ == "__main__":
    main()
