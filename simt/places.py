"""Places: what a compiled access, branch or call knows about where it stands in the source."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from .events import Site

_site_ids = itertools.count()


@dataclass
class Place:
    """A site, and what the compiler found out about the expression there."""

    site: Site
    result_used: bool = True  # False: the call stands alone as a statement
    target: str = ""  # the variable the result is assigned to
    literal_parameter: str = ""  # parameter that must be a literal, since it sizes a shared or local array
    deliberate: frozenset[int] = field(default_factory=frozenset)  # axes indexed by a negative literal


def new_site(function: str, line: int, column: int, text: str) -> Site:
    """A site with an id of its own."""
    return Site(next(_site_ids), function, line, column, text)
