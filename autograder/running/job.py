"""One answer to judge, with all that decides how: it goes whole from stage to stage, and to a child process as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder import exercises
from autograder.answer.program import Program
from autograder.contract import Case, Exercise
from autograder.exercises import own
from autograder.running.cases.more_cases import all_cases

DEADLINE_S = {"interpret": 120.0, "gpu": 15.0}  # guards against a hang: the interpreter's work is counted in steps


@dataclass(frozen=True)
class Job:
    """What is judged, and on which values.

    live: the function itself, where it is at hand in this process; it never travels. device: "simt", "cuda" or "auto".
    isolate: run what could hang or crash in a child process. seconds: after which a run counts as hung; None for the
    usual ones. secret: what makes the cases' values unknown beforehand, "" for those that a notebook always uses.
    drawn_from: the answer's own text, where the program is another one that stands for it. bound_to: a digest of the
    machine code that the values are drawn for: who changes a byte of it meets other values. It never travels.
    only: the cases to judge on, () for all there are; they do not travel either.
    """

    exercise: Exercise
    program: Program
    live: Callable | None = None
    device: str = "auto"
    isolate: bool = True
    seconds: float | None = None
    secret: str = ""
    drawn_from: str = ""
    bound_to: str = ""
    only: tuple[Case, ...] = ()

    @property
    def values_secret(self) -> str:
        """What the values of the cases are drawn from, beside their names."""
        return f"{self.secret}|{self.bound_to}" if self.bound_to else self.secret

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The contract's cases and those that follow from it and from the answer."""
        return self.only or all_cases(self.exercise, self.drawn_from or self.program.source, self.secret)

    def deadline_s(self, stage: str) -> float:
        """Seconds that a stage may take. stage: "interpret" or "gpu"."""
        return DEADLINE_S[stage] if self.seconds is None else self.seconds

    @contextmanager
    def function(self) -> Iterator[Callable]:
        """The learner's function, loaded where it is not at hand; what was loaded is dropped again afterwards."""
        if self.live is not None:
            yield self.live
        else:
            with self.program.loaded() as (_, function):
                yield function

    def to_json(self) -> dict[str, Any]:
        """What a child process has to know, JSON-ready."""
        return {
            "exercise": self.exercise.id,
            "program": self.program.to_json(),
            "seconds": self.seconds,
            "secret": self.secret,
            "drawn_from": self.drawn_from,
            "own": [str(folder) for folder in own.folders()],
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Job:
        """The job that `to_json` wrote. Raises: exercises.UnknownExerciseError, own.OwnFolderError, TypeError."""
        for folder in document["own"]:  # which a process that waited for jobs may not know yet
            exercises.add_folder(folder)
        rest = {name: document[name] for name in ("seconds", "secret", "drawn_from")}
        return cls(exercises.find(document["exercise"]), Program.from_json(document["program"]), **rest)
