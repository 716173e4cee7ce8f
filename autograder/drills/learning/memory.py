"""When a card comes back: py-fsrs, and what a score means to it."""

from __future__ import annotations

from datetime import datetime

from fsrs import Card as Memory
from fsrs import Rating, Scheduler, State

RETENTION = 0.9  # the share of cards that are meant to be known when they come back
QUICK = 0.4  # of the time that a kind of card takes: a right answer within it was easy
HALF = 0.5

# No steps of minutes: a sitting a day is all there is, and what was not known comes back the day after.
_scheduler = Scheduler(desired_retention=RETENTION, learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def rating_of(score: float, seconds: float, usual_seconds: float) -> Rating:
    """Right is good, and easy if it came at once; half right is hard; less is to be learnt again."""
    if score >= 0.999:
        return Rating.Easy if seconds <= QUICK * usual_seconds else Rating.Good
    return Rating.Hard if score >= HALF else Rating.Again


def after(memory: Memory | None, rating: Rating, at: datetime, fresh_id: int = 0) -> Memory:
    """What is remembered of a card once it was answered. memory: None for a card that is new."""
    memory = memory or Memory(card_id=fresh_id, due=at)
    return _scheduler.review_card(memory, rating, review_datetime=at)[0]


def recall(memory: Memory, at: datetime) -> float:
    """The chance that it is known now, 0 to 1."""
    return _scheduler.get_card_retrievability(memory, at)


def is_due(memory: Memory, at: datetime, target: float = RETENTION) -> bool:
    """A card being learnt is due at its time; a card learnt, once the chance that it is known falls to the target."""
    if memory.state is not State.Review:
        return memory.due <= at
    return memory.due <= at or recall(memory, at) <= target


def read(text: str) -> Memory:
    """From the store."""
    return Memory.from_json(text)


def written(memory: Memory) -> str:
    """For the store."""
    return memory.to_json()
