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

from autograder.classroom.cluster import devices, embedded, on_scheduler, tls
from autograder.classroom.cluster.duty import DeviceLost, lost_device, on_duty
from autograder.classroom.cluster.on_scheduler import SchedulerError as SchedulerError
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
    """Judge tasks in worker processes, by default as many as suit this machine. Yields every key exactly once."""
    places = devices.workers_for(devices.uuids(), devices.Capacity.here(), n_workers)
    waiting, suspects = deque(tasks), []
    while waiting:
        suspects += yield from _until_one_dies(tasks, waiting, places)
    for key in suspects:  # a worker died while these were under way: one at a time shows which one kills
        for deaths in range(1, ATTEMPTS_ALONE + 1):
            if not (yield from _until_one_dies(tasks, deque([key]), places[:1], deaths)):
                break
        else:
            deaths = ATTEMPTS_ALONE + 1
            yield Answer(key, RuntimeError(f"its worker process died {deaths} times"), deaths)


def _until_one_dies(
    tasks: Tasks, waiting: deque[str], places: list[str], deaths: int = 0
) -> Generator[Answer, None, list[str]]:
    """Yield what a fresh pool answers, taking keys off `waiting`; return those that were under way when a worker died.

    places: the GPU of each worker, "" for one that sees all. deaths: how many there were before, of these tasks.

    No more is handed out than can be worked on, so that a death concerns these few and leaves the others waiting.
    """
    context = multiprocessing.get_context("spawn")
    starts = (os.getpid(), places, context.Value("i", 0))
    pool = ProcessPoolExecutor(len(places), mp_context=context, initializer=_begin, initargs=starts)
    under_way: dict[Future, str] = {}
    try:
        while waiting or under_way:
            while waiting and len(under_way) < len(places):
                future = pool.submit(on_duty, judge_task, tasks[waiting[0]])
                under_way[future] = waiting.popleft()
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            if any(isinstance(future.exception(), BrokenProcessPool) for future in done):
                return list(under_way.values())
            for future in done:
                error: Any = future.exception()
                yield _answer(under_way.pop(future), error if error is not None else future.result(), deaths)
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


def _begin(parent: int, places: list[str], n_begun: Any) -> None:
    """What a worker does first: it takes the next place, and ends with its parent."""
    _end_with(parent)
    with n_begun.get_lock():
        place, n_begun.value = n_begun.value, n_begun.value + 1
    devices.bind(places[place % len(places)])


def _end_with(parent: int) -> None:
    """Let the kernel end this worker when the grading process ends, however that ends; and its children with it."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended meanwhile
        os._exit(1)


def _answer(key: str, reply: bytes | Exception, deaths: int = 0) -> Answer:
    """A worker's reply; where its GPU is lost and nobody else could take the task, that is why there is none."""
    device = lost_device(reply)
    return Answer(key, DeviceLost(device) if device else reply, deaths)


def on_dask(tasks: Tasks, address: str, security: Any = None) -> Iterator[Answer]:
    """Judge tasks on the workers of a running Dask scheduler. Raises: SchedulerError."""
    return itertools.starmap(_answer, on_scheduler.on_dask(tasks, address, judge_task, security))


def on_many_gpus(tasks: Tasks, n_workers: int | None = None) -> Iterator[Answer]:
    """Judge tasks on this machine's GPUs, with a scheduler of our own."""
    places = devices.workers_for(devices.uuids(), devices.Capacity.here(), n_workers)
    with embedded.cluster(places) as (address, security):
        yield from on_dask(tasks, address, security)


def answers(
    tasks: Tasks, scheduler: str = "", n_workers: int | None = None, certificates: str = ""
) -> Iterable[Answer]:
    """Every task's answer: from the scheduler where one is named, else from this machine's GPUs and cores.

    certificates: folder of those that a `tls://` scheduler wants. Raises: SchedulerError.
    """
    if not tasks:
        return ()  # nobody is bothered, and nobody has to be there: see `--resume`
    if scheduler:
        try:
            return on_dask(tasks, scheduler, tls.security_of(certificates))
        except tls.TlsError as error:
            raise SchedulerError(str(error)) from error
    if len(devices.uuids()) > 1 and embedded.is_installed():
        return on_many_gpus(tasks, n_workers)
    return on_this_machine(tasks, n_workers)
