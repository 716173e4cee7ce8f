"""Runs a Python program in this process as ``python SCRIPT.py ARGS`` runs it."""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import io
import linecache
import os
import runpy
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, TracebackType

from autograder.answer.mistyped import unread
from autograder.programs.bound_kernels import note_on

OUR_ROOT = str(Path(__file__).resolve().parents[2])
OUR_FOLDERS = tuple(os.path.join(OUR_ROOT, name, "") for name in ("simt", "autograder"))
INTERRUPTED = 130  # as a shell says it


class ScriptError(ValueError):
    """The program cannot be started. The message says why, and what to pass instead."""


def run_script(path: str, arguments: Sequence[str]) -> int:
    """Run a program as `__main__`. What it raises is shown as Python shows it, with the program's frames alone.

    Returns: the exit code that Python would end with. Raises: ScriptError where there is no such program.
    """
    code = _compiled(path)
    module = ModuleType("__main__")
    loader = importlib.machinery.SourceFileLoader("__main__", path)
    vars(module).update(__file__=path, __builtins__=builtins, __loader__=loader, __cached__=None)
    return run_program(lambda: exec(code, vars(module)), module, [path, *arguments], str(Path(path).resolve().parent))


def run_module(name: str, arguments: Sequence[str]) -> int:
    """The same for a module, as ``python -m NAME ARGS`` runs it."""
    here = os.getcwd()
    sys.path.insert(0, here)  # where Python looks first
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # of a package that there is not; a name that is none
        found = None
    finally:
        sys.path.remove(here)
    if found is None:
        raise ScriptError(f"There is no module {name!r}. Pass the name of one, as in: warpbook run -m unittest")
    program = lambda: runpy.run_module(name, run_name="__main__", alter_sys=True)  # noqa: E731
    return run_program(program, ModuleType("__main__"), [name, *arguments], here)


def run_program(program: Callable[[], object], module: ModuleType, argv: list[str], folder: str) -> int:
    """Run a program that looks for its imports in `folder` first. Returns: the exit code that Python would end with."""
    ours = sys.modules["__main__"]
    sys.argv = argv
    sys.path[0:1] = [folder]
    if OUR_ROOT not in sys.path:  # it was the folder that is gone: what we have yet to import is still found
        sys.path.append(OUR_ROOT)
    sys.modules["__main__"] = module
    try:
        program()
    except SystemExit as leaving:
        return exit_code_of(leaving)
    except KeyboardInterrupt as error:
        show(error)
        return INTERRUPTED
    except BaseException as error:
        show(error)
        return 1
    finally:
        sys.modules["__main__"] = ours  # which processes that are started later read anew
        sys.stdout.flush()
    return 0


def _compiled(path: str):
    try:
        with io.open_code(path) as file:
            source = file.read()
    except OSError as error:
        raise ScriptError(f"{path} {unread(error)}. Pass a Python program, as in: warpbook run program.py") from error
    try:
        return compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        shown = "".join(traceback.format_exception_only(error)).rstrip()
        raise ScriptError(f"{path} is not Python, so nothing of it ran.\n{shown}") from error


def exit_code_of(leaving: SystemExit) -> int:
    """What Python ends with after `sys.exit(...)`, which may print what it was given."""
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code & 0xFF
    print(leaving.code, file=sys.stderr)
    return 1


def show(error: BaseException) -> None:
    """Print an exception, and those that led to it, without the frames of the interpreter."""
    linecache.checkcache()
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        one = pending.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = without_ours(one.__traceback__)
        if note := note_on(one):
            one.add_note(note)
        if _is_ours(one):
            one.__cause__, one.__suppress_context__ = None, True
        pending += [one.__cause__, one.__context__]
    if sys.excepthook is sys.__excepthook__:
        traceback.print_exception(error)  # which knows lines that are in no file; Python's own hook does not
    else:
        sys.excepthook(type(error), error, error.__traceback__)


def _is_ours(error: BaseException) -> bool:
    return type(error).__module__.split(".")[0] == "simt"


def without_ours(frames: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of the interpreter and of what runs it."""
    kept: list[TracebackType] = []
    while frames is not None:
        file = os.path.abspath(frames.tb_frame.f_code.co_filename)
        if not file.startswith(OUR_FOLDERS):
            kept.append(frames)
        frames = frames.tb_next
    rest: TracebackType | None = None
    for one in reversed(kept):
        rest = TracebackType(rest, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return rest
