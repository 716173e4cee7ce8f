"""Which lines of a wrong kernel may be named: where its symptom shows, and where its cause stands.

A card lists lines of its cause (`causes`, each a part of the line). Where the answer is drawn from the course's
catalogue, they are those in which it differs from the right answer that comes nearest.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from difflib import SequenceMatcher

from autograder.drills.deck.catalogue import right_sources, without_comments
from autograder.drills.deck.model import Card, CardError

MOST_CHANGES = 3  # in more lines than these two kernels differ by design, and no single line is to blame
NEAR = 0.6


def cause_lines(card: Card, source: str, first_line: int) -> frozenset[int]:
    """Lines of the cause, numbered as they are shown. Raises: CardError where a card names a line that is not there."""
    lines = source.splitlines()
    found: set[int] = set()
    for text in card.data.get("causes", ()):
        places = [first_line + at for at, line in enumerate(lines) if text in line]
        if not places:
            raise CardError(card.file, card.id, "causes", f"no line of the source has {text!r} in it.")
        found.update(places)
    if not card.file:
        found |= {first_line + at for at in changed_lines(lines, right_sources(card))}
    return frozenset(found)


def changed_lines(wrong: list[str], right: Iterable[str]) -> set[int]:
    """Places of the lines that the nearest of the right sources has otherwise; none where they differ in many.

    Where the right one has a line more, the lines round the gap are its place.
    """
    code = [line.strip() for line in wrong]
    others = [[line.strip() for line in without_docstrings(source).splitlines() if line.strip()] for source in right]
    matchers = [SequenceMatcher(None, code, other, autojunk=False) for other in others]
    nearest = max(matchers, key=lambda matcher: matcher.ratio(), default=None)
    if nearest is None or nearest.ratio() < NEAR:
        return set()
    found: set[int] = set()
    for tag, begin, end, _, _ in nearest.get_opcodes():
        if tag != "equal":
            found.update(range(begin, end) if end > begin else (begin - 1, begin))
    named = {at for at in found if 0 <= at < len(code) and code[at] and not code[at].startswith(("@", "def "))}
    return named if len(named) <= MOST_CHANGES else set()


def without_docstrings(source: str) -> str:
    """The code alone."""
    lines = without_comments(source).splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join(lines) + "\n"
