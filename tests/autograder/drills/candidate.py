"""Somebody who sits a mock interview, for tests."""

from __future__ import annotations

import io

from rich.console import Console

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.faces.mock_terminal import Room
from autograder.drills.faces.terminal import Terminal
from autograder.drills.mock import coding
from autograder.drills.mock.interview import begin
from autograder.drills.mock.plan import CARD_STEPS

SAID = "I would say that all threads of a warp run together."
CODING = [card for card in all_cards().values() if card.kind == "write" and card.data["task"] in coding.CODING_TASKS]


class Candidate:
    """Somebody who sits an interview. knows: answers rightly; stops_at: a step at which the machine goes down."""

    def __init__(self, store, language="en", seed=3, minutes=45.0, knows=True, stops_at=""):
        self.printed = io.StringIO()
        console = Console(width=80, file=self.printed, highlight=False)
        self.interview = begin(store, language, minutes, (), seed)
        self.room = Room(self.interview, Terminal(language, console, self.reply))
        self.knows, self.stops_at, self.coming = knows, stops_at, []

    def reply(self, _prompt: str) -> str:
        """What is typed next."""
        step, number = self.interview.step
        if step == self.stops_at:
            raise EOFError
        if not self.coming:
            self.coming = self.answer(step, number).split("\n")
        return self.coming.pop(0)

    def answer(self, step: str, number: int) -> str:
        """Everything that is typed at a step, line by line."""
        plan = self.interview.plan
        if step in CARD_STEPS:
            return self.card(self.interview.question(*plan.card_of(step, number)))
        if step == "then":
            said = find_card(plan.card_of(step, number)[0]).says("then", self.interview.language)
            return f"{SAID} {' '.join(said.split())}\n{'y' if self.knows else 'n'}"
        if step == "hazards":
            real = find_card(plan.coding[0]).data["hazards"]
            return "".join("abcdefghij"[coding.HAZARDS.index(each)] for each in real) if self.knows else "abcdefghij"
        if step == "code":
            source = self.room.card.data["solution" if self.knows else "wrong"].rstrip("\n")
            return f"{source}\n.\n:c\n:d"
        asked = self.room.questions.of(step, number)
        if "y/n" in asked.text:
            return next(word for word in ("y", "n") if (asked.mark(word)[0] == 1.0) == self.knows)
        truth = float(asked.mark("1")[1].split()[0].replace(",", ""))
        return str(truth) if self.knows else str(truth * 17 + 5)

    def card(self, question) -> str:
        if question.entry == "ticks":
            said = " ".join(question.reveal[0].split())
            return f"{SAID} {said}\n" + (kinds.solve(question) if self.knows else "0")
        if not self.knows:
            return wrong_answer(question)
        return kinds.solve(question).rstrip("\n") + ("\n." if question.entry == "code" else "")


def wrong_answer(question) -> str:
    """An answer that can be read and is wrong, for a question of any kind that a machine marks."""
    if question.entry == "numbers":
        return ", ".join(str(number + 9999) for number in question.values["truth"]) or "9999"
    if question.entry == "choice":
        return "b" if kinds.solve(question) == "a" else "a"
    known = {"order": question.values.get("order", "")[::-1], "place": "999 i", "code": "x = 1\n.\nn"}
    return known.get(question.entry, "987654")
