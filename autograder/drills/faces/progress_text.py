"""Progress as text of 80 columns: a heat map of days, strength by topic, what is due."""

from __future__ import annotations

from datetime import timedelta

from autograder.drills.deck.topics import all_topics
from autograder.drills.faces.words import say
from autograder.drills.learning.progress import Progress

WEEKS = 26
SHADES = "·░▒▓█"  # none, then up to STEPS answers a day
STEPS = (1, 8, 16, 30)
BAR = 20
DAYS = {"en": ("Mon", "Wed", "Fri"), "zh": ("一 ", "三 ", "五 ")}


def render(progress: Progress, language: str) -> str:
    """The whole page."""
    return "\n\n".join(
        ["\n".join(_heat_map(progress, language)), "\n".join(_due(progress, language)), _topics(progress, language)]
    )


def shade(count: int) -> str:
    """The character of a day with so many answers."""
    return SHADES[sum(count >= step for step in STEPS)]


def _heat_map(progress: Progress, language: str) -> list[str]:
    """Seven rows of half a year of weeks, today in the last column."""
    monday = progress.today - timedelta(days=progress.today.weekday(), weeks=WEEKS - 1)
    names = DAYS["zh" if language == "zh" else "en"]
    rows = []
    for weekday in range(7):
        name = names[weekday // 2] if weekday in (0, 2, 4) else "   "
        days = [monday + timedelta(weeks=week, days=weekday) for week in range(WEEKS)]
        cells = [" " if day > progress.today else shade(progress.days.get(day, 0)) for day in days]
        rows.append(f"{name} " + " ".join(cells))
    said = say("days", language, answers=progress.answers, streak=progress.streak)
    return [said, *rows]


def _due(progress: Progress, language: str) -> list[str]:
    now, tomorrow, week = progress.due.values()
    return [say("due", language, now=now, tomorrow=tomorrow, week=week, recall=round(100 * progress.recall))]


def _topics(progress: Progress, language: str) -> str:
    """A bar for each topic that has been met; the others are counted."""
    lines = []
    met = [each for each in progress.topics if each.met]
    for each in met:
        filled = round(BAR * each.strength.score)
        bar = "█" * filled + "·" * (BAR - filled)
        mark = "!" if each.strength.raised >= 0.5 else " "
        name = all_topics()[each.topic].name("en" if language == "both" else language)
        lines.append(f"{each.topic:<4}{mark}{bar} {each.strength.score:>4.0%} {each.seen:>3}/{each.cards:<3} {name}")
    rest = len(progress.topics) - len(met)
    return "\n".join([say("strength", language), *lines, say("not_met", language, count=rest)])
