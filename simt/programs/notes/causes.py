"""Findings whose cause a note names: what to do is then said of the cause."""

from __future__ import annotations

from dataclasses import replace

from simt.events import Finding
from simt.programs.reports import Where

Told = list[tuple[Finding, tuple[Where, ...]]]
CAUSES = ("unused_axis", "short_stride", "shared_position")
FOLLOW = ("race", "out_of_bounds", "uninitialised_read")


def with_causes(told: Told) -> Told:
    """Where such a note is among what is told, its advice stands with everything that comes of it."""
    cause = next(((one, places) for one, places in told if one.kind in CAUSES), None)
    if cause is None:
        return told
    (note, places), on = cause, "this launch"
    if places:
        on = f"line {places[0].line}"
    advice = f"See the note on {on}, which may well be the cause. {note.remedy}"
    return [(replace(one, remedy=advice) if one.kind in FOLLOW else one, places) for one, places in told]
