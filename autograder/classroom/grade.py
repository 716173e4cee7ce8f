"""Judge a class: every submission in a folder, many at a time, into verdicts, feedback pages and a gradebook.

It fails closed: what could not be judged is marked as needing review, is listed, and is tried again by `resume`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.classroom import course, workers
from autograder.classroom.judging import judged
from autograder.classroom.pages import feedback, gradebook, page, verdict
from autograder.classroom.progress_bar import ProgressBar
from autograder.classroom.reading.answers import Answer, failure_in_words
from autograder.classroom.reading.reader import Reading, read_all
from autograder.classroom.receive import HandedIn, Received, look_into
from autograder.classroom.wire import Task, outcome_from_bytes
from autograder.outcome import Outcome


class GradeError(ValueError):
    """A class cannot be graded as asked; the message says why and what to type instead."""


@dataclass
class Graded:
    """What grading did. `failed` says, by submission and exercise, why an answer has no verdict."""

    verdicts: list[dict[str, Any]] = field(default_factory=list)
    kept: int = 0  # verdicts of an earlier run that still fit
    failed: dict[str, str] = field(default_factory=dict)
    left_alone: dict[str, str] = field(default_factory=dict)  # what in the folder is no submission, and why


@dataclass
class _Open:
    """A submission on its way: its answers, and their outcomes as they come in."""

    submission: Received
    unit: course.Unit
    answers: Sequence[Answer]
    seed: str
    outcomes: dict[str, Outcome] = field(default_factory=dict)


def grade_class(
    submissions_folder: str | Path,
    out: str | Path,
    *,
    unit: str | None = None,
    scheduler: str | None = None,
    resume: bool = False,
    trust_host_code: bool = False,
    n_workers: int | None = None,
    seed: str = "",
) -> tuple[dict[str, Any], str]:
    """Judge ``submissions/<student>/<unit>/*.ipynb``; write verdicts/, feedback/ and the gradebook below `out`.

    unit: only this one; scheduler: address of a Dask scheduler; resume: keep verdicts on the same bytes;
    trust_host_code: where no jail can be made, run host functions without one (as if you gave students a shell);
    seed: of a verdict to repeat; by default the values of every case are drawn afresh, and the seed is in each verdict.
    Returns: (JSON-ready summary, the same as text).  Raises: GradeError.
    """
    source, out = Path(submissions_folder), Path(out)
    if not source.is_dir():
        raise GradeError(f"There is no folder {source}. Pass the one that holds <student>/<unit>/<unit>.ipynb.")
    if unit and unit not in course.units():
        raise GradeError(str(course.no_such_unit(unit)))
    inbox = look_into(source, course.units(), unit or "")
    if not inbox.handed_in:
        left = "".join(f" {place}: {why}" for place, why in sorted(inbox.left_alone.items())[:3])
        raise GradeError(f"{source} holds no <student>/{unit or '<unit>'}/*.ipynb, so there is nothing to grade.{left}")
    try:
        graded = grade(inbox.handed_in, out / "verdicts", scheduler or "", resume, trust_host_code, n_workers, seed)
    except (course.CourseError, workers.SchedulerError) as error:
        raise GradeError(str(error)) from error
    except OSError as error:
        raise GradeError(f"{out} cannot be written ({error}). What was judged is kept: go on with --resume.") from error
    graded.left_alone = inbox.left_alone
    verdicts, odd = verdict.load_all(out / "verdicts")  # those of earlier runs as well: one gradebook for the term
    graded.left_alone |= odd
    feedback.write_feedback(out / "feedback", graded.verdicts)
    table, html = gradebook.write_gradebook(out, verdicts)
    return _summary(graded, table, html), summary_text(graded, table, html)


def grade(
    handed_in: Sequence[HandedIn],
    folder: Path,
    scheduler: str = "",
    resume: bool = False,
    trust_host_code: bool = False,
    n_workers: int | None = None,
    seed: str = "",
) -> Graded:
    """Read and judge submissions, and save a verdict for each as soon as its last answer is judged."""
    graded = Graded()
    seed = seed or fresh_seed()
    folder.mkdir(parents=True, exist_ok=True)
    fresh = []
    with ProgressBar("reading", len(handed_in)) as bar:
        for reading in read_all(handed_in, course.unit, min(2, os.cpu_count() or 1)):
            kept = _kept(folder, reading.submission) if resume else None
            if kept:
                graded.verdicts.append(kept)
                graded.kept += 1
            else:
                fresh.append(_opened(reading, seed))
            bar.step(reading.submission.key)
    tasks, wanted = _tasks(fresh, trust_host_code)
    with ProgressBar("judging", len(tasks)) as bar:
        _close_complete(fresh, folder, graded)
        for key, answer in workers.answers(tasks, scheduler, n_workers):
            for open_, exercise_id in wanted[key]:
                open_.outcomes[exercise_id] = _outcome(open_, exercise_id, answer)
            bar.step(wanted[key][0][1])
            _close_complete([open_ for open_, _ in wanted[key]], folder, graded)
    graded.verdicts.sort(key=lambda found: (found["unit"], found["student"], found["notebook"]))
    return graded


def fresh_seed() -> str:
    """A seed that nobody can know before the grading run that it belongs to."""
    return secrets.token_hex(16)


def _outcome(open_: _Open, exercise_id: str, answer: bytes | Exception) -> Outcome:
    """What a worker answered; where it gave no outcome, that is our failure and needs review."""
    if not isinstance(answer, Exception):
        try:
            return outcome_from_bytes(answer)
        except (ValueError, KeyError, TypeError) as error:
            answer = error
    (asked,) = (one for one in open_.answers if one.exercise.id == exercise_id)
    reason = f"The judge gave no verdict ({type(answer).__name__}: {answer}). That is a mistake of ours, not of yours."
    return verdict.not_checkable(asked, reason, "Grade again with --resume; if this stays, please report it.")


def judge_submission(handed_in: HandedIn, trust_host_code: bool = False) -> dict[str, Any]:
    """The verdict on one submission, judged in this process, one answer after the other."""
    (reading,) = read_all([handed_in], course.unit, 1)
    open_ = _opened(reading, fresh_seed())
    tasks, wanted = _tasks([open_], trust_host_code)
    for key, task in tasks.items():
        outcome = judged(Task.from_bytes(task))
        for _, exercise_id in wanted[key]:
            open_.outcomes[exercise_id] = outcome
    return _document(open_)


def _opened(reading: Reading, seed: str) -> _Open:
    """A submission whose refused answers, and those that could not be read, have their outcome at once."""
    open_ = _Open(reading.submission, reading.unit, reading.answers, seed)
    for answer in reading.answers:
        if answer.review:
            says = f"{answer.review} That is for your instructor to look at; it says nothing about your answer."
            open_.outcomes[answer.exercise.id] = verdict.not_checkable(answer, says, "Grade again with --resume.")
        elif answer.refused:
            open_.outcomes[answer.exercise.id] = verdict.refused_outcome(answer)
    return open_


def _tasks(opened: list[_Open], trusted: bool) -> tuple[workers.Tasks, dict[str, list[tuple[_Open, str]]]]:
    """What is to be judged, each distinct program once, and who waits for it."""
    tasks: workers.Tasks = {}
    wanted: dict[str, list[tuple[_Open, str]]] = {}
    for open_ in opened:
        for answer in open_.answers:
            if answer.program is not None:
                task = Task(answer.exercise.id, answer.program, answer.host, trusted, open_.seed)
                tasks[task.key] = task.to_bytes()
                wanted.setdefault(task.key, []).append((open_, answer.exercise.id))
    return tasks, wanted


def _close_complete(opened: list[_Open], folder: Path, graded: Graded) -> None:
    """Save the verdict of every submission whose answers are all judged."""
    saved = {(found["student"], found["unit"], found["notebook"]) for found in graded.verdicts}
    for open_ in opened:
        submission = open_.submission
        name = (submission.student, submission.unit, submission.notebook)
        if name not in saved and len(open_.outcomes) == len(open_.answers):
            _close(open_, folder, graded)


def _close(open_: _Open, folder: Path, graded: Graded) -> None:
    """Save one verdict. What goes wrong with it is listed under its name, and the others go on."""
    try:
        document = _document(open_)
        verdict.save(folder, document)
    except OSError:
        raise  # a full disk is nobody's in particular
    except Exception as error:
        graded.failed[open_.submission.key] = f"No verdict could be written ({failure_in_words(error)})."
        return
    for entry in filter(page.needs_review, document["exercises"]):
        graded.failed[f"{open_.submission.key}: {entry['id']}"] = entry["says"]
    graded.verdicts.append(document)


def _document(open_: _Open) -> dict[str, Any]:
    pairs = [(answer, open_.outcomes[answer.exercise.id]) for answer in open_.answers]
    return verdict.document(open_.submission, open_.unit, pairs, open_.seed)


def _kept(folder: Path, submission: Received) -> dict[str, Any] | None:
    """The verdict of an earlier run on exactly these bytes, if there is one that judged every answer."""
    try:
        kept = verdict.load(folder, submission.student, submission.unit, submission.notebook, submission.sha256)
    except verdict.VerdictError:
        return None
    return None if any(map(page.needs_review, kept["exercises"])) else kept


def _summary(graded: Graded, table: Path, html: Path) -> dict[str, Any]:
    totals = ("points", "max_points", "speed_points", "max_speed_points")
    keys = ("student", "unit", "notebook", *totals, "refused", "review", "sha256")
    return {
        "graded": [{key: found[key] for key in keys} for found in graded.verdicts],
        "kept": graded.kept,
        "failed": graded.failed,
        "left_alone": graded.left_alone,
        "gradebook_csv": str(table),
        "gradebook_html": str(html),
    }


def summary_text(graded: Graded, table: Path, html: Path) -> str:
    """A table for a terminal, and where to look next."""
    width = max(len(found["student"]) for found in graded.verdicts) if graded.verdicts else 0
    lines = []
    for found in graded.verdicts:
        marks = "".join(page.look(entry).mark for entry in found["exercises"])
        points = page.totals_words(found)
        note = "  file not taken in" if found["refused"] else ""
        lines.append(f"{found['student']:<{width}}  {found['unit']:<20} {points:>20}  {marks}{note}")
    lines += [f"left alone {place}: {why}" for place, why in sorted(graded.left_alone.items())]
    lines += [f"NEEDS REVIEW {key}: {why}" for key, why in sorted(graded.failed.items())]
    if graded.kept:
        lines.append(f"{graded.kept} verdicts kept from an earlier run.")
    lines.append(f"Gradebook: {html} and {table}")
    return "\n".join(lines)
