"""Many tasks at once: on this machine's cores, or on a Dask cluster. Answers come back as they are ready."""

from __future__ import annotations

import ctypes
import itertools
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

from autograder.classroom import dask_workers
from autograder.classroom.dask_workers import SchedulerError as SchedulerError
from autograder.classroom.judging import judge_task

Tasks = dict[str, bytes]  # key -> task

PR_SET_PDEATHSIG = 1
ATTEMPTS_ALONE = 2  # of a task whose worker died: with nobody beside it, its own deed and the machine's differ


class Answer(NamedTuple):
    """What became of a task: a reply as bytes, or why there is none. deaths: of workers that had it."""

    key: str
    reply: bytes | Exception
    deaths: int = 0


def on_this_machine(tasks: Tasks, n_workers: int | None = None) -> Iterator[Answer]:
    """Judge tasks in worker processes (two by default, one on a single core). Yields every key exactly once."""
    n_workers = n_workers or min(2, os.cpu_count() or 1)
    waiting, suspects = deque(tasks), []
    while waiting:
        suspects += yield from _until_one_dies(tasks, waiting, n_workers)
    for key in suspects:  # a worker died while these were under way: one at a time shows which one kills
        for deaths in range(1, ATTEMPTS_ALONE + 1):
            if not (yield from _until_one_dies(tasks, deque([key]), 1, deaths)):
                break
        else:
            deaths = ATTEMPTS_ALONE + 1
            yield Answer(key, RuntimeError(f"its worker process died {deaths} times"), deaths)


def _until_one_dies(
    tasks: Tasks, waiting: deque[str], n_workers: int, deaths: int = 0
) -> Generator[Answer, None, list[str]]:
    """Yield what a fresh pool answers, taking keys off `waiting`; return those that were under way when a worker died.

    deaths: how many there were before, of these tasks.

    No more is handed out than can be worked on, so that a death concerns these few and leaves the others waiting.
    """
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(n_workers, mp_context=context, initializer=_end_with, initargs=(os.getpid(),))
    under_way: dict[Future, str] = {}
    try:
        while waiting or under_way:
            while waiting and len(under_way) < n_workers:
                future = pool.submit(judge_task, tasks[waiting[0]])
                under_way[future] = waiting.popleft()
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            if any(isinstance(future.exception(), BrokenProcessPool) for future in done):
                return list(under_way.values())
            for future in done:
                error: Any = future.exception()
                yield Answer(under_way.pop(future), error if error is not None else future.result(), deaths)
        return []
    except BrokenProcessPool:  # it was found out while handing out
        return list(under_way.values())
    finally:
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool at once, whatever its workers are at: on an error, an interrupt or when nobody reads on."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


def _end_with(parent: int) -> None:
    """Let the kernel end this worker when the grading process ends, however that ends; and its children with it."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended meanwhile
        os._exit(1)


def on_dask(tasks: Tasks, address: str) -> Iterator[Answer]:
    """Judge tasks on the workers of a running Dask scheduler. Raises: SchedulerError."""
    return itertools.starmap(Answer, dask_workers.on_dask(tasks, address, judge_task))


def answers(tasks: Tasks, scheduler: str = "", n_workers: int | None = None) -> Iterable[Answer]:
    """Every task's answer, from the scheduler where one is named, else from this machine's cores."""
    return on_dask(tasks, scheduler) if scheduler else on_this_machine(tasks, n_workers)
