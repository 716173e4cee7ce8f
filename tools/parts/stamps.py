"""What the outputs of a cell are of: a stamp that the recording leaves with the cell, so that an old one is found.

A cell's outputs follow from its own source, from the cells that defined what it names, and so on back; where it asks
an exercise, from what the unit predicted and from the modules that judge it. A stamp is the date and two hashes, one
of the cells and one of those modules. Comments in modules do not count. What all units share, the judge and the
interpreter, is in no hash: it changes daily, and tests of its own hold what it says.
"""

from __future__ import annotations

import ast
import datetime
import hashlib
import io
import symtable
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from autograder.classroom.for_nbgrader.recording_note import RECORD
from tools.parts.task_cells import NAMED
from tools.parts.units import ROOT

LENGTH = 12  # hexadecimal digits of a hash: a stamp is compared with one other
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DOCUMENTED = (ast.Module, ast.FunctionDef, ast.ClassDef)


def judging_files(unit_id: str, root: Path = ROOT) -> dict[str, str]:
    """The modules that judge one unit, name -> text: the folder of its exercises, or unit 00's module."""
    exercises = root / "autograder" / "exercises"
    paths = sorted((exercises / f"u{unit_id}").glob("*.py")) or [exercises / f"{unit_id.partition('_')[2]}.py"]
    return {path.name: path.read_text() for path in paths if path.exists()}


def stamp(notebook: NotebookNode, place: int, judging: Mapping[str, str], date: str | None = None) -> None:
    """Say in the metadata of one code cell what its outputs are of. date: today, where none is given."""
    date = date or datetime.date.today().isoformat()
    notebook.cells[place].metadata[RECORD] = {**hashes(notebook, place, judging), "date": date}


def hashes(notebook: NotebookNode, place: int, judging: Mapping[str, str]) -> dict[str, str]:
    """The hashes of one cell as it stands: "cells", and "judging" where an exercise is asked."""
    behind = sorted(depends_on(notebook, place))
    sources = [notebook.cells[earlier].source for earlier in behind]
    found = {"cells": _hash(sources)}
    if any("exercise(" in source for source in sources):
        found["judging"] = _hash(f"{name}\n{_without_comments(text)}" for name, text in sorted(judging.items()))
    return found


def changed_since(notebook: NotebookNode, judging: Mapping[str, str]) -> Iterator[tuple[NotebookNode, str]]:
    """The code cells with outputs that are of something else than today's, each with what changed."""
    words = {"cells": "its source or a cell it builds on", "judging": "what judges it"}
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type != "code" or not cell.outputs:
            continue
        noted = cell.metadata.get(RECORD)
        today = hashes(notebook, place, judging)
        changed = [words[part] for part in words if noted and noted.get(part) != today.get(part)]
        if changed or not noted:
            yield cell, " and ".join(changed) or "nobody knows: it has no stamp"


def depends_on(notebook: NotebookNode, place: int) -> set[int]:
    """The places of the code cells that one cell's outputs follow from, its own among them."""
    found, waiting = {place}, [place]
    while waiting:
        here = waiting.pop()
        for name in _reads(notebook.cells[here].source):
            fresh = set(_where_defined(notebook, name, here)) - found
            found |= fresh
            waiting += fresh
    return found


def _where_defined(notebook: NotebookNode, name: str, here: int) -> Iterator[int]:
    """The latest earlier cell that binds a name. For `q`: where `here` does not bind it, and what it was predicted."""
    asked = _asked(notebook, here)
    if name == "q" and asked:
        told = (place for place in range(here) if "q.predict(" in notebook.cells[place].source)
        yield from (place for place in told if _asked(notebook, place) == asked)
        if NAMED.search(notebook.cells[here].source):
            return
    for place in range(here - 1, -1, -1):
        cell = notebook.cells[place]
        if cell.cell_type == "code" and name in _binds(cell.source):
            yield place
            return


def _asked(notebook: NotebookNode, here: int) -> str:
    """The line that says which exercise `q` is in a cell, "" before the first."""
    for place in range(here, -1, -1):
        cell = notebook.cells[place]
        if cell.cell_type == "code" and (named := NAMED.findall(cell.source)):
            return named[-1]
    return ""


@cache
def _reads(source: str) -> frozenset[str]:
    """The names that a cell takes from the notebook, its functions' among them."""
    top, *inner = _scopes(symtable.symtable(source, "cell", "exec"))
    found = {one.get_name() for one in top.get_symbols() if one.is_referenced()}
    found |= {one.get_name() for scope in inner for one in scope.get_symbols() if one.is_global()}
    return frozenset(found - _of_comprehensions(source))


@cache
def _binds(source: str) -> frozenset[str]:
    """The names that a cell gives to the notebook: assigned, imported or defined outside of functions."""
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    found = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported() or one.is_namespace()}
    return frozenset(found - _of_comprehensions(source))


@cache
def _of_comprehensions(source: str) -> frozenset[str]:
    """The names that live in comprehensions alone: from Python 3.12 on they are listed as if the cell bound them."""
    tree = ast.parse(source)
    loops = [node for node in ast.walk(tree) if isinstance(node, COMPREHENSIONS)]
    bound = {name.id for loop in loops for one in loop.generators for name in _names(one.target)}
    inside = {id(name) for loop in loops for name in _names(loop)}
    return frozenset(bound - {name.id for name in _names(tree) if id(name) not in inside})


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Name))


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


def _without_comments(text: str) -> str:
    """A module's text without comments, docstrings and empty lines; the same in every version of Python."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = lines[token.start[0] - 1][: token.start[1]]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            told = node.body[0]
            lines[told.lineno - 1 : told.end_lineno] = [""] * (told.end_lineno - told.lineno + 1)
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _hash(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:LENGTH]
