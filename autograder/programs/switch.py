"""``WARPBOOK_SIMT=1``: what the environment says about the interpreter, to pytest and to a program's children.

While a program is judged, every Python that it starts reads `started_anew/sitecustomize.py`, by PYTHONPATH. Such a
child does nothing until it imports numba; then it joins: its launches are traced, and its parent tells what was found.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simt.programs.session import Session

ASKED, PARENT = "WARPBOOK_SIMT", "WARPBOOK_SIMT_PARENT"  # the second: what a child's session is made of, as JSON
STARTED_ANEW = str(Path(__file__).resolve().parent / "started_anew")
_here: list[Session] = []  # whose children this process starts, or whose forked child it is


def asked() -> bool:
    """Whether the environment asks for the interpreter, and nobody in this process has seen to it."""
    return not _here and os.environ.get(ASKED, "").lower() not in ("", "0", "no", "false", "off")


@contextlib.contextmanager
def handed_down(session: Session) -> Iterator[None]:
    """While the block runs, processes that this one starts join the session."""
    if session.in_child:  # its own parent has seen to it
        yield
        return
    path = os.pathsep.join(filter(None, (STARTED_ANEW, os.environ.get("PYTHONPATH"))))
    ours = {ASKED: "1", PARENT: json.dumps(session.of_a_child()), "PYTHONPATH": path}
    before = {name: os.environ.get(name) for name in ours}
    os.environ.update(ours)
    _here.append(session)
    try:
        yield
    finally:
        _here.remove(session)
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})


@cache
def joined() -> Session | None:
    """The session of a process whose parent listens, from now on to its end; None where no parent does."""
    options = {} if _here else json.loads(os.environ.get(PARENT) or "{}")
    if not options or not Path(options["parent"]).is_dir():  # nobody, or one that has ended
        return None
    from simt.programs.session import Session

    session = Session(**options).__enter__()
    atexit.register(session.__exit__, None, None, None)
    return session


def spec_that_joins(name: str) -> importlib.machinery.ModuleSpec | None:
    """Of numba, as a child loads it whose parent listens: its kernels go to the interpreter. None where none does."""
    if joined() is None:
        return None
    from simt import cuda_api

    cuda_api.install()  # behind all others: found where numba is not installed
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.loader is not None:
        spec.loader = _AndThen(spec.loader)
    return spec


class _AndThen(importlib.abc.Loader):
    """Loads what another loads, and sends its kernels to the interpreter."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        from autograder import backend

        backend.force_interpreter()
