"""Lines of a cell that are the notebook's and not Python's: magics, shell commands, questions.

As in IPython, only a line that begins a statement can be one, or assign what one gives. A line that begins with ``%``
or ``!`` inside brackets, a string or a continued line is Python: so do formatters break conditions and products.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from functools import lru_cache

MAYBE = re.compile(r"^[ \t]*[%!?]|=[ \t]*[%!]|\?[ \t]*$|\A\s*^[ \t]", re.MULTILINE)
COMMAND = re.compile(r"[%!?]|[\w.,*\[\] \t]+=[ \t]*[%!][ \t]*\w|[\w.*]+\?\??[ \t]*$")
SIGN = re.compile(r"\\.|\"\"\"|'''|[\"'#()\[\]{}]")


@dataclass(frozen=True)
class AsPython:
    """A cell as Python reads it. source: as many lines as the cell had; commands: what was taken out, by line."""

    source: str
    commands: tuple[tuple[int, str], ...] = ()


@lru_cache(maxsize=64)
def python_of(text: str) -> AsPython:
    """A cell without its commands and without an indentation of its own; a text that is Python stays as it is.

    Blank lines take the commands' place, and inside a block ``pass``, since a command may be all of it.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not MAYBE.search(text) or _is_python(text):
        return AsPython(text)
    lines, commands = _moved_left(text.split("\n")), []
    reader, continued = _Reader(), False
    for place, line in enumerate(lines):
        if continued or (reader.at_start and COMMAND.match(line.lstrip())):
            commands.append((place + 1, line.strip()))
            indent = line[: len(line) - len(line.lstrip())]
            lines[place] = f"{indent}pass" if indent and not continued else ""
            continued = line.endswith("\\")
        else:
            reader.read(line)
    return AsPython("\n".join(lines), tuple(commands))


def _is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _moved_left(lines: list[str]) -> list[str]:
    """Lines without what the first one is indented by."""
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return [line.removeprefix(indent) for line in lines]


class _Reader:
    """Where one who reads lines stands: in a string, in brackets, in a statement that goes on, or at_start of one."""

    def __init__(self) -> None:
        self._quote, self._depth, self._goes_on = "", 0, False

    @property
    def at_start(self) -> bool:
        """Whether the next line begins a statement."""
        return not (self._quote or self._depth or self._goes_on)

    def read(self, line: str) -> None:
        """Go to the end of a line."""
        comment = False
        for sign in SIGN.findall(line):
            if self._quote:
                self._quote = "" if sign == self._quote else self._quote
            elif sign == "#":
                comment = True
                break
            elif sign[0] in "\"'":
                self._quote = sign
            elif sign in "([{":
                self._depth += 1
            elif sign in ")]}":
                self._depth = max(0, self._depth - 1)
        self._goes_on = line.endswith("\\") and not comment
        if len(self._quote) == 1 and not self._goes_on:  # such a string ends with its line
            self._quote = ""
