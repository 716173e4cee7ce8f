"""The source lines that a finding names, with their neighbours."""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Iterable
from typing import NamedTuple

from simt.programs.reports import Where


class Line(NamedTuple):
    """One line of an excerpt. number: 0 for a gap; named: whether the finding names it."""

    number: int
    text: str
    named: bool


def excerpts(places: Iterable[Where], around: int) -> list[tuple[str, list[Line]]]:
    """(file, lines) of each file that a finding names, with `around` neighbours; lines that are near share a block."""
    files: dict[str, list[int]] = {}
    for where in places:
        if linecache.getline(where.file, where.line).strip():
            files.setdefault(where.file, []).append(where.line)
    return [(file, _excerpt(file, named, around)) for file, named in files.items()]


def _excerpt(file: str, named: list[int], around: int) -> list[Line]:
    numbers = sorted({near for line in named for near in range(line - around, line + around + 1) if near > 0})
    texts = textwrap.dedent("".join(linecache.getline(file, n).rstrip() + "\n" for n in numbers)).split("\n")
    shown = [Line(n, text, n in named) for n, text in zip(numbers, texts, strict=False) if text or n in named]
    lines, before = [], shown[0].number
    for line in shown:
        lines += [Line(0, "", False)] if line.number > before + 1 and around else []
        lines.append(line)
        before = line.number
    return lines
