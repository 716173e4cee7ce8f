"""Finds the syntax tree of a function. Lines and columns are those of its file or notebook cell, untouched."""

from __future__ import annotations

import ast
import linecache
import sys
from dataclasses import dataclass

from simt.errors import UnsupportedError
from simt.source.walking import walk


@dataclass(frozen=True)
class Source:
    """A function's syntax node, and the lines of the file or cell around it."""

    node: ast.FunctionDef | ast.Lambda
    lines: tuple[str, ...]

    def segment(self, node: ast.expr | ast.stmt | ast.pattern) -> str:
        """The source of a node, on one line."""
        first, last = node.lineno - 1, node.end_lineno - 1
        rows = [line.encode() for line in self.lines[first : last + 1]]  # columns count bytes
        rows[-1] = rows[-1][: node.end_col_offset]
        rows[0] = rows[0][node.col_offset :]
        return " ".join(b"".join(rows).decode().split())


CACHED_FILES = 32  # a notebook has a cell a file, and every answer that is judged is a file of its own
EXECUTED_TEXT = "<string>"  # what Python calls the text given to exec, eval and `python -c`

_functions: dict[str, tuple[str, list[ast.FunctionDef | ast.Lambda]]] = {}  # file name -> (text, those in it)


def find_source(function) -> Source:
    """The source of a Python function. Raises UnsupportedError when it has none, as for code given to exec."""
    code = function.__code__
    linecache.checkcache(code.co_filename)  # the file may have been edited and imported again
    lines = linecache.getlines(code.co_filename, function.__globals__) or _command_line(code.co_filename)
    if not lines:
        raise _no_source(code)
    text = "".join(lines)
    known = _functions.get(code.co_filename)
    if known is None or known[0] != text:
        if len(_functions) >= CACHED_FILES:
            _functions.clear()
        known = _functions[code.co_filename] = (text, _functions_in(text))
    node = _find(known[1], code)
    if node is None and code.co_filename == EXECUTED_TEXT:  # the command line's text is not where it stands
        raise _no_source(code)
    if node is None:
        raise UnsupportedError(
            f"the source of {code.co_name} changed after it was imported: import it again",
            code.co_name,
            code.co_firstlineno,
        )
    return Source(node, tuple(lines))


def _no_source(code) -> UnsupportedError:
    """The error for a function whose text is nowhere to be found."""
    says = f"the source of {code.co_name} is not available: define it in a file or a notebook cell"
    return UnsupportedError(says, code.co_name, code.co_firstlineno)


def _command_line(file_name: str) -> list[str]:
    """The program of ``python -c``, which is in no file."""
    arguments = sys.orig_argv
    if file_name != "<string>" or "-c" not in arguments[:-1]:
        return []
    return arguments[arguments.index("-c") + 1].splitlines(True)


def _functions_in(text: str) -> list[ast.FunctionDef | ast.Lambda]:
    """Those that a file defines; none where it cannot be read. Each is looked for among them, as kernels are many."""
    try:
        return [node for node in walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    except SyntaxError:
        return []


def _find(functions: list[ast.FunctionDef | ast.Lambda], code) -> ast.FunctionDef | ast.Lambda | None:
    """The node a code object was compiled from: same name, same first line (that of the first decorator)."""
    for node in functions:
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            decorators = [decorator.lineno for decorator in node.decorator_list]
            if min([node.lineno, *decorators]) == code.co_firstlineno:
                return node
        if isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and node.lineno == code.co_firstlineno:
            if len(node.args.args) == code.co_argcount and _spans(node.body, code):
                return node
    return None


def _spans(body: ast.expr, code) -> bool:
    """Whether a lambda's code lies in this body: a line may hold several. True where the code does not say."""
    begin, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    places = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    return all(begin <= (line, column) and (last, after) <= end for line, last, column, after in places)


def returned_array_at(function: ast.FunctionDef | ast.Lambda) -> int:
    """The line of the first `return` whose value, should it be an array, numba takes for one that the function made:
    anything but a parameter's name. 0 where there is none."""
    if isinstance(function, ast.Lambda):
        return 0 if isinstance(function.body, ast.Name) else function.lineno
    parameters = {one.arg for one in (*function.args.posonlyargs, *function.args.args)} - names_stored(function)
    returns = [node for node in walk(function) if isinstance(node, ast.Return) and node.value is not None]
    made = (one for one in returns if not (isinstance(one.value, ast.Name) and one.value.id in parameters))
    return next((one.lineno for one in made), 0)


def names_stored(node: ast.AST) -> frozenset[str]:
    """The variables that a piece of source sets."""
    return _names(node, ast.Store)


def names_loaded(node: ast.AST) -> frozenset[str]:
    """The variables whose values a piece of source takes."""
    return _names(node, ast.Load)


def _names(node: ast.AST, kind: type[ast.expr_context]) -> frozenset[str]:
    """Names of a kind, which a node keeps once they were asked for: compiling asks at every statement around them."""
    kept = f"_names_{kind.__name__}"
    found = getattr(node, kept, None)
    if found is None:
        names = (part for part in walk(node) if isinstance(part, ast.Name))
        found = frozenset(part.id for part in names if isinstance(part.ctx, kind))
        setattr(node, kept, found)
    return found


def takes_several(node: ast.Subscript) -> bool:
    """Whether an index takes several elements along an axis, as in dst[row, :]."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(part, ast.Slice) for part in parts)


def means_a_power(node: ast.AST) -> bool:
    """Whether a node is `x ^ 2`, as other languages write a power."""
    exponent = node.right if isinstance(node, ast.BinOp) else node.value if isinstance(node, ast.AugAssign) else None
    caret = isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.BitXor)
    return caret and isinstance(exponent, ast.Constant)
