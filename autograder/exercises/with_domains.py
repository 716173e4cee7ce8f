"""What may come, laid beside the contracts of a unit: its `domains.py` has a `Domain` for each function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autograder.contract import Exercise
from autograder.running.cases.domain import Domain, Promises


class DomainError(ValueError):
    """A domain that belongs to no exercise, or names a size or an argument that its exercise does not have."""


def with_domains(
    exercises: tuple[Exercise, ...], domains: Mapping[str, Domain], promises: Mapping[str, Promises] | None = None
) -> tuple[Exercise, ...]:
    """The exercises of a unit, each with its domain and its promises, by function. Raises: DomainError."""
    promises = promises or {}
    by_function = {exercise.function: exercise for exercise in exercises}
    for function in (*domains, *promises):
        if function not in by_function:
            raise DomainError(f"The unit has no exercise {function}. Name one of {', '.join(by_function)}.")
    for function, domain in domains.items():
        _check(by_function[function], domain)
    for function, promised in promises.items():
        _check_promise(by_function[function], promised)
    return tuple(
        replace(
            exercise,
            domain=domains.get(exercise.function, exercise.domain),
            promises=promises.get(exercise.function, exercise.promises),
        )
        for exercise in exercises
    )


def _check(exercise: Exercise, domain: Domain) -> None:
    """Raises DomainError for a name that the exercise does not know."""
    sizes = {name for case in exercise.cases for name in case.sizes}
    for kind, named, known in (
        ("size", domain.sizes, sizes),
        ("argument", domain.scalars, exercise.names),
        ("argument", domain.arrays, exercise.names),
    ):
        if unknown := sorted({*named} - {*known}):
            names = ", ".join(sorted(known))
            raise DomainError(
                f"{exercise.id} has no {kind} {unknown[0]}, which its domain names. It has {names or 'none'}."
            )


def _check_promise(exercise: Exercise, promised: Promises) -> None:
    """Raises DomainError for an exact limit that the exercise does not have, or that its task does not promise."""
    counted = {budget.counter for budget in exercise.budgets}
    for counter, words in promised.exactly.items():
        if counter not in counted:
            raise DomainError(f"{exercise.id} has no budget on {counter}, which it promises exactly. Take it out.")
        if not words or words.lower() not in exercise.task.lower():
            raise DomainError(
                f"{exercise.id} promises {counter} exactly, but its task does not say {words!r}. Quote the task, or "
                "leave the promise out: then the limit leaves room."
            )
