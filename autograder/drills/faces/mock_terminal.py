"""A mock interview in a terminal. What is asked and how it is marked is in `mock`; this shows, reads and keeps time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.markup import escape
from rich.rule import Rule

from autograder.drills import kinds
from autograder.drills.deck.model import AnswerError, Mark, Question
from autograder.drills.deck.units import unit_in
from autograder.drills.faces.terminal import Quit, Skip, Terminal, edited, prompt_of
from autograder.drills.faces.words import refusal, say
from autograder.drills.kinds import write
from autograder.drills.learning.store import Store, now
from autograder.drills.mock import coding
from autograder.drills.mock.interview import Answered, Interview, begin
from autograder.drills.mock.plan import STEPS, WITHOUT_CHECK
from autograder.drills.mock.report import write_report
from autograder.drills.mock.rubric import score_of
from autograder.drills.quantities import read_quantity
from autograder.drills.tasks import find_task

PAUSE, CHECK, DONE = ":p", ":c", ":d"
LETTERS = "abcdefghij"
ELEMENTS = 1 << 26
COST_TOLERANCE, COUNT_TOLERANCE = 0.1, 0.02


def run(store: Store, face: Terminal, minutes: float, topics: Sequence[str] = (), seed: int | None = None) -> None:
    """Hold an interview, or take one up, and write its report into the current folder."""
    interview = begin(store, face.language, minutes, topics, seed)
    face.language = interview.language
    Room(interview, face).hold()


class Room:
    """One interview with one terminal."""

    def __init__(self, interview: Interview, face: Terminal):
        self.interview, self.face = interview, face
        self.card = interview.coding_card
        self.facts = coding.facts_of(self.card, interview.plan.coding[1])

    def hold(self) -> None:
        """Step after step until the end, the end of the time, or a stop."""
        interview, face = self.interview, self.face
        minutes = f"{interview.minutes:g}"
        face.console.print(f"[bold]{face.say('mock_title', minutes=minutes, seed=interview.seed)}[/]")
        wait = f"{round(interview.minutes * WITHOUT_CHECK, 1):g}"
        face.console.print(face.say("mock_resumed") if interview.resumed else face.say("mock_rules", wait=wait))
        interview.run_clock()
        face.commands[PAUSE] = self.pause
        try:
            with interview.keeping_time():
                while interview.step is not None and interview.left_s > 0:
                    self.take(*interview.step)
        except (Quit, KeyboardInterrupt):
            interview.pause()
            face.console.print(face.say("mock_kept", minutes=minutes))
            return
        if interview.step is not None:
            face.console.print(face.say("mock_over"))
        interview.finish()
        score = score_of(interview)
        path = Path(f"warpbook-mock-{now().astimezone():%Y%m%d-%H%M%S}.html").resolve()
        write_report(interview, score, path, now())
        face.console.print()
        face.console.print(face.say("mock_report", total=f"{score.total:.0f}", path=path))

    def take(self, step: str, number: int) -> None:
        """One step: a heading with the time left, then what the step does."""
        face, interview = self.face, self.interview
        left = _minutes(interview.left_s)
        face.console.print()
        face.console.print(Rule(f"{face.say('step_' + step)}  [dim]{face.say('mock_clock', left=left)}[/]"))
        plan = interview.plan
        if step == "rapid":
            self.ask_card(step, number, *plan.rapid[number])
        elif step in ("envelope", "bug"):
            self.ask_card(step, number, *getattr(plan, step))
        elif step == "hazards":
            self.ask_hazards()
        elif step == "code":
            self.ask_code()
        else:
            self.ask_number(step)

    def line(self, prompt: str = "> ") -> str:
        """A line; a pause stops the clock until Enter."""
        typed = self.face.line(prompt)
        while typed == PAUSE:
            self.pause()
            typed = self.face.line(prompt)
        return typed

    def pause(self) -> None:
        """The clock stands still until Enter."""
        self.interview.pause()
        self.face.line(say("mock_paused", self.face.language) + " ")
        self.interview.run_clock()

    def ask_card(self, step: str, number: int, name: str, seed: int) -> None:
        """A card of the deck, marked as in a sitting; the mark waits for the report."""
        question = self.interview.question(name, seed)
        began = self.interview.elapsed_s
        self.face.put(question, f"{self.interview.place + 1}/{len(STEPS)}")
        try:
            typed, mark = self._answer(question)
        except Skip:
            self._keep(step, number, name, question.ask, "", "", None, began)
            return
        detail = "\n\n".join(filter(None, (question.code, mark.why, mark.verdict)))
        answered = self._answered(step, number, name, question.ask, typed, mark.truth, mark.score, began, detail)
        self.interview.answered(answered, question.card, seed)

    def _answer(self, question: Question) -> tuple[str, Mark]:
        while True:
            said = typed = (
                self._lines(question.code) if question.entry == "code" else self.line(prompt_of(question.unit))
            )
            if question.entry == "ticks":
                self.face.show_points(question)
                said = self.line(say("tick", self.face.language) + "\n> ")
            try:
                mark = kinds.mark(question, said)
                return typed, mark.settled(self.face.is_the_same(question, mark)) if mark.unsure else mark
            except AnswerError as error:
                self.face.console.print(f"[yellow]{escape(refusal(error, self.face.language))}[/]")

    def ask_hazards(self) -> None:
        """What the kernel must take care of, chosen before a line is written."""
        face = self.face
        began = self.interview.elapsed_s
        self.show_task()
        for letter, hazard in zip(LETTERS, coding.HAZARDS, strict=True):
            face.console.print(f"  {letter}  {face.say('hazard_' + hazard)}")
        asked = say("ask_hazards", face.language)

        def mark(typed: str) -> tuple[float, str]:
            named = {coding.HAZARDS[LETTERS.index(letter)] for letter in re.findall(r"[a-j]", typed.lower())}
            real = [say(f"hazard_{hazard}", face.language) for hazard in self.card.data.get("hazards", ())]
            return coding.share_of_hazards(named, self.card), "; ".join(real)

        self._ask("hazards", asked, mark, began)

    def ask_number(self, step: str) -> None:
        """The cost before, or a follow-up after: a number that was measured or worked out."""
        began = self.interview.elapsed_s
        asked, unit, truth, tolerance = self._number_of(step)

        def mark(typed: str) -> tuple[float, str]:
            told = f"{truth:,.10g} {unit_in(unit, self.face.language)}"
            return coding.near(read_quantity(typed, unit), truth, tolerance), told

        self._ask(step, asked, mark, began, prompt_of(unit_in(unit, self.face.language)))

    def _number_of(self, step: str) -> tuple[str, str, float, float]:
        """The question, the unit of its answer, the answer, and how far off counts in full."""
        language = self.face.language
        sizes = ", ".join(f"{name} = {size}" for name, size in self.facts.sizes.items())
        if step == "cost":
            return say("ask_cost", language, sizes=sizes), "bytes", self.facts.moved_bytes, COST_TOLERANCE
        if step == "threads":
            return say("ask_threads", language, sizes=sizes), "threads", self.facts.threads, 0.0
        if step == "bound":
            asked = say("ask_bound", language, elements=f"{ELEMENTS:,}")
            return asked, "us", coding.bound_us(self.card, ELEMENTS), COST_TOLERANCE
        kind, truth = coding.memory_question(self._counters())
        unit = {"conflicts": "extra passes", "sectors": "sectors"}[kind]
        return say(f"ask_{kind}", language, sizes=sizes), unit, truth, COUNT_TOLERANCE

    def _counters(self) -> dict[str, int]:
        """Of the kernel that was handed in, where it runs; else of the card's solution."""
        seed = self.interview.plan.coding[1]
        for source in (*reversed(self.interview.drafts), self.card.data["solution"]):
            try:
                return coding.traced(self.card, source, self.facts.sizes, seed)
            except Exception:  # whatever a draft does wrong when it is run
                continue
        raise AssertionError("a card's own solution runs")

    def ask_code(self) -> None:
        """Drafts until one is handed in; a check is refused at first."""
        interview, face = self.interview, self.face
        began = interview.elapsed_s
        interview.show_code()
        self.show_task()
        face.console.print(f"[dim]{face.say('ask_code', wait=_minutes(interview.check_opens_in_s))}[/]")
        try:
            outcome = self._drafted()
        except Skip:
            self._keep("code", 0, self.card.id, self.card.says("ask", face.language), "", "", None, began)
            return
        share = 1.0 if outcome.passed else min(0.5, outcome.points / outcome.max_points)
        asked = self.card.says("ask", face.language)
        solution = self.card.data["solution"]
        self.interview.answered(
            self._answered("code", 0, self.card.id, asked, interview.drafts[-1], solution, share, began, str(outcome)),
            self.card,
            interview.plan.coding[1],
        )

    def _drafted(self):
        """What the check says about what was handed in."""
        source = self.interview.drafts[-1] if self.interview.drafts else ""
        if self.interview.typing or not source:
            source = self._write("")
        while True:
            typed = self.line(say("draft", self.face.language) + "\n> ")
            if typed == CHECK:
                self._check(source)
            elif typed == DONE:
                return self._judged(source)
            elif typed == ":e":
                source = edited(source)
                self.interview.add_draft(source)
            else:
                source = self._write(source)
            if self.interview.left_s <= 0:
                return self._judged(source)

    def _write(self, start: str) -> str:
        source = self._lines(start)
        self.interview.add_draft(source)
        return source

    def _lines(self, start: str) -> str:
        """Code, with every line kept as it comes."""
        return self.face.lines(start, self.interview.typing, self.interview.keep_typing)

    def _check(self, source: str) -> None:
        wait = self.interview.check_opens_in_s
        if wait > 0:
            self.face.console.print(f"[yellow]{self.face.say('too_early', left=_minutes(wait))}[/]")
            return
        self.face.console.print(escape(str(self._judged(source))))

    def _judged(self, source: str):
        """Check, and remember what was found."""
        outcome = write.check(self.card, source)
        found = [cause.kind for cause in outcome.causes]
        self.interview.checks.append({"status": outcome.status, "kinds": found, "at_s": self.interview.elapsed_s})
        self.interview.save()
        return outcome

    def show_task(self) -> None:
        """The coding task and its first lines."""
        self.face.console.print(escape(self.card.says("ask", self.face.language)))
        self.face.code(find_task(self.card.data["task"]).outline_in(self.face.language), "python", False)

    def _ask(
        self, step: str, asked: str, mark: Callable[[str], tuple[float, str]], began: float, prompt: str = "> "
    ) -> None:
        """A question that is no card: ask until it can be read, keep it."""
        self.face.console.print(escape(asked))
        while True:
            try:
                typed = self.line(prompt)
                score, truth = mark(typed)
                break
            except Skip:
                self._keep(step, 0, "", asked, "", "", None, began)
                return
            except AnswerError as error:
                self.face.console.print(f"[yellow]{escape(refusal(error, self.face.language))}[/]")
        self._keep(step, 0, "", asked, typed, truth, score, began)

    def _keep(
        self, step: str, number: int, card: str, asked: str, typed: str, truth: str, score: float | None, began: float
    ) -> None:
        self.interview.answered(self._answered(step, number, card, asked, typed, truth, score, began))

    def _answered(
        self, step: str, number: int, card: str, asked: str, typed: str, truth: str, score: float | None, began: float,
        detail: str = "",
    ) -> Answered:  # fmt: skip
        seconds = round(self.interview.elapsed_s - began, 1)
        return Answered(f"{step} {number}", card, asked, typed, truth, score, seconds, detail)


def _minutes(seconds: float) -> str:
    """As on a clock, 44:59."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
