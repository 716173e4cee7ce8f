"""What a work log comes to, by exercise: attempts, verdicts in order, time spent; and as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from autograder.machine.work_log.entries import COSTLY, Entry
from autograder.outcome import COSTLY as COSTLY_LOOK
from autograder.outcome import STATUSES
from autograder.words import count_text

BREAK = timedelta(minutes=15)  # between two checks, from which on somebody did something else
FIRST = timedelta(minutes=2)  # for what was written before the first check after a break
MOST_MARKS = 40
LOGGED = (*(STATUSES[name].look for name in ("Passed", "Wrong", "Crashed", "TimedOut")), COSTLY_LOOK)
LEGEND = "   ".join(f"{look.mark} {look.words}" for look in LOGGED)


@dataclass(frozen=True)
class Effort:
    """The checks of one exercise. tries: different answers; minutes: about, breaks left out."""

    exercise: str
    checks: int
    tries: int
    minutes: float
    verdicts: str  # a mark a check, in order of time
    best: float  # points
    max_points: float
    misconceptions: tuple[str, ...]  # those met, in order, each once


def efforts(entries: Iterable[Entry]) -> list[Effort]:
    """One for each exercise, in the order in which they were begun. entries: in order of time."""
    entries = list(entries)
    spent = _time_spent(entries)
    by_exercise: dict[str, list[int]] = {}
    for index, entry in enumerate(entries):
        by_exercise.setdefault(entry.exercise, []).append(index)
    return [
        Effort(
            exercise=name,
            checks=len(indices),
            tries=len({entries[index].answer for index in indices}),
            minutes=sum((spent[index] for index in indices), timedelta()).total_seconds() / 60,
            verdicts="".join(_mark(entries[index].status) for index in indices),
            best=max(entries[index].points for index in indices),
            max_points=entries[indices[-1]].max_points,
            misconceptions=tuple(dict.fromkeys(one for index in indices if (one := entries[index].misconception))),
        )
        for name, indices in by_exercise.items()
    ]


def _time_spent(entries: list[Entry]) -> list[timedelta]:
    """For each check, what passed since the one before; after a break, a short while."""
    gaps = [later.at - earlier.at for earlier, later in zip(entries, entries[1:], strict=False)]
    return [FIRST, *(gap if gap <= BREAK else FIRST for gap in gaps)][: len(entries)]


def _mark(status: str) -> str:
    return COSTLY_LOOK.mark if status == COSTLY else STATUSES[status].look.mark


def as_text(found: list[Effort], unread: int = 0) -> str:
    """A line an exercise, with a mark for each check; the time that all took."""
    if not found:
        return "The work log is empty. It grows by a line with every q.check of an answer."
    width = max(len(one.exercise) for one in found)
    lines = [_line(one, width) for one in found]
    total = sum(one.minutes for one in found)
    checks = count_text(sum(one.checks for one in found), "check")
    lines += ["", f"{count_text(len(found), 'exercise')}, {checks}, about {_duration(total)}.   {LEGEND}"]
    if unread:
        lines.append(f"{count_text(unread, 'line')} of the file cannot be read as a check.")
    return "\n".join(lines)


def _line(one: Effort, width: int) -> str:
    marks = one.verdicts if len(one.verdicts) <= MOST_MARKS else f"…{one.verdicts[-MOST_MARKS:]}"
    met = f"   met: {', '.join(one.misconceptions)}" if one.misconceptions else ""
    return (
        f"{one.exercise:<{width}}  {marks:<10}  {one.best:g} of {one.max_points:g}, "
        f"{count_text(one.checks, 'check')}, about {_duration(one.minutes)}{met}"
    )


def _duration(minutes: float) -> str:
    """ "35 min", "2 h 5 min"."""
    hours, rest = divmod(max(1, round(minutes)), 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"
