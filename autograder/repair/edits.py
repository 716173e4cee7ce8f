"""A single edit of a source: which line, what kind of change, and the text that it gives. Lines keep their numbers."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

BELOW = ("Compare", "BoolOp", "BinOp", "UnaryOp", "IfExp")  # expressions that need brackets in the place of a name


@dataclass(frozen=True)
class Edit:
    """line: 1-based in the source. kind: a key of `kinds.WRONG`; about: what that sentence quotes; becomes: the line
    or lines as they would be; source: the whole text; meant: whether the course's own solution has that line."""

    line: int
    kind: str
    about: str
    becomes: str
    source: str
    meant: bool = False


class Text:
    """A source whose stretches are replaced by position, as its tree gives it: lines from 1, columns in bytes."""

    def __init__(self, source: str) -> None:
        self.lines = source.encode().splitlines(keepends=True)
        self.tree = ast.parse(source)

    def of(self, node: ast.AST) -> str:
        """What is written there."""
        return ast.unparse(node)

    def replaced(self, node: ast.expr, new: str, kind: str, about: str = "") -> Edit:
        """With other text in the place of an expression."""
        first, last = node.lineno, node.end_lineno or node.lineno
        begin, end = self.lines[first - 1][: node.col_offset], self.lines[last - 1][node.end_col_offset :]
        pad = b"\n" * (last - first)  # what comes after keeps its line numbers
        lines = [*self.lines[: first - 1], begin + new.encode() + end + pad, *self.lines[last:]]
        return self._edit(node.lineno, kind, about or ast.unparse(node), lines, begin + new.encode() + end)

    def replaced_all(self, nodes: Sequence[ast.expr], new: str, kind: str, about: str) -> Edit:
        """With the same text in the place of several expressions, each within a line."""
        return self.replaced_each([(node, new) for node in nodes], kind, about)

    def replaced_each(self, pairs: Sequence[tuple[ast.expr, str]], kind: str, about: str) -> Edit:
        """With other text in the place of each of several expressions, each within a line."""
        lines = [*self.lines]
        for node, new in sorted(pairs, key=lambda one: (one[0].lineno, one[0].col_offset), reverse=True):
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = line[: node.col_offset] + new.encode() + line[node.end_col_offset :]
        first = min(node.lineno for node, _ in pairs)
        return self._edit(first, kind, about, lines, lines[first - 1])

    def with_line(self, line: int, new: list[str], kind: str, about: str) -> Edit:
        """With other lines in the place of one. Joined by semicolons where they may not add to the count."""
        text = "\n".join(new)
        lines = [*self.lines[: line - 1], text.encode() + b"\n", *self.lines[line:]]
        return self._edit(line, kind, about, lines, text.encode())

    def with_lines(self, lines: list[bytes], line: int, kind: str, about: str, becomes: str) -> Edit:
        """With all lines anew. line: the one that the change is about."""
        return self._edit(line, kind, about, lines, becomes.encode())

    def indent_of(self, line: int) -> str:
        text = self.lines[line - 1].decode()
        return text[: len(text) - len(text.lstrip())]

    def _edit(self, line: int, kind: str, about: str, lines: list[bytes], becomes: bytes) -> Edit:
        return Edit(line, kind, about, becomes.decode().strip("\n"), b"".join(lines).decode())


def in_brackets(node: ast.expr) -> str:
    """An expression as it may stand in the place of any other."""
    text = ast.unparse(node)
    return f"({text})" if type(node).__name__ in BELOW else text
