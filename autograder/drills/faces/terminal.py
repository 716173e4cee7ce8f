"""Drills in a terminal: the keyboard alone, 80 columns are enough."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.rule import Rule
from rich.syntax import Syntax

from autograder.drills import kinds
from autograder.drills.deck.model import AnswerError, Mark, Question
from autograder.drills.deck.topics import all_topics
from autograder.drills.faces.words import refusal, say, yes_or_no
from autograder.drills.learning import memory
from autograder.drills.learning.sitting import AnsweredElsewhereError, Sitting, UnknownFormError, known_of
from autograder.drills.learning.strength import UNKNOWN
from autograder.machine.scratch import ScratchFolder

WIDTH = 80
SKIP, QUIT, EDIT, CLEAR, END = ":s", ":q", ":e", ":x", "."
LEXER = {"python": "python", "cpp": "cuda"}


class Quit(Exception):
    """The learner stops; all is saved."""


class Skip(Exception):
    """The learner passes this card by."""


class Terminal:
    """A face on a console. ask: how a line is read (for tests)."""

    def __init__(self, language: str, console: Console | None = None, ask: Callable[[str], str] | None = None):
        self.language = language
        self.console = console or Console(width=min(WIDTH, Console().width), highlight=False)
        self._ask = ask or self.console.input
        self._took = 0.0  # seconds that the last answer took
        self.commands: dict[str, Callable[[], None]] = {}  # what else may be typed among lines of code
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # line editing, where Python has it

    def say(self, name: str, **values) -> str:
        """A sentence in the learner's language, safe from markup."""
        return escape(say(name, self.language, **values))

    def line(self, prompt: str = "> ") -> str:
        """One line; raises Skip and Quit where it asks for them, or where the input ends."""
        try:
            typed = self._ask(f"[bold]{escape(prompt)}[/]").strip()
        except (EOFError, KeyboardInterrupt):
            raise Quit from None
        if typed == QUIT:
            raise Quit
        if typed == SKIP:
            raise Skip
        return typed

    def lines(self, start: str, draft: str = "", keep: Callable[[str], None] | None = None) -> str:
        """Code: lines to a single dot, or what the editor leaves.

        draft: lines that were typed before an interruption; keep: hears of every line, so that none is lost.
        """
        kept = draft.splitlines()
        if kept:
            self.console.print(f"[dim]{self.say('goes_on')}[/]")
            self.code(draft, "python", False)
        while True:
            if keep:
                keep("\n".join(kept))
            try:
                typed = self._ask("")
            except (EOFError, KeyboardInterrupt):
                raise Quit from None
            command = typed.strip()
            if command == END:
                return "\n".join(kept) + "\n"
            if command == QUIT:
                raise Quit
            if command == SKIP:
                raise Skip
            if command in self.commands:
                self.commands[command]()
                continue
            if command == CLEAR:
                kept = []
                continue
            if command == EDIT:
                kept = edited("\n".join(kept) or start).splitlines()
                self.code("\n".join(kept), "python", False)
                continue
            kept.append(typed)

    def code(self, text: str, language: str, numbered: bool, first_line: int = 1) -> None:
        """Source, with line numbers where a learner has to name one."""
        shown = Syntax(
            text.rstrip("\n"), LEXER[language], theme="ansi_dark", line_numbers=numbered, start_line=first_line,
            word_wrap=True, background_color="default",
        )  # fmt: skip
        self.console.print(shown)

    def put(self, question: Question, head: str) -> None:
        """Show a question."""
        topic = all_topics()[question.card.topic]
        kind = self.say(f"kind_{question.card.kind}")
        self.console.print()
        self.console.print(Rule(f"{escape(head)}  {topic.id} {escape(topic.name(self.language))}  [bold]{kind}[/]"))
        self.console.print(escape(question.ask))
        if question.code:
            self.console.print()
            self.code(question.code, question.code_language, question.entry == "place", question.first_line)
        if question.entry == "place":
            for number, choice in enumerate(question.choices):
                self.console.print(f"  {chr(ord('a') + number)}  {escape(choice)}")
        if tolerance := kinds.tolerance_of(question.card):
            self.console.print(f"[dim]{self.say('within', percent=f'{100 * tolerance:g}')}[/]")
        if question.card.kind == "write":
            self.console.print(f"[dim]{self.say('clock', minutes=question.card.data['minutes'])}[/]")
        self.console.print(f"[dim]{self.say('help_' + help_of(question))}  {self.say('help_always')}[/]")

    def answer(
        self, question: Question, draft: str = "", keep: Callable[[str], None] | None = None
    ) -> tuple[str, float]:
        """What the learner answers, and the seconds it took. Raises: Skip, Quit."""
        began = time.monotonic()
        if question.entry == "code":
            typed = self.lines(question.code, draft, keep)
        else:
            typed = self.line(prompt_of(question.unit))
        seconds = self._took = time.monotonic() - began
        if question.entry == "ticks":
            self.show_points(question)
            typed = self.line(self.say("tick") + "\n> ")
        return typed, seconds

    def show_points(self, question: Question) -> None:
        """The model answer, as points to tick."""
        self.console.print(f"[bold]{self.say('points')}[/]")
        for number, point in enumerate(question.reveal, 1):
            self.console.print(f"  {number}  {escape(point)}", soft_wrap=False)

    def show(self, question: Question, mark: Mark) -> None:
        """What an answer earned."""
        if question.entry != "ticks":
            word = "right" if mark.right else "partly" if mark.score > 0 else "wrong"
            colour = {"right": "green", "partly": "yellow", "wrong": "red"}[word]
            said = self.say(word, percent=round(100 * mark.score)) if word == "partly" else self.say(word)
            took = f"  [dim]{self._time_of(question)}[/]" if question.card.kind == "write" else ""
            took += f"  [dim]{self.say('read_as', read=mark.read)}[/]" if mark.read else ""
            self.console.print(f"[bold {colour}]{said}[/]{took}")
            self._show_truth(question, mark)
        for name, text in (("why", mark.why), ("weak", mark.weak), ("then", mark.then), ("reply", mark.reply)):
            if text:
                self.console.print(f"[bold]{self.say(name)}[/]  {escape(text)}")
        if mark.verdict:
            self.console.print(f"[bold]{self.say('verdict')}[/]")
            self.console.print(escape(mark.verdict), style="dim")
        self.console.print(f"[dim]{self.say('source')}: {escape(question.card.source_in(self.language))}[/]")

    def _time_of(self, question: Question) -> str:
        """How long the code took, beside what is usual."""
        minutes, seconds = divmod(round(self._took), 60)
        return self.say("took", took=f"{minutes}:{seconds:02d}", minutes=question.card.data["minutes"])

    def _show_truth(self, question: Question, mark: Mark) -> None:
        if question.entry != "code":
            self.console.print(f"[bold]{self.say('answer')}[/]  {escape(mark.truth)}")
            return
        self.console.print(f"[bold]{self.say('solution' if question.card.kind == 'write' else 'accepted')}[/]")
        self.code(mark.truth, question.card.data.get("to", "python"), False)

    def is_the_same(self, question: Question, mark: Mark) -> bool:
        """Does whoever wrote it find that code in an unknown form does what the accepted one does?"""
        self._show_truth(question, mark)
        prompt = f"{self.say('same')}\n> "
        while (said := yes_or_no(self.line(prompt))) is None:
            prompt = f"{self.say('yes_or_no')}> "
        return said

    def ask_until_readable(self, question: Question, session: Sitting) -> Mark:
        """Answer a question, again where it could not be read. Raises: Skip, Quit, AnsweredElsewhereError."""
        while True:
            typed, seconds = self.answer(question, session.draft, session.keep_draft)
            try:
                return session.answer(typed, seconds)
            except AnswerError as error:
                self.console.print(f"[yellow]{escape(refusal(error, self.language))}[/]")
            except UnknownFormError as error:
                return session.answer(typed, seconds, same=self.is_the_same(question, error.mark))
            except KeyboardInterrupt:  # while a check runs
                raise Quit from None


def prompt_of(unit: str) -> str:
    """What stands before an answer: the unit that it is in, where it has one."""
    return f"({unit})> " if unit else "> "


def help_of(question: Question) -> str:
    """Which sentence says how to answer."""
    return {"ticks": "say"}.get(question.entry, question.entry)


def edited(start: str) -> str:
    """What the learner's editor leaves of a file that begins with `start`."""
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "nano")
    with ScratchFolder("answer") as folder:
        path = Path(folder) / "answer.py"
        path.write_text(start, encoding="utf-8")
        subprocess.run([*command, str(path)], check=False)
        return path.read_text(encoding="utf-8")


def run(session: Sitting, terminal: Terminal) -> None:
    """Ask until the sitting is over or the learner stops."""
    console, total = terminal.console, len(session.queue)
    console.print(f"[bold]{terminal.say('title')}[/]  [dim]{escape(str(session.store.path))}[/]")
    if not total:
        console.print(terminal.say("nothing"))
        return
    minutes = max(1, round(sum(kinds.KINDS[_kind(name)].SECONDS for name, _ in session.queue) / 60))
    opening = terminal.say("resumed", left=total - session.place) if session.resumed else ""
    console.print(opening or terminal.say("begins", count=total, minutes=minutes))
    try:
        while (question := session.current()) is not None:
            terminal.put(question, say("card", terminal.language, number=session.place + 1, count=total))
            try:
                mark = terminal.ask_until_readable(question, session)
            except Skip:
                session.skip()
                continue
            except AnsweredElsewhereError:
                console.print(f"[yellow]{terminal.say('elsewhere')}[/]")
                continue
            terminal.show(question, mark)
            if session.current() is not None:
                with contextlib.suppress(Skip):
                    terminal.line(say("again", terminal.language) + " ")
        _summary(session, terminal)
    except Quit:
        console.print(terminal.say("stopped"))


def _kind(name: str) -> str:
    from autograder.drills.deck.load import find_card

    return find_card(name).kind


def _summary(session: Sitting, terminal: Terminal) -> None:
    """How it went, what is due tomorrow, what is weak."""
    at = session.clock()
    known = known_of(session.store, at)
    tomorrow = at + timedelta(days=1)
    due = sum(memory.is_due(each, tomorrow) for each in known.memories.values())
    percent = round(100 * sum(session.scores) / len(session.scores)) if session.scores else 0
    terminal.console.print()
    terminal.console.print(terminal.say("summary", count=len(session.scores), percent=percent, tomorrow=due))
    weak = sorted(known.strengths.items(), key=lambda entry: entry[1].score)[:3]
    named = [
        f"{topic} {all_topics()[topic].name(terminal.language)}"
        for topic, strength in weak
        if strength.score < UNKNOWN.score
    ]
    if named:
        terminal.console.print(terminal.say("weakest", topics=", ".join(named)))


def interactive() -> bool:
    """Is there somebody at the keyboard?"""
    return sys.stdin is not None and sys.stdin.isatty()
