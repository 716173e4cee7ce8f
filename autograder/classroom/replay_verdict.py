"""Judge a verdict's answers again, with the same values, and say whether it comes out the same; and if not, why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from autograder import exercises
from autograder.classroom import workers
from autograder.classroom.ledger import book as ledger
from autograder.classroom.ledger import provenance
from autograder.classroom.ledger.book import Judgement
from autograder.classroom.pages import page, verdict
from autograder.classroom.wire import Reply
from autograder.contract import Exercise
from autograder.outcome import Outcome
from autograder.words import printable

NOBODY_KNOWS = "Nothing that is recorded differs, so the judge itself is not certain here: please report it."


@dataclass(frozen=True)
class Replayed:
    """One exercise judged again. comes_out: "same", "different" or "not judged"; why: of what is not the same."""

    exercise: str
    comes_out: str
    was: str = ""
    now: str = ""
    why: tuple[str, ...] = ()


def replay(path: Path, only: str = "", n_workers: int | None = None) -> tuple[dict[str, Any], str]:
    """Judge the answers of a verdict again, from the ledger beside its folder. only: the id of one exercise.

    Returns: (JSON-ready document, the same as text). Raises: verdict.VerdictError, LedgerError.
    """
    found = verdict.read(path)
    entries = [entry for entry in found["exercises"] if only in ("", entry["id"])]
    if not entries:
        known = ", ".join(entry["id"] for entry in found["exercises"])
        raise verdict.VerdictError(f"{path} says nothing about {only}. It has {known}.")
    with ledger.read(path.resolve().parents[3]) as book:
        changed = book.published(found) not in ("", verdict.digest(found))
        before = {entry["id"]: book.judgement(entry["judged"]["record"]) for entry in entries if entry["judged"]}
    kept = {judgement.task.key: judgement for judgement in before.values() if judgement is not None}
    tasks = {key: judgement.task.to_bytes() for key, judgement in kept.items()}
    now = {answer.key: answer.reply for answer in workers.answers(tasks, n_workers=n_workers)}
    replayed = [_replayed(entry, before.get(entry["id"]), now) for entry in entries]
    document = {
        "verdict": str(path),
        "seed": found["seed"],
        "file_changed": changed,
        "same": not changed and all(one.comes_out != "different" for one in replayed),
        "exercises": [vars(one) for one in replayed],
    }
    return document, _text(found, changed, replayed)


def _replayed(entry: dict[str, Any], before: Judgement | None, now: Mapping[str, bytes | Exception]) -> Replayed:
    if not entry["judged"]:
        return Replayed(entry["id"], "not judged", why=(entry["says"],))
    if before is None:
        return Replayed(entry["id"], "not judged", why=("The ledger has no such record.",))
    answer = now[before.task.key]
    if isinstance(answer, Exception):
        return Replayed(entry["id"], "not judged", why=(f"The judge gave no verdict ({answer}).",))
    reply = Reply.from_bytes(answer)
    was, is_now = in_words(before.outcome), in_words(reply.outcome)
    if essence(before.outcome) == essence(reply.outcome):
        return Replayed(entry["id"], "same", was, is_now)
    return Replayed(entry["id"], "different", was, is_now, reasons(before, reply, exercises.find(before.task.exercise)))


def essence(outcome: Outcome) -> tuple:
    """What of an outcome must come out the same: all but times and wording."""
    cases = tuple((case.name, case.device, case.status) for case in outcome.cases)
    return outcome.status, outcome.points, outcome.misconception, cases


def in_words(outcome: Outcome) -> str:
    """An outcome in a few words: ``not right yet, 1 of 2 points``."""
    return f"{outcome.shown_as.words}, {page.points_words(outcome.points, outcome.max_points)} points"


def reasons(before: Judgement, reply: Reply, exercise: Exercise) -> tuple[str, ...]:
    """What was different when the answer was judged before."""
    found = []
    if provenance.contract_digest(exercise) != before.contract:
        found.append("the exercise's contract has changed since")
    cases = provenance.case_names(exercise, before.task.program.source, before.task.secret)
    if tuple(cases) != before.cases:
        found.append("there are other cases now")
    for name in sorted(before.by.keys() | reply.by.keys()):
        was, is_now = before.by.get(name, "unknown"), reply.by.get(name, "unknown")
        if was != is_now:
            found.append(f"{name}: {was} then, {is_now} now")
    return tuple(found) or (NOBODY_KNOWS,)


def _text(found: dict[str, Any], changed: bool, replayed: list[Replayed]) -> str:
    width = max(len(one.exercise) for one in replayed)
    lines = [f"{found['student']}/{found['unit']}, notebook {found['sha256'][:16]}…, seed {found['seed']}"]
    if changed:
        lines.append("The file was changed after it was judged; what follows is about what the ledger has.")
    for one, after in zip_longest(replayed, replayed[1:]):
        said = f"was {one.was}; is {one.now}" if one.comes_out == "different" else one.now
        lines.append(f"  {one.comes_out:<10}  {one.exercise:<{width}}  {said}".rstrip())
        if after is None or after.why != one.why:  # a file that was not taken in has one reason for all its exercises
            lines += [f"              {why}" for why in one.why]
    return "\n".join(map(printable, lines))
