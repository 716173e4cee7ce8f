"""What a card may ask to be written cold: contracts like the course's, judged by the same check."""

from __future__ import annotations

import importlib
from functools import cache

from autograder.drills.tasks.task import Task

MODULES = ("maps", "matrices", "sums", "warps", "neighbours", "counting", "inference", "asked", "decoding")


class UnknownTaskError(KeyError):
    """A card names a task that there is not."""


@cache
def all_tasks() -> dict[str, Task]:
    """Tasks by name."""
    modules = [importlib.import_module(f"{__name__}.{name}") for name in MODULES]
    return {task.name: task for module in modules for task in module.TASKS}


def find_task(name: str) -> Task:
    """The task of this name. Raises: UnknownTaskError, naming those there are."""
    if name not in all_tasks():
        raise UnknownTaskError(f"no task {name!r}; there are {', '.join(sorted(all_tasks()))}.")
    return all_tasks()[name]
