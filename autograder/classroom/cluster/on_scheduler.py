"""Tasks on the workers of a running Dask scheduler. A lost cluster is told in one sentence, and loses no judgement."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from autograder.classroom.cluster.duty import lost_worker, on_duty

PATIENCE_S = 60.0  # without a single worker, before that is called a lost cluster
LOOK_EVERY_S = 2.0
CONNECT_S = 10.0
MOST_AGAIN = 100  # tasks that are handed out once more, beyond once each
GO_ON = "What was judged is kept: start it again, then go on with --resume."

Replied = tuple[str, bytes | Exception, int]  # key of the task, the reply or why there is none, deaths of workers


class SchedulerError(RuntimeError):
    """The Dask scheduler cannot be used; the message says why and what to type."""


class _GoneError(Exception):
    """A reply went with the worker that had it."""


def on_dask(
    tasks: dict[str, bytes], address: str, judge: Callable[[bytes], bytes], security: Any = None
) -> Iterator[Replied]:
    """Judge tasks on the workers of a scheduler, which need this package and nothing else. Yields every key once.

    A task whose worker dies is tried elsewhere, as often as `distributed.scheduler.allowed-failures` says. A worker
    whose GPU is lost is sent away, and others get its task. security: for `tls://`, what the client shows.
    Raises: SchedulerError when dask.distributed is missing, nobody answers at the address, or the cluster is lost.
    """
    try:
        import distributed
    except ImportError:
        raise SchedulerError("--scheduler needs dask.distributed. Install it: pip install distributed") from None
    with _quiet():
        client = _connected(distributed, address, security)
        try:
            pending = {_handed_out(client, judge, tasks[key], key): key for key in tasks}
            n_again = 0
            while pending:
                done = _next_done(distributed, client, address, list(pending))
                replies = [_replied(distributed, future, pending.pop(future)) for future in done]
                for replied in replies:  # all of them are here now, so a worker may be sent away
                    if not _is_open(client, replied):
                        yield replied
                        continue
                    n_again += 1
                    if client.status != "running" or n_again > MOST_AGAIN + len(tasks):
                        raise SchedulerError(f"The Dask scheduler at {address} is gone. {GO_ON}")
                    key = replied[0]
                    pending[_handed_out(client, judge, tasks[key], f"{key}-{n_again}")] = key
        finally:
            client.close(timeout=2)


def _handed_out(client: Any, judge: Callable[[bytes], bytes], task: bytes, key: str) -> Any:
    return client.submit(on_duty, judge, task, key=f"warpbook-{key}", pure=False, retries=0)


def _is_open(client: Any, replied: Replied) -> bool:
    """Whether a task has to be handed out once more: its reply went with a worker, or its worker's GPU is lost."""
    worker = lost_worker(replied[1])
    return isinstance(replied[1], _GoneError) or bool(worker) and _send_away(client, worker)


def _send_away(client: Any, worker: str) -> bool:
    """Retire a worker whose GPU is lost, if it is still here. Whether there are others; the last one stays."""
    here = set(client.scheduler_info(n_workers=-1)["workers"])
    if not here - {worker}:
        return False
    if worker in here:
        client.retire_workers([worker], close_workers=True)
    return True


def _connected(distributed: Any, address: str, security: Any) -> Any:
    if address.startswith("tls://") and security is None and not distributed.Security().tls_client_cert:
        raise SchedulerError(f"{address} wants certificates. Pass --tls with the folder that holds them.")
    try:
        return distributed.Client(address, timeout=CONNECT_S, set_as_default=False, security=security)
    except (OSError, ValueError, TimeoutError) as error:
        raise SchedulerError(f"No Dask scheduler answers at {address} ({error}). Start one: dask scheduler") from None


def _next_done(distributed: Any, client: Any, address: str, pending: list) -> list:
    """Futures that are done, at least one. Raises SchedulerError when the scheduler is gone, or every worker is."""
    seen = time.monotonic()
    while True:
        try:
            with client.as_current():
                return list(distributed.wait(pending, timeout=LOOK_EVERY_S, return_when="FIRST_COMPLETED").done)
        except TimeoutError:
            if client.status != "running":
                raise SchedulerError(f"The Dask scheduler at {address} is gone. {GO_ON}") from None
            if client.scheduler_info()["workers"]:
                seen = time.monotonic()
            elif time.monotonic() > seen + PATIENCE_S:
                raise SchedulerError(
                    f"The Dask scheduler at {address} has had no worker for {PATIENCE_S:g} s. {GO_ON}"
                ) from None
        except (OSError, CancelledError):
            raise SchedulerError(f"The Dask scheduler at {address} is gone. {GO_ON}") from None


def _replied(distributed: Any, future: Any, key: str) -> Replied:
    """What became of a future. A task that took worker after worker down has no reply, and says so."""
    if future.cancelled() or future.status == "lost":
        return key, _GoneError(), 0
    error = future.exception()
    if isinstance(error, distributed.scheduler.KilledWorker):
        allowed = distributed.config.get("distributed.scheduler.allowed-failures", 3)
        return key, RuntimeError("its worker died again and again"), int(allowed) + 1
    return key, error if error is not None else future.result(), 0


@contextmanager
def _quiet() -> Iterator[None]:
    """Let Dask's log say nothing meanwhile: what an instructor needs of it, our own sentences say."""
    logs = [logging.getLogger(name) for name in list(logging.root.manager.loggerDict) if name.startswith("distributed")]
    before = [log.level for log in logs]
    try:
        for log in logs:
            log.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)
