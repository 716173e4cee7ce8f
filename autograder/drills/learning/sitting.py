"""One sitting: which question is next, what an answer earned, and where it is if the machine goes down now.

Faces (terminal, widget) show `current()`, hand over what was typed with `answer`, and show the mark.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import Card, Mark, Question
from autograder.drills.learning import memory
from autograder.drills.learning.choose import SESSION_S, Known, choose, reached_topics
from autograder.drills.learning.store import Review, Store, now
from autograder.drills.learning.strength import strengths

KIND = "drill"
STALE = timedelta(hours=20)  # a session interrupted longer ago is not taken up again: other cards are due by now
SEEDS = 1 << 31


@dataclass
class Sitting:
    """A sitting over a learner's file. queue: (card id, seed of its values); place: how many are behind."""

    store: Store
    language: str
    queue: list[tuple[str, int]]
    place: int = 0
    number: int = 0
    clock: Callable[[], datetime] = now
    scores: list[float] = field(default_factory=list)
    resumed: bool = False
    _question: tuple[int, Question] | None = None

    def current(self) -> Question | None:
        """The question to ask; None when the sitting is over. The same one until it was answered or skipped."""
        if self.place >= len(self.queue):
            return None
        if self._question is None or self._question[0] != self.place:
            name, seed = self.queue[self.place]
            self._question = self.place, kinds.pose(all_cards()[name], self.language, random.Random(seed))
        return self._question[1]

    def answer(self, typed: str, seconds: float) -> Mark:
        """Mark what was typed, schedule the card, move on. Raises: AnswerError where it cannot be read."""
        question = self.current()
        mark = kinds.mark(question, typed)
        self._record(question.card, mark, typed, seconds)
        return mark

    def skip(self) -> None:
        """Move on; the card stays as it was."""
        with self.store.transaction():
            self._advance()

    def _record(self, card: Card, mark: Mark, typed: str, seconds: float) -> None:
        at = self.clock()
        rating = memory.rating_of(mark.score, seconds, kinds.KINDS[card.kind].SECONDS)
        known = self.store.memories().get(card.id)
        after = memory.after(memory.read(known) if known else None, rating, at, fresh_id=fresh_id(card.id))
        seed = self.queue[self.place][1]
        review = Review(at, card.id, card.topic, card.kind, mark.score, int(rating), round(seconds, 1), seed, typed)
        self.scores.append(mark.score)
        with self.store.transaction():
            self.store.keep_memory(card.id, card.topic, memory.written(after))
            self.store.add_review(review)
            self._advance()

    def _advance(self) -> None:
        self.place += 1
        over = self.place >= len(self.queue)
        self.store.save_session(self.number, self._state(), ended=over)

    def _state(self) -> dict:
        return {"language": self.language, "queue": self.queue, "place": self.place, "scores": self.scores}


def fresh_id(card_id: str) -> int:
    """FSRS numbers its cards; a number that follows from our id keeps a schedule reproducible."""
    return int.from_bytes(card_id.encode()[-6:], "big")


def known_of(store: Store, at: datetime) -> Known:
    """What the file says at this moment, about cards that still exist."""
    memories = {name: memory.read(text) for name, text in store.memories().items() if name in all_cards()}
    return Known(at, memories, strengths(store.reviews(), store.notices(), at))


def candidates(store: Store, topics: Sequence[str]) -> list[Card]:
    """Cards of the topics asked for; where none is, of the units reached."""
    wanted = set(topics or reached_topics(store.notices()))
    return [card for card in all_cards().values() if card.topic in wanted]


def begin(
    store: Store,
    language: str = "en",
    topics: Sequence[str] = (),
    seed: int | None = None,
    seconds: float = SESSION_S,
    clock: Callable[[], datetime] = now,
) -> Sitting:
    """Take up the sitting that was interrupted, or begin one. Topics or a seed asked for begin a new one."""
    if not topics and seed is None and (taken_up := _resumed(store, language, clock)):
        return taken_up
    rng = random.Random(seed)
    cards = choose(candidates(store, topics), known_of(store, clock()), rng, seconds)
    sitting = Sitting(store, language, [(card.id, rng.randrange(SEEDS)) for card in cards], clock=clock)
    sitting.number = store.open_session(KIND, sitting._state(), clock())
    if not cards:
        store.save_session(sitting.number, sitting._state(), ended=True)
    return sitting


def _resumed(store: Store, language: str, clock) -> Sitting | None:
    found = store.unfinished(KIND)
    if not found or clock() - found[1] > STALE:
        return None
    number, _, state = found
    queue = [(name, seed) for name, seed in state["queue"][state["place"] :] if name in all_cards()]
    if not queue:
        return None
    return Sitting(store, language, queue, 0, number, clock, list(state["scores"]), resumed=True)
