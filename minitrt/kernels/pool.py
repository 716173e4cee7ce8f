"""Cubins for many kernels at once: kept from earlier builds on disk, compiled side by side otherwise.

Refusals of slow code are kept, too: the same compilers would make it again.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from minitrt.kernels.compile import CompileError, Cubin, SlowCode
from minitrt.kernels.own import OWN

CACHE_VARIABLE = "MINITRT_CUBIN_CACHE"  # a folder; empty: keep nothing
MOST_WORKERS = 32  # each takes some 350 MB
Request = tuple[str, dict[str, Any]]  # factory, constants


def cache_folder() -> Path | None:
    """Where cubins are kept between builds, or None."""
    named = os.environ.get(CACHE_VARIABLE)
    if named is not None:
        return Path(named) if named else None
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "minitrt"


@cache
def code_version() -> str:
    """Changes with any kernel source, or with the compilers."""
    digest = hashlib.sha256()
    for name in ("numba", "numba-cuda", "llvmlite"):
        digest.update(version(name).encode())
    for name in ("nvidia-nvvm", "nvidia-nvjitlink"):
        try:
            digest.update(version(name).encode())
        except Exception:  # a system installation of CUDA has no such package
            digest.update(b"system")
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def cores() -> int:
    """Cores that this process may use: a scheduler or a container may have given it fewer than there are."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def digest_of(request: Request, capability: tuple[int, int]) -> str:
    """The name of a cubin on disk."""
    parts = [request[0], sorted(request[1].items()), list(capability), code_version()]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def cubins(
    requests: Sequence[Request],
    capability: tuple[int, int],
    workers: int | None = None,
    done: Callable[[int], None] = lambda index: None,
) -> list[Cubin | CompileError]:
    """A cubin for each request, in order, or the error that its kernel met.

    workers: processes; by default one per core that this one may use, at most MOST_WORKERS. done: called with the index
    of each as it is ready, in the caller's thread; what it raises ends the work.
    """
    found: list[Any] = [_kept(request, capability) for request in requests]
    missing = [index for index, cubin in enumerate(found) if cubin is None]
    for index in set(range(len(requests))) - set(missing):
        done(index)
    for index in [each for each in missing if requests[each][0] == OWN]:
        found[index] = _made_here(requests[index], capability)
        _keep(requests[index], capability, found[index])
        missing.remove(index)
        done(index)
    work = deque(missing)

    def serve(told: queue.SimpleQueue) -> None:
        with _Worker() as worker:
            while work:
                index = work.popleft()
                found[index] = worker.compile(requests[index], capability)
                _keep(requests[index], capability, found[index])
                told.put(index)

    try:
        for index in _told_by(serve, min(workers or min(MOST_WORKERS, cores()), len(missing))):
            done(index)
    finally:
        work.clear()
    return [
        made if made is not None else CompileError(requests[i][0], "a compiling process ended")
        for i, made in enumerate(found)
    ]


def _made_here(request: Request, capability: tuple[int, int]) -> Cubin | CompileError:
    """Compiled in this process, which alone has the function."""
    from minitrt.kernels.worker import answer

    return _cubin_of(answer({"name": request[0], "constants": request[1], "capability": capability}), request[0])


def _told_by(serve: Callable[[queue.SimpleQueue], None], count: int) -> Iterator[int]:
    """What `count` threads that run `serve` put into the queue that they are given, until all of them have ended."""
    told: queue.SimpleQueue = queue.SimpleQueue()

    def run() -> None:
        try:
            serve(told)
        except IndexError:  # another thread took the last piece of work
            pass
        finally:
            told.put(None)

    for _ in range(count):
        threading.Thread(target=run, daemon=True).start()
    while count:
        index = told.get()
        if index is None:
            count -= 1
        else:
            yield index


class _Worker:
    """One compiling process."""

    def __enter__(self) -> _Worker:
        root = str(Path(__file__).parents[2])
        paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "minitrt.kernels.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
            text=True,
        )
        return self

    def compile(self, request: Request, capability: tuple[int, int]) -> Cubin | CompileError:
        name, constants = request
        print(
            json.dumps({"name": name, "constants": constants, "capability": capability}),
            file=self.process.stdin,
            flush=True,
        )
        line = self.process.stdout.readline()
        if not line:
            return CompileError(name, f"its compiling process ended with status {self.process.wait()}")
        return _cubin_of(json.loads(line), name)

    def __exit__(self, *error: object) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def _cubin_of(answer: dict[str, Any], name: str) -> Cubin | CompileError:
    if "error" not in answer:
        return Cubin.from_json(answer)
    if answer["slow"]:
        return SlowCode(name, answer["error"], Cubin.from_json(answer))
    return CompileError(name, answer["error"])


def _kept(request: Request, capability: tuple[int, int]) -> Cubin | SlowCode | None:
    folder = cache_folder()
    if folder is None:
        return None
    try:
        found = _cubin_of(json.loads((folder / digest_of(request, capability)).read_text(encoding="utf-8")), request[0])
    except (OSError, ValueError, KeyError, TypeError):  # not there, or half written by a process that was stopped
        return None
    return found if isinstance(found, Cubin | SlowCode) else None


def _keep(request: Request, capability: tuple[int, int], made: Cubin | CompileError) -> None:
    folder = cache_folder()
    if folder is None or not isinstance(made, Cubin | SlowCode):
        return
    answer = made.to_json() if isinstance(made, Cubin) else {**made.made.to_json(), "error": made.log, "slow": True}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
            json.dump(answer, file)
        os.replace(file.name, folder / digest_of(request, capability))
    except OSError:  # a full or read-only disk costs the next build time, and this one nothing
        pass
