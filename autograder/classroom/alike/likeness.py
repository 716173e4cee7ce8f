"""Which answers are alike beyond what an exercise makes alike: n-grams of two things that names and layout do not
change, the syntax tree and the opcodes that the compiler made of it.

A reason to look at two answers side by side. It is no proof of anything: solutions are public, and short answers meet.
The thresholds are chosen on the catalogue of answers that people write: `benchmarks/similarity.py` measures there that
no two honest answers are listed but for two that differ in a few lines, and how many copies in disguise are.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from autograder.answer.syntax import tree_of
from autograder.classroom.alike.syntax import Node, nodes_of

N = 5  # nodes, or opcodes, in a row that make a gram
MOST_NODES = 20_000  # of the syntax tree of a cell that is compared, in which comments and blank lines are nothing
COMMON_SHARE = 0.2  # of the class: what more answers have is the exercise's own shape
COMMON_LEAST = 4  # answers, in a small class
LEAST_SHARED = 16  # grams of the syntax tree, below which a likeness says nothing
LEAST_OPCODES = 12  # grams of opcodes that are the smaller answer's own, below which they say nothing
LEAST_SHARE = 0.8  # of the smaller answer's own grams, in the mean of both measures
LEAST_OF_SYNTAX = 0.65  # of that: what two ways to write one thing are compiled to is often the same
LEAST_SHARE_ALONE = 0.9  # where the syntax tree alone tells
SAME_SHARE, SAME_SHARED = 0.98, 30  # a share of so many grams needs no word of the compiler's

Grams = Mapping[tuple[str, ...], frozenset[int]]  # gram -> lines of the cell on which it stands


@dataclass(frozen=True)
class Answer:
    """One cell, by whom and on what."""

    student: str
    unit: str
    exercise: str
    source: str
    opcodes: str = ""  # of the compiled kernel; "" where it did not compile, or nobody knows


@dataclass(frozen=True)
class Likeness:
    """Two answers to one exercise.

    share: of the smaller one's own grams of syntax; compiled: the same of opcodes, None where they tell nothing;
    lines: of each that are in the other.
    """

    one: Answer
    other: Answer
    share: float
    compiled: float | None
    shared: int
    lines: tuple[frozenset[int], frozenset[int]]
    to_the_letter: bool

    @property
    def mean(self) -> float:
        """Of both measures, or the one there is."""
        return self.share if self.compiled is None else (self.share + self.compiled) / 2


def answers_of(
    verdicts: Iterable[dict[str, Any]], opcodes_of: Callable[[dict[str, Any]], str] = lambda entry: ""
) -> list[Answer]:
    """Every cell that somebody attempted. opcodes_of: of a verdict's entry on an exercise."""
    return [
        Answer(verdict["student"], verdict["unit"], entry["id"], entry["source"], opcodes_of(entry))
        for verdict in verdicts
        for entry in verdict["exercises"]
        if entry["source"].strip() and entry["status"] != "NotAttempted"
    ]


def alike(
    answers: Sequence[Answer], solutions: Mapping[str, str], compiled: Mapping[str, str] | None = None
) -> list[Likeness]:
    """Pairs that are alike, most alike first.

    solutions: the cells of the course, by exercise, which all know; compiled: their opcodes, without which those of an
    exercise are not compared.
    """
    by_exercise: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        by_exercise[answer.exercise].append(answer)
    found: list[Likeness] = []
    for exercise, own in by_exercise.items():
        known = (compiled or {}).get(exercise, "")
        syntax = _telling([grams(answer.source) for answer in own], grams(solutions.get(exercise, "")))
        code = _telling([opcode_grams(answer.opcodes) if known else {} for answer in own], opcode_grams(known))
        found += _alike(own, syntax, code)
    return sorted(found, key=lambda pair: (-pair.mean, -pair.shared, pair.one.student, pair.other.student))


def is_alike(share: float, shared: int, compiled: float | None) -> bool:
    """Whether two answers are listed. share, shared: of syntax; compiled: the share of opcodes, None for no such."""
    if shared < LEAST_SHARED:
        return False
    if share >= SAME_SHARE and shared >= SAME_SHARED:
        return True
    if compiled is None:
        return share >= LEAST_SHARE_ALONE
    return share >= LEAST_OF_SYNTAX and (share + compiled) / 2 >= LEAST_SHARE


def _telling(of: Sequence[Grams], known: Collection) -> list[Grams]:
    """The grams of each answer that tell it from others: not those that many have, or the solution."""
    who: dict[tuple[str, ...], int] = defaultdict(int)
    for own in of:
        for gram in own:
            who[gram] += 1
    common = max(COMMON_LEAST, int(COMMON_SHARE * len(of)))
    return [{gram: at for gram, at in own.items() if who[gram] <= common and gram not in known} for own in of]


def _alike(answers: list[Answer], syntax: Sequence[Grams], code: Sequence[Grams]) -> list[Likeness]:
    """The pairs of one exercise, from the telling grams of each answer."""
    where: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, own in enumerate(syntax):
        for gram in own:
            where[gram].append(place)
    shared: dict[tuple[int, int], list[tuple[str, ...]]] = defaultdict(list)
    for gram, places in where.items():
        for pair in combinations(places, 2):
            shared[pair].append(gram)
    found = []
    for (first, second), both in shared.items():
        share, compiled = share_of(syntax[first], syntax[second]), compiled_share(code[first], code[second])
        if is_alike(share, len(both), compiled) and answers[first].student != answers[second].student:
            lines = tuple(frozenset().union(*(syntax[place][gram] for gram in both)) for place in (first, second))
            same = answers[first].source.split() == answers[second].source.split()
            pair_of = answers[first], answers[second], share, compiled, len(both)
            found.append(Likeness(*pair_of, (lines[0], lines[1]), same))
    return found


def share_of(one: Collection, other: Collection) -> float:
    """Of the smaller one's grams, the part that the other has as well."""
    return len(set(one) & set(other)) / max(1, min(len(one), len(other)))


def compiled_share(one: Collection, other: Collection) -> float | None:
    """The same of opcodes; None where the smaller one has too few of its own to tell."""
    return share_of(one, other) if min(len(one), len(other)) >= LEAST_OPCODES else None


def opcode_grams(opcodes: str) -> Grams:
    """The n-grams of a kernel's opcodes, which stand on no line."""
    words = opcodes.split()
    return {tuple(words[start : start + N]): frozenset() for start in range(len(words) - N + 1)}


def grams(source: str) -> Grams:
    """The n-grams of a source's syntax tree, with the lines on which each stands; {} for what is no Python."""
    tree = tree_of(source)
    if tree is None or _is_too_long(source):
        return {}
    try:
        nodes = nodes_of(source)
    except (ValueError, RecursionError, MemoryError):
        return {}
    found: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for start in range(len(nodes) - N + 1):
        part = nodes[start : start + N]
        found[_gram(part)].update(node.line for node in part if node.line)
    return {gram: frozenset(lines) for gram, lines in found.items()}


def not_compared(answers: Iterable[Answer]) -> list[Answer]:
    """Those with more in their cell than is compared, which somebody should look at."""
    return [answer for answer in answers if _is_too_long(answer.source)]


def _is_too_long(source: str) -> bool:
    tree = tree_of(source)
    return tree is not None and any(n >= MOST_NODES for n, _ in enumerate(ast.walk(tree)))


def _gram(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Nodes as words. Names are numbered by their first use among these, so that it matters only which are the same."""
    names: dict[str, int] = {}
    return tuple(f"{node.kind} {names.setdefault(node.name, len(names))}" if node.name else node.kind for node in nodes)
