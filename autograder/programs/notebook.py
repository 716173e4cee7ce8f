"""Runs a notebook's code cells as "Run all" does, each as a file of its own: a finding names a line of a cell."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import linecache
import re
import sys
from collections.abc import Mapping, Sequence
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
    """One code cell as Python reads it.

    file: the name that its lines bear; left_out: what of it is not Python; may_raise: it is marked so; raised: the
    error that it ended in when the notebook was saved.
    """

    file: str
    source: str
    left_out: tuple[str, ...] = ()
    may_raise: bool = False
    raised: str = ""


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
    lost = [(line, command) for line, command in read.commands if not (line == 1 and command.startswith("%%"))]
    left_out = tuple(f"cell {number}, line {line}: {command}" for line, command in lost)
    may_raise = "raises-exception" in cell.get("metadata", {}).get("tags", ())
    return CodeCell(file, read.source, left_out, may_raise, _saved_error(cell))


def _saved_error(cell: Mapping[str, Any]) -> str:
    """The name of the error among a cell's saved outputs; "" for none."""
    saved = (one for one in cell.get("outputs", ()) if one.get("output_type") in ("error", "pyerr"))
    return next((str(one.get("ename") or "an error") for one in saved), "")


def _tell_left_out(cells: list[CodeCell]) -> None:
    told = [one for cell in cells for one in cell.left_out]
    if told:
        more = [f"  and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
        print("warpbook: not run, as it is the notebook's own language and no Python:", file=sys.stderr)
        print("\n".join([*(f"  {one}" for one in told[:MOST_TOLD]), *more]), file=sys.stderr)


def _run(cells: list[CodeCell], module: ModuleType) -> None:
    for number, cell in enumerate(cells, 1):
        try:
            code = _compiled(cell)
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(eval(code, vars(module)))
            else:
                exec(code, vars(module))
        except Exception as error:
            if not cell.may_raise and not cell.raised:
                _tell_the_end(number, len(cells))
                raise
            if cell.raised:
                _tell_raised(number, cell, type(error).__name__)


def _tell_the_end(number: int, n_cells: int) -> None:
    if number < n_cells:
        after = "the cell after it does" if number == n_cells - 1 else f"the {n_cells - number} cells after it do"
        print(f"warpbook: cell {number} ends the notebook, so {after} not run:", file=sys.stderr)


def _tell_raised(number: int, cell: CodeCell, now: str) -> None:
    """An error that was there when the notebook was saved: who teaches shows it on purpose, and went on."""
    as_saved = "as it did" if now == cell.raised else f"and {cell.raised}"
    print(
        f"warpbook: cell {number} raises {now}, {as_saved} when the notebook was saved; the next cells run.",
        file=sys.stderr,
    )


def _compiled(cell: CodeCell) -> CodeType:
    """A cell's code, made when its turn comes, as in a notebook: what is wrong with a later one is met later."""
    linecache.cache[cell.file] = len(cell.source), None, cell.source.splitlines(True), cell.file
    return compile(cell.source, cell.file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)


def _display() -> Any:
    """What cells show values with: IPython's where it is installed."""
    try:
        from IPython.display import display
    except ImportError:
        return print
    return display
