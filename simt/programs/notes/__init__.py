"""Notes for who wrote a program: what is no mistake in itself, and often the reason for a result that surprises.

The judge of the course does not ask these; `warpbook run` and pytest's option do. Each listens to one launch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from simt.analyses.findings import FindingBook
from simt.programs.notes.by_thread_alone import ByThreadAlone
from simt.programs.notes.lost_sums import LostSums
from simt.programs.notes.lost_warps import LostWarps
from simt.programs.notes.narrowed import TooNarrow
from simt.programs.notes.never_better import NeverBetter
from simt.programs.notes.print_buffer import TooMuchPrinted
from simt.programs.notes.raised import RaisedInSilence
from simt.programs.notes.same_bytes import SameBytes
from simt.programs.notes.standing_still import StandingStill
from simt.programs.notes.surprises import Surprising
from simt.programs.notes.turned import WritesToTransposed
from simt.programs.notes.unassigned import unassigned_in
from simt.programs.notes.uncovered import Uncovered
from simt.programs.places import names_in


class Noting(Protocol):
    """A listener with a book of what it noted."""

    book: FindingBook


def all_notes(debug: bool, turned: set[str], function: Callable | None) -> list[Noting]:
    """A fresh one of each. debug: whether the kernel is compiled with debug=True, so that what it raises is heard;
    turned: names of the parameters that are given a transposed device array; function: the kernel's, if known."""
    names = names_in(function) if function is not None else frozenset()
    notes: list[Noting] = [SameBytes(), LostSums()] if "shared" in names else []
    notes += [LostWarps()] if any(name.startswith("shfl") for name in names) else []
    notes += [
        TooNarrow(),
        Surprising(),
        NeverBetter(),
        StandingStill(),
        Uncovered(),
        ByThreadAlone(),
        TooMuchPrinted(),
    ]
    notes += [] if debug else [RaisedInSilence()]
    notes += unassigned_in(function) if function is not None else []
    return [*notes, WritesToTransposed(turned)] if turned else notes
