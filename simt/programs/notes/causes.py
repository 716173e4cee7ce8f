"""Findings whose cause a note names: what to do is then said of the cause."""

from __future__ import annotations

from dataclasses import replace

from simt.events import Finding
from simt.programs.reports import Where

Told = list[tuple[Finding, tuple[Where, ...]]]
FOLLOW = ("race", "out_of_bounds", "uninitialised_read")


def with_causes(told: Told) -> Told:
    """Of positions that are worked out with the wrong size, the advice stands with everything that comes of it."""
    cause = next(((one, places) for one, places in told if one.kind == "short_stride"), None)
    if cause is None:
        return told
    line, remedy = cause[1][0].line if cause[1] else cause[0].lines[0], cause[0].remedy
    advice = f"See the note on line {line}, which may well be the cause. {remedy}"
    return [(replace(one, remedy=advice) if one.kind in FOLLOW else one, places) for one, places in told]
