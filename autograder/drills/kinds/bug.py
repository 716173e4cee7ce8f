"""Find the bug: a wrong answer, its verdict hidden. Name the line and the class; then the verdict is read.

A card names an answer of the course's catalogue (`exercise` and `answer`), which the judge checks, or holds a kernel of
its own, which the interpreter traces at the card's launch.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from autograder.drills.deck.classes import CLASSES, class_of, name_of
from autograder.drills.deck.model import AnswerError, Card, CardError, Mark, Question
from autograder.drills.values import snippet

SECONDS = 100
TEXT = {"ask": str, "why": str}
DATA: dict[str, type] = {}
OPTIONAL = {
    "exercise": str, "answer": str, "kernel": str, "launch": list, "arguments": dict, "finds": str, "line": str,
    "dynamic_shared_bytes": str, "draw": dict, "let": dict,
}  # fmt: skip
NUMBERED = re.compile(r"^\s*(\d*)[\s,:]*([a-z]?)\s*$")


@dataclass(frozen=True)
class Verdict:
    """What the judge or the interpreter says. lines: as the source is numbered; () where it names none."""

    kind: str  # a key of CLASSES
    lines: tuple[int, ...]
    text: str


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The source with its lines numbered as the verdict will number them, and the classes to choose from."""
    source, first_line = source_of(card)
    choices = tuple(name_of(kind, language) for kind in CLASSES)
    return Question(
        card, language, card.says("ask", language), "place", code=source, choices=choices, first_line=first_line
    )


def source_of(card: Card) -> tuple[str, int]:
    """The source that is shown, and the number of its first line."""
    if "kernel" in card.data:
        return snippet.source_of(card, card.data["kernel"], {}), 1
    from autograder.drills.deck.catalogue import program_of

    program = program_of(card)
    blank = len(program.source) - len(program.source.lstrip("\n"))
    return program.source.strip("\n") + "\n", program.first_line + blank


_verdicts: dict[str, Verdict] = {}  # by card id: the source never changes, and a check takes a while


def verdict_of(card: Card) -> Verdict:
    """Judge it. Raises: CardError where nothing is wrong with it."""
    if card.id not in _verdicts:
        _verdicts[card.id] = _traced(card) if "kernel" in card.data else _judged(card)
    return _verdicts[card.id]


def _traced(card: Card) -> Verdict:
    source, _ = source_of(card)
    found = snippet.run(card, source, {}).trace.findings
    if not found:
        raise CardError(card.file, card.id, "kernel", "the interpreter finds nothing wrong with it.")
    lines = tuple(line - snippet.HEADER_LINES for line in found[0].lines)
    said = _renumbered(f"{found[0].message} {found[0].remedy}".strip())
    return Verdict(class_of(found[0].kind), lines, said)


def _renumbered(text: str) -> str:
    """Lines of the source as shown: without the imports above it."""
    return re.sub(r"\b(lines?) (\d+)", lambda found: f"{found[1]} {int(found[2]) - snippet.HEADER_LINES}", text)


def _judged(card: Card) -> Verdict:
    from autograder.drills.deck.catalogue import program_of
    from autograder.drills.deck.course import exercises, judge

    program = program_of(card)
    outcome = judge.check(exercises.find(card.data["exercise"]), program, device="simt", isolate=False)
    if not outcome.causes:
        raise CardError(card.file, card.id, "answer", f"the judge says {outcome.status} and names no cause.")
    return Verdict(class_of(outcome.causes[0].kind), outcome.causes[0].lines, str(outcome))


def mark(question: Question, answer: str) -> Mark:
    """answer: a line and the letter of a class, as in "12 c"; the letter alone where no line is to blame.

    Half for the right class at a wrong line, and for the right line with a wrong class.
    """
    found = NUMBERED.match(answer.lower())
    letters = [chr(ord("a") + number) for number in range(len(CLASSES))]
    if not found or found[2] not in letters:
        raise AnswerError("12 c")
    verdict = verdict_of(question.card)
    line_right = not verdict.lines or (found[1] != "" and int(found[1]) in verdict.lines)
    class_right = list(CLASSES)[letters.index(found[2])] == verdict.kind
    score = 1.0 if line_right and class_right else 0.5 if class_right or (line_right and verdict.lines) else 0.0
    place = f"{verdict.lines[0]}: " if verdict.lines else ""
    truth = place + name_of(verdict.kind, question.language)
    return Mark(score, truth, question.card.says("why", question.language), verdict=verdict.text)


def solve(question: Question) -> str:
    """The line and the class of the verdict."""
    verdict = verdict_of(question.card)
    letter = chr(ord("a") + list(CLASSES).index(verdict.kind))
    return f"{verdict.lines[0]} {letter}" if verdict.lines else letter
