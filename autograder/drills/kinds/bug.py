"""Find the bug: a wrong answer, its verdict hidden. Name the line and the class; then the verdict is read.

A card names an answer of the course's catalogue (`exercise` and `answer`), which the judge checks, or an exercise
alone, one of whose wrong answers is drawn, or holds a kernel of its own, which the interpreter traces at its launch.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from autograder.drills.deck.classes import CLASSES, class_of, name_of
from autograder.drills.deck.model import AnswerError, Card, CardError, Mark, Question
from autograder.drills.deck.verdicts import said_in, told
from autograder.drills.kinds import letters
from autograder.drills.kinds.blame import cause_lines
from autograder.drills.quantities.number_words import in_digits
from autograder.drills.values import snippet

SECONDS = 100
TEXT = {"ask": str, "why": str}
DATA: dict[str, type] = {}
OPTIONAL = {
    "exercise": str, "answer": str, "kernel": str, "launch": list, "arguments": dict, "finds": str, "line": str,
    "dynamic_shared_bytes": str, "draw": dict, "let": dict, "causes": list,
}  # fmt: skip
LINE_LETTER = re.compile(r"\b(?:l|ln|r)\.?(?=\s*\d)", re.IGNORECASE)  # l. 37
SPELLED_LINE = re.compile(
    r"第?\s*(?<![哪某每])[零一二两三四五六七八九十百]+\s*行|\blines?\s+[a-z]+(?:[\s-][a-z]+)?(?=\W|$)", re.IGNORECASE
)
LINES = re.compile(r"(\d+)(?:\s*(?:[-–~～至到]|\bto\b)\s*(\d+))?")
FIRST_PAIR = re.compile(
    r"((?:lines?|第|#)?\s*\d+\s*行?[\s,:;，：；]*(?:class|类别?)?\s*\(?[a-i]\)?|[a-i][\s,:;，：；]+(?:lines?|第|#)?\s*\d+\s*行?)"
    r"\s*[,，;；:：(（.。—-]\s*(?=.*[^\W\d_]{2})(?!.*\d\s*[a-i]\b)(?!.*\b[a-i]\s*\d).+",
    re.IGNORECASE | re.DOTALL,
)  # 37 b (thread 0 reads s[256])
MOST_LINES = 2  # that an answer may name; more would be guessing


@dataclass(frozen=True)
class Verdict:
    """What the judge or the interpreter says. lines: as the source is numbered; () where it names none."""

    kind: str  # a key of CLASSES
    lines: tuple[int, ...]
    text: str


def pose(card: Card, language: str, rng: random.Random) -> Question:
    """The source with its lines numbered as the verdict will number them, and the classes to choose from."""
    answer = _answer_of(card, rng)
    source, first_line = source_of(card, answer)
    choices = tuple(name_of(kind, language) for kind in CLASSES)
    ask = card.says("ask", language) + _constants_told(card, answer)
    return Question(
        card, language, ask, "place", code=source, choices=choices, first_line=first_line,
        values={"answer": answer},
    )  # fmt: skip


def _constants_told(card: Card, answer: str) -> str:
    """What names of the course mean that the source uses: "TILE = 32, PITCH = 33"."""
    if not answer:
        return ""
    from autograder.drills.deck.catalogue import constants_of, program_of

    told = ", ".join(f"{name} = {value}" for name, value in constants_of(program_of(card, answer)).items())
    return f"\n{told}" if told else ""


def _answer_of(card: Card, rng: random.Random) -> str:
    """The catalogued answer that is asked about; "" for a kernel of the card's own."""
    if "kernel" in card.data:
        return ""
    from autograder.drills.deck.catalogue import drawn_answer

    return drawn_answer(card, rng)


def source_of(card: Card, answer: str) -> tuple[str, int]:
    """The source that is shown, without comments, and the number of its first line."""
    if "kernel" in card.data:
        return snippet.source_of(card, card.data["kernel"], {}), 1
    from autograder.drills.deck.catalogue import program_of, without_comments

    program = program_of(card, answer)
    blank = len(program.source) - len(program.source.lstrip("\n"))
    return without_comments(program.source.strip("\n") + "\n"), program.first_line + blank


_verdicts: dict[tuple[str, str], Verdict] = {}  # by card and answer: sources never change, and a check takes a while


def verdict_of(question: Question) -> Verdict:
    """Judge what the question shows. Raises: CardError where nothing is wrong with it."""
    card, answer = question.card, question.values["answer"]
    if (card.id, answer) not in _verdicts:
        _verdicts[card.id, answer] = _judged(card, answer) if answer else _traced(card)
    return _verdicts[card.id, answer]


def _traced(card: Card) -> Verdict:
    source, _ = source_of(card, "")
    found = snippet.run(card, source, {}).trace.findings
    if not found:
        raise CardError(card.file, card.id, "kernel", "the interpreter finds nothing wrong with it.")
    lines = tuple(line - snippet.HEADER_LINES for line in found[0].lines)
    said = _renumbered(f"{found[0].message} {found[0].remedy}".strip())
    return Verdict(class_of(found[0].kind), lines, said)


def _renumbered(text: str) -> str:
    """Lines of the source as shown: without the imports above it."""
    return re.sub(r"\b(lines?) (\d+)", lambda found: f"{found[1]} {int(found[2]) - snippet.HEADER_LINES}", text)


def _judged(card: Card, answer: str) -> Verdict:
    from autograder.drills.deck.catalogue import program_of
    from autograder.drills.deck.course import exercises, judge

    program = program_of(card, answer)
    outcome = judge.check(exercises.find(card.data["exercise"]), program, device="simt", isolate=False)
    if outcome.passed:
        raise CardError(card.file, card.id, "answer", f"the judge finds nothing wrong with {answer!r}.")
    if not outcome.causes:  # wrong, and nobody can say where
        return Verdict(class_of(outcome.status), (), told(outcome))
    return Verdict(class_of(outcome.causes[0].kind), outcome.causes[0].lines, told(outcome))


def mark(question: Question, answer: str) -> Mark:
    """answer: a line and the letter of a class, as in "12 c" or "c, line 12"; the letter where no line is to blame.

    The line of the symptom counts, and so does that of the cause. Half for the right class at a wrong line, and for
    the right line with a wrong class.
    """
    lines, cls = read_place(answer)
    verdict = verdict_of(question)
    blamed = {*verdict.lines, *cause_lines(question.card, question.code, question.first_line)}
    line_right = not verdict.lines or (bool(lines) and lines <= blamed)
    class_right = cls == verdict.kind
    score = 1.0 if line_right and class_right else 0.5 if class_right or (line_right and verdict.lines) else 0.0
    truth = place_told(verdict, blamed) + name_of(verdict.kind, question.language)
    why, told_so = question.card.says("why", question.language), said_in(question.language, verdict.text)
    return Mark(score, truth, why, verdict=told_so)


def read_place(answer: str) -> tuple[set[int], str]:
    """The lines and the class that an answer names, in any order: "37 b", "line 37, b", "b 37", "37b".

    Raises: AnswerError.
    """
    choices = dict(zip("abcdefghijklmnopqrstuvwxyz", CLASSES, strict=False))
    for letter, kind in choices.items():
        for name in (*CLASSES[kind].values(), kind.replace("_", " "), kind):
            answer = re.sub(rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_])", f" {letter} ", answer, flags=re.IGNORECASE)
    text = LINE_LETTER.sub(" ", letters.plain(SPELLED_LINE.sub(lambda found: in_digits(found[0]), answer)))
    if remarked := FIRST_PAIR.fullmatch(text):
        text = remarked[1]
    lines: set[int] = set()
    for first, last in LINES.findall(text):
        lines |= {int(first), int(last or first), *range(int(first), min(int(last or first), int(first) + 9))}
    named = letters.named_letters(re.sub(r"\d+", " ", text), "".join(choices))
    if len(named) != 1 or len(lines) > MOST_LINES:
        raise AnswerError("12 c")
    return lines, choices[named]


def place_told(verdict: Verdict, blamed: set[int]) -> str:
    """The line that the verdict names first, and those that count as well."""
    if not verdict.lines:
        return ""
    others = sorted(blamed - {verdict.lines[0]})
    return f"{verdict.lines[0]}{''.join(f' / {line}' for line in others)}: "


def solve(question: Question) -> str:
    """The line and the class of the verdict."""
    verdict = verdict_of(question)
    letter = chr(ord("a") + list(CLASSES).index(verdict.kind))
    return f"{verdict.lines[0]} {letter}" if verdict.lines else letter
