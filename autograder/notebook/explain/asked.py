"""One question on a learner's kernel, with what the interpreter knows; and how a reply to it is marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from autograder.answer.program import Program
from autograder.contract import Case, Exercise, Sizes
from autograder.words import count_text
from simt.tracing import Trace

CLOSE = 0.01  # of what was measured, within which a reply is right: a ratio may be rounded


class ReplyError(ValueError):
    """A reply that cannot be marked: too many, or no number."""


@dataclass(frozen=True)
class Seen:
    """What a right answer does on the sizes that its pictures show."""

    exercise: Exercise
    program: Program
    trace: Trace
    sizes: Sizes

    @property
    def on(self) -> str:
        """The sizes in words: "On n = 1025"."""
        return f"On {Case(self.sizes).name}"

    def quoted(self, line: int) -> str:
        """A line of the cell as a sentence names it."""
        row = self.program.quotable
        lines = row.source.splitlines()
        text = lines[line - row.first_line].split("#")[0].strip()
        return f"line {line}, `{text}`"


@dataclass(frozen=True)
class Probe:
    """A question whose reply is one number.

    truths: every number that is right. why: one sentence, shown with the mark.
    """

    asks: str
    truths: tuple[float, ...]
    why: str

    def is_right(self, said: float) -> bool:
        """Whether a reply is one of the numbers, or within one per cent of one that is not whole."""
        return any(
            said == truth or not float(truth).is_integer() and math.isclose(said, truth, rel_tol=CLOSE)
            for truth in self.truths
        )

    @property
    def truth(self) -> str:
        """The right number, or all of them: "4.03", "9 or 12"."""
        return " or ".join(f"{truth:,.0f}" if float(truth).is_integer() else f"{truth:.2f}" for truth in self.truths)


@dataclass(frozen=True, repr=False)
class Explained:
    """Replies and their marks. rows: what was asked, said, is true, right or not, and why."""

    rows: tuple[tuple[str, Any, str, bool, str], ...]

    @property
    def right(self) -> int:
        """How many replies are right."""
        return sum(row[3] for row in self.rows)

    def __repr__(self) -> str:
        return f"{self.right} of {len(self.rows)} right."


def marked(questions: Sequence[Probe], replies: Sequence[Any]) -> Explained:
    """Mark replies in the order of the questions; `...` leaves one out.

    Raises: ReplyError, which says what is wrong with which reply.
    """
    if len(replies) > len(questions):
        raise ReplyError(
            f"{count_text(len(replies), 'reply', 'replies')} for {count_text(len(questions), 'question')}."
        )
    for number, said in enumerate(replies, start=1):
        if said is not ... and (isinstance(said, bool) or not isinstance(said, Real) or not math.isfinite(said)):
            raise ReplyError(f"Reply {number} is {said!r}. Every reply is one number; ... leaves a question out.")
    told = zip(questions, replies, strict=False)
    return Explained(
        tuple((one.asks, said, one.truth, one.is_right(float(said)), one.why) for one, said in told if said is not ...)
    )
