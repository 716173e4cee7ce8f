"""Many tasks at once: on this machine's cores, or on a Dask cluster. Answers come back as they are ready."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from autograder.classroom.judging import judge_task

Tasks = dict[str, bytes]  # key -> task
Answer = tuple[str, bytes | Exception]  # key, and the outcome or why there is none

ATTEMPTS = 2  # a task whose worker died is tried once more, alone


class SchedulerError(RuntimeError):
    """The Dask scheduler cannot be used; the message says why and what to type."""


def on_this_machine(tasks: Tasks, n_workers: int | None = None) -> Iterator[Answer]:
    """Judge tasks in worker processes (two by default, one on a single core). Yields every key exactly once."""
    n_workers = n_workers or min(2, os.cpu_count() or 1)
    left = yield from _pool_pass(tasks, n_workers)
    for key in left:  # a worker died while these were under way: one at a time shows which one kills
        lost = yield from _pool_pass({key: tasks[key]}, 1)
        for lost_key in lost:
            yield lost_key, RuntimeError(f"its worker process died {ATTEMPTS} times")


def _pool_pass(tasks: Tasks, n_workers: int):
    """Yield what a fresh pool answers; return the keys it lost when a worker died."""
    answered: set[str] = set()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(n_workers, mp_context=context) as pool:
        futures: dict[Future, str] = {pool.submit(judge_task, task): key for key, task in tasks.items()}
        pending = set(futures)
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                error = future.exception()
                if isinstance(error, BrokenProcessPool):
                    continue
                answered.add(futures[future])
                yield futures[future], error if error is not None else future.result()
    return [key for key in tasks if key not in answered]


def on_dask(tasks: Tasks, address: str) -> Iterator[Answer]:
    """Judge tasks on the workers of a running Dask scheduler, which need this package and nothing else.

    Raises: SchedulerError when dask.distributed is missing or nobody answers at the address.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise SchedulerError("--scheduler needs dask.distributed. Install it: pip install distributed") from None
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise SchedulerError(f"No Dask scheduler answers at {address} ({error}). Start one: dask scheduler") from None
    with client:
        futures = {
            client.submit(judge_task, task, key=f"warpbook-{key}", pure=False, retries=0): key
            for key, task in tasks.items()
        }
        for future in as_completed(futures, loop=client.loop):
            error = future.exception()
            yield futures[future], error if error is not None else future.result()


def answers(tasks: Tasks, scheduler: str = "", n_workers: int | None = None) -> Iterable[Answer]:
    """Every task's answer, from the scheduler where one is named, else from this machine's cores."""
    return on_dask(tasks, scheduler) if scheduler else on_this_machine(tasks, n_workers)
