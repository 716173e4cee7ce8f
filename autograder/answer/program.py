"""A submission as text: where it came from, what it needs, and how to load it so that tracebacks find its lines.

Learners, references (the solved notebook read as data) and the child process all use the same `Program`.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import linecache
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import backend, plain_data
from autograder.answer.mistyped import unread
from autograder.answer.not_python import why_not_python
from autograder.answer.syntax import functions_of_cell, tree_of

LOADED = "#warpbook_answer"  # in the file name of whatever a Program loads
_serial = itertools.count(1)


class ProgramError(Exception):
    """The submission cannot be read or loaded; the message says which part and what to do."""


@dataclass(frozen=True)
class Piece:
    """A stretch of source with the file (or cell) and the line that it starts at.

    trusted: it is the course's own, and not a learner's. A classroom runs such pieces as they are, and no others.
    """

    source: str
    filename: str
    first_line: int = 1
    trusted: bool = False


@dataclass(frozen=True)
class Program:
    """The learner's own source, the function it defines, and the pieces that must run before it.

    context: the whole cell or file around it, from line 1, where more of it than `source` may be quoted; "" elsewhere.
    """

    source: str
    function: str
    filename: str = "<answer>"
    first_line: int = 1
    setup: tuple[Piece, ...] = ()
    context: str = ""

    def __post_init__(self) -> None:
        """A byte order mark is none of the source, whoever wrote it."""
        object.__setattr__(self, "source", self.source.removeprefix("\ufeff"))

    @property
    def quotable(self) -> Piece:
        """What a verdict quotes lines from."""
        return Piece(self.context or self.source, self.filename, 1 if self.context else self.first_line)

    @property
    def lines(self) -> range:
        """The numbers of the source's lines in its cell or file."""
        return range(self.first_line, self.first_line + len(self.source.splitlines()))

    @property
    def definition(self) -> ast.FunctionDef | None:
        """The syntax of the function, with the line numbers of its cell or file; None where it defines none by name."""
        found = [node for node in functions_of_cell(self.source, self.first_line) if node.name == self.function]
        return found[-1] if found else None

    @property
    def helpers(self) -> dict[str, ast.FunctionDef]:
        """The other functions of the cell or file, by name, with its line numbers."""
        found = functions_of_cell(self.source, self.first_line)
        return {node.name: node for node in found if node.name != self.function}

    @property
    def defined_before(self) -> frozenset[str]:
        """Names of the functions that the setup defines and the source does not: their lines are of other cells."""
        return _functions_of(*(piece.source for piece in self.setup)) - _functions_of(self.source)

    @property
    def text(self) -> str:
        """Everything that runs, as one text to search."""
        return "\n".join([*(piece.source for piece in self.setup), self.source])

    @classmethod
    def from_file(cls, path: str | Path, function: str) -> Program:
        """The program in a Python file, which defines `function` by name."""
        path = Path(path)
        try:
            source = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise ProgramError(f"{path} {unread(error)}. Pass the Python file that defines {function}.") from error
        return cls(source, function, str(path))

    @property
    def fingerprint(self) -> str:
        """A digest of everything that runs, for caches."""
        return hashlib.sha256(f"{self.function}\0{self.text}".encode()).hexdigest()

    def load(self) -> tuple[dict[str, Any], Callable]:
        """Run the program in a fresh module that stays; return its namespace and the learner's function.

        Raises ProgramError when the source does not parse, raises something itself, or does not define the function.
        """
        namespace = self.namespace()
        if not callable(namespace.get(self.function)):
            _drop(namespace["__name__"])
            raise ProgramError(f"{self.filename} defines no function named {self.function!r}. Name your answer so.")
        return namespace, namespace[self.function]

    @contextmanager
    def loaded(self) -> Iterator[tuple[dict[str, Any], Callable]]:
        """The same for as long as the block runs: afterwards nothing of the program is left behind."""
        namespace, function = self.load()
        try:
            yield namespace, function
        finally:
            _drop(namespace["__name__"])

    def namespace(self) -> dict[str, Any]:
        """What the program defines, run in a fresh module. Raises ProgramError as `load` does."""
        backend.prepare()
        module = types.ModuleType(f"{LOADED[1:]}_{next(_serial)}")
        module.__file__ = self.filename
        sys.modules[module.__name__] = module  # pickling, dataclasses and inspect look modules up by name
        namespace = vars(module)
        pieces = (*self.setup, Piece(self.source, self.filename, self.first_line))
        try:
            for position, piece in enumerate(pieces):
                _run(_compiled(piece, f"{module.__name__}.{position}"), namespace)
        except BaseException:
            _drop(module.__name__)
            raise
        return namespace

    @contextmanager
    def set_up(self) -> Iterator[dict[str, Any]]:
        """What the setup alone defines, for as long as the block runs. Raises ProgramError as `load` does."""
        namespace = Program("", self.function, self.filename, setup=self.setup).namespace()
        try:
            yield namespace
        finally:
            _drop(namespace["__name__"])

    def beside(self, setup: dict[str, Any], source: str) -> Callable:
        """The function as another source defines it, beside what the setup has defined in a namespace, which stays.

        Raises ProgramError as `load` does.
        """
        namespace, tag = dict(setup), f"{setup['__name__']}.{next(_serial)}"
        code = _compiled(Piece(source, self.filename, self.first_line), tag)
        _run(code, namespace)
        if not callable(namespace.get(self.function)):
            raise ProgramError(f"{self.filename} defines no function named {self.function!r}.")
        return namespace[self.function]

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready document that `from_json` reads back."""
        return plain_data.to_json(self)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Program:
        """The program that `to_json` wrote. Raises TypeError for anything else."""
        return plain_data.from_json(cls, document)


def _drop(module: str) -> None:
    """Forget a loaded program: its module, and its text, which linecache holds by the piece."""
    sys.modules.pop(module, None)
    for filename in [name for name in linecache.cache if f"#{module}." in name]:
        del linecache.cache[filename]


def _run(code, namespace: dict[str, Any]) -> None:
    """Run one piece; what it raises, SystemExit included, becomes a ProgramError with its line."""
    try:
        exec(code, namespace)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == code.co_filename
        ]
        place = f"Line {lines[-1]}" if lines else "The source"
        if found := re.match(r"<function (shared|local)\.array\b.*cannot be called from host code", str(error)):
            raise ProgramError(
                f"{place} makes a {found[1]} array outside any kernel, where there are no threads it could belong to. "
                "Move the line into the kernel."
            ) from error
        raise ProgramError(f"{place} fails before anything is checked: {type(error).__name__}: {error}.") from error


def _compiled(piece: Piece, tag: str):
    """The code object of a piece, registered with linecache under a name of its own so that lines can be quoted."""
    padded = "\n" * (piece.first_line - 1) + piece.source
    filename = f"<{piece.filename.strip('<>')}#{tag}>"
    linecache.cache[filename] = (len(padded), None, padded.splitlines(keepends=True), filename)
    try:
        return compile(padded, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise ProgramError(why_not_python(error, padded)) from error


def _functions_of(*sources: str) -> frozenset[str]:
    """Names of the functions that pieces of source define at their top; none of a piece that cannot be read."""
    names: set[str] = set()
    for source in sources:
        tree = tree_of(source)
        names |= {node.name for node in (tree.body if tree else ()) if isinstance(node, ast.FunctionDef)}
    return frozenset(names)
