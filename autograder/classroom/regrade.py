"""Judge some exercises of a graded class anew, show what would change, and publish that only when it is asked for.

The values stay those of the run: what differs comes from the contract or the judge. What was judged anew is in the
ledger at once, so that publishing judges nothing again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.classroom import course, workers
from autograder.classroom.commit import fixed_first
from autograder.classroom.grade import Graded, GradeError, Options, close, handed_in_below, publish
from autograder.classroom.ledger import book as ledger
from autograder.classroom.ledger.chain import LedgerError
from autograder.classroom.ledger.lock import InUse
from autograder.classroom.pages import page
from autograder.classroom.progress_bar import ProgressBar
from autograder.classroom.reading.reader import read_all
from autograder.classroom.replay_verdict import essence, in_words, reasons
from autograder.classroom.under_way import UnderWay, received_before
from autograder.classroom.wire import Reply
from autograder.words import count_text, printable

NOT_PUBLISHED = "Nothing is published yet. The same command with --publish does it."


@dataclass(frozen=True)
class Difference:
    """One answer that comes out differently. gained: in points, less than 0 for lost ones; why: what has changed."""

    student: str
    exercise: str
    was: str
    now: str
    gained: float
    why: tuple[str, ...]


def regrade(
    submissions: Path, out: Path, ids: Sequence[str], options: Options, publish_it: bool = False
) -> tuple[dict[str, Any], str]:
    """Judge these exercises anew for everybody who has a verdict on the bytes that lie in the folder now.

    Returns: (JSON-ready differences, the same as text). Raises: GradeError.
    """
    units = [name for name in course.units() if {each.id for each in course.unit(name).exercises} & set(ids)]
    known = {each.id for name in units for each in course.unit(name).exercises}
    if unknown := sorted(set(ids) - known):
        raise GradeError(f"There is no exercise {unknown[0]!r}. `warpbook list` names them.")
    if not ledger.lies_in(out):
        raise GradeError(f"No class was ever graded into {out}. Name the folder that `warpbook grade` wrote, as --out.")
    try:
        with ledger.opened(out) as book:
            graded = [one for unit in units for one in _graded(submissions, unit, book, options)]
            different = _judged_anew(graded, ids, book, options)
            if publish_it:
                _publish(graded, out, book, options)
            return _said(different, len(graded), publish_it)
    except (course.CourseError, workers.SchedulerError, LedgerError, InUse) as error:
        raise GradeError(str(error)) from error
    except OSError as error:
        raise GradeError(f"{out} cannot be written ({error}). The same command goes on where it was.") from error


def _graded(submissions: Path, unit: str, book: ledger.Book, options: Options) -> list[UnderWay]:
    """The submissions of a unit that have a verdict, with the judgements that it is made from."""
    handed_in, _ = handed_in_below(submissions, unit)
    if unit not in book.seeds:
        raise GradeError(f"Unit {unit} was never graded into this folder. `warpbook grade` does that.")
    found = []
    for reading in read_all(handed_in, course.unit, min(2, os.cpu_count() or 1)):
        one = UnderWay.of(reading, book.seeds[unit], options.trusted)
        received_before(one, book)
        one.take_kept(book, review_too=True)
        if one.complete:
            found.append(one)
    return found


def _judged_anew(graded: list[UnderWay], ids: Sequence[str], book: ledger.Book, options: Options) -> list[Difference]:
    """Judge what was not yet judged by this judge on these contracts, and compare."""
    tasks = {task.key: task for one in graded for exercise_id, task in one.tasks().items() if exercise_id in ids}
    exercises = {each.id: each for one in graded for each in one.unit.exercises}
    open_ = {key: task for key, task in tasks.items() if not book.held(key, exercises[task.exercise])}
    tasks |= fixed_first(open_, book, options)
    missing = {key: tasks[key].to_bytes() for key in open_}
    with ProgressBar("judging", len(missing)) as bar:
        for answer in workers.answers(missing, options.scheduler, options.n_workers, certificates=options.certificates):
            task = tasks[answer.key]
            reply = None if isinstance(answer.reply, Exception) else Reply.from_bytes(answer.reply)
            if reply is not None and page.fault_of(reply.outcome.status) != page.OURS:  # else it stays as it was
                book.hold(exercises[task.exercise], task, reply, answer.deaths)
            bar.step(task.exercise)
    return [found for one in graded for found in _differences(one, ids, book)]


def _differences(one: UnderWay, ids: Sequence[str], book: ledger.Book) -> list[Difference]:
    found = []
    for exercise_id, task in one.tasks().items():
        before = book.judged(task.key)
        (exercise,) = (each for each in one.unit.exercises if each.id == exercise_id)
        now = book.held(task.key, exercise) if exercise_id in ids else None
        if now is None or before is None or essence(before.outcome) == essence(now.outcome):
            continue
        gained = round(now.outcome.points - before.outcome.points, 2)
        why = reasons(before, Reply(now.outcome, now.by), exercise)
        was, is_now = in_words(before.outcome), in_words(now.outcome)
        found.append(Difference(one.submission.student, exercise_id, was, is_now, gained, why))
    return found


def _publish(graded: list[UnderWay], out: Path, book: ledger.Book, options: Options) -> None:
    """What was judged anew counts from now on: verdicts, feedback pages and the gradebook are written again."""
    for key in {task.key for one in graded for task in one.tasks().values()}:
        book.adopt(key)
    done = Graded()
    for one in graded:
        one.take_kept(book, review_too=True)
        close(one, out / "verdicts", book, done)
    publish(done, out, book, options.rules)


def _said(different: list[Difference], n: int, published: bool) -> tuple[dict[str, Any], str]:
    come = "comes" if len(different) == 1 else "come"
    lines = [f"{count_text(n, 'submission')}, {count_text(len(different), 'answer')} {come} out differently."]
    for one in different:
        lines.append(f"  {one.student}  {one.exercise}: was {one.was}; is {one.now} ({one.gained:+g})")
    for why in sorted({why for one in different for why in one.why}):
        lines.append(f"  why: {why}")
    lines.append("Published." if published else NOT_PUBLISHED)
    said = {"submissions": n, "different": [asdict(one) for one in different], "published": published}
    return said, "\n".join(map(printable, lines))
