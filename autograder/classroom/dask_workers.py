"""Tasks on the workers of a running Dask scheduler. A lost cluster is told in one sentence, and loses no judgement."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

PATIENCE_S = 60.0  # without a single worker, before that is called a lost cluster
LOOK_EVERY_S = 2.0
CONNECT_S = 10.0
GO_ON = "What was judged is kept: start it again, then go on with --resume."

Replied = tuple[str, bytes | Exception, int]  # key of the task, the reply or why there is none, deaths of workers


class SchedulerError(RuntimeError):
    """The Dask scheduler cannot be used; the message says why and what to type."""


def on_dask(tasks: dict[str, bytes], address: str, judge: Callable[[bytes], bytes]) -> Iterator[Replied]:
    """Judge tasks on the workers of a scheduler, which need this package and nothing else. Yields every key once.

    A task whose worker dies is tried elsewhere, as often as `distributed.scheduler.allowed-failures` says.
    Raises: SchedulerError when dask.distributed is missing, nobody answers at the address, or the cluster is lost.
    """
    try:
        import distributed
    except ImportError:
        raise SchedulerError("--scheduler needs dask.distributed. Install it: pip install distributed") from None
    with _quiet():
        client = _connected(distributed, address)
        try:
            pending = {
                client.submit(judge, task, key=f"warpbook-{key}", pure=False, retries=0): key
                for key, task in tasks.items()
            }
            while pending:
                for future in _next_done(distributed, client, address, list(pending)):
                    yield _replied(distributed, future, pending.pop(future), address)
        finally:
            client.close(timeout=2)


def _connected(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
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


def _replied(distributed: Any, future: Any, key: str, address: str) -> Replied:
    """What became of a future. A task that took worker after worker down has no reply, and says so."""
    if future.cancelled() or future.status == "lost":
        raise SchedulerError(f"The Dask scheduler at {address} is gone. {GO_ON}")
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
