"""Submissions on their way from reading to verdict: their answers, and the judgements on these as they come in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.classroom import course, workers
from autograder.classroom.ledger.book import Book, Judgement, name_of
from autograder.classroom.pages import page, verdict
from autograder.classroom.reading.answers import Answer
from autograder.classroom.reading.reader import Reading
from autograder.classroom.receive import Received
from autograder.classroom.wire import Reply, Task
from autograder.outcome import Outcome


@dataclass
class UnderWay:
    """One submission. outcomes, by exercise; told: how the judged ones came about; kept: nothing had to be judged."""

    submission: Received
    unit: course.Unit
    answers: Sequence[Answer]
    seed: str
    trusted: bool = False
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    told: dict[str, dict[str, Any]] = field(default_factory=dict)
    kept: bool = False

    @classmethod
    def of(cls, reading: Reading, seed: str, trusted: bool = False) -> UnderWay:
        """As it was read: refused answers, and those that could not be read, have their outcome at once."""
        one = cls(reading.submission, reading.unit, reading.answers, seed, trusted)
        for answer in reading.answers:
            if answer.review:
                says = f"{answer.review} That is for your instructor to look at; it says nothing about your answer."
                one.outcomes[answer.exercise.id] = verdict.not_checkable(answer, says, "Grade again with --resume.")
            elif answer.refused:
                one.outcomes[answer.exercise.id] = verdict.refused_outcome(answer)
        return one

    @property
    def key(self) -> str:
        return self.submission.key

    @property
    def complete(self) -> bool:
        return len(self.outcomes) == len(self.answers)

    def tasks(self) -> dict[str, Task]:
        """What is to be judged, by exercise."""
        return {
            answer.exercise.id: Task(answer.exercise.id, answer.program, answer.host, self.trusted, self.seed)
            for answer in self.answers
            if answer.program is not None
        }

    def take(self, exercise_id: str, judgement: Judgement) -> None:
        """The judgement on one answer is here."""
        (answer,) = (one for one in self.answers if one.exercise.id == exercise_id)
        outcome = judgement.outcome
        self.outcomes[exercise_id] = replace(outcome, notes=(*answer.notes, *outcome.notes))
        self.told[exercise_id] = judgement.told()

    def give_up(self, exercise_id: str, error: Exception) -> None:
        """There is no reply on one answer, which is our failure and needs review."""
        (asked,) = (one for one in self.answers if one.exercise.id == exercise_id)
        reason = (
            f"The judge gave no verdict ({type(error).__name__}: {error}). That is a mistake of ours, not of yours."
        )
        remedy = "Grade again with --resume; if this stays, please report it."
        self.outcomes[exercise_id] = verdict.not_checkable(asked, reason, remedy)

    def take_kept(self, book: Book, review_too: bool = False) -> None:
        """Take what the ledger has on these answers. review_too: also what needs review, which is else judged again."""
        for exercise_id, task in self.tasks().items():
            found = book.judged(task.key)
            if found is not None and (review_too or not _is_open(found.outcome)):
                self.take(exercise_id, found)
        known = book.sha256_judged(name_of(self.submission)) == self.submission.sha256
        self.kept = known and self.complete and not any(answer.review for answer in self.answers)

    def document(self) -> dict[str, Any]:
        """The verdict on the whole submission."""
        pairs = [(answer, self.outcomes[answer.exercise.id]) for answer in self.answers]
        return verdict.document(self.submission, self.unit, pairs, self.seed, self.told)


class Waiting:
    """Each distinct program that is still to be judged, once, and who waits for it."""

    def __init__(self, under_way: Iterable[UnderWay]):
        self.tasks: workers.Tasks = {}
        self.task: dict[str, Task] = {}
        self._by_key: dict[str, list[tuple[UnderWay, str]]] = {}
        for one in under_way:
            for exercise_id, task in one.tasks().items():
                if exercise_id not in one.outcomes:
                    self.task[task.key] = task
                    self.tasks[task.key] = task.to_bytes()
                    self._by_key.setdefault(task.key, []).append((one, exercise_id))

    def ask_anew(self, tasks: Mapping[str, Task]) -> None:
        """Ask the same questions with more said in each."""
        for key, task in tasks.items():
            self.task[key], self.tasks[key] = task, task.to_bytes()

    def named(self, key: str) -> str:
        """The exercise that a task belongs to."""
        return self._by_key[key][0][1]

    def take(self, answer: workers.Answer, book: Book) -> list[UnderWay]:
        """A worker's answer: it is written down first, then whoever waited for it has it. Returns those."""
        waiting = self._by_key[answer.key]
        asked, exercise_id = waiting[0]
        try:
            if isinstance(answer.reply, Exception):
                raise answer.reply
            reply = Reply.from_bytes(answer.reply)
        except Exception as error:  # of the worker's, or of reading what it said
            for one, exercise_id in waiting:
                one.give_up(exercise_id, error)
        else:
            (exercise,) = (each for each in asked.unit.exercises if each.id == exercise_id)
            judgement = book.record(exercise, self.task[answer.key], reply, answer.deaths)
            for one, exercise_id in waiting:
                one.take(exercise_id, judgement)
        return [one for one, _ in waiting]


def _is_open(outcome: Outcome) -> bool:
    """Whether judging once more may find what this outcome leaves to an instructor."""
    return page.fault_of(outcome.status) == page.OURS or bool(outcome.speed and outcome.speed.review)


def received_before(one: UnderWay, book: Book) -> None:
    """Let a submission keep the time at which these bytes were taken in first."""
    one.submission = replace(one.submission, received=book.receipt(one.submission))
