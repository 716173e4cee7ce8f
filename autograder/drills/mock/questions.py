"""What the steps ask that are no cards: hazards, costs, follow-ups; said in one place, for the room and the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from autograder.drills.deck.load import all_cards
from autograder.drills.deck.model import AnswerError
from autograder.drills.deck.units import unit_in
from autograder.drills.faces.words import say, yes_or_no
from autograder.drills.mock import coding, follow_ups
from autograder.drills.mock.hazards import LETTERS, hazard_told, hazards_in
from autograder.drills.mock.interview import Interview
from autograder.drills.mock.plan import CARD_STEPS
from autograder.drills.quantities import read_quantity
from autograder.drills.tasks import find_task
from autograder.drills.values.draws import shown
from autograder.drills.values.expressions import plain

ELEMENTS = 1 << 26
TOLERANCE = 0.1


@dataclass(frozen=True)
class StepQuestion:
    """A question that is no card. mark: a reply's score and the right answer; raises AnswerError.

    blank: a reply that can be read, for the right answer where none was given.
    """

    text: str
    mark: Callable[[str], tuple[float, str]]
    unit: str = ""  # in the learner's language
    blank: str = "0"

    def unanswered(self) -> tuple[float, str]:
        """No score, and the right answer."""
        return 0.0, self.mark(self.blank)[1]


class Questions:
    """The questions of one interview. Facts about the code are measured when they are first asked for."""

    def __init__(self, interview: Interview):
        self.interview, self.card = interview, interview.coding_card
        self.language, self.seed = interview.language, interview.plan.coding[1]

    @cached_property
    def facts(self) -> coding.Facts:
        """Of the coding card's solution."""
        return coding.facts_of(self.card, self.seed)

    def counters(self) -> dict[str, int]:
        """Of the kernel that was handed in, where it runs; else of the card's solution."""
        for source in (*reversed(self.interview.drafts), self.card.data["solution"]):
            try:
                return coding.traced(self.card, source, self.facts.sizes, self.seed)
            except Exception:  # whatever a draft does wrong when it is run
                continue
        raise AssertionError("a card's own solution runs")

    def of(self, step: str, number: int) -> StepQuestion:
        """The question of a step that asks no card."""
        if step == "hazards":
            return self._hazards()
        sizes = ", ".join(f"{name} = {size}" for name, size in self.facts.sizes.items())
        if step == "cost":
            return self._number(say("ask_cost", self.language, sizes=sizes), "bytes", self.facts.moved_bytes, TOLERANCE)
        if step == "bound":
            asked = say("ask_bound", self.language, elements=f"{ELEMENTS:,}")
            return self._number(asked, "us", coding.bound_us(self.card, ELEMENTS), TOLERANCE)
        found = self._follow_ups(step)[number]
        asked = say(f"ask_{found.name}", self.language, sizes=sizes, **(found.values or {}))
        if isinstance(found.truth, bool):
            return self._yes_or_no(asked, found.truth)
        return self._number(asked, found.unit, found.truth, found.tolerance)

    def _follow_ups(self, step: str) -> list[follow_ups.FollowUp]:
        counters = self.counters()
        if step == "own":
            return follow_ups.of_own_code(self.card, counters, self.seed, 2)
        return follow_ups.of_changes(self.card, self.facts, counters, self.seed, 2)

    def _number(self, asked: str, unit: str, truth: float, tolerance: float) -> StepQuestion:
        told = unit_in(unit, self.language)

        def mark(typed: str) -> tuple[float, str]:
            return coding.near(
                read_quantity(typed, unit, asked), truth, tolerance
            ), f"{shown(plain(truth))} {told}".strip()

        return StepQuestion(asked, mark, told)

    def _yes_or_no(self, asked: str, truth: bool) -> StepQuestion:
        def mark(typed: str) -> tuple[float, str]:
            said = yes_or_no(typed)
            if said is None:
                raise AnswerError("y")
            return float(said == truth), say("yes" if truth else "no", self.language)

        return StepQuestion(asked, mark, blank="n")

    def _hazards(self) -> StepQuestion:
        listed = [f"  {letter}  {self._hazard(name)}" for letter, name in zip(LETTERS, coding.HAZARDS, strict=True)]

        def mark(typed: str) -> tuple[float, str]:
            named = hazards_in(typed, self.language)
            real = [self._hazard(hazard) for hazard in self.card.data.get("hazards", ())]
            return coding.share_of_hazards(named, self.card), "; ".join(real)

        return StepQuestion("\n".join([*listed, say("ask_hazards", self.language)]), mark, blank="none")

    def _hazard(self, name: str) -> str:
        return hazard_told(name, self.language)

    def text_of(self, step: str, number: int) -> str:
        """What a step asks, for a report on an interview that did not get there."""
        if step == "code":
            outline = find_task(self.card.data["task"]).outline_in(self.language)
            return f"{self.card.says('ask', self.language)}\n\n{outline}"
        if step == "then":
            return all_cards()[self.interview.plan.card_of(step, number)[0]].says("then", self.language)
        if step in CARD_STEPS:
            question = self.interview.question(*self.interview.plan.card_of(step, number))
            return "\n\n".join(filter(None, (question.ask, question.code)))
        return self.of(step, number).text
