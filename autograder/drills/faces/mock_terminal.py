"""A mock interview in a terminal. What is asked and how it is marked is in `mock`; this shows, reads and keeps time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.rule import Rule

from autograder.drills import kinds
from autograder.drills.deck.load import find_card
from autograder.drills.deck.model import AnswerError, Mark, Question
from autograder.drills.deck.verdicts import said_in
from autograder.drills.deck.verdicts import told as verdicts_told
from autograder.drills.faces.terminal import Quit, Skip, Terminal, edited, prompt_of
from autograder.drills.faces.words import on_a_clock, refusal, say, yes_or_no
from autograder.drills.kinds import write
from autograder.drills.kinds.giving_up import gives_up
from autograder.drills.learning.store import Store, now
from autograder.drills.mock.interview import Answered, Interview, begin
from autograder.drills.mock.plan import CARD_STEPS, STEPS, WITHOUT_CHECK
from autograder.drills.mock.questions import Questions, StepQuestion
from autograder.drills.mock.report import write_report
from autograder.drills.mock.rubric import score_of
from autograder.drills.mock.spoken import is_about, is_said, says_more

PAUSE, CHECK, DONE = ":p", ":c", ":d"


def run(
    store: Store, face: Terminal, minutes: float, topics: Sequence[str] = (), seed: int | None = None, level: str = "",
    job: str = "",
) -> None:  # fmt: skip
    """Hold an interview, or take one up, and write its report into the current folder."""
    interview = begin(store, face.language, minutes, topics, seed, level, job)
    face.language = interview.language
    Room(interview, face).hold()


class Room:
    """One interview with one terminal."""

    def __init__(self, interview: Interview, face: Terminal):
        self.interview, self.face = interview, face
        self.card = interview.coding_card
        self.questions = Questions(interview)

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
        self._end()

    def _end(self) -> None:
        """The score and the report."""
        interview, face = self.interview, self.face
        interview.finish(self.questions.text_of)
        score = score_of(interview)
        interview.total = score.total
        interview.keep_ended()
        path = Path(f"warpbook-mock-{now().astimezone():%Y%m%d-%H%M%S}.html").resolve()
        write_report(interview, score, path, now())
        face.console.print()
        face.console.print(face.say("mock_report", total=f"{score.total:.0f}", path=path))

    def take(self, step: str, number: int) -> None:
        """One step: a heading with the time left, then what the step does."""
        face, interview = self.face, self.interview
        left = on_a_clock(interview.left_s)
        face.console.print()
        face.console.print(Rule(f"{face.say('step_' + step)}  [dim]{face.say('mock_clock', left=left)}[/]"))
        if step in CARD_STEPS:
            self.ask_card(step, number)
        elif step == "then":
            self.ask_then(number)
        elif step == "code":
            self.ask_code()
        else:
            self.ask(step, number)

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

    def ask_card(self, step: str, number: int) -> None:
        """A card of the deck, marked as in a sitting; the mark waits for the report."""
        name, seed = self.interview.plan.card_of(step, number)
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
        answered.by_learner = mark.by_learner
        self.interview.answered(answered, question.card, seed)

    def _answer(self, question: Question) -> tuple[str, Mark]:
        while True:
            code = question.entry == "code"
            said = typed = self._lines(question.code) if code else self.line(prompt_of(question.unit))
            if question.entry == "ticks":
                self.face.show_points(question)
                said = self._ticked(typed, question)
            try:
                mark = kinds.mark(question, said)
                return typed, mark.settled(self.face.is_the_same(question, mark)) if mark.unsure else mark
            except AnswerError as error:
                self._refused(error)

    def _refused(self, error: AnswerError) -> None:
        """Say why, and ask again. Raises: Skip where the time is up: what cannot be read then is no answer."""
        self.face.console.print(f"[yellow]{escape(refusal(error, self.face.language))}[/]")
        if self.interview.left_s <= 0:
            raise Skip

    def _may_tick(self, reply: str, asked: str, *texts: str) -> bool:
        """Is there something that may be ticked? Says why not."""
        why = "" if is_about(reply, asked, *texts) else "beside_it"
        why = "too_short" if not is_said(reply) else why if says_more(reply, asked) else "said_back"
        if why:
            self.face.console.print(f"[yellow]{self.face.say(why)}[/]")
        return not why

    def _ticked(self, reply: str, question: Question) -> str:
        """The points that somebody ticks who said something about it; none for a reply of a word."""
        if not self._may_tick(reply, question.ask, *question.reveal):
            return "0"
        return self.line(say("tick", self.face.language) + "\n> ")

    def ask_then(self, number: int) -> None:
        """What an interviewer asks next of a question that was talked about: its own follow-up, marked by hand."""
        name, _ = self.interview.plan.card_of("then", number)
        card = find_card(name)
        began, language = self.interview.elapsed_s, self.face.language
        asked = f"{card.says('ask', language)}\n\n{card.says('then', language)}"
        self.face.console.print(escape(asked))
        try:
            typed = self.line()
            reply = card.says("reply", language)
            self.face.console.print(f"[bold]{self.face.say('reply')}[/]  {escape(reply)}")
            score = float(self._said_that()) if self._may_tick(typed, asked, reply) else 0.0
        except Skip:
            self._keep("then", number, name, asked, "", "", None, began)
            return
        answered = self._answered("then", number, name, asked, typed, reply, score, began)
        answered.by_learner = True
        self.interview.answered(answered)

    def _said_that(self) -> bool:
        while (said := yes_or_no(self.line(say("said_that", self.face.language) + "\n> "))) is None:
            pass
        return said

    def ask(self, step: str, number: int) -> None:
        """A question that is no card: ask until it can be read, keep it."""
        began = self.interview.elapsed_s
        asked = self.questions.of(step, number)
        if step == "hazards":
            self.show_task()
        self.face.console.print(escape(asked.text))
        try:
            typed, (score, truth) = self._read(asked)
        except Skip:
            self._keep(step, number, "", asked.text, "", "", None, began)
            return
        self._keep(step, number, "", asked.text, typed, truth, score, began)

    def _read(self, asked: StepQuestion) -> tuple[str, tuple[float, str]]:
        """A reply that can be read, its score and the right answer."""
        while True:
            typed = self.line(prompt_of(asked.unit))
            try:
                return typed, asked.unanswered() if gives_up(typed) else asked.mark(typed)
            except AnswerError as error:
                self._refused(error)

    def ask_code(self) -> None:
        """Drafts until one is handed in; a check is refused at first."""
        interview, face = self.interview, self.face
        interview.show_code()
        began = interview.code_began_s or 0.0
        self.show_task()
        face.console.print(f"[dim]{face.say('ask_code', wait=on_a_clock(interview.check_opens_in_s))}[/]")
        try:
            outcome = self._drafted()
        except Skip:
            self._keep("code", 0, self.card.id, self.card.says("ask", face.language), "", "", None, began)
            return
        share, told = 0.0, say("not_read", face.language)
        if outcome is not None:
            share = 1.0 if outcome.passed else min(0.5, outcome.points / outcome.max_points)
            told = said_in(face.language, verdicts_told(outcome))
        asked = self.card.says("ask", face.language)
        solution = write.solution_like(self.card, interview.drafts[-1])
        self.interview.answered(
            self._answered("code", 0, self.card.id, asked, interview.drafts[-1], solution, share, began, told),
            self.card,
            interview.plan.coding[1],
        )

    def _drafted(self):
        """What the check says about what was handed in; None where the time ends with code that cannot be read."""
        source = self.interview.drafts[-1] if self.interview.drafts else ""
        if self.interview.typing or not source:
            source = self._write("")
        while True:
            typed = self.line(say("draft", self.face.language) + "\n> ")
            if typed == CHECK:
                self._check(source)
            elif typed == DONE:
                if (outcome := self._judged(source)) is not None:
                    return outcome
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
            self.face.console.print(f"[yellow]{self.face.say('too_early', left=on_a_clock(wait))}[/]")
            return
        if (outcome := self._judged(source)) is not None:
            self.face.console.print(escape(said_in(self.face.language, verdicts_told(outcome))))

    def _judged(self, source: str):
        """Check, and remember what was found; None, once it was said why, for C++ that cannot be read."""
        try:
            outcome = write.check(self.card, source)
        except AnswerError as error:
            self.face.console.print(f"[yellow]{escape(refusal(error, self.face.language))}[/]")
            return None
        found = [cause.kind for cause in outcome.causes]
        self.interview.checks.append({"status": outcome.status, "kinds": found, "at_s": self.interview.elapsed_s})
        self.interview.save()
        return outcome

    def show_task(self) -> None:
        """The coding task and its first lines."""
        self.face.console.print(escape(self.card.says("ask", self.face.language)))
        self.face.code(write.outline_of(self.card, self.face.language), "python", False)

    def _keep(
        self, step: str, number: int, card: str, asked: str, typed: str, truth: str, score: float | None, began: float
    ) -> None:
        self.interview.answered(self._answered(step, number, card, asked, typed, truth, score, began))

    def _answered(
        self, step: str, number: int, card: str, asked: str, typed: str, truth: str, score: float | None, began: float,
        detail: str = "",
    ) -> Answered:  # fmt: skip
        seconds = round(self.interview.elapsed_s - began, 1)
        late = self.interview.is_late and score is not None
        return Answered(f"{step} {number}", card, asked, typed, truth, score, seconds, detail, late=late)
