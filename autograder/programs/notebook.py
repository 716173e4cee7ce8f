"""Runs a notebook's code cells as "Run all" does, each as a file of its own: a finding names a line of a cell."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import linecache
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from autograder.answer.magics import python_of
from autograder.answer.mistyped import unread
from autograder.programs.script import ScriptError, run_program

TIMED = re.compile(r"^([ \t]*)%time(?:it)?[ \t]+(?:-[a-z]+[ \t]*(?:\d+[ \t]+)?)*(?=[^-\s])", re.MULTILINE)
OF_PYTHON = ("time", "timeit", "capture", "prun")  # the commands that begin a cell of Python
MOST_TOLD = 10  # cells and lines that did not run


class CodeCell(NamedTuple):
    """One code cell as Python reads it. file: the name that its lines bear; left_out: what of it is not Python."""

    file: str
    source: str
    left_out: tuple[str, ...] = ()
    may_raise: bool = False


def run_notebook(path: str, arguments: Sequence[str]) -> int:
    """Run the code cells of a notebook in order, in one module, until one of them raises.

    Returns: the exit code that Python would end with. Raises: ScriptError where there is no such notebook.
    """
    cells = cells_of(path)
    module = ModuleType("__main__")
    vars(module).update(display=_display())
    _tell_left_out(cells)
    return run_program(lambda: _run(cells, module), module, [path, *arguments], str(Path(path).resolve().parent))


def cells_of(path: str) -> list[CodeCell]:
    """The code cells of a notebook of format 3 or 4. Raises: ScriptError for a file that is none."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        sheets = document["worksheets"] if "worksheets" in document else [document]
        found = [cell for sheet in sheets for cell in sheet["cells"] if cell["cell_type"] == "code"]
        return [_cell(path, number, cell) for number, cell in enumerate(found, 1)]
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path} {unread(error)}. Pass a notebook, as in: warpbook run lesson.ipynb") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ScriptError(f"{path} is no notebook, so nothing of it ran: {error}") from error


def _cell(path: str, number: int, cell: Mapping[str, Any]) -> CodeCell:
    text = cell["source"] if "source" in cell else cell["input"]
    text = text if isinstance(text, str) else "".join(text)
    file, first = f"{path} cell {number}", text.lstrip().partition("\n")[0].strip()
    if first.startswith("%%") and first[2:].partition(" ")[0] not in OF_PYTHON:
        return CodeCell(file, "", (f"cell {number}: {first}, all of it",))
    read = python_of(TIMED.sub(r"\1", text))  # what it times runs once
    left_out = tuple(f"cell {number}, line {line}: {command}" for line, command in read.commands)
    return CodeCell(file, read.source, left_out, "raises-exception" in cell.get("metadata", {}).get("tags", ()))


def _tell_left_out(cells: list[CodeCell]) -> None:
    told = [one for cell in cells for one in cell.left_out]
    if told:
        more = [f"  and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
        print("warpbook: not run, as it is the notebook's own language and no Python:", file=sys.stderr)
        print("\n".join([*(f"  {one}" for one in told[:MOST_TOLD]), *more]), file=sys.stderr)


def _run(cells: list[CodeCell], module: ModuleType) -> None:
    for cell, code in _compiled(cells):
        try:
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(eval(code, vars(module)))
            else:
                exec(code, vars(module))
        except Exception:
            if not cell.may_raise:
                raise


def _compiled(cells: list[CodeCell]) -> Iterator[tuple[CodeCell, CodeType]]:
    """Each cell's code, made when its turn comes, as in a notebook: what is wrong with a later one is met later."""
    for cell in cells:
        linecache.cache[cell.file] = len(cell.source), None, cell.source.splitlines(True), cell.file
        yield cell, compile(cell.source, cell.file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)


def _display() -> Any:
    """What cells show values with: IPython's where it is installed."""
    try:
        from IPython.display import display
    except ImportError:
        return print
    return display
