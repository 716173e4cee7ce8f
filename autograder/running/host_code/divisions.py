"""Which number was 0, where the host's Python divides by it: its error names none."""

from __future__ import annotations

import ast
import linecache
import traceback

DIVIDES = ast.Div | ast.FloorDiv | ast.Mod


def zero_divided_by(error: BaseException) -> str:
    """The text of the divisor, as in "n_rows"; "" where the error is another or its line cannot be read."""
    if not isinstance(error, ZeroDivisionError) or error.__traceback__ is None:
        return ""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    if frame.lineno is None or frame.lineno != frame.end_lineno:
        return ""
    line = linecache.getline(frame.filename, frame.lineno).encode()
    try:
        divided = ast.parse(line[frame.colno : frame.end_colno].decode().strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    return ast.unparse(divided.right) if isinstance(divided, ast.BinOp) and isinstance(divided.op, DIVIDES) else ""
