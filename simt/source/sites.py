"""Places: what a compiled access, branch or call knows about where it stands in the source."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from simt.events import Site

if TYPE_CHECKING:
    from simt.refusals import Refusal

_site_ids = itertools.count()


@dataclass
class Place:
    """A site, and what the compiler found out about the expression there."""

    site: Site
    result_used: bool = True  # False: the call stands alone as a statement
    target: str = ""  # the variable the result is assigned to
    literal_parameter: str = ""  # parameter that must be a literal, since it sizes a shared or local array
    refusal: Refusal | None = None  # the Refusal of that array where the parameter was no literal
    deliberate: frozenset[int] = field(default_factory=frozenset)  # axes indexed by a negative literal


def new_site(
    function: str,
    line: int,
    column: int,
    text: str,
    loops: tuple[tuple[int, int], ...] = (),
    below_if: bool = True,
    update: str = "",
) -> Site:
    """A site with an id of its own."""
    return Site(next(_site_ids), function, line, column, text, loops, below_if, update)


def branches_of(nodes: Iterable[ast.AST]) -> tuple[tuple[int, int], ...]:
    """(first, last) line of what an `if` or its `else` decides."""
    sides = (side for node in nodes if isinstance(node, ast.If) for side in (node.body, node.orelse) if side)
    return tuple((side[0].lineno, side[-1].end_lineno or side[-1].lineno) for side in sides)


def loops_of(nodes: Iterable[ast.AST]) -> tuple[tuple[int, int, int], ...]:
    """(line of its condition, first and last line of what it repeats) of every loop, outermost first."""
    found = []
    for node in nodes:
        if isinstance(node, ast.For):
            found.append((node.iter.lineno, node.body[0].lineno, node.body[-1].end_lineno))
        elif isinstance(node, ast.While):
            found.append((node.test.lineno, node.test.lineno, node.body[-1].end_lineno))
    return tuple(sorted(found))


def loops_around(line: int, loops: Iterable[tuple[int, int, int]]) -> tuple[tuple[int, int], ...]:
    """The loops that repeat a line, as `Site.loops`."""
    return tuple((head, last) for head, first, last in loops if first <= line <= last)
