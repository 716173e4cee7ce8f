"""What a verdict depends on besides the answer: the exercise's contract, the versions, the machine, the cases."""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from autograder import backend
from autograder.contract import Exercise
from autograder.running.cases.more_cases import all_cases

PACKAGE = Path(__file__).resolve().parents[2]
JUDGE = (
    "answer",
    "classroom/jail",
    "classroom/messages",
    "classroom/reading",
    "classroom/sealed",
    "diagnosis",
    "lint",
    "running",
    "speed",
)  # and what is beside
LIBRARIES = ("numpy", "numba", "numba-cuda", "numba-cuda-mlir")
NO_GPU = "no GPU"
OURS = "autograder"  # the package whose functions a contract may be made of


def contract_digest(exercise: Exercise) -> str:
    """A SHA-256 of everything that an exercise asks, its functions by their source. Wording of hints is none of it."""
    parts = {field.name: getattr(exercise, field.name) for field in fields(exercise) if field.name != "hints"}
    digest = hashlib.sha256()
    for text in _texts(parts, set()):
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def case_names(exercise: Exercise, source: str, secret: str) -> list[str]:
    """The cases that an answer may meet, the drawn ones and the corners among them."""
    return [case.name for case in all_cases(exercise, source, secret)]


@cache
def made_with() -> dict[str, str]:
    """The versions of everything in this process that decides a verdict, and the device that it can use."""
    versions = {"judge": _judge_digest(), "python": platform.python_version()}
    for name in ("warpbook", *LIBRARIES):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return {**versions, "machine": f"{platform.system()} {platform.machine()}", "device": _device()}


def _device() -> str:
    """The GPU by name, compute capability and its own id; or that there is none."""
    if not backend.gpu_available():
        return NO_GPU
    device = backend.cuda_module().get_current_device()
    capability = ".".join(map(str, device.compute_capability))
    return f"{backend.name_of(device)}, compute capability {capability}, {device.uuid}"


def _judge_digest() -> str:
    """A digest of the source that judges: the interpreter, and of this package what reads, runs and concludes."""
    folders = [PACKAGE.parent / "simt", *(PACKAGE / room for room in JUDGE)]
    files = [*PACKAGE.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path.relative_to(PACKAGE.parent)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _texts(value: Any, seen: set[int]) -> Iterator[str]:
    """What a value of a contract says, as text that is the same in every process."""
    if isinstance(value, FunctionType):
        yield from _of_function(value, seen)
    elif is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__
        yield from _texts({field.name: getattr(value, field.name) for field in fields(value)}, seen)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item, seen)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, seen)
    elif isinstance(value, str | int | float | bool | None):
        yield repr(value)
    else:
        yield getattr(value, "__qualname__", type(value).__name__)


def _of_function(function: FunctionType, seen: set[int]) -> Iterator[str]:
    """A function's source, and that of every constant, and every function beside it or of ours, which it mentions."""
    if id(function) in seen:
        return
    seen.add(id(function))
    yield _source(function)
    for cell in function.__closure__ or ():
        yield from _texts(cell.cell_contents, seen)
    for name in sorted(_mentioned(function)):
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType) or name not in function.__globals__:
            continue
        if not isinstance(value, FunctionType) or _root(value) in (_root(function), OURS):
            yield name
            yield from _texts(value, seen)


def _root(function: FunctionType) -> str:
    """The package that a function belongs to."""
    return function.__module__.partition(".")[0]


def _mentioned(function: FunctionType) -> set[str]:
    """The global names in a function and in the functions that stand inside it."""
    names: set[str] = set()
    pending = [function.__code__]
    while pending:
        code = pending.pop()
        names.update(code.co_names)
        pending += [constant for constant in code.co_consts if inspect.iscode(constant)]
    return names


def _source(function: Callable) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return getattr(function, "__qualname__", "")
