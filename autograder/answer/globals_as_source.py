"""What a live notebook function needs, written as source: constants, imports, device functions, found by name.

A child process gets this text instead of pickled objects. Line numbers of the learner's cell are kept.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import symtable
import sys
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.answer.program import Piece, Program, ProgramError
from simt.source.recognise import is_numba_type

LARGEST_CONSTANT = 65_536  # elements of a module-level array that travel as text


def plain_function(function: Callable) -> Callable:
    """The Python function behind a kernel dispatcher; a plain function is returned as it is."""
    return getattr(function, "py_func", function)


def source_piece(function: Callable) -> Piece:
    """The source of a function, decorators included, and where it starts in its cell or file."""
    plain = inspect.unwrap(plain_function(function))
    try:
        lines, first = inspect.getsourcelines(plain)
    except (OSError, TypeError) as error:
        name = getattr(plain, "__name__", plain)
        raise ProgramError(
            f"The source of {name} is not to be found ({error}). Run the cell that defines it again."
        ) from error
    return Piece(textwrap.dedent("".join(lines)), plain.__code__.co_filename, max(first, 1))


def program_of(function: Callable, own: Piece | None = None) -> Program:
    """A Program for a live function: its own source last, everything it names before it. own: where that is known."""
    plain = inspect.unwrap(plain_function(function))
    own = own or source_piece(plain)
    walk = _Walk({plain.__name__})
    walk.visit(plain, own)
    setup = [Piece("\n".join(walk.lines) + "\n", "<globals>")] if walk.lines else []
    context = "".join(linecache.getlines(plain.__code__.co_filename, plain.__globals__))
    pieces = (*setup, *walk.functions)
    name = plain.__name__ if plain.__name__.isidentifier() else _name_of_lambda(own.source)
    return Program(own.source, name, own.filename, own.first_line, pieces, context)


def _name_of_lambda(source: str) -> str:
    """The name that a line binds a lambda to, as in `half = lambda x: x / 2`."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        tree = ast.Module([], [])
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(part, ast.Lambda) for part in ast.walk(node.value)):
            return ast.unparse(node.targets[0])
    raise ProgramError("The source of this lambda is not to be found on a line of its own. Write it as a def.")


def global_names(source: str) -> set[str]:
    """The names a stretch of source reads from its module: in bodies, decorators, defaults and annotations."""
    names: set[str] = set()
    tables = [symtable.symtable(source, "<answer>", "exec")]
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        symbols = table.get_symbols()
        if table.get_type() == "module":
            names |= {symbol.get_name() for symbol in symbols if symbol.is_referenced() and not symbol.is_assigned()}
        else:
            names |= {symbol.get_name() for symbol in symbols if symbol.is_global()}
    return names


@dataclass
class _Walk:
    """Follows names from function to function; `lines` are imports and constants, `functions` come callee first."""

    seen: set[str]
    lines: list[str] = field(default_factory=list)
    functions: list[Piece] = field(default_factory=list)

    def visit(self, plain: Callable, piece: Piece) -> None:
        """Collect what one function names in its body, decorators, defaults and annotations."""
        cells = zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True)
        values = {**plain.__globals__, **{name: cell.cell_contents for name, cell in cells}}
        for name in sorted(global_names(piece.source) - self.seen):
            if name in values:
                self.seen.add(name)
                self.need(name, values[name])

    def need(self, name: str, value: Any) -> None:
        """Write one global as source."""
        inner = plain_function(value)
        if inspect.isfunction(inner) and not _importable(value):
            piece = source_piece(inner)
            self.visit(inner, piece)
            self.functions.append(piece)
            bound = inner.__name__ if inner.__name__.isidentifier() else _name_of_lambda(piece.source)
            if value is not inner and _is_plain(piece.source):  # `f = cuda.jit(device=True)(g)`, away from g
                device = bool(getattr(value, "targetoptions", {}).get("device"))
                jitted = f"from numba import cuda as jitting\n{name} = jitting.jit(device={device})({bound})\n"
                self.functions.append(Piece(jitted, "<globals>"))
            elif bound != name:
                self.functions.append(Piece(f"{name} = {bound}\n", "<globals>"))
            return
        line = as_source(name, value)
        if line is None:
            raise ProgramError(
                f"`{name}` is a {type(value).__name__}, which a fresh process cannot be given. "
                "Use constants, imported modules and functions only, or define it inside your function."
            )
        self.lines.append(line)


def _is_plain(source: str) -> bool:
    """Whether a source is a def without a decorator."""
    try:
        first = ast.parse(source).body[0]
    except (SyntaxError, IndexError):
        return False
    return isinstance(first, ast.FunctionDef) and not first.decorator_list


def as_source(name: str, value: Any) -> str | None:
    """One statement that makes `name` equal to `value` elsewhere, or None when there is none."""
    if inspect.ismodule(value):
        return f"import importlib; {name} = importlib.import_module({value.__name__!r})"
    text = _literal(value)
    if text is not None:
        return f"import numpy; {name} = {text}"
    if _importable(value):
        return f"from {value.__module__} import {value.__qualname__} as {name}"
    if is_numba_type(value) and value.name.isidentifier():
        return f"from numba import {value.name} as {name}"
    return None


def _literal(value: Any) -> str | None:
    """Source of a constant: numbers, text, tuples, lists and dicts of them, NumPy scalars, dtypes and small arrays."""
    if value is None or isinstance(value, bool | int | complex | str | bytes) and type(value).__module__ == "builtins":
        return repr(value)
    if type(value) is float:
        return f"float({str(value)!r})"
    if isinstance(value, np.dtype):
        return f"numpy.dtype({value.descr if value.fields else value.str!r})"
    if isinstance(value, np.generic):
        return f"numpy.dtype({value.dtype.str!r}).type({_literal(value.item())})"
    if isinstance(value, np.ndarray) and value.size <= LARGEST_CONSTANT and value.dtype.kind in "biufc":
        flat = ", ".join(str(_literal(item)) for item in value.ravel().tolist())  # numbers, which all have one
        return f"numpy.array([{flat}], {value.dtype.str!r}).reshape({value.shape})"
    if type(value) in (tuple, list):
        parts = _literals(value)
        if parts is None:
            return None
        return f"({', '.join(parts)}{',' if parts else ''})" if type(value) is tuple else f"[{', '.join(parts)}]"
    if type(value) is dict:
        keys, items = _literals(value), _literals(value.values())
        if keys is None or items is None:
            return None
        return "{" + ", ".join(f"{key}: {item}" for key, item in zip(keys, items, strict=True)) + "}"
    return None


def _literals(values: Iterable[Any]) -> list[str] | None:
    """Source of each; None where one of them has none."""
    found = [_literal(value) for value in values]
    texts = [text for text in found if text is not None]
    return texts if len(texts) == len(found) else None


def _importable(value: Any) -> bool:
    """True when ``from module import name`` gives this very object in a fresh process."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not name.isidentifier():
        return False
    if module in ("__main__", "builtins") or module.startswith("warpbook_answer_"):
        return module == "builtins" and getattr(builtins, name, None) is value
    found = sys.modules.get(module)
    return found is not None and getattr(found, name, None) is value
