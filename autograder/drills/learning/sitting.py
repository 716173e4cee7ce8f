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


class UnknownFormError(Exception):
    """Code that is in no form that is known: whoever wrote it compares it with the accepted one, `mark.truth`."""

    def __init__(self, mark: Mark):
        self.mark = mark
        super().__init__(mark.truth)


class AnsweredElsewhereError(Exception):
    """Another window has answered or skipped this card meanwhile; nothing was marked, and the sitting has moved on."""


@dataclass
class Sitting:
    """A sitting over a learner's file. queue: (card id, seed of its values); place: how many are behind.

    draft: code typed so far for the card that is current. The file decides where the sitting is: several windows may
    have it open.
    """

    store: Store
    language: str
    queue: list[tuple[str, int]]
    place: int = 0
    number: int = 0
    clock: Callable[[], datetime] = now
    scores: list[float] = field(default_factory=list)
    resumed: bool = False
    draft: str = ""
    _question: tuple[int, Question] | None = None

    def current(self) -> Question | None:
        """The question to ask; None when the sitting is over. The same one until it was answered or skipped."""
        self._catch_up()
        if self.place >= len(self.queue):
            return None
        if self._question is None or self._question[0] != self.place:
            name, seed = self.queue[self.place]
            self._question = self.place, kinds.pose(all_cards()[name], self.language, random.Random(seed))
        return self._question[1]

    def answer(self, typed: str, seconds: float, same: bool | None = None) -> Mark:
        """Mark what was typed, schedule the card, move on. same: what the learner says of a form that is not known.

        Raises: AnswerError where it cannot be read; UnknownFormError where the learner is to compare it;
        AnsweredElsewhereError where another window was quicker. Nothing is kept then.
        """
        if self._question is None or self._question[0] != self.place:
            self.current()
        question = self._question[1]
        self._refuse_if_behind()
        mark = kinds.mark(question, typed)
        if mark.unsure:
            if same is None:
                raise UnknownFormError(mark)
            mark = mark.settled(same)
        self._record(question.card, mark, typed, seconds)
        return mark

    def skip(self) -> None:
        """Move on; the card stays as it was."""
        with self.store.transaction():
            if not self._catch_up():
                self._advance()

    def keep_draft(self, typed: str) -> None:
        """Keep code that is being typed, in case the machine goes down before it is handed in."""
        with self.store.transaction():
            if typed != self.draft and not self._catch_up():
                self.draft = typed
                self.store.save_session(self.number, self._state())

    def _catch_up(self) -> bool:
        """Go to where the file says the sitting is; did another window bring it further?"""
        there = (self.store.session_state(self.number) or {}).get("place", 0)
        if there <= self.place:
            return False
        self.place, self.draft = there, ""
        return True

    def _refuse_if_behind(self) -> None:
        if self._catch_up():
            raise AnsweredElsewhereError("this card was answered in another window.")

    def _record(self, card: Card, mark: Mark, typed: str, seconds: float) -> None:
        at = self.clock()
        rating = memory.rating_of(mark.score, seconds, kinds.KINDS[card.kind].SECONDS)
        known = self.store.memories().get(card.id)
        after = memory.after(memory.read(known) if known else None, rating, at, fresh_id=fresh_id(card.id))
        seed = self.queue[self.place][1]
        review = Review(at, card.id, card.topic, card.kind, mark.score, int(rating), round(seconds, 1), seed, typed)
        with self.store.transaction():
            self._refuse_if_behind()
            self.scores.append(mark.score)
            self.store.keep_memory(card.id, card.topic, memory.written(after))
            self.store.add_review(review)
            self._advance()

    def _advance(self) -> None:
        self.place += 1
        self.draft = ""
        over = self.place >= len(self.queue)
        self.store.save_session(self.number, self._state(), ended=over)

    def _state(self) -> dict:
        return {
            "language": self.language, "queue": self.queue, "place": self.place, "scores": self.scores,
            "draft": self.draft,
        }  # fmt: skip


def fresh_id(card_id: str) -> int:
    """FSRS numbers its cards; a number that follows from our id keeps a schedule reproducible."""
    return int.from_bytes(card_id.encode()[-6:], "big")


def known_of(store: Store, at: datetime) -> Known:
    """What the file says at this moment, about cards that still exist."""
    memories = {name: memory.read(text) for name, text in store.memories().items() if name in all_cards()}
    return Known(at, memories, strengths(store.reviews(), store.notices(), at))


def candidates(store: Store, topics: Sequence[str]) -> list[Card]:
    """Cards of the topics asked for; where none is, of the units reached, and whatever was asked before.

    A card that exercises a line of a later unit, too, waits for that unit.
    """
    if topics:
        return [card for card in all_cards().values() if card.topic in topics]
    reached, met = set(reached_topics(store.notices())), store.memories()
    return [card for card in all_cards().values() if card.id in met or set(card.topics) <= reached]


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
    queue, place = [tuple(entry) for entry in state["queue"]], state["place"]
    if place >= len(queue) or any(name not in all_cards() for name, _ in queue[place:]):
        return None
    return Sitting(store, language, queue, place, number, clock, list(state["scores"]), True, state.get("draft", ""))
