"""Commit, then reveal: what a GPU will be given of each answer is in the ledger before its values are drawn.

First every answer's machine code and plan are made, by workers that have a GPU to make them for, and their digests are
written down. Then a seed is drawn and written down. A run that was cut off between the two finds the digests and no
seed, and draws one; cut off after it, it finds both, and goes on with the same values.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from autograder.classroom import workers
from autograder.classroom.cluster import devices
from autograder.classroom.ledger.book import Book
from autograder.classroom.progress_bar import ProgressBar
from autograder.classroom.sealed.fixed import NOT_FIXED
from autograder.classroom.wire import Task

Ask = Callable[[workers.Tasks], Iterable[workers.Answer]]


def fixed_first(tasks: Mapping[str, Task], book: Book, options: Any, ask: Ask | None = None) -> dict[str, Task]:
    """The tasks with what was fixed of each and the seed that was drawn then; as they are where no GPU judges.

    options: `scheduler`, `n_workers` and `certificates`, as `grade.Options` has them; ask: who answers tasks, by
    default `workers.answers`. Raises: SchedulerError, LedgerError.
    """
    if not tasks or not (options.scheduler or devices.uuids()):
        return dict(tasks)
    asked = {key: replace(task, fix=True).to_bytes() for key, task in tasks.items()}
    found: dict[str, str] = {}
    of_workers = partial(workers.answers, scheduler=options.scheduler, n_workers=options.n_workers)
    with ProgressBar("compiling", len(asked)) as bar:
        for answer in (ask or partial(of_workers, certificates=options.certificates))(asked):
            said = json.loads(answer.reply) if isinstance(answer.reply, bytes) else {}
            if said.get("fixed"):
                found[answer.key] = said["fixed"]
                book.fix(answer.key, tasks[answer.key].exercise, said["digest"])
            bar.step(tasks[answer.key].exercise)
    book.draw()
    return {
        key: replace(task, fixed=found.get(key, ""), drawn=book.drawn_for(key) if key in found else NOT_FIXED)
        for key, task in tasks.items()
    }
