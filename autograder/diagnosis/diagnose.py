"""Findings become causes: one named misconception, its lines, and one thing to do.

`cause_of_finding` names what the interpreter found, as `outputs.cause_of_output` reads a wrong output, and `settle`
orders them and drops whatever another one explains.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from autograder.answer.program import Piece, Program
from autograder.diagnosis.advice.guards import (
    axis_outside,
    index_is_guarded,
    is_far,
    let_through,
)
from autograder.diagnosis.advice.readers import advice_for
from autograder.diagnosis.elsewhere import brought_home, helper_around
from autograder.diagnosis.ends import behind_whole_statements
from autograder.diagnosis.misconceptions import behind, rank, remedy_for
from autograder.outcome import Cause
from simt.events import Finding

SCOPES = ("grid", "block", "warp")  # widest first
MOST_OF_A_KIND, MOST_OF_AN_ARRAY = 6, 2  # findings that are read beside the source
HOST_IS_EARLY = ("returned", "unpinned", "time_too_early")  # hazards of host code that did not wait
EXPLAINS_WRITE_CONFLICTS = ("only_first_block", "missing_tail", "output_not_written")


def widest(findings: Sequence[Finding], odd: Collection[int] = ()) -> list[Finding]:
    """Findings of all cases without repeats, in the order first seen.

    Of races on the same lines, the one between the widest circle of threads stays: blocks before threads of a block
    before lanes of a warp, since only mending that one mends them all. Otherwise the first one stays, unless its `id`
    is in `odd` (it comes from a case of a single element, which shows little) and a later one is not.
    """
    kept: dict[tuple, Finding] = {}
    for finding in findings:
        key = _key(finding)
        if key not in kept or _shows_more(finding, kept[key], odd):
            kept[key] = finding
    return list(kept.values())


def _key(finding: Finding) -> tuple:
    """What makes findings of several cases one and the same."""
    return finding.kind, frozenset(finding.lines), finding.array


def _shows_more(finding: Finding, kept: Finding, odd: Collection[int]) -> bool:
    """Whether a finding of a later case takes the place of an earlier one."""
    if _scope(finding) != _scope(kept):
        return SCOPES.index(_scope(finding)) < SCOPES.index(_scope(kept))
    same_side = all(finding.detail.get(name) == kept.detail.get(name) for name in ("wraps", "negative"))
    return same_side and id(kept) in odd and id(finding) not in odd


def _scope(finding: Finding) -> str:
    return finding.detail.get("scope", "block")


def still_true(remarks: Sequence[Finding], mistakes: Sequence[Finding]) -> list[Finding]:
    """Notes that no mistake contradicts: a race on the same array and line, in any case, is no harmless one."""
    moot = {(found.kind, found.array, line) for found in mistakes for line in found.lines}
    return [note for note in remarks if not any((note.kind, note.array, line) in moot for line in note.lines)]


def explained(finding: Finding, causes: Sequence[Cause], outputs: Collection[str] = ()) -> bool:
    """True where the output says already what happened.

    Blocks store to one place because their index is wrong; a tile keeps old values, and a slip of the exercise gives
    exactly what came out. outputs: the kernel's names for them; an update of another array, as of a ticket, is no
    consequence of what is missing there.
    """
    if finding.detail.get("stale"):
        return any(cause.is_slip for cause in causes)
    conflict = finding.kind == "race" and finding.detail.get("hazard") == "WAW" and len(finding.lines) == 1
    if outputs and finding.array not in outputs and finding.detail.get("lost_update"):
        return False
    between_blocks = conflict and _scope(finding) == "grid"
    return between_blocks and any(cause.misconception in EXPLAINS_WRITE_CONFLICTS for cause in causes)


def first_of_each(findings: Iterable[Finding]) -> set[int]:
    """The `id`s of the findings that are worth a look at the source: a few of a kind, and fewer of one array.

    A kernel of a thousand lines has as many findings, and a verdict tells one and counts the others.
    """
    seen: Counter[tuple] = Counter()
    chosen = set()
    for finding in findings:
        kind = finding.kind, _scope(finding)
        if seen[kind] < MOST_OF_A_KIND and seen[*kind, finding.array] < MOST_OF_AN_ARRAY:
            chosen.add(id(finding))
            seen.update((kind, (*kind, finding.array)))
    return chosen


def counted(finding: Finding) -> Cause:
    """A finding that is one of many, as it came."""
    lines, threads = tuple(finding.lines), tuple(finding.threads)
    return Cause(finding.kind, behind(finding.kind), finding.message, finding.remedy, lines, threads, finding.array)


def cause_of_finding(
    finding: Finding, program: Program, outputs: Sequence[str] = (), others: Iterable[Finding] = ()
) -> Cause:
    """One interpreter finding as a cause; guards are read from the program.

    outputs: the kernel's names for them; others: findings of all cases, smallest first. Of an index
    outside an array the smallest case tells what kind of mistake it is: a nearly square array looks turned round.
    """
    there = helper_around(finding.detail.get("function", ""), program) if finding.kind == "warp_mask" else None
    in_helper = advice_for(finding, there) if there is not None else None
    finding = brought_home(finding, program)
    if finding.kind == "race":
        misconception = _of_race(finding, program.text)
    elif finding.kind == "out_of_bounds":
        smallest = next((other for other in others if _key(other) == _key(finding)), finding)
        misconception = _of_bounds(smallest, program.quotable)
    elif finding.kind == "uninitialised_read" and finding.array in outputs:
        misconception = "output_accumulates"
    elif finding.detail.get("error") == "GridDoesNotFitError":
        misconception = "grid_does_not_fit"
    else:
        misconception = behind(finding.kind)
    known = finding.remedy if misconception != "far_index" else ""
    remedy = f"{known or remedy_for(misconception)} {let_through(finding, program.quotable)}".strip()
    better = in_helper or advice_for(finding, program.quotable)
    return Cause(
        finding.kind,
        misconception,
        better.says if better and better.says else finding.message,
        behind_whole_statements(better.remedy if better else remedy, program.quotable),
        tuple(finding.lines),
        tuple(finding.threads),
        finding.array,
    )


def _of_race(finding: Finding, source: str) -> str:
    """Which order is missing: of a copy, updates of one element, lanes of a warp, threads of a block, or blocks."""
    detail = finding.detail
    if detail.get("hazard") == "copy":
        return "copy_not_waited"
    if detail.get("hazard") in HOST_IS_EARLY or detail.get("streams", ())[1:] == ("host",):
        return "host_goes_on"
    in_turns = detail.get("space") == "shared" and detail.get("turn") == "previous"
    if detail.get("lost_update") and not in_turns or detail.get("hazard") == "WAW" and len(finding.lines) == 1:
        return "lost_update"
    if detail.get("scope") == "grid":
        return "grid_order"
    if detail.get("scope") == "warp" and any(call in source for call in ("syncthreads", "syncwarp", "shfl")):
        return "warp_sync"
    return "missing_barrier"


def _of_bounds(finding: Finding, quotable: Piece) -> str:
    """A negative index, rows taken for columns, an index one past the end, or no guard at all."""
    detail = finding.detail
    if detail.get("wraps") or detail.get("negative"):
        return "negative_index"
    index, shape = tuple(detail.get("index", ())), tuple(detail.get("shape", ()))
    bad_axis = axis_outside(detail)
    if detail.get("space") == "shared" and shape == (0,):
        return "dynamic_shared_size"
    if detail.get("space") in ("shared", "local"):
        return "far_index" if is_far(detail) else "off_by_one"
    if not finding.lines or not index_is_guarded(quotable, finding.lines[0], finding.array, bad_axis):
        return "no_guard"
    one_past_the_end = index[bad_axis] == shape[bad_axis]
    others = [extent for axis, extent in enumerate(shape) if axis != bad_axis]
    tells = shape[bad_axis] > 1 and all(abs(extent - shape[bad_axis]) > 1 for extent in others)  # the axes apart
    if one_past_the_end and others and tells and finding.count <= math.prod(others):
        return "off_by_one"
    turned = len(shape) > 1 and all(i < extent for i, extent in zip(reversed(index), shape, strict=True))
    if turned and finding.count <= math.prod(shape):
        return "swapped_axes"
    few = finding.count <= math.prod(extent + 1 for extent in shape) - math.prod(shape)
    return "off_by_one" if one_past_the_end and few else "no_guard"


def _is_of_a_warp(cause: Cause) -> bool:
    return cause.misconception == "warp_sync" or cause.remedy.startswith("Put cuda.syncwarp()")


def _rank(cause: Cause, misaligned: set[int]) -> int:
    """16 bytes that begin at a wrong place also end at one: then the end is a consequence."""
    ends = cause.kind == "out_of_bounds" and not misaligned.isdisjoint(cause.lines)
    return rank("tile_not_shown" if ends else cause.kind)


def settle(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Causes most explanatory first, without repeats, and without a wrong output that a finding explains."""
    unique = list(
        {
            (cause.kind, cause.misconception, cause.lines, cause.array): cause for cause in reversed(list(causes))
        }.values()
    )
    unique.reverse()
    misaligned = {line for cause in unique if cause.kind == "misaligned" for line in cause.lines}
    unique.sort(key=lambda cause: (_rank(cause, misaligned), _is_of_a_warp(cause)))  # a barrier orders lanes, too
    if any(cause.misconception == "negative_index" for cause in unique):  # places that wrap round: the type comes first
        unique.sort(key=lambda cause: (cause.kind, cause.misconception) != ("short_only", "float_index"))
    changed = {cause.array for cause in unique if cause.kind == "write_to_input"}
    unique.sort(key=lambda cause: cause.kind == "race" and cause.array in changed)  # who may not write needs no order
    if any(cause.kind == "write_to_input" and cause.lines for cause in unique):
        unique = [cause for cause in unique if cause.kind != "write_to_input" or cause.lines]
    for first in ("parameter_order", "whole_array_reduction", "compile_error"):
        if any(cause.kind == first for cause in unique):
            return tuple(cause for cause in unique if cause.kind == first)
    if any(cause.kind not in ("wrong_output", "over_budget", "float64_arithmetic", "unsupported") for cause in unique):
        unique = [cause for cause in unique if cause.kind != "wrong_output"]
    if any(cause.kind != "over_budget" for cause in unique):
        unique = [cause for cause in unique if cause.kind != "over_budget"]
    return tuple(unique)
