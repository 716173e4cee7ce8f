"""Which answers are alike beyond what an exercise makes alike: n-grams of syntax trees without names and formatting.

A reason to look at two answers side by side. It is no proof of anything: solutions are public, and short answers meet.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

N = 5  # nodes in a row that make a gram
MOST_CHARACTERS = 20_000  # of a cell that is compared
COMMON_SHARE = 0.2  # of the class: what more answers have is the exercise's own shape
COMMON_LEAST = 4  # answers, in a small class
LEAST_SHARED = 8  # grams, below which a likeness says nothing
LEAST_SHARE = 0.6  # of the smaller answer's own grams

Grams = Mapping[tuple[str, ...], frozenset[int]]  # gram -> lines of the cell on which it stands


@dataclass(frozen=True)
class Answer:
    """One cell, by whom and on what."""

    student: str
    unit: str
    exercise: str
    source: str


@dataclass(frozen=True)
class Likeness:
    """Two answers to one exercise. share: of the smaller one's own grams; lines: of each that are in the other."""

    one: Answer
    other: Answer
    share: float
    shared: int
    lines: tuple[frozenset[int], frozenset[int]]
    to_the_letter: bool


def answers_of(verdicts: Iterable[dict[str, Any]]) -> list[Answer]:
    """Every cell that somebody attempted."""
    return [
        Answer(verdict["student"], verdict["unit"], entry["id"], entry["source"])
        for verdict in verdicts
        for entry in verdict["exercises"]
        if entry["source"].strip() and entry["status"] != "NotAttempted"
    ]


def alike(answers: Sequence[Answer], solutions: Mapping[str, str]) -> list[Likeness]:
    """Pairs that are alike, most alike first. solutions: the cells of the course, by exercise, which all know."""
    by_exercise: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_exercise[answer.exercise].append(answer)
    found = [pair for exercise, own in by_exercise.items() for pair in _alike(own, grams(solutions.get(exercise, "")))]
    return sorted(found, key=lambda pair: (-pair.share, -pair.shared, pair.one.student, pair.other.student))


def _alike(answers: list[Answer], known: Grams) -> list[Likeness]:
    """The pairs of one exercise. A gram that many have, or the solution, tells nobody from anybody."""
    of = [grams(answer.source) for answer in answers]
    who: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, own in enumerate(of):
        for gram in own:
            who[gram].append(place)
    common = max(COMMON_LEAST, int(COMMON_SHARE * len(answers)))
    telling = {gram: places for gram, places in who.items() if len(places) <= common and gram not in known}
    sizes: dict[int, int] = defaultdict(int)
    shared: dict[tuple[int, int], list[tuple[str, ...]]] = defaultdict(list)
    for gram, places in telling.items():
        for place in places:
            sizes[place] += 1
        for pair in combinations(places, 2):
            shared[pair].append(gram)
    found = []
    for (first, second), both in shared.items():
        share = len(both) / min(sizes[first], sizes[second])
        if len(both) >= LEAST_SHARED and share >= LEAST_SHARE and answers[first].student != answers[second].student:
            lines = tuple(frozenset().union(*(of[place][gram] for gram in both)) for place in (first, second))
            same = answers[first].source.split() == answers[second].source.split()
            found.append(Likeness(answers[first], answers[second], share, len(both), (lines[0], lines[1]), same))
    return found


def grams(source: str) -> Grams:
    """The n-grams of a source's syntax tree, with the lines on which each stands; {} for what is no Python."""
    if len(source) > MOST_CHARACTERS:
        return {}
    try:
        nodes = _in_order(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[tuple[str, ...], frozenset[int]] = {}
    for start in range(len(nodes) - N + 1):
        part = nodes[start : start + N]
        gram = _gram(part)
        found[gram] = found.get(gram, frozenset()) | {node.line for node in part if node.line}
    return found


@dataclass(frozen=True)
class Node:
    """What is kept of a node: its kind, with an attribute's name or a constant; a variable's name; its line or 0."""

    kind: str
    name: str
    line: int


def _gram(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Nodes as words. Names are numbered by their first use among these, so that it matters only which are the same."""
    names: dict[str, int] = {}
    return tuple(f"{node.kind} {names.setdefault(node.name, len(names))}" if node.name else node.kind for node in nodes)


def _in_order(tree: ast.AST) -> list[Node]:
    """The nodes of a tree, parents first. Docstrings and whether a name is read or written are left out."""
    found: list[Node] = []
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        found.append(_node(node))
        children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)]
        pending += reversed(children)
    return found


def _node(node: ast.AST) -> Node:
    kind = type(node).__name__
    if isinstance(node, ast.Attribute):
        kind = f"{kind} {node.attr}"
    elif isinstance(node, ast.Constant):
        kind = f"{kind} {node.value!r}"[:60]
    return Node(kind, getattr(node, "id", None) or getattr(node, "arg", None) or "", getattr(node, "lineno", 0))
