"""Single edits that make a line of an answer what the course's own solution has there: what no other edit comes to.

They are tried like all others, and the line is named only where it alone makes every case right. An answer that is
written otherwise has no line to compare, and gets none of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from autograder.repair.edits import Edit, Text

ALIKE = 0.5  # share of a line that two of them have in common, for one to stand in for the other
MOST, MOST_DROPPED = 24, 3  # of them; lines that may be too many


def bare(line: str) -> str:
    """A line without its comment, blanks and brackets: what two ways to write it have in common."""
    return "".join(sign for sign in line.split("  #")[0] if sign not in " ()\n")


def edits_towards(text: Text, solution: str) -> Iterator[Edit]:
    """Each line that differs from the solution's, as the solution has it, and each one that is missing, put in."""
    own, meant = _lines_of([line.decode() for line in text.lines]), _lines_of(solution.splitlines())
    matched = SequenceMatcher(None, [bare(line) for _, line in own], [bare(line) for _, line in meant], autojunk=False)
    changes = [code[1:] for code in matched.get_opcodes() if code[0] != "equal"][:MOST]
    for first, end, first_meant, end_meant in changes:
        here, there = own[first:end], [line for _, line in meant[first_meant:end_meant]]
        if len(here) == len(there):
            for (number, line), other in zip(here, there, strict=True):
                if _alike(line, other):
                    yield text.with_line(number, [_indented(line, other)], "line", "")
        elif not there and len(here) <= MOST_DROPPED:
            yield _dropped(text, here)
        elif not here and len(there) == 1 and first > 0:
            number, before = own[first - 1]
            lines = [*text.lines[:number], f"{there[0]}\n".encode(), *text.lines[number:]]
            kind = "barrier" if there[0].strip() == "cuda.syncthreads()" else "missing"
            yield text.with_lines(lines, number, kind, "", f"{before}\n{there[0]}")


def _dropped(text: Text, here: list[tuple[int, str]]) -> Edit:
    """Without lines that the solution has nothing for."""
    (number, first), lines = here[0], [*text.lines]
    for at, _ in here:
        lines[at - 1] = b"\n"
    condition = re.match(r"\s*if (.*):$", first)
    kind, about = ("exception", condition[1]) if condition else ("extra", "")
    return text.with_lines(lines, number, kind, about, f"{first[: len(first) - len(first.lstrip())]}# nothing")


def _lines_of(lines: list[str]) -> list[tuple[int, str]]:
    """Lines that are not empty and no comment, without the comment behind them, and the number of each, from 1."""
    cut = [(at + 1, line.split("  #")[0].rstrip()) for at, line in enumerate(lines)]
    return [(at, line) for at, line in cut if line.strip() and not line.strip().startswith("#")]


def _alike(line: str, other: str) -> bool:
    return SequenceMatcher(None, bare(line), bare(other), autojunk=False).ratio() >= ALIKE


def _indented(line: str, other: str) -> str:
    """Another line, as far in as one."""
    return line[: len(line) - len(line.lstrip())] + other.strip()
