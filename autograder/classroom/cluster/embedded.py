"""A scheduler and workers of this process's own, for a machine with several GPUs: each worker sees one of them.

It listens to this machine only, and only to who has the certificate that it made for itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograder.classroom.cluster.devices import VISIBLE
from autograder.machine.scratch import ScratchFolder

HERE = "127.0.0.1"
ALLOWED_FAILURES = 2  # workers that may die with a task, before it is the task

QUIET = 50  # of Dask's log, only what is critical: the rest is for who runs a cluster


def is_installed() -> bool:
    """Whether there is what it takes: the extra `cluster`."""
    try:
        import cryptography  # noqa: F401  # it makes the certificate
        import distributed  # noqa: F401
    except ImportError:
        return False
    return True


@contextmanager
def cluster(devices: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """While the block runs, one worker for each of `devices`, "" for one that sees all. Yields address and security.

    A worker that dies is started again; all of them end with this process, however that ends.
    """
    import dask
    from distributed import Nanny, Scheduler, Security
    from distributed.deploy.spec import SpecCluster

    security = Security.temporary()
    common = {"host": HERE, "protocol": "tls", "security": security}
    workers = {place: {"cls": Nanny, "options": {**common, **_worker(device)}} for place, device in enumerate(devices)}
    asked = {**common, "dashboard": False, "allowed_failures": ALLOWED_FAILURES}
    scheduler = {"cls": Scheduler, "options": asked}
    with ScratchFolder("dask") as scratch, dask.config.set({"temporary-directory": scratch}):
        with SpecCluster(workers=workers, scheduler=scheduler, security=security, silence_logs=QUIET) as running:
            yield running.scheduler_address, security


def _worker(device: str) -> dict[str, Any]:
    environment = {VISIBLE: device} if device else {}
    return {"nthreads": 1, "env": environment, "memory_limit": None, "dashboard": False, "silence_logs": QUIET}
