"""Makes a program that shows a difference small: fewer decisions, and simpler ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from .program import Program, program_of_decisions

CHUNKS = (64, 32, 16, 8, 4, 2, 1)


def shrink(
    program: Program, still_differs: Callable[[Program], bool], portable: bool = False, seconds: float = 20
) -> Program:
    """The smallest program found in this time for which `still_differs` holds, as it does for `program`.

    Raises nothing: a candidate that cannot be written or run does not count as different.
    """
    deadline, best, tried = time.monotonic() + seconds, program, {program.text()}

    def accept(decisions: Sequence[int]) -> bool:
        nonlocal best
        if time.monotonic() > deadline:
            return False
        candidate = program_of_decisions(decisions, portable)
        smaller = _size(candidate) < _size(best)
        if not smaller or candidate.text() in tried:
            return False
        tried.add(candidate.text())
        if still_differs(candidate):
            best = candidate
            return True
        return False

    before = None
    while before is not best and time.monotonic() < deadline:
        before = best
        _shorten(lambda: best.decisions, accept)
        _simplify(lambda: best.decisions, accept)
    return best


def _size(program: Program) -> tuple[int, int, tuple[int, ...]]:
    """Shorter text is smaller; then fewer and smaller decisions."""
    return len(program.text()), len(program.decisions), program.decisions


def _shorten(current: Callable[[], tuple[int, ...]], accept: Callable[[Sequence[int]], bool]) -> None:
    """Leave out runs of decisions, long ones first."""
    for length in CHUNKS:
        at = len(current()) - length
        while at >= 0:
            decisions = current()
            accept(decisions[:at] + decisions[at + length :])
            at = min(at, len(current())) - length


def _simplify(current: Callable[[], tuple[int, ...]], accept: Callable[[Sequence[int]], bool]) -> None:
    """Make single decisions 0, or half of what they were."""
    at = len(current()) - 1
    while at >= 0:
        decisions = current()
        if at < len(decisions) and decisions[at]:
            for smaller in (0, decisions[at] // 2):
                if smaller != decisions[at] and accept((*decisions[:at], smaller, *decisions[at + 1 :])):
                    break
        at -= 1
