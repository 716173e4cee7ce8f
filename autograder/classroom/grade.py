"""Judge a class: every submission in a folder, many at a time, into verdicts, feedback pages and a gradebook.

It fails closed: what could not be judged is marked as needing review, is listed, and is tried again by `resume`. Each
judgement is in the ledger before anything is made of it, so that a run that was cut off goes on where it was.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.classroom import course, whole_files, workers
from autograder.classroom.alike import look_alike
from autograder.classroom.class_file import ClassRules
from autograder.classroom.commit import fixed_first
from autograder.classroom.jail import namespaces as jail
from autograder.classroom.judging import WHY_JAIL, judge_task, judged
from autograder.classroom.ledger import book as ledger
from autograder.classroom.ledger.chain import LedgerError
from autograder.classroom.ledger.lock import InUse
from autograder.classroom.pages import feedback, gradebook, lms, page, summary, verdict
from autograder.classroom.progress_bar import ProgressBar
from autograder.classroom.reading.answers import failure_in_words
from autograder.classroom.reading.inbox import HandedIn, look_into
from autograder.classroom.reading.reader import read_all
from autograder.classroom.under_way import UnderWay, Waiting, received_before

IN_THE_WAY = (IsADirectoryError, NotADirectoryError, FileExistsError, PermissionError)
NO_FOLDER = "{path} cannot be written ({why}). Name a folder that you may write into as --out."
SHOWN = 5  # folders that are named
NOT_WRITTEN = "{path} cannot be written ({why}). Move what is in its place away, then grade again with --resume."


class GradeError(ValueError):
    """A class cannot be graded as asked; the message says why and what to type instead."""


@dataclass(frozen=True)
class Options:
    """How a class is graded.

    scheduler: address of a Dask scheduler, "" for this machine; certificates: folder of those it wants; resume: go on
    with the last run, with its seed and what it has judged; trusted: where no jail can be made, judge without one (as
    if you gave students a shell); seed: of a verdict to repeat, "" for a fresh one, so that the values of every case
    are drawn anew; rules: of the class.
    """

    scheduler: str = ""
    resume: bool = False
    trusted: bool = False
    n_workers: int | None = None
    seed: str = ""
    rules: ClassRules = ClassRules()
    certificates: str = ""


@dataclass
class Graded:
    """What grading did. `failed` says, by submission and exercise, why an answer has no verdict."""

    verdicts: list[dict[str, Any]] = field(default_factory=list)
    kept: int = 0  # verdicts for which nothing had to be judged again
    failed: dict[str, str] = field(default_factory=dict)
    left_alone: dict[str, str] = field(default_factory=dict)  # what in the folder is no submission, and why
    alike: list[tuple[str, ...]] = field(default_factory=list)  # students whose names look alike


def grade_class(
    submissions_folder: str | Path, out: str | Path, unit: str | None = None, options: Options = Options()
) -> tuple[dict[str, Any], str]:
    """Judge ``submissions/<student>/<unit>/*.ipynb``; write ledger, verdicts/, feedback/ and gradebook below `out`.

    unit: only this one. Returns: (JSON-ready summary, the same as text).  Raises: GradeError.
    """
    source, out = Path(submissions_folder), Path(out)
    _need_a_jail(options)
    handed_in, left_alone = handed_in_below(source, unit or "")
    try:
        with ledger.opened(out) as book:
            whole_files.tidy(out)
            graded = grade(handed_in, out / "verdicts", book, options)
            graded.left_alone = left_alone
            return publish(graded, out, book, options.rules)
    except (course.CourseError, workers.SchedulerError, LedgerError, InUse) as error:
        raise GradeError(str(error)) from error
    except IN_THE_WAY as error:
        raise GradeError(_in_words(error, NO_FOLDER)) from error
    except OSError as error:
        raise GradeError(f"{out} cannot be written ({error}). What was judged is kept: go on with --resume.") from error


def _need_a_jail(options: Options) -> None:
    """Nothing is judged where nothing can be held. Raises: GradeError. Workers elsewhere see for themselves."""
    if not options.scheduler and not options.trusted and (why := jail.unavailable()):
        raise GradeError(f"{WHY_JAIL} {why} {jail.remedy()}")


def handed_in_below(source: Path, unit: str) -> tuple[Sequence[HandedIn], dict[str, str]]:
    """The notebooks to grade, and what else lies in the folder, with the reason. Raises: GradeError."""
    if not source.is_dir():
        raise GradeError(f"There is no folder {source}. Pass the one that holds <student>/<unit>/<unit>.ipynb.")
    if unit and unit not in course.units():
        raise GradeError(str(course.no_such_unit(unit)))
    inbox = look_into(source, course.units(), unit)
    if not inbox.handed_in:
        if elsewhere := _one_level_off(source, unit):
            names = " and ".join(map(str, elsewhere))
            does = "does: pass that" if len(elsewhere) == 1 else "do: pass the one with what was handed in"
            raise GradeError(f"{source} holds no <student>/{unit or '<unit>'}/*.ipynb, but {names} {does}.")
        left = "".join(f" {place}: {why}" for place, why in sorted(inbox.left_alone.items())[:3])
        raise GradeError(f"{source} holds no <student>/{unit or '<unit>'}/*.ipynb, so there is nothing to grade.{left}")
    return inbox.handed_in, inbox.left_alone


def _one_level_off(source: Path, unit: str) -> list[Path]:
    """The folders below, or else the one above, that hold submissions: nbgrader makes others beside those."""
    below = [path for path in sorted(source.iterdir())[:50] if path.is_dir() and not path.is_symlink()]
    found = [path for path in below if look_into(path, course.units(), unit).handed_in]
    above = [path for path in (source.absolute().parent,) if look_into(path, course.units(), unit).handed_in]
    return found[:SHOWN] or above


def grade(handed_in: Sequence[HandedIn], folder: Path, book: ledger.Book, options: Options = Options()) -> Graded:
    """Read and judge submissions, and save a verdict for each as soon as its last answer is judged."""
    graded = Graded()
    seeds = _seeds(sorted({one.unit for one in handed_in}), book, options)
    book.begin(seeds, options.resume)
    under_way = []
    with ProgressBar("reading", len(handed_in)) as bar:
        for reading in read_all(handed_in, course.unit, min(2, os.cpu_count() or 1)):
            one = UnderWay.of(reading, seeds[reading.unit.id], options.trusted)
            received_before(one, book)
            if options.resume:
                one.take_kept(book)
            under_way.append(one)
            bar.step(one.key)
    graded.kept = sum(one.kept for one in under_way)
    waiting = Waiting(under_way)
    waiting.ask_anew(fixed_first(waiting.task, book, options))
    with ProgressBar("judging", len(waiting.tasks)) as bar:
        _close_complete(under_way, folder, book, graded)
        for answer in workers.answers(
            waiting.tasks, options.scheduler, options.n_workers, certificates=options.certificates
        ):
            complete = waiting.take(answer, book)
            bar.step(waiting.named(answer.key), page.look_of(complete[0].outcomes[waiting.named(answer.key)]).words)
            _close_complete(complete, folder, book, graded)
    graded.verdicts.sort(key=lambda found: (found["unit"], found["student"], found["notebook"]))
    return graded


def _seeds(units: Sequence[str], book: ledger.Book, options: Options) -> dict[str, str]:
    """What the values are drawn from, by unit: what goes on keeps its seed. Raises: LedgerError."""
    known = {unit: book.seeds[unit] for unit in units if unit in book.seeds} if options.resume else {}
    others = set(known.values()) - {options.seed}
    if options.seed and others:
        raise LedgerError(f"--resume goes on with the seed {min(others)}. Leave out --seed, or leave out --resume.")
    seed = options.seed or fresh_seed()
    return {unit: known.get(unit, seed) for unit in units}


def fresh_seed() -> str:
    """A seed that nobody can know before the grading run that it belongs to."""
    return secrets.token_hex(16)


def judge_submission(handed_in: HandedIn, trusted: bool = False, folder: Path | None = None) -> dict[str, Any]:
    """The verdict on one submission, judged in this process, one answer after the other.

    folder: of the verdicts, to save it there, with its record in the ledger beside it. Raises: LedgerError, InUse.
    """
    (reading,) = read_all([handed_in], course.unit, 1)
    if folder is None:
        one = UnderWay.of(reading, fresh_seed(), trusted)
        one.outcomes |= {exercise_id: judged(task) for exercise_id, task in one.tasks().items()}
        return one.document()
    with ledger.opened(folder.parent) as book:
        if reading.unit.id not in book.seeds:
            book.begin({reading.unit.id: fresh_seed()}, resumes=False)
        one = UnderWay.of(reading, book.seeds[reading.unit.id], trusted)
        received_before(one, book)
        one.take_kept(book)
        waiting = Waiting([one])
        waiting.ask_anew(fixed_first(waiting.task, book, Options(), _here))
        for key, task in waiting.tasks.items():
            waiting.take(workers.Answer(key, judge_task(task)), book)
        document = one.document()
        verdict.save(folder, document)
        book.publish(document, verdict.digest(document))
    return document


def _here(tasks: workers.Tasks) -> Iterable[workers.Answer]:
    """Every task's answer, from this process."""
    return (workers.Answer(key, judge_task(task)) for key, task in tasks.items())


def _close_complete(under_way: Iterable[UnderWay], folder: Path, book: ledger.Book, graded: Graded) -> None:
    """Save the verdict of every submission whose answers are all judged. A file that needs none is left as it is."""
    saved = {(found["student"], found["unit"], found["notebook"]) for found in graded.verdicts}
    for one in under_way:
        if one.complete and ledger.name_of(one.submission) not in saved:
            close(one, folder, book, graded)


def close(one: UnderWay, folder: Path, book: ledger.Book, graded: Graded) -> None:
    """Save one verdict. What goes wrong with it is listed under its name, and the others go on."""
    try:
        document = one.document()
        verdict.save(folder, document)
        book.publish(document, verdict.digest(document))
    except IN_THE_WAY as error:
        graded.failed[one.key] = _in_words(error, NOT_WRITTEN)
        return
    except (OSError, LedgerError):
        raise  # a full disk is nobody's in particular
    except Exception as error:
        graded.failed[one.key] = f"No verdict could be written ({failure_in_words(error)})."
        return
    for entry in document["exercises"]:
        graded.failed |= {f"{one.key}: {what}": why for what, why in page.to_review(entry).items()}
    graded.verdicts.append(document)


def _in_words(error: OSError, words: str) -> str:
    return words.format(path=error.filename2 or error.filename, why=error.strerror)


def publish(graded: Graded, out: Path, book: ledger.Book, rules: ClassRules) -> tuple[dict[str, Any], str]:
    """Feedback pages of this run, and the gradebook of every verdict in the folder, which is a term's."""
    verdicts, odd = verdict.load_all(out / "verdicts", book.published)
    graded.left_alone |= odd
    graded.alike = look_alike.groups(found["student"] for found in verdicts)
    for found in graded.verdicts:
        try:
            feedback.write_feedback(out / "feedback", [found])
        except IN_THE_WAY as error:
            key = f"{found['student']}/{found['unit']}/{found['notebook']}"
            graded.failed[key] = _in_words(error, NOT_WRITTEN)
    lms.write(out, verdicts, rules)
    table, html = gradebook.write_gradebook(out, verdicts)
    return _summary(graded, table, html), summary.as_text(graded, table, html)


def _summary(graded: Graded, table: Path, html: Path) -> dict[str, Any]:
    totals = ("points", "max_points", "speed_points", "max_speed_points")
    keys = ("student", "unit", "notebook", *totals, "refused", "review", "sha256")
    return {
        "graded": [{key: found[key] for key in keys} for found in graded.verdicts],
        "kept": graded.kept,
        "failed": graded.failed,
        "left_alone": graded.left_alone,
        "look_alike": graded.alike,
        "trouble": {
            found["student"] + "/" + found["unit"]: found["trouble"] for found in graded.verdicts if found["trouble"]
        },
        "gradebook_csv": str(table),
        "gradebook_html": str(html),
    }
