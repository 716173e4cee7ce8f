"""Is what was judged what stands in the cells? Read from IPython's history of this session.

A cell that stops with an error leaves the function of the run before it; a helper that another cell defines anew is not
the one that a kernel was compiled with. The verdict says so. What is no function at all is told at once.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from autograder.answer.attempted import attempt_of
from autograder.answer.globals_as_source import global_names, plain_function, program_of, source_piece
from autograder.answer.program import ProgramError
from autograder.answer.syntax import functions_of
from autograder.contract import Exercise
from autograder.outcome import Outcome


class NoFunctionError(TypeError):
    """What was passed is no function: its name as a text, its result, a launch configuration, or nothing at all."""


def a_function(given: object, method: str, name: str) -> Callable:
    """What `method` was given, if it is a function. name: of the one that is asked for. Raises: NoFunctionError."""
    if callable(given) and not type(given).__name__.lstrip("_").startswith("LaunchConfiguration"):
        return given
    what = (
        "nothing" if given is None else f"{type(given).__name__} {given!r}" if isinstance(given, str) else "no function"
    )
    raise NoFunctionError(
        f"q.{method} was given {what}. Pass the function itself, without quotes and without brackets after its name: "
        f"q.{method}({name})."
    )


class Spelt:
    """What it has not is told with the method that is meant: IPython shows Python's error without that."""

    def __getattr__(self, name: str):
        methods = [word for word in dir(type(self)) if not word.startswith("_")]
        near = difflib.get_close_matches(name.lower(), methods, n=1)
        meant = f"Did you mean q.{near[0]}?" if near else f"It has {', '.join(methods)}."
        raise AttributeError(f"There is no q.{name}. {meant}")


def told(outcome: Outcome, function: Callable) -> Outcome:
    """The outcome, with a note first where the function judged is not what the newest cells say."""
    notes = tuple(_notes(plain_function(function)))
    return replace(outcome, notes=(*notes, *outcome.notes)) if notes else outcome


def is_answer(function: Callable, name: str) -> bool:
    """Whether a function is the one asked for: it has that name, or is bound to it where it was defined."""
    plain = plain_function(function)
    bound = getattr(plain, "__globals__", {}).get(name)
    return name == getattr(plain, "__name__", "") or (bound is not None and plain_function(bound) is plain)


def of_another_exercise(function: Callable, exercise: Exercise) -> tuple[str, str]:
    """(what is seen, what to do) where a function is the answer to another exercise of the unit; empty elsewhere.

    Every cell of a notebook gives `q` to its own exercise, so who goes back to an earlier one has the later one's.
    """
    from autograder import exercises

    name = getattr(plain_function(function), "__name__", "")
    other = next((one for one in exercises.beside(exercise) if one.function == name != exercise.function), None)
    if other is None or is_answer(function, exercise.function):
        return "", ""
    return (
        f"`{name}` answers {other.id}, and this q is of {exercise.id}.",
        f'Run q = exercise("{other.id}"), and then q.check({name}).',
    )


def did_not_run(name: str) -> str:
    """What a hint is where the last cell that defines a function is no Python; "" where it is."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    cells = list(getattr(shell, "history_manager", None).input_hist_parsed) if shell is not None else []
    cell = next((cell for cell in reversed(cells) if f"def {name}(" in cell), "")
    if not cell or (error := _syntax_error(cell)) is None:
        return ""
    line = (error.text or "").strip()
    return (
        f"The cell that defines {name} did not run: SyntaxError, {error.msg}, line {error.lineno}"
        f"{f': `{line}`' if line else ''}. Mend that line first; where it looks right, look for a bracket or a colon "
        "that is missing in the line above it."
    )


def _notes(function: Callable) -> Iterator[str]:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    cells = list(getattr(shell, "history_manager", None).input_hist_parsed) if shell is not None else []
    if not cells or not inspect.isfunction(function):
        return
    judged = _number_of(shell, function)
    yield from _later_cells(cells, function.__name__, judged)
    if newer := renamed(cells, function, judged):
        yield newer
    yield from _older_helpers(function)


def _later_cells(cells: list[str], name: str, judged: int) -> Iterator[str]:
    """Cells after the judged one that were to define the function, and did not."""
    for number in range(len(cells) - 1, judged, -1):
        cell = cells[number]
        if judged >= 0 and f"def {name}(" in cell:
            error = _syntax_error(cell)
            why = f": SyntaxError, {error.msg}, line {error.lineno}" if error else ""
            yield (
                f"The last cell that defines {name} did not run{why}. Judged was the version of the run before; mend "
                "the cell, run it, and check again."
            )
            return


def renamed(cells: list[str], function: Callable, judged: int) -> str:
    """A sentence where the newest cell that defines functions has one that looks like a judged one by another name.

    cells: the history; judged: the number of the cell that defined `function`, -1 where that is not known.
    """
    name, parameters = function.__name__, list(inspect.signature(function).parameters)
    for cell in reversed(cells[judged + 1 :] if judged >= 0 else []):
        if _syntax_error(cell) is not None or not (found := functions_of(cell)):
            continue
        alike = [one.name for one in found if [each.arg for each in one.args.args] == parameters]
        if name in {one.name for one in found} or len(alike) != 1:
            return ""
        return (
            f"Judged was {name} as an earlier cell defines it. A later cell defines {alike[0]} with the same "
            f"parameters: if that is the newer version, call it {name}, or pass {alike[0]}."
        )
    return ""


def _syntax_error(cell: str) -> SyntaxError | None:
    try:
        ast.parse(cell)
    except SyntaxError as error:
        return error
    return None


def _number_of(shell: Any, function: Callable) -> int:
    """The number of the execution that defined a function, -1 where that is not known."""
    known = getattr(shell.compile, "_filename_map", {})
    number = known.get(function.__code__.co_filename)
    return number if isinstance(number, int) else -1


def _older_helpers(function: Callable) -> Iterator[str]:
    """Functions that the cell of `function` defines too, and that another cell has defined anew since."""
    try:
        names = global_names(source_piece(function).source)
    except (ProgramError, SyntaxError):
        return
    for name in sorted(names):
        helper = plain_function(function.__globals__.get(name))
        if not inspect.isfunction(helper) or helper.__code__.co_filename == function.__code__.co_filename:
            continue
        if helper.__globals__ is function.__globals__ and _defines(function.__code__.co_filename, name):
            yield (
                f"`{name}` is judged as another cell defines it, not as the cell of {function.__name__} does. Run that "
                "cell again, or take one of the two away."
            )


def _defines(filename: str, name: str) -> bool:
    """Whether the text of a cell defines a function by this name."""
    import linecache

    return any(line.startswith(f"def {name}(") for line in linecache.getlines(filename))


def stub(function: Callable) -> str:
    """A sentence where a function still holds nothing but its stub, else ""."""
    try:
        attempt = attempt_of(program_of(function))
    except ProgramError:  # a function without a source of its own is no stub
        return ""
    return attempt.says.replace("`", "") if attempt.state == "untouched" else ""
