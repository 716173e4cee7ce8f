"""Every answer ever given, as a table that other programs read."""

from __future__ import annotations

import csv
from pathlib import Path

from autograder.drills.learning.store import Store

COLUMNS = ("at", "card", "topic", "kind", "score", "rating", "seconds", "seed", "answer")


def write_history(store: Store, path: Path) -> int:
    """Write the reviews as CSV, oldest first; returns how many there are."""
    reviews = store.reviews()
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for review in reviews:
            table.writerow([review.at.isoformat(), *(getattr(review, name) for name in COLUMNS[1:])])
    return len(reviews)
