"""An answer of the catalogue as the cell that somebody would hand in: its text, and what else of its file it needs."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterable
from pathlib import Path

from autograder.answer.globals_as_source import global_names, plain_function
from autograder.exercises import catalogue
from autograder.exercises.catalogue import Answer


def cell_of(answer: Answer, setup: Iterable[str] = ()) -> str:
    """The source of a cell: the answer, after the constants, helpers and imports that it names, directly or not.

    setup: sources of the unit's setup cells; what they define is there already, and left out.
    """
    code = plain_function(answer.function).__code__
    text = Path(code.co_filename).read_text(encoding="utf-8")
    statements = ast.parse(text).body
    at_line = (statement for statement in statements if _first_line(statement) == code.co_firstlineno)
    (own,) = (statement for statement in at_line if isinstance(statement, ast.FunctionDef))
    source = _lines(text, own.decorator_list[0].end_lineno + 1, own.end_lineno)  # below the catalogue's decorator
    known = {own.name}.union(*(_bound_names(cell) for cell in setup))
    others = [statement for statement in statements if not _is_catalogues_own(statement)]
    helpers = [_lines(text, _first_line(statement), statement.end_lineno) for statement in others]
    return "".join(f"{helper}\n\n\n" for helper in _needed(source, helpers, known)) + source + "\n"


def _needed(source: str, helpers: list[str], known: set[str]) -> list[str]:
    """Which helpers a source needs, in their order, those that helpers need among them."""
    wanted = global_names(source) - known
    while True:
        taken = [helper for helper in helpers if (_bound_names(helper) - known) & wanted]
        more = wanted.union(*(global_names(helper) for helper in taken)) - known
        if more == wanted:
            return taken
        wanted = more


def _is_catalogues_own(statement: ast.stmt) -> bool:
    """True for an import of the catalogue."""
    return isinstance(statement, ast.ImportFrom) and statement.module == catalogue.__name__


def _bound_names(source: str) -> set[str]:
    """The names that a source gives a value at its top level."""
    symbols = symtable.symtable(source, "<cell>", "exec").get_symbols()
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}


def _first_line(statement: ast.stmt) -> int:
    """The line of its first decorator, or its own."""
    return min([statement.lineno, *(item.lineno for item in getattr(statement, "decorator_list", ()))])


def _lines(text: str, first: int, last: int) -> str:
    """Lines of a text, both ends included, counted from 1."""
    return "\n".join(text.split("\n")[first - 1 : last])
