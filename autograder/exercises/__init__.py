"""The exercises: every folder `uNN_topic` beside this file is a unit and exports EXERCISES; here they are found by id.
So are those of an instructor's own folders, which `add_folder` names.

A unit's folder holds all there is about it but the notebook's source: contracts, `values`, `slips`, `naive`,
`hints.md`, and `answers/`, what people write. Nothing else in the machine names a unit.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.answer.mistyped import close_to
from autograder.exercises import own

if TYPE_CHECKING:
    from autograder.contract import Exercise

COURSE = tuple(__path__)  # without folders that were added
UNGRADED = f"{__name__}.start_here"  # its exercise belongs to no unit of the course
REGISTERED = "WARPBOOK_EXERCISES"  # environment variable: modules that `register` named, which child processes inherit


class UnknownExerciseError(LookupError):
    """No exercise (or unit) has this id; `nearest` holds the ids that come closest."""

    def __init__(self, identifier: str, nearest: list[str]):
        self.identifier, self.nearest = identifier, nearest
        advice = f"Did you mean {' or '.join(nearest)}?" if nearest else "`warpbook list` shows all of them."
        super().__init__(f"There is no exercise or unit {identifier!r}. {advice}")


def _unit_modules() -> tuple[str, ...]:
    """Names of the units' packages, the course's and one's own, in their order."""
    return _modules_of(own.folders())


@cache
def _modules_of(folders: tuple[Path, ...]) -> tuple[str, ...]:
    """The course's units, and those of these folders, whose packages can be imported from now on.

    Raises: own.OwnFolderError where one of the folders cannot be used.
    """
    course = [module.name for module in pkgutil.iter_modules(COURSE) if own.UNIT_MODULE.fullmatch(module.name)]
    found = list(course)
    for folder in folders:
        modules = own.modules_in(folder)
        if not modules:
            raise own.OwnFolderError(f"{folder}, which ${own.VARIABLE} names, holds no unit of exercises.")
        __path__[:] = [*__path__, *({str(folder)} - set(__path__))]
        for module in modules:
            if module in found:
                raise own.OwnFolderError(f"{folder / module}: there is another unit of this name. Rename this one.")
            own.check(folder, module, _loaded(folder, module), {name[1:] for name in course})
            found.append(module)
    return tuple(sorted(found))


def _loaded(folder: Path, module: str) -> object:
    """EXERCISES of a unit in a folder of one's own, None where it has none. Raises: own.OwnFolderError."""
    importlib.invalidate_caches()
    try:
        return getattr(importlib.import_module(f"{__name__}.{module}"), "EXERCISES", None)
    except Exception as error:
        raise own.not_loaded(folder, module, error) from error


def add_folder(folder: str | Path) -> None:
    """Let everything here know the units of a folder too, in this process and in those that it starts from now on.

    folder: of the shape that `own` shows. Raises: own.OwnFolderError, and then the folder is not known.
    """
    path = own.remember(folder)
    try:
        _unit_modules()
    except own.OwnFolderError:
        own.forget(path)
        raise


@cache
def _of_unit(module: str) -> dict[str, Exercise]:
    """The exercises of one unit by id, in course order."""
    exercises = importlib.import_module(f"{__name__}.{module}").EXERCISES
    by_id = {exercise.id: exercise for exercise in exercises}
    if len(by_id) < len(exercises):
        raise ValueError(f"{module} defines two exercises with one id. Give one of them another.")
    return by_id


def _by_id() -> dict[str, Exercise]:
    """Every exercise by its id, in course order."""
    return _of_units(_unit_modules())


@cache
def _of_units(modules: tuple[str, ...]) -> dict[str, Exercise]:
    """Every exercise of these units by its id."""
    exercises: dict[str, Exercise] = {}
    for module in modules:
        for identifier, exercise in _of_unit(module).items():
            if identifier in exercises:
                raise ValueError(f"{module} defines {identifier!r}, which exists already. Give it another id.")
            exercises[identifier] = exercise
    return exercises


def register(module: str) -> None:
    """Let `find` know the EXERCISES of another module, here and in every process that is started from now on.

    For exercises that are no part of the course, as tests have. module: dotted name, importable there, too.
    """
    known = os.environ.get(REGISTERED, "").split()
    os.environ[REGISTERED] = " ".join(dict.fromkeys([*known, module]))


@cache
def _beside(registered: str) -> dict[str, Exercise]:
    """Exercises beside those of the course, by id. registered: modules, separated by spaces."""
    modules = (importlib.import_module(name) for name in (UNGRADED, *registered.split()))
    return {exercise.id: exercise for module in modules for exercise in module.EXERCISES}


def find(identifier: str) -> Exercise:
    """The exercise with this id, as in ``find("reductions.block_sum")``; imports its own unit only.

    Raises UnknownExerciseError, which names the nearest ids, for any other id.
    """
    topic = identifier.partition(".")[0]
    if topic == "drills":
        return _drilled(identifier)
    for module in _unit_modules():
        if module[len("u00_") :] == topic and identifier in _of_unit(module):
            return _of_unit(module)[identifier]
    exercises = {**_by_id(), **_beside(os.environ.get(REGISTERED, ""))}
    if identifier in exercises:
        return exercises[identifier]
    nearest = close_to(identifier, exercises, cutoff=0.5)
    nearest += [
        other for other in exercises if other.split(".")[-1] == identifier.split(".")[-1] and other not in nearest
    ]
    raise UnknownExerciseError(identifier, nearest[:3])


def _drilled(identifier: str) -> Exercise:
    """What a drill card asks to be written: checked like an exercise, and in no unit."""
    from autograder.drills.tasks import all_tasks

    by_id = {task.exercise.id: task.exercise for task in all_tasks().values()}
    if identifier not in by_id:
        raise UnknownExerciseError(identifier, close_to(identifier, by_id, cutoff=0.3))
    return by_id[identifier]


def of_unit(unit: str) -> tuple[Exercise, ...]:
    """The exercises of one unit, as in ``of_unit("06_reductions")``, in course order; imports that unit only.

    A unit 00 is ungraded and has none. Raises: UnknownExerciseError, which names the nearest units there are.
    """
    if unit.startswith("00_"):
        return ()
    module = f"u{unit}"
    if module not in _unit_modules():
        nearest = close_to(unit, [name[1:] for name in _unit_modules()], cutoff=0.3)
        raise UnknownExerciseError(unit, nearest)
    return tuple(_of_unit(module).values())


def beside(exercise: Exercise) -> tuple[Exercise, ...]:
    """The other exercises of its unit; none for what is in no unit, as what a drill asks for or a module registers."""
    known = f"u{exercise.unit}" in _unit_modules()
    return tuple(one for one in of_unit(exercise.unit) if one.id != exercise.id) if known else ()


def naive_of(exercise: Exercise) -> Callable | None:
    """The kernel or host function that an exercise's speed is measured against; None where there is none.

    It is imported when it is asked for: a kernel takes numba, a list of exercises must not.
    """
    if not exercise.naive:
        return None
    return getattr(importlib.import_module(f"{__name__}.u{exercise.unit}.naive"), exercise.naive)


def all_exercises() -> tuple[Exercise, ...]:
    """Every exercise, in course order."""
    return tuple(_by_id().values())


def units() -> dict[str, tuple[Exercise, ...]]:
    """The exercises of each unit, as in ``units()["06_reductions"]``, in course order."""
    by_unit: dict[str, list[Exercise]] = {}
    for exercise in all_exercises():
        by_unit.setdefault(exercise.unit, []).append(exercise)
    return {unit: tuple(exercises) for unit, exercises in by_unit.items()}
