"""Where an interview is: its step, its clock, what was answered. Saved at every change, so a crash loses nothing."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import Card, Question
from autograder.drills.learning import memory
from autograder.drills.learning.sitting import fresh_id
from autograder.drills.learning.store import Review, Store, now
from autograder.drills.mock.levels import tasks_of, topics_of
from autograder.drills.mock.plan import SEEDS, STEPS, WITHOUT_CHECK, Plan, make_plan

KIND = "mock"
BEAT_S = 10.0
LATE = 0.5


@dataclass
class Answered:
    """One step. score: 0 to 1, or None for what was skipped or not reached; detail: what the report shows.

    by_learner: whoever answered marked it; late: it was finished after the time was up, and counts half.
    """

    step: str
    card: str
    asked: str
    typed: str
    truth: str
    score: float | None
    seconds: float
    detail: str = ""
    by_learner: bool = False
    late: bool = False

    @property
    def counted(self) -> float:
        """What it brings to the score."""
        return (self.score or 0.0) * (LATE if self.late else 1.0)


@dataclass
class Interview:
    """An interview over a learner's file. Time stands still while it is paused, and while no program runs."""

    store: Store
    language: str
    minutes: float
    plan: Plan
    seed: int
    number: int = 0
    place: int = 0
    spent_s: float = 0.0
    code_began_s: float | None = None
    topics: tuple[str, ...] = ()
    level: str = ""
    job: str = ""
    total: float | None = None  # of 100, once it is over
    typing: str = ""  # code that was typed and has not ended yet
    drafts: list[str] = field(default_factory=list)
    checks: list[dict[str, Any]] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    resumed: bool = False
    clock: Callable[[], float] = time.monotonic
    _running_since: float | None = None

    @property
    def step(self) -> tuple[str, int] | None:
        """The step to take; None when all are behind, or the time is up."""
        return STEPS[self.place] if self.place < len(STEPS) else None

    @property
    def elapsed_s(self) -> float:
        """Seconds of interview so far, pauses left out."""
        running = self.clock() - self._running_since if self._running_since is not None else 0.0
        return self.spent_s + running

    @property
    def left_s(self) -> float:
        return max(0.0, 60 * self.minutes - self.elapsed_s)

    @property
    def is_late(self) -> bool:
        return self.elapsed_s > 60 * self.minutes

    @property
    def check_opens_in_s(self) -> float:
        """Seconds until the coding task may be checked: a third of the interview after it was shown."""
        began = self.elapsed_s if self.code_began_s is None else self.code_began_s
        return max(0.0, began + 60 * self.minutes * WITHOUT_CHECK - self.elapsed_s)

    def run_clock(self) -> None:
        """Start, or go on after a pause."""
        if self._running_since is None:
            self._running_since = self.clock()

    def pause(self) -> None:
        """Stop the clock and save."""
        self.spent_s, self._running_since = self.elapsed_s, None
        self.save()

    def question(self, name: str, seed: int) -> Question:
        """A card of the plan with its values."""
        return kinds.pose(all_cards()[name], self.language, random.Random(seed))

    @property
    def coding_card(self) -> Card:
        return all_cards()[self.plan.coding[0]]

    def show_code(self) -> None:
        """The coding task is on the table now."""
        if self.code_began_s is None:
            self.code_began_s = self.elapsed_s
            self.save()

    def add_draft(self, source: str) -> None:
        """Keep what was typed, whatever happens next."""
        self.drafts.append(source)
        self.keep_typing("")

    def keep_typing(self, typed: str) -> None:
        """Keep the lines of a draft, and the clock, while they come."""
        self.typing = typed
        self.save()

    @contextlib.contextmanager
    def keeping_time(self, every_s: float = BEAT_S) -> Iterator[None]:
        """Save the clock now and then, so that a crash gives back no time that was spent thinking."""
        over = threading.Event()

        def beat() -> None:
            while not over.wait(every_s):
                with contextlib.suppress(sqlite3.Error):
                    self.save()

        beating = threading.Thread(target=beat, daemon=True)
        beating.start()
        try:
            yield
        finally:
            over.set()
            beating.join()

    def answered(self, answer: Answered, card: Card | None = None, seed: int = 0) -> None:
        """Keep an answer and go to the next step; an answer to a card is a review of it, too."""
        with self.store.transaction():
            self.answers.append(answer)
            self.place += 1
            self.typing = ""
            if card is not None and answer.score is not None:
                self._review(card, answer, seed)
            self.store.save_session(self.number, self.state(), ended=self.step is None)

    def _review(self, card: Card, answer: Answered, seed: int) -> None:
        at = now()
        rating = memory.rating_of(answer.score or 0.0, answer.seconds, kinds.KINDS[card.kind].SECONDS)
        known = self.store.memories().get(card.id)
        after = memory.after(memory.read(known) if known else None, rating, at, fresh_id(card.id))
        self.store.keep_memory(card.id, card.topic, memory.written(after))
        score = answer.score or 0.0
        self.store.add_review(
            Review(at, card.id, card.topic, card.kind, score, int(rating), answer.seconds, seed, answer.typed)
        )

    def finish(self, asked: Callable[[str, int], str] = lambda step, number: "") -> None:
        """What was not reached counts as not answered. asked: what a step would have asked, for the report."""
        while self.step is not None:
            name, number = STEPS[self.place]
            self.answered(Answered(f"{name} {number}", "", asked(name, number), "", "", None, 0.0))
        self.pause()
        self.store.save_session(self.number, self.state(), ended=True)

    def keep_ended(self) -> None:
        """Write the end with its total, which later interviews are compared with."""
        self.store.save_session(self.number, self.state(), ended=True)

    def earlier(self) -> list[tuple[datetime, float]]:
        """When earlier interviews of this level and job were held, and what they earned, oldest first."""
        found = self.store.ended(KIND)
        alike = [(at, state) for number, at, state in found if number < self.number and state.get("total") is not None]
        return [(b, s["total"]) for b, s in alike if (s["level"], s["job"]) == (self.level, self.job)]

    def save(self) -> None:
        """Write where it is, the clock included."""
        with self.store.transaction():
            self.store.save_session(self.number, self.state())

    def state(self) -> dict[str, Any]:
        """For the store."""
        return {
            "language": self.language, "minutes": self.minutes, "plan": self.plan.to_json(), "seed": self.seed,
            "place": self.place, "spent_s": self.elapsed_s, "code_began_s": self.code_began_s, "drafts": self.drafts,
            "topics": self.topics, "level": self.level, "job": self.job, "total": self.total,
            "typing": self.typing, "checks": self.checks,
            "answers": [asdict(answer) for answer in self.answers],
        }  # fmt: skip


def begin(
    store: Store, language: str, minutes: float, topics: Sequence[str] = (), seed: int | None = None, level: str = "",
    job: str = "",
) -> Interview:  # fmt: skip
    """Take up the interview that was interrupted; else begin one.

    Another seed, level or job than its own, or other topics, begin a new one.
    """
    found = store.unfinished(KIND)
    if found and _is_asked_for(found[2], topics, seed, level, job) and _goes_on(found[2]):
        number, _, state = found
        answers = [Answered(**answer) for answer in state.pop("answers")]
        plan = Plan.from_json(state.pop("plan"))
        return Interview(store, plan=plan, answers=answers, number=number, resumed=True, **state)
    seed = random.SystemRandom().randrange(SEEDS) if seed is None else seed
    plan = make_plan(topics_of(topics, level, job), random.Random(seed), tasks_of(level))
    interview = Interview(store, language, minutes, plan, seed, topics=tuple(topics), level=level, job=job)
    interview.number = store.open_session(KIND, interview.state(), now())
    return interview


def _is_asked_for(state: dict[str, Any], topics: Sequence[str], seed: int | None, level: str, job: str) -> bool:
    """Does what was asked for name nothing that an interrupted interview has otherwise?"""
    asked = {"topics": list(topics), "seed": seed, "level": level, "job": job}
    return all(not wanted and wanted != 0 or wanted == state.get(name) for name, wanted in asked.items())


def _goes_on(state: dict[str, Any]) -> bool:
    """Are its cards still there, and its steps those of today?"""
    taken = [answer["step"] for answer in state["answers"]]
    steps = [f"{step} {number}" for step, number in STEPS[: len(taken)]]
    return taken == steps and all(name in all_cards() for name in _cards(state))


def _cards(state: dict[str, Any]) -> list[str]:
    plan = Plan.from_json(state["plan"])
    return [name for name, _ in (*plan.rapid, plan.coding, plan.envelope, plan.bug)]
