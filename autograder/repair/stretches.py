"""Edits of several lines at once: a stretch that differs from the course's own solution, as the solution has it.

They are tried last, and told only where no edit of one line makes every case right: lines that have to change together,
or a part of the work that stands nowhere. Where two such stretches are apart, both are tried at once, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

from autograder.repair.edits import Edit, Text
from autograder.repair.towards import bare, lines_of

MOST_HERE, MOST_THERE = 6, 8  # lines of an answer, and of the solution, that change places
MOST_STRETCHES, MOST_IN_PAIRS = 16, 4  # in which the two differ: with more of them the answer is built otherwise
MOST_OF_ALL = 0.5  # of the solution's lines: where more of them differ, the answer is another one
OUTSIDE = ("@", "def ", "from ", "import ")


@dataclass(frozen=True)
class Stretch:
    """Lines first to end - 1 of an answer, from 1, and those that the solution has in their place, indented."""

    first: int
    end: int
    there: tuple[str, ...]


def stretch_edits(text: Text, solution: str, given: Collection[int] = ()) -> Iterator[Edit]:
    """Each stretch that differs, as the solution has it, then two of them at once. given: lines that nobody edits."""
    found = list(_stretches(text, solution))
    own = [one for one in found if not any(at in given for at in range(one.first, one.end))]
    for one in own:
        if len(one.there) > 1 or one.end - one.first > 1:
            yield _changed(text, [one])
    if len(found) <= MOST_IN_PAIRS:
        yield from (_changed(text, pair) for pair in combinations(own, 2))


def _stretches(text: Text, solution: str) -> Iterator[Stretch]:
    own, meant = lines_of([line.decode() for line in text.lines]), lines_of(solution.splitlines())
    matched = SequenceMatcher(None, [bare(line) for _, line in own], [bare(line) for _, line in meant], autojunk=False)
    changes = [code[1:] for code in matched.get_opcodes() if code[0] != "equal"][:MOST_STRETCHES]
    for first, end, first_meant, end_meant in changes:
        here, there = own[first:end], [line for _, line in meant[first_meant:end_meant]]
        outside = any(line.startswith(OUTSIDE) for line in (*(line for _, line in here), *there))
        if (
            outside
            or first == 0
            or MOST_OF_ALL * len(meant) < len(there)
            or len(here) > MOST_HERE
            or not 0 < len(there) <= MOST_THERE
        ):
            continue
        beside = (here[0][1], there[0]) if here else (own[first - 1][1], meant[first_meant - 1][1])
        begin = here[0][0] if here else own[first - 1][0] + 1
        yield Stretch(begin, here[-1][0] + 1 if here else begin, tuple(_moved(there, *beside)))


def _moved(lines: Sequence[str], own: str, other: str) -> list[str]:
    """Lines as far in as their first one's counterpart is."""
    move = _indent(own) - _indent(other)
    return [" " * max(0, _indent(line) + move) + line.lstrip() for line in lines]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _changed(text: Text, stretches: Sequence[Stretch]) -> Edit:
    """The answer with these stretches as the solution has them."""
    lines = [*text.lines]
    for one in reversed(stretches):
        new = "\n".join(one.there).encode() + b"\n"
        lines[one.first - 1 : one.end - 1] = [new, *[b"\n"] * (one.end - one.first - len(one.there))]
    shown = "\n...\n".join("\n".join(one.there) for one in stretches)
    only, last = stretches[0], stretches[-1]
    if len(stretches) == 1 and only.first == only.end:
        return text.with_lines(lines, only.first - 1, "missing_lines", "", shown)
    if len(stretches) == 1 and only.end - only.first == 1:
        return text.with_lines(lines, only.first, "several", "", shown)
    if len(stretches) == 1:
        return text.with_lines(lines, only.first, "lines", str(only.end - 1), shown)
    first = only.first if only.first < only.end else only.first - 1
    return text.with_lines(lines, first, "both", str(last.first if last.first < last.end else last.first - 1), shown)
