"""Follow the remedies: every wrong answer of the catalogue is changed as its verdict says, and judged again.

    python -m tools.check_remedies
    python -m tools.check_remedies --unit 05_warps
    python -m tools.check_remedies --exercise warps.first_above

Each answer is followed once, and again when something changed that its verdict follows from.
A remedy that says what to type, and an edit that the last hint shows, are carried out; all others are advice.
Ends with a failure where an answer that was changed as told earns the same verdict again, or fewer points.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from autograder import exercises
from autograder.contract import Exercise
from autograder.exercises.catalogue import Answer, answers_for, has_answers
from autograder.judge import check
from autograder.outcome import Outcome
from autograder.repair.followed import followed, names_nothing
from tools.check_exercises import exercises_named
from tools.parts.pieces import Kept, Run

MOST_NAMELESS = 0.05  # of the wrong answers, whose verdict names nothing
STATES = ("helps", "advice", "names nothing", "does not help")


@dataclass(frozen=True)
class Followed:
    """One wrong answer. state: one of STATES; seen: what was told before and after, where that did not help."""

    exercise: str
    answer: str
    state: str
    seen: str = ""


def follow(exercise: Exercise, answer: Answer) -> Followed:
    """Judge an answer, change it as the verdict says, and judge it again."""
    before = _judged(exercise, answer.program)
    if before.costly or not before.causes or before.passed:
        return Followed(exercise.id, answer.name, "advice")
    cause = before.causes[0]
    edit = followed(exercise, answer.program, cause)
    if edit is None:
        return Followed(exercise.id, answer.name, "names nothing" if names_nothing(cause) else "advice")
    after = _judged(exercise, replace(answer.program, source=edit.source))
    if helps(before, after):
        return Followed(exercise.id, answer.name, "helps")
    return Followed(exercise.id, answer.name, "does not help", f"{before}\n{edit.becomes}\n{after}")


def helps(before: Outcome, after: Outcome) -> bool:
    """Whether an answer is better than it was: right, or no worse and with something else to say."""
    if after.passed or after.costly:
        return True
    said = (before.misconception, before.causes[0].lines, before.causes[0].says)
    again = (after.misconception, after.causes[0].lines, after.causes[0].says) if after.causes else ()
    return after.points >= before.points and said != again


def _judged(exercise: Exercise, program) -> Outcome:
    return check(exercise, program, device="simt", isolate=False)


def wrong_answers(exercise: Exercise) -> list[Answer]:
    """Those that are told as wrong; what hangs or dies is left alone."""
    return [one for one in answers_for(exercise) if one.outcome == "Wrong"] if has_answers(exercise) else []


def followed_by_name(identifier: str, name: str) -> dict[str, str]:
    """What comes of one answer, JSON-ready. For the processes: names travel, answers do not."""
    exercise = exercises.find(identifier)
    return asdict(follow(exercise, next(one for one in wrong_answers(exercise) if one.name == name)))


def main(arguments: list[str] | None = None) -> int:
    """Print what did not help, and the counts. Returns 1 for any, for too many that name nothing, and for a part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unit", action="append", help="as in 05_warps, or several in this order")
    parser.add_argument("--exercise", action="append", help="as in warps.first_above")
    run, given = Run.asked_for(parser, arguments)
    chosen = exercises_named(given.unit, given.exercise)
    pieces = [(one.id, answer.name) for one in chosen for answer in wrong_answers(one)]
    rows = [Followed(**row) for _, row in run.over(followed_by_name, pieces, Kept("remedies"))]
    code = told(rows)
    if left := len(pieces) - len(rows):
        print(f"{left:,} of {len(pieces):,} answers are left. The same command goes on with them.")
    return max(code, int(left > 0))


def told(rows: Sequence[Followed]) -> int:
    """The rows as text; the exit code."""
    for row in rows:
        if row.state in ("does not help", "names nothing"):
            print(f"{row.exercise} {row.answer}: {row.state}\n{row.seen}".rstrip())
    counts = Counter(row.state for row in rows)
    print(", ".join(f"{counts[state]} {state}" for state in STATES), f"of {len(rows)} wrong answers")
    too_many = counts["names nothing"] > MOST_NAMELESS * max(len(rows), 1)
    return 1 if counts["does not help"] or too_many else 0


if __name__ == "__main__":
    sys.exit(main())
